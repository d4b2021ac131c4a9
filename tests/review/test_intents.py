"""Time frames of questions, English and Russian: kind, moment, interval; how messages split."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta, timezone

import pytest

from review.question.intent_cues import default, load
from review.question.intents import sub_questions
from tests.review.labelled_questions import CHANGE, CURRENT, HISTORY, LABELLED

ASKED = datetime(2026, 3, 10, 12, tzinfo=UTC)  # a Tuesday
FEBRUARY = datetime(2026, 2, 16, 12, tzinfo=UTC)


def intent(text, asked_at=ASKED):
    (one,) = sub_questions(text, asked_at=asked_at)
    return one.intent


def days(start, end):
    return tuple(
        bound and datetime.fromisoformat(bound).replace(tzinfo=UTC) for bound in (start, end)
    )


def frame(told):
    return told.start, told.end


def test_next_week_is_current_at_its_first_instant():
    told = intent("where and by which carrier do we ship the jackets next week?")
    assert told.kind is CURRENT
    assert told.target == datetime(2026, 3, 16, tzinfo=UTC)
    assert frame(told) == days("2026-03-16", "2026-03-23")


def test_next_week_is_counted_from_the_moment_of_asking():
    told = intent("where do we ship next week?", FEBRUARY)
    assert told.target == datetime(2026, 2, 23, tzinfo=UTC)
    assert frame(told) == days("2026-02-23", "2026-03-02")


@pytest.mark.parametrize(
    "question",
    [
        "and which warehouse was our main one last autumn?",
        "which carrier did we use last autumn?",
        "И напомни, какой склад был у нас основным прошлой осенью?",
        "каким перевозчиком мы пользовались прошлой осенью?",
    ],
)
def test_last_autumn_is_the_autumn_that_has_ended(question):
    told = intent(question)
    assert (told.kind, told.before_current) == (HISTORY, False)
    assert frame(told) == days("2025-09-01", "2025-12-01")


@pytest.mark.parametrize(
    "question",
    [
        "how did our main warehouse change over the last year?",
        "как менялся наш основной склад за последний год?",
    ],
)
def test_a_change_over_the_last_year_runs_up_to_now(question):
    told = intent(question)
    assert told.kind is CHANGE
    assert (told.start, told.end) == (datetime(2025, 3, 10, tzinfo=UTC), ASKED)


@pytest.mark.parametrize("question", ["where do we ship the jackets?", "где я живу?"])
def test_a_question_without_a_marker_is_about_now(question):
    told = intent(question)
    assert (told.kind, told.target, told.cue) == (CURRENT, ASKED, "")
    assert frame(told) == (None, None)


@pytest.mark.parametrize(
    "question",
    [
        "what city did I live in last year, before the move?",
        "в каком городе я жил в прошлом году, до переезда?",
    ],
)
def test_last_year_before_the_move_is_both_an_interval_and_the_version_before(question):
    told = intent(question)
    assert (told.kind, told.before_current) == (HISTORY, True)
    assert frame(told) == days("2025-01-01", "2026-01-01")


TWO_PARTS = [
    "1) Куда и каким перевозчиком нам отправлять партию пуховиков на следующей неделе?\n"
    "2) И напомни, какой склад был у нас основным прошлой осенью?",
    "1) Куда и каким перевозчиком отправлять на следующей неделе? 2) И какой склад был основным "
    "прошлой осенью?",
    "Куда отправлять пуховики на следующей неделе, и напомни, какой склад был основным прошлой "
    "осенью?",
    "Where do we ship next week? And which warehouse was our main one last autumn?",
    "Where and by which carrier do we ship next week, and which warehouse was our main one last "
    "autumn?",
    "where do we ship next week and remind me which warehouse was the main one last autumn",
    "- where do we ship next week?\n- which warehouse was our main one last autumn?",
    "a) where do we ship next week? b) which warehouse was our main one last autumn?",
]


@pytest.mark.parametrize("message", TWO_PARTS)
def test_two_questions_in_one_message_have_a_time_frame_each(message):
    first, second = sub_questions(message, asked_at=ASKED)
    assert (first.intent.kind, second.intent.kind) == (CURRENT, HISTORY)
    assert first.intent.target == datetime(2026, 3, 16, tzinfo=UTC)
    assert frame(second.intent) == days("2025-09-01", "2025-12-01")
    for one in (first, second):
        assert one.text == message[one.span.start : one.span.end]
    assert first.span.end <= second.span.start


@pytest.mark.parametrize(("question", "kind"), LABELLED)
def test_a_question_has_the_time_frame_a_person_gives_it(question, kind):
    assert intent(question).kind is kind


KINDS = {
    "plain": CURRENT,
    "current": CURRENT,
    "change": CHANGE,
    "compare": CHANGE,
    "history": HISTORY,
}


@pytest.mark.parametrize("cue", default().rows, ids=lambda cue: cue.example)
def test_every_row_of_the_table_decides_its_own_example(cue):
    prepared = cue.example.lower().replace("ё", "е")
    assert cue.pattern.search(prepared)
    assert cue.sort == "plain" or default().may_fit(prepared)
    assert [one.intent.kind for one in sub_questions(cue.example, asked_at=ASKED)] == [
        KINDS[cue.sort]
    ]


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("What was the price in 2023? And in 2024?", "2023-01-01", "2025-01-01"),
        ("What was our carrier before 2020?", None, "2020-01-01"),
        ("Who led us from March to May 2025?", "2025-03-01", "2025-06-01"),
        ("What did we pay two weeks ago?", "2026-02-21", "2026-02-28"),
        ("How did the tariff change in 2024?", "2024-01-01", "2025-01-01"),
        ("Как менялся тариф с марта по май 2025 года?", "2025-03-01", "2025-06-01"),
        ("We moved to Kazan in 2024. Which carrier did we use then?", "2024-01-01", "2025-01-01"),
    ],
)
def test_a_named_interval_is_the_asked_one(question, start, end):
    assert frame(intent(question)) == days(start, end)


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("What changed since March?", "2026-03-01"),
        ("Is the rent higher than last year?", "2025-01-01"),
        ("Мы платим больше по сравнению с прошлой осенью?", "2025-09-01"),
        ("Какой тариф был в 2024 году и какой сейчас?", "2024-01-01"),
        ("How did the tariff change?", None),
    ],
)
def test_a_change_without_an_end_runs_up_to_now(question, start):
    told = intent(question)
    assert (told.kind, told.start, told.end) == (CHANGE, days(start, None)[0], ASKED)


@pytest.mark.parametrize("question", ["What was it before?", "Что было изначально?"])
def test_a_past_without_an_interval_is_what_held_before_the_present_version(question):
    told = intent(question)
    assert (told.kind, told.start, told.end, told.before_current) == (HISTORY, None, ASKED, True)


@pytest.mark.parametrize(
    ("question", "target"),
    [
        ("who owned the shop as of 1986", datetime(1986, 1, 1, tzinfo=UTC)),
        ("who owned the shop as of May 5, 2016", datetime(2016, 5, 5, tzinfo=UTC)),
        ("Кто директор по состоянию на 1 мая 2016 года?", datetime(2016, 5, 1, tzinfo=UTC)),
        ("How many people had we hired by 10 July 2025?", datetime(2025, 7, 10, tzinfo=UTC)),
        ("who owns the shop as of today?", ASKED),
        ("Which carrier do we use tomorrow?", datetime(2026, 3, 11, tzinfo=UTC)),
        ("What is our plan this week?", ASKED),
        ("Каким перевозчиком отправлять через две недели?", datetime(2026, 3, 24, tzinfo=UTC)),
    ],
)
def test_the_target_is_the_moment_asked_about(question, target):
    told = intent(question)
    assert (told.kind, told.target) == (CURRENT, target)


def test_as_of_moves_what_is_past_with_it():
    told = intent("who led the team last year as of 2021")
    assert (told.kind, told.target) == (HISTORY, datetime(2021, 1, 1, tzinfo=UTC))
    assert frame(told) == days("2020-01-01", "2021-01-01")


def test_times_are_counted_in_the_zone_of_the_asker():
    late = datetime(2026, 3, 15, 23, tzinfo=timezone(timedelta(hours=-5)))
    told = intent("where do we ship next week?", late)
    assert told.target == datetime(2026, 3, 16, tzinfo=late.tzinfo)


def test_what_is_stated_before_a_question_stays_with_it():
    message = "When I moved in 2025, I sold the car. I take the tram. How do I get to work?"
    (one,) = sub_questions(message, asked_at=ASKED)
    assert (one.text, one.intent.kind) == (message, CURRENT)


def test_what_follows_the_last_question_stays_with_it():
    message = "Where do I live? I need it for a form."
    (one,) = sub_questions(message, asked_at=ASKED)
    assert one.text == message


def test_two_places_with_one_budget_each_are_two_questions():
    message = "What is my budget in Kazan? What was my budget in Omsk last year?"
    first, second = sub_questions(message, asked_at=ASKED)
    assert (first.intent.kind, second.intent.kind) == (CURRENT, HISTORY)


def test_three_things_in_a_list_are_three_questions():
    message = "- Which carrier do we use?\n- What was the budget last year?\n- How did it change?"
    kinds = [one.intent.kind for one in sub_questions(message, asked_at=ASKED)]
    assert kinds == [CURRENT, HISTORY, CHANGE]


def test_an_abbreviation_does_not_end_a_sentence():
    for message in (
        "Who leads the U.S. office of Dr. Smith now?",
        "Где ул. Ленина и т.д. сейчас?",
    ):
        assert len(sub_questions(message, asked_at=ASKED)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "???",
        "où habitais-je l'année dernière?",
        "你之前住在哪里？",
        "🙂",
        "1) 2) 3)",
        "\x00",
    ],
)
def test_odd_input_is_one_question_about_now(text):
    (one,) = sub_questions(text, asked_at=ASKED)
    assert (one.intent.kind, one.intent.target) == (CURRENT, ASKED)


@pytest.mark.parametrize(
    "piece",
    [
        "Where did I live before? Where do I live now? ",
        " ",
        "\n- a",
        "1) 2) ",
        "what and who and ",
        "before the ",
        "on 1 March 2026 until ",
        "a? ",
        "слово ",
    ],
)
def test_a_long_message_is_read_quickly(piece):
    text = (piece * 20_000)[:20_000]
    begun = time.perf_counter()
    assert sub_questions(text, asked_at=ASKED)
    assert time.perf_counter() - begun < 2.0


def test_a_moment_of_asking_without_a_zone_is_refused():
    with pytest.raises(ValueError, match="time zone"):
        sub_questions("where?", asked_at=datetime(2026, 3, 10))  # noqa: DTZ001 - the fault itself


def test_a_table_with_an_unknown_sort_or_piece_is_refused():
    with pytest.raises(ValueError, match="known sort"):
        load("pieces: {}\nhints: [a]\nrows:\n  - someday: a\n    example: a\n")
    with pytest.raises(ValueError, match="<NOWHERE>"):
        load("pieces: {}\nhints: [a]\nrows:\n  - history: <NOWHERE>\n    example: a\n")

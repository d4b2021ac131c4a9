"""Moments in words, English and Russian: what they cover, what they are not, how fast."""

from __future__ import annotations

import random
import time
from datetime import UTC, datetime, timedelta, timezone

import pytest

from review.facts import moments
from review.facts.calendar_words import WORDS
from store.cells import Precision

ASKED = datetime(2026, 3, 10, 12, tzinfo=UTC)  # a Tuesday


def covered(text, against=ASKED):
    """Each moment as kind and its days, open bounds as blanks."""
    return [
        (moment.kind, moment.start.date().isoformat(), moment.end.date().isoformat())
        for moment in moments.find(text, against=against)
    ]


def only(text, against=ASKED):
    found = moments.find(text, against=against)
    assert len(found) == 1, found
    return found[0]


ABSOLUTE = [
    ("It opens on 1 March 2026.", "at", "2026-03-01", "2026-03-02"),
    ("It opens on March 1, 2026.", "at", "2026-03-01", "2026-03-02"),
    ("It opens on March 1,2026.", "at", "2026-03-01", "2026-03-02"),
    ("on the 1st of March 2026", "at", "2026-03-01", "2026-03-02"),
    ("on Friday, 13 March 2026", "at", "2026-03-13", "2026-03-14"),
    ("signed 1 Mar. 2026", "at", "2026-03-01", "2026-03-02"),
    ("открываем 1 марта 2026 года", "at", "2026-03-01", "2026-03-02"),
    ("Договор от 15.10.2025 г.", "at", "2025-10-15", "2025-10-16"),
    ("on 2026-03-12", "at", "2026-03-12", "2026-03-13"),
    ("on 2026/03/12", "at", "2026-03-12", "2026-03-13"),
    ("on 12.03.2026", "at", "2026-03-12", "2026-03-13"),
    ("on 03/12/2026", "at", "2026-03-12", "2026-03-13"),
    ("on 25/12/2026", "at", "2026-12-25", "2026-12-26"),
    ("on 12/25/2026", "at", "2026-12-25", "2026-12-26"),
    ("in March 2026", "during", "2026-03-01", "2026-04-01"),
    ("в марте 2026", "during", "2026-03-01", "2026-04-01"),
    ("2026-03 report", "during", "2026-03-01", "2026-04-01"),
    ("in 2024 we paid less", "during", "2024-01-01", "2025-01-01"),
    ("в 2024 году платили меньше", "during", "2024-01-01", "2025-01-01"),
    ("in the 1990s", "during", "1990-01-01", "2000-01-01"),
    ("Q3 2025", "during", "2025-07-01", "2025-10-01"),
    ("third quarter of 2025", "during", "2025-07-01", "2025-10-01"),
    ("третий квартал 2025 года", "during", "2025-07-01", "2025-10-01"),
    ("в I квартале 2026", "during", "2026-01-01", "2026-04-01"),
    ("autumn 2025", "during", "2025-09-01", "2025-12-01"),
    ("осенью 2025 года", "during", "2025-09-01", "2025-12-01"),
    ("winter 2025/26", "during", "2025-12-01", "2026-03-01"),
    ("early 2025", "during", "2025-01-01", "2025-05-01"),
    ("в первой половине 2025 года", "during", "2025-01-01", "2025-07-01"),
    ("since March 2025", "from", "2025-03-01", "2025-04-01"),
    ("с 1 марта 2026 года закрываем", "from", "2026-03-01", "2026-03-02"),
    ("начиная с марта 2025", "from", "2025-03-01", "2025-04-01"),
    ("before 2020", "before", "2020-01-01", "2021-01-01"),
    ("до 2020 года", "until", "2020-01-01", "2021-01-01"),
    ("until 5 May 2026", "until", "2026-05-05", "2026-05-06"),
    ("after 5 May 2026", "after", "2026-05-05", "2026-05-06"),
    ("as of 1986", "at", "1986-01-01", "1987-01-01"),
    ("по состоянию на 1 марта 2026", "at", "2026-03-01", "2026-03-02"),
    ("from 2019 to 2021", "during", "2019-01-01", "2022-01-01"),
    ("с 1 по 15 марта 2026", "during", "2026-03-01", "2026-03-16"),
    ("from 1 March 2026 until 1 June 2026", "during", "2026-03-01", "2026-06-01"),
    ("с 1 марта по 1 июня 2026 года", "during", "2026-03-01", "2026-06-02"),
    ("с 1 ноября по 1 февраля 2026", "during", "2025-11-01", "2026-02-02"),
    ("from 1 March until 1 June 2025", "during", "2025-03-01", "2025-06-01"),
    ("between March and May 2025", "during", "2025-03-01", "2025-06-01"),
    ("two weeks before 11 August 2023", "at", "2023-07-28", "2023-07-29"),
    ("the week before August 3, 2023", "during", "2023-07-27", "2023-08-03"),
    ("the Friday before 15 July 2023", "at", "2023-07-14", "2023-07-15"),
    ("за неделю до 1 марта 2026", "at", "2026-02-22", "2026-02-23"),
    ("on 0001-01-01", "at", "0001-01-01", "0001-01-02"),
    ("on 4 July 1776", "at", "1776-07-04", "1776-07-05"),
]

RELATIVE = [
    ("today", "at", "2026-03-10", "2026-03-11"),
    ("вчера вечером", "at", "2026-03-09", "2026-03-10"),
    ("tomorrow", "at", "2026-03-11", "2026-03-12"),
    ("послезавтра", "at", "2026-03-12", "2026-03-13"),
    ("last night", "at", "2026-03-09", "2026-03-10"),
    ("next week", "during", "2026-03-16", "2026-03-23"),
    ("на следующей неделе", "during", "2026-03-16", "2026-03-23"),
    ("last month", "during", "2026-02-01", "2026-03-01"),
    ("в позапрошлом году", "during", "2024-01-01", "2025-01-01"),
    ("last autumn", "during", "2025-09-01", "2025-12-01"),
    ("прошлой осенью", "during", "2025-09-01", "2025-12-01"),
    ("last winter", "during", "2025-12-01", "2026-03-01"),
    ("this spring", "during", "2026-03-01", "2026-06-01"),
    ("next spring", "during", "2027-03-01", "2027-06-01"),
    ("last year", "during", "2025-01-01", "2026-01-01"),
    ("в марте прошлого года", "during", "2025-03-01", "2025-04-01"),
    ("over the last year", "during", "2025-03-10", "2026-03-10"),
    ("за последний год", "during", "2025-03-10", "2026-03-10"),
    ("in the past three months", "during", "2025-12-10", "2026-03-10"),
    ("two weeks ago", "at", "2026-02-24", "2026-02-25"),
    ("3 дня назад", "at", "2026-03-07", "2026-03-08"),
    ("a month ago", "at", "2026-02-10", "2026-02-11"),
    ("год назад", "at", "2025-03-10", "2025-03-11"),
    ("полтора года назад", "at", "2024-09-10", "2024-09-11"),
    ("in 5 days", "at", "2026-03-15", "2026-03-16"),
    ("через неделю", "at", "2026-03-17", "2026-03-18"),
    ("next Tuesday", "at", "2026-03-17", "2026-03-18"),
    ("last Tuesday", "at", "2026-03-03", "2026-03-04"),
    ("the Wednesday two months ago", "at", "2026-01-07", "2026-01-08"),
    ("two summers ago", "during", "2024-06-01", "2024-09-01"),
    ("since March", "from", "2026-03-01", "2026-04-01"),
    ("с марта", "from", "2026-03-01", "2026-04-01"),
    ("until Friday", "until", "2026-03-13", "2026-03-14"),
    ("до конца года", "until", "2026-09-01", "2027-01-01"),
    ("after the 5th.", "after", "2026-03-05", "2026-03-06"),
    ("до 5-го числа", "until", "2026-03-05", "2026-03-06"),
]


@pytest.mark.parametrize(("text", "kind", "start", "end"), ABSOLUTE)
def test_a_full_date_needs_no_moment_of_speaking(text, kind, start, end):
    assert covered(text, against=None) == [(kind, start, end)]


@pytest.mark.parametrize(("text", "kind", "start", "end"), [*ABSOLUTE, *RELATIVE])
def test_a_date_is_read_against_the_moment_of_speaking(text, kind, start, end):
    assert covered(text) == [(kind, start, end)]


@pytest.mark.parametrize("text", [row[0] for row in RELATIVE])
def test_a_relative_date_is_left_out_without_a_moment_of_speaking(text):
    assert moments.find(text, against=None) == []


@pytest.mark.parametrize(
    "text",
    [
        "on 31 February 2026",
        "31.02.2026",
        "31 апреля прошлого года",
        "I may march on, as you may have heard",
        "We need 2000 units for 2000 RUB and 15 people",
        "Version 2.0.1 on 10.12.20.1 runs 24/7",
        "my pre-1920 American coins",
        "I wake up at 7:30 am",
        "every Tuesday and on Saturday mornings",
        "по вторникам и каждую субботу",
        "How do we ship in winter?",
        "season: summer",
        "How many hours do I work in a week?",
        "the Sunday mass",
        "the last winter games",
        "в окружающей среде",
        "the last name and the last time",
        "",
    ],
)
def test_what_only_looks_like_a_date_is_none(text):
    assert moments.find(text, against=ASKED) == []


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("I moved on 15 October.", "2025-10-15"),
        ("I will move on 15 October.", "2026-10-15"),
        ("Я переехал 15 октября.", "2025-10-15"),
        ("Мы переедем 15 октября, это будет четверг.", "2026-10-15"),
        ("We closed on Friday.", "2026-03-06"),
        ("We will close on Friday.", "2026-03-13"),
        ("What did we pay in spring?", "2026-03-01"),
        ("What will we pay in winter?", "2026-12-01"),
        ("What did we pay back in March?", "2025-03-01"),
        ("What did we pay in March?", "2026-03-01"),
        ("I was there before the 7/22 trip.", "2025-07-22"),
        ("С 1 марта закрываем отгрузки.", "2026-03-01"),
    ],
)
def test_a_missing_year_comes_from_the_tense(text, start):
    assert covered(text)[0][1] == start


def test_the_span_is_the_date_without_its_preposition():
    text = "С 1 марта 2026 года закрываем."
    moment = only(text)
    assert text[moment.span.start : moment.span.end] == moment.text == "1 марта 2026 года"
    assert moment.cue == "с"


def test_a_clock_time_beside_a_day_is_an_instant():
    moment = only("at 10:30 on 12 March 2026")
    assert (moment.start, moment.precision) == (
        datetime(2026, 3, 12, 10, 30, tzinfo=UTC),
        Precision.INSTANT,
    )
    assert only("завтра в 19:00").start == datetime(2026, 3, 11, 19, tzinfo=UTC)
    assert only("tomorrow at 7 pm").start == datetime(2026, 3, 11, 19, tzinfo=UTC)


def test_the_zone_is_that_of_the_speaker_or_of_the_text():
    moscow = timezone(timedelta(hours=3))
    assert only("tomorrow", ASKED.astimezone(moscow)).start.utcoffset() == timedelta(hours=3)
    told = only("2026-03-12T10:30:00+05:00", ASKED.astimezone(moscow))
    assert told.start.utcoffset() == timedelta(hours=5)
    assert only("12.03.2026", None).start.tzinfo is UTC


def test_an_interval_follows_the_preposition():
    day, following = datetime(2026, 5, 5, tzinfo=UTC), datetime(2026, 5, 6, tzinfo=UTC)
    assert only("from 5 May 2026").interval == (day, None)
    assert only("after 5 May 2026").interval == (following, None)
    assert only("until 5 May 2026").interval == (None, day)
    assert only("по 5 мая 2026 года").interval == (None, following)
    assert only("through 5 May 2026").interval == (None, following)
    assert only("until the end of May 2026").interval == (None, datetime(2026, 6, 1, tzinfo=UTC))
    assert only("on 5 May 2026").interval == (day, following)


def test_how_exactly_a_date_is_known_is_said():
    assert only("in 2024").precision is Precision.YEAR
    assert only("in March 2024").precision is Precision.MONTH
    assert only("5 May 2024").precision is Precision.DAY
    assert only("two years ago").precision is Precision.YEAR
    assert only("three days ago").slack == timedelta(0)
    assert only("two weeks ago").slack == timedelta(days=3)
    assert only("несколько дней назад").slack == timedelta(days=2)


def test_several_dates_come_in_order_and_do_not_overlap():
    found = moments.find("1 March 2025, then May 2025, then on Friday", against=ASKED)
    assert [moment.text for moment in found] == ["1 March 2025", "May 2025", "Friday"]


def test_the_31st_has_a_last_month_too():
    assert covered("last month", datetime(2026, 3, 31, tzinfo=UTC))[0][1] == "2026-02-01"
    assert covered("a month ago", datetime(2026, 3, 31, tzinfo=UTC))[0][1] == "2026-02-28"


def test_a_moment_of_speaking_without_a_zone_is_refused():
    with pytest.raises(ValueError, match="time zone"):
        moments.find("today", against=datetime(2026, 3, 10))  # noqa: DTZ001 - the fault itself


@pytest.mark.parametrize(
    "against",
    [
        None,
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, tzinfo=timezone(timedelta(hours=-12))),
        datetime(2024, 2, 29, tzinfo=timezone(timedelta(hours=14))),
    ],
)
def test_any_words_in_any_order_give_ordered_moments_and_no_error(against):
    chance = random.Random(11)
    pool = [
        *WORDS,
        *("2024", "9999", "0000", "0001", "5", "31", "32", "1st", "12.03.2026", "31.02.2026"),
        *("7/22", "10:30", "1990s", "Q3", "2025/26", ",", ".", "-", "\n"),
    ]
    for _ in range(1500):
        text = " ".join(chance.choice(pool) for _ in range(chance.randint(1, 9)))
        last = 0
        for moment in moments.find(text, against=against):
            assert moment.start <= moment.end, text
            assert moment.span.start >= last, text
            assert text[moment.span.start : moment.span.end] == moment.text
            last = moment.span.end


@pytest.mark.parametrize(
    "piece",
    ["from 1 March 2026 until ", "1-", "1 ", " ", "the end of the ", "1.1.", "12:30 ", "в конце "],
)
def test_reading_stays_linear_in_the_length(piece):
    text = (piece * 20_000)[:20_000]
    begun = time.perf_counter()
    moments.find(text, against=ASKED)
    assert time.perf_counter() - begun < 2.0

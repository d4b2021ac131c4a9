"""Questions to a store whose memories, or whose conversations, say how they are to be read."""

from __future__ import annotations

import pytest

from review.gate.numbers import Bar
from review.gate.reasons import LANGUAGES, sentence
from review.read_rules import Purpose
from tests.review.worlds import World, admitted, cell, verdict

NOW = "2026-03-10"
RUN = {"run": "r-1", "user": "irina"}
OTHER = {"run": "r-2", "user": "irina"}


@pytest.fixture
def world(irina) -> World:
    return World(irina)


def talk(*claims: str, scope=RUN, prefix="c"):
    """Turns of one conversation, a minute apart, named c0, c1, …"""
    return [
        cell(claim, f"{prefix}{n}", f"2026-03-09T10:{n:02}:00Z", scope=scope)
        for n, claim in enumerate(claims)
    ]


def only_bar(part, source_id: str) -> Bar:
    (bar,) = verdict(part, source_id).bars
    return bar


@pytest.mark.parametrize(
    ("open_", "closed", "question"),
    [
        ("The stall of the choir is by the gate", "[Restricted to the board] The choir stall goes",
         "What about the choir stall?"),
        ("Палатка хора стоит у ворот", "[Только для правления] Палатку хора уберут",
         "Что с палаткой хора?"),
    ],
)  # fmt: skip
def test_what_is_restricted_is_withheld_from_whom_it_does_not_name(world, open_, closed, question):
    world.remember([cell(open_, "open", "2026-03-01"), cell(closed, "closed", "2026-03-01")])
    part = world.ask(question, NOW)
    assert admitted(part) == {"open"}
    assert only_bar(part, "closed") is Bar.RESTRICTED
    world_of_board = world.ask(question, NOW, scope={"team": "board"})
    assert ("closed" in admitted(world_of_board)) is ("board" in closed)


def test_a_restriction_holds_for_every_purpose_and_for_questions_about_the_past(world):
    world.remember([cell("[Confidential] The choir sold the stall", "c", "2026-03-01")])
    for purpose in Purpose:
        part = world.ask("Who sold the choir stall?", NOW, purpose=purpose)
        assert admitted(part) == set()
    part = world.ask("How did the choir stall change over the last year?", NOW)
    assert admitted(part) == set()


@pytest.mark.parametrize(
    ("old", "question"),
    [
        ("[OBSOLETE] The choir meets in the red hall", "Where does the choir meet?"),
        ("[УСТАРЕЛО] Хор собирается в красном зале", "Где собирается хор?"),
    ],
)
def test_what_says_that_it_is_withdrawn_answers_nothing_about_the_present(world, old, question):
    world.remember([cell(old, "old", "2026-03-01")])
    part = world.ask(question, NOW)
    assert admitted(part) == set()
    assert Bar.WITHDRAWN in verdict(part, "old").bars


def test_a_scope_in_the_words_keeps_a_memory_to_questions_inside_it(world):
    world.remember([cell("[scope: Kazan shop] Deliveries come on Mondays", "k", "2026-03-01")])
    assert admitted(world.ask("When do deliveries come to the Kazan shop?", NOW)) == {"k"}
    part = world.ask("When do deliveries come?", NOW)
    assert only_bar(part, "k") is Bar.OTHER_SCOPE


@pytest.mark.parametrize(
    ("claims", "question", "ideas"),
    [
        (["A fair ticket costs 9 euros", "Let's play with prices, it is just exploratory",
          "A ticket for the fair at 4 euros sells out", "That's enough of that"],
         "What does a ticket for the fair cost?", "What prices of a fair ticket did we discuss?"),
        (["Билет на ярмарку стоит 900 рублей", "Давайте пофантазируем о ценах",
          "Билет на ярмарку по 400 рублей раскупят", "Ладно, хватит"],
         "Сколько стоит билет на ярмарку?", "Какие цены билета на ярмарку мы обсуждали?"),
    ],
)  # fmt: skip
def test_a_supposition_is_no_answer_about_what_is_so_but_one_about_ideas(
    world, claims, question, ideas
):
    world.remember(talk(*claims))
    part = world.ask(question, NOW, scope=RUN)
    assert "c0" in admitted(part)
    assert only_bar(part, "c2") is Bar.SUPPOSED
    assert "c2" in admitted(world.ask(ideas, NOW, scope=RUN))


def test_a_tentative_memory_stands_until_something_firm_is_said(world):
    world.remember([cell("The stall of the choir: by the gate (tentative)", "t", "2026-03-01")])
    assert admitted(world.ask("Where is the stall of the choir?", NOW)) == {"t"}
    world.remember([cell("The stall of the choir is at the well", "f", "2026-03-05")])
    assert admitted(world.ask("Where is the stall of the choir?", NOW)) == {"f"}


@pytest.mark.parametrize(
    ("claims", "question"),
    [
        (["So the choir trip costs 7,500 in all",
          "Our conclusion 'the choir trip costs 7,500' was based on wrong data."],
         "What does the choir trip cost?"),
        (["Значит, поездка хора стоит 7500 рублей",
          "Вывод «поездка хора стоит 7500 рублей» был ошибочным."],
         "Сколько стоит поездка хора?"),
    ],
)  # fmt: skip
def test_a_quoted_conclusion_that_was_taken_back_is_withheld_with_what_did_it(
    world, claims, question
):
    world.remember(talk(*claims))
    part = world.ask(question, NOW)
    assert admitted(part) == set()
    told = verdict(part, "c0").reasons[-1]
    assert told.told["by"] == world.items["c1"]
    assert all(world.items["c1"] in sentence(told, language) for language in LANGUAGES)


def test_words_of_one_conversation_take_nothing_back_in_another(world):
    world.remember(talk("So the choir trip costs 7,500 in all", prefix="a"))
    told = "Our conclusion 'the choir trip costs 7,500' was wrong."
    world.remember(talk("Hello", told, scope=OTHER, prefix="b"))
    assert "a0" in admitted(world.ask("What does the choir trip cost?", NOW))


def test_an_update_takes_the_place_of_what_it_updates(world):
    world.remember(
        talk(
            "The piano lesson with Marta is in the red room",
            "Marta likes the red piano",
            "Update: the piano lesson with Marta is by phone",
        )
    )
    part = world.ask("How do I get to the piano lesson with Marta?", NOW)
    assert admitted(part) == {"c1", "c2"}
    assert only_bar(part, "c0") is Bar.RENEWED


def test_what_waits_takes_nothing_back(world):
    world.remember(talk("So the choir trip costs 7,500 in all"))
    told = "Our conclusion 'the choir trip costs 7,500' was wrong."
    world.stage([cell(told, "w", "2026-03-09T11:00:00Z", scope=RUN)])
    assert "c0" in admitted(world.ask("What does the choir trip cost?", NOW))


@pytest.mark.parametrize(
    ("claim", "question", "old", "new"),
    [
        ("Chairs for the choir. The value was: forty chairs. The actual value is: sixty chairs.",
         "How many chairs does the choir have?", "forty", "sixty"),
        ("Стулья для хора. Было: сорок стульев. Стало: шестьдесят стульев.",
         "Сколько стульев у хора?", "сорок", "шестьдесят"),
    ],
)  # fmt: skip
def test_old_words_of_a_correction_are_masked_for_the_present_only(
    world, claim, question, old, new
):
    world.remember([cell(claim, "c", "2026-03-01")])
    text = world.ask(question, NOW).context.texts()
    assert new in text
    assert old not in text


def test_old_words_of_a_correction_are_told_to_a_question_about_changes(world):
    claim = "The choir's chairs. The value was: forty chairs. The actual value is: sixty chairs."
    world.remember([cell(claim, "c", "2026-03-01")])
    part = world.ask("How did the choir's chairs change over the last year?", NOW)
    assert "forty" in part.context.texts()


@pytest.mark.parametrize(
    ("claims", "question"),
    [
        (["Two leaks were found by the plumber", "The permit for the boat house waits for repairs",
          "Hold on, the bank is calling", "They want a new card", "Back to the permit"],
         "What blocks the permit for the boat house?"),
        (["Сантехник нашёл две течи", "Разрешение на лодочный дом ждёт ремонта",
          "Подожди, звонят из банка", "Просят заменить карту", "Вернёмся к разрешению"],
         "Что мешает получить разрешение на лодочный дом?"),
    ],
)  # fmt: skip
def test_in_a_short_conversation_what_stands_beside_an_answer_is_told_but_no_digression(
    world, claims, question
):
    world.remember(talk(*claims))
    assert {"c0", "c1"} <= admitted(world.ask(question, NOW, scope=RUN))
    assert "c3" not in admitted(world.ask(question, NOW, scope=RUN))
    assert "c0" not in admitted(world.ask(question, NOW))


def test_in_a_long_conversation_words_alone_decide(world):
    more = [f"Bird {n} sings at dawn" for n in range(12)]
    world.remember(talk("Two leaks were found", "The boat house permit waits", *more))
    part = world.ask("What blocks the boat house permit?", NOW, scope=RUN)
    assert "c0" not in admitted(part)


def test_the_same_words_in_two_conversations_are_found_in_each(world):
    claims = ("The choir meets in the red hall", "Marta has the key")
    world.remember([*talk(*claims), *talk(*claims, scope=OTHER, prefix="d")])
    for scope, name in ((RUN, "c0"), (OTHER, "d0")):
        assert name in admitted(world.ask("Where does the choir meet?", NOW, scope=scope))
    assert {"c0", "d0"} <= {
        one.source_id for one in world.ask("Where does the choir meet?", NOW).scored
    }


def test_an_entry_that_is_set_again_replaces_what_it_was(world):
    world.remember(
        [
            cell("fair_stall_terms: two tables, music allowed", "old", "2026-03-01", scope=RUN),
            cell("fair_stall_terms: the stall is given back", "new", "2026-03-02", scope=RUN),
            cell("fair_stall_terms: ten tables", "else", "2026-03-02", scope=OTHER),
        ]
    )
    part = world.ask("What are the terms of the fair stall?", NOW, scope=RUN)
    assert admitted(part) == {"new"}
    assert only_bar(part, "old") is Bar.SUPERSEDED


@pytest.mark.parametrize(
    ("old", "new", "question"),
    [
        ("The project status is on track.", "As of today, the project status is delayed.",
         "What is the project status?"),
    ],
)  # fmt: skip
def test_as_of_today_comes_after_what_was_said_this_morning(world, old, new, question):
    world.remember(
        [cell(old, "old", "2026-03-09T09:00:00Z"), cell(new, "new", "2026-03-09T15:00:00Z")]
    )
    assert admitted(world.ask(question, NOW)) == {"new"}


@pytest.mark.parametrize(
    ("claims", "question"),
    [
        (["We're going with Orion for the catering.", "I'll draw up the papers for Orion.",
          "Let's proceed with Vega for the catering."],
         "Which company are we using for the catering?"),
    ],
)  # fmt: skip
def test_what_leans_on_a_choice_falls_with_it(world, claims, question):
    world.remember(talk(*claims))
    part = world.ask(question, NOW, scope=RUN)
    assert admitted(part) == {"c2"}
    assert "c1" in admitted(world.ask("Who draws up the papers for Orion?", NOW, scope=RUN))


def test_a_choice_that_a_return_undoes_is_withheld(world):
    world.remember(
        talk(
            "The tent is the blue dome",
            "Let's try the red tunnel instead",
            "Actually, let's go back to the blue dome",
        )
    )
    part = world.ask("Which tent do we take, dome or tunnel?", NOW, scope=RUN)
    assert admitted(part) == {"c0", "c2"}
    assert only_bar(part, "c1") is Bar.RENEWED

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.review.facts.reading_facts import ALEX, PARSER, ended, facts, read


def talk(*texts):
    """The setting behind some sentences, said one after the other."""
    setting = ALEX
    for text in texts:
        setting = replace(setting, earlier=setting.earlier + facts(text, setting))
    return setting


@pytest.mark.parametrize(
    ("said", "correction", "fact", "gone"),
    [
        (
            "The project budget is $50,000.",
            "Make that $75,000.",
            ("project", "budget", "75000 USD"),
            "50000 USD",
        ),
        (
            "I prefer afternoon for now.",
            "Actually, let's switch to weekly syncs instead. That works better for me.",
            ("alex", "preference", "weekly sync"),
            "afternoon",
        ),
        (
            "We use React for the frontend.",
            "Actually, let's switch to Svelte instead",
            ("alex", "tool", "svelte"),
            "react",
        ),
        (
            "The meeting is on 16 March.",
            "No, 17 March",
            ("", "meeting_time", "2026-03-17"),
            "2026-03-16",
        ),
        ("Дедлайн 15 октября", "Точнее, 16 октября", ("", "deadline", "2026-10-16"), "2026-10-15"),
        (
            "Our database is Postgres",
            "Scratch that, MySQL",
            ("alex", "database", "mysql"),
            "postgres",
        ),
        (
            "The meeting is on January 15.",
            "No wait, change that to January 20.",
            ("", "meeting_time", "2026-01-20"),
            "2026-01-15",
        ),
    ],
)
def test_a_correction_takes_the_parameter_of_what_it_corrects(said, correction, fact, gone):
    setting = talk(said)
    assert read(correction, setting) == {fact}
    assert ended(correction, setting) == {(fact[1], gone)}


def test_the_word_that_stands_for_the_old_value_is_in_the_text():
    told = PARSER.claim("Make that $75,000.", talk("The project budget is $50,000."))
    assert told.refused == 0
    assert [(f.role, f.value) for f in told.facts] == [("states", "$75,000"), ("ends", "that")]


def test_a_correction_that_names_the_wrong_value_finds_the_fact_by_it():
    setting = talk("available budget: $200,000", "The deadline is 15 October")
    text = (
        "CORRECTION: new forecast. The value was: $200,000. The ACTUAL value is: $120,000 in total"
    )
    assert read(text, setting) == {("", "budget", "120000 USD")}
    assert ended(text, setting) == {("budget", "200000 USD")}


def test_the_latest_fact_that_takes_such_a_value_is_meant():
    setting = talk("The project budget is $50,000.", "The deadline is 15 October")
    assert read("Make that $75,000.", setting) == {("project", "budget", "75000 USD")}
    assert read("Make that 20 October", setting) == {("", "deadline", "2026-10-20")}


def test_the_thing_spoken_of_is_meant_when_nobody_says_whose():
    setting = talk("The project budget is $50,000.")
    assert read("The budget is now $60,000.", setting) == {("project", "budget", "60000 USD")}


@pytest.mark.parametrize(
    "text",
    [
        "Actually I went to the shop for 3 apples",
        "No, I did not",
        "Actually, should we make it $75,000?",
        "Maybe make that $75,000",
        "Нет, всё хорошо",
    ],
)
def test_small_talk_corrects_nothing(text):
    setting = talk("The project budget is $50,000.")
    assert not PARSER.claim(text, setting).facts


def test_without_anything_said_before_there_is_nothing_to_correct():
    assert not facts("Make that $75,000.")


def test_the_same_value_again_is_no_correction():
    assert not facts("Make that $50,000.", talk("The project budget is $50,000."))

"""Where sentences end, what a number stands for, and owners of more than one word."""

from __future__ import annotations

import pytest

from review.facts import moments
from tests.review.facts.reading_facts import PARSER, TEAM, facts, read


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        (
            "Plan 2: we rent a van for the whole of next summer and sell the old one in autumn.",
            "open:2 plan",
            "we rent a van for whole of next summer and sell old one in autumn",
        ),
        ("Вариант 3: мы арендуем зал.", "open:3 вариант", "мы арендовать зал"),
    ],
)
def test_what_a_number_stands_for_is_a_fact_as_long_as_its_sentence(text, key, value):
    assert ("", key, value) in read(text)


@pytest.mark.parametrize("text", ["Room 12 is free.", "At 10: we start.", "2026: we start."])
def test_a_number_that_labels_nothing_is_no_fact_of_a_label(text):
    assert not [fact for fact in facts(text) if fact.parameter_key.startswith("open:")]


def test_a_sentence_may_begin_with_a_small_letter():
    told = read(
        "Mira is associated with the sport of judo. judo was created in the country of Japan."
    )
    assert told == {("mira", "sport", "judo"), ("judo", "country_of_origin", "japan")}
    assert ("пекарня", "city", "тула") not in read("Открыли пекарню в Туле. пекли весь день.")


@pytest.mark.parametrize(
    "text",
    ["Mira lives in St. james road.", "The budget is approx. five dollars", "Оплата 5 тыс. руб."],
)
def test_an_abbreviation_ends_no_sentence(text):
    assert len(PARSER.question(text, TEAM).asked) <= 1


def test_the_owner_of_an_inner_name_may_have_a_name_of_several_words():
    text = "The name of the current head of the Duchy of Red Hills government is Ann Lee."
    assert read(text) == {("duchy of red hill", "head_of_government", "ann lee")}


@pytest.mark.parametrize(
    ("text", "subject", "value"),
    [
        (
            "For people who run, the correlation between sleep and mood is -0.02.",
            "sleep and mood | people who run",
            "-0.02",
        ),
        ("Корреляция между дождём и сном: 0,5.", "дождь и сон", "0.5"),
    ],
)
def test_a_correlation_is_of_two_things_under_a_condition(text, subject, value):
    assert read(text) == {(subject, "correlation", value)}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('Which town does the film "Run, Mira!" come from?', "run mira"),
        ("Из какой страны фильм «Беги, Мира!» родом?", "беги мира"),
    ],
)
def test_a_mark_inside_of_a_quoted_name_ends_no_sentence(text, names):
    task = PARSER.question(text, TEAM).task.lower()
    assert names in task
    assert len(task.split()) > 5


@pytest.mark.parametrize(
    ("text", "dated"),
    [
        ("Which sport is the 2009 Harvest Games associated with?", False),
        ("Which sport is that of the 2009 Six Lakes Run?", False),
        ("What was the budget of 2009?", True),
        ("Who won the cup in 2009?", True),
    ],
)
def test_a_year_inside_of_a_name_is_no_moment(text, dated):
    assert bool(moments.find(text, against=None)) is dated

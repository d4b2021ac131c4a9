"""Questions in other words: what is one question, and what only looks like it."""

from __future__ import annotations

import pytest

from review.question.rewording import reworded
from review.question.tasks import same_task
from review.trimming.fate import Fate, fate
from store.cells import Conclusion
from tests.review.facts.reading_facts import PARSER, TEAM, facts

CHAIN = "Mira is married to Karl. Karl is a citizen of Norway. The capital of Norway is Oslo."
SPORT = (
    "Mira plays the position of goalkeeper. goalkeeper is associated with the sport of handball."
)
RUSSIAN = "Муж Миры — Карл. Гражданство Карла: Норвегия. Столица Норвегии — Осло."


def concluded(claim, task, answer):
    return Conclusion(answer, task, facts(claim))


OSLO = concluded(
    CHAIN, "What is the capital of the country of citizenship of Mira's spouse?", "Oslo"
)
OSLO_RU = concluded(RUSSIAN, "Какая столица у страны гражданства мужа Миры?", "Осло")
HANDBALL = concluded(SPORT, "What is the sport of Mira's position?", "handball")


@pytest.mark.parametrize(
    ("conclusion", "task"),
    [
        (OSLO, "Which city is the capital of the country that Mira's husband is a citizen of?"),
        (OSLO, "What is the name of the capital in the home country of Mira's partner?"),
        (HANDBALL, "Which sport is Mira associated with?"),
        (OSLO_RU, "Назови столицу государства, гражданство которого имеет супруг Миры"),
    ],
)
def test_the_same_things_along_the_same_facts_are_the_same_question(conclusion, task):
    assert reworded(conclusion, task)


@pytest.mark.parametrize(
    ("conclusion", "task"),
    [
        (OSLO, "What is the capital of the country that Mira is a citizen of?"),
        (OSLO, "Which country is Mira's husband a citizen of?"),
        (OSLO, "Which city is the capital of the country that Anna's husband is a citizen of?"),
        (OSLO, "Which city was not the capital of the country of citizenship of Mira's spouse?"),
        (OSLO, "Who is the mayor of the capital of the country of citizenship of Mira's spouse?"),
        (OSLO, "When was the capital of the country of citizenship of Mira's spouse located?"),
        (OSLO, "What is the capital of the country?"),
        (HANDBALL, "Which country is Mira's sport from?"),
        (OSLO_RU, "Назови столицу государства Миры"),
        (OSLO_RU, "Назови мэра столицы страны гражданства мужа Миры"),
        (OSLO, ""),
    ],
)
def test_a_step_a_name_or_a_word_more_or_less_is_another_question(conclusion, task):
    assert not reworded(conclusion, task)


def test_an_answer_that_is_no_support_fact_is_only_the_answer_to_its_own_words():
    advice = concluded(CHAIN, "Where should Mira's spouse settle, in which capital?", "stay away")
    assert not reworded(advice, "In which capital should the partner of Mira settle?")


def test_a_past_answer_is_kept_in_other_words_and_dropped_when_a_step_changed():
    asked = "Which city is the capital of the country that Mira's husband is a citizen of?"
    same = PARSER.question(f"{CHAIN} {asked}", TEAM)
    other = PARSER.question(
        f"{CHAIN.replace('citizen of Norway', 'citizen of Latvia')} {asked}", TEAM
    )
    assert fate(OSLO, same.facts, same.task).fate is Fate.KEPT
    assert fate(OSLO, other.facts, other.task).fate is Fate.DROPPED


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("Who founded the bakery?", "Mira is a baker. Karl is a cook. Who founded the bakery?"),
        (
            "Is rain more likely than snow overall?",
            "The chance of rain is 5%. Is rain more likely than snow overall?",
        ),
        ("Mira is a baker. Who founded the bakery?", "Who founded the bakery last year?"),
        ("Кто основал пекарню?", "Мира — пекарь. Кто основал пекарню?"),
        ("Что вероятнее, дождь или снег?", "2) Что вероятнее, дождь или снег?"),
    ],
)
def test_the_task_of_a_question_is_read_as_a_conclusions_is(stored, asked):
    assert same_task(stored, PARSER.question(asked, TEAM).task)


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("Who founded the bakery?", "Karl founded the bakery. Who runs the bakery?"),
        ("Which carrier for the shoes?", "For the boots, which carrier?"),
        ("Кто основал пекарню?", "Карл основал пекарню. Кто ведёт пекарню?"),
    ],
)
def test_what_stands_before_the_question_does_not_make_it_another_ones(stored, asked):
    assert not same_task(stored, PARSER.question(asked, TEAM).task)

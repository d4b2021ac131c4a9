from __future__ import annotations

import pytest

from review.facts.protocol import Setting, ValueType
from store.cells import Cardinality
from tests.review.facts.reading_facts import ALEX, PARSER, TEAM, asked


def of_the_table(told: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """What is asked of the table, if anything is; a question of nobody is a note's key too."""
    known = {one for one in told if not one[1].startswith("open:")}
    return known or told


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        (
            "where and by which carrier do we ship the jackets next week?",
            {("jacket", "warehouse"), ("jacket", "carrier")},
        ),
        (
            "Куда и каким перевозчиком нам отправлять партию пуховиков на следующей неделе?",
            {("пуховик", "warehouse"), ("пуховик", "carrier")},
        ),
        ("and which warehouse was our main one last autumn?", {("", "warehouse")}),
        ("И напомни, какой склад был у нас основным прошлой осенью?", {("", "warehouse")}),
        ("which carrier did we use last autumn?", {("", "carrier")}),
        ("where do we ship next week?", {("", "warehouse")}),
        ("how did our main warehouse change over the last year?", {("", "warehouse")}),
        ("where do I live?", {("alex", "residence")}),
        ("what city did I live in last year, before the move?", {("alex", "residence")}),
        ("В каком городе я жил в прошлом году?", {("alex", "residence")}),
        ("Where does Anna work now?", {("anna", "employer")}),
        ("who is the head coach of River Rovers as of 1986", {("river rover", "head_coach")}),
        ("Кто главный тренер Сокола?", {("сокол", "head_coach")}),
        ("What's the project budget?", {("project", "budget")}),
        ("Какой у нас бюджет на маркетинг?", {("маркетинг", "budget")}),
        ("Which database do we use?", {("", "database")}),
        ("How many coins do I have?", {("alex", "count:coin")}),
        ("Where is the meeting being held?", {("meet", "location")}),
        ("When is the Globex demo?", {("globex", "meeting_time")}),
        ("What is the country of citizenship of Anna Lee?", {("anna lee", "citizenship")}),
        ("Which sport is Anna Lee associated with?", {("anna lee", "sport")}),
        ("Who is Anna Lee married to?", {("anna lee", "spouse")}),
        ("Who performed I Feel Fine?", {("i feel fine", "performer")}),
        ("What is the name of the current head of state in Peru?", {("peru", "head_of_state")}),
        ("who is the first president of Peru?", {("peru", "open:first president")}),
    ],
)
def test_a_question_asks_for_a_parameter_of_somebody(question, wanted):
    assert of_the_table(asked(question, ALEX)) == wanted


def test_both_questions_of_one_message_are_found():
    text = (
        "1) Куда и каким перевозчиком нам отправлять партию пуховиков на следующей неделе? "
        "2) И напомни, какой склад был у нас основным прошлой осенью?"
    )
    assert of_the_table(asked(text)) == {
        ("пуховик", "warehouse"),
        ("пуховик", "carrier"),
        ("", "warehouse"),
    }


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("when was the last time ohio lost as of 2019", "when was the last time ohio lost"),
        ("who is playing left wing now", "who is playing left wing in 2019"),
        ("когда последний раз играл Сокол", "Когда в последний раз играл Сокол?"),
    ],
)
def test_an_open_question_is_one_whenever_it_is_asked(one, other):
    assert asked(one) == asked(other)


def test_a_year_that_says_which_event_is_meant_stays_in_the_question():
    assert asked("who won the river cup in 1998") != asked("who won the river cup in 2007")


@pytest.mark.parametrize(
    ("question", "value_type", "cardinality"),
    [
        ("who won the river cup", ValueType.NAME, Cardinality.ONE),
        ("when did the river cup begin in spring", ValueType.DATE, Cardinality.ONE),
        ("how many goals are in the final", ValueType.NUMBER, Cardinality.ONE),
        ("who are the painters of the old bridge", ValueType.NAME, Cardinality.MANY),
        ("What are Anna's hobbies?", ValueType.TEXT, Cardinality.MANY),
        ("What's the project budget?", ValueType.MONEY, Cardinality.ONE),
    ],
)
def test_a_question_says_what_sort_of_answer_it_expects_and_how_many(
    question, value_type, cardinality
):
    one = PARSER.question(question, TEAM).asked[0]
    assert (one.value_type, one.cardinality) == (value_type, cardinality)


def test_a_name_that_is_only_mentioned_is_not_asked_for():
    (one,) = PARSER.question("when was the last time the mayor of Oslo sang", TEAM).asked
    assert one.parameter_key.startswith("open:")


def test_a_question_states_the_facts_it_is_asked_under():
    told = PARSER.question(
        "Coffee shop in Kazan, budget 100 000 RUB/month, audience 25–35, winter, delivery. "
        "Which campaigns should we run?",
        TEAM,
    )
    assert {(f.parameter_key, f.value_key) for f in told.facts} == {
        ("location", "kazan"),
        ("budget", "100000 RUB/month"),
        ("audience", "25-35"),
        ("season", "winter"),
        ("service_format", "delivery"),
    }
    assert {"coffee shop", "kazan"} <= set(told.entities)


def test_the_same_facts_in_russian_prose():
    told = PARSER.question(
        "Кофейня в Казани, бюджет 100 000 ₽/мес, аудитория 25–35, сезон — зима, "
        "формат — доставка. Какие кампании запускать?",
        TEAM,
    )
    assert {("season", "winter"), ("service_format", "delivery")} <= {
        (f.parameter_key, f.value_key) for f in told.facts
    }


def test_an_edit_told_before_the_question_is_a_fact_of_the_question():
    told = PARSER.question(
        "Anna Lee is a citizen of Peru. Who is the head of state of the country of citizenship of "
        "Anna Lee?",
        TEAM,
    )
    assert [(f.subject_key, f.parameter_key, f.value_key) for f in told.facts] == [
        ("anna lee", "citizenship", "peru")
    ]
    assert ("anna lee", "citizenship") in {(a.subject_key, a.parameter_key) for a in told.asked}


def test_the_links_of_a_chain_are_asked_for_of_whom_the_question_names():
    wanted = asked("Who is the spouse of the CEO of Acme?")
    assert ("acme", "ceo") in wanted
    assert ("", "spouse") not in wanted


def test_a_question_names_things():
    told = PARSER.question('Did Anna Lee like "Blue Sand" in Oslo last year?', TEAM)
    assert {"anna lee", "blue sand", "oslo"} <= set(told.entities)


def test_the_task_is_the_same_whenever_it_is_set():
    first = PARSER.question("Which channels should we choose?", TEAM).task
    again = PARSER.question("Which channels should we choose next week?", TEAM).task
    other = PARSER.question("How much should we spend?", TEAM).task
    assert first == again != other


def test_spans_of_what_is_asked_are_places_of_the_message():
    text = "Hello there. What's the project budget? And which database do we use now?"
    for one in PARSER.question(text, TEAM).asked:
        assert text[one.span.start : one.span.end] == one.words


def test_a_question_reads_the_same_without_knowing_when_it_is_asked():
    question = "where do we ship the jackets next week?"
    assert PARSER.question(question, Setting()).asked == PARSER.question(question, TEAM).asked


@pytest.mark.parametrize(
    "question", ["why did Anna sell the boat", "how do I bake bread", "как испечь хлеб"]
)
def test_reasons_and_ways_can_be_many(question):
    (one,) = PARSER.question(question, TEAM).asked
    assert one.cardinality is Cardinality.UNKNOWN


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What did we decide about the deadline?", {("", "deadline")}),
        ("Как зовут директора компании «Ромашка»?", {("ромашка", "director")}),
        ("На каком порту слушает сервер?", {("", "port")}),
        ("When is my meeting with Anna?", {("anna", "meeting_time")}),
        ("Сколько стоит билет?", {("билет", "price")}),
        ("кто сейчас отвечает за релиз?", {("релиз", "owner")}),
    ],
)
def test_a_parameter_is_asked_for_in_other_words(question, wanted):
    assert of_the_table(asked(question, ALEX)) == wanted

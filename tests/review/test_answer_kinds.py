"""What sort of answer a question expects, and whether there is one at a time."""

from __future__ import annotations

import pytest

from review.answer.kinds import AnswerSort, asked_kind


@pytest.mark.parametrize(
    ("question", "sort"),
    [
        ("How many bakeries have I tried in my street?", AnswerSort.COUNT),
        ("How many times have I met Alex?", AnswerSort.TIMES),
        ("How many hours have I spent on the model ship?", AnswerSort.DURATION),
        ("How much time do I spend on exercises each day?", AnswerSort.DURATION),
        ("How many days a week do I work from home?", AnswerSort.FREQUENCY),
        ("How much do I pay for parking?", AnswerSort.MONEY),
        ("How much weight have I lost?", AnswerSort.AMOUNT),
        ("What's the current hourly rate?", AnswerSort.MONEY),
        ("How often do I see my neighbour, Mr. Bell?", AnswerSort.FREQUENCY),
        ("What time does the bakery open?", AnswerSort.CLOCK),
        ("When is the launch?", AnswerSort.MOMENT),
        ("Where is the meeting being held?", AnswerSort.PLACE),
        ("Who is my manager?", AnswerSort.PERSON),
        ("Which painter are we using for the facade?", AnswerSort.NAMED),
        ("What is the status of the migration?", AnswerSort.STATED),
        ("What's Mia's phone number?", AnswerSort.STATED),
        ("Have I renewed my passport?", AnswerSort.YES_NO),
        ("Сколько книг я прочитал с начала года?", AnswerSort.COUNT),
        ("Сколько раз я был в Казани?", AnswerSort.TIMES),
        ("Сколько стоит аренда офиса?", AnswerSort.MONEY),
        ("Сколько я плачу за интернет?", AnswerSort.MONEY),
        ("Как долго я пользуюсь этим телефоном?", AnswerSort.DURATION),
        ("Как часто я хожу к психологу?", AnswerSort.FREQUENCY),
        ("Во сколько я встаю по субботам?", AnswerSort.CLOCK),
        ("Когда встреча с подрядчиком?", AnswerSort.MOMENT),
        ("Куда мы отгружаем куртки?", AnswerSort.PLACE),
        ("Кто мой руководитель?", AnswerSort.PERSON),
        ("Каким перевозчиком мы отправляем куртки?", AnswerSort.NAMED),
        ("Какой у нас бюджет проекта?", AnswerSort.MONEY),
        ("Дочитал ли я «Обломова»?", AnswerSort.YES_NO),
    ],
)
def test_the_words_of_a_question_say_the_sort_of_its_one_answer(question, sort):
    kind = asked_kind(question)
    assert kind is not None
    assert (kind.sort, kind.single) == (sort, True)


@pytest.mark.parametrize(
    "question",
    [
        "What did we discuss yesterday?",
        "What are my hobbies?",
        "Which books have I read?",
        "How long ago was Ann's birthday?",
        "How many weeks passed between the two trips?",
        "What motivates Ann to keep writing?",
        "Why was it done so?",
        "Tell me about the warehouse.",
        "Какие книги я читал?",
        "О чём мы говорили?",
        "Почему мы так решили?",
        "",
        "???",
    ],
)
def test_an_open_question_has_no_single_sort(question):
    assert asked_kind(question) is None


@pytest.mark.parametrize(
    "question",
    [
        "When did I go to the beach?",
        "Where did I buy the lamp?",
        "Where has Ann camped?",
        "Who did I meet at the conference?",
        "What instrument does Ann play?",
        "What is the name of my cat?",
        "How many goals did we score last Sunday?",
        "Когда я ездил в Сочи?",
        "Где мы отдыхали?",
        "Кого я встретил на выставке?",
    ],
)
def test_events_and_habits_have_an_answer_each_time(question):
    kind = asked_kind(question)
    assert kind is not None
    assert not kind.single


@pytest.mark.parametrize(
    "question",
    [
        "Where did I go on my most recent trip?",
        "What camera did I buy most recently?",
        "What tea am I currently drinking?",
        "Куда я ездил в последний раз?",
    ],
)
def test_the_latest_of_events_is_one(question):
    kind = asked_kind(question)
    assert kind is not None
    assert kind.latest
    assert kind.single


def test_last_week_does_not_ask_for_the_latest():
    kind = asked_kind("Where did I run last week?")
    assert kind is not None
    assert not kind.latest


def test_words_behind_since_weigh_less_than_what_is_asked():
    kind = asked_kind("How many stories have I written since I joined the workshop?")
    assert kind is not None
    workshop = asked_kind("How many stories have I written in the workshop?")
    assert workshop is not None
    assert kind.content["workshop"] < workshop.content["workshop"]


def test_only_the_sentence_that_asks_is_read():
    kind = asked_kind("I moved my desk yesterday. Where is the lamp? Thank you.")
    assert kind is not None
    assert "lamp" in kind.content
    assert "desk" not in kind.content

"""How much a claim is about a question: landmarks, word forms, and what a cell carries beside."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.facts.words import tokens
from review.text.relevance import Passage, day_in_words, likeness
from review.text.word_weights import RAREST, weight, wording

SENTENCES = [
    "The main warehouse for the jackets is Koledino.",
    "Основной склад курток — Коледино, лимит 400 тысяч рублей.",
    "Das Lager für die Jacken ist in Köln.",
    "ジャケットの倉庫は東京です。",
    "Το κεντρικό κατάστημα είναι στην Αθήνα.",
]


@pytest.fixture(scope="module", autouse=True)
def _word_tables_are_read():
    wording("tables of both languages are read once, таблицы читаются по разу")


@given(question=st.text(max_size=60), text=st.text(max_size=60))
def test_a_score_is_between_zero_and_one_for_any_two_texts(question, text):
    assert 0.0 <= likeness(question, text) <= 1.0


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_text_is_all_about_itself(sentence):
    assert likeness(sentence, sentence) == 1.0


@given(text=st.text(min_size=1, max_size=60))
def test_any_text_with_a_telling_word_scores_one_against_itself(text):
    assert likeness(text, text) == (1.0 if wording(text).weights else 0.0)


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("Where do we keep the jackets?", "Alice has two dogs."),
        ("Where is the warehouse?", "The weather is fine where we are."),
        ("Где мы храним куртки?", "У Алисы две собаки, и где-то есть кот."),
        ("", "anything at all"),
        ("anything at all", ""),
    ],
)
def test_nothing_shared_but_function_words_is_zero(question, claim):
    assert likeness(question, claim) == 0.0


@pytest.mark.parametrize(
    ("question", "claim"),
    [
        ("jackets", "jacket"),
        ("who led the team", "lead the team"),
        ("we are shipping", "ships"),
        ("two cities", "city two"),
        ("Alice's carriers", "Alice carrier"),
        ("куртки", "курток"),
        ("склад", "на складах"),
        ("перевозчиком", "перевозчики"),
        ("рынок", "на рынке"),
        ("материал ресторана", "материалы о ресторане"),
        ("люди", "человек"),
        ("список подарков", "подарок из списка"),
        ("ёлка", "елки"),
        ("в Электростали", "Электросталь"),
        ("400,000 RUB", "400 000 rub"),
        ("1,5", "1.5"),
        ("Cafe\u0301", "CAFÉ"),
        ("ware\u00adhouse", "warehouse"),
        ("ｗａｒｅｈｏｕｓｅ", "warehouse"),
    ],
)
def test_forms_of_a_word_match(question, claim):
    assert likeness(question, claim) >= 0.95


def test_the_very_words_come_before_other_forms_of_them():
    asked = "who is the highest paid actor"
    assert likeness(asked, "who is the highest paid actor: Anna") > likeness(
        asked, "who are the highest paid actors: Anna"
    )


def test_two_answers_to_the_same_question_score_alike():
    asked = "which carrier do we use for Koledino"
    first = likeness(asked, f"{asked}: Delovye Linii")
    second = likeness(asked, f"{asked}: Baikal Service")
    assert first == pytest.approx(second, abs=0.02)
    assert first > 0.95


def test_covering_half_of_what_is_asked_scores_about_half():
    assert likeness("Koledino Elektrostal", "Koledino") == pytest.approx(0.5, abs=0.03)


def test_a_rare_word_tells_more_than_a_common_one():
    asked = "people in Koledino"
    assert likeness(asked, "Koledino") > 2 * likeness(asked, "people")
    assert weight("the") < weight("peopl") < weight("2026") < weight("koledino") == RAREST


def test_a_common_word_of_many_asked_ones_is_near_the_floor():
    asked = "which carrier brings the winter jackets from Koledino to Elektrostal next week?"
    assert 0.02 < likeness(asked, "See you next Monday.") < 0.15


def test_a_long_claim_is_damped_but_not_lost():
    claim = "the main warehouse is Koledino"
    long = claim + " " + " ".join(f"zq{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(300))
    assert (
        0.3
        < likeness("main warehouse Koledino", long)
        < likeness("main warehouse Koledino", claim)
    )


def test_who_says_it_counts_more_than_who_is_mentioned():
    asked = "What bicycle did Alice buy in spring?"
    said = likeness(asked, Passage("It was the red bicycle, Boris.", about="Alice"))
    mentioned = likeness(asked, Passage("It was the red bicycle, Alice.", about="Boris"))
    assert said > mentioned > 0


def test_an_answer_is_found_by_the_question_before_it():
    asked = "What is the project budget?"
    answer = Passage("Make that $75,000.", before=("And the budget of the project?",))
    assert likeness(asked, "Make that $75,000.") == 0.0
    assert 0.4 < likeness(asked, answer) < likeness(asked, "The project budget is $75,000.")


def test_what_was_said_further_before_counts_less_and_no_further_than_two():
    asked = "budget"
    near, far, gone = (
        likeness(asked, Passage("Yes.", before=("So.",) * n + ("The budget?",))) for n in range(3)
    )
    assert near > far > gone == 0.0


def test_a_word_counts_once_by_its_strongest_place():
    claim = "The budget is settled."
    once = likeness("budget", claim)
    assert likeness("budget", Passage(claim, before=("budget", "budget"))) == once


def test_a_date_is_found_by_its_words_in_both_languages():
    told = Passage("We met Boris.", about=day_in_words(date(2023, 5, 8)))
    assert likeness("Whom did we meet on 8 May 2023?", told) > 0.9
    assert likeness("Борис 8 мая 2023 года", told) > 0.4


@pytest.mark.parametrize("sentence", SENTENCES[:3])
def test_words_are_those_of_the_tokens(sentence):
    assert set(wording(sentence).weights) <= {
        stem for token in tokens(sentence) for stem in wording(token.text).weights
    }


def test_a_year_before_a_number_stays_a_year():
    assert {"2023", "400"} <= set(wording("in 2023 400 people came").weights)
    assert "400000" in wording("400 000 people").weights

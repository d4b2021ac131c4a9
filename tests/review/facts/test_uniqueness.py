"""Wordings that give the only value of what can have many."""

from __future__ import annotations

import pytest

from review.facts.uniqueness import only
from store.cells import Cardinality
from tests.review.facts.reading_facts import facts


@pytest.mark.parametrize(
    ("before", "parameter"),
    [
        ("The genre of the song is ", "genre"),
        ("Mira's child is ", "child"),
        ("Her hobby was the ", "hobby"),
        ("Mira works in the field of ", "field"),
        ("Жанр песни — ", "жанр"),
        ("Хобби Миры — это ", "хобби"),
    ],
)
def test_a_definite_singular_gives_the_only_value(before, parameter):
    assert only(before, parameter)


@pytest.mark.parametrize(
    ("before", "parameter"),
    [
        ("One of her hobbies is ", "hobbies"),
        ("Her second child is ", "child"),
        ("Mira plays ", "plays"),
        ("Mira speaks the languages of ", "languages"),
        ("Хобби Миры: ", "хобби"),
        ("Дети Миры — ", "дети"),
        ("Одно из хобби Миры — ", "хобби"),
    ],
)
def test_one_among_several_is_not_the_only_value(before, parameter):
    assert not only(before, parameter)


@pytest.mark.parametrize(
    ("text", "cardinality"),
    [
        ("Mira's child is Peter.", Cardinality.UNKNOWN),
        ("One of Mira's hobbies is chess.", Cardinality.MANY),
        ("Ребёнок Миры — Пётр.", Cardinality.UNKNOWN),
        ("Дети Миры — Пётр и Павел.", Cardinality.MANY),
        ("Mira lives in Riga.", Cardinality.ONE),
    ],
)
def test_wording_decides_whether_many_values_are_possible(text, cardinality):
    assert {fact.cardinality for fact in facts(text)} == {cardinality}

"""Entries of a dictionary as facts."""

import pytest

from review.facts.grammar import GrammarParser
from review.facts.protocol import Setting
from store.cells import Cardinality

PARSER = GrammarParser()


def entries(text):
    told = PARSER.claim(text, Setting()).facts
    return [one for one in told if one.parameter_key.startswith("entry:")]


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("fair_stall_terms: two tables, no music", "entry:fair_stall_terms",
         "two tables, no music"),
        ("export.target = the green box by the door", "entry:export.target",
         "the green box by the door"),
        ("условия_ярмарки: два стола, без музыки", "entry:условия_ярмарки",
         "два стола, без музыки"),
    ],
)  # fmt: skip
def test_a_key_of_several_words_is_a_parameter_with_one_value(text, key, value):
    (one,) = entries(text)
    assert (one.parameter_key, one.value) == (key, value)
    assert one.cardinality is Cardinality.ONE
    assert one.value in text[one.span.start : one.span.end]


@pytest.mark.parametrize(
    "text",
    [
        "note: two tables, no music",
        "Anna: two tables, no music",
        "remark_3: two tables, no music",
        "fair_stall_terms: two tables\nno music",
        "project_budget: $40,000",
        "Анна: два стола, без музыки",
    ],
)
def test_names_numbered_notes_documents_and_known_parameters_are_no_entries(text):
    assert entries(text) == []


def test_a_hostile_key_is_read_at_once():
    assert entries("a_" * 5_000 + ":") == []

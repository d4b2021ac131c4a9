"""Quotes of a model against the text they are said to stand in: cut, moved, overlapping."""

from __future__ import annotations

import pytest

from review.facts import parameters
from review.facts.keying import Keys
from review.facts.protocol import Setting
from review.proposals import reading
from review.proposals.places import place
from review.proposals.shapes import ClaimTold
from tests.console.messages_stub import claim, fact

KEYS = Keys(parameters.load())


def found(text, quote, holding=""):
    span = place(text, quote, holding=holding)
    return None if span is None else (span.start, text[span.start : span.end])


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("The limit is 100 kg.", "limit is 10"),
        ("The limit is 100 kg.", "00 kg"),
        ("It weighs 1.5 kg.", "weighs 1"),
        ("It weighs 1.5 kg.", "5 kg"),
        ("It costs 1,500 a day.", "500 a day"),
        ("At night it is -5 degrees.", "5 degrees"),
        ("This is disallowed.", "allowed"),
        ("The warehouse is Elektrostal.", "warehouse is Elektrosta"),
        ("The warehouse is Elektrostal.", "he warehouse is"),
        ("Мы переехали в Электросталь.", "Электростал"),
        ("cafe\u0301 at noon", "cafe"),
        ("The limit is 100 kg.", "limit  is 100"),
        ("The limit is 100 kg.", "Limit is 100"),
        ("The limit is 100 kg.", ""),
        ("The limit is 100 kg.", "  "),
        ("The card is ████.", "card is ████"),
    ],
)
def test_a_quote_that_is_cut_or_changed_does_not_stand_in_the_text(text, quote):
    assert found(text, quote) is None


@pytest.mark.parametrize(
    ("text", "quote", "start"),
    [
        ("The limit is 100 today, the limit is 10 at night.", "limit is 10", 28),
        ("on 2026-03-10 at 5.", "2026-03-10", 3),
        ("on 2026-03-10 at 5.", "5", 17),
        ("pages 3-5 of it", "5", 8),
        ("10km from here", "10", 0),
        ("At night it is -5 degrees.", "-5 degrees", 15),
        ("don't ship", "ship", 6),
        ("我们住在东京都", "东京", 4),
        ("Ship 😀😀 to Koledino.", "Koledino", 11),
    ],
)
def test_a_quote_is_found_at_its_first_whole_place_in_characters(text, quote, start):
    assert found(text, quote) == (start, quote)


def test_a_value_has_to_stand_whole_in_its_quote():
    text = "The limit is 100 kg, at night 10 kg."
    assert found(text, "limit is 100 kg", "10") is None
    assert found(text, "limit is 100 kg, at night 10 kg", "10") is not None


def test_overlapping_quotes_give_each_fact_its_own_place_and_equal_ones_count_once():
    text = "😀 The main warehouse is Elektrostal and we ship on Tuesdays."
    told = ClaimTold.model_validate(
        claim(
            fact("main warehouse is Elektrostal", "Elektrostal", "warehouse"),
            fact("Elektrostal and we ship on Tuesdays", "Tuesdays", "shipping day"),
            fact("main warehouse is Elektrostal", "Elektrostal", "warehouse"),
            fact("main warehouse is Elektrosta", "Elektrosta", "warehouse"),
            fact("ship on Tuesdays", "Tuesday", "shipping day"),
            fact("ship on Tuesdays", "Tuesdays", "shipping day", subject="war"),
        )
    )
    read = reading.claim(text, told, Setting(), KEYS, "m")
    assert [(one.value, text[one.span.start : one.span.end]) for one in read.facts.facts] == [
        ("Elektrostal", "main warehouse is Elektrostal"),
        ("Tuesdays", "Elektrostal and we ship on Tuesdays"),
    ]
    assert read.dropped == 3


def test_a_conclusion_that_is_cut_is_dropped_with_its_support():
    text = "Never ship to Koledino. Answer: do not ship to Koledino."
    told = ClaimTold.model_validate(claim(conclusion="ship to Koledin", task="where to ship"))
    read = reading.claim(text, told, Setting(), KEYS, "m")
    assert (read.conclusion, read.dropped) == (None, 1)

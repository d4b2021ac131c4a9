"""What an amount is of: a unit, a currency or a counted noun; and amounts in two units."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from review.facts import units
from review.facts.counting import counted_noun
from review.facts.numbers import Token, amount, half_after
from review.facts.words import lemma


class Measure(NamedTuple):
    """The unit that ends before token ``end``; no name when there is none."""

    name: str = ""
    end: int = 0
    money: bool = False
    noun: bool = False
    """Whether it is a thing that is counted and not a unit of ours."""

    part: Decimal = Decimal(1)
    """Of the unit: a cent is a hundredth."""


def currency_before(tokens: list[Token], at: int) -> tuple[str, int]:
    """The currency at ``at`` when an amount in digits follows, and where the amount begins."""
    if at + 1 < len(tokens) and tokens[at + 1].kind == "num" and tokens[at].low in units.BEFORE:
        return units.currency_of(tokens[at].low), at + 1
    return "", at


def measure_at(tokens: list[Token], at: int, currency: str = "") -> Measure:
    """The unit that begins at token ``at``, right behind an amount.

    Args:
        tokens: All tokens of a text.
        at: The token behind the amount; may be past the last.
        currency: A currency that stands before the amount; it wins.
    """
    none = Measure(currency, at, money=True) if currency else Measure()
    after_digits = tokens[at - 1].kind == "num"
    if at < len(tokens) and tokens[at].raw == "-" and _joins(tokens, at):
        at, after_digits = at + 1, False
    if at >= len(tokens):
        return none
    low = tokens[at].low
    if len(low) == 1 and tokens[at].kind == "word" and not after_digits and not currency:
        return none
    following = tokens[at + 1].low if at + 1 < len(tokens) else ""
    named, money = units.pair_of(low, following) if following else ("", False)
    if named and not currency:
        return Measure(named, at + 2, money)
    found = units.currency_of(low)
    if found and currency in {"", found}:
        return Measure(found, at + 1, money=True)
    return none if currency else _measure(tokens, at)


def compound(tokens: list[Token], value: Decimal, unit: Measure) -> tuple[Decimal, Measure]:
    """The whole amount where more follows its unit: "and a half", "30 minutes", "50 копеек"."""
    added = half_after(tokens, unit.end)
    if added and not unit.money:
        return value + Decimal("0.5"), unit._replace(end=unit.end + added)
    at = unit.end
    if at < len(tokens) and tokens[at].low in {"and", "и", ",", "."}:
        at += 1
    more = amount(tokens, at) if at < len(tokens) and unit.name else None
    if more is None:
        return value, unit
    smaller = measure_at(tokens, more.end)
    if unit.money and smaller.money and smaller.name == unit.name and smaller.part != 1:
        return value + more.value * smaller.part, unit._replace(end=smaller.end)
    total = units.combined(value, unit.name, more.value, smaller.name)
    return (value, unit) if total is None else (total, smaller)


def _joins(tokens: list[Token], at: int) -> bool:
    """Whether the hyphen at ``at`` joins a number and a word: ``30-minute``."""
    return (
        at + 1 < len(tokens)
        and tokens[at - 1].end == tokens[at].start
        and tokens[at].end == tokens[at + 1].start
        and tokens[at + 1].kind == "word"
    )


def _measure(tokens: list[Token], at: int) -> Measure:
    """A unit, a part of a currency, or a thing that is counted."""
    low = tokens[at].low
    if tokens[at].kind == "mark" and low != "%":
        return Measure()
    name = units.unit_of(low)
    if name:
        return Measure(name, at + 1)
    code, part = units.PARTS.get(low) or units.PARTS.get(lemma(low), ("", Decimal(1)))
    if code:
        return Measure(code, at + 1, money=True, part=part)
    noun, end = counted_noun(tokens, at)
    if not noun:
        return Measure()
    unit = units.unit_of(tokens[end - 1].low)
    return Measure(unit or noun, end, noun=not unit)

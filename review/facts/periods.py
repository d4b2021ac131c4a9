"""How often, and per what: "a month", "per unit", "в неделю", "every two weeks", "twice a day"."""

from __future__ import annotations

from typing import Final

from review.facts import units
from review.facts.numbers import Token, amount, plain
from review.facts.tables import forms, word_set
from review.facts.words import lemma

ONCE: Final = {"once": 1, "twice": 2, "thrice": 3, "раз": 1, "дважды": 2, "трижды": 3}
EVERY: Final = word_set("every each каждый каждая каждое каждые каждую каждого каждой каждых")
_OTHER: Final = frozenset({"other", "second", "второй", "вторую"})
_PER_NOUNS: Final = forms("""
head:
user:
seat: место
ticket: билет
bottle: бутылка
share:
employee: сотрудник
customer: клиент
unit: item piece
order: заказ
parcel: посылка
copy: экземпляр
""")


def per(tokens: list[Token], at: int, *, money: bool) -> tuple[str, int]:
    """What a quantity that ends before ``at`` is told per.

    Args:
        tokens: All tokens of a text.
        at: The token after the quantity.
        money: Whether it is money, of which "a cup" or "each" tell the price of one.

    Returns:
        ``("month", end)``, ``("2 week", end)``, or ``("", at)`` when it is not told per anything.
    """
    low, following = _low(tokens, at), _low(tokens, at + 1)
    if low in units.RATES and low not in units.MEASURES:
        return units.RATES[low], at + 1
    if low == "apiece" or (low == "each" and money and not units.period_of(following)):
        return "unit", at + 1
    if low in {"a", "an"}:
        found = units.period_of(following) or (_noun(following) if money else "")
        return (found, at + 2) if found else ("", at)
    if low in EVERY:
        return _or_nothing(_span(tokens, at + 1), at)
    if low in {"/", "per", "в", "за", "на", "с", "in"}:
        told, end = _span(tokens, at + 1)
        if told and low not in {"на", "с", "in"} and (low != "за" or money):
            return told, end
        if low in {"/", "per"} or (low in {"за", "на", "с"} and money):
            noun = _noun(following)
            if not noun and low in {"/", "per"} and following.isalpha():
                noun = lemma(following)
            return (noun, at + 2) if noun else ("", at)
    return "", at


def rate(tokens: list[Token], at: int) -> tuple[str, int]:
    """A rate without an amount that begins at ``at``: "every week", "twice a month", "daily".

    Returns:
        ``("1/week", end)``, or ``("", at)``.
    """
    low = tokens[at].low
    if low in ONCE:
        told, end = per(tokens, at + 1, money=False)
        if not told and _low(tokens, at + 1) == "in":
            told, end = _span(tokens, at + 2)
        if told:
            return f"{ONCE[low]}/{told}", end
        return (f"{ONCE[low]} time", at + 1) if ONCE[low] > 1 else ("", at)
    if low in EVERY:
        told, end = _span(tokens, at + 1)
        return (f"1/{told}", end) if told else ("", at)
    if low in units.RATES and low not in units.MEASURES:
        return f"1/{units.RATES[low]}", at + 1
    if low == "через" and _low(tokens, at + 1) == "день":
        return "1/2 day", at + 2
    return "", at


def _low(tokens: list[Token], at: int) -> str:
    return tokens[at].low if at < len(tokens) else ""


def _or_nothing(found: tuple[str, int], at: int) -> tuple[str, int]:
    return found if found[0] else ("", at)


def _span(tokens: list[Token], at: int) -> tuple[str, int]:
    """A period with or without a number at ``at``: ``week``, ``2 week``."""
    if at >= len(tokens):
        return "", at
    if tokens[at].low in _OTHER and units.period_of(_low(tokens, at + 1)):
        return f"2 {units.period_of(tokens[at + 1].low)}", at + 2
    name = units.period_of(tokens[at].low)
    if name:
        return name, at + 1
    number = amount(tokens, at)
    name = units.period_of(_low(tokens, number.end)) if number else ""
    if number is None or not name:
        return "", at
    (value,), name = units.told((number.value,), name)
    return (name if value == 1 else f"{plain(value)} {name}"), number.end + 1


def _noun(low: str) -> str:
    if not low:
        return ""
    word = lemma(low)
    unit = units.unit_of(low)
    return _PER_NOUNS.get(word, "unit" if unit == "piece" else unit)

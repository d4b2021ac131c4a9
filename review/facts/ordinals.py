"""Ordinals in words and digits ("third", "3rd", "3-й"), and numbers that belong to a date."""

from __future__ import annotations

from typing import Final

from review.facts.numbers import Token
from review.facts.protocol import ValueType
from review.facts.reading import Reading
from review.facts.tables import word_set
from review.facts.words import is_cyrillic, lemma

_MONTHS: Final = word_set(
    "january february march april may june july august september october november december"
    " jan feb mar apr jun jul aug sep sept oct nov dec"
    " январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь"
)
_IN_ORDER: Final = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
    " thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
_IN_RUSSIAN_ORDER: Final = (
    "первый второй третий четвертый пятый шестой седьмой восьмой девятый десятый одиннадцатый"
    " двенадцатый тринадцатый четырнадцатый пятнадцатый шестнадцатый семнадцатый восемнадцатый"
    " девятнадцатый двадцатый"
)
_ENGLISH: Final = {word: number for number, word in enumerate(_IN_ORDER.split(), 1)} | {
    "thirtieth": 30,
    "fortieth": 40,
    "fiftieth": 50,
    "hundredth": 100,
}


def _russian() -> dict[str, int]:
    """Every form of the Russian ordinals: an adjective's endings behind their stems."""
    words = {word: number for number, word in enumerate(_IN_RUSSIAN_ORDER.split(), 1)}
    words |= {"тридцатый": 30, "сороковой": 40, "пятидесятый": 50, "сотый": 100}
    endings = "ый ой ая ое ую ые ого ому ым ом ых ыми".split()  # noqa: SIM905 - reads better
    forms = {word[:-2] + ending: number for word, number in words.items() for ending in endings}
    soft = "ий ья ье ью ьи ьего ьему ьим ьем ьей ьих ьими".split()  # noqa: SIM905
    return forms | {"трет" + ending: 3 for ending in soft}


_RUSSIAN: Final = _russian()
ORDINALS: Final = _ENGLISH | _RUSSIAN
"""Ordinals in words; Russian ones in all their forms."""

_SUFFIXES: Final = word_set("st nd rd th")
_RUSSIAN_SUFFIXES: Final = word_set("й го я е му м ый ой ий ая ое ю")
_DETERMINERS: Final = word_set("the my our your his her its their a this that")
_TURNS: Final = word_set("очередь взгляд раз time of half and is was")
"""What follows an ordinal in a turn of speech: "the first time", "в первую очередь"."""


def ordinal(tokens: list[Token], at: int, *, lone: bool = False) -> Reading | None:
    """The ordinal that begins at token ``at``, as ``ordinal 3``; key-less when it is a date's.

    An ordinal in words counts only before what it orders: "my third marathon", not "third, …";
    unless it is ``lone``, in a text that is nothing but a value.
    """
    token = tokens[at]
    if token.kind == "num":
        return _in_digits(tokens, at)
    number = ORDINALS.get(token.low)
    if number is None:
        return None
    if lone:
        return Reading(ValueType.NUMBER, f"ordinal {number}", at, at + 1)
    if at + 1 >= len(tokens):
        return None
    if in_date(tokens, at, at + 1):
        return Reading(ValueType.NUMBER, "", at, at + 1)
    if token.low in _ENGLISH and not (at and tokens[at - 1].low in _DETERMINERS):
        return None
    following = tokens[at + 1]
    if following.kind != "word" or following.low in _TURNS:
        return None
    return Reading(ValueType.NUMBER, f"ordinal {number}", at, at + 1)


def in_date(tokens: list[Token], start: int, end: int) -> bool:
    """Whether a month stands right before or behind tokens ``[start, end)``."""
    before = start - 1
    if before > 0 and tokens[before].low in {".", "the"}:
        before -= 1
    after = end
    if after < len(tokens) and tokens[after].low == "of":
        after += 1
    lows = [tokens[at].low for at in (before, after) if 0 <= at < len(tokens)]
    return any(_is_month(low) or low in {"числа", "число"} for low in lows)


def _in_digits(tokens: list[Token], at: int) -> Reading | None:
    end = at + 1
    if end >= len(tokens) or not tokens[at].raw.isdigit():
        return None
    hyphen = tokens[end].raw == "-" and end + 1 < len(tokens)
    end += hyphen
    allowed = _RUSSIAN_SUFFIXES if hyphen else _SUFFIXES
    if tokens[end].low not in allowed or tokens[end].start != tokens[at].end + hyphen:
        return None
    dated = in_date(tokens, at, end + 1)
    return Reading(
        ValueType.NUMBER, "" if dated else f"ordinal {int(tokens[at].raw)}", at, end + 1
    )


def _is_month(low: str) -> bool:
    return low in _MONTHS or (is_cyrillic(low) and lemma(low) in _MONTHS)

"""Values in words: what can be measured or counted in a text, and normal forms of values.

Normal forms, by example: ``37 coin``, ``25-35``, ``<=400000 RUB/month``, ``6 month``,
``2 hour/day``, ``2/month`` (how often), ``20 %``, ``07:30``, ``ordinal 3``, ``v2.3``, ``#260``.
Money is ``amount CODE``, whatever stood before or behind the amount. "About" is not part of a
value; "up to" and "at least" are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from review.facts import bounds, periods, units
from review.facts.clock_times import NOON, clock_time
from review.facts.identifiers import LABELS, identifier
from review.facts.numbers import DOZENS, ONE_AND_A_HALF, SCALE_STARTS, SMALL, Token, scan
from review.facts.ordinals import ORDINALS, in_date, ordinal
from review.facts.protocol import ValueType
from review.facts.quantities import ONE_PERIOD, quantity
from review.facts.reading import Reading
from review.facts.words import folded, lemma
from store.cells import Precision, Span

_NAME_WORD: Final = re.compile(r"[#@]?\w+(?:[.\-'’/&+_]\w+)*\+*")
_SHOWN: Final = {Precision.DAY: 10, Precision.MONTH: 7, Precision.YEAR: 4}
_WORD: Final = re.compile(r"\w+")
_DIGIT: Final = re.compile(r"\d")
_STARTS: Final = frozenset(
    {"half", "через", "минус", "minus"}.union(
        *(SMALL, DOZENS, SCALE_STARTS, ONE_AND_A_HALF, ORDINALS, ONE_PERIOD),
        *(units.HALVES, units.RATES, periods.ONCE, periods.EVERY, NOON),
    )
)
"""Words that a value may begin with, bounds and articles apart."""

_MAY_START: Final = _STARTS.union(units.BEFORE, LABELS, bounds.STARTS, "≥≤<>-−", {"a", "an"})
_HINTS: Final = _STARTS | frozenset(units.TIME)
"""A text without a digit and without one of these holds no value."""

_NEAR: Final = 200
_AGO: Final = frozenset({"ago", "назад"})
_FIRST: Final = re.compile(r"\s*\d+[.)]\s")


@dataclass(frozen=True, slots=True)
class Found:
    """One value in a text; ``text`` is the text's own characters at ``span``."""

    value_type: ValueType
    text: str
    span: Span
    key: str

    @property
    def amount(self) -> str:
        """The number without its unit, with bound and range: ``<=400000``, ``25-35``."""
        return self.key.partition(" ")[0].partition("/")[0]

    @property
    def unit(self) -> str:
        """The unit, currency or counted noun with its period: ``RUB/month``, ``coin``."""
        return self.key.partition(" ")[2]


def find(text: str) -> list[Found]:
    """The values in ``text``, in order, not overlapping.

    Numbers with what they count, money, durations, how often, shares, ranges, ordinals, clock
    times (of type DATE), and identifiers such as ``#260`` or ``port 22`` (of type NAME). Dates and
    years are left out, and so are ``two weeks ago``, list markers and numbers inside of words.
    """
    return list(_found(text, lone=False))


def key(text: str, value_type: ValueType) -> str:
    """The normal form of one value; equal forms are the same value.

    Args:
        text: The value as written, such as ``about 100k RUB a month``.
        value_type: What it is taken for. Names, enums and texts are compared by their words;
            the other types by what ``find`` reads in them, or by words when it reads nothing.

    Returns:
        The normal form; several quantities are joined by ``"; "``. Empty only for blank text.
    """
    if value_type in {ValueType.NAME, ValueType.ENUM, ValueType.TEXT}:
        return name_key(text)
    found = _found(text, lone=True)
    if value_type is ValueType.DATE:
        dates = _dates(text)
        if dates:
            return dates
        found = tuple(one for one in found if one.value_type is ValueType.DATE)
    return "; ".join(one.key for one in found) or name_key(text)


def name_key(text: str) -> str:
    """The normal form of a name: folded, without articles and quotes, each word its lemma.

    A text that is nothing but an identifier has the identifier's form, whatever its label's words.
    """
    if _DIGIT.search(text):
        tokens = scan(text)
        named = identifier(tokens, 0) if tokens else None
        if named is not None and named.end == len(tokens):
            return named.key
    found = [folded(word) for word in _NAME_WORD.findall(text)]
    kept = [
        word for at, word in enumerate(found) if word != "the" and (at or word not in {"a", "an"})
    ]
    return " ".join(map(lemma, kept or found)) or folded(text).strip()


def _dates(text: str) -> str:
    """The dates in ``text`` as far as they are told: ``2026-03-12``, ``2026-03``, ``2026``."""
    from review.facts import moments  # it reads numbers with this module's help

    return "; ".join(
        one.start.isoformat()[: _SHOWN.get(one.precision, 16)]
        for one in moments.find(text, against=None)
    )


@lru_cache(maxsize=1024)
def _found(text: str, *, lone: bool) -> tuple[Found, ...]:
    if not _DIGIT.search(text) and _HINTS.isdisjoint(_WORD.findall(folded(text))):
        return ()
    tokens = scan(text)
    found: list[Found] = []
    at = 0
    while at < len(tokens):
        told = _read(text, tokens, at, lone=lone)
        if told is None:
            at += 1
            continue
        at = told.end
        if told.key:
            span = Span(tokens[told.start].start, tokens[told.end - 1].end)
            found.append(Found(told.value_type, text[span.start : span.end], span, told.key))
    return tuple(found)


def _read(text: str, tokens: list[Token], at: int, *, lone: bool) -> Reading | None:
    """What begins at token ``at``; one without a key is to be passed over."""
    token = tokens[at]
    if token.kind in {"opaque", "dotted"} or (
        token.kind in {"word", "mark"} and token.low not in _MAY_START
    ):
        return None
    told = identifier(tokens, at) or clock_time(tokens, at) or ordinal(tokens, at, lone=lone)
    if told is not None:
        return told
    if token.kind == "num" and not lone:
        if in_date(tokens, at, at + 1):
            return Reading(ValueType.DATE, "", at, at + 1)
        if _is_marker(text, token):
            return None
    rate, end = periods.rate(tokens, at)
    if rate:
        return Reading(ValueType.DURATION, rate, at, end)
    told = quantity(tokens, at, lone=lone)
    if told is None or lone or told.end >= len(tokens):
        return told
    dated = tokens[told.end].low in _AGO or in_date(tokens, told.start, told.end)
    return told._replace(key="") if dated else told


def _is_marker(text: str, token: Token) -> bool:
    """Whether it numbers an item of a list: ``1.`` at the start of a line, ``2)`` anywhere."""
    if text[token.end : token.end + 1] not in {".", ")"}:
        return False
    near = max(0, token.start - _NEAR)
    line = text[text.rfind("\n", near, token.start) + 1 or near : token.start]
    if not line.strip(" \t*-"):
        return _FIRST.match(text, token.start) is not None
    opened = text.rfind("(", near, token.start) > text.rfind(")", near, token.start)
    return text[token.end] == ")" and not opened and text[token.start - 1] == " "

"""What a text names exactly: numbers, dates, names, identifiers, with their places.

Numbers and dates come from the readers of facts, so "24 hours" is "one day" and "15.03.2026" is
"March 15, 2026". An identifier is what no sentence is made of: ``--no-verify``, ``E1042``.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from review.clause_strength.cues import table
from review.duplicates.words import said
from review.facts import moments, values
from review.facts.calendar_words import WORDS
from review.facts.protocol import ValueType
from review.facts.words import folded, is_cyrillic, lemma, stem, tokens


class Sort(StrEnum):
    """What sort of value it is."""

    NUMBER = "number"
    DATE = "date"
    NAME = "name"
    IDENTIFIER = "identifier"


class Value(NamedTuple):
    """A value at ``[start, end)``; ``bound`` is the limit that it is, such as ``<=``."""

    sort: Sort
    key: str
    unit: str
    bound: str
    start: int
    end: int
    kind: str = ""
    """Of a date: what its preposition makes of it, such as ``until``."""


_ANY_DAY: Final = datetime(2000, 1, 1, tzinfo=UTC)
_IDENTIFIER: Final = re.compile(
    r"`[^`\n]{1,120}`|https?://\S+|(?<![\w-])--?[a-zA-Z][\w-]*(?==|\b)|#\d+\b"
    r"|(?<![\w./-])[\w.-]*/[\w./-]*\w|\b\w+_\w+\b|\b[A-Za-z]+\d[\w-]*\b|\b[A-Z]{2,}-\w+\b"
    r"|\b[\w-]+\.(?:py|md|json|ya?ml|toml|lock|txt|sh|js|ts|sql|csv|cfg|ini|go|rs)\b"
    r"|\bv\d+(?:\.\d+)*\b|\b\d+\.\d+\.\d+\b(?!\.\d)|\b[a-z]+[A-Z]\w*\b"
)
_WORDS_ONLY: Final = re.compile(r"[^\W\d_]+/[^\W\d_]+")
_BOUND: Final = re.compile(r"^([<>≤≥]=?)?(.*)$")
_UPPER: Final = re.compile(
    r"(?:within|up to|under|below|at most|at the latest|в течение|за|до|не более|не больше"
    r"|в пределах)\s*$",
    re.IGNORECASE,
)
_LOWER: Final = re.compile(
    r"(?:at least|no fewer than|no less than|minimum|не менее|не меньше|как минимум|хотя бы)\s+"
    r"(?:(?:once\s+)?every\s+|чем\s+)?$",
    re.IGNORECASE,
)
_UPPER_AFTER: Final = re.compile(
    r"\s*,?\s*(?:at (?:the )?most|at the latest|(?:as an? )?maximum|max\b|or (?:less|fewer)"
    r"|максимум|не более|не больше|или меньше|или менее)",
    re.IGNORECASE,
)
_LOWER_AFTER: Final = re.compile(
    r"\s*,?\s*(?:at (?:the )?least|(?:as an? )?minimum|min\b|or more|минимум|не менее|не меньше"
    r"|или больше|или более|и более)",
    re.IGNORECASE,
)
_ROUGH: Final = re.compile(
    r"(?:about|around|roughly|approximately|nearly|almost|some|ca\.?|около|примерно|порядка"
    r"|приблизительно|почти|где-то)(?:$|\s+)",
    re.IGNORECASE,
)
_MEASURES: Final = frozenset(
    {"%", "m", "km", "cm", "mm", "kg", "g", "t", "l", "ml", "kb", "mb", "gb"}
)
_DAY_PARTS: Final = (
    *("weekend", "weekends", "weekday", "weekdays", "spring", "summer"),
    *("autumn", "winter", "выходные", "будни", "весна", "лето", "осень", "зима"),
    *("весной", "летом", "осенью", "зимой"),
)
_NOW: Final = re.compile(
    r"\b(?:now|right now|currently|at the moment|for now|for the moment|at present|presently"
    r"|temporarily|these days|nowadays|сейчас|теперь|на данный момент|в данный момент"
    r"|в настоящее время|временно|на сегодня|ныне)\b",
    re.IGNORECASE,
)
_FAR: Final = 24


def find(text: str) -> list[Value]:
    """The values of ``text``, in order of their places, not overlapping."""
    dates = _dates(text)
    found = [Value(Sort.IDENTIFIER, _bare(m[0]), "", "", *m.span()) for m in _codes(text)]
    found = [code for code in found if code.key.strip("0123456789./-") or _free(dates, [code])]
    found += _free(found, dates)
    found += _free(found, _numbers(text))
    found += _free(found, _names(text))
    return sorted(found, key=lambda value: value.start)


def _codes(text: str) -> list[re.Match[str]]:
    return [m for m in _IDENTIFIER.finditer(text) if not _WORDS_ONLY.fullmatch(m[0])]


def _bare(written: str) -> str:
    return written.strip("`").rstrip(".,;:!?").casefold()


def _free(taken: list[Value], found: list[Value]) -> list[Value]:
    spans = sorted((value.start, value.end) for value in taken)
    return [
        value
        for value in found
        if not any(start < value.end and value.start < end for start, end in spans)
    ]


def _dates(text: str) -> list[Value]:
    found = []
    for one in moments.find(text, against=_ANY_DAY):
        key = f"{one.start.isoformat()}/{one.end.isoformat()}"
        kind = "by" if one.cue in ("by", "before", "к", "не позднее") else one.kind
        found.append(Value(Sort.DATE, key, "", "", one.span.start, one.span.end, kind))
    for word in tokens(text):
        low = folded(word.text)
        letter, number = WORDS.get(low, ("", ""))
        if not letter and low.endswith("s"):
            letter, number = WORDS.get(low[:-1], ("", ""))
        if not letter and is_cyrillic(low):
            letter, number = WORDS.get(lemma(low), ("", ""))
        if letter == "W":
            found.append(Value(Sort.DATE, f"day {number}", "", "", word.start, word.end))
        elif stem(low) in _day_parts():
            found.append(Value(Sort.DATE, _season(low), "", "", word.start, word.end))
    found += [Value(Sort.DATE, "now", "", "", *m.span(), "at") for m in _NOW.finditer(text)]
    apart: list[Value] = []
    for value in sorted(found, key=lambda v: (v.start, -v.end)):
        if value.key.startswith("day") or not apart or value.start >= apart[-1].end:
            apart.append(value)
    # "On Tuesday" is read as a date, "on Tuesdays" is not: the weekday stands for both.
    days = [v for v in apart if v.key.startswith("day ")]
    return days + [
        v
        for v in apart
        if not v.key.startswith("day ")
        and not any(d.start < v.end and v.start < d.end and v.end - v.start < _FAR for d in days)
    ]


@lru_cache(maxsize=1)
def _day_parts() -> frozenset[str]:
    """Not made when this is imported: the first stem loads the dictionaries, in 0.3 s."""
    return frozenset(map(stem, _DAY_PARTS))


def _season(low: str) -> str:
    letter, number = WORDS.get(low, ("", ""))
    return f"season {number}" if letter == "S" else stem(low)


def _numbers(text: str) -> list[Value]:
    found = []
    for one in values.find(text):
        if one.value_type is ValueType.NAME:
            found.append(Value(Sort.IDENTIFIER, one.key, "", "", one.span.start, one.span.end))
            continue
        number, _, unit = one.key.partition(" ")
        matched = _BOUND.match(number)
        bound, amount = (matched[1] or "", matched[2]) if matched else ("", number)
        if _ROUGH.search(text, max(0, one.span.start - _FAR), one.span.start) or _ROUGH.match(
            one.text
        ):
            bound = "~"
        if not bound and _LOWER.search(text, max(0, one.span.start - _FAR), one.span.start):
            bound = ">="
        if not bound and _UPPER.search(text, max(0, one.span.start - _FAR), one.span.start):
            bound = "<="
        if not bound and _LOWER_AFTER.match(text, one.span.end):
            bound = ">="
        if not bound and _UPPER_AFTER.match(text, one.span.end):
            bound = "<="
        told = unit if one.value_type is not ValueType.NUMBER or unit in _MEASURES else ""
        span = one.span
        found.append(Value(Sort.NUMBER, amount, told, bound, span.start, span.end))
    return found


def _names(text: str) -> list[Value]:
    stems = set(said(text).names)
    return [
        Value(Sort.NAME, _name(word.text), "", "", word.start, word.end)
        for word in tokens(text)
        if word.text[:1].isupper()
        and _name(word.text) in stems
        and folded(word.text) not in table().roles
    ]


def _name(word: str) -> str:
    low = folded(word).removesuffix("'s")
    return stem(lemma(low) if is_cyrillic(low) else low)

"""Phrases inside of a clause: cases that are counted, who speaks, and which words a cue takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from review.clause_strength.cues import Axis, Mark, is_number, table
from review.clause_strength.values import Sort, Value
from review.clause_strength.words import key
from review.facts.sentences import BLANK, COMMA, HARD, LINK, Reading
from review.facts.words import is_cyrillic, lemma

_NEAR: Final = 3
_LONG: Final = 6
_OF_WHOM: Final = frozenset(
    {"according to", "по словам", "со слов", "по данным", "по мнению", "судя по", "по сообщени*"}
    | {"по информации", "по сведениям", "как сообщает", "по наблюдени*", "by the word of"}
)


def counted(reading: Reading, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Where a number stands with a case that it counts, in words: "three customers"."""
    for at in range(first, last):
        if not is_number(reading.forms[at]):
            continue
        for end in range(at + 1, min(at + _NEAR, last)):
            if reading.gaps[end] != BLANK:
                break
            if is_case(reading.forms[end]):
                yield at, end + 1
                break


@lru_cache(maxsize=10_000)
def is_case(form: str) -> bool:
    """Whether a word in any form is something that can be counted as a case."""
    return lemma(form) in table().counted


@lru_cache(maxsize=10_000)
def is_time(form: str) -> bool:
    """Whether a word says that something is a case and not of what: "in one case"."""
    return lemma(form) in ("case", "time", "instance", "occasion", "случай", "раз")


def speakers(reading: Reading, own: Sequence[Mark], values: Sequence[Value]) -> Iterator[Value]:
    """Names that open a sentence before "said that"; elsewhere a capital there tells nothing."""
    for mark in own:
        at = mark.first - 1
        if mark.axis is not Axis.TOLD or "~" not in mark.words or at < 0:
            continue
        start, end = reading.starts[at], reading.ends[at]
        known = any(value.start < end and start < value.end for value in values)
        form = reading.forms[at]
        if known or not reading.capital(at) or is_cyrillic(form) or not key(form)[1]:
            continue
        if lemma(form) == form and form not in table().roles | table().actors:
            yield Value(Sort.NAME, key(reading.forms[at])[0], "", "", start, end)


def whose(reading: Reading, mark: Mark, first: int, last: int) -> range:
    """The words that say whose word it is: behind "according to", and before "said that"."""
    if mark.axis is not Axis.TOLD:
        return range(0)
    if "~" in mark.words or mark.words == "says":
        return range(first, mark.first)
    if mark.words not in _OF_WHOM:
        return range(0)
    end = mark.last
    while end < min(last, mark.last + _LONG) and reading.gaps[end] not in (COMMA, HARD, LINK):
        end += 1
    return range(mark.last, end) if end < last and reading.gaps[end] in (COMMA, HARD) else range(0)


def covered_by(mark: Mark) -> tuple[int, ...]:
    """The words that a cue takes; of one with an open middle only its ends."""
    if "~" in mark.words:
        return (mark.first, mark.last - 1)
    return tuple(range(mark.first, mark.last))

"""Tells premises from what follows from them: "A. B. So C." rests on A and B.

A claim that argues does not state its premises anew; it falls when one of them does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from store.cells import Fact, FactRole

_HENCE: Final = re.compile(
    r"(?:^|(?<=[.;!?\n])\s|(?<=[.;!?])\s{1,3})"
    r"(?:so|therefore|hence|thus|consequently|accordingly|this means|which means|as a result|"
    r"поэтому|значит|следовательно|итак|таким образом|стало быть|отсюда|выходит)\b",
    re.IGNORECASE,
)


def hence(text: str) -> int | None:
    """Where the conclusion of an argument begins, in characters; None if ``text`` argues nothing.

    Only a connective at the beginning of a sentence that has another before it counts.
    """
    last = None
    for found in _HENCE.finditer(text):
        if text[: found.start()].strip():
            last = found.start()
    return last


def with_premises(text: str, facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """The facts, those that stand before the conclusion as what the claim rests on."""
    told = tuple(facts)
    start = hence(text)
    if start is None:
        return told
    return tuple(
        replace(fact, role=FactRole.RESTS_ON)
        if fact.role is FactRole.STATES and fact.span.end <= start
        else fact
        for fact in told
    )

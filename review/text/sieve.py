"""Searches many texts at once, for what only a few of them hold.

A search of a short text costs more to start than to run. So texts are joined, each plain word is
searched once in all of them, and only the texts that hold one are looked at by themselves.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import AnyStr


def ends_of(parts: Sequence[str] | Sequence[bytes]) -> list[int]:
    """Where each part ends when the parts are joined by one character, that one counted in."""
    return list(accumulate(len(part) + 1 for part in parts))


def holders(joined: AnyStr, ends: Sequence[int], words: Iterable[AnyStr]) -> set[int]:
    """Which parts hold one of ``words``.

    Args:
        joined: The parts, joined by one character that is in none of ``words``.
        ends: What ``ends_of`` says of the parts.
        words: What to search for.
    """
    found: set[int] = set()
    for word in words:
        at = joined.find(word)
        while at >= 0:
            part = bisect_right(ends, at)
            found.add(part)
            at = joined.find(word, ends[part])
    return found

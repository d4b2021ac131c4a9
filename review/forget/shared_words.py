"""Finds contents that may share words in a row with what goes, before the database compares.

Every run of so many words is told by a number, so that a million texts are looked through as
arrays and not as lists of words. Runs of the same words have the same number; others seldom do,
and the database's own comparison sorts these out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

_BASE: Final = 0x9E3779B97F4A7C15
"""Odd, so that its powers have inverses modulo 2^64. Source of the rolling number: Karp and Rabin,
Efficient randomized pattern-matching algorithms, IBM Journal 31(2), 1987."""

_INVERSE: Final = pow(_BASE, -1, 1 << 64)
_SPREAD: Final = np.uint64(0xD6E8FEB86659FD93)
_BITS: Final = 24
"""Of the table that is asked first."""

_BATCH: Final = 1 << 18
"""Bytes of texts that are worked on at once; arrays of 8 bytes for each of them."""

_SPACE, _END = 0x20, 0x0A

_Numbers = NDArray[np.uint64]
_Places = NDArray[np.int64]


class SharedWords:
    """Runs of words that are looked for in other texts.

    A text is told as words of small letters with one space between, and nothing else.
    """

    def __init__(self, texts: Iterable[str], *, part: int, fewest: int) -> None:
        """Look for ``part`` words in a row of each text, or for the whole of a shorter one.

        Args:
            texts: What goes.
            part: Words in a row.
            fewest: A text of fewer words is not looked for.
        """
        by_length: dict[int, list[str]] = {}
        for text in texts:
            if (count := text.count(" ") + 1) >= fewest:
                by_length.setdefault(min(count, part), []).append(text)
        self._powers = _Powers()
        self._runs = {k: _Runs(k, some, self._powers) for k, some in sorted(by_length.items())}

    @property
    def lengths(self) -> tuple[int, ...]:
        """How many words in a row are looked for, ascending; empty if nothing is."""
        return tuple(self._runs)

    def likely(self, texts: Sequence[str]) -> list[int]:
        """Places of those of ``texts`` that may share a run: all that do, and hardly any other."""
        found = set[int]()
        for first, some in _batches(texts):
            told = _Told(some, self._powers)
            for k, runs in self._runs.items():
                numbers, rows = told.runs(k)
                found.update((first + np.unique(rows[runs.has(numbers)])).tolist())
        return sorted(found)


class _Runs:
    """The numbers of all runs of ``k`` words of some texts."""

    def __init__(self, k: int, texts: Sequence[str], powers: _Powers) -> None:
        numbers = [_Told(some, powers).runs(k)[0] for _, some in _batches(texts)]
        self._numbers = np.unique(np.concatenate(numbers))
        self._table = np.zeros(1 << _BITS, dtype=bool)
        self._table[_place(self._numbers)] = True

    def has(self, numbers: _Numbers) -> _Places:
        """Places of the numbers that are among these."""
        maybe = np.flatnonzero(self._table[_place(numbers)])
        at = np.searchsorted(self._numbers, numbers[maybe])
        same = self._numbers[np.minimum(at, len(self._numbers) - 1)] == numbers[maybe]
        found: _Places = maybe[same]
        return found


class _Told:
    """Some texts as numbers: of each byte, and of where each word begins and ends."""

    def __init__(self, texts: Sequence[str], powers: _Powers) -> None:
        data = np.frombuffer(("\n".join(texts) + "\n").encode("utf-8"), dtype=np.uint8)
        up, self._inverses = powers.first(len(data))
        told = np.zeros(len(data) + 1, dtype=np.uint64)
        np.cumsum(_VALUES[data] * up, out=told[1:])
        self._sums = told
        self._stops = np.flatnonzero((data == _SPACE) | (data == _END))
        self._starts = np.concatenate((np.zeros(1, dtype=np.int64), self._stops[:-1] + 1))
        ended = np.cumsum(data[self._stops] == _END)
        self._rows = np.concatenate((np.zeros(1, dtype=np.int64), ended[:-1]))

    def runs(self, k: int) -> tuple[_Numbers, _Places]:
        """The number of each run of ``k`` words, and the text that it stands in."""
        count = max(len(self._rows) - k + 1, 0)
        first = np.flatnonzero(self._rows[:count] == self._rows[k - 1 : k - 1 + count])
        start, stop = self._starts[first], self._stops[first + k - 1]
        told = (self._sums[stop] - self._sums[start]) * self._inverses[start]
        return told, self._rows[first]


_VALUES: Final = np.random.default_rng(8).integers(1, 1 << 63, 256, dtype=np.uint64)


class _Powers:
    """Powers of the base and of its inverse, as many as the longest text so far needs."""

    def __init__(self) -> None:
        self._told = [np.ones(1, dtype=np.uint64), np.ones(1, dtype=np.uint64)]

    def first(self, count: int) -> tuple[_Numbers, _Numbers]:
        """The first ``count`` of each, from the power 0 on."""
        if len(self._told[0]) < count:
            most = max(count, _BATCH + _BATCH // 8)
            self._told = [np.full(most, one, dtype=np.uint64) for one in (_BASE, _INVERSE)]
            for told in self._told:
                told[0] = 1
                np.multiply.accumulate(told, out=told)
        up, down = self._told
        return up[:count], down[:count]


def _place(numbers: _Numbers) -> _Places:
    spread = numbers * _SPREAD
    spread >>= np.uint64(64 - _BITS)
    return spread.view(np.int64)


def _batches(texts: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
    """Stretches of texts of about ``_BATCH`` bytes, with the place of the first."""
    first, size = 0, 0
    for n, text in enumerate(texts):
        size += len(text) + 1
        if size >= _BATCH:
            yield first, texts[first : n + 1]
            first, size = n + 1, 0
    if first < len(texts):
        yield first, texts[first:]

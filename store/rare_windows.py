"""Chooses the eight bytes of each needle by which it is looked for: see ``store.searching``.

A window costs as many comparisons as it stands in what is searched, times the needles that share
it. Both are counted in tables of a fixed size, and of much text only in part, so a count may be
wrong; it only decides what is quick.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

WINDOW: Final = 8
"""Bytes of a needle that are looked up; the shortest needle."""

_BITS: Final = (12, 22)
"""Of the tables of counts: at least and at most."""

_MIX: Final = np.uint64(0xD6E8FEB86659FD93)
"""Another odd factor than that of the search's own table, so that not both are unlucky at once."""

_PIECE: Final = 1 << 21
"""Bytes of needles that are looked at together."""

_WHOLE: Final = 32 << 20
"""Of needles of more bytes than this, together, not every window is a candidate."""

_PLACES: Final = 24
"""Bits for a window's offset in its needle: of a longer one the beginning is looked at."""

_DEAREST: Final = np.uint64((1 << 37) - 1)
_APART: Final = np.uint64((1 << 63) - 1)

Words = NDArray[np.uint64]
Places = NDArray[np.int64]


@dataclass(frozen=True)
class Chosen:
    """Windows of each needle. Shapes are ``(needles,)``; of ``keys`` it is ``(needles, run)``."""

    keys: Words
    """The bytes of windows that cost least, one behind the other, as little-endian numbers."""

    offsets: Places
    """Of the first of them."""

    second: Words
    """Of the cheapest window apart from it, or of some other one in a short needle."""

    second_offsets: Places


def chosen(needles: Sequence[bytes], like: bytes = b"", *, run: int = 1) -> Chosen:
    """Choose the windows of ``needles``, each of at least ``run`` + 7 bytes.

    Args:
        needles: What is looked for.
        like: Some of what will be searched.
        run: How many windows one behind the other.
    """
    told = Chosen(
        np.zeros((len(needles), run), dtype=np.uint64),
        np.zeros(len(needles), dtype=np.int64),
        np.zeros(len(needles), dtype=np.uint64),
        np.zeros(len(needles), dtype=np.int64),
    )
    size = sum(map(len, needles))
    step = 1 + size // _WHOLE
    bits = min(max((size // step + len(like)).bit_length() + 2, _BITS[0]), _BITS[1])
    counts = _Counts(np.zeros(1 << bits, dtype=np.uint32), np.zeros(1 << bits, dtype=np.uint32))
    for start, stop in _pieces(needles):
        counts.add_needles(_Windows(needles[start:stop], step, run).words)
    sample = windows_of(np.frombuffer(like, dtype=np.uint8))
    for start in range(0, len(sample), _PIECE):
        counts.add_text(np.array(sample[start : start + _PIECE]).view("<u8").ravel())
    for start, stop in _pieces(needles):
        _Windows(needles[start:stop], step, run).choose(counts, told, start)
    return told


def windows_of(data: NDArray[np.uint8]) -> NDArray[np.void]:
    """Every eight bytes of ``data`` in a row, without copying them. Shape ``(windows,)``."""
    count = max(len(data) - WINDOW + 1, 0)
    return np.ndarray((count,), dtype="V8", buffer=data, strides=(1,))


@dataclass(frozen=True)
class _Counts:
    """How often windows stand in the needles and in the text, in tables of one size."""

    shared: NDArray[np.uint32]
    common: NDArray[np.uint32]
    """Of windows that no needle has it stays 0: nobody asks."""

    def add_needles(self, words: Words) -> None:
        """Count the windows of some needles; all of them before any text."""
        np.add.at(self.shared, self._slots(words), np.uint32(1))

    def add_text(self, words: Words) -> None:
        """Count the windows of some text."""
        slots = self._slots(words)
        np.add.at(self.common, slots[self.shared[slots] > 0], np.uint32(1))

    def cost(self, words: Words) -> Words:
        """What it costs to look each of them up, at most ``_DEAREST``."""
        slots = self._slots(words)
        cost = self.shared[slots].astype(np.uint64)
        cost *= self.common[slots].astype(np.uint64) + np.uint64(1)
        return np.minimum(cost, _DEAREST)

    def _slots(self, words: Words) -> Places:
        with np.errstate(over="ignore"):
            mixed = words * _MIX
        mixed >>= np.uint64(65 - len(self.shared).bit_length())
        return mixed.view(np.int64)


class _Windows:
    """The candidates among the windows of some needles, needle after needle."""

    def __init__(self, needles: Sequence[bytes], step: int, run: int) -> None:
        whole = np.frombuffer(b"".join(needles), dtype=np.uint8)
        lengths = np.fromiter(map(len, needles), dtype=np.int64, count=len(needles))
        self._whole = windows_of(whole)
        self._starts = np.cumsum(lengths) - lengths
        self._last = lengths - WINDOW
        self._run = run
        self._counts = np.minimum(self._last - run + 1, (1 << _PLACES) - 1) // step + 1
        self._first = np.cumsum(self._counts) - self._counts
        within = np.arange(int(self._counts.sum())) - np.repeat(self._first, self._counts)
        self._offsets = within * step
        self._places = self._offsets + np.repeat(self._starts, self._counts)
        self.words = self._at(self._places)

    def choose(self, counts: _Counts, told: Chosen, start: int) -> None:
        """Put the choice for these needles into ``told``, from ``start`` on.

        A run costs what its first and its last window do: what makes both rare stands in all.
        """
        stop, spent = start + len(self._starts), counts.cost(self.words)
        if self._run > 1:
            spent = spent + counts.cost(self._at(self._places + self._run - 1))
        price = (spent << np.uint64(_PLACES)) | self._offsets.astype(np.uint64)
        best = self._cheapest(price)
        apart = np.abs(self._offsets - np.repeat(best, self._counts)) >= WINDOW
        price[~apart] = _APART
        other = np.minimum.reduceat(price, self._first)
        edge = np.where(best > 0, 0, self._last)
        second = np.where(other == _APART, edge, self._place(other))
        told.offsets[start:stop] = best
        for n in range(self._run):
            told.keys[start:stop, n] = self._at(self._starts + best + n)
        told.second_offsets[start:stop] = second
        told.second[start:stop] = self._at(self._starts + second)

    def _cheapest(self, price: Words) -> Places:
        return self._place(np.minimum.reduceat(price, self._first))

    @staticmethod
    def _place(price: Words) -> Places:
        return (price & np.uint64((1 << _PLACES) - 1)).astype(np.int64)

    def _at(self, places: Places) -> Words:
        return np.ascontiguousarray(self._whole[places]).view("<u8").ravel()


def _pieces(needles: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    """Stretches of the needles with about ``_PIECE`` bytes each."""
    start, size = 0, 0
    for n, needle in enumerate(needles):
        size += len(needle)
        if size >= _PIECE:
            yield start, n + 1
            start, size = n + 1, 0
    if start < len(needles):
        yield start, len(needles)

"""Finds many byte strings in a stream at once, in flat memory.

Of each needle two windows of eight bytes are chosen: the one that costs least to look up, being
rare among all needles and in a sample of what is searched, and the next one that does not overlap
it. A table says in one look-up whether eight bytes of the stream may be such a window; where they
are, the second window is compared, and only then the needle whole. The cost hardly grows with the
number of needles.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from store.rare_windows import WINDOW, Chosen, Places, Words, chosen, windows_of

__all__ = ["WINDOW", "Search"]

_BITS: Final = range(12, 25)
_SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)
"""Multiplied with, its upper bits depend on all bits of the other factor. Source: Knuth, The Art
of Computer Programming, volume 3, 6.4: multiplicative hashing by the golden ratio."""

_CHUNK: Final = 1 << 20
_MOST: Final = 1 << 19
"""Pairs of a place and a needle that are compared at once."""


class Search:
    """A search for the same needles in any number of streams."""

    def __init__(self, needles: Sequence[bytes], *, like: bytes = b"") -> None:
        """Prepare to find ``needles``, each of at least 8 bytes.

        Args:
            needles: What is looked for, each once.
            like: Some of what will be searched. It changes how long it takes, nothing else.

        Raises:
            ValueError: If one is shorter.
        """
        if any(len(needle) < WINDOW for needle in needles):
            msg = f"a needle has at least {WINDOW} bytes."
            raise ValueError(msg)
        self._needles = list(needles)
        self._of: Chosen = chosen(self._needles, like)
        self._order = np.argsort(self._of.keys, kind="stable")
        self._keys = self._of.keys[self._order]
        self._bits = min(max(len(self._keys).bit_length() + 4, _BITS[0]), _BITS[-1])
        self._table = np.zeros(1 << self._bits, dtype=bool)
        self._table[_place(self._keys, self._bits)] = True

    def __len__(self) -> int:
        """How many needles."""
        return len(self._needles)

    def in_bytes(self, data: bytes) -> Iterator[tuple[bytes, int]]:
        """(needle, where it stands) for every place of every needle in ``data``."""
        return self._in([data], lambda start, stop: data[start:stop])

    def in_file(self, handle: int, taken: Callable[[bytes], None]) -> Iterator[tuple[bytes, int]]:
        """The same for an open file; ``taken`` is given all of its bytes, in order.

        Raises:
            OSError: If it cannot be read.
        """

        def chunks() -> Iterator[bytes]:
            start = 0
            while chunk := os.pread(handle, _CHUNK, start):
                taken(chunk)
                yield chunk
                start += len(chunk)

        return self._in(chunks(), lambda start, stop: os.pread(handle, stop - start, start))

    def _in(
        self, chunks: Iterable[bytes], fetch: Callable[[int, int], bytes]
    ) -> Iterator[tuple[bytes, int]]:
        base, tail = 0, b""
        for chunk in chunks:
            data = tail + chunk
            for place, which in self._candidates(data):
                start = base + place - int(self._of.offsets[which])
                needle = self._needles[which]
                stop = start + len(needle)
                if base <= start and stop <= base + len(data):
                    found = data.startswith(needle, start - base)
                else:
                    found = start >= 0 and fetch(start, stop) == needle
                if found:
                    yield needle, start
            tail = data[-(WINDOW - 1) :] if len(data) >= WINDOW else data
            base += len(data) - len(tail)

    def _candidates(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Where a window of a needle stands in ``data``, and of which."""
        if not len(self._keys):
            return
        for shift in range(WINDOW):
            count = (len(data) - shift) // WINDOW
            if count <= 0:
                return
            words = np.frombuffer(data, dtype="<u8", count=count, offset=shift)
            maybe = np.flatnonzero(self._table[_place(words, self._bits)])
            found = words[maybe]
            first = np.searchsorted(self._keys, found, side="left")
            last = np.searchsorted(self._keys, found, side="right")
            at = np.flatnonzero(last > first)
            places = maybe[at] * WINDOW + shift
            yield from self._likely(data, places, first[at], last[at])

    def _likely(
        self,
        data: bytes,
        places: Places,
        first: Places,
        last: Places,
    ) -> Iterator[tuple[int, int]]:
        """Of the places of first windows those where the second one stands too, or may."""
        if not len(places):
            return
        counts = last - first
        ends = np.cumsum(counts)
        words = windows_of(np.frombuffer(data, dtype=np.uint8))
        for start in range(0, int(ends[-1]), _MOST):
            pairs = np.arange(start, min(start + _MOST, int(ends[-1])))
            row = np.searchsorted(ends, pairs, side="right")
            which = self._order[first[row] + pairs - (ends[row] - counts[row])]
            place = places[row]
            other = place - self._of.offsets[which] + self._of.second_offsets[which]
            inside = (other >= 0) & (other < len(words))
            fits = words.take(other, mode="clip").view("<u8").ravel() == self._of.second[which]
            likely = np.flatnonzero(fits | ~inside)
            yield from zip(place[likely].tolist(), which[likely].tolist(), strict=True)


def _place(words: Words, bits: int) -> Places:
    with np.errstate(over="ignore"):
        spread = words * _SPREAD
    spread >>= np.uint64(64 - bits)
    return spread.view(np.int64)

"""Finds many byte strings in a stream at once, in flat memory.

Of each needle one window of eight bytes is chosen, the rarest among all needles. A table says in
one look-up whether eight bytes of the stream may be such a window; only then is the needle
compared whole. Its cost hardly grows with the number of needles.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

WINDOW: Final = 8
"""Bytes of a needle that are looked up; the shortest needle."""

_BITS: Final = range(12, 25)
_SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)
"""Multiplied with, its upper bits depend on all bits of the other factor. Source: Knuth, The Art
of Computer Programming, volume 3, 6.4: multiplicative hashing by the golden ratio."""

_CHUNK: Final = 1 << 20
_CHOICES: Final = 16
"""Windows of one needle among which the rarest is chosen, at most."""

Words = NDArray[np.uint64]


class Search:
    """A search for the same needles in any number of streams."""

    def __init__(self, needles: Sequence[bytes]) -> None:
        """Prepare to find ``needles``, each of at least 8 bytes.

        Raises:
            ValueError: If one is shorter.
        """
        if any(len(needle) < WINDOW for needle in needles):
            msg = f"a needle has at least {WINDOW} bytes."
            raise ValueError(msg)
        self._needles = list(needles)
        keys, self._offsets = _chosen(self._needles)
        self._order = np.argsort(keys, kind="stable")
        self._keys = keys[self._order]
        self._bits = min(max(len(keys).bit_length() + 4, _BITS[0]), _BITS[-1])
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
                start = base + place - int(self._offsets[which])
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
            for at in np.flatnonzero(last > first):
                place = int(maybe[at]) * WINDOW + shift
                for which in self._order[first[at] : last[at]]:
                    yield place, int(which)


def _place(words: Words, bits: int) -> NDArray[np.int64]:
    with np.errstate(over="ignore"):
        spread = words * _SPREAD
    spread >>= np.uint64(64 - bits)
    return spread.view(np.int64)


def _chosen(needles: Sequence[bytes]) -> tuple[Words, NDArray[np.int64]]:
    """The window of each needle that the fewest windows of all needles equal, and its offset."""
    if not needles:
        return np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int64)
    whole = np.frombuffer(b"".join(needles), dtype=np.uint8)
    lengths = np.array([len(needle) for needle in needles], dtype=np.int64)
    last = lengths - WINDOW
    steps = np.maximum(1, -(-(last + 1) // _CHOICES))
    counts = last // steps + 1
    first = np.cumsum(counts) - counts  # of each needle's windows, among all of them
    within = np.arange(int(counts.sum())) - np.repeat(first, counts)
    offsets = within * np.repeat(steps, counts)
    starts = offsets + np.repeat(np.cumsum(lengths) - lengths, counts)
    rows = np.lib.stride_tricks.sliding_window_view(whole, WINDOW)[starts]
    words = np.ascontiguousarray(rows).view("<u8").ravel()
    _, inverse, shared = np.unique(words, return_inverse=True, return_counts=True)
    order = np.lexsort((shared[inverse], np.repeat(np.arange(len(needles)), counts)))
    best = order[first]
    return words[best], offsets[best]

"""Finds many byte strings in a stream at once, in flat memory.

Of each needle a run of four windows of eight bytes is chosen that costs little to look up, being
rare among all needles and in a sample of what is searched, and one more window apart from it. One
of the four stands at a place that is a multiple of four, so only those places of the stream are
looked up in a table. Where one is found, the window apart is compared, and only then the needle
whole. The cost hardly grows with the number of needles.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

import numpy as np

from store.rare_windows import WINDOW, Places, Words, chosen, windows_of

__all__ = ["WINDOW", "Search"]

_STRIDE: Final = 4
"""Distance of the places that are looked up; for needles of fewer than 11 bytes it is one."""

_TAIL: Final = WINDOW + _STRIDE - 2
"""Bytes of a chunk that are looked at again with the next one, so that no run falls between."""

_BITS: Final = range(12, 25)
_SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)
"""Multiplied with, its upper bits depend on all bits of the other factor. Source: Knuth, The Art
of Computer Programming, volume 3, 6.4: multiplicative hashing by the golden ratio."""

_OTHER: Final = np.uint64(0xC2B2AE3D27D4EB4F)
"""Another odd factor: few of the words that the first table lets through by chance pass both."""

_CHUNK: Final = 1 << 20
_MOST: Final = 1 << 19
"""Pairs of a place and a needle that are compared at once."""

_LARGE: Final = 32 << 20
"""Bytes from which on a file is searched on several cores."""

_AT_ONCE: Final = min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1, 4)
"""Threads of one search. Its work is on arrays, which lets other threads run."""

Fetch = Callable[[int, int], bytes]


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
        least = WINDOW + _STRIDE - 1
        parts = (
            (1, [needle for needle in needles if len(needle) < least]),
            (_STRIDE, [needle for needle in needles if len(needle) >= least]),
        )
        self._parts = [_Part(some, stride, like) for stride, some in parts if some]
        self._count = len(needles)

    def __len__(self) -> int:
        """How many needles."""
        return self._count

    def in_bytes(self, data: bytes) -> Iterator[tuple[bytes, int]]:
        """(needle, where it stands) for every place of every needle in ``data``."""
        return self.in_stream([data], lambda start, stop: data[start:stop])

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

        def fetch(start: int, stop: int) -> bytes:
            return os.pread(handle, stop - start, start)

        if _AT_ONCE < 2 or os.fstat(handle).st_size < _LARGE:
            yield from self.in_stream(chunks(), fetch)
            return
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            begun: deque[Future[list[tuple[bytes, int]]]] = deque()
            for piece in _pieces(chunks()):
                begun.append(pool.submit(lambda told: list(self._found(*told, fetch)), piece))
                if len(begun) > 2 * _AT_ONCE:
                    yield from begun.popleft().result()
            while begun:
                yield from begun.popleft().result()

    def in_stream(self, chunks: Iterable[bytes], fetch: Fetch) -> Iterator[tuple[bytes, int]]:
        """The same for bytes that come in pieces; ``fetch`` gives those between two places."""
        for piece in _pieces(chunks):
            yield from self._found(*piece, fetch)

    def _found(
        self, base: int, data: bytes, again: int, fetch: Fetch
    ) -> Iterator[tuple[bytes, int]]:
        """What begins in the part of ``data`` that was not looked at before.

        Args:
            base: Where ``data`` stands in the stream.
            data: Some of it.
            again: How many of its first bytes were looked at with the chunk before.
            fetch: Gives the bytes between two places of the stream.
        """
        for needle, place in self._candidates(data, again):
            start = base + place
            if place >= 0 and place + len(needle) <= len(data):
                found = data.startswith(needle, place)
            else:
                found = start >= 0 and fetch(start, start + len(needle)) == needle
            if found:
                yield needle, start

    def _candidates(self, data: bytes, again: int = 0) -> Iterator[tuple[bytes, int]]:
        """Needles of which two windows stand in ``data``, and where in it they would begin."""
        for part in self._parts:
            yield from part.candidates(data, again)


def _pieces(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes, int]]:
    """Where each piece stands, its bytes, and how many of the first were in the piece before."""
    base, data, again = 0, b"", 0
    for chunk in chunks:
        data += chunk
        if len(data) > _TAIL:
            yield base, data, again
            base += len(data) - _TAIL
            data, again = data[-_TAIL:], _TAIL
    if data and not again:
        yield 0, data, 0


class _Part:
    """Needles that are looked up at the same places."""

    def __init__(self, needles: list[bytes], stride: int, like: bytes) -> None:
        self._needles, self._stride = needles, stride
        self._of = chosen(needles, like, run=stride)
        keys = self._of.keys.ravel()
        self._order = np.argsort(keys, kind="stable")
        self._keys = keys[self._order]
        self._bits = min(max(len(keys).bit_length() + 3, _BITS[0]), _BITS[-1])
        self._table = np.zeros(1 << self._bits, dtype=bool)
        self._table[_place(self._keys, self._bits)] = True
        self._second = np.zeros(1 << self._bits, dtype=bool)
        self._second[_place(self._keys, self._bits, _OTHER)] = True

    def candidates(self, data: bytes, again: int) -> Iterator[tuple[bytes, int]]:
        """See ``Search``. A run is told with the one chunk that it stands in whole."""
        for shift in range(0, WINDOW, self._stride):
            count = (len(data) - shift) // WINDOW
            if count <= 0:
                return
            words = np.frombuffer(data, dtype="<u8", count=count, offset=shift)
            maybe = np.flatnonzero(self._table[_place(words, self._bits)])
            maybe = maybe[self._second[_place(words[maybe], self._bits, _OTHER)]]
            first = np.searchsorted(self._keys, words[maybe], side="left")
            hit = self._keys[np.minimum(first, len(self._keys) - 1)] == words[maybe]
            maybe, first = maybe[hit], first[hit]
            last = np.searchsorted(self._keys, words[maybe], side="right")
            yield from self._likely(data, maybe * WINDOW + shift, first, last, again)

    def _likely(
        self, data: bytes, places: Places, first: Places, last: Places, again: int
    ) -> Iterator[tuple[bytes, int]]:
        """Of the places of windows of runs those where the window apart stands too, or may."""
        if not len(places):
            return
        counts = last - first
        ends = np.cumsum(counts)
        words = windows_of(np.frombuffer(data, dtype=np.uint8))
        whole = WINDOW + self._stride - 1
        skipped = max(again - whole + 1, 0)
        for start in range(0, int(ends[-1]), _MOST):
            pairs = np.arange(start, min(start + _MOST, int(ends[-1])))
            row = np.searchsorted(ends, pairs, side="right")
            key = self._order[first[row] + pairs - (ends[row] - counts[row])]
            which, phase = key // self._stride, key % self._stride
            run = places[row] - phase
            begin = run - self._of.offsets[which]
            other = begin + self._of.second_offsets[which]
            inside = (other >= 0) & (other < len(words))
            fits = words.take(other, mode="clip").view("<u8").ravel() == self._of.second[which]
            here = (run >= skipped) & (run + whole <= len(data))
            for n in np.flatnonzero(here & (fits | ~inside)):
                yield self._needles[int(which[n])], int(begin[n])


def _place(words: Words, bits: int, factor: np.uint64 = _SPREAD) -> Places:
    with np.errstate(over="ignore"):
        spread = words * factor
    spread >>= np.uint64(64 - bits)
    return spread.view(np.int64)

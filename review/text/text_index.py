"""Finds the claims that share words with a question, and scores each: search and score in one.

Rows are numbered from zero in the order given. An index never changes; a longer one shares what
was built before. Which rows may be seen is for the caller to say: rows are not removed here.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from review.text.relevance import Passage, marks, score
from review.text.word_weights import Wording, wording

_JOIN_UP_TO: Final = 1 << 14
"""Segments are joined up to this many rows, so that adding a row never takes long."""

_REMEMBERED: Final = 64
"""Texts kept while building: a claim comes again soon as what was said before the next."""


@dataclass(frozen=True, slots=True)
class _Segment:
    terms: dict[str, int]
    starts: NDArray[np.int64]
    """Term ``i`` is in ``rows[starts[i]:starts[i + 1]]``, with the strengths beside them."""

    rows: NDArray[np.int32]
    strengths: NDArray[np.uint8]
    told: NDArray[np.int32]
    traces: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.told)


@dataclass(frozen=True, slots=True)
class TextIndex:
    """Claims by their words. :meth:`over` builds one, :meth:`extended` adds to it."""

    segments: tuple[_Segment, ...] = ()

    @classmethod
    def over(cls, passages: Sequence[Passage | str]) -> TextIndex:
        """An index in which row ``i`` is ``passages[i]``."""
        return cls((_segment(passages),)) if passages else cls()

    def __len__(self) -> int:
        """Number of rows."""
        return sum(map(len, self.segments))

    def extended(self, passages: Sequence[Passage | str]) -> TextIndex:
        """This index with ``passages`` as further rows after the present ones."""
        if not passages:
            return self
        segments = [*self.segments, _segment(passages)]
        while (
            len(segments) > 1
            and len(segments[-2]) <= 2 * len(segments[-1])
            and len(segments[-2]) + len(segments[-1]) <= _JOIN_UP_TO
        ):
            later = segments.pop()
            segments.append(_joined(segments.pop(), later))
        return TextIndex(tuple(segments))

    def similarity(self, question: str) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Every row that shares a telling word with ``question``, and its score.

        Args:
            question: Any text. One without a telling word finds nothing.

        Returns:
            Row numbers, ascending, and their scores in (0.0, 1.0], each as
            ``review.text.relevance.likeness`` gives it for that row alone.
        """
        asked = wording(question)
        rows: list[NDArray[np.int64]] = [np.empty(0, dtype=np.int64)]
        scores: list[NDArray[np.float64]] = [np.empty(0, dtype=np.float64)]
        before = 0
        for segment in self.segments if asked.weights else ():
            met = _met(segment, asked)
            hit = np.flatnonzero(met)
            rows.append(hit + before)
            scores.append(score(asked, met[hit], segment.told[hit], segment.traces[hit]))
            before += len(segment)
        return np.concatenate(rows), np.concatenate(scores)


def _met(segment: _Segment, asked: Wording) -> NDArray[np.int32]:
    met = np.zeros(len(segment), dtype=np.int32)
    for stem, worth in asked.weights.items():
        at = segment.terms.get(stem)
        if at is not None:
            here = slice(segment.starts[at], segment.starts[at + 1])
            met[segment.rows[here]] += segment.strengths[here] * np.int32(worth)
    return met


def _segment(passages: Iterable[Passage | str]) -> _Segment:
    terms: dict[str, int] = {}
    ids = array("i")
    strengths = bytearray()
    lengths: list[int] = []
    told: list[int] = []
    traces: list[int] = []
    read = lru_cache(maxsize=_REMEMBERED)(wording)
    for passage in passages:
        found = marks(passage, read)
        told.append(found.told)
        traces.append(found.traces)
        lengths.append(len(found.strengths))
        strengths.extend(found.strengths.values())
        ids.extend([terms.setdefault(stem, len(terms)) for stem in found.strengths])
    return _ordered(
        terms,
        np.array(ids, dtype=np.int32),
        np.repeat(np.arange(len(lengths), dtype=np.int32), lengths),
        np.frombuffer(bytes(strengths), dtype=np.uint8),
        np.array(told, dtype=np.int32),
        np.array(traces, dtype=np.uint64),
    )


def _joined(first: _Segment, second: _Segment) -> _Segment:
    terms = dict(first.terms)
    moved = np.array([terms.setdefault(stem, len(terms)) for stem in second.terms], dtype=np.int32)
    return _ordered(
        terms,
        np.concatenate((_ids(first), moved[_ids(second)])),
        np.concatenate((first.rows, second.rows + np.int32(len(first)))),
        np.concatenate((first.strengths, second.strengths)),
        np.concatenate((first.told, second.told)),
        np.concatenate((first.traces, second.traces)),
    )


def _ordered(
    terms: dict[str, int],
    ids: NDArray[np.int32],
    rows: NDArray[np.int32],
    strengths: NDArray[np.uint8],
    told: NDArray[np.int32],
    traces: NDArray[np.uint64],
) -> _Segment:
    """A segment of postings in any order of terms; ``ids`` says which term each is of."""
    starts = np.zeros(len(terms) + 1, dtype=np.int64)
    np.cumsum(np.bincount(ids, minlength=len(terms)), out=starts[1:])
    order = np.argsort(ids, kind="stable")
    return _Segment(terms, starts, rows[order], strengths[order], told, traces)


def _ids(segment: _Segment) -> NDArray[np.int32]:
    return np.repeat(np.arange(len(segment.terms), dtype=np.int32), np.diff(segment.starts))

"""Groups records that are alike into clusters, one decision each, with the odd ones beside them.

A cluster is made of records that may be one claim. Records that are as alike but differ in a
value, a date or the like stand beside it and are never chosen; where there are only such, the
cluster says so and holds nothing to link.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Final

import numpy as np

from review.duplicates import pairs as duplicate_pairs
from review.duplicates.likeness import Alike
from review.memory.columns import Bools, Columns, Ints
from review.memory.lifecycle import origins
from store.cells import SourceType

BESIDE: Final = 10
"""Odd ones that are shown beside one cluster at most."""

SERIES: Final = 20
"""More records than this that differ from each other are a series, not a question."""

MODEL_TEXT: Final = frozenset({SourceType.AGENT_SUMMARY, SourceType.MODEL_EXTRACTION})
"""What a model wrote: it may quote memory, so many of it are one voice."""

_BEST: Final = (
    SourceType.OWNER_ORDER,
    SourceType.SYSTEM_OF_RECORD,
    SourceType.DOCUMENT,
    SourceType.HUMAN_REVIEW,
    SourceType.USER_STATEMENT_CONFIRMED,
    SourceType.RAW_USER_PROMPT,
    SourceType.FOREIGN_MEMORY,
    SourceType.EXTERNAL_HTML,
    SourceType.UNVALIDATED_TOOL_OUTPUT,
    SourceType.AGENT_SUMMARY,
    SourceType.MODEL_EXTRACTION,
)
"""Provenance from best to worst, for choosing what to link to."""


class Method(StrEnum):
    """How a cluster was found: the weakest way that any of its records needed."""

    EXACT = "exact"
    NORMALISED = "normalised"
    SIMILAR = "similar"
    DIFFERS = "differs"
    """All of its records differ from each other; there is nothing to link."""


_METHODS: Final = tuple(Method)
Same = frozenset[str]
"""Two keys of records, unordered; one when both are alike."""


@dataclass(frozen=True, slots=True)
class Told:
    """What people said of pairs before."""

    linked: Collection[tuple[str, str]] = ()
    """Items with a standing link, and drafted ones."""

    looks: Collection[Same] = ()
    """Looks that were told different."""

    contents: Collection[Same] = ()
    """Contents of one look that were told different."""

    edited: Collection[tuple[str, str]] = ()
    """Items that a person made here, each with what it was made of: they are no look-alikes."""


@dataclass(frozen=True)
class Cluster:
    """Records for one decision. Rows are those of ``Alike``."""

    id: str
    method: Method
    rows: Ints
    """What may be one claim, the one to link to first."""

    odd: Ints
    """What is alike and differs."""

    voices: int
    """Independent sources among ``rows``."""

    model_text: int
    """How many of ``rows`` a model wrote."""

    @property
    def nothing_beforehand(self) -> bool:
        """Whether no record is chosen beforehand, because most of it is what a model wrote."""
        return self.method is Method.DIFFERS or 2 * self.model_text > len(self.rows)


@dataclass(frozen=True)
class Clusters:
    """All clusters, the largest first and those that only differ last."""

    found: tuple[Cluster, ...]
    series: int
    """Groups of more than 20 records that all differ, which are left out."""

    def counted(self) -> Mapping[Method, int]:
        """How many clusters there are by each way of finding them."""
        return {way: sum(one.method is way for one in self.found) for way in Method}


def clusters(alike: Alike, told: Told) -> Clusters:
    """The clusters that are still open."""
    if not len(alike):
        return Clusters((), 0)
    label = _labels(alike, told)
    joined = linked(alike, told)
    rank = _ranks(alike.cells, told)
    voice = origins(alike.cells)
    order = np.lexsort((rank, label))
    begin = np.flatnonzero(np.diff(label[order], prepend=-1))
    groups = np.split(order, begin[1:])
    opened = [rows for rows in groups if len(rows) > 1 and len(np.unique(joined[rows])) > 1]
    beside, apart, series = _odd(alike, told, label, {int(label[rows[0]]) for rows in opened})
    made = [_made(alike, rows, beside.get(int(label[rows[0]]), _NONE), voice) for rows in opened]
    made.sort(key=lambda one: (-len(one.rows), one.id))
    best = {int(label[rows[0]]): int(rows[0]) for rows in groups}
    differing = []
    for labels in apart:
        rows = np.array([best[one] for one in labels], dtype=np.int64)
        rows = rows[np.argsort(rank[rows], kind="stable")]
        differing.append(_made(alike, rows, _NONE, voice, method=Method.DIFFERS))
    differing.sort(key=lambda one: (-len(one.rows), one.id))
    return Clusters((*made, *differing), series)


_NONE: Final = np.empty(0, dtype=np.int64)


def _made(
    alike: Alike, rows: Ints, odd: Ints, voice: Ints, *, method: Method | None = None
) -> Cluster:
    items = alike.cells.text("item")
    named = sha256("\n".join(sorted(items[rows].tolist())).encode()).hexdigest()[:12]
    sources = alike.cells.text("source_type")[rows]
    if method is None:
        way = 0 if len(np.unique(alike.exact[rows])) == 1 else 1
        method = _METHODS[way if len(np.unique(alike.look[rows])) == 1 else 2]
    return Cluster(
        id=f"cl-{named}",
        method=method,
        rows=rows,
        odd=odd,
        voices=len(np.unique(voice[rows])),
        model_text=int(np.isin(sources, [str(one) for one in MODEL_TEXT]).sum()),
    )


def _ranks(cells: Columns, told: Told) -> Ints:
    """A number for each row: pointed at, durable, of the best source, old; in this order."""
    place = {str(source): n for n, source in enumerate(_BEST)}
    source = np.array([place.get(one, len(_BEST)) for one in cells.text("source_type")])
    targets = {target for _, target in told.linked}
    pointed = np.array([item in targets for item in cells.text("item")], dtype=bool)
    order = np.lexsort((np.arange(len(cells)), cells.written, source, ~cells.durable, ~pointed))
    rank = np.empty(len(cells), dtype=np.int64)
    rank[order] = np.arange(len(cells))
    return rank


def _labels(alike: Alike, told: Told) -> Ints:
    """For each row a number that it shares with all that may be one claim with it."""
    fits = ~alike.hard & ~_told_different(alike, told)
    label = duplicate_pairs.parts(len(alike.first), alike.one, alike.two, fits)[alike.node]
    apart = {key for pair in told.contents for key in pair}
    alone = np.array([key in apart for key in alike.marks.content], dtype=bool)
    for one, two in _edited(alike, told):
        alone[one] |= bool(alike.node[one] == alike.node[two])
    label[alone] = len(alike.first) + np.flatnonzero(alone)
    return label


def _told_different(alike: Alike, told: Told) -> Bools:
    """For each pair of nodes, whether a person said that they are different, or made one of it."""
    edits = {frozenset((int(alike.node[a]), int(alike.node[b]))) for a, b in _edited(alike, told)}
    if not told.looks and not edits:
        return np.zeros(len(alike.one), dtype=bool)
    looks, first = alike.marks.look, alike.first
    several = np.bincount(alike.node, minlength=len(first)) > 1
    asked = {key for pair in told.looks for key in pair}
    keys = [looks[row] if looks[row] in asked else "" for row in first.tolist()]

    def apart(a: int, b: int) -> bool:
        if keys[a] and keys[b] and frozenset((keys[a], keys[b])) in told.looks:
            return True
        # Copies of either from elsewhere were not made of each other: they stay a question.
        return frozenset((a, b)) in edits and not several[a] and not several[b]

    pairs = zip(alike.one.tolist(), alike.two.tolist(), strict=True)
    return np.array([apart(a, b) for a, b in pairs], dtype=bool)


def _edited(alike: Alike, told: Told) -> list[tuple[int, int]]:
    """Rows of what a person made here, each with the row it was made of."""
    row_of = alike.cells.row_of
    return [
        (row_of[one], row_of[two]) for one, two in told.edited if one in row_of and two in row_of
    ]


def linked(alike: Alike, told: Told) -> Ints:
    """For each row the smallest row that it is linked with, directly or through others."""
    row_of = alike.cells.row_of
    pairs = [
        (row_of[one], row_of[two]) for one, two in told.linked if one in row_of and two in row_of
    ]
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return duplicate_pairs.parts(len(alike), ends[:, 0], ends[:, 1])


def _odd(
    alike: Alike, told: Told, label: Ints, opened: set[int]
) -> tuple[dict[int, Ints], list[Ints], int]:
    """What stands beside each open cluster, groups that only differ, and how many are series."""
    near = alike.hard & ~_told_different(alike, told)
    one = label[alike.first[alike.one[near]]]
    two = label[alike.first[alike.two[near]]]
    row_one, row_two = alike.first[alike.one[near]], alike.first[alike.two[near]]
    away = one != two
    order = np.argsort(-alike.share[near][away], kind="stable")
    beside: dict[int, list[int]] = {}
    taken: set[int] = set()
    for a, b, at, bt in zip(
        *(x[away][order].tolist() for x in (one, two, row_one, row_two)), strict=True
    ):
        for mine, theirs, row in ((a, b, bt), (b, a, at)):
            held = beside.setdefault(mine, []) if mine in opened else None
            if held is not None:
                taken.add(theirs)
                if row not in held and len(held) < BESIDE:
                    held.append(row)
    alone = away & ~np.isin(one, list(opened)) & ~np.isin(two, list(opened))
    ends = np.stack([one[alone], two[alone]]).reshape(2, -1)
    names, place = np.unique(ends, return_inverse=True)
    place = place.reshape(2, -1)
    joined = duplicate_pairs.parts(len(names), place[0], place[1])
    order = np.argsort(joined, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(joined[order])) + 1) if len(names) else []
    apart = [names[group] for group in groups if 1 < len(group) <= SERIES]
    series = sum(len(group) > SERIES for group in groups)
    return {key: np.array(rows, dtype=np.int64) for key, rows in beside.items()}, apart, series

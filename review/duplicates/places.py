"""The records of one cluster, each beside the one that the others would be linked to."""

from __future__ import annotations

from dataclasses import dataclass

from review.duplicates.clusters import Cluster, Method, Told, linked
from review.duplicates.differences import Difference
from review.duplicates.likeness import Alike
from review.duplicates.pairs import common


@dataclass(frozen=True, slots=True)
class Place:
    """One record of a cluster against the kept one."""

    row: int
    item: str
    method: Method
    """How it is like the kept one."""

    share: float
    """Of their telling words, how much both have, by weight; in [0.0, 1.0]."""

    differences: tuple[Difference, ...]
    chosen: bool
    """Whether it is chosen beforehand."""

    linked: bool
    """Whether it is linked with the kept one already."""


def places(alike: Alike, cluster: Cluster, keep: int, told: Told) -> tuple[Place, ...]:
    """Every record of a cluster; the kept one first, then those that do not differ.

    Args:
        alike: What was found.
        cluster: One of its clusters.
        keep: The row that the others would be linked to.
        told: What people said before.
    """
    joined = linked(alike, told)
    rows = (*cluster.rows.tolist(), *cluster.odd.tolist())
    first, *rest = [
        _place(alike, cluster, keep, row, told, same=bool(joined[row] == joined[keep]))
        for row in (keep, *(row for row in rows if row != keep))
    ]
    rest.sort(key=lambda one: (one.linked, len(one.differences), -one.share, one.row))
    return (first, *rest)


def _place(
    alike: Alike, cluster: Cluster, keep: int, row: int, told: Told, *, same: bool
) -> Place:
    kept, said = alike.member(keep).said, alike.member(row).said
    differences = () if row == keep else alike.differences(keep, row)
    if row != keep and _told_different(alike, told, keep, row):
        differences = (*differences, Difference.TOLD)
    look = alike.look[keep] == alike.look[row]
    chosen = row != keep and not differences and not same and not cluster.nothing_beforehand
    return Place(
        row=row,
        item=str(alike.cells.text("item")[row]),
        method=_way(alike, keep, row),
        share=1.0 if look else common(kept.weights, said.weights),
        differences=differences,
        chosen=chosen,
        linked=row != keep and same,
    )


def _way(alike: Alike, keep: int, row: int) -> Method:
    if alike.exact[keep] == alike.exact[row]:
        return Method.EXACT
    return Method.NORMALISED if alike.look[keep] == alike.look[row] else Method.SIMILAR


def _told_different(alike: Alike, told: Told, one: int, two: int) -> bool:
    looks, contents = alike.marks.look, alike.marks.content
    if looks[one] != looks[two]:
        return frozenset((looks[one], looks[two])) in told.looks
    return frozenset((contents[one], contents[two])) in told.contents

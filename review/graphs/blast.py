"""What an act would change, before anybody signs it: the lives of cells beside what they would be.

The act is carried out on a copy of what stands, the lives are computed again, and the two are
held against each other. It is the same computation that counts afterwards, so nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from review import instants
from review.auditing.uses import Used
from review.memory.columns import Bools, Columns, Ints
from review.memory.lifecycle import Life
from store.link_standing import StandingLink
from store.links import LinkVerdict, SignedLink
from store.stages import Stage
from store.standing import Standing, Stands

Lived = tuple[Columns, Life]
"""Cells and their life."""


@dataclass(frozen=True, slots=True)
class Change:
    """A cell that would fare otherwise, and from when, in world time."""

    item: str
    since: str


@dataclass(frozen=True, slots=True)
class Blast:
    """Everything that an act would change. Each cell is in one of the lists."""

    superseded: tuple[Change, ...] = ()
    stale: tuple[Change, ...] = ()
    restored: tuple[Change, ...] = ()
    """Superseded so far, and not after it."""

    freed: tuple[Change, ...] = ()
    """Stale so far, and not after it."""

    used: Used = ()
    """Past answers that used one of these cells, or the one that is decided on: item and count."""

    @property
    def nothing(self) -> bool:
        """Whether no cell's life would change."""
        return not (self.superseded or self.stale or self.restored or self.freed)

    @property
    def items(self) -> tuple[str, ...]:
        """All cells whose life would change."""
        told = (*self.superseded, *self.stale, *self.restored, *self.freed)
        return tuple(one.item for one in told)


def with_links(standing: Standing, links: Sequence[SignedLink], *, by: str, at: str) -> Standing:
    """What would stand if ``links`` were signed by ``by`` at ``at``. Nothing is changed."""
    told = standing.copy()
    for link in links:
        told.links.pop(link.key, None)
        if link.verdict != LinkVerdict.RETRACTED:
            told.links[link.key] = StandingLink(link, by, at, "")
    return told


def with_stage(
    standing: Standing, end: tuple[str, int, str], stage: Stage, *, by: str, at: str
) -> Standing:
    """What would stand if one record had another stage.

    Args:
        standing: What stands.
        end: Item, revision and digest of the artifact.
        stage: Its stage after the act.
        by: Who would sign.
        at: When, RFC 3339.
    """
    told, (item, rev, artifact) = standing.copy(), end
    told.items[item] = Stands(rev, artifact, stage, by, at, "", 1)
    return told


def blast(before: Lived, after: Lived) -> Blast:
    """How the lives of cells differ. Cells that are in one of them alone are not told of."""
    items = before[0].text("item")
    place = np.array([after[0].row_of.get(item, -1) for item in items], dtype=np.int64)
    here = np.flatnonzero(place >= 0)
    place = place[here]
    was_over, is_over = _superseded(before)[here], _superseded(after)[place]
    was_stale, is_stale = _stale(before)[here], _stale(after)[place]
    gone_at, falls_at = before[1].superseded_at[here], before[1].falls.at[here]
    over_at, fallen_at = after[1].superseded_at[place], after[1].falls.at[place]

    def changes(rows: Bools, since: Ints) -> tuple[Change, ...]:
        told = np.flatnonzero(rows)
        told = told[np.argsort(since[told], kind="stable")]
        return tuple(Change(str(items[here[n]]), instants.day(int(since[n]))) for n in told)

    newly_over, newly_stale = is_over & ~was_over, is_stale & ~was_stale & ~is_over
    restored = was_over & ~is_over & ~is_stale
    freed = was_stale & ~is_stale & ~was_over & ~is_over
    return Blast(
        superseded=changes(newly_over, over_at),
        stale=changes(newly_stale, fallen_at),
        restored=changes(restored, gone_at),
        freed=changes(freed, falls_at),
    )


def _superseded(lived: Lived) -> Bools:
    return lived[1].superseded_at < instants.NEVER


def _stale(lived: Lived) -> Bools:
    return lived[1].falls.at < instants.NEVER

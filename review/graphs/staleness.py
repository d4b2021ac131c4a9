"""Stale cells as work: what each rests on, what became of that, and since when.

A cell leaves this list by a new cell that takes its place, by a signed retraction of the
dependency, or by its withdrawal. It never leaves it by age.

Source: the gate's specification, section 2 (dependency).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from review import instants
from review.memory import lineage
from review.memory.columns import Ints
from review.memory.conflicts import NOBODY_ROW
from review.memory.knowing import Known


class Fate(StrEnum):
    """What became of the thing that a stale cell rests on. A closed list."""

    SUPERSEDED = "superseded"
    ENDED = "ended"
    """Its own time is over."""

    STALE = "stale"
    """It rests on something that fell itself."""

    GONE = "gone"
    """It was withdrawn, rejected or erased."""

    CHANGED = "changed"
    """Another cell changed or ended the value that this one rests on."""


@dataclass(frozen=True, slots=True)
class Stale:
    """One stale cell. ``claim`` is foreign text."""

    item: str
    claim: str
    since: str
    """World time: a date or an instant."""

    rests_on: str
    """The item through which it fell: its premise, or the cell that changed the value."""

    fate: Fate
    path: tuple[str, ...]
    """Items from ``rests_on`` on, nearest first."""


def stale_rows(known: Known, at: int) -> Ints:
    """Durable cells that are stale at ``at`` and wait for somebody, the latest fall first.

    What is superseded or over is no work any more, whatever it rested on.
    """
    life, cells = known.life, known.cells
    open_ = cells.durable & (life.falls.at <= at) & (life.superseded_at > at) & (cells.end > at)
    rows = np.flatnonzero(open_)
    return rows[np.lexsort((rows, -life.falls.at[rows]))]


def told(known: Known, rows: Ints) -> tuple[Stale, ...]:
    """Stale cells with what they rest on."""
    cells, falls = known.cells, known.life.falls
    items, claims = cells.text("item"), cells.text("claim")
    found = []
    for row in rows.tolist():
        through = int(falls.through[row])
        path = tuple(str(items[one]) for one in lineage.path(falls, row))
        if through == NOBODY_ROW:
            path, fate = _gone(known, row), Fate.GONE
        else:
            fate = _fate(known, row, through)
        found.append(
            Stale(
                item=str(items[row]),
                claim=str(claims[row]),
                since=instants.day(int(falls.at[row])),
                rests_on=path[0] if path else "",
                fate=fate,
                path=path,
            )
        )
    return tuple(found)


def _gone(known: Known, row: int) -> tuple[str, ...]:
    """The premise that left the store's memory first."""
    cells = known.cells
    (places,) = np.nonzero(cells.gone == row)
    if not len(places):
        return ()
    first = places[int(cells.gone_at[places].argmin())]
    return (cells.gone_to[int(first)],)


def _fate(known: Known, row: int, through: int) -> Fate:
    links, life, at = known.life.links, known.life, int(known.life.falls.at[row])
    if not ((links.dependent == row) & (links.premise == through)).any():
        return Fate.CHANGED
    if life.superseded_at[through] <= at:
        return Fate.SUPERSEDED
    return Fate.STALE if life.falls.at[through] <= at else Fate.ENDED

"""What rests on what: premises that fall take their dependents with them, by a named path.

The cascade relaxes all links at once until nothing changes. A moment can only move towards the
earliest fall (or the latest beginning) among its premises, so it ends on cycles too.

Source: the gate's specification, section 2 (dependency).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from review import instants
from review.memory import denials
from review.memory.columns import NOBODY, Columns, Ints
from review.memory.conflicts import NOBODY_ROW, RESTS_ON, STATES, Closings


@dataclass(frozen=True)
class Premises:
    """Which cells hold only while others do. Shapes are ``(links,)``."""

    dependent: Ints
    premise: Ints
    """Rows of cells."""

    group: Ints
    """Links of one group stand for each other: the footing falls when all of them fell."""

    def __len__(self) -> int:
        return len(self.dependent)


@dataclass(frozen=True)
class Falls:
    """When each cell loses its footing, and through which other. Shapes are ``(cells,)``."""

    at: Ints
    """Instant; ``NEVER`` for a cell that rests on nothing that falls."""

    through: Ints
    """Row of the premise, or of the cell that changed a fact it rests on; -1 for none."""


def premises(cells: Columns, places: frozenset[str] = frozenset()) -> Premises:
    """Links from a cell to the cells it rests on: stated ones, and a value it is conditioned on.

    "For shipping to Koledino we use …" rests on the cells that say Koledino is the value of
    something; so does what is said of Koledino itself, where it is a place that goods are kept in.
    A cell does not rest on itself, nor on a cell of another scope.

    Args:
        cells: All cells.
        places: Parameters whose value is such a place; what is said of it holds while it is one.
    """
    stated = cells.edges.kind == "depends_on"
    dependent, premise = [cells.edges.source[stated]], [cells.edges.target[stated]]
    group = [np.arange(int(stated.sum()), dtype=np.int64)]
    pairs = pd.concat([_conditioned(cells), _placed(cells, places)])
    one, two = pairs["dependent"].to_numpy(np.int64), pairs["premise"].to_numpy(np.int64)
    value = pairs["value"].to_numpy(np.int64)
    fits = (one != two) & meeting(cells, one, two) & ~denials.groundless(cells, one, two, value)
    if fits.any():
        told_apart = one[fits] * (len(cells.names) + 1) + value[fits]
        dependent.append(one[fits])
        premise.append(two[fits])
        group.append(len(group[0]) + np.unique(told_apart, return_inverse=True)[1])
    return Premises(np.concatenate(dependent), np.concatenate(premise), np.concatenate(group))


def _conditioned(cells: Columns) -> pd.DataFrame:
    """Pairs of a cell that rests on a value and the cells that state it, of any subject."""
    facts = cells.facts
    (rests,) = np.nonzero(
        (facts.role == RESTS_ON) & (facts.value != NOBODY) & (facts.subject == NOBODY)
    )
    return _pairs(cells, rests, facts.value[rests], facts.parameter[rests])


def _placed(cells: Columns, places: frozenset[str]) -> pd.DataFrame:
    """Pairs of a cell about a place and the cells that say it is one."""
    facts = cells.facts
    numbers = [cells.parameters[name] for name in sorted(places) if name in cells.parameters]
    told = [_EMPTY]
    for number in numbers:
        known = np.unique(facts.value[(facts.role == STATES) & (facts.parameter == number)])
        about = np.isin(facts.subject, known[known != NOBODY]) & (facts.role == STATES)
        (rows,) = np.nonzero(about)
        told.append(_pairs(cells, rows, facts.subject[rows], np.full(len(rows), number)))
    return pd.concat(told)


_EMPTY = pd.DataFrame({"dependent": [], "premise": [], "value": []}, dtype="int64")


def _pairs(cells: Columns, rows: Ints, value: Ints, parameter: Ints) -> pd.DataFrame:
    """Cells of the facts ``rows`` beside the cells that state ``value`` of ``parameter``."""
    if not len(rows):
        return _EMPTY
    facts = cells.facts
    stating = np.isin(facts.value, value) & (facts.role == STATES)
    left = pd.DataFrame(
        {"value": value, "wanted": parameter, "dependent": facts.cell[rows]}
    ).drop_duplicates()
    right = pd.DataFrame(
        {
            "value": facts.value[stating],
            "parameter": facts.parameter[stating],
            "premise": facts.cell[stating],
        }
    ).drop_duplicates()
    pairs = left.merge(right, on="value")
    fits = (pairs["wanted"] == NOBODY) | (pairs["wanted"] == pairs["parameter"])
    return pairs.loc[fits, ["dependent", "premise", "value"]]


def falls(cells: Columns, links: Premises, ended: Ints, told: Closings) -> Falls:
    """When the footing of each cell falls.

    Args:
        cells: All cells.
        links: What rests on what.
        ended: When each cell itself is superseded; shape ``(cells,)``.
        told: Closings of facts: a cell that rests on a parameter's value falls when another cell
            changes it.

    Returns:
        For every cell the earliest fall among its premises, however many steps away.
    """
    at, through = _own_falls(cells, told)
    np.minimum.at(at, cells.gone, cells.gone_at)
    over = np.empty(0, dtype=np.int64)
    while len(links):
        # A premise is over when it is superseded, when its own footing fell, or when it ended.
        each = np.minimum(np.minimum(ended, at), cells.end)[links.premise]
        whole = np.full(int(links.group.max()) + 1, instants.ALWAYS, dtype=np.int64)
        np.maximum.at(whole, links.group, each)
        over = np.where(each == whole[links.group], each, instants.NEVER)
        best = at.copy()
        np.minimum.at(best, links.dependent, over)
        if (best == at).all():
            break
        at = best
    if len(links):  # a premise explains a fall better than the cell that ended its value
        hit = (over < instants.NEVER) & (over == at[links.dependent])
        through[links.dependent[hit]] = links.premise[hit]
    return Falls(at, through)


def begins(cells: Columns, links: Premises) -> Ints:
    """When each cell begins to hold: not before a premise whose beginning is known."""
    begin = cells.start.copy()
    known = np.where(cells.start_known, cells.start, instants.ALWAYS)
    while len(links):
        best = known.copy()
        np.maximum.at(best, links.dependent, known[links.premise])
        if (best == known).all():
            break
        known = best
    return np.maximum(begin, known)


def path(falls: Falls, row: int) -> tuple[int, ...]:
    """The cells through which ``row`` fell, nearest first; it ends where a path meets itself."""
    told: list[int] = []
    at = int(falls.through[row])
    while at != NOBODY_ROW and at not in told and at != row:
        told.append(at)
        at = int(falls.through[at])
    return tuple(told)


def _own_falls(cells: Columns, told: Closings) -> tuple[Ints, Ints]:
    """Falls through a fact that the cell itself rests on, such as a conclusion's support."""
    at = np.full(len(cells), instants.NEVER, dtype=np.int64)
    through = np.full(len(cells), NOBODY_ROW, dtype=np.int64)
    facts = cells.facts
    (rests,) = np.nonzero((facts.role == RESTS_ON) & (told.at < instants.NEVER))
    order = np.argsort(-told.at[rests], kind="stable")  # the earliest is written last
    rests = rests[order]
    at[facts.cell[rests]] = told.at[rests]
    through[facts.cell[rests]] = told.by[rests]
    return at, through


def meeting(cells: Columns, one: Ints, two: Ints) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Whether scopes do not contradict each other: no key has two values."""
    pairs, place = np.unique(
        np.stack([cells.scope[one], cells.scope[two]]), axis=1, return_inverse=True
    )
    told = np.array([meets(cells.scopes[a], cells.scopes[b]) for a, b in pairs.T], dtype=bool)
    return told[place.ravel()] if len(told) else np.zeros(len(one), dtype=bool)


def meets(one: frozenset[tuple[str, str]], two: frozenset[tuple[str, str]]) -> bool:
    """Whether two scopes can hold together: no key of both has different values."""
    told = dict(one)
    return all(told.get(key, value) == value for key, value in two)

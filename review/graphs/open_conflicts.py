"""Conflicts that are open: values that stand side by side and cannot both hold.

What a later value has closed is no conflict any more, and what a person denied is none. What is
left is for a person: an order that nobody can tell, a value that only its owner may replace, a
parameter that may have several values, or a contradiction that a source or a person stated.

Source: the gate's specification, section 2 (conflict).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
import pandas as pd

from review.gate import numbers
from review.memory import lineage
from review.memory.columns import NOBODY, Bools, Columns, Ints
from review.memory.conflicts import CLEARLY_LATER, MANY, ONE, STATES, UNCLEAR, UNKNOWN_CARDINALITY
from review.memory.knowing import Known

KINDS: Final = ("conflicts_with", "contradicts")
"""Kinds of links that state a conflict."""

_EACH: Final = 40
"""Facts of one slot that are compared with each other at most."""


class Why(StrEnum):
    """Why nothing has settled a conflict. A closed list."""

    UNCLEAR = "unclear"
    """Nobody can tell which value is later."""

    GUARDED = "guarded"
    """One is clearly later, and the other may be superseded only by a person or its owner."""

    UNKNOWN = "unknown"
    """The parameter may have several values."""

    SELF = "self"
    """One record gives two values of a parameter that has one."""

    STATED = "stated"
    """A source or a person says that they contradict each other."""


@dataclass(frozen=True, slots=True)
class OpenConflict:
    """Cells that say different things of one subject. All texts are foreign."""

    parameter: str
    """Key; blank for a conflict that was only stated."""

    subject: str
    """Key; blank for nobody in particular."""

    items: tuple[str, ...]
    """The cells, the latest first; at most 40 of one slot are compared."""

    values: tuple[str, ...]
    """Their values as keys, each once, the latest first."""

    strength: float
    """Of the worst pair, in [0, 1]."""

    why: Why


class OpenConflicts:
    """All open conflicts among durable cells: stated ones first, then the strongest and latest."""

    def __init__(self, known: Known, at: int) -> None:
        """Find them.

        Args:
            known: The cells.
            at: World time, an instant: what ended before it is no conflict.
        """
        self._known = known
        told = _pairs(known, _live(known, at), at)
        self._stated = _stated(known, at)
        cell = known.cells.facts.cell
        if self._stated and len(told):  # what facts tell of the same two cells says more
            pairs = zip(cell[told["one"]].tolist(), cell[told["two"]].tolist(), strict=True)
            items = known.cells.text("item")
            covered = {frozenset((items[a], items[b])) for a, b in pairs}
            self._stated = [one for one in self._stated if frozenset(one.items) not in covered]
        start = known.cells.facts.start
        latest = np.maximum(start[told["one"]], start[told["two"]])
        told = told.assign(latest=latest)
        by_slot = told.groupby("slot", sort=True).agg(
            strength=("strength", "max"), latest=("latest", "max")
        )
        ordered = by_slot.sort_values(["strength", "latest"], ascending=False, kind="stable")
        self._slots = ordered.index.to_numpy(dtype=np.int64)
        self._pairs = {slot: rows for slot, rows in told.groupby("slot").indices.items()}
        self._told = told

    def __len__(self) -> int:
        return len(self._stated) + len(self._slots)

    def __getitem__(self, place: int) -> OpenConflict:
        """The conflict at ``place``, from 0."""
        if place < len(self._stated):
            return self._stated[place]
        slot = int(self._slots[place - len(self._stated)])
        return _of_slot(self._known, self._told.iloc[self._pairs[slot]])

    def page(self, number: int, per: int) -> tuple[OpenConflict, ...]:
        """The conflicts of one page, counted from 1."""
        first = (max(number, 1) - 1) * per
        return tuple(self[place] for place in range(first, min(first + per, len(self))))

    def place_of(self, item: str) -> int:
        """Where the first conflict of a cell stands, from 0; -1 if it has none."""
        for place, one in enumerate(self._stated):
            if item in one.items:
                return place
        row = self._known.cells.row_of.get(item)
        if row is None or not len(self._told):
            return -1
        cell = self._known.cells.facts.cell
        mine = (cell[self._told["one"]] == row) | (cell[self._told["two"]] == row)
        slots = self._told["slot"].to_numpy()[mine]
        places = np.flatnonzero(np.isin(self._slots, slots))
        return len(self._stated) + int(places[0]) if len(places) else -1


def conflicting_with(row: int, known: Known, at: int) -> Iterable[tuple[int, float]]:
    """The cells whose values stand against those of one cell, and how strongly."""
    facts = known.cells.facts
    mine = np.array(known.cells.facts_of(row), dtype=np.int64)
    mine = mine[(facts.role[mine] == STATES) & (facts.parameter[mine] != NOBODY)]
    if not len(mine):
        return []
    other = known.slots.same_slot(mine)[1]
    around = np.unique(np.concatenate([mine, other]))
    told = _pairs(known, around[_lives(known, around, at)], at)
    one, two = facts.cell[told["one"].to_numpy()], facts.cell[told["two"].to_numpy()]
    worst: dict[int, float] = {}
    for a, b, strength in zip(one.tolist(), two.tolist(), told["strength"].tolist(), strict=True):
        if row in (a, b) and a != b:
            cell = b if a == row else a
            worst[cell] = max(strength, worst.get(cell, 0.0))
    return sorted(worst.items())


def _lives(known: Known, rows: Ints, at: int) -> Bools:
    """Facts of durable cells that say something and still hold, or will."""
    cells, facts, life = known.cells, known.cells.facts, known.life
    cell = facts.cell[rows]
    live = (facts.role[rows] == STATES) & (facts.parameter[rows] != NOBODY)
    live &= (facts.value[rows] != NOBODY) & (facts.cardinality[rows] != MANY)
    live &= (life.over[rows] > at) & (life.ends[cell] > at) & cells.durable[cell]
    return np.asarray(live, dtype=bool)


def _live(known: Known, at: int) -> Ints:
    """Those facts in slots that have several values."""
    facts = known.cells.facts
    rows = np.flatnonzero(_lives(known, np.arange(len(facts)), at))
    slot = _slot(known.cells, rows)
    distinct = pd.DataFrame({"slot": slot, "value": facts.value[rows]}).drop_duplicates()
    several = distinct["slot"][distinct["slot"].duplicated()].unique()
    return rows[np.isin(slot, several)]


def _slot(cells: Columns, rows: Ints) -> Ints:
    return cells.facts.subject[rows] * (len(cells.parameters) + 1) + cells.facts.parameter[rows]


def _pairs(known: Known, rows: Ints, at: int) -> pd.DataFrame:
    """Pairs of facts that conflict: one, two, slot, strength, why."""
    cells, facts, life = known.cells, known.cells.facts, known.life
    begin = np.maximum(facts.start[rows], life.begins[facts.cell[rows]])
    told = pd.DataFrame({"slot": _slot(cells, rows), "fact": rows, "begin": begin})
    told = told.sort_values(["slot", "begin", "fact"], ascending=[True, False, False])
    told = told[told.groupby("slot").cumcount() < _EACH]
    both = told.merge(told, on="slot", suffixes=("", "_two"))
    one, two = both["fact"].to_numpy(), both["fact_two"].to_numpy()
    a, b = facts.cell[one], facts.cell[two]
    low = np.maximum(both["begin"].to_numpy(), both["begin_two"].to_numpy())
    end = np.minimum(life.over[one], life.ends[a])
    high = np.minimum(end, np.minimum(life.over[two], life.ends[b]))
    fits = (one < two) & (facts.value[one] != facts.value[two])
    # Several values in one record are mostly a list; of a parameter that has one they are not.
    fits &= (a != b) | ((facts.cardinality[one] == ONE) & (facts.cardinality[two] == ONE))
    fits &= np.maximum(low, at) < high
    one, two, a, b, slot = one[fits], two[fits], a[fits], b[fits], both["slot"].to_numpy()[fits]
    keep = (lineage.meeting(cells, a, b) | (a == b)) & ~cells.denied.among(a, b, *KINDS)
    one, two, a, b, slot = one[keep], two[keep], a[keep], b[keep], slot[keep]
    single = (facts.cardinality[one] == ONE) | (facts.cardinality[two] == ONE)
    known_both = (facts.start_known[one] & facts.start_known[two]) | (
        cells.system[a] == cells.system[b]
    )
    clear = known_both & (facts.start[one] != facts.start[two]) & single
    strength = np.where(clear, CLEARLY_LATER, np.where(single, UNCLEAR, UNKNOWN_CARDINALITY))
    for place in np.flatnonzero(cells.scope[a] != cells.scope[b]).tolist():
        strength[place] *= numbers.overlap(
            cells, int(cells.scope[a[place]]), int(cells.scope[b[place]])
        )
    why = np.where(clear, Why.GUARDED, np.where(single, Why.UNCLEAR, Why.UNKNOWN))
    why = np.where(a == b, Why.SELF, why)
    return pd.DataFrame({"one": one, "two": two, "slot": slot, "strength": strength, "why": why})


def _of_slot(known: Known, pairs: pd.DataFrame) -> OpenConflict:
    """The conflicts of one slot as one; the worst pair says how strong it is and why."""
    cells, facts = known.cells, known.cells.facts
    items = cells.text("item")
    rows = np.unique(np.concatenate([pairs["one"].to_numpy(), pairs["two"].to_numpy()]))
    rows = rows[np.lexsort((-rows, -facts.start[rows]))]
    worst = pairs.iloc[int(pairs["strength"].to_numpy().argmax())]
    here = dict.fromkeys(str(items[facts.cell[row]]) for row in rows)
    values = dict.fromkeys(cells.name_texts[int(facts.value[row])] for row in rows)
    return OpenConflict(
        parameter=cells.parameter_names[int(facts.parameter[rows[0]])],
        subject=cells.name_texts[int(facts.subject[rows[0]])],
        items=tuple(here),
        values=tuple(values),
        strength=float(worst["strength"]),
        why=Why(worst["why"]),
    )


def _stated(known: Known, at: int) -> list[OpenConflict]:
    """Conflicts that a source or a person states between cells that both hold, or will."""
    cells, life, edges = known.cells, known.life, known.cells.edges
    items = cells.text("item")
    (rows,) = np.nonzero(np.isin(edges.kind, KINDS))
    found: dict[frozenset[str], OpenConflict] = {}
    for edge in rows.tolist():
        ends = np.array([edges.source[edge], edges.target[edge]])
        low, high = int(life.begins[ends].max()), int(life.ends[ends].min())
        if not cells.durable[ends].all() or max(low, at) >= high:
            continue
        ends = ends[np.lexsort((items[ends], -cells.start[ends]))]
        told = tuple(str(item) for item in items[ends])
        strength = float(edges.strength[edge])
        before = found.get(frozenset(told))
        if before is None or before.strength < strength:
            found[frozenset(told)] = OpenConflict("", "", told, (), strength, Why.STATED)
    return sorted(found.values(), key=lambda one: (-one.strength, one.items))

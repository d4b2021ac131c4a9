"""Which later facts close which earlier ones, over all cells at once.

Facts of one slot (subject and parameter) in overlapping scopes are put in order of time. A later,
different value closes an earlier one if it is clearly later, its source has at least the same
authority, and the earlier cell is not immutable; a fact that ends a value closes every earlier
cell that states it. All of it is sorting and searching in arrays; ten thousand values of one
parameter cost what ten thousand values of different ones do.

Source: the gate's specification, section 2 (conflict, supersession). That a slot's order decides,
instead of links written into artifacts, is ours: ``docs/decisions/0010-slots.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from review import instants
from review.memory import denials
from review.memory.columns import CARDINALITIES, NOBODY, ROLES, Bools, Columns, Ints, Texts
from store.cells import Cardinality, FactRole

CANCELLED: Final = 1.0
"""Strength of a conflict: the later cell says that the value ended."""

CLEARLY_LATER: Final = 0.9
"""Two values of a parameter that has one, in a clear order."""

UNCLEAR: Final = 0.6
"""The same at one moment, or in an order that nobody can tell."""

UNKNOWN_CARDINALITY: Final = 0.5
"""Two values of a parameter that may have several."""

SUPERSEDES_FROM: Final = 0.75
"""A conflict of at least this strength closes the earlier cell."""

NOBODY_ROW: Final = -1

ONE: Final = CARDINALITIES.index(Cardinality.ONE)
MANY: Final = CARDINALITIES.index(Cardinality.MANY)
STATES: Final = ROLES.index(FactRole.STATES)
ENDS: Final = ROLES.index(FactRole.ENDS)
RESTS_ON: Final = ROLES.index(FactRole.RESTS_ON)
_PAIRS: Final = 5_000_000
"""Pairs of an ended value and a statement of it that are compared at once at most."""


@dataclass(frozen=True)
class Closings:
    """For each fact: when another cell's fact closes it, and which. Shapes are ``(facts,)``."""

    at: Ints
    """Instant; ``NEVER`` when nothing closes it."""

    by: Ints
    """Row of the closing cell, -1 for none."""

    cancelled: Bools
    """Closed because the later cell says that the value ended."""


def closings(cells: Columns, *, owners: Mapping[str, str] | None = None) -> Closings:
    """When each fact is closed.

    Args:
        cells: All cells that count, durable ones; with staged ones the answer is "would be".
        owners: Source type that owns the values of a parameter. Only a source of that type closes
            a value that came from it.

    Returns:
        Arrays as long as the facts.
    """
    facts = cells.facts
    at = np.full(len(facts), instants.NEVER, dtype=np.int64)
    by = np.full(len(facts), NOBODY_ROW, dtype=np.int64)
    cancelled = np.zeros(len(facts), dtype=bool)
    rows = _slotted(cells)
    for clear in (_same_system(cells, rows), rows[facts.start_known[rows["fact"].to_numpy()]]):
        _close(cells, clear, at, by, owners or {})
    _cancel(cells, at, by, cancelled)
    return Closings(at, by, cancelled)


def _slotted(cells: Columns) -> pd.DataFrame:
    """Facts that can close or be closed, repeated for every narrower scope of their slot."""
    facts = cells.facts
    known = (facts.parameter != NOBODY) & (facts.value != NOBODY)
    states = known & (facts.role == STATES) & (facts.cardinality == ONE)
    rests = known & (facts.role == RESTS_ON) & (facts.cardinality != MANY) & ~denials.void(cells)
    # A conclusion rests on what it says, whatever its cardinality; another value of the same
    # parameter must then be able to make itself heard.
    loud = known & (facts.role == STATES) & (facts.cardinality != MANY)
    slot = facts.subject * (len(cells.parameters) + 1) + facts.parameter
    wanted = np.unique(slot[rests])
    loud &= np.isin(slot, wanted)
    (fact,) = np.nonzero(states | rests | loud)
    rows = pd.DataFrame(
        {
            "fact": fact,
            "slot": slot[fact],
            "scope": cells.scope[facts.cell[fact]],
            "value": facts.value[fact],
            "order": facts.start[fact],
            "closes": (states | loud)[fact],
            "home": True,
        }
    )
    return _widened(cells, rows)


def _widened(cells: Columns, rows: pd.DataFrame) -> pd.DataFrame:
    """Each fact also among those of narrower scopes, where it may close but is not closed."""
    pairs = rows[["slot", "scope"]].drop_duplicates()
    several = pairs[pairs.duplicated("slot", keep=False)]
    if several.empty:
        return rows
    narrower = _narrower(cells, np.unique(several["scope"].to_numpy()))
    if narrower.empty:
        return rows
    wide = rows[rows["closes"]].merge(narrower, on="scope")
    wide = wide.merge(several.rename(columns={"scope": "inner"}), on=["slot", "inner"])
    wide = wide.assign(scope=wide["inner"], home=False).drop(columns="inner")
    return pd.concat([rows, wide], ignore_index=True)


def _narrower(cells: Columns, used: Ints) -> pd.DataFrame:
    """Pairs (scope, inner) of scopes in use: ``inner`` says all that ``scope`` does and more."""
    number = {cells.scopes[place]: int(place) for place in used}
    pairs: list[tuple[int, int]] = []
    for inner, place in number.items():
        for outer in _parts(inner):
            if outer in number and outer != inner:
                pairs.append((number[outer], place))
    return pd.DataFrame(pairs, columns=["scope", "inner"], dtype="int64")


def _parts(scope: frozenset[tuple[str, str]]) -> list[frozenset[tuple[str, str]]]:
    """The subsets of a scope; of a scope with many keys only the empty one and the single ones."""
    keys = sorted(scope)
    if len(keys) > 6:
        return [frozenset(), *(frozenset([key]) for key in keys)]
    return [
        frozenset(key for bit, key in enumerate(keys) if mask >> bit & 1)
        for mask in range(1 << len(keys))
    ]


def _same_system(cells: Columns, rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with their source system in the slot: written times compare within one system."""
    system = cells.system[cells.facts.cell[rows["fact"].to_numpy()]]
    systems = int(cells.system.max(initial=0)) + 1
    return rows.assign(slot=rows["slot"].to_numpy() * systems + system)


def _close(
    cells: Columns, rows: pd.DataFrame, at: Ints, by: Ints, owners: Mapping[str, str]
) -> None:
    """Let the next different value of the same slot and scope close each row that it may close.

    A value from its owner is closed by the owner's alone; a value under a procedure by that
    procedure alone; what is immutable otherwise, by nothing that is found here.
    """
    if rows.empty:
        return
    fact = rows["fact"].to_numpy()
    owned, guard = _owned(cells, fact, owners), _guards(cells, fact)
    free = guard == ""
    _close_all(cells, rows, free & ~owned, at, by)
    if owned.any():
        _close_all(cells, rows[owned], free[owned], at, by)
    for procedure in sorted({one for one in guard if one.startswith("procedure:")}):
        chosen = guard == procedure
        _close_all(cells, rows[chosen], np.ones(int(chosen.sum()), dtype=bool), at, by)


def _close_all(cells: Columns, rows: pd.DataFrame, closable: Bools, at: Ints, by: Ints) -> None:
    """Close every closable row by the first later row with another value that may close."""
    order = np.lexsort((rows["fact"], rows["order"], rows["scope"], rows["slot"]))
    told = rows.iloc[order]
    closable = closable[order] & told["home"].to_numpy()
    fact, value = told["fact"].to_numpy(), told["value"].to_numpy()
    when, closes = told["order"].to_numpy(), told["closes"].to_numpy()
    group = _numbered(told["slot"].to_numpy(), told["scope"].to_numpy())
    nxt = _next_other(group, when, value, closes)
    nxt = denials.beyond(cells, fact, nxt, (group, value, closes))
    hit = closable & (nxt >= 0)
    target, closer = fact[hit], nxt[hit]
    better = when[closer] < at[target]
    at[target[better]] = when[closer[better]]
    by[target[better]] = cells.facts.cell[fact[closer[better]]]


def _numbered(*keys: Ints) -> Ints:
    """Groups of equal keys in sorted rows, numbered in order."""
    change = np.zeros(len(keys[0]), dtype=bool)
    for key in keys:
        change[1:] |= key[1:] != key[:-1]
    return np.cumsum(change)


def _next_other(group: Ints, when: Ints, value: Ints, closes: Bools) -> Ints:
    """For each row the first strictly later one of its group with another value, else -1.

    Rows are sorted by group and moment. Only rows that close count as later ones.
    """
    count = len(group)
    moment = _numbered(group, when)
    (loud,) = np.nonzero(closes)
    if not len(loud):
        return np.full(count, NOBODY_ROW, dtype=np.int64)
    # Among the rows that close: where does the run of equal values that starts here end?
    runs = _numbered(group[loud], value[loud])
    run_end = np.searchsorted(runs, runs, side="right")
    # The first row that closes and belongs to a later moment than mine.
    later = np.searchsorted(moment[loud], moment, side="right")
    inside = later < len(loud)
    first = np.where(inside, later, 0)
    same = value[loud[first]] == value
    chosen = np.where(same, run_end[first], first)
    found = inside & (chosen < len(loud))
    chosen = np.where(found, chosen, 0)
    found &= group[loud[chosen]] == group
    return np.where(found, loud[chosen], NOBODY_ROW)


def _owned(cells: Columns, fact: Ints, owners: Mapping[str, str]) -> Bools:
    """Rows whose value comes from the source type that owns such values."""
    if not owners:
        return np.zeros(len(fact), dtype=bool)
    owner = np.array([owners.get(name, "") for name in cells.parameter_names], dtype=object)
    source = cells.text("source_type")[cells.facts.cell[fact]]
    told = owner[cells.facts.parameter[fact]]
    return np.asarray((told != "") & (told == source), dtype=bool)


def _guards(cells: Columns, fact: Ints) -> Texts:
    """What makes each row's cell immutable; empty where nothing does."""
    return cells.guards[cells.facts.cell[fact]]


def _cancel(cells: Columns, at: Ints, by: Ints, cancelled: Bools) -> None:
    """Close all facts of earlier cells that state a value which a later cell says has ended."""
    facts = cells.facts
    (ends,) = np.nonzero((facts.role == ENDS) & (facts.value != NOBODY))
    if not len(ends):
        return
    stated = np.isin(facts.value, facts.value[ends]) & (facts.role != ENDS) & ~denials.void(cells)
    (states,) = np.nonzero(stated)
    left = pd.DataFrame({"end": ends, "value": facts.value[ends]})
    right = pd.DataFrame({"fact": states, "value": facts.value[states]})
    per_value = left.groupby("value").size() * right.groupby("value").size()
    if per_value.sum() > _PAIRS:  # only the first end of each value, which closes the most
        first = facts.start[ends].argsort(kind="stable")
        left = left.iloc[first].drop_duplicates("value")
    pairs = left.merge(right, on="value")
    end, fact = pairs["end"].to_numpy(), pairs["fact"].to_numpy()
    fits = facts.cell[end] != facts.cell[fact]
    # Something planned can be called off before it begins: then the later word counts.
    later = cells.written[facts.cell[end]] > cells.written[facts.cell[fact]]
    fits &= (facts.start[end] > facts.start[fact]) | later
    for one in (facts.subject, facts.parameter):
        fits &= (one[end] == NOBODY) | (one[fact] == NOBODY) | (one[end] == one[fact])
    fits &= _covers(cells, facts.cell[end], facts.cell[fact])
    fits &= _guards(cells, fact) == ""
    fits &= ~denials.closing(cells, facts.cell[end], facts.cell[fact])
    end, fact = end[fits], fact[fits]
    order = np.argsort(-facts.start[end], kind="stable")  # the earliest is written last
    end, fact = end[order], fact[order]
    at[fact] = np.minimum(at[fact], facts.start[end])
    earliest = at[fact] == facts.start[end]
    by[fact[earliest]] = facts.cell[end[earliest]]
    cancelled[fact[earliest]] = True


def _covers(cells: Columns, outer: Ints, inner: Ints) -> Bools:
    """Whether each outer cell's scope says nothing that the inner cell's scope does not."""
    pairs, place = np.unique(
        np.stack([cells.scope[outer], cells.scope[inner]]), axis=1, return_inverse=True
    )
    told = np.array([cells.scopes[a] <= cells.scopes[b] for a, b in pairs.T], dtype=bool)
    return told[place.ravel()] if len(told) else np.zeros(len(outer), dtype=bool)

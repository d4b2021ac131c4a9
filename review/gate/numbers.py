"""The gate: what one question makes of each candidate, in numbers.

ψ, R, h and F over arrays of candidates; ζ and V come in. Whether a candidate is admitted is
``h = 1 and F >= θ``; every part of h that fails is named.

Source: the gate's specification, section 3 (CALM stage III).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from review import instants
from review.memory.columns import Bools, Columns, Ints
from review.memory.conflicts import ONE, STATES, UNCLEAR, UNKNOWN_CARDINALITY
from review.memory.lifecycle import Life
from review.memory.slots import Slots, spread
from review.question.intents import Intent, IntentKind

Scores = npt.NDArray[np.float64]

INCOMPATIBLE: Final = 0.1
"""ψ of a cell that does not fit the question's time frame."""


class Bar(StrEnum):
    """A part of the hard filter that a candidate failed."""

    NOT_DURABLE = "not_durable"
    NOT_READABLE = "not_readable"
    OTHER_SCOPE = "other_scope"
    NOT_RELEVANT = "not_relevant"
    OF_ANOTHER = "of_another"
    """It states what is asked, but of somebody else."""

    SUPERSEDED = "superseded"
    STALE = "stale"
    NOT_YET = "not_yet"
    ENDED = "ended"
    DID_NOT_HOLD = "did_not_hold"
    PREMISE_WAITS = "premise_waits"
    OUTDONE = "outdone"
    """For this question a later memory gives another answer."""

    NARROWER_HOLDS = "narrower_holds"
    """In the asked scope a narrower memory holds instead."""

    RESTRICTED = "restricted"
    """It says itself that it is not for everybody, and does not name who asks."""

    WITHDRAWN = "withdrawn"
    """It says itself that it no longer counts."""

    DISOWNED = "disowned"
    """A later memory of its conversation quotes it and says that it no longer counts."""

    RENEWED = "renewed"
    """A later memory of its conversation updates it, or returns to what was before it."""

    SUPPOSED = "supposed"
    """It is a supposition, and the question asks what is so."""


@dataclass(frozen=True, slots=True)
class Span:
    """The asked time as instants, half-open; for a moment it is one microsecond long."""

    start: int
    end: int


def asked_time(intent: Intent) -> Span:
    """The asked time of an intent: the target of CURRENT, else its interval."""
    if intent.kind is IntentKind.CURRENT:
        target = instants.of(intent.target)
        return Span(target, target + 1)
    start = instants.ALWAYS if intent.start is None else instants.of(intent.start)
    end = instants.of(intent.target) if intent.end is None else instants.of(intent.end)
    return Span(start, max(end, start + 1))


def compatibility(kind: IntentKind, held: Bools, chain: Bools) -> Scores:
    """ψ: 1.0 if a candidate fits the time frame, 0.1 if it does not.

    Args:
        kind: The intent's.
        held: Whether each candidate held at some moment of the asked time.
        chain: Whether it belongs to the chain of versions that CHANGE asks for.
    """
    fits = held & chain if kind is IntentKind.CHANGE else held
    return np.where(fits, 1.0, INCOMPATIBLE)


def held(begins: Ints, ends: Ints, asked: Span) -> Bools:
    """Whether effective intervals ``[begins, ends)`` meet the asked time."""
    return (begins < asked.end) & (ends > asked.start)


def overlap_share(begins: Ints, ends: Ints, asked: Span) -> Scores:
    """Share of the asked time that each interval covers, in [0, 1]; orders equal F."""
    low, high = np.maximum(begins, asked.start), np.minimum(ends, asked.end)
    return np.clip((high - low) / max(asked.end - asked.start, 1), 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Risk:
    """R of one candidate, and the cell it comes from."""

    value: float = 0.0
    other: int = -1
    strength: float = 0.0


def risks(
    rows: Ints,
    cells: Columns,
    life: Life,
    slots: Slots,
    worth: Callable[[Ints], Scores],
    *,
    asked: Span,
    chain: Bools,
) -> list[Risk]:
    """R of candidates: the worst conflict of each with a durable cell that holds when asked.

    Args:
        rows: The candidates.
        cells: All cells.
        life: Their life.
        slots: Look-ups over them.
        worth: V of any cells, by row.
        asked: The asked time.
        chain: Cells inside the chain of a CHANGE question, which are no conflict; ``(cells,)``.

    Returns:
        For each, strength times the other's validity, at most 1; 0.0 when nothing conflicts.
    """
    told = [Risk()] * len(rows)
    which, cell, strength = _in_slots(rows, cells, life, slots, asked=asked, chain=chain)
    values = strength * worth(cell)
    starts = np.flatnonzero(np.diff(which, prepend=-1)).tolist()
    for low, high in pairwise([*starts, len(which)]):
        at = low + int(np.argmax(values[low:high]))  # the first of equal ones
        one = Risk(float(values[at]), int(cell[at]), float(strength[at]))
        told[int(which[low])] = _worse(Risk(), one)
    if not slots.conflicting:
        return told
    return [
        _linked(row, cells, life, slots, worth, asked, one)
        for row, one in zip(rows.tolist(), told, strict=True)
    ]


def _in_slots(
    rows: Ints, cells: Columns, life: Life, slots: Slots, *, asked: Span, chain: Bools
) -> tuple[Ints, Ints, Scores]:
    """Other values in the slots of candidates: whose (its place in ``rows``), the cell, strength.

    Source: the gate's specification, section 2 (conflict).
    """
    facts, over = cells.facts, life.over
    which, mine = spread(cells.first_fact[rows], cells.first_fact[rows + 1])
    open_ = (facts.role[mine] == STATES) & (over[mine] > asked.start)
    which, mine = which[open_], mine[open_]
    pair, other = slots.same_slot(mine)
    which, mine, cell = which[pair], mine[pair], facts.cell[other]
    row = rows[which]
    low = np.maximum(np.maximum(life.begins[row], asked.start), life.begins[cell])
    high = np.minimum(np.minimum(life.ends[row], asked.end), life.ends[cell])
    differ = (facts.value[other] != facts.value[mine]) & (cell != row) & (low < high)
    differ &= (over[other] > asked.start) & cells.durable[cell] & ~chain[cell]
    differ &= ~cells.denied.among(row, cell, "conflicts_with", "contradicts")
    which, mine, other, cell = which[differ], mine[differ], other[differ], cell[differ]
    single = (facts.cardinality[mine] == ONE) | (facts.cardinality[other] == ONE)
    strength = np.where(single, UNCLEAR, UNKNOWN_CARDINALITY)
    mine_in, other_in = cells.scope[rows[which]], cells.scope[cell]
    for at in np.flatnonzero(mine_in != other_in).tolist():
        strength[at] *= overlap(cells, int(mine_in[at]), int(other_in[at]))
    return which, cell, strength


def _linked(
    row: int,
    cells: Columns,
    life: Life,
    slots: Slots,
    worth: Callable[[Ints], Scores],
    asked: Span,
    worst: Risk,
) -> Risk:
    """The same over conflicts that a source or a person stated."""
    edges = cells.edges
    for edge in slots.conflicting.get(row, ()):
        cell = int(edges.target[edge] if edges.source[edge] == row else edges.source[edge])
        if held(life.begins[[cell]], life.ends[[cell]], asked)[0] and cells.durable[cell]:
            strength = float(edges.strength[edge])
            value = float(strength * worth(np.array([cell]))[0])
            worst = _worse(worst, Risk(value, cell, strength))
    return worst


def _worse(one: Risk, two: Risk) -> Risk:
    return two if two.value > one.value else one


def overlap(cells: Columns, one: int, two: int) -> float:
    """How far two scopes, by place, are the same, in [0, 1]; 0.0 if they exclude each other."""
    a, b = cells.scopes[one], cells.scopes[two]
    if a == b:
        return 1.0
    keys = {key for key, _ in a | b}
    if len(a | b) > len(keys):
        return 0.0
    return (1 + len(a & b)) / (1 + len(keys))


def fit(zeta: Scores, worth: Scores, psi: Scores, risks: Scores) -> Scores:
    """F = (ζ + V + ψ + (1 − R)) / 4, in [0, 1]. Shape of its arguments, which are in [0, 1]."""
    return np.asarray((zeta + worth + psi + (1.0 - risks)) / 4.0)

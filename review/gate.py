"""The gate: what one question makes of each candidate, in numbers.

ψ, R, h and F over arrays of candidates; ζ and V come in. Whether a candidate is admitted is
``h = 1 and F >= θ``; every part of h that fails is named.

Source: the gate's specification, section 3 (CALM stage III).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from review import instants
from review.columns import Bools, Columns, Ints
from review.conflicts import ONE, STATES, UNCLEAR, UNKNOWN_CARDINALITY
from review.intents import Intent, IntentKind
from review.lifecycle import Life
from review.slots import Slots

Scores = npt.NDArray[np.float64]

INCOMPATIBLE: Final = 0.1
"""ψ of a cell that does not fit the question's time frame."""


class Bar(StrEnum):
    """A part of the hard filter that a candidate failed."""

    NOT_DURABLE = "not_durable"
    NOT_READABLE = "not_readable"
    OTHER_SCOPE = "other_scope"
    NOT_RELEVANT = "not_relevant"
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
    """A later memory of its conversation is an update of it, and says so."""

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


def risk(
    row: int, cells: Columns, life: Life, slots: Slots, worth: Scores, *, asked: Span, chain: Bools
) -> Risk:
    """R of a candidate: the worst conflict with a durable cell that holds at the asked time.

    Args:
        row: The candidate.
        cells: All cells.
        life: Their life.
        slots: Look-ups over them.
        worth: V of all cells; shape ``(cells,)``.
        asked: The asked time.
        chain: Cells inside the chain of a CHANGE question, which are no conflict; ``(cells,)``.

    Returns:
        Strength times the other's validity, at most 1; 0.0 when nothing conflicts.
    """
    worst = Risk()
    facts = cells.facts
    low, high = max(int(life.begins[row]), asked.start), min(int(life.ends[row]), asked.end)
    for fact in cells.facts_of(row):
        if facts.role[fact] != STATES or life.over[fact] <= asked.start:
            continue
        others = slots.same_slot(fact)
        others = others[(facts.value[others] != facts.value[fact]) & (facts.cell[others] != row)]
        for other in others[life.over[others] > asked.start]:
            cell = int(facts.cell[other])
            meets = max(low, int(life.begins[cell])) < min(high, int(life.ends[cell]))
            if not meets or chain[cell] or not cells.durable[cell]:
                continue
            single = ONE in (facts.cardinality[fact], facts.cardinality[other])
            strength = UNCLEAR if single else UNKNOWN_CARDINALITY
            if cells.scopes[cells.scope[row]] != cells.scopes[cells.scope[cell]]:
                strength *= _overlap(cells, row, cell)
            worst = _worse(worst, Risk(float(strength * worth[cell]), cell, strength))
    return _linked(row, cells, life, worth, asked, worst)


def _linked(row: int, cells: Columns, life: Life, worth: Scores, asked: Span, worst: Risk) -> Risk:
    """The same over conflicts that a source or a person stated."""
    edges = cells.edges
    if not len(edges.kind):
        return worst
    stated = (edges.kind == "conflicts_with") | (edges.kind == "contradicts")
    for edge in np.nonzero(stated & ((edges.source == row) | (edges.target == row)))[0]:
        cell = int(edges.target[edge] if edges.source[edge] == row else edges.source[edge])
        if held(life.begins[[cell]], life.ends[[cell]], asked)[0] and cells.durable[cell]:
            strength = float(edges.strength[edge])
            worst = _worse(worst, Risk(float(strength * worth[cell]), cell, strength))
    return worst


def _worse(one: Risk, two: Risk) -> Risk:
    return two if two.value > one.value else one


def _overlap(cells: Columns, one: int, two: int) -> float:
    """How far two scopes are the same, in [0, 1]; 0.0 if they exclude each other."""
    a, b = cells.scopes[cells.scope[one]], cells.scopes[cells.scope[two]]
    keys = {key for key, _ in a | b}
    if len(a | b) > len(keys):
        return 0.0
    return (1 + len(a & b)) / (1 + len(keys))


def fit(zeta: Scores, worth: Scores, psi: Scores, risks: Scores) -> Scores:
    """F = (ζ + V + ψ + (1 − R)) / 4, in [0, 1]. Shape of its arguments, which are in [0, 1]."""
    return np.asarray((zeta + worth + psi + (1.0 - risks)) / 4.0)

"""The verdict on one candidate: its numbers, every part of h that fails, and why, in codes.

Source: the gate's specification, section 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from review import instants
from review.gate.candidates import Relevance
from review.gate.framing import Frame
from review.gate.numbers import Bar, Risk, Span
from review.gate.scored import Reason, Scored
from review.memory import lineage
from review.memory.conflicts import STATES
from review.memory.knowing import Known
from review.memory.validity import Status
from review.question.intents import IntentKind
from store.cells import Interval, Precision

DECIMALS: Final = 9
"""F is compared with θ after rounding, so that 0.55 reached by sums is 0.55."""


_STATES_ASKED: Final = Reason("states_asked")
_ONE_STEP: Final = Reason("one_step")
_BESIDE: Final = Reason("beside")
_SHARES_WORDS: Final = Reason("shares_words")
_NO_FACTS: Final = Reason("no_facts")
_SINCE_WRITTEN: Final = Reason("since_written")


@dataclass(frozen=True, slots=True)
class Numbers:
    """What was computed for one candidate, all candidates at once."""

    row: int
    zeta: float
    validity: float
    psi: float
    risk: Risk
    score: float
    share: float
    """Overlapped share of the asked time."""

    held: bool
    end: int
    """Until when it holds for this question."""


@dataclass(frozen=True, slots=True)
class Moments:
    """The asked time, and the moment at which status and V are told."""

    asked: Span
    told_at: int


def verdict(
    one: Numbers, frame: Frame, known: Known, found: Relevance, moments: Moments
) -> Scored:
    """The verdict on a candidate, with its reasons."""
    row, asked = one.row, moments.asked
    cells, life, told = known.cells, known.life, known.cells.text
    durable = bool(cells.durable[row])
    kind = str(told("kind")[row])
    theta = frame.theta(kind)
    reasons = _bars(one, frame, known, found, asked)
    status = life.status(row, moments.told_at, durable=durable)
    current = frame.intent.kind is IntentKind.CURRENT
    if durable and current and one.end <= asked.start < life.ends[row]:
        status = Status.SUPERSEDED
    facts = cells.facts_of(row)
    return Scored(
        item=str(told("item")[row]),
        rev=int(told("rev")[row]),
        digest=str(told("digest")[row]),
        source_id=str(told("source_id")[row]),
        claim=str(told("claim")[row]),
        kind=kind,
        source_type=str(told("source_type")[row]),
        would_be=not durable,
        status=status,
        zeta=one.zeta,
        validity=one.validity,
        psi=one.psi,
        risk=one.risk.value,
        h=not reasons,
        score=one.score,
        theta=theta,
        admitted=not reasons and one.score >= theta,
        bars=tuple(Bar(reason.code) for reason in reasons),
        reasons=(*_why(one, known, found, theta, has_facts=bool(facts)), *reasons),
        valid=_interval(int(life.begins[row]), one.end),
        since_written=not bool(cells.start_known[row]),
        written_at=str(told("written_at")[row]),
        path=_path(row, known) if status is Status.STALE else (),
        ended=_ended(facts, known, asked),
        order=one.share,
        place=(int(told("seq")[row]), int(told("n")[row])),
    )


def _path(row: int, known: Known) -> tuple[str, ...]:
    items = known.cells.text("item")
    return tuple(str(items[at]) for at in lineage.path(known.life.falls, row))


def _bars(
    one: Numbers, frame: Frame, known: Known, found: Relevance, asked: Span
) -> tuple[Reason, ...]:
    """The parts of h that fail, each with what it tells."""
    life, cells, row = known.life, known.cells, one.row
    failed: list[Reason] = []
    if one.zeta < frame.floor:
        told = {"zeta": f"{one.zeta:.2f}", "floor": f"{frame.floor:.2f}"}
        failed.append(Reason(str(Bar.NOT_RELEVANT), told))
    elif found.of_another(row, cells):
        failed.append(Reason(str(Bar.OF_ANOTHER)))
    if row in cells.waits:
        failed.append(Reason(str(Bar.PREMISE_WAITS)))
    if one.held or frame.intent.kind is IntentKind.CHANGE:
        return tuple(failed)
    if frame.intent.kind is IntentKind.CURRENT:
        failed.append(_not_now(one, known, asked))
    else:
        told = {"begins": instants.day(int(life.begins[row])), "ends": instants.day(one.end)}
        failed.append(Reason(str(Bar.DID_NOT_HOLD), told))
    return tuple(failed)


def _not_now(one: Numbers, known: Known, asked: Span) -> Reason:
    """Why a cell is not in force at the target of a CURRENT question."""
    life, row = known.life, one.row
    if life.begins[row] > asked.start:
        return Reason(str(Bar.NOT_YET), {"since": instants.day(int(life.begins[row]))})
    lost = min(one.end, int(life.superseded_at[row]))
    by = _closer(row, known, lost)
    if life.falls.at[row] <= asked.start and (not by or life.falls.at[row] < lost):
        path = " → ".join(_path(row, known))
        since = instants.day(int(life.falls.at[row]))
        return Reason(str(Bar.STALE), {"path": path, "since": since})
    if by:
        return Reason(str(Bar.SUPERSEDED), {"by": by, "since": instants.day(lost)})
    return Reason(str(Bar.ENDED), {"end": instants.day(int(known.cells.end[row]))})


def _closer(row: int, known: Known, at: int) -> str:
    """Item of the cell that took this one's place at ``at``, as a whole or in what is asked."""
    life, items = known.life, known.cells.text("item")
    if life.superseded_at[row] == at and life.superseded_by[row] >= 0:
        return str(items[int(life.superseded_by[row])])
    for fact in known.cells.facts_of(row):
        states = known.cells.facts.role[fact] == STATES
        if states and life.closings.at[fact] == at and life.closings.by[fact] >= 0:
            return str(items[int(life.closings.by[fact])])
    return ""


def _why(
    one: Numbers, known: Known, found: Relevance, theta: float, *, has_facts: bool
) -> Sequence[Reason]:
    """Reasons for the numbers: where ζ and R come from, and how F compares with θ."""
    row = one.row
    if found.stated[row]:
        told = [_STATES_ASKED]
    elif found.near[row] and found.zeta[row] > found.text[row]:
        told = [_ONE_STEP]
    elif found.beside is not None and found.beside[row]:
        told = [_BESIDE]
    else:
        told = [_SHARES_WORDS]
    if not has_facts:
        told.append(_NO_FACTS)
    if not known.cells.start_known[row]:
        told.append(_SINCE_WRITTEN)
    if one.risk.other >= 0:
        item = str(known.cells.text("item")[one.risk.other])
        told.append(Reason("conflict", {"item": item, "strength": f"{one.risk.strength:.2f}"}))
    told.append(_compared(one.score, theta))
    return told


@lru_cache(maxsize=1_000)
def _compared(score: float, theta: float) -> Reason:
    code = "fits" if score >= theta else "below_theta"
    return Reason(code, {"score": f"{score:.3f}", "theta": f"{theta:.2f}"})


def _ended(facts: range, known: Known, asked: Span) -> tuple[int, ...]:
    """Facts of a cell that are closed before the asked time."""
    place, over = known.cells.facts.place, known.life.over
    return tuple(int(place[fact]) for fact in facts if over[fact] <= asked.start)


@lru_cache(maxsize=10_000)
def _interval(begin: int, end: int) -> Interval:
    start = None if begin == instants.ALWAYS else instants.day(begin)
    until = None if end >= instants.NEVER else instants.day(end)
    return Interval(start, until, Precision.INSTANT)

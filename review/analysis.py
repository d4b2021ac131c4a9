"""Reads one run: how it ended, the first step that went wrong, and the steps that show it.

A reading, not a fact: it is kept apart from the trajectory, with the name of the rules that made
it, and another version of the rules makes another reading. Nothing here asks a model.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from store import canonical
from store.trajectories import HumanDecision, RunStatus, Step, StepKind, Trajectory, Verdict

ANALYSER: Final = "rules/1"
_ACTED: Final = frozenset({StepKind.SAID, StepKind.ACTION, StepKind.RESULT})


class Ending(StrEnum):
    """How a run ended, as far as its steps tell. A closed list."""

    REJECTED = "rejected"
    """The last thing that a person decided was a rejection."""

    CORRECTED = "corrected"
    """A person put other words in place of the agent's."""

    ACCEPTED = "accepted"
    """A person accepted. It helped in this context; it is not thereby true."""

    FAILED = "failed"
    """The format says that the run failed, or its last act did."""

    FINISHED = "finished"
    """It ended with an answer, and nobody decided. Undecided is not accepted."""

    BROKEN_OFF = "broken_off"
    """It ended with a call without a result, or before the agent did anything."""


class Cause(StrEnum):
    """Why a step is called wrong."""

    REJECTED = "rejected"
    EDITED = "edited"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Analysis:
    """A reading of one run."""

    ending: Ending
    first_wrong: int | None
    """Index of the first wrong step; None when nothing shows one."""

    cause: Cause | None
    evidence: tuple[int, ...]
    """Indexes of the steps that show it, in order."""

    recalled: int = 0
    """Steps that put memory into the context."""

    analyser: str = ""
    """Name and version of the rules that made it."""


def analysed(run: Trajectory) -> Analysis:
    """The reading of ``run``. Weak signs, such as a thumb, decide nothing."""
    judged = [one for one in run.decisions if not one.weak]
    wrong = _wrong(run, judged)
    first = min(wrong, default=None)
    evidence: tuple[int, ...] = ()
    if first is not None:
        evidence = tuple(sorted({first[0], *_joined(run, first[0])}))
    return Analysis(
        ending=_ending(run, judged),
        first_wrong=None if first is None else first[0],
        cause=None if first is None else first[1],
        evidence=evidence,
        recalled=sum(step.kind is StepKind.RECALLED for step in run.steps),
        analyser=ANALYSER,
    )


def spelled(told: Analysis) -> bytes:
    """The reading as canonical bytes."""
    return canonical.encode(
        {
            "ending": str(told.ending),
            "first_wrong": told.first_wrong,
            "cause": None if told.cause is None else str(told.cause),
            "evidence": list(told.evidence),
            "recalled": told.recalled,
            "analyser": told.analyser,
        }
    )


def read(body: bytes) -> Analysis:
    """The reading that ``body`` spells."""
    told = json.loads(body)
    return Analysis(
        ending=Ending(told["ending"]),
        first_wrong=told["first_wrong"],
        cause=Cause(told["cause"]) if told["cause"] else None,
        evidence=tuple(told["evidence"]),
        recalled=told["recalled"],
        analyser=told["analyser"],
    )


def _wrong(run: Trajectory, judged: Sequence[HumanDecision]) -> list[tuple[int, Cause]]:
    """Every step that something shows to be wrong: rejected, edited, or an error."""
    found: list[tuple[int, Cause]] = []
    for one in judged:
        if one.verdict is not Verdict.ACCEPT and 0 <= one.step < len(run.steps):
            rejected = one.verdict is Verdict.REJECT
            found.append((one.step, Cause.REJECTED if rejected else Cause.EDITED))
    refused = {place for place, _ in found}
    for place, step in enumerate(run.steps):
        if step.failed:
            acted = _action_of(run.steps, place)
            if acted not in refused:
                found.append((acted, Cause.ERROR))
    return found


def _action_of(steps: Sequence[Step], place: int) -> int:
    """The call whose result stands at ``place``; the step itself where none is found."""
    call = steps[place].call
    if steps[place].kind is StepKind.RESULT and call:
        for earlier in range(place - 1, -1, -1):
            if steps[earlier].kind is StepKind.ACTION and steps[earlier].call == call:
                return earlier
    return place


def _joined(run: Trajectory, place: int) -> list[int]:
    """Results of the same call, which show what became of it."""
    call = run.steps[place].call
    if not call:
        return []
    return [n for n, step in enumerate(run.steps) if step.call == call]


def _ending(run: Trajectory, judged: Sequence[HumanDecision]) -> Ending:
    if judged:
        last = judged[-1].verdict
        if last is Verdict.REJECT:
            return Ending.REJECTED
        if any(one.verdict is Verdict.EDIT for one in judged):
            return Ending.CORRECTED
        if last is Verdict.ACCEPT and all(one.verdict is Verdict.ACCEPT for one in judged):
            return Ending.ACCEPTED
    if run.status is RunStatus.FAILED:
        return Ending.FAILED
    acted = [step for step in run.steps if step.kind in _ACTED]
    if not acted or acted[-1].kind is StepKind.ACTION:
        return Ending.FINISHED if run.status is RunStatus.OK else Ending.BROKEN_OFF
    return Ending.FAILED if acted[-1].failed else Ending.FINISHED

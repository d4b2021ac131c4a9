"""A run as canonical bytes, and back: what is kept of a trajectory in the vault.

Whatever is written here is masked already; nothing is left out but foreign values that have no
canonical form, which are written as digits.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from review.staged import spelling
from store import canonical
from store.cells import Span
from store.trajectories import (
    HumanDecision,
    Omitted,
    RunStatus,
    Step,
    StepKind,
    Trajectory,
    Verdict,
)


def spelled(run: Trajectory) -> bytes:
    """The canonical bytes of a run."""
    return canonical.encode(
        {
            "source_id": run.source_id,
            "run": {spelling.ascii_key(name): value for name, value in run.run.items()},
            "status": str(run.status),
            "started_at": run.started_at,
            "ended_at": run.ended_at,
            "branch_of": run.branch_of,
            "steps": [_step(step) for step in run.steps],
            "decisions": [_decision(one) for one in run.decisions],
            "foreign": json.loads(spelling.foreign(run.foreign)),
            "remarks": [str(code) for code in run.remarks],
        }
    )


def read(body: bytes) -> Trajectory:
    """The run that ``body`` spells.

    Raises:
        store.canonical.NotCanonicalError: If the bytes are not canonical.
    """
    told = canonical.decode(body)
    return Trajectory(
        source_id=told["source_id"],
        steps=tuple(_read_step(one) for one in told["steps"]),
        run=told["run"],
        decisions=tuple(
            HumanDecision(**{**one, "verdict": Verdict(one["verdict"])})
            for one in told["decisions"]
        ),
        status=RunStatus(told["status"]),
        started_at=told["started_at"],
        ended_at=told["ended_at"],
        branch_of=told["branch_of"],
        foreign=told["foreign"],
        remarks=tuple(told["remarks"]),
    )


def content(run: Trajectory) -> bytes:
    """What makes a run the same run when it is imported again: all that it tells but its places.

    A session that went on is another content under the same ``source_id``, and a new record.
    """
    return canonical.encode(
        {
            "source": run.source_id,
            "status": str(run.status),
            "steps": [
                [str(one.kind), one.text, one.who, one.at, one.name, one.call, one.failed]
                for one in run.steps
            ],
            "decisions": [_decision(one) for one in run.decisions],
        }
    )


def _step(step: Step) -> dict[str, Any]:
    told: dict[str, Any] = {
        "kind": str(step.kind),
        "text": step.text,
        "span": [step.span.start, step.span.end] if step.span else None,
        "place": [step.line, step.start, step.end],
    }
    for name in ("who", "at", "name", "call", "failed"):
        if value := getattr(step, name):
            told[name] = value
    if step.omitted is not None:
        told["omitted"] = [step.omitted.size, step.omitted.sha256, step.omitted.media_type]
    return told


def _read_step(told: Mapping[str, Any]) -> Step:
    line, start, end = told["place"]
    return Step(
        kind=StepKind(told["kind"]),
        text=told["text"],
        span=Span(*told["span"]) if told["span"] else None,
        line=line,
        start=start,
        end=end,
        who=told.get("who", ""),
        at=told.get("at"),
        name=told.get("name", ""),
        call=told.get("call", ""),
        failed=bool(told.get("failed")),
        omitted=Omitted(*told["omitted"]) if "omitted" in told else None,
    )


def _decision(one: HumanDecision) -> dict[str, Any]:
    return {
        "verdict": str(one.verdict),
        "step": one.step,
        "reason": one.reason,
        "edit": one.edit,
        "by": one.by,
        "at": one.at,
        "review_id": one.review_id,
        "weak": one.weak,
    }

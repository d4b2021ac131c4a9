"""Runs for tests: lines of a transcript as records, staged over a real store."""

from __future__ import annotations

from importers.json_reading.slices import Slice
from importers.runs import RunBuilder
from store.records import Origin, Read, Reading
from store.trajectories import HumanDecision, StepKind, Verdict

AT = "2026-03-01T10:00:00Z"


def run(
    name: str,
    steps,
    decisions=(),
    *,
    session: str = "s-1",
    at: int = 0,
    **run_ids: str,
) -> Read:
    """One run over lines; a step is ``(kind, text)`` or ``(kind, text, fields)``."""
    builder = RunBuilder()
    place = at
    for number, step in enumerate(steps, 1):
        kind, text, *more = step
        raw = text.encode()
        line = Slice(number, place, place + len(raw), raw)
        place += len(raw) + 1
        builder.add(StepKind(kind), text, line, **(more[0] if more else {}))
    for one in decisions:
        builder.decide(HumanDecision(**{**one, "verdict": Verdict(one["verdict"])}))
    builder.run = {"session": session, **run_ids}
    return builder.read(f"test:{session}/{name}", started_at=AT)


def reading(reads, name: str = "session.jsonl", importer: str = "test") -> Reading:
    """Reads as one source."""
    origin = Origin(name, "0" * 64, 1_000, "application/jsonl", importer, "1", AT)
    return Reading(origin, iter(list(reads)))

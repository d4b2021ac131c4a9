"""Mem0's ``messages`` table: the latest talk of each session, kept beside the history.

Only the last ten messages of a session are there. They are evidence: one run for each thing that
a person said with what follows it, and no memory. Rows have no bytes of their own, so the bytes of
a run are its rows as canonical JSON, one a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from importers import fields
from importers.faults import RecordFaultError
from importers.json_reading.slices import Slice
from importers.runs import RunBuilder
from importers.sqlite_tables import Row, Tables
from store.records import Nothing, NothingReason, Place, Read, Remark, RemarkCode
from store.trajectories import StepKind, Trajectory

TABLE: Final = "messages"
_KINDS: Final = {
    "user": StepKind.INPUT,
    "assistant": StepKind.SAID,
    "system": StepKind.INSTRUCTION,
    "tool": StepKind.RESULT,
}


def read(tables: Tables) -> Iterator[Read | Remark]:
    """The runs of every session, by session, then the rows that cannot be read."""
    if TABLE not in tables.names or not {"role", "content"} <= set(tables.columns(TABLE)):
        return
    sessions: dict[str, list[Row]] = {}
    other: list[Read] = []
    for row in tables.rows(TABLE):
        if row.fault is not None:
            other.append(Read(row.place, row.raw, row.fault))
            continue
        try:
            sessions.setdefault(_checked(row), []).append(row)
        except RecordFaultError as fault:
            other.append(Read(row.place, row.raw, fault.failed))
    if sessions:
        yield Remark(RemarkCode.ONLY_RECENT)
        yield Remark(RemarkCode.NO_DECISIONS)
    for scope, rows in sessions.items():
        for turn in _turns(rows):
            yield _run(scope, turn)
    yield from other


def _checked(row: Row) -> str:
    """The session of a row whose other fields are of the right type.

    Raises:
        RecordFaultError: ``FIELD_INVALID`` or ``TIME_INVALID``.
    """
    for name in ("role", "content", "name"):
        fields.text(row.record, name)
    fields.instant(row.record, "created_at")
    return fields.identity(row.record, "session_scope") or ""


def _turns(rows: list[Row]) -> Iterator[list[Row]]:
    turn: list[Row] = []
    for row in rows:
        if turn and row.record.get("role") == "user":
            yield turn
            turn = []
        turn.append(row)
    yield turn


def _run(scope: str, rows: list[Row]) -> Read:
    run = RunBuilder(member=rows[0].place.member)
    end = 0
    for row in rows:
        line = Slice(0, end, end + len(row.raw), row.raw)
        end += len(row.raw) + 1
        text = fields.text(row.record, "content")
        at = fields.instant(row.record, "created_at")
        if text:
            role = (fields.text(row.record, "role") or "").lower()
            name = fields.text(row.record, "name")
            kind = _KINDS.get(role, StepKind.NOTE)
            run.add(kind, text, line, who=name or role, at=at.text if at else None)
    run.run = {"session": scope}
    if scope:
        run.foreign["claimed_tenant"] = scope
    first = fields.identity(rows[0].record, "id") or rows[0].place.member
    found = run.read(f"mem0:messages/{scope}/{first}").found
    size = rows[0].place.end
    place = Place(line=0, start=0, end=size, member=rows[0].place.member)
    raw = b"".join(row.raw + b"\n" for row in rows)
    if not isinstance(found, Trajectory):
        return Read(place, raw[:1024], Nothing(NothingReason.EMPTY_RUN))
    steps = tuple(replace(step, line=0, start=0, end=size) for step in found.steps)
    return Read(place, raw, replace(found, steps=steps))

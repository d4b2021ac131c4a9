"""A MemCell of EverMemOS: the messages that memories were made of. A run, and no memory."""

from __future__ import annotations

from typing import Final

from importers import fields
from importers.evermemos import origins, steps
from importers.evermemos.origins import SYSTEM
from importers.faults import RecordFaultError
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject
from importers.runs import RunBuilder
from store.records import FailReason, Read, RemarkCode
from store.trajectories import StepKind

_TAKEN: Final = frozenset({"episode", "summary", "foresights", "event_log", "agent_case"})


def read(record: JsonObject, piece: Slice) -> Read:
    """The cell as one run.

    Raises:
        RecordFaultError: ``FIELD_INVALID`` or ``TIME_INVALID``.
    """
    messages = record.get("original_data")
    if not isinstance(messages, list):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="original_data")
    origin = origins.of(record, _TAKEN, modified_at=None)
    builder = RunBuilder(element=piece)
    for value in messages:
        if not isinstance(value, dict):
            builder.add(StepKind.NOTE, fields.canonical(value).decode())
            continue
        message = steps.message(value, {})
        for draft in message.drafts:
            builder.add(
                draft.kind,
                draft.text,
                who=message.who,
                at=message.at,
                name=draft.name,
                call=draft.call,
            )
        if message.zone_assumed:
            builder.remarks[RemarkCode.TIME_ZONE_ASSUMED] = None
    native = origin.native or fields.fingerprint(fields.canonical(record).decode())
    builder.run |= {"cell": native, "group": origin.scope.get("group", "")}
    builder.foreign |= origin.foreign
    return builder.read(SYSTEM + native, ended_at=origin.written_at)

"""An episode: what went into the graph, as a run that is evidence for its edges."""

from __future__ import annotations

import re
from typing import Final

from importers import fields
from importers.faults import RecordFaultError
from importers.graphiti import times
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject
from importers.runs import RunBuilder
from store.records import FailReason, Read, RemarkCode
from store.trajectories import StepKind

_SPEAKER: Final = re.compile(r"([^\s:][^:\n]{0,60}?)\s?:[ \t]+(?=\S)")
_AGENTS: Final = frozenset({"assistant", "agent", "ai", "bot", "model", "ассистент", "бот"})
_ROLE: Final = re.compile(r"\(([^()]{1,20})\)\s*$")
_TAKEN: Final = frozenset({"uuid", "content", "valid_at", "name", "content_embedding"})


def read(record: JsonObject, piece: Slice, system: str) -> Read:
    """The episode as a run of one element.

    Raises:
        RecordFaultError: If a field is wrong.
    """
    content = record.get("content")
    if content is not None and not isinstance(content, str):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="content")
    native = fields.needed(record, "uuid")
    run = RunBuilder(piece)
    happened = times.instant(record, "valid_at")
    written = times.instant(record, "created_at")
    found = happened or written
    if found and found.tz_assumed:
        run.remarks[RemarkCode.TIME_ZONE_ASSUMED] = None
    at = found.text if found else None
    sort = fields.text(record, "source") or ""
    for kind, who, text in _turns(content or "", sort):
        run.add(kind, text, who=who, at=at)
    group = fields.identity(record, "group_id") or ""
    run.run |= {"group": group, "episode": native}
    run.foreign |= {
        name: fields.told(one)
        for name, one in record.items()
        if name not in _TAKEN and one not in (None, "", [], {})
    }
    if group:
        run.foreign["claimed_tenant"] = group
    if name := fields.text(record, "name"):
        run.foreign["name"] = name
    return run.read(system + native)


def _turns(content: str, sort: str) -> list[tuple[StepKind, str, str]]:
    """Turns ``actor: text`` of a conversation; anything else is one document."""
    if not content.strip():
        return []
    if sort not in ("message", ""):
        return [(StepKind.RECALLED, "", content.strip())]
    found: list[tuple[StepKind, str, str]] = []
    for row in content.split("\n"):
        said = _SPEAKER.match(row)
        if said:
            who = said[1].strip()
            found.append((_kind(who), who, row[said.end() :].strip()))
        elif found and row.strip():
            kind, who, text = found[-1]
            found[-1] = (kind, who, f"{text}\n{row.rstrip()}")
        elif row.strip():
            found.append((StepKind.INPUT, "", row.strip()))
    return found


def _kind(who: str) -> StepKind:
    role = _ROLE.search(who)
    word = (role[1] if role else who).strip().lower()
    if word == "system":
        return StepKind.INSTRUCTION
    return StepKind.SAID if word in _AGENTS else StepKind.INPUT

"""One EverMemOS conversation while its messages go by: where a run begins, and what is in none.

A run begins with what a person says once the one before was answered, and holds what follows; so
a chat of people alone is one run.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from importers import fields, reads
from importers.evermemos import steps
from importers.evermemos.steps import Message
from importers.faults import RecordFaultError
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject, parse_object
from importers.native_ids import Ids
from importers.runs import RunBuilder
from store.records import Nothing, NothingReason, Read, RemarkCode
from store.trajectories import StepKind

SYSTEM: Final = "evermemos:"
_UTC: Final = ("UTC", "Etc/UTC", "GMT", "Z")
_ANSWERS: Final = frozenset({StepKind.SAID, StepKind.ACTION, StepKind.RESULT})
_KEPT: Final = ("scene", "name", "description", "default_timezone", "tags", "created_at")
_MAX_REFERENCES: Final = 100


class Chat:
    """Takes messages in order and gives runs as they end."""

    def __init__(self, meta: JsonObject, tally: reads.Tally) -> None:
        """``meta`` is what the file says of the whole conversation."""
        self._tally = tally
        self._ids = Ids()
        self._group = _word(meta, "group_id")
        self._kept = {name: fields.told(meta[name]) for name in _KEPT if meta.get(name)}
        self._utc = meta.get("default_timezone") in _UTC
        self._roles, people = _people(meta)
        if people:
            self._kept["participants"] = people
        self._run: RunBuilder | None = None
        self._own = ""
        self._answered = False
        self._refers: dict[str, object] = {}

    def take(self, piece: Slice) -> Iterator[Read]:
        """The run that this message ends, if it does; itself, if it belongs to none."""
        place = reads.place_of(piece)
        if piece.fault is not None:
            yield Read(place, piece.raw, piece.fault)
            return
        if not piece.raw or piece.raw.isspace():
            yield Read(place, piece.raw, Nothing(NothingReason.BLANK_LINE))
            return
        try:
            record = parse_object(piece.raw, last=piece.last, shallow=piece.shallow)
            message = steps.message(record, self._roles)
        except RecordFaultError as fault:
            yield Read(place, piece.raw, fault.failed)
            return
        if self._is_copy(message, piece.raw):
            yield Read(place, piece.raw, Nothing(NothingReason.COPIED_LINE))
        elif not message.drafts:
            yield Read(place, piece.raw, Nothing(NothingReason.EMPTY_TEXT))
        else:
            if self._answered and message.drafts[0].kind is StepKind.INPUT:
                yield from self.end()
            self._add(message, piece)

    def end(self) -> Iterator[Read]:
        """The run that is under way, if there is one."""
        if self._run is None:
            return
        if self._refers:
            self._run.foreign["refers_to"] = self._refers
        yield self._run.read(f"{SYSTEM}{self._own}")
        self._run, self._answered, self._refers = None, False, {}

    def _is_copy(self, message: Message, raw: bytes) -> bool:
        if not message.native:
            return False
        before = self._ids.has(message.native)
        if self._ids.meet(message.native, raw):
            self._tally.add(RemarkCode.IDS_REPEATED)
            return False
        if before:
            self._tally.add(RemarkCode.COPIED_LINES)
        return before

    def _add(self, message: Message, piece: Slice) -> None:
        run = self._run or self._begin(message, piece)
        for draft in message.drafts:
            run.add(
                draft.kind,
                draft.text,
                piece,
                who=message.who,
                at=message.at,
                name=draft.name,
                call=draft.call,
            )
            self._answered = self._answered or draft.kind in _ANSWERS
        if message.is_unknown:
            self._tally.add(RemarkCode.UNKNOWN_TYPES)
        if message.zone_assumed and not self._utc:
            run.remarks[RemarkCode.TIME_ZONE_ASSUMED] = None
        if message.refers_to and message.native and len(self._refers) < _MAX_REFERENCES:
            self._refers[message.native] = list(message.refers_to)

    def _begin(self, message: Message, piece: Slice) -> RunBuilder:
        native = message.native or fields.fingerprint(piece.raw.decode("utf-8", "replace"))
        self._own = f"{self._group}/{native}" if self._group else native
        self._run = RunBuilder()
        self._run.run["group"] = self._group
        self._run.foreign |= self._kept
        return self._run


def _word(meta: JsonObject, name: str) -> str:
    try:
        return fields.identity(meta, name) or ""
    except RecordFaultError:
        return ""


def _people(meta: JsonObject) -> tuple[dict[str, str], dict[str, object]]:
    """The role of each participant, and each one's name. Nothing else of them is kept."""
    roles: dict[str, str] = {}
    names: dict[str, object] = {}
    details = meta.get("user_details")
    for who, detail in details.items() if isinstance(details, dict) else ():
        if isinstance(detail, dict):
            if role := _word(detail, "role"):
                roles[who] = role
            names[who] = _word(detail, "full_name") or who
    return roles, names

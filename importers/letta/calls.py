"""Tool calls in an agent's messages, and what those of memory tools wrote.

A call's arguments are JSON in a string. A write that failed, or that a person denied, changed no
memory and gives no claim.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from importers import fields, reads
from importers.faults import RecordFaultError
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject, parse_object
from importers.letta import blocks
from importers.letta.blocks import SYSTEM
from importers.letta.document import Agent
from importers.runs import text_in
from store.cells import Edge, EdgeKind, Kind, Proposal, SourceType
from store.records import Failed, FailReason, Nothing, NothingReason, Read, RemarkCode

_TEXTS: Final = {
    "core_memory_append": ("content",),
    "core_memory_replace": ("new_content",),
    "memory_replace": ("new_str", "new_string"),
    "memory_insert": ("new_str", "new_string", "insert_text"),
    "memory_rethink": ("new_memory",),
    "rethink_memory": ("new_memory",),
    "archival_memory_insert": ("content",),
    "memory": ("file_text", "new_string", "new_str", "insert_text"),
}
_OLD: Final = ("old_content", "old_str", "old_string")
_LABELS: Final = ("label", "target_block_label", "path", "name")
_WHOLE: Final = frozenset({"memory_rethink", "rethink_memory", "create"})
_SAID: Final = frozenset(
    {*_LABELS, *_OLD, "request_heartbeat", "thinking"}.union(*_TEXTS.values())
)
SEND: Final = "send_message"


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call as a message writes it."""

    id: str
    name: str
    arguments: str
    """As written; canonical JSON where the file has an object."""

    @property
    def writes_memory(self) -> bool:
        """Whether it is a call of a tool that writes memory."""
        return self.name in _TEXTS

    def opened(self) -> JsonObject:
        """The arguments.

        Raises:
            RecordFaultError: If they are not one JSON object.
        """
        return parse_object(self.arguments.encode())


def calls(record: JsonObject) -> list[Call]:
    """The tool calls of a message, in any of the spellings.

    Raises:
        RecordFaultError: ``FIELD_INVALID``, naming ``tool_calls``.
    """
    told = record.get("tool_calls")
    if told is None:
        told = [record["tool_call"]] if record.get("tool_call") is not None else []
    if not isinstance(told, list):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="tool_calls")
    return [_call(one) for one in told]


def _call(told: object) -> Call:
    if not isinstance(told, dict):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="tool_calls")
    inner = told.get("function")
    function = inner if isinstance(inner, dict) else told
    own = fields.identity(told, "id") or fields.identity(told, "tool_call_id") or ""
    name = fields.text(function, "name", called="tool_calls") or ""
    arguments = function.get("arguments", function.get("input"))
    if arguments is None:
        arguments = ""
    elif not isinstance(arguments, str):
        arguments = fields.canonical(fields.told(arguments)).decode()
    return Call(own, name, arguments)


@dataclass(frozen=True, slots=True)
class Write:
    """A call that writes memory, with the message it stands in."""

    call: Call
    piece: Slice
    message: str
    """A name of the message that is the same in every export."""

    native: str
    at: str | None
    remarks: tuple[str, ...]
    model: str = ""


class Writes:
    """Makes claims of memory writes, following them, so that a replacement names the replaced."""

    def __init__(self, agent: Agent, *, modified_at: str | None) -> None:
        """Of one agent, whose name goes into every identity."""
        self._agent, self._modified_at = agent, modified_at
        self._made: dict[str, str] = {}

    def reads(self, write: Write, *, void: bool, answered: bool) -> Iterator[Read]:
        """The claims of one write. ``void`` if it failed or was denied."""
        place = reads.place_of(write.piece)
        try:
            arguments = write.call.opened()
            text = _text(arguments, _TEXTS[write.call.name])
            old = _text(arguments, _OLD)
            label = _label(arguments, write.call.name)
        except RecordFaultError as fault:
            failed = Failed(fault.failed.reason, name="tool_calls")
            yield Read(place, write.piece.raw, failed)
            return
        if void:
            yield Read(place, write.piece.raw, Nothing(NothingReason.NOT_A_MEMORY))
            return
        if not text:
            gone = arguments.get("command") == "delete" or old is not None
            reason = NothingReason.TOMBSTONE if gone else NothingReason.EMPTY_TEXT
            if arguments.get("command") == "rename":
                reason = NothingReason.NOT_A_MEMORY
            yield Read(place, write.piece.raw, Nothing(reason))
            return
        sort = write.call.name if write.call.name != "memory" else arguments.get("command")
        parts = (
            [one.text for one in blocks.units(text) if not one.is_heading]
            if sort in _WHOLE
            else [text.strip()]
        )
        for n, part in enumerate(parts):
            which = f"#{n + 1}" if len(parts) > 1 else ""
            made = self._proposal(write, arguments, label, part, which)
            if not answered:
                made = replace(made, foreign={**made.foreign, "result": "absent"})
            yield blocks.placed(write.piece, made, text_in(write.piece.raw, part))
        if not parts:
            yield Read(place, write.piece.raw, Nothing(NothingReason.EMPTY_TEXT))

    def _proposal(
        self, write: Write, arguments: JsonObject, label: str, claim: str, which: str
    ) -> Proposal:
        kind = blocks.kind_of(label)
        owner = self._agent.name or self._agent.native or "agent"
        own = f"{SYSTEM}{owner}/{write.message}/{write.call.id or write.call.name}{which}"
        remarks = [*write.remarks, RemarkCode.MODEL_MADE, RemarkCode.ENCODED_TWICE]
        if write.at is None and self._modified_at:
            remarks.append(RemarkCode.WRITTEN_AT_ASSUMED)
        if kind is Kind.REFERENCE:
            remarks.append(RemarkCode.REFERENCE_ONLY)
        edges: tuple[Edge, ...] = ()
        if old := _text(arguments, _OLD):
            before = self._made.get(fields.fingerprint(label, old.strip()))
            edges = (Edge(EdgeKind.SUPERSEDES, before),) if before else ()
            if not before:
                remarks.append(RemarkCode.EDGE_TARGET_UNKNOWN)
        self._made[fields.fingerprint(label, claim)] = own
        foreign: dict[str, object] = {
            name: fields.told(one) for name, one in arguments.items() if name not in _SAID
        }
        foreign |= {"tool": write.call.name, "claimed_writer": owner}
        foreign |= {"replaced": old} if old else {}
        foreign |= {"message": write.native} if write.native else {}
        foreign |= {"model": write.model} if write.model else {}
        return Proposal(
            claim=claim,
            kind=kind,
            source_type=SourceType.AGENT_SUMMARY,
            source_id=own,
            written_at=write.at or self._modified_at,
            scope={"agent": owner} | ({"block": label} if label else {}),
            edges=edges,
            foreign=foreign,
            remarks=tuple(remarks),
        )


def _text(arguments: JsonObject, names: tuple[str, ...]) -> str | None:
    for name in names:
        value = arguments.get(name)
        if value is not None and not isinstance(value, str):
            raise RecordFaultError(FailReason.FIELD_INVALID, name="tool_calls")
        if value is not None:
            return value
    return None


def _label(arguments: JsonObject, tool: str) -> str:
    if tool == "archival_memory_insert":
        return ""
    found = _text(arguments, _LABELS) or ""
    return found.removeprefix("/memories/")

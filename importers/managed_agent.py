"""Reads the events of a managed agent's session: a recorded stream, or a list of its events.

A recorded stream has lines ``[call, what it gave]``; a list has the events alone, as lines, as a
list, or under ``data``. A run is a message of the user with what follows until the next one. A
person's ``tool_confirmation`` is a decision. Events that were sent are copies where the stream
tells them again. Nothing here is a memory.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from typing import Final

from importers import fields, reads
from importers.faults import RecordFaultError
from importers.json_reading import parts as json_parts
from importers.json_reading import slices as json_slices
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject
from importers.long_texts import parsed
from importers.managed_agent_steps import TURNS, Run, is_bookkeeping, status
from importers.source import Head, Source
from store.records import (
    FailReason,
    Nothing,
    NothingReason,
    Read,
    Remark,
    RemarkCode,
)
from store.trajectories import Omitted, StepKind

VERSION: Final = "1"
CANNOT_TELL: Final = (RemarkCode.EVIDENCE_ONLY,)
SYSTEM: Final = "managed-agent:"
_LISTS: Final = frozenset({"data", "events"})
_STREAM: Final = "client.beta.sessions.events.stream"
_SEND: Final = "client.beta.sessions.events.send"
_CREATE: Final = "client.beta.sessions.create"
_LOOKED_AT: Final = 20
_CALL: Final = re.compile(rb'\s*\[\s*"client\.beta\.sessions\.')
_EVENT: Final = re.compile(
    rb'"type"\s*:\s*"(?:user\.(?:message|interrupt|tool_confirmation|custom_tool_result)'
    rb"|agent\.(?:message|thinking|tool_use|tool_result|mcp_tool_use|mcp_tool_result"
    rb'|custom_tool_use)|session\.status_\w+|span\.model_request_\w+)"'
)
_ECHO: Final = re.compile(rb'"type"\s*:\s*"user\.')


def recognises(head: Head) -> bool:
    """Whether some of the first records are calls of the sessions' API, or its events."""
    if head.is_folder:
        return False
    found = islice(_pieces_of(BytesIO(head.data), head.data), _LOOKED_AT)
    return any(_is_own(piece.raw) for piece in found)


def _is_own(raw: bytes) -> bool:
    if _CALL.match(raw):
        return True
    begin = raw[:65_536]
    own = _EVENT.search(begin) is not None
    return own and begin.startswith(b"{") and (b'"sevt_' in begin or b'"processed_at"' in begin)


def _form(data: bytes) -> str:
    begin = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not begin.startswith(b"{"):
        return "lines" if _CALL.match(begin) else "list"
    for one in islice(json_slices.elements(BytesIO(data), _LISTS), 50):
        if isinstance(one, Slice):
            return "list" if one.key else "lines"
    return "lines"


def _pieces_of(stream: BytesIO, data: bytes) -> Iterator[Slice]:
    if _form(data) == "lines":
        yield from json_slices.lines(stream)
        return
    for one in json_slices.elements(stream, _LISTS):
        if isinstance(one, Slice):
            yield one


def read(source: Source) -> Iterator[Read | Remark]:
    """Every run, every event that is in none, then what holds for the whole file."""
    yield from (Remark(code) for code in CANNOT_TELL)
    yield from reads.with_tail(_Reader(source).reads())


class _Reader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._tally = reads.Tally()
        self._run = Run(self._tally)
        self._session: dict[str, str] = {}
        self._told: dict[str, object] = {}
        self._seen: set[int] = set()
        self._echoed = False

    def reads(self) -> Iterator[Read | Remark]:
        self._echoed = any(
            _STREAM.encode() in piece.raw[:80] and _ECHO.search(piece.raw)
            for piece in self._pieces()
        )
        for piece in self._pieces():
            try:
                yield from self._piece(piece)
            except RecordFaultError as fault:
                yield Read(reads.place_of(piece), piece.raw, fault.failed)
        yield from self._end()
        yield from self._tally.remarks()

    def _pieces(self) -> Iterator[Slice]:
        form = _form(self._source.head().data)
        with self._source.open() as stream:
            if form == "lines":
                yield from json_slices.lines(stream)
                return
            for one in json_slices.elements(stream, _LISTS):
                if isinstance(one, Slice):
                    yield one

    def _piece(self, piece: Slice) -> Iterator[Read]:
        if piece.fault is not None:
            raise RecordFaultError(piece.fault.reason, piece.fault.column)
        if not piece.raw or piece.raw.isspace():
            yield _nothing(piece, NothingReason.BLANK_LINE)
            return
        if not piece.raw.lstrip().startswith(b"["):
            yield from self._event(*parsed(piece), piece)
            return
        pair = list(islice(json_parts.elements(piece), 3))
        if len(pair) != 2 or not isinstance(call := json_parts.parsed(pair[0]), str):
            raise RecordFaultError(FailReason.WRONG_SHAPE)
        if call == _STREAM:
            yield from self._event(*parsed(pair[1]), piece)
        elif call == _SEND:
            yield from self._sent(pair[1], piece)
        elif call == _CREATE:
            yield from self._created(*parsed(pair[1]), piece)
        else:
            known = call.startswith("client.")
            self._tally.add(*([] if known else [RemarkCode.UNKNOWN_TYPES]))
            unknown = NothingReason.BOOKKEEPING if known else NothingReason.UNKNOWN_TYPE
            yield _nothing(piece, unknown)

    def _created(self, given: JsonObject, cut: dict[str, Omitted], piece: Slice) -> Iterator[Read]:
        """The session, and what the agent was told before anybody asked."""
        yield from self._end()
        agent = given.get("agent")
        held: JsonObject = agent if isinstance(agent, dict) else {}
        self._session = {"session": _text(given, "id"), "agent": _text(held, "id")}
        model = held.get("model")
        told = {"agent_name": _text(held, "name"), "title": _text(given, "title")}
        told["model"] = _text(model, "id") if isinstance(model, dict) else _text(held, "model")
        self._told = {name: value for name, value in told.items() if value}
        system = _text(held, "system")
        if not system:
            yield _nothing(piece, NothingReason.BOOKKEEPING)
            return
        found = fields.instant(given, "created_at")
        at = found.text if found else None
        self._run.builder.add(StepKind.INSTRUCTION, system, piece, at=at, omitted=cut.get(system))

    def _sent(self, given: Slice, piece: Slice) -> Iterator[Read]:
        """Events that were sent: read only where the stream does not tell them again."""
        parts = list(json_parts.elements(given)) if given.raw.startswith(b"[") else [given]
        if parts and parts[0].raw.startswith(b'"'):
            self._session["session"] = str(json_parts.parsed(parts.pop(0)))
        body, cut = parsed(parts[0]) if parts else ({}, {})
        held = body.get("events")
        events = held if isinstance(held, list) else []
        if self._echoed or not events:
            copied = NothingReason.DISTILLED_ELSEWHERE
            yield _nothing(piece, copied if events else NothingReason.BOOKKEEPING)
            return
        if not all(isinstance(event, dict) and _text(event, "type") for event in events):
            raise RecordFaultError(FailReason.FIELD_INVALID, name="events")
        for event in events:
            yield from self._event(event, cut, piece, alone=len(events) == 1)

    def _event(
        self, event: JsonObject, cut: dict[str, Omitted], piece: Slice, *, alone: bool = True
    ) -> Iterator[Read]:
        kind = fields.needed(event, "type")
        moment = fields.instant(event, "processed_at") or fields.instant(event, "created_at")
        at = moment.text if moment else None
        own = fields.text(event, "id") or ""
        if own and self._is_copy(own):
            self._tally.add(RemarkCode.COPIED_LINES)
            yield _nothing(piece, NothingReason.COPIED_LINE)
            return
        ended = status(event, kind)
        if is_bookkeeping(kind):
            if ended is not None:
                self._run.builder.status = ended
            if alone:
                yield _nothing(piece, NothingReason.BOOKKEEPING)
            return
        if kind in TURNS and self._run.asked:
            yield from self._end()
        if not self._run.first:
            self._run.first = own or fields.fingerprint(
                fields.canonical(event).decode("utf-8", "replace"), str(piece.start)
            )
        if ended is not None:
            self._run.builder.status = ended
        thread = _text(event, "session_thread_id")
        if thread and "thread" not in self._run.builder.run:
            self._run.builder.run["thread"] = thread
        if (session := _text(event, "session_id")) and not self._session.get("session"):
            self._session["session"] = session
        self._run.tell(event, cut, piece, at)

    def _is_copy(self, own: str) -> bool:
        made = hashlib.blake2b(own.encode("utf-8", "replace"), digest_size=7).digest()
        key = int.from_bytes(made, "little")
        copied = key in self._seen
        self._seen.add(key)
        return copied

    def _end(self) -> Iterator[Read]:
        """The run so far, if it has steps; then a new one begins."""
        run, self._run = self._run, Run(self._tally)
        if run.builder.steps:
            run.builder.run |= self._session
            run.builder.foreign |= self._told
            first = run.first or fields.fingerprint(run.builder.steps[0].text)
            yield run.builder.read(f"{SYSTEM}{self._session.get('session', '')}/{first}")


def _nothing(piece: Slice, reason: NothingReason) -> Read:
    return Read(reads.place_of(piece), piece.raw, Nothing(reason))


def _text(record: JsonObject, name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""

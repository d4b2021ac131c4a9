"""An agent's messages as runs: what the person asked, with all that followed until the next ask.

What a stranger gets wrong: not every ``user`` message is a person's. Older agents get logins,
heartbeats and alerts in that role, as JSON; these are notes. An answer to a request for approval
is the person's decision, and no ask. A system message that shows the memory blocks is a copy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from importers import fields, reads
from importers.faults import RecordFaultError
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject, parse_object
from importers.letta import calls as letta_calls
from importers.letta import content as letta_content
from importers.letta.blocks import SYSTEM
from importers.letta.calls import Write, Writes
from importers.letta.content import Part
from importers.letta.document import Agent
from importers.reads import Tally
from importers.runs import RunBuilder
from store.records import Nothing, NothingReason, Read, RemarkCode
from store.trajectories import HumanDecision, StepKind, Verdict

_LOCAL: Final = re.compile(r"message-\d{1,9}")
"""An id that only counts the messages of one file."""

_COPY: Final = re.compile(
    r"<memory_blocks>|<core_memory>|### (?:Core )?Memory \[|Core memory shown below"
    r"|<(?:persona|human) characters="
)
_ROLES: Final = frozenset({"user", "assistant", "tool", "function", "approval", "system"})


class Conversation:
    """Follows one agent's messages."""

    def __init__(self, agent: Agent, *, modified_at: str | None, tally: Tally) -> None:
        """``tally`` counts messages of roles that are not known."""
        self._agent, self._tally = agent, tally
        self._writes = Writes(agent, modified_at=modified_at)
        self._begin()

    def _begin(self) -> None:
        self._run = RunBuilder()
        self._first = ""
        self._pending: list[Write] = []
        self._actions: dict[str, int] = {}
        self._requests: dict[str, list[str]] = {}
        self._asked: set[str] = set()
        self._void: set[str] = set()
        self._answered: set[str] = set()

    def add(self, piece: Slice) -> Iterator[Read]:
        """Take one message; gives the run that it ends, or its own record if it is in none."""
        place = reads.place_of(piece)
        if piece.fault is not None:
            yield Read(place, piece.raw, piece.fault)
            return
        try:
            record = parse_object(piece.raw, last=piece.last, shallow=piece.shallow)
            message = _Message(record, piece)
        except RecordFaultError as fault:
            yield Read(place, piece.raw, fault.failed)
            return
        if message.role == "system" and any(_COPY.search(one.text) for one in message.parts):
            yield Read(place, piece.raw, Nothing(NothingReason.DISTILLED_ELSEWHERE))
            return
        if message.is_ask:
            yield from self.end()
        before = len(self._run.steps) + self._run.beyond
        self._take(message)
        if len(self._run.steps) + self._run.beyond == before:
            yield Read(place, piece.raw, Nothing(NothingReason.EMPTY_TEXT))
        elif not self._first:
            self._first = message.key

    def end(self) -> Iterator[Read]:
        """The run so far, then what its memory tools wrote."""
        if self._run.steps:
            owner = self._agent.name or self._agent.native or "agent"
            self._run.run |= {"agent": owner, "agent_id": self._agent.native}
            yield self._run.read(f"{SYSTEM}{owner}/{self._first}")
            for write in self._pending:
                own = write.call.id
                waits = own in self._asked and own not in self._answered
                void = bool(own) and (own in self._void or waits)
                answered = not own or own in self._answered
                yield from self._writes.reads(write, void=void, answered=answered)
        self._begin()

    def _take(self, message: _Message) -> None:
        if message.tz_assumed:
            self._run.remarks[RemarkCode.TIME_ZONE_ASSUMED] = None
        if message.role not in _ROLES:
            self._tally.add(RemarkCode.UNKNOWN_TYPES)
        if message.returns:
            for one in message.returns:
                self._add(message, StepKind.RESULT, one)
        else:
            for part in message.parts:
                self._add(message, self._kind(message, part), part)
        for call in message.calls:
            self._call(message, call)
        self._decide(message)

    def _kind(self, message: _Message, part: Part) -> StepKind:
        if part.kind is not None:
            return part.kind
        if message.role in ("tool", "function"):
            return StepKind.RESULT
        if message.role == "system":
            return StepKind.INSTRUCTION
        if message.role in ("assistant", "approval") and not message.approvals:
            thinks = message.calls and self._agent.speaks_through_a_tool
            return StepKind.THOUGHT if thinks else StepKind.SAID
        return StepKind.INPUT if message.is_ask else StepKind.NOTE

    def _add(self, message: _Message, kind: StepKind, part: Part) -> None:
        if part.opened:
            self._run.remarks[RemarkCode.ENCODED_TWICE] = None
        if part.omitted is not None:
            self._run.remarks[RemarkCode.BULK_REPLACED] = None
        call = part.call or (message.call if kind is StepKind.RESULT else "")
        self._run.add(
            kind,
            part.text,
            message.piece,
            who=message.who,
            at=message.at,
            name=part.name or (message.name if kind is StepKind.RESULT else ""),
            call=call,
            failed=part.failed,
            omitted=part.omitted,
        )
        if kind is StepKind.RESULT and call:
            self._answered.add(call)
            if part.failed:
                self._void.add(call)

    def _call(self, message: _Message, call: letta_calls.Call) -> None:
        spoken = None
        if call.name == letta_calls.SEND:
            try:
                spoken = fields.text(call.opened(), "message")
            except RecordFaultError:
                spoken = None
        kind, text = (StepKind.SAID, spoken) if spoken else (StepKind.ACTION, call.arguments)
        if spoken:
            self._run.remarks[RemarkCode.ENCODED_TWICE] = None
        index = self._run.add(
            kind,
            text,
            message.piece,
            who=message.who,
            at=message.at,
            name=call.name,
            call=call.id,
        )
        self._actions[call.id] = index
        if message.role == "approval":
            self._asked.add(call.id)
            self._requests.setdefault(message.native, []).append(call.id)
        if call.writes_memory:
            zone = (RemarkCode.TIME_ZONE_ASSUMED,) if message.tz_assumed else ()
            said = (message.key, message.native, message.at, zone, message.model)
            self._pending.append(Write(call, message.piece, *said))

    def _decide(self, message: _Message) -> None:
        for one in message.approvals:
            own = [one.call] if one.call else self._requests.get(one.request, [])
            for call in own or [""]:
                self._answered.add(call)
                if not one.approve:
                    self._void.add(call)
                self._run.decide(
                    HumanDecision(
                        verdict=Verdict.ACCEPT if one.approve else Verdict.REJECT,
                        step=self._actions.get(call, -1),
                        reason=one.reason,
                        by=message.sender,
                        at=message.at,
                        review_id=f"{SYSTEM}{message.key}/{call}".rstrip("/"),
                    )
                )
            if not message.parts:
                text = one.reason or f'"approve": {"true" if one.approve else "false"}'
                self._add(message, StepKind.NOTE, Part(text, call=one.call))


class _Message:
    """One message, with its fields checked."""

    def __init__(self, record: JsonObject, piece: Slice) -> None:
        self.piece = piece
        self.role = fields.needed(record, "role")
        self.native = fields.identity(record, "id") or ""
        found = fields.instant(record, "created_at")
        self.at = found.text if found else None
        self.tz_assumed = bool(found and found.tz_assumed)
        self.name = fields.text(record, "name") or ""
        self.sender = fields.text(record, "sender_id") or ""
        self.who = self.sender or (self.name if self.role != "tool" else "")
        self.call = fields.identity(record, "tool_call_id") or ""
        self.model = fields.text(record, "model") or ""
        self.calls = letta_calls.calls(record)
        self.returns = letta_content.returns(record) or letta_content.given_back(record)
        self.parts = letta_content.parts(record, self.role)
        self.approvals = letta_content.approvals(record)
        if self.native and not _LOCAL.fullmatch(self.native):
            self.key = self.native
        else:
            content = fields.canonical(fields.told(record.get("content"))).decode()
            told = fields.canonical(fields.told(record.get("tool_calls"))).decode()
            mark = fields.fingerprint(self.role, self.at or "", content, told)[:16]
            self.key = f"message-{mark}"

    @property
    def is_ask(self) -> bool:
        """Whether a person begins a turn with it."""
        return (
            self.role == "user"
            and not self.approvals
            and any(one.kind is None for one in self.parts)
        )

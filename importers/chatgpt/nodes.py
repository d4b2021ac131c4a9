"""The mapping of one ChatGPT conversation as messages, each with the message it follows.

Nodes without a message only join others. A parent that is not there is looked for among those who
name the node as their child; a node without either is a root, and there may be several.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from importers import fields, long_texts, reads
from importers.chat_runs import Message
from importers.chatgpt.content import Content, string
from importers.chatgpt.contexts import Found
from importers.chatgpt.feedback import Feedback
from importers.faults import RecordFaultError
from importers.json_reading import parts
from importers.json_reading.slices import Slice
from store.records import FailReason, Read, RemarkCode
from store.trajectories import StepKind

_STEPS_BACK: Final = 50
"""Messages that are looked back over for what was asked, or for the call of a result."""


class Told(NamedTuple):
    """A message, and what of its content others need."""

    message: Message
    content: Content | None
    """None for a message that could not be read."""


class Nodes:
    """The nodes of one conversation."""

    def __init__(self, chat: str, feedback: Feedback) -> None:
        """Begin with none; ``feedback`` gives the thumbs of this chat's messages."""
        self._chat, self._feedback = chat, feedback
        self._parents: dict[str, str | None] = {}
        self._named_child: dict[str, str] = {}
        self._told: dict[str, Told] = {}

    def add(self, key: str, part: Slice, member: str) -> Iterator[Read]:
        """Read one node; gives a failed ``Read`` if that cannot be done."""
        try:
            value, cut = long_texts.parsed(part)
            self._join(key, value)
            if value.get("message") is None:
                return
            told = _object(value["message"])
            content = Content(told, cut, key=key)
            created = told.get("create_time")
            at = fields.instant(told, "create_time") if created != 0 else None
            remarks: list[RemarkCode] = []
            if content.unknown:
                remarks.append(RemarkCode.UNKNOWN_TYPES)
            if any(one.omitted for one in content.drafts):
                remarks.append(RemarkCode.STEPS_CUT)
            message = Message(
                key=key,
                part=part,
                parent=None,
                opens=content.opens,
                who=content.name or content.role,
                at=at,
                steps=tuple(content.drafts),
                remarks=tuple(remarks),
                foreign=content.foreign,
                decision=self._feedback.of(self._chat, string(told, "id"), key),
            )
            self._told[key] = Told(message, content)
        except RecordFaultError as fault:
            yield Read(reads.place_of(part, member), part.raw, fault.failed)
            if key not in self._parents:
                self._join(key, _outline(part))
            hole = Message(key, part, None, False, "", None, ())
            self._told[key] = Told(hole, None)

    def leaf(self, current: str | None) -> str | None:
        """The message that ``current`` stands for: itself, or the nearest one before it."""
        if current is None or current in self._told:
            return current
        return self._above(current)

    def messages(self) -> list[Message]:
        """All messages with their parents; results with the id of their call."""
        told: list[Message] = []
        for key, one in self._told.items():
            message = one.message
            call = self._call_of(key) if one.content and one.content.role == "tool" else ""
            steps = message.steps
            if call:
                steps = tuple(
                    step._replace(call=call) if step.kind is StepKind.RESULT else step
                    for step in steps
                )
            told.append(
                Message(
                    key=key,
                    part=message.part,
                    parent=self._above(key),
                    opens=message.opens,
                    who=message.who,
                    at=message.at,
                    steps=steps,
                    remarks=message.remarks,
                    foreign=message.foreign,
                    decision=message.decision,
                )
            )
        return told

    def found(self) -> Iterator[Found]:
        """Every message that was read, with what a person asked before it."""
        for key, one in self._told.items():
            if one.content is not None:
                asked = self._asked(key) if one.content.recipient == "bio" else None
                yield Found(one.message.part, key, one.content, one.message.at, asked)

    def _join(self, key: str, node: dict[str, object]) -> None:
        parent = node.get("parent")
        self._parents[key] = parent if isinstance(parent, str) else None
        children = node.get("children")
        for child in children if isinstance(children, list) else ():
            if isinstance(child, str):
                self._named_child.setdefault(child, key)

    def _above(self, key: str) -> str | None:
        """The nearest message above a node; ``None`` for a root, or where nodes form a ring."""
        seen = {key}
        here = self._parent(key)
        while here is not None and here not in self._told:
            if here in seen:
                return None
            seen.add(here)
            here = self._parent(here)
        return here

    def _parent(self, key: str) -> str | None:
        named = self._parents.get(key)
        return named if named in self._parents else self._named_child.get(key)

    def _back(self, key: str) -> Iterator[Told]:
        here = self._above(key)
        for _ in range(_STEPS_BACK):
            if here is None:
                return
            yield self._told[here]
            here = self._above(here)

    def _asked(self, key: str) -> tuple[Slice, str, tuple[str, ...]] | None:
        for one in self._back(key):
            if one.message.opens:
                words = (step.text for step in one.message.steps if step.text)
                return one.message.part, one.message.key, tuple(words)
        return None

    def _call_of(self, key: str) -> str:
        for one in self._back(key):
            if one.message.opens:
                return ""
            for step in one.message.steps:
                if step.kind is StepKind.ACTION:
                    return step.call
        return ""


def _outline(part: Slice) -> dict[str, object]:
    """Parent and children of a node whose message cannot be read."""
    found: dict[str, object] = {}
    try:
        for name, one in parts.members(part):
            if name in ("parent", "children"):
                found[name] = parts.parsed(one)
    except RecordFaultError:
        pass
    return found


def _object(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="message")
    return value

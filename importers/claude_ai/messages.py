"""The messages of one Claude.ai conversation, each with the message it follows.

Older exports name no parents: messages follow one another by ``index``, or as they stand. Newer
ones name them. A parent that is not there is taken to be the message before; a message that cannot
be read keeps its place, so that its answers stay on their path.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from importers import fields, long_texts, reads
from importers.chat_runs import Message
from importers.claude_ai.steps import Steps
from importers.faults import RecordFaultError
from importers.json_reading import parts
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject
from store.records import RemarkCode
from store.trajectories import StepKind

_ROOT: Final = ""
_NO_PARENT: Final = "00000000-0000-"


class Messages:
    """The messages of one conversation."""

    def __init__(self, tally: reads.Tally) -> None:
        self._tally = tally
        self._found: list[Message] = []
        self._keys: set[str] = set()
        self._index: list[int | None] = []

    def add(self, part: Slice) -> None:
        """Read one more message.

        Raises:
            RecordFaultError: If it cannot be read; its place in the tree is kept all the same.
        """
        try:
            self._message(part)
        except RecordFaultError:
            self._hole(part)
            raise

    def linked(self) -> list[Message]:
        """The messages with a parent each: the one before, where none is named that is there."""
        found = self._found
        tree = any(one.parent for one in found)
        if not tree and None not in self._index:
            order = sorted(range(len(found)), key=lambda n: self._index[n] or 0)
            found = [found[n] for n in order]
        before: str | None = None
        told: list[Message] = []
        for one in found:
            parent = one.parent
            if not tree or (parent not in self._keys and parent != _ROOT):
                parent = before
            told.append(replace(one, parent=parent))
            before = one.key
        return told

    def _message(self, part: Slice) -> None:
        value, cut = long_texts.parsed(part)
        at = fields.instant(value, "created_at")
        steps = Steps(value, cut)
        remarks: list[RemarkCode] = []
        if steps.unknown:
            remarks.append(RemarkCode.UNKNOWN_TYPES)
        if cut:
            remarks.append(RemarkCode.STEPS_CUT)
        if any(one.omitted and one.text not in cut for one in steps.drafts):
            remarks.append(RemarkCode.BULK_REPLACED)
        index = value.get("index")
        self._index.append(index if type(index) is int else None)
        self._found.append(
            Message(
                key=self._key(fields.identity(value, "uuid")),
                part=part,
                parent=_parent(value),
                opens=steps.spoken is StepKind.INPUT and not steps.only_results,
                who=steps.who,
                at=at,
                steps=tuple(steps.drafts),
                remarks=tuple(remarks),
                foreign=steps.foreign,
            )
        )

    def _key(self, native: str | None) -> str:
        own = native or f"message-{len(self._found) + 1}"
        if own in self._keys:
            self._tally.add(RemarkCode.IDS_REPEATED)
            own = f"{own}+{len(self._found)}"
        self._keys.add(own)
        return own

    def _hole(self, part: Slice) -> None:
        """A message without steps, so that what follows a broken one stays on its path."""
        value: JsonObject = {}
        try:
            for name, one in parts.members(part):
                if name in ("uuid", "parent_message_uuid"):
                    value[name] = parts.parsed(one)
        except RecordFaultError:
            pass
        native = value.get("uuid")
        if isinstance(native, str):
            key = self._key(native)
            self._index.append(None)
            self._found.append(Message(key, part, _parent(value), False, "", None, ()))


def _parent(value: JsonObject) -> str | None:
    """The parent that the file names; ``_ROOT`` where it says that there is none."""
    named = value.get("parent_message_uuid")
    if "parent_message_uuid" not in value or not (named is None or isinstance(named, str)):
        return None
    return named if named and not named.startswith(_NO_PARENT) else _ROOT

"""What one message of a Claude.ai conversation comes to as steps, block by block.

``content`` is what was said; ``text`` is a flat copy of it, and stands in only where ``content``
holds no words. A pasted or attached document is what the agent was given, not what the person
said. ``approval_options`` are what was offered; the format does not tell what was clicked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Final

from importers import fields, times
from importers.chat_runs import Draft
from importers.faults import RecordFaultError
from store.records import FailReason
from store.trajectories import Omitted, StepKind

_SPOKEN: Final = {
    "human": StepKind.INPUT,
    "user": StepKind.INPUT,
    "assistant": StepKind.SAID,
    "system": StepKind.INSTRUCTION,
}
_PICTURES: Final = frozenset({"image", "document", "file", "audio"})
_NOTED: Final = frozenset({"token_budget", "flag", "redacted_thinking"})
_PLACEHOLDER: Final = "This block is not supported on your current device yet."


class Steps:
    """The steps of one message, and what else is said of it."""

    def __init__(self, message: Mapping[str, object], cut: Mapping[str, Omitted]) -> None:
        """Read the message; ``cut`` tells what was left out of texts that are too long.

        Raises:
            RecordFaultError: If a field is of a wrong type.
        """
        self.foreign: dict[str, object] = {}
        self.unknown = 0
        """Blocks and senders of types that are not known here."""

        self._cut = cut
        sender = fields.text(message, "sender") or fields.needed(message, "role")
        self.who = sender
        self.spoken = _SPOKEN.get(sender, StepKind.NOTE)
        self.unknown += sender not in _SPOKEN
        self.drafts = list(self._content(message))
        self.only_results = bool(self.drafts) and all(
            one.kind is StepKind.RESULT for one in self.drafts
        )
        self.drafts += self._attached(message)
        self._kept_beside(message)
        if not self.drafts and "files" in self.foreign:
            self.drafts.append(Draft(self.spoken, ""))

    def _content(self, message: Mapping[str, object]) -> Iterator[Draft]:
        content = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        drafts: list[Draft] = []
        for block in _list(blocks, "content"):
            drafts += self._block(_object(block, "content"))
        yield from drafts
        if not any(one.kind is self.spoken and one.text.strip() for one in drafts):
            text = _string(message, "text")
            if text and text.replace(_PLACEHOLDER, "").strip("`\n\r\t "):
                yield self._draft(self.spoken, text)

    def _block(self, block: Mapping[str, object]) -> Iterator[Draft]:
        sort = _string(block, "type")
        at = times.moment(block.get("start_timestamp"))
        began = at.text if at else None
        if sort in ("text", "voice_note"):
            text = _string(block, "text")
            if text.strip():
                yield self._draft(self.spoken, text, at=began)
        elif sort == "thinking":
            thought = _string(block, "thinking") or _string(block, "text")
            summaries = () if thought.strip() else _list(block.get("summaries"), "content")
            told = [thought, *(_string(_object(one, "content"), "summary") for one in summaries)]
            for text in told:
                if text.strip():
                    yield self._draft(StepKind.THOUGHT, text, at=began)
        elif sort == "tool_use":
            yield self._call(block, began)
        elif sort == "tool_result":
            yield from self._result(block, began)
        elif sort in _PICTURES:
            yield self._picture(block, self.spoken)
        else:
            self.unknown += sort not in _NOTED
            yield self._draft(StepKind.NOTE, _written(block), name=sort, at=began)

    def _call(self, block: Mapping[str, object], at: str | None) -> Draft:
        name, call = _string(block, "name"), _string(block, "id")
        offered = {
            key: fields.told(block[key])
            for key in ("approval_options", "approval_key", "integration_name")
            if block.get(key)
        }
        if offered:
            self._beside("calls", {"call": call, **offered})
        return self._draft(StepKind.ACTION, _written(block.get("input")), name, call, at=at)

    def _result(self, block: Mapping[str, object], at: str | None) -> Iterator[Draft]:
        content = block.get("content")
        name, call = _string(block, "name"), _string(block, "tool_use_id")
        failed = block.get("is_error") is True
        texts: list[str] = []
        if isinstance(content, str):
            texts.append(content)
        else:
            for one in _list(content, "content"):
                part = {"type": "text", "text": one} if isinstance(one, str) else one
                inner = _object(part, "content")
                sort = inner.get("type")
                if isinstance(sort, str) and sort in _PICTURES:
                    yield self._picture(inner, StepKind.RESULT, name, call)
                else:
                    texts.append(_string(inner, "text") or _written(inner))
        if texts or not content:
            text = texts[0] if len(texts) == 1 else "\n".join(texts)
            yield self._draft(StepKind.RESULT, text, name, call, failed=failed, at=at)

    def _picture(
        self, block: Mapping[str, object], kind: StepKind, name: str = "", call: str = ""
    ) -> Draft:
        """A picture or document in a block: its name, and a pointer where its bytes stood."""
        names = [_string(block, key) for key in ("file_name", "title", "file_uuid")]
        if given := next(filter(None, names), ""):
            self._beside("files", given)
        source = block.get("source")
        data = source.get("data") if isinstance(source, dict) else None
        omitted = None
        if isinstance(data, dict):
            size, digest = data.get("bytes"), data.get("sha256")
            media = source.get("media_type") if isinstance(source, dict) else None
            if isinstance(size, int) and isinstance(digest, str):
                omitted = Omitted(size, digest, media if isinstance(media, str) else "")
        return Draft(kind, given, name, call, omitted=omitted)

    def _attached(self, message: Mapping[str, object]) -> Iterator[Draft]:
        for one in _list(message.get("attachments"), "attachments"):
            attached = _object(one, "attachments")
            text = _string(attached, "extracted_content")
            name = _string(attached, "file_name")
            if text.strip():
                yield self._draft(StepKind.RECALLED, text, name)
            elif name:
                self._beside("files", name)

    def _kept_beside(self, message: Mapping[str, object]) -> None:
        for key in ("files", "files_v2"):
            for one in _list(message.get(key), key):
                name = one if isinstance(one, str) else _string(_object(one, key), "file_name")
                if name:
                    self._beside("files", name)
        if message.get("truncated") is True:
            self._beside("truncated", fields.identity(message, "uuid") or "")
        if message.get("chat_feedback"):
            self._beside("feedback", fields.told(message["chat_feedback"]))

    def _beside(self, name: str, value: object) -> None:
        told = self.foreign.setdefault(name, [])
        if isinstance(told, list) and value not in told:
            told.append(value)

    def _draft(
        self,
        kind: StepKind,
        text: str,
        name: str = "",
        call: str = "",
        *,
        failed: bool = False,
        at: str | None = None,
    ) -> Draft:
        return Draft(kind, text, name, call, failed, self._cut.get(text), at)


def _list(value: object, name: str) -> list[object]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise RecordFaultError(FailReason.FIELD_INVALID, name=name)
    return value


def _object(value: object, name: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise RecordFaultError(FailReason.FIELD_INVALID, name=name)
    return value


def _string(record: Mapping[str, object], name: str) -> str:
    """The string under ``name`` with its white space; empty when absent or null."""
    value = record.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise RecordFaultError(FailReason.FIELD_INVALID, name=name)
    return value


def _written(value: object) -> str:
    """A value as JSON, a string as it is."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)

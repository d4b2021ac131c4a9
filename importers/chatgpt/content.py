"""What the content of one ChatGPT message comes to as steps, by its ``content_type``.

Marks of citations are taken out of what the model and its tools wrote; a mark that holds the name
of something leaves that name. Custom instructions are instructions of the program to the agent,
its list of memories is what was recalled for it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

from importers import fields
from importers.chat_runs import Draft
from importers.faults import RecordFaultError
from importers.json_reading.strict import parse
from store.records import FailReason
from store.trajectories import Omitted, StepKind

_MARK: Final = re.compile("\ue200([^\ue200\ue201]{0,4000})\ue201")
_LEFT: Final = re.compile("[\ue200-\ue206]")
_BRACKETED: Final = re.compile("【[\\d:]{1,20}†[^】\n]{0,200}】")
_TEXTS: Final = frozenset({"text", "multimodal_text"})
_PLAIN: Final = {
    "code": ("text",),
    "execution_output": ("text",),
    "tether_quote": ("text",),
    "tether_browsing_code": ("text", "result"),
    "tether_browsing_display": ("result", "summary"),
    "system_error": ("text",),
    "reasoning_recap": ("content",),
    "user_editable_context": ("user_profile", "user_instructions"),
    "model_editable_context": (
        "model_set_context",
        "repository",
        "repo_summary",
        "structured_context",
    ),
}
_KINDS: Final = {
    "execution_output": StepKind.RESULT,
    "tether_quote": StepKind.RESULT,
    "tether_browsing_code": StepKind.RESULT,
    "tether_browsing_display": StepKind.RESULT,
    "reasoning_recap": StepKind.NOTE,
    "user_editable_context": StepKind.INSTRUCTION,
    "model_editable_context": StepKind.RECALLED,
}
_ROLES: Final = frozenset({"user", "assistant", "tool", "system"})


def plain(text: str) -> str:
    """``text`` without marks of citations."""
    if "\ue200" in text:
        text = _MARK.sub(_named, text)
    return _BRACKETED.sub("", _LEFT.sub("", text))


class Content:
    """The steps of one message, and what else is said of it."""

    def __init__(
        self, message: Mapping[str, object], cut: Mapping[str, Omitted], *, key: str
    ) -> None:
        """Read the message; ``cut`` tells what was left out of texts that are too long.

        Raises:
            RecordFaultError: If a field is of a wrong type.
        """
        self._cut = cut
        author = _object(message.get("author"), "author")
        self.role = fields.needed(author, "role")
        self.name = fields.text(author, "name", called="author") or ""
        self.recipient = fields.text(message, "recipient") or "all"
        self.metadata = _object(message.get("metadata"), "metadata")
        self.hidden = self.metadata.get("is_visually_hidden_from_conversation") is True
        self.content = _object(message.get("content"), "content")
        self.sort = fields.text(self.content, "content_type") or ("text" if self.content else "")
        self.unknown = int(self.role not in _ROLES)
        self.foreign: dict[str, object] = {}
        self._call = key if self._is_call() else ""
        self.kind = self._kind()
        self.drafts = list(self._drafts())
        self._kept_beside()
        if not self.drafts and "files" in self.foreign and self.kind is StepKind.INPUT:
            self.drafts.append(Draft(self.kind, ""))

    @property
    def opens(self) -> bool:
        """Whether a person asks something here."""
        return self.kind is StepKind.INPUT

    def _is_call(self) -> bool:
        return self.role == "assistant" and self.recipient != "all"

    def _kind(self) -> StepKind:
        if self.sort in _KINDS:
            return _KINDS[self.sort]
        if self.role == "user":
            program = self.hidden or self.metadata.get("is_user_system_message") is True
            return StepKind.INSTRUCTION if program else StepKind.INPUT
        if self._is_call():
            return StepKind.ACTION
        known = {
            "assistant": StepKind.SAID,
            "tool": StepKind.RESULT,
            "system": StepKind.INSTRUCTION,
        }
        return known.get(self.role, StepKind.NOTE)

    def _drafts(self) -> Iterator[Draft]:
        if self.sort in _TEXTS:
            yield from self._parts()
        elif self.sort in _PLAIN:
            for name in _PLAIN[self.sort]:
                yield from self._said(string(self.content, name), self.kind)
        elif self.sort == "thoughts":
            for one in _list(self.content.get("thoughts"), "thoughts"):
                thought = _object(one, "thoughts")
                for name in ("summary", "content"):
                    yield from self._said(string(thought, name), StepKind.THOUGHT)
        elif self.sort:
            self.unknown += 1
            text = self.content.get("text")
            told = text if isinstance(text, str) else json.dumps(self.content, ensure_ascii=False)
            yield Draft(StepKind.NOTE, told, self.sort, omitted=self._cut.get(told))

    def _parts(self) -> Iterator[Draft]:
        for part in _list(self.content.get("parts"), "parts"):
            if isinstance(part, str):
                yield from self._said(part, self.kind)
                continue
            inner = _object(part, "parts")
            sort = string(inner, "content_type")
            if isinstance(text := inner.get("text"), str) and text:
                yield from self._said(text, self.kind)
            elif sort.endswith("asset_pointer"):
                self._beside("files", string(inner, "asset_pointer") or sort)
            elif inner:
                self.unknown += 1
                told = json.dumps(inner, ensure_ascii=False)
                yield Draft(StepKind.NOTE, told, sort)

    def _said(self, text: str, kind: StepKind) -> Iterator[Draft]:
        shown = text if self.role == "user" else plain(text)
        if not shown.strip():
            return
        name = ""
        if kind is StepKind.ACTION:
            name = self.recipient
        elif kind is StepKind.RESULT:
            name = self.name
        yield Draft(
            kind,
            shown,
            name or (string(self.content, "name") if self.sort == "system_error" else ""),
            self._call if kind is StepKind.ACTION else "",
            self.sort == "system_error",
            self._cut.get(text),
        )

    def _kept_beside(self) -> None:
        for one in _list(self.metadata.get("attachments"), "attachments"):
            name = string(_object(one, "attachments"), "name")
            if name:
                self._beside("files", name)
        for name, key in (("models", "model_slug"), ("finished", "finish_details")):
            value = self.metadata.get(key)
            told = value.get("type") if isinstance(value, dict) else value
            if isinstance(told, str) and told and self.role == "assistant":
                self._beside(name, told)
        if self.sort == "tether_quote" and (url := string(self.content, "url")):
            self._beside("quoted", url)

    def _beside(self, name: str, value: str) -> None:
        told = self.foreign.setdefault(name, [])
        if isinstance(told, list) and value not in told:
            told.append(value)


def _named(mark: re.Match[str]) -> str:
    """What a mark leaves in the text: the name, where it marks one."""
    sort, _, told = mark[1].partition("\ue202")
    if sort != "entity":
        return ""
    try:
        value = parse(told.encode())
    except RecordFaultError:
        return ""
    name = value[1] if isinstance(value, list) and len(value) > 1 else ""
    return name if isinstance(name, str) else ""


def string(record: Mapping[str, object], name: str) -> str:
    """The string under ``name`` with its white space; empty when absent or null.

    Raises:
        RecordFaultError: ``FIELD_INVALID`` if it is no string.
    """
    value = record.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise RecordFaultError(FailReason.FIELD_INVALID, name=name)
    return value


def _list(value: object, name: str) -> list[object]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise RecordFaultError(FailReason.FIELD_INVALID, name=name)
    return value


def _object(value: object, name: str) -> dict[str, object]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise RecordFaultError(FailReason.FIELD_INVALID, name=name)
    return value

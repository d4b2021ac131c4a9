"""One chat message as steps of a run, in OpenAI's shape and in the block shape beside it.

The arguments of a call are a JSON string and may be invalid; they are told as they stand. A weight
is for training and decides nothing.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

from importers import call_arguments, media_blocks
from importers.faults import RecordFaultError
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject, parse
from importers.reads import Tally
from importers.runs import RunBuilder
from store.records import FailReason, RemarkCode
from store.trajectories import Omitted, StepKind

ROLES: Final = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
_KINDS: Final = {
    "system": StepKind.INSTRUCTION,
    "developer": StepKind.INSTRUCTION,
    "user": StepKind.INPUT,
    "assistant": StepKind.SAID,
    "tool": StepKind.RESULT,
    "function": StepKind.RESULT,
}
_TEXTS: Final = frozenset({"text", "input_text", "output_text", "refusal"})
_BULK: Final = {"image_url": ("url",), "input_audio": ("data",), "file": ("file_data",)}
_DATA_URL: Final = re.compile(r"data:([\w.+-]{1,60}/[\w.+-]{1,60})?(?:;[\w=-]{1,60})?;base64,")
_THOUGHTS: Final = ("reasoning_content", "reasoning")


class Run:
    """One run under way."""

    def __init__(self, tally: Tally, element: Slice | None = None) -> None:
        """``element`` is the piece of the source that the run is, if it is one."""
        self.builder = RunBuilder(element)
        self.asked = False
        self._tally = tally
        self._calls: dict[str, str] = {}
        self._weights: dict[str, object] = {}
        self._invalid = 0

    def tell(
        self, message: JsonObject, cut: dict[str, Omitted], piece: Slice | None = None
    ) -> int:
        """Add the steps of a message and return the index of the first; -1 if it has none.

        Raises:
            RecordFaultError: If it has no role, or a content that is none.
        """
        before = len(self.builder.steps)
        _Message(self, message, cut, piece).tell()
        weight = message.get("weight")
        added = len(self.builder.steps) > before
        if added and isinstance(weight, int):
            self._weights[str(before)] = weight
            self.builder.foreign["weights"] = self._weights
        return before if added else -1

    def called(self, own: str, name: str) -> None:
        """Remember the tool of a call."""
        if own:
            self._calls[own] = name

    def tool(self, own: str) -> str:
        """The tool of a call made before."""
        return self._calls.get(own, "")

    def check(self, arguments: str) -> None:
        """Say whether arguments, JSON inside a string, are JSON."""
        try:
            parse(arguments.encode("utf-8", "replace"))
        except RecordFaultError:
            self._invalid += 1
            self.builder.foreign["invalid_arguments"] = self._invalid
        else:
            self.builder.remarks[RemarkCode.ENCODED_TWICE] = None

    def remark(self, code: RemarkCode) -> None:
        """Say something of the run, and count it for the source."""
        self.builder.remarks[code] = None
        self._tally.add(code)


class _Message:
    def __init__(
        self, run: Run, message: JsonObject, cut: dict[str, Omitted], piece: Slice | None
    ) -> None:
        self._run, self._message, self._cut, self._piece = run, message, cut, piece
        role = message.get("role")
        if not isinstance(role, str) or not role:
            reason = FailReason.FIELD_MISSING if role is None else FailReason.FIELD_INVALID
            raise RecordFaultError(reason, name="role")
        self._role = role
        self._kind = _KINDS.get(role, StepKind.NOTE)
        self._who = _text(message, "name") if role not in ("tool", "function") else ""
        self._call = _text(message, "tool_call_id")

    def tell(self) -> None:
        inner = self._message.get("message")
        wrapped = isinstance(inner, dict) and "content" not in self._message
        held = inner if wrapped else self._message
        content = held.get("content") if isinstance(held, dict) else None
        if content is not None and not isinstance(content, str | list):
            raise RecordFaultError(FailReason.FIELD_INVALID, name="content")
        if self._role not in ROLES:
            self._run.remark(RemarkCode.UNKNOWN_TYPES)
        thoughts = [text for name in _THOUGHTS if (text := _text(self._message, name))]
        for text in thoughts[:1]:
            self._add(StepKind.THOUGHT, text)
        self._content(content)
        if text := _text(self._message, "refusal"):
            self._add(StepKind.SAID, text, name="refusal")
        self._calls()
        if self._kind is StepKind.INPUT and self._spoke(content):
            self._run.asked = True

    def _content(self, content: str | list[object] | None) -> None:
        if isinstance(content, str) and (content or self._kind is not StepKind.SAID):
            self._add(self._kind, content)
        for part in content if isinstance(content, list) else ():
            if not isinstance(part, dict):
                raise RecordFaultError(FailReason.FIELD_INVALID, name="content")
            self._part(part)

    def _spoke(self, content: object) -> bool:
        """Whether a user's message is more than results of tools."""
        if not isinstance(content, list):
            return True
        return any(isinstance(one, dict) and one.get("type") != "tool_result" for one in content)

    def _add(
        self,
        kind: StepKind,
        text: str,
        *,
        name: str = "",
        call: str = "",
        failed: bool = False,
        left_out: Omitted | None = None,
    ) -> None:
        if kind is StepKind.RESULT and not call:
            call = self._call
            name = name or self._run.tool(call) or _text(self._message, "name")
        if left_out is not None:
            self._run.remark(RemarkCode.BULK_REPLACED)
        cut = self._cut.get(text)
        if cut is not None:
            self._run.builder.remarks[RemarkCode.STEPS_CUT] = None
        self._run.builder.add(
            kind,
            text,
            self._piece,
            who=self._who,
            name=name,
            call=call,
            failed=failed,
            omitted=left_out or cut,
        )

    def _part(self, part: JsonObject) -> None:
        sort = _text(part, "type")
        if sort in _TEXTS:
            name = "refusal" if sort == "refusal" else ""
            text = _text(part, "text") or _text(part, "refusal")
            self._add(self._kind, text, name=name)
        elif sort in ("image_url", "input_audio", "file"):
            text, left_out = _bulk(part, sort, self._cut)
            self._add(self._kind, text, name=sort, left_out=left_out)
        elif sort in media_blocks.MEDIA:
            text, left_out = media_blocks.named(part), media_blocks.omitted(part)
            self._add(self._kind, text, name=sort, left_out=left_out)
        elif sort == "thinking":
            self._add(StepKind.THOUGHT, _text(part, "thinking"))
        elif sort == "tool_use":
            self._action(_text(part, "id"), _text(part, "name"), part.get("input"))
        elif sort == "tool_result":
            own, failed = _text(part, "tool_use_id"), part.get("is_error") is True
            tool = self._run.tool(own)
            self._add(StepKind.RESULT, _said(part), name=tool, call=own, failed=failed)
        else:
            text = call_arguments.written(part, self._raw())
            self._add(StepKind.NOTE, text, name=sort[:100])
            self._run.remark(RemarkCode.UNKNOWN_TYPES)

    def _raw(self) -> bytes:
        return self._piece.raw if self._piece is not None else b""

    def _calls(self) -> None:
        calls = self._message.get("tool_calls")
        for one in calls if isinstance(calls, list) else ():
            if not isinstance(one, dict):
                raise RecordFaultError(FailReason.FIELD_INVALID, name="tool_calls")
            function = one.get("function") or one.get("custom")
            held = function if isinstance(function, dict) else {}
            arguments = held.get("arguments", held.get("input"))
            self._action(_text(one, "id"), _text(held, "name"), arguments)
        legacy = self._message.get("function_call")
        if isinstance(legacy, dict):
            self._action("", _text(legacy, "name"), legacy.get("arguments"))

    def _action(self, own: str, name: str, arguments: object) -> None:
        self._run.called(own, name)
        if isinstance(arguments, str):
            self._run.check(arguments)
        text = call_arguments.written(arguments, self._raw())
        self._add(StepKind.ACTION, text, name=name, call=own)


def _bulk(part: JsonObject, sort: str, cut: dict[str, Omitted]) -> tuple[str, Omitted | None]:
    """The address of a picture, a recording or a file, or what stands for its bytes."""
    inner = part.get(sort)
    held = inner if isinstance(inner, dict) else {"url": inner}
    for name in _BULK[sort]:
        value = held.get(name)
        if isinstance(value, dict):
            size, digest = value.get("bytes"), value.get("sha256")
            if isinstance(size, int) and isinstance(digest, str):
                return "", Omitted(size, digest, _text(value, "media_type"))
        if isinstance(value, str):
            url = _DATA_URL.match(value)
            if url is None and sort == "image_url":
                return value, None
            kind = url[1] or "" if url else _text(held, "format")
            if whole := cut.get(value):
                return "", Omitted(whole.size * 3 // 4, whole.sha256, kind)
            encoded = value[url.end() :] if url else value
            size = len(encoded) * 3 // 4 - encoded[-2:].count("=")
            return "", Omitted(size, hashlib.sha256(value.encode()).hexdigest(), kind)
    return _text(held, "file_id") or _text(held, "filename"), None


def _said(part: JsonObject) -> str:
    content = part.get("content")
    if isinstance(content, str):
        return content
    held = content if isinstance(content, list) else []
    return "\n".join(
        text for one in held if isinstance(one, dict) and (text := _text(one, "text"))
    )


def _text(record: JsonObject, name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""

"""Messages of a model as every tracing system writes them, told as utterances.

Read are: lists of ``{role, content}`` and ``{role, parts}``, with calls of tools beside or inside;
content blocks; items of the responses API; LangChain messages, serialised or not; the wrapped
messages of OpenInference; events that hold one message; results with ``choices`` or
``generations``. What is none of these is told as it stands and marked as loose.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from importers.traces import message_parts as parts
from importers.traces.json import Opener, written
from importers.traces.spans import Utterance
from store.trajectories import StepKind

ROLES: Final[Mapping[str, StepKind]] = {
    "user": StepKind.INPUT,
    "human": StepKind.INPUT,
    "humanmessage": StepKind.INPUT,
    "system": StepKind.INSTRUCTION,
    "developer": StepKind.INSTRUCTION,
    "systemmessage": StepKind.INSTRUCTION,
    "assistant": StepKind.SAID,
    "ai": StepKind.SAID,
    "aimessage": StepKind.SAID,
    "model": StepKind.SAID,
    "tool": StepKind.RESULT,
    "function": StepKind.RESULT,
    "toolmessage": StepKind.RESULT,
    "functionmessage": StepKind.RESULT,
}
_HOLDERS: Final = (
    "messages",
    "input_messages",
    "output_messages",
    "choices",
    "generations",
    "candidates",
    "output",
    "outputs",
    "response",
    "input",
    "inputs",
    "chat_history",
)
_PLAIN: Final = (
    *("input", "inputs", "question", "query", "prompt", "prompts", "text", "content"),
    *("output", "outputs", "answer", "response", "result", "completion", "generated_text"),
)
_SYSTEM: Final = ("system", "instructions", "system_instruction", "system_instructions")
_SETTINGS: Final = frozenset(
    {"model", "temperature", "max_tokens", "tools", "tool_choice", "stream", "top_p", "config"}
    | {"kwargs", "stop", "parameters", "options", "metadata", *_SYSTEM}
)
_DEEP: Final = 8


class Messages:
    """Reads the values of one trace. ``opener`` remembers what was encoded twice."""

    def __init__(self, opener: Opener) -> None:
        self._opener = opener

    def of(self, value: object, role: str) -> list[Utterance]:
        """What ``value`` says. ``role`` is whose words they are where the value does not say."""
        opened = self._opener.open(value)
        if opened in (None, "", [], {}):
            return []
        found = self._many(opened, role, 0)
        if found is not None:
            return found
        text = opened if isinstance(opened, str) else written(value)
        return [_loose(text, role)] if text.strip() else []

    def only(self, value: object, role: str) -> list[Utterance]:
        """What ``value`` says if it holds messages; nothing if it does not."""
        return [one for one in self.of(value, role) if not one.loose]

    def _many(self, value: object, role: str, deep: int) -> list[Utterance] | None:
        value = self._opener.open(value)
        if deep > _DEEP:
            return None
        if isinstance(value, list):
            return self._list(value, role, deep)
        if isinstance(value, dict):
            found = self._one(value, role, deep)
            return self._held(value, role, deep) if found is None else found
        return None

    def _list(self, items: list[object], role: str, deep: int) -> list[Utterance] | None:
        if len(items) == 2 and all(isinstance(one, str) for one in items):
            first, text = str(items[0]), str(items[1])
            if first.lower() in ROLES:
                return self._message({"role": first, "content": text}, role, deep)
        told: list[Utterance] = []
        known = False
        for item in items:
            if isinstance(item, list):
                found = self._list(item, role, deep + 1)
            elif isinstance(item, dict):
                found = self._one(item, role, deep)
            else:
                found = None
            known = known or found is not None
            told += [_loose(written(item), role)] if found is None else found
        return told if known else None

    def _one(self, item: dict[str, object], role: str, deep: int) -> list[Utterance] | None:
        """One message or one part of one; ``None`` if it is neither."""
        inner = item.get("message")
        if isinstance(inner, dict | str) and "role" not in item and deep < _DEEP:
            named = str(item.get("event.name", "")).split(".")[-2:-1]
            who = named[0] if named and named[0] in ROLES else role
            inside = self._opener.open(inner)
            if isinstance(inside, dict):
                return self._one(inside, who, deep + 1) or self._message(inside, who, deep)
            return [Utterance(kind_of(who), str(inner))]
        if "lc" in item and isinstance(item.get("kwargs"), dict):
            return self._serialised(item, role, deep)
        sort = item.get("type")
        word = sort.lower() if isinstance(sort, str) else ""
        data = item.get("data")
        if word in ROLES and isinstance(data, dict):
            return self._message({**data, "role": word}, role, deep)
        if "role" in item or "message.role" in item:
            return self._message(item, role, deep)
        if word in ROLES and "content" in item:
            return self._message({**item, "role": word}, role, deep)
        if named_event := item.get("event.name"):
            who = str(named_event).split(".")[-2] if "." in str(named_event) else role
            return self._message({**item, "role": who}, role, deep)
        if "parts" in item and isinstance(item["parts"], list):
            return self._message({**item, "role": role}, role, deep)
        return parts.part(item, kind_of(role), self._opener)

    def _serialised(self, item: dict[str, object], role: str, deep: int) -> list[Utterance] | None:
        kwargs, path = item["kwargs"], item.get("id")
        assert isinstance(kwargs, dict)
        last = str(path[-1]) if isinstance(path, list) and path else ""
        name = last.lower().removesuffix("chunk")
        if name in ROLES:
            return self._message({**kwargs, "role": name}, role, deep)
        if "messages" in kwargs:
            return self._many(kwargs["messages"], role, deep + 1)
        return None

    def _message(self, item: dict[str, object], role: str, deep: int) -> list[Utterance]:
        item = {key.removeprefix("message."): value for key, value in item.items()}
        kind = kind_of(str(item.get("role") or role), otherwise=role)
        return parts.message(item, kind, self._opener)

    def _held(self, item: dict[str, object], role: str, deep: int) -> list[Utterance] | None:
        """Messages under one of the keys under which systems put them."""
        first = self._instructions(item)
        for key in _HOLDERS:
            if isinstance(value := self._opener.open(item.get(key)), list | dict):
                found = self._many(value, role, deep + 1)
                if found is not None:
                    return first + found
        texts = {key: value for key, value in item.items() if value not in (None, "", [], {})}
        said = [key for key in texts if key not in _SETTINGS]
        if len(said) == 1 and said[0] in _PLAIN:
            value = texts[said[0]]
            if isinstance(value, str):
                return [*first, _loose(value, role)]
            if isinstance(value, list) and all(isinstance(one, str) for one in value):
                return [*first, *(_loose(str(one), role) for one in value)]
        if isinstance(item.get("text"), str) and {"generation_info", "logprobs"} & item.keys():
            return [Utterance(kind_of(role), str(item["text"]))]
        return None

    def _instructions(self, item: dict[str, object]) -> list[Utterance]:
        told: list[Utterance] = []
        for key in _SYSTEM:
            value = self._opener.open(item.get(key))
            if isinstance(value, str) and value.strip():
                told.append(Utterance(StepKind.INSTRUCTION, value))
            elif isinstance(value, list):
                told += [
                    Utterance(StepKind.INSTRUCTION, one.text)
                    for one in self._list(value, "system", 1) or []
                ]
        return told


def kind_of(role: str, *, otherwise: str = "") -> StepKind:
    """The kind of step that words of this role are; of a role that is not known, a note."""
    word = role.lower()
    return ROLES.get(word) or ROLES.get(otherwise.lower()) or StepKind.NOTE


def _loose(text: str, role: str) -> Utterance:
    return Utterance(kind_of(role), text, loose=True)

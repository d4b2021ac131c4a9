"""One message and the parts of its content: text, reasoning, calls of tools, their results."""

from __future__ import annotations

from typing import Final

from importers.traces.json import Opener, pointer_of, written
from importers.traces.spans import Utterance
from store.trajectories import StepKind

_TEXT: Final = frozenset({"text", "input_text", "output_text", "summary_text", "text-delta"})
_THOUGHT: Final = frozenset({"thinking", "reasoning", "redacted_thinking", "thought"})
_CALL: Final = frozenset(
    {"tool_call", "tool_use", "tool-call", "function_call", "server_tool_use", "mcp_call"}
    | {"custom_tool_call", "server_tool_call", "function", "tool_call_chunk"}
)
_RESULT: Final = frozenset(
    {"tool_call_response", "tool_result", "tool-result", "function_call_output"}
    | {"tool_response", "custom_tool_call_output", "web_search_tool_result"}
    | {"server_tool_call_response", "tool-return", "mcp_tool_result"}
)
_BULK: Final = frozenset(
    {"image", "image_url", "input_image", "input_audio", "audio", "file", "input_file", "blob"}
    | {"uri", "document", "video", "media", "compaction"}
)
_PYDANTIC: Final = {
    "system-prompt": StepKind.INSTRUCTION,
    "user-prompt": StepKind.INPUT,
    "text": StepKind.SAID,
    "thinking": StepKind.THOUGHT,
}
_ONLY: Final = ("output", "result", "content", "response", "text", "value", "return_value")
_WRAPS: Final = ("input", "args", "arguments", "kwargs", "parameters")


def message(item: dict[str, object], kind: StepKind, opener: Opener) -> list[Utterance]:
    """What one message says: reasoning first, then its content, then its calls."""
    told: list[Utterance] = []
    for key in ("reasoning_content", "reasoning", "thinking"):
        if isinstance(value := item.get(key), str) and value.strip():
            told.append(Utterance(StepKind.THOUGHT, value))
            break
    call = _word(item, "tool_call_id", "tool_use_id", "toolCallId", "call_id")
    who = _word(item, "name")
    content = next((item[key] for key in ("content", "contents", "parts") if item.get(key)), None)
    if kind is StepKind.RESULT:
        blocks = _blocks(content, kind, opener)
        if blocks and any(one.call for one in blocks):
            return told + blocks
        failed = item.get("status") == "error" or item.get("is_error") is True
        text, omitted = result_text(content, opener), pointer_of(content)
        name = _word(item, "name", "tool_name")
        return [*told, Utterance(kind, text, name=name, call=call, failed=failed, omitted=omitted)]
    blocks = _blocks(content, kind, opener)
    for one in blocks:
        one.who = one.who or (who if one.kind is kind else "")
    told += blocks
    if isinstance(value := item.get("refusal"), str) and value.strip():
        told.append(Utterance(StepKind.SAID, value))
    extra = item.get("additional_kwargs")
    calls = item.get("tool_calls") or item.get("toolCalls")
    if not calls and isinstance(extra, dict):
        calls = extra.get("tool_calls")
    seen = {one.call for one in told if one.kind is StepKind.ACTION and one.call}
    for one in _calls(calls, opener) + _legacy(item):
        if not one.call or one.call not in seen:
            told.append(one)
    return told


def part(item: dict[str, object], kind: StepKind, opener: Opener) -> list[Utterance] | None:
    """What one part of a message's content says; ``None`` if it is no part."""
    inner = item.get("message_content")
    if isinstance(inner, dict):
        return part(inner, kind, opener)
    item = {key.removeprefix("message_content."): value for key, value in item.items()}
    sort = item.get("type")
    word = sort if isinstance(sort, str) else ""
    if isinstance(native := item.get("part_kind"), str):
        return _pydantic(item, native, kind, opener)
    if word in _CALL:
        return [action(item)]
    if word in _RESULT:
        return [_result(item, opener)]
    return _held(item, opener) or _plain(item, word, kind, opener)


def _held(item: dict[str, object], opener: Opener) -> list[Utterance]:
    """A call or a result under a key of its own."""
    for key in ("functionCall", "function_call", "tool_call"):
        if isinstance(inner := item.get(key), dict):
            return [action(inner)]
    for key in ("functionResponse", "function_response"):
        if isinstance(inner := item.get(key), dict):
            return [_result(inner, opener)]
    return []


def _plain(
    item: dict[str, object], word: str, kind: StepKind, opener: Opener
) -> list[Utterance] | None:
    if word in _THOUGHT or item.get("thought") is True:
        return _thought(item)
    if word in _TEXT or (not word and item.keys() == {"text"}):
        text = next((item[key] for key in ("text", "content") if key in item), "")
        return [Utterance(kind, written(text))] if text not in (None, "") else []
    if word == "refusal":
        return [Utterance(StepKind.SAID, written(item.get("refusal") or item.get("content")))]
    if word in _BULK or item.keys() & {"inline_data", "inlineData"}:
        return [Utterance(kind, written(item), omitted=pointer_of(item))]
    if not word and item.keys() == {"content"} and isinstance(item["content"], list):
        return _blocks(item["content"], kind, opener) or None
    return None


def action(item: dict[str, object]) -> Utterance:
    """A call of a tool, however its name and its arguments are put."""
    item = {key.removeprefix("tool_call."): value for key, value in item.items()}
    inner = item.get("function")
    if not isinstance(inner, dict):
        inner = {
            key.removeprefix("function."): value
            for key, value in item.items()
            if key.startswith("function.")
        } or item
    name = _word(inner, "name", "toolName", "tool_name") or _word(item, "name", "toolName")
    given = next(
        (
            source[key]
            for source in (inner, item)
            for key in ("arguments", "args", "input", "parameters")
            if source.get(key) is not None
        ),
        "",
    )
    call = _word(item, "call_id", "id", "toolCallId", "tool_call_id", "tool_use_id")
    return Utterance(
        StepKind.ACTION, written(given), name=name, call=call, omitted=pointer_of(given)
    )


def result_text(value: object, opener: Opener) -> str:
    """The text of a result: of blocks their texts, of a wrapper what it wraps, else as it is."""
    opened = opener.open(value)
    inner = _unwrapped(opened, opener)
    if isinstance(inner, list) and inner and all(_is_text(one) for one in inner):
        return "\n".join(str(one["text"]) for one in inner if isinstance(one, dict))
    if isinstance(inner, str):
        return inner
    if inner is opened and isinstance(value, str):
        return value
    return "" if inner is None else written(inner)


def _unwrapped(opened: object, opener: Opener) -> object:
    for _ in range(4):
        if not isinstance(opened, dict):
            return opened
        inner = opened.get("kwargs")
        if isinstance(inner, dict) and "lc" in opened:
            opened = inner
        filled = [key for key, one in opened.items() if one is not None]
        is_message = "content" in opened and {"tool_call_id", "role", "type"} & opened.keys()
        key = "content" if is_message else filled[0] if len(filled) == 1 else ""
        if key not in _ONLY:
            return opened
        opened = opener.open(opened[key])
    return opened


def arguments(value: object, opener: Opener) -> str:
    """The arguments of a call, without a wrapper around them, as they are written."""
    opened = opener.open(value)
    if isinstance(opened, dict) and len(opened) == 1:
        (key,) = opened
        if key in _WRAPS and isinstance(opened[key], dict | str):
            return written(opened[key])
    return "" if value is None else value if isinstance(value, str) else written(value)


def query(value: object, opener: Opener) -> str:
    """What was searched for: the one text in a wrapper, or the value as it is written."""
    opened = opener.open(value)
    if isinstance(opened, dict):
        for key in ("query", "question", "input", "text", "search_query", "prompt"):
            if isinstance(inner := opened.get(key), str) and inner:
                return inner
    return arguments(value, opener)


def _is_text(one: object) -> bool:
    return isinstance(one, dict) and isinstance(one.get("text"), str)


def _blocks(content: object, kind: StepKind, opener: Opener) -> list[Utterance]:
    if content in (None, "", [], {}):
        return []
    if isinstance(content, str):
        opened = opener.open(content) if content.lstrip()[:2] in ("[{", "[]") else content
        found = _blocks(opened, kind, opener) if isinstance(opened, list) else []
        if found and all(not one.loose for one in found):
            return found
        return [Utterance(kind, content)]
    if isinstance(content, dict):
        inner = part(content, kind, opener)
        return [Utterance(kind, written(content), loose=True)] if inner is None else inner
    told: list[Utterance] = []
    for one in content if isinstance(content, list) else [content]:
        inner = part(one, kind, opener) if isinstance(one, dict) else None
        if inner is None:
            loose = not isinstance(one, str)
            inner = [Utterance(kind, written(one), loose=loose, omitted=pointer_of(one))]
        told += inner
    return told


def _thought(item: dict[str, object]) -> list[Utterance]:
    for key in ("thinking", "text", "content", "reasoning", "summary"):
        value = item.get(key)
        if isinstance(value, list):
            value = "\n".join(str(one["text"]) for one in value if _is_text(one))
        if isinstance(value, str) and value.strip():
            return [Utterance(StepKind.THOUGHT, value)]
    return []


def _result(item: dict[str, object], opener: Opener) -> Utterance:
    keys = ("response", "result", "output", "content")
    value = next((item[key] for key in keys if item.get(key) is not None), None)
    call = _word(item, "tool_use_id", "call_id", "toolCallId", "tool_call_id", "id")
    name = _word(item, "name", "toolName", "tool_name")
    failed = item.get("is_error") is True or item.get("isError") is True
    text = value if isinstance(value, str) else result_text(value, opener)
    return Utterance(
        StepKind.RESULT, text, name=name, call=call, failed=failed, omitted=pointer_of(value)
    )


def _calls(calls: object, opener: Opener) -> list[Utterance]:
    calls = opener.open(calls)
    told: list[Utterance] = []
    for one in calls if isinstance(calls, list) else []:
        opened = opener.open(one)
        if isinstance(opened, dict):
            inner = opened.get("tool_call")
            told.append(action(inner if isinstance(inner, dict) else opened))
    return told


def _legacy(item: dict[str, object]) -> list[Utterance]:
    inner = item.get("function_call")
    if isinstance(inner, dict) and inner.get("name"):
        return [action(inner)]
    name = item.get("function_call_name")
    if isinstance(name, str) and name:
        given = item.get("function_call_arguments_json")
        return [Utterance(StepKind.ACTION, written(given or ""), name=name)]
    return []


def _pydantic(
    item: dict[str, object], native: str, kind: StepKind, opener: Opener
) -> list[Utterance]:
    if native == "tool-call":
        return [action(item)]
    if native in ("tool-return", "retry-prompt") and item.get("tool_call_id"):
        found = _result(item, opener)
        found.failed = native == "retry-prompt"
        return [found]
    return _blocks(item.get("content"), _PYDANTIC.get(native, kind), opener)


def _word(item: dict[str, object], *keys: str) -> str:
    for key in keys:
        value = item.get(key)
        if isinstance(value, str) and value:
            return value
    return ""

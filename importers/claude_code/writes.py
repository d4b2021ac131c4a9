"""Which calls of tools write memory: files of auto and agent memory, the memory tool's store."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from importers.json_reading.strict import JsonObject

_FILE: Final = re.compile(
    r"(?:^|/)\.claude/(?:[^\n]*/)?(?:memory|agent-memory|agent-memory-local)/[^\n]+\.md\Z"
)
_STORE: Final = re.compile(r"/memories/[^\n]+\Z")


@dataclass(frozen=True, slots=True)
class Written:
    """A text that a call puts into memory."""

    path: str
    text: str
    replaces: str = ""
    whole: bool = False
    """Whether it is the file, and not a piece of one."""


def written(tool: str, arguments: JsonObject) -> tuple[Written, ...]:
    """What a call writes into memory; empty for every other call, and for a path with ``..``."""
    path = (_text(arguments, "file_path") or _text(arguments, "path")).replace("\\", "/")
    if ".." in path.split("/"):
        return ()
    if tool == "memory":
        return _stored(path, arguments) if _STORE.match(path) else ()
    if not _FILE.search(path):
        return ()
    if tool == "Write":
        return (Written(path, _text(arguments, "content"), whole=True),)
    if tool == "Edit":
        old, new = _text(arguments, "old_string"), _text(arguments, "new_string")
        return (Written(path, new, old),)
    edits = arguments.get("edits")
    if tool != "MultiEdit" or not isinstance(edits, list):
        return ()
    return tuple(
        Written(path, _text(one, "new_string"), _text(one, "old_string"))
        for one in edits
        if isinstance(one, dict)
    )


def _stored(path: str, arguments: JsonObject) -> tuple[Written, ...]:
    command = arguments.get("command")
    if command == "create":
        return (Written(path, _text(arguments, "file_text"), whole=True),)
    if command == "str_replace":
        return (Written(path, _text(arguments, "new_str"), _text(arguments, "old_str")),)
    if command == "insert":
        return (Written(path, _text(arguments, "insert_text")),)
    return ()


def _text(record: JsonObject, name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""

"""Lines that are no message: system lines, attachments, and types that are not known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from importers import call_arguments
from importers.claude_code import words
from importers.claude_code.telling import Telling
from importers.json_reading.strict import JsonObject
from store.records import RemarkCode
from store.trajectories import RunStatus, StepKind

_RECALLED: Final = frozenset(
    {
        "directory",
        "edited_text_file",
        "file",
        "mcp_resource",
        "nested_memory",
        "pdf_reference",
        "relevant_memories",
        "selected_lines_in_ide",
    }
)
"""Attachments that put a memory or a document into the context."""

_VERDICTS: Final = frozenset({"hook_permission_decision", "hook_blocking_error"})
"""Attachments in which a machine decides."""

_ENVELOPE: Final = frozenset(
    {
        "agentId",
        "cwd",
        "entrypoint",
        "gitBranch",
        "isMeta",
        "isSidechain",
        "level",
        "logicalParentUuid",
        "parentUuid",
        "sessionId",
        "session_id",
        "slug",
        "subtype",
        "timestamp",
        "type",
        "userType",
        "uuid",
        "version",
    }
)


def tell(line: Telling) -> None:
    """Add what the line says as a note, or as what was recalled."""
    kind = line.record.get("type")
    if kind == "attachment":
        attachment = line.record.get("attachment")
        _attachment(line, attachment if isinstance(attachment, dict) else {})
    elif kind == "system":
        line.add(StepKind.NOTE, _payload(line), name=_text(line.record, "subtype"))
    elif kind == "result":
        failed = line.record.get("is_error") is True
        line.run.status = RunStatus.FAILED if failed else RunStatus.OK
        text = _text(line.record, "result") or _payload(line)
        line.add(StepKind.NOTE, text, name="result", failed=failed)
    else:
        line.unknown(line.record)


def _attachment(line: Telling, attachment: JsonObject) -> None:
    sort = _text(attachment, "type")
    if sort in _RECALLED:
        for name, text in _recalled(line, attachment):
            line.add(StepKind.RECALLED, text, name=name)
        return
    prompt = attachment.get("prompt")
    if sort == "queued_command" and isinstance(prompt, str):
        said = attachment.get("commandMode") == "prompt"
        for part in words.parts(prompt):
            is_input = part.kind is StepKind.INPUT
            kind = StepKind.NOTE if is_input and not said else part.kind
            line.add(kind, part.text, name=part.name or ("" if said else sort))
        return
    if sort in _VERDICTS:
        line.remark(RemarkCode.MACHINE_VERDICTS)
    told = {name: value for name, value in attachment.items() if name != "type"}
    own = _text(attachment, "content") or call_arguments.written(told, line.piece.raw)
    line.add(StepKind.NOTE, own, name=sort, call=_text(attachment, "toolUseID"))


def _recalled(line: Telling, attachment: JsonObject) -> Iterator[tuple[str, str]]:
    """Path and text of each memory or document in an attachment."""
    several = attachment.get("memories")
    held = several if isinstance(several, list) else [attachment]
    for one in held:
        if not isinstance(one, dict):
            continue
        content = one.get("content")
        inner = content if isinstance(content, dict) else {}
        file = inner.get("file")
        inner = file if isinstance(file, dict) else inner
        name = _path(one) or _path(inner)
        text = content if isinstance(content, str) else _text(inner, "content")
        yield name, text or _text(one, "snippet") or ("" if inner else _rest(line, one))


def _rest(line: Telling, one: JsonObject) -> str:
    told = {name: value for name, value in one.items() if name not in ("type", "path")}
    return call_arguments.written(told, line.piece.raw) if told else ""


def _path(record: JsonObject) -> str:
    for name in ("path", "filePath", "filename", "displayPath"):
        if found := _text(record, name):
            return found
    return ""


def _payload(line: Telling) -> str:
    """What a system line says: its text, or whatever it has beside the envelope."""
    if text := _text(line.record, "content"):
        return text
    told = {name: value for name, value in line.record.items() if name not in _ENVELOPE}
    return call_arguments.written(told, line.piece.raw) if told else ""


def _text(record: JsonObject, name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""

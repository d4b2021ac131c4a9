"""What one line of a Claude Code transcript is, and how it hangs together with the others.

Two spellings are read: the session file's (``sessionId``) and that of printed streams
(``session_id``). A line whose message is broken still tells its place among the others.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final, NamedTuple

from importers import fields
from importers.claude_code import words
from importers.faults import RecordFaultError
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject
from importers.long_texts import parsed
from store.records import Failed, FailReason
from store.trajectories import Omitted, StepKind

BOOKKEEPING: Final = frozenset(
    {
        "agent-color",
        "agent-name",
        "agent-setting",
        "ai-title",
        "attribution-snapshot",
        "bridge-session",
        "content-replacement",
        "custom-title",
        "file-history-snapshot",
        "last-prompt",
        "mode",
        "permission-mode",
        "pr-link",
        "queue-operation",
        "tag",
        "task-summary",
        "worktree-state",
    }
)


_PROGRAM: Final = ("isMeta", "isSynthetic", "sourceToolUseID")
"""Keys of a line that no person wrote, whatever their value is."""


class Sort(Enum):
    """What a line is for."""

    MESSAGE = auto()
    """What a person or the model said, a call, a result."""

    NOTE = auto()
    """System lines, attachments, and lines of an unknown type that have a place in the chain."""

    LINK = auto()
    """In the chain, but no step of a run: progress, and messages that are broken."""

    BOOK = auto()
    """What the program wrote for itself."""

    SUMMARY = auto()
    UNKNOWN = auto()


class Line(NamedTuple):
    """The envelope of a line."""

    sort: Sort
    uuid: str = ""
    parent: str = ""
    session: str = ""
    agent: str = ""
    side: bool = False
    opens: bool = False
    """Whether a turn begins here: a person's words, or the words a subagent was given."""

    command: bool = False
    reply: str | None = None
    """The id of the API message, for a line of the model's; it may be empty."""

    leaf: str = ""
    """Of a summary: the line that it is about."""

    known: bool = True
    fault: Failed | None = None


class Opened(NamedTuple):
    """A parsed line, and which of its texts were cut."""

    record: JsonObject
    cut: dict[str, Omitted]


def opened(piece: Slice) -> Opened:
    """The object that a line writes.

    Raises:
        RecordFaultError: As ``strict_json.parse_object``, and with the fault of the slice.
    """
    if piece.fault is not None:
        raise RecordFaultError(piece.fault.reason, piece.fault.column)
    return Opened(*parsed(piece))


def line(record: JsonObject) -> Line:
    """What the line is.

    Raises:
        RecordFaultError: If it cannot even be placed: no type, or an id that is no text.
    """
    kind = fields.needed(record, "type")
    if kind == "summary":
        return Line(Sort.SUMMARY, leaf=fields.text(record, "leafUuid") or "")
    if kind in BOOKKEEPING:
        return Line(Sort.BOOK)
    session = fields.text(record, "sessionId") or fields.text(record, "session_id") or ""
    side = bool(record.get("isSidechain") or record.get("parent_tool_use_id"))
    agent = fields.text(record, "agentId") or fields.text(record, "parent_tool_use_id") or ""
    one = Line(
        Sort.NOTE,
        uuid=fields.text(record, "uuid") or "",
        parent=fields.text(record, "parentUuid") or fields.text(record, "logicalParentUuid") or "",
        session=session,
        agent=agent if side else "",
        side=side,
    )
    try:
        fields.instant(record, "timestamp")
        if kind in ("user", "assistant"):
            return _message(record, one, kind)
    except RecordFaultError as broken:
        return one._replace(sort=Sort.LINK, fault=broken.failed)
    if kind == "progress":
        return one._replace(sort=Sort.LINK)
    if kind in ("system", "attachment", "result"):
        return one
    placed = bool(one.uuid and "parentUuid" in record)
    return one._replace(sort=Sort.NOTE if placed else Sort.UNKNOWN, known=False)


def _message(record: JsonObject, one: Line, kind: str) -> Line:
    message = message_of(record)
    if kind == "assistant":
        reply = fields.text(message, "id") or ""
        return one._replace(sort=Sort.MESSAGE, reply=reply)
    return one._replace(
        sort=Sort.MESSAGE,
        opens=speaks(record, message),
        command=is_command(message),
    )


def message_of(record: JsonObject) -> JsonObject:
    """The line's message, whose content is text or a list of objects.

    Raises:
        RecordFaultError: ``FIELD_MISSING`` or ``FIELD_INVALID``.
    """
    message = record.get("message")
    if message is None:
        raise RecordFaultError(FailReason.FIELD_MISSING, name="message")
    if not isinstance(message, dict):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="message")
    content = message.get("content")
    if content is None:
        raise RecordFaultError(FailReason.FIELD_MISSING, name="content")
    whole = isinstance(content, list) and all(isinstance(block, dict) for block in content)
    if not whole and not isinstance(content, str):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="content")
    return message


def blocks(message: JsonObject) -> list[JsonObject]:
    """The blocks of a message; a text alone is one of them."""
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    found = content if isinstance(content, list) else []
    told = [one for one in found if isinstance(one, dict)]
    return [one if isinstance(one.get("type"), str | None) else one | {"type": ""} for one in told]


def made_by_program(record: JsonObject) -> bool:
    """Whether the line says that no person wrote it."""
    origin = record.get("origin")
    told = origin.get("kind") if isinstance(origin, dict) else None
    message = record.get("message")
    role = message.get("role") if isinstance(message, dict) else None
    return (
        any(record.get(name) for name in _PROGRAM)
        or is_summary(record)
        or role == "assistant"
        or (isinstance(told, str) and told != "human")
    )


def is_summary(record: JsonObject) -> bool:
    """Whether the line is what a model made of the conversation so far."""
    return bool(record.get("isCompactSummary") or record.get("isVisibleInTranscriptOnly"))


def holds_result(message: JsonObject) -> bool:
    """Whether the line carries what a tool gave back."""
    return any(block.get("type") == "tool_result" for block in blocks(message))


def speaks(record: JsonObject, message: JsonObject) -> bool:
    """Whether a user line has words, or pictures, that no program put there."""
    if made_by_program(record) or holds_result(message):
        return False
    found = blocks(message)
    texts = [block["text"] for block in found if isinstance(block.get("text"), str)]
    kinds = [part.kind for text in texts for part in words.parts(str(text))]
    if not kinds:
        return any(block.get("type") in ("image", "document") for block in found)
    return StepKind.INPUT in kinds


def is_command(message: JsonObject) -> bool:
    """Whether the line is a command of a person to the program."""
    return any(
        isinstance(text := block.get("text"), str) and words.is_command(text)
        for block in blocks(message)
    )

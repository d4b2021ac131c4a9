"""Reads conversations of Claude.ai: the export's ``conversations.json`` and the form of its API.

One trajectory per question, with all that follows until the next one; never a memory. A
conversation is read message by message, so one that is broken fails alone. Messages without
``parent_message_uuid`` follow one another as they stand; with it they are a tree, whose path ends
at ``current_leaf_message_uuid``, or at the newest message.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from importers import chat_runs, fields, reads, record_forms, times
from importers.chat_runs import Chat
from importers.claude_ai.messages import Messages
from importers.faults import RecordFaultError
from importers.json_reading import parts as json_parts
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject
from importers.source import Head, Source
from store.records import (
    FailReason,
    Nothing,
    NothingReason,
    Read,
    Remark,
    RemarkCode,
)

VERSION: Final = "1"
CANNOT_TELL: Final = (RemarkCode.EVIDENCE_ONLY, RemarkCode.NO_DECISIONS)
_MESSAGES: Final = "chat_messages"
_WRAPPERS: Final = frozenset({"conversations", "data"})


def recognises(head: Head) -> bool:
    """Whether the first records are conversations with ``chat_messages``."""
    if head.is_folder:
        return False
    return any(
        _MESSAGES in keys and keys & {"uuid", "id", "name", "account", "conversation_id"}
        for keys in record_forms.of(head.data, _WRAPPERS).records
    )


def read(source: Source) -> Iterator[Read | Remark]:
    """The runs of every conversation, in file order, then what is to be said of the file."""
    head = source.head()
    form = record_forms.of(head.data, _WRAPPERS)
    if not form.name:
        yield reads.broken_source(FailReason.NOT_JSON, head.data)
        return
    yield from (Remark(code) for code in CANNOT_TELL)
    tally = reads.Tally()
    found = (
        one for piece in record_forms.slices(source, form) for one in _conversation(piece, tally)
    )
    yield from reads.with_tail(found)
    yield from tally.remarks()


def _conversation(piece: Slice, tally: reads.Tally) -> Iterator[Read]:
    if piece.fault is None and not piece.raw.strip():
        yield Read(reads.place_of(piece), piece.raw, Nothing(NothingReason.BLANK_LINE))
        return
    try:
        record, large = json_parts.opened(piece, frozenset({_MESSAGES}))
        parts = list(_elements(large.get(_MESSAGES)))
        chat = _chat(record, piece)
        leaf = fields.identity(record, "current_leaf_message_uuid")
    except RecordFaultError as fault:
        yield Read(reads.place_of(piece), piece.raw, fault.failed)
        return
    failed: list[Read] = []
    messages = Messages(tally)
    for part in parts:
        try:
            messages.add(part)
        except RecordFaultError as fault:
            failed.append(Read(reads.place_of(part), part.raw, fault.failed))
    yield from failed
    runs = list(chat_runs.built(chat, messages.linked(), leaf, tally))
    if any(not isinstance(run.found, Nothing) for run in runs):
        yield from runs
    elif not failed:
        yield chat_runs.empty(piece)


def _elements(part: Slice | None) -> Iterator[Slice]:
    if part is None or not part.raw.startswith(b"["):
        missing = part is None or part.raw == b"null"
        reason = FailReason.FIELD_MISSING if missing else FailReason.FIELD_INVALID
        raise RecordFaultError(reason, name=_MESSAGES)
    return json_parts.elements(part)


def _chat(record: JsonObject, piece: Slice) -> Chat:
    native = (
        fields.identity(record, "uuid")
        or fields.identity(record, "conversation_id")
        or fields.identity(record, "id")
        or fields.fingerprint(piece.raw.decode("utf-8", "replace"))
    )
    foreign: dict[str, object] = {
        name: fields.told(record[key])
        for name, key in (
            ("title", "name"),
            ("model", "model"),
            ("starred", "is_starred"),
            ("created_at", "created_at"),
            ("updated_at", "updated_at"),
            ("summary", "summary"),
        )
        if record.get(key)
    }
    account = record.get("account")
    if isinstance(account, dict) and (owner := fields.identity(account, "uuid")):
        foreign["claimed_tenant"] = owner
    project = record.get("project_uuid")
    if not isinstance(project, str) and isinstance(inner := record.get("project"), dict):
        project = inner.get("uuid")
    began = times.moment(record.get("created_at"))
    return Chat(
        own=f"claude-ai:{native}",
        run={"session": native, "project": project if isinstance(project, str) else ""},
        foreign=foreign,
        started_at=began.text if began else None,
    )

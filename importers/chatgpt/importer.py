"""Reads conversations of a ChatGPT export, and what they show of its memory.

One trajectory per question, with all that follows until the next one; regenerated answers and
edited questions are alternatives beside it. Beside the runs stand proposals: memories that the
model saved (``bio``), lists of what it had saved, and custom instructions; see
``chatgpt_contexts``. Thumbs come from ``message_feedback.json`` in the same folder, or from rows
of it in the same list.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from importers import chat_runs, fields, reads, record_forms, times
from importers.chat_runs import Chat
from importers.chatgpt.contexts import Contexts
from importers.chatgpt.feedback import Feedback, is_row
from importers.chatgpt.nodes import Nodes
from importers.faults import RecordFaultError
from importers.json_reading import parts as json_parts
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject
from importers.record_forms import Form
from importers.source import Head, Source
from store.records import FailReason, Nothing, NothingReason, Read, Remark, RemarkCode

VERSION: Final = "1"
CANNOT_TELL: Final[tuple[RemarkCode, ...]] = ()
_MAPPING: Final = "mapping"
_WRAPPERS: Final = frozenset({"conversations", "data", "items", "feedback", "message_feedback"})
_BESIDE: Final = frozenset(
    {"current_node", "conversation_id", "create_time", "moderation_results", "update_time"}
)
_CHUNK: Final = 1 << 20


def recognises(head: Head) -> bool:
    """Whether the first records, or those of a member, are conversations with a ``mapping``."""
    if head.is_folder:
        return any(_has_chats(_form(member.data)) for member in head.members)
    form = _form(head.data)
    return _has_chats(form) or _has_feedback(form)


def read(source: Source) -> Iterator[Read | Remark]:
    """Runs and proposals of every conversation, then what is to be said of the source."""
    if not source.is_folder:
        head = source.head()
        if not _form(head.data).name:
            yield reads.broken_source(FailReason.NOT_JSON, head.data)
            return
    yield from reads.with_tail(_Reader(source).reads())


def _form(data: bytes) -> Form:
    return record_forms.of(data, _WRAPPERS)


def _has_chats(form: Form) -> bool:
    return any(_MAPPING in keys and keys & _BESIDE for keys in form.records)


def _has_feedback(form: Form) -> bool:
    return any(is_row(keys) for keys in form.records)


class _Reader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._tally = reads.Tally()
        self._feedback = Feedback()
        self._contexts = Contexts(source.modified_at)

    def reads(self) -> Iterator[Read | Remark]:
        members = self._source.members if self._source.is_folder else (self._source,)
        forms = {one.name: _form(one.head().data) for one in members}
        ours = [one for one in members if self._is_ours(forms[one.name])]
        for one in ours:
            if _has_feedback(forms[one.name]) or _mentions(one, b'"rating"'):
                self._collect(one, forms[one.name])
        for one in ours:
            member = one.name if self._source.is_folder else ""
            if member:
                self._contexts.modified_at = one.modified_at
            for piece in record_forms.slices(one, forms[one.name]):
                yield from self._record(piece, member)
        yield from self._remarks(len(members) - len(ours))

    def _is_ours(self, form: Form) -> bool:
        return not self._source.is_folder or _has_chats(form) or _has_feedback(form)

    def _collect(self, source: Source, form: Form) -> None:
        for piece in record_forms.slices(source, form):
            if b'"rating"' not in piece.raw or piece.fault is not None:
                continue
            try:
                row, _ = json_parts.opened(piece, frozenset({_MAPPING}))
                if is_row(row):
                    self._feedback.add(row)
            except RecordFaultError:
                continue  # said where the record itself is read

    def _remarks(self, passed_over: int) -> Iterator[Remark]:
        yield from self._tally.remarks()
        yield from (Remark(code) for code in sorted(self._feedback.remarks))
        if self._feedback.unused:
            yield Remark(RemarkCode.DANGLING_LINK, self._feedback.unused)
        if not len(self._feedback):
            yield Remark(RemarkCode.NO_DECISIONS)
        if passed_over:
            yield Remark(RemarkCode.MEMBERS_PASSED_OVER, passed_over)

    def _record(self, piece: Slice, member: str) -> Iterator[Read]:
        place = reads.place_of(piece, member)
        if piece.fault is None and not piece.raw.strip():
            yield Read(place, piece.raw, Nothing(NothingReason.BLANK_LINE))
            return
        try:
            record, large = json_parts.opened(piece, frozenset({_MAPPING}))
            if _MAPPING not in large and is_row(record):
                Feedback().add(record)
                yield Read(place, piece.raw, Nothing(NothingReason.NOT_A_MEMORY))
                return
            nodes = _nodes_of(large.get(_MAPPING))
            chat = _chat(record, piece, member)
            current = record.get("current_node")
        except RecordFaultError as fault:
            yield Read(place, piece.raw, fault.failed)
            return
        yield from self._chat(piece, chat, nodes, current if isinstance(current, str) else None)

    def _chat(
        self, piece: Slice, chat: Chat, parts: list[tuple[str, Slice]], current: str | None
    ) -> Iterator[Read]:
        native = chat.run["session"]
        nodes = Nodes(native, self._feedback)
        told = 0
        for key, part in parts:
            for failed in nodes.add(key, part, chat.member):
                yield failed
                told += 1
        for found in nodes.found():
            yield from self._contexts.reads(found, native, piece, chat.member)
        messages = nodes.messages()
        runs = list(chat_runs.built(chat, messages, nodes.leaf(current), self._tally))
        if any(not isinstance(run.found, Nothing) for run in runs):
            yield from runs
        elif not told:
            yield chat_runs.empty(piece, chat.member)


def _nodes_of(part: Slice | None) -> list[tuple[str, Slice]]:
    if part is None or part.raw == b"null":
        raise RecordFaultError(FailReason.FIELD_MISSING, name=_MAPPING)
    if not part.raw.startswith(b"{"):
        raise RecordFaultError(FailReason.FIELD_INVALID, name=_MAPPING)
    return list(json_parts.members(part))


def _chat(record: JsonObject, piece: Slice, member: str) -> Chat:
    native = (
        fields.identity(record, "conversation_id")
        or fields.identity(record, "id")
        or fields.fingerprint(piece.raw.decode("utf-8", "replace"))
    )
    foreign: dict[str, object] = {
        name: fields.told(record[key])
        for name, key in (
            ("title", "title"),
            ("model", "default_model_slug"),
            ("assistant", "gizmo_id"),
            ("archived", "is_archived"),
            ("memory_scope", "memory_scope"),
            ("origin", "conversation_origin"),
        )
        if record.get(key)
    }
    began = times.moment(record.get("create_time"))
    return Chat(
        own=f"chatgpt:{native}",
        run={"session": native},
        foreign=foreign,
        started_at=began.text if began else None,
        member=member,
    )


def _mentions(source: Source, words: bytes) -> bool:
    """Whether some bytes stand in a file, found without holding it."""
    before = b""
    with source.open() as stream:
        while chunk := stream.read(_CHUNK):
            if words in before + chunk:
                return True
            before = chunk[-len(words) :]
    return False

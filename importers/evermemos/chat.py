"""Reads EverMemOS's ``GroupChatFormat``: what people and agents said, as runs and no memories.

Who is a person and who an agent is what the file says: a message's ``role``, else
``session_meta.user_details``, else the sender's name. A message without text, a broken one and a
copy belong to no run, and each is a record of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Final

from importers import reads, wrapped_records
from importers.evermemos.talk import Chat
from importers.faults import RecordFaultError
from importers.json_reading import slices as json_slices
from importers.json_reading import tokens as json_tokens
from importers.json_reading.slices import Beside, Slice
from importers.json_reading.strict import JsonObject, parse_object
from importers.source import Head, Source
from importers.wrapped_records import Around
from store.cells import Span
from store.records import Read, Remark, RemarkCode

VERSION: Final = "1"
CANNOT_TELL: Final = (RemarkCode.EVIDENCE_ONLY, RemarkCode.NO_DECISIONS)
_LIST: Final = "conversation_list"
_META: Final = "session_meta"
_LISTS: Final = frozenset({_LIST})
_AROUND: Final = Around(_LISTS)
_MESSAGE: Final = frozenset({"message_id", "create_time", "sender", "content"})


def recognises(head: Head) -> bool:
    """Whether it has a list of conversation, or its first records are messages of one."""
    if head.is_folder:
        return False
    return any(
        (_LIST in one.keys and bool(one.keys & {_META, "version"})) or one.keys >= _MESSAGE
        for one in wrapped_records.objects(head.data, _AROUND)
    )


def read(source: Source) -> Iterator[Read | Remark]:
    """One ``Read`` per run and one per message of no run, then what holds for the whole file."""
    yield from (Remark(code) for code in CANNOT_TELL)
    tally = reads.Tally()
    yield from reads.with_tail(_chats(source, tally))
    yield from tally.remarks()


def _chats(source: Source, tally: reads.Tally) -> Iterator[Read]:
    """The runs of the conversation in an object, or of each of several in a list or lines."""
    chat: Chat | None = None
    for piece in wrapped_records.pieces(source, _AROUND, lambda keys: _LIST in keys):
        if not isinstance(piece, Slice):
            continue
        if piece.key == _LIST:
            chat = chat or Chat(_meta_beside(source), tally)
            yield from chat.take(piece)
        elif (spans := json_tokens.members(piece.raw)) and _LIST in spans:
            if chat is not None:
                yield from chat.end()
            chat = Chat(_parsed(piece.raw, spans.get(_META)), tally)
            for message in _messages(piece, spans[_LIST]):
                yield from chat.take(message)
        else:
            chat = chat or Chat({}, tally)
            yield from chat.take(piece)
    if chat is not None:
        yield from chat.end()


def _meta_beside(source: Source) -> JsonObject:
    """What a streamed conversation says of itself, wherever that stands in its object."""
    with source.open() as stream:
        for one in json_slices.elements(stream, _LISTS):
            if isinstance(one, Beside) and one.key == _META:
                return _parsed(one.raw, Span(0, len(one.raw)))
    return {}


def _parsed(raw: bytes, span: Span | None) -> JsonObject:
    """An object inside ``raw``; empty when it is none, or cannot be read."""
    try:
        return parse_object(raw[span.start : span.end]) if span else {}
    except RecordFaultError:
        return {}


def _messages(piece: Slice, span: Span) -> Iterator[Slice]:
    inner = piece.raw[span.start : span.end]
    line = piece.line + piece.raw.count(b"\n", 0, span.start) - 1
    base = piece.start + span.start
    for one in json_slices.elements(BytesIO(inner), frozenset()):
        if isinstance(one, Slice):
            yield one._replace(line=line + one.line, start=base + one.start, end=base + one.end)

"""Reads an OpenMemory backup, ``memories_export_<user>.zip``: its ``memories.json``.

Places are in the unpacked ``memories.json``. ``memories.jsonl.gz`` beside it has the same rows: it
is counted, and read only where the other is absent. Rows that OpenMemory marks as deleted are
exported too; they are tombstones and no memories. The user's name and e-mail are not taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Final

from importers import fields, openmemory_lines, reads, times
from importers.archive import choice
from importers.faults import RecordFaultError
from importers.json_reading import slices as json_slices
from importers.json_reading import tokens as json_tokens
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject, parse_object
from importers.source import Head, Source
from store.cells import Kind, Proposal, SourceType
from store.records import (
    Failed,
    FailReason,
    Nothing,
    NothingReason,
    Place,
    Read,
    Remark,
    RemarkCode,
)

VERSION: Final = "2"
CANNOT_TELL: Final = (RemarkCode.NO_WRITER,)
MEMBER: Final = "memories.json"
_LISTS: Final = frozenset({"memories", "apps", "categories"})
_TAKEN: Final = frozenset({"id", "content", "user_id", "app_id", "app", "category_ids"})
_OTHERS: Final = (b"conversations", b"users.json", b"projects")
"""Names in an export of Claude.ai, which has a ``memories.json`` of its own."""


def recognises(head: Head) -> bool:
    """Whether it is a zip with a ``memories.json`` early in it, and no chats beside it."""
    data = head.data
    named = MEMBER.encode() in data or openmemory_lines.MEMBER.encode() in data
    return data.startswith(b"PK\x03\x04") and named and not any(one in data for one in _OTHERS)


def read(source: Source) -> Iterator[Read | Remark]:
    """One ``Read`` per memory, then whether the second copy has as many rows.

    Raises:
        SourceRefusedError: If the archive breaks a bound.
    """
    data = choice.entry(source, MEMBER)
    lines = openmemory_lines.expanded(source)
    if data is None and lines is None:
        yield Read(Place(line=0, start=0, end=0), b"", Failed(FailReason.WRONG_SHAPE))
        return
    yield from (Remark(code) for code in CANNOT_TELL)
    names = _names(data) if data is not None else {}

    def found(record: JsonObject, raw: bytes) -> Proposal | Nothing:
        return _proposal(record, raw, names, source.modified_at)

    if data is None:
        copied = json_slices.lines(BytesIO(lines or b""))
        member = openmemory_lines.MEMBER
        yield from reads.with_tail(reads.read_one(one, found, member=member) for one in copied)
        return
    rows = 0
    pieces = (one for one in _pieces(data) if one.key in ("memories", ""))
    for one in reads.with_tail(reads.read_one(one, found, member=MEMBER) for one in pieces):
        rows += isinstance(one, Read)
        yield one
    if lines is not None:
        yield Remark(RemarkCode.MEMBERS_PASSED_OVER, 1)
        if openmemory_lines.count(lines) != rows:
            yield Remark(RemarkCode.COUNTS_DIFFER, 1)


def _pieces(data: bytes) -> Iterator[Slice]:
    for one in json_slices.elements(BytesIO(data), _LISTS):
        if isinstance(one, Slice):
            yield one


def _names(data: bytes) -> dict[str, str]:
    """Names of apps and categories by their ids."""
    names: dict[str, str] = {}
    for one in _pieces(data):
        if one.key in ("apps", "categories") and one.fault is None:
            try:
                record = parse_object(one.raw)
                native, name = fields.identity(record, "id"), fields.text(record, "name")
            except RecordFaultError:
                continue
            if native and name:
                names[native] = name
    return names


def _proposal(
    record: JsonObject, raw: bytes, names: dict[str, str], modified_at: str | None
) -> Proposal | Nothing:
    if record.get("state") == "deleted" or record.get("deleted_at"):
        return Nothing(NothingReason.TOMBSTONE)
    if "content" not in record:
        raise RecordFaultError(FailReason.FIELD_MISSING, name="content")
    claim = fields.text(record, "content")
    if not claim:
        return Nothing(NothingReason.EMPTY_TEXT)
    native = fields.needed(record, "id")
    created = fields.instant(record, "created_at")
    updated = fields.instant(record, "updated_at")
    later = updated if updated and (not created or times.is_later(updated, created)) else created
    user, app = fields.identity(record, "user_id"), fields.identity(record, "app_id")
    categories = record.get("category_ids")
    listed = categories if isinstance(categories, list) else []
    labels = [names[one] for one in listed if isinstance(one, str) and one in names]
    own = record.get("categories")
    if isinstance(own, list):  # the lines have names where the other copy has ids
        labels += [one for one in own if isinstance(one, str) and one not in labels]
    foreign = {
        name: fields.told(value)
        for name, value in record.items()
        if value is not None and name not in _TAKEN
    }
    if labels:
        foreign["categories"] = labels
    if user:
        foreign["claimed_tenant"] = user
    span = json_tokens.text_span(raw, "content", claim)
    app = names.get(app or "", app) or fields.text(record, "app")
    scope = {"user": user, "app": app}
    prefers = any("preference" in one.lower() for one in labels)
    return Proposal(
        claim=claim,
        kind=Kind.PROFILE_PREFERENCE if prefers else Kind.FACT,
        source_type=SourceType.FOREIGN_MEMORY,
        source_id=f"mem0:{native}",
        written_at=later.text if later else modified_at,
        scope={name: value for name, value in scope.items() if value},
        evidence=(span,) if span else (),
        foreign=foreign,
        remarks=tuple(_remarks(user, later, modified_at)),
    )


def _remarks(
    user: str | None, written: times.Moment | None, modified_at: str | None
) -> Iterator[RemarkCode]:
    if not user:
        yield RemarkCode.NO_OWNER
    if written is not None and written.tz_assumed:
        yield RemarkCode.TIME_ZONE_ASSUMED
    if written is None and modified_at:
        yield RemarkCode.WRITTEN_AT_ASSUMED

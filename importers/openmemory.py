"""Reads an OpenMemory backup, ``memories_export_<user>.zip``: its ``memories.json``.

Places are in the unpacked ``memories.json``. Rows that OpenMemory marks as deleted are exported
too; they are tombstones and no memories. The user's name and e-mail in the file are not taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Final

from importers import archives, fields, json_slices, json_tokens, reads, times
from importers.faults import RecordFaultError
from importers.json_slices import Slice
from importers.source import Head, Source
from importers.strict_json import JsonObject, parse_object
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

VERSION: Final = "1"
CANNOT_TELL: Final = (RemarkCode.NO_WRITER,)
MEMBER: Final = "memories.json"
_LISTS: Final = frozenset({"memories", "apps", "categories"})
_TAKEN: Final = frozenset({"id", "content", "user_id", "app_id", "category_ids"})


def recognises(head: Head) -> bool:
    """Whether it is a zip with a ``memories.json`` early in it."""
    return head.data.startswith(b"PK\x03\x04") and MEMBER.encode() in head.data


def read(source: Source) -> Iterator[Read | Remark]:
    """One ``Read`` per memory.

    Raises:
        SourceRefusedError: If the archive breaks a bound.
    """
    data = archives.entry(source, MEMBER)
    if data is None:
        yield Read(Place(line=0, start=0, end=0), b"", Failed(FailReason.WRONG_SHAPE))
        return
    yield from (Remark(code) for code in CANNOT_TELL)
    names = _names(data)

    def found(record: JsonObject, raw: bytes) -> Proposal | Nothing:
        return _proposal(record, raw, names, source.modified_at)

    pieces = (one for one in _pieces(data) if one.key in ("memories", ""))
    yield from reads.with_tail(reads.read_one(one, found, member=MEMBER) for one in pieces)


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
    scope = {"user": user, "app": names.get(app or "", app)}
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

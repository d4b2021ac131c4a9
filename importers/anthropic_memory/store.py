"""Reads lists of Anthropic's managed memory stores: memories and their versions, as the API gives.

A memory is a document, cut into claims. Versions are its history: a piece that took the place of
another supersedes it, and one that stayed is told by the first version that has it. ``created_by``
is the claimed writer; ``content_sha256`` is checked. Content is null in a basic view, after a
redaction and for a deletion.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from importers import embedded_documents, fields, json_records, memory_documents, reads, times
from importers.anthropic_memory.versions import Version, Versions, mark, source_id
from importers.faults import RecordFaultError
from importers.json_reading import strict
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject
from importers.source import Head, Source
from store.cells import Edge, EdgeKind, Kind, Proposal, SourceType
from store.records import (
    Failed,
    FailReason,
    Nothing,
    NothingReason,
    Read,
    Remark,
    RemarkCode,
)

VERSION: Final = "1"
CANNOT_TELL: Final = (RemarkCode.NO_OWNER,)
_LISTS: Final = frozenset({"data", "versions", "memories", "memory_versions"})
_BOOKKEEPING: Final = frozenset({"memory_prefix", "memory_store"})
_TAKEN: Final = frozenset({"type", "content", "memory_store_id", "created_by"})
_NO_MORE: Final = (b"", b"null", b'""', b"false")


def recognises(head: Head) -> bool:
    """Whether the first records are of a memory store."""
    if head.is_folder:
        return False
    return any(
        "memory_store_id" in keys and keys & {"memory_version_id", "memory_id", "content_sha256"}
        for keys in json_records.keys(head.data, _LISTS).records
    )


def read(source: Source) -> Iterator[Read | Remark]:
    """Every piece of every memory and version in file order, then what holds for the file."""
    head = source.head()
    seen = json_records.keys(head.data, _LISTS)
    if not seen.form:
        yield reads.broken_source(FailReason.NOT_JSON, head.data)
        return
    yield from (Remark(code) for code in CANNOT_TELL)
    yield from reads.with_tail(_Reader(source, seen.form).reads())


class _Reader:
    def __init__(self, source: Source, form: str) -> None:
        self._source, self._form = source, form
        self._tally = reads.Tally()
        self._versions = Versions()
        for piece in self._pieces({}):
            if b'"memory_id"' in piece.raw and isinstance(record := _record(piece), dict):
                self._versions.meet(record)
        self._versions.finish()

    def reads(self) -> Iterator[Read | Remark]:
        beside: dict[str, bytes] = {}
        for piece in self._pieces(beside):
            record = _record(piece)
            if isinstance(record, Read):
                yield record
                continue
            try:
                yield from self._found(record, piece)
            except RecordFaultError as fault:
                yield Read(reads.place_of(piece), piece.raw, fault.failed)
        more = (beside.get("next_page", b""), beside.get("has_more", b""))
        if any(one.strip() not in _NO_MORE for one in more):
            yield Remark(RemarkCode.NEXT_PAGE_EXISTS)
        yield from self._tally.remarks()

    def _pieces(self, beside: dict[str, bytes]) -> Iterator[Slice]:
        for one in json_records.pieces(self._source, self._form, _LISTS):
            if isinstance(one, Slice):
                yield one
            elif one.key in _LISTS and one.raw.strip() not in _NO_MORE:
                yield reads.broken_slice(FailReason.WRONG_SHAPE, self._source.head().data)
            else:
                beside[one.key] = one.raw

    def _found(self, record: JsonObject, piece: Slice) -> Iterator[Read]:
        sort = fields.text(record, "type")
        if sort in _BOOKKEEPING:
            index = sort == "memory_prefix"
            reason = NothingReason.INDEX_ONLY if index else NothingReason.BOOKKEEPING
            yield Read(reads.place_of(piece), piece.raw, Nothing(reason))
        elif sort == "memory_version" or "operation" in record:
            yield from self._version(record, piece)
        elif sort == "memory" or (sort is None and "memory_store_id" in record):
            yield from self._memory(record, piece)
        else:
            self._tally.add(RemarkCode.UNKNOWN_TYPES)
            nothing = Nothing(NothingReason.UNKNOWN_TYPE)
            yield Read(reads.place_of(piece), piece.raw, nothing)

    def _memory(self, record: JsonObject, piece: Slice) -> Iterator[Read]:
        native = fields.identity(record, "memory_version_id") or fields.needed(record, "id")
        if self._versions.of(native).marks:  # that version says who wrote it, and when
            nothing = Nothing(NothingReason.DISTILLED_ELSEWHERE)
            yield Read(reads.place_of(piece), piece.raw, nothing)
            return
        yield from self._document(record, piece, Version(native))

    def _version(self, record: JsonObject, piece: Slice) -> Iterator[Read]:
        fields.needed(record, "memory_id")
        version = self._versions.of(fields.needed(record, "id"))
        if fields.text(record, "operation") == "deleted":
            yield Read(reads.place_of(piece), piece.raw, Nothing(NothingReason.TOMBSTONE))
            return
        yield from self._document(record, piece, version)

    def _document(self, record: JsonObject, piece: Slice, version: Version) -> Iterator[Read]:
        content = fields.text(record, "content")
        if not content:
            if content is None:
                self._tally.add(RemarkCode.CONTENT_REDACTED)
            yield Read(reads.place_of(piece), piece.raw, Nothing(NothingReason.EMPTY_TEXT))
            return
        base = self._base(record)
        known: Counter[str] = Counter()
        pieces = memory_documents.split(content.encode("utf-8", "replace"))
        inside = embedded_documents.member_span(piece, "content")
        for one, (place, raw, evidence) in embedded_documents.shown(piece, inside, pieces):
            found: Proposal | Nothing | Failed
            own = mark(one.claim)
            if one.fault is not None:
                found = one.fault
            elif not one.claim:
                found = Nothing(NothingReason.NOT_A_MEMORY)
            elif own in version.stays:
                found = Nothing(NothingReason.DISTILLED_ELSEWHERE)
            else:
                old = version.replaces.get(own)
                found = replace(
                    base,
                    claim=one.claim,
                    source_id=fields.numbered(source_id(version.native, own), known),
                    edges=(Edge(EdgeKind.SUPERSEDES, old),) if old else (),
                    verbatim=one.verbatim,
                    evidence=evidence,
                    foreign=dict(base.foreign) | ({"section": one.section} if one.section else {}),
                )
            yield Read(place, raw, found)

    def _base(self, record: JsonObject) -> Proposal:
        """What a record says of all its pieces."""
        written = _written(record)
        remarks: list[RemarkCode] = []
        if written is None and self._source.modified_at:
            remarks.append(RemarkCode.WRITTEN_AT_ASSUMED)
        elif written is not None and written.tz_assumed:
            remarks.append(RemarkCode.TIME_ZONE_ASSUMED)
        if not _digest_fits(record):
            self._tally.add(RemarkCode.DIGEST_DIFFERS)
            remarks.append(RemarkCode.DIGEST_DIFFERS)
        writer, by_model = _writer(record)
        if by_model:
            remarks.append(RemarkCode.MODEL_MADE)
        store = fields.identity(record, "memory_store_id")
        foreign = {
            name: fields.told(value)
            for name, value in record.items()
            if value is not None and name not in _TAKEN
        }
        return Proposal(
            claim="",
            kind=Kind.FACT,
            source_type=SourceType.AGENT_SUMMARY if by_model else SourceType.FOREIGN_MEMORY,
            source_id="",
            written_at=written.text if written else self._source.modified_at,
            scope={"store": store} if store else {},
            foreign=foreign | ({"claimed_writer": writer} if writer else {}),
            remarks=tuple(remarks),
        )


def _record(piece: Slice) -> JsonObject | Read:
    """The record, or the read of one that is blank or broken."""
    if piece.fault is not None:
        return Read(reads.place_of(piece), piece.raw, piece.fault)
    if not piece.raw.strip():
        return Read(reads.place_of(piece), piece.raw, Nothing(NothingReason.BLANK_LINE))
    try:
        return strict.parse_object(piece.raw, last=piece.last, shallow=piece.shallow)
    except RecordFaultError as fault:
        return Read(reads.place_of(piece), piece.raw, fault.failed)


def _written(record: JsonObject) -> times.Moment | None:
    found, later = fields.instant(record, "created_at"), fields.instant(record, "updated_at")
    return later if later and (not found or times.is_later(later, found)) else found


def _digest_fits(record: JsonObject) -> bool:
    """Whether the content has the digest that the record gives, where it gives one."""
    told, content = fields.text(record, "content_sha256"), record.get("content")
    if not told or not isinstance(content, str):
        return True
    return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest() == told.lower()


def _writer(record: JsonObject) -> tuple[str, bool]:
    """Who wrote it, as the file says, and whether that was an agent's session.

    Raises:
        RecordFaultError: ``FIELD_INVALID``.
    """
    actor = record.get("created_by")
    if actor is None:
        return "", False
    if not isinstance(actor, dict):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="created_by")
    sort = fields.text(actor, "type", called="created_by") or ""
    ids = (value for name, value in actor.items() if name.endswith("_id"))
    native = next((one for one in ids if isinstance(one, str)), "")
    return ":".join(one for one in (sort, native) if one), sort == "session_actor"

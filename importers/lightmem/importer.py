"""Reads LightMem entries: ``memory_entries.json``, lines, a Qdrant dump, and a table of columns.

Field mapping (their word to ours): ``memory`` is the claim, ``id`` gives ``lightmem:<id>``,
``time_stamp`` is ``written_at``, ``original_memory`` is evidence, ``speaker_name`` or
``speaker_id`` the claimed writer. ``update_queue`` lists candidates that a model may look at; it
is no link. An entry that is ``consolidated`` was merged with others by a model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from importers import reads, wrapped_records
from importers.faults import RecordFaultError
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject, parse_object
from importers.lightmem import columns, rows
from importers.native_ids import Ids
from importers.source import Head, Source
from importers.wrapped_records import Around
from store.cells import Proposal
from store.records import Nothing, Read, Remark, RemarkCode

VERSION: Final = "1"
CANNOT_TELL: Final = (RemarkCode.TIMES_MADE_UP, RemarkCode.SOURCE_LINK_ABSENT)
_AROUND: Final = Around(
    frozenset({"memories", "memory_entries", "entries", "points"}), frozenset({"data", "result"})
)
_OWN: Final = frozenset(
    {
        "time_stamp",
        "float_time_stamp",
        "topic_id",
        "topic_summary",
        "memory_class",
        "subcategory",
        "original_memory",
        "compressed_memory",
        "hit_time",
        "update_queue",
        "consolidated",
        "speaker_name",
        "bam_tags",
    }
)
_COLUMN: Final = re.compile(rb'"memory"\s*+:\s*+\[')
_TALLIED: Final = (RemarkCode.IDS_REPEATED, RemarkCode.NO_OWNER, RemarkCode.REWRITTEN_TEXT)


def recognises(head: Head) -> bool:
    """Whether the first records, or their payloads, have LightMem's own fields beside a text."""
    if head.is_folder:
        return False
    return any(
        _is_entry(one.keys) or ("payload" in one.keys and _is_entry(one.inside))
        for one in wrapped_records.objects(head.data, _AROUND)
    )


def _is_entry(keys: frozenset[str]) -> bool:
    return "memory" in keys and len(keys & _OWN) >= 3 and "claim" not in keys


def _is_record(keys: frozenset[str]) -> bool:
    return "memory" in keys or "payload" in keys


def read(source: Source) -> Iterator[Read | Remark]:
    """One ``Read`` per entry, in file order, then what is to be said of the whole file."""
    yield from (Remark(code) for code in CANNOT_TELL)
    yield from reads.with_tail(_Reader(source).reads())


class _Reader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._ids = Ids()
        self._tally = reads.Tally()

    def reads(self) -> Iterator[Read | Remark]:
        for piece in wrapped_records.pieces(self._source, _AROUND, _is_record):
            if isinstance(piece, Slice):
                for one in self._read(piece):
                    self._count(one)
                    yield one
        yield from self._tally.remarks()

    def _read(self, piece: Slice) -> Iterator[Read]:
        table = _table(piece)
        if table is None:
            yield reads.read_one(piece, self._entry)
            return
        if columns.is_uneven(table):
            self._tally.add(RemarkCode.COUNTS_DIFFER)
        yield from columns.reads(table, piece, modified_at=self._source.modified_at)

    def _entry(self, record: JsonObject, raw: bytes) -> Proposal | Nothing:
        entry = rows.flat(record)
        found = rows.proposal(entry, raw, modified_at=self._source.modified_at)
        native = found.source_id if isinstance(found, Proposal) else ""
        if isinstance(found, Proposal) and self._ids.meet(native, raw):
            return replace(found, remarks=(*found.remarks, RemarkCode.IDS_REPEATED))
        return found

    def _count(self, one: Read) -> None:
        if isinstance(one.found, Proposal):
            self._tally.add(*(code for code in _TALLIED if code in one.found.remarks))
            if "vector_dimensions" in one.found.foreign:
                self._tally.add(RemarkCode.VECTORS_DROPPED)


def _table(piece: Slice) -> JsonObject | None:
    if piece.fault is not None or not _COLUMN.search(piece.raw):
        return None
    try:
        record = parse_object(piece.raw)
    except RecordFaultError:
        return None
    return record if columns.is_table(record) else None

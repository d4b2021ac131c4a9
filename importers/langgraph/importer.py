"""Reads items of a LangGraph store, LangMem's among them: ``Item.dict()`` and search results.

A value that is not one text gives a claim for each of its leaves, all in the item's own bytes. The
store has no writer and no source; a namespace is where its program put the item.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from importers import json_records, reads
from importers.faults import RecordFaultError
from importers.json_reading.slices import Slice
from importers.json_reading.strict import parse_object
from importers.langgraph import items
from importers.source import Head, Source
from store.records import FailReason, Nothing, NothingReason, Read, Remark, RemarkCode

VERSION: Final = "1"
CANNOT_TELL: Final = (RemarkCode.NO_WRITER, RemarkCode.SOURCE_LINK_ABSENT)
_LISTS: Final = frozenset({"items", "results", "memories", "store", "data"})


def recognises(head: Head) -> bool:
    """Whether the first records are items: a namespace, a key and a value."""
    if head.is_folder:
        return False
    seen = json_records.keys(head.data, _LISTS)
    return any(items.is_item(keys) for keys in seen.records)


def read(source: Source) -> Iterator[Read | Remark]:
    """A ``Read`` for each claim of each item, in file order."""
    head = source.head()
    seen = json_records.keys(head.data, _LISTS)
    if not seen.form:
        yield reads.broken_source(FailReason.NOT_JSON, head.data)
        return
    yield from (Remark(code) for code in CANNOT_TELL)
    yield from reads.with_tail(_reads(source, seen.form))


def _reads(source: Source, form: str) -> Iterator[Read | Remark]:
    tally = reads.Tally()
    met = False
    for one in json_records.pieces(source, form, _LISTS):
        if isinstance(one, Slice):
            met = True
            yield from _read(one, source.modified_at, tally)
        elif one.key in _LISTS:
            met = True
            if one.raw and one.raw != b"null":
                yield reads.broken_source(FailReason.WRONG_SHAPE, source.head().data)
    if not met:
        yield reads.broken_source(FailReason.WRONG_SHAPE, source.head().data)
    yield from tally.remarks()


def _read(piece: Slice, modified_at: str | None, tally: reads.Tally) -> Iterator[Read]:
    place = reads.place_of(piece)
    if piece.fault is not None:
        yield Read(place, piece.raw, piece.fault)
        return
    if not piece.raw or piece.raw.isspace():
        yield Read(place, piece.raw, Nothing(NothingReason.BLANK_LINE))
        return
    try:
        record = parse_object(piece.raw, last=piece.last, shallow=piece.shallow)
        found = list(items.claims(record, piece.raw, modified_at=modified_at, tally=tally))
    except RecordFaultError as fault:
        yield Read(place, piece.raw, fault.failed)
        return
    yield from (Read(place, piece.raw, one) for one in found)

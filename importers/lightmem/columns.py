"""LightMem entries written as columns: one object in which each field is a list, one item a row.

A row has no bytes of its own but its text's, so its record is that string.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from importers.faults import RecordFaultError
from importers.json_reading import tokens as json_tokens
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject
from importers.lightmem import rows
from store.cells import Proposal, Span
from store.records import Failed, Nothing, Place, Read


def is_table(record: JsonObject) -> bool:
    """Whether the record is a table of columns, and not an entry."""
    return isinstance(record.get("memory"), list)


def is_uneven(record: JsonObject) -> bool:
    """Whether its columns differ in length."""
    return len({len(column) for column in record.values() if isinstance(column, list)}) > 1


def reads(record: JsonObject, piece: Slice, *, modified_at: str | None) -> Iterator[Read]:
    """One ``Read`` for each item of the ``memory`` column."""
    texts = record["memory"]
    assert isinstance(texts, list), "is_table was asked first"
    raw = piece.raw
    spans = json_tokens.elements(raw, json_tokens.members(raw)["memory"])
    for row, span in zip(range(len(texts)), spans, strict=True):
        own = raw[span.start : span.end]
        start = piece.start + span.start
        line = piece.line + raw.count(b"\n", 0, span.start)
        place = Place(line=line, start=start, end=start + len(own))
        entry = {
            name: column[row] if isinstance(column, list) else column
            for name, column in record.items()
            if not isinstance(column, list) or row < len(column)
        }
        yield Read(place, own, _found(entry, own, modified_at))


def _found(entry: JsonObject, own: bytes, modified_at: str | None) -> Proposal | Nothing | Failed:
    try:
        found = rows.proposal(entry, own, modified_at=modified_at)
    except RecordFaultError as fault:
        return fault.failed
    if isinstance(found, Proposal):
        return replace(found, evidence=(Span(0, len(own)),))
    return found

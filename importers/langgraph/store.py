"""Reads the SQLite file of a LangGraph store: its table ``store``.

How the file is opened, and what stands for the bytes of a row, is told in ``sqlite_tables``. A
value is JSON, kept as bytes or as text; ``raw`` holds it parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from importers import fields, reads, sqlite_tables
from importers.faults import RecordFaultError
from importers.json_reading.strict import parse
from importers.langgraph import items
from importers.source import Head, Source
from importers.sqlite_tables import Row, Tables
from store.records import FailReason, Read, Remark, RemarkCode

VERSION: Final = "1"
CANNOT_TELL: Final = (
    RemarkCode.NO_WRITER,
    RemarkCode.SOURCE_LINK_ABSENT,
    RemarkCode.NO_BYTE_RANGES,
)
TABLE: Final = "store"
_VALUE: Final = frozenset({"value"})
_MADE: Final = re.compile(
    rb'CREATE TABLE (?:IF NOT EXISTS )?"?store"?\s*\([^)]{0,400}\bprefix\b[^)]{0,400}\bvalue\b',
    re.IGNORECASE,
)


def recognises(head: Head) -> bool:
    """Whether this is an SQLite file with the table of a store."""
    return head.data.startswith(sqlite_tables.MAGIC) and bool(_MADE.search(head.data))


def read(source: Source) -> Iterator[Read | Remark]:
    """A ``Read`` for each claim of each row, in the order they were inserted.

    Raises:
        SourceRefusedError: If the file is over the limit, its header is cut, or its table has
            columns that are computed.
    """

    def rows(tables: Tables) -> Iterator[Read | Remark]:
        if TABLE not in tables.names or not {"prefix", "key", "value"} <= set(
            tables.columns(TABLE)
        ):
            yield sqlite_tables.broken(tables.size)
            return
        tally = reads.Tally()
        yield from (Remark(code) for code in CANNOT_TELL)
        for row in tables.rows(TABLE, blobs=_VALUE):
            yield from _reads(row, source.modified_at, tally)
        yield from tally.remarks()

    yield from sqlite_tables.read(source, rows)


def _reads(row: Row, modified_at: str | None, tally: reads.Tally) -> Iterator[Read]:
    if row.fault is not None:
        yield Read(row.place, row.raw, row.fault)
        return
    try:
        record = row.record | {"value": _value(row.record["value"])}
        raw = fields.canonical(record)
        found = list(items.claims(record, raw, modified_at=modified_at, tally=tally))
    except RecordFaultError as fault:
        yield Read(row.place, row.raw, fault.failed)
        return
    yield from (Read(row.place, raw, one) for one in found)


def _value(value: object) -> object:
    if isinstance(value, str):
        value = value.encode()
    if not isinstance(value, bytes):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="value")
    return parse(value)

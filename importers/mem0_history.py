"""Reads Mem0's SQLite history: table ``history`` (Python) or ``memory_history`` (TypeScript).

The file is copied into memory and opened there, so nothing foreign is ever written to, and no
journal beside it is read. Rows of a binary file have no bytes of their own: ``raw`` is the
canonical JSON of the row, the place names table and row, and the range is the whole file.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Final

from importers import fields, reads
from importers.faults import RecordFaultError
from importers.mem0_changes import Changes, span_of
from importers.source import Head, Source, SourceRefusedError
from store.cells import Proposal
from store.records import Failed, FailReason, Nothing, Place, Read, Remark, RemarkCode

VERSION: Final = "1"
CANNOT_TELL: Final = (RemarkCode.NO_OWNER, RemarkCode.NO_BYTE_RANGES)
MAX_BYTES: Final = 20 * 1024 * 1024
TABLES: Final = ("history", "memory_history")
_MAGIC: Final = b"SQLite format 3\0"
_VM_STEPS: Final = 50_000_000
"""Virtual-machine steps a query may take; a hostile schema must not run for ever."""


def recognises(head: Head) -> bool:
    """Whether this is an SQLite file that names one of Mem0's history tables."""
    return head.data.startswith(_MAGIC) and (
        b"new_memory" in head.data or b"memory_history" in head.data
    )


def read(source: Source) -> Iterator[Read | Remark]:
    """One ``Read`` per row, in the order they were inserted.

    Raises:
        SourceRefusedError: If the file is over ``MAX_BYTES``.
    """
    data = source.whole(MAX_BYTES)
    with closing(sqlite3.connect(":memory:")) as database:
        try:
            if not data.startswith(_MAGIC):
                yield reads.broken_source(FailReason.WRONG_SHAPE, data)
                return
            yield from _read(database, data, source)
        except sqlite3.Error:
            place = Place(line=0, start=0, end=len(data))
            yield Read(place, b"", Failed(FailReason.WRONG_SHAPE))


def _read(database: sqlite3.Connection, data: bytes, source: Source) -> Iterator[Read | Remark]:
    steps = iter(range(_VM_STEPS // 1_000))
    database.set_progress_handler(lambda: 0 if next(steps, None) is not None else 1, 1_000)
    database.deserialize(_without_wal(data, source.name))
    database.execute("PRAGMA query_only = ON")
    database.execute("PRAGMA trusted_schema = OFF")
    table = _table(database)
    if table is None:
        place = Place(line=0, start=0, end=len(data))
        yield Read(place, b"", Failed(FailReason.WRONG_SHAPE))
        return
    yield from (Remark(code) for code in CANNOT_TELL)
    changes = Changes(modified_at=source.modified_at)
    rows = database.execute(f'SELECT rowid, * FROM "{table}" ORDER BY rowid')
    names = [column[0] for column in rows.description][1:]
    for rowid, *values in rows:
        place = Place(line=0, start=0, end=len(data), member=f"{table}/rowid={rowid}")
        yield _row(place, dict(zip(names, values, strict=True)), changes)


def _without_wal(data: bytes, name: str) -> bytes:
    """The file with its journal mode set to plain; in memory there can be no log beside it.

    Raises:
        SourceRefusedError: If the header is cut off.
    """
    if len(data) < 100:
        raise SourceRefusedError(name, "Its SQLite header is cut.", "Copy the file again.")
    return data[:18] + b"\x01\x01" + data[20:] if data[18:20] == b"\x02\x02" else data


def _table(database: sqlite3.Connection) -> str | None:
    """The history table that is a real table, not a view."""
    rows = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return next((table for table in TABLES if (table,) in rows), None)


def _row(place: Place, record: dict[str, object], changes: Changes) -> Read:
    if any(isinstance(value, bytes) for value in record.values()):
        return Read(place, b"", Failed(FailReason.FIELD_INVALID, name="history"))
    raw = fields.canonical(record)
    try:
        found: Proposal | Nothing = changes.found(record, span_of(record, raw))
    except RecordFaultError as fault:
        return Read(place, raw, fault.failed)
    return Read(place, raw, found)

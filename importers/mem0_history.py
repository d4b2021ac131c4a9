"""Reads Mem0's SQLite history: table ``history`` (Python) or ``memory_history`` (TypeScript).

The file is copied into memory and opened there, so nothing foreign is ever written to, and no
journal beside it is read. Only stored columns are asked for: a generated one is computed when it
is read, by the file's own formula. Rows of a binary file have no bytes of their own: ``raw`` is
the canonical JSON of the row, the place names table and row, and the range is the whole file.
"""

from __future__ import annotations

import math
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
"""Virtual-machine steps the queries may take; a hostile schema must not run for ever."""

MAX_ROW: Final = 1 << 20
"""Bytes of a row or of any value SQLite holds; without it one formula takes gigabytes."""

MAX_VALUE: Final = 64 * 1024
"""Bytes of a text in a row, as in every JSON format."""

_LIMITS: Final = (
    (sqlite3.SQLITE_LIMIT_LENGTH, MAX_ROW),
    (sqlite3.SQLITE_LIMIT_SQL_LENGTH, 64 * 1024),
    (sqlite3.SQLITE_LIMIT_COLUMN, 128),
    (sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 32),
    (sqlite3.SQLITE_LIMIT_ATTACHED, 0),
)
_ROW_NAMES: Final = ("rowid", "_rowid_", "oid")


def recognises(head: Head) -> bool:
    """Whether this is an SQLite file that names one of Mem0's history tables."""
    return head.data.startswith(_MAGIC) and (
        b"new_memory" in head.data or b"memory_history" in head.data
    )


def read(source: Source) -> Iterator[Read | Remark]:
    """One ``Read`` per row, in the order they were inserted.

    Raises:
        SourceRefusedError: If the file is over ``MAX_BYTES``, its header is cut, or its table has
            columns that are computed.
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
    for limit, value in _LIMITS:  # after deserialize, which needs the room of an ATTACH
        database.setlimit(limit, value)
    database.text_factory = _text
    database.execute("PRAGMA query_only = ON")
    database.execute("PRAGMA trusted_schema = OFF")
    table = _table(database)
    if table is None:
        place = Place(line=0, start=0, end=len(data))
        yield Read(place, b"", Failed(FailReason.WRONG_SHAPE))
        return
    names = _columns(database, table, source.name)
    yield from (Remark(code) for code in CANNOT_TELL)
    changes = Changes(modified_at=source.modified_at)
    number = next(name for name in _ROW_NAMES if name not in map(str.lower, names))
    wanted = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
    one_row = f'SELECT {wanted} FROM "{table}" WHERE {number} = ?'
    for (rowid,) in database.execute(f'SELECT {number} FROM "{table}" ORDER BY {number}'):
        place = Place(line=0, start=0, end=len(data), member=f"{table}/rowid={rowid}")
        try:
            values = database.execute(one_row, (rowid,)).fetchone()
        except sqlite3.DataError:  # over MAX_ROW; the neighbours are read all the same
            yield Read(place, b"", Failed(FailReason.TOO_LONG))
            continue
        yield _row(place, dict(zip(names, values, strict=True)), changes)


def _text(raw: bytes) -> str | bytes:
    """A text of the file; bytes when it is not UTF-8, so that only its row fails."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw


def _without_wal(data: bytes, name: str) -> bytes:
    """The file with its journal mode set to plain; in memory there can be no log beside it.

    Raises:
        SourceRefusedError: If the header is cut off.
    """
    if len(data) < 100:
        raise SourceRefusedError(name, "Its SQLite header is cut.", "Copy the file again.")
    return data[:18] + b"\x01\x01" + data[20:] if data[18:20] == b"\x02\x02" else data


def _table(database: sqlite3.Connection) -> str | None:
    """The history table that is a real table, neither a view nor virtual."""
    real = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0"
    rows = database.execute(real).fetchall()
    return next((table for table in TABLES if (table,) in rows), None)


def _columns(database: sqlite3.Connection, table: str, name: str) -> list[str]:
    """The stored columns of ``table``.

    Raises:
        SourceRefusedError: If one is generated or hidden, or hides the number of the row.
    """
    told = database.execute(f'PRAGMA table_xinfo("{table}")').fetchall()
    names = [column[1] for column in told]
    if any(column[6] for column in told):
        why = "Its history table has computed columns, which Mem0 never makes."
        raise SourceRefusedError(name, why, "Export the history as JSON and import that.")
    if not all(isinstance(one, str) for one in names) or (
        set(_ROW_NAMES) <= {str(one).lower() for one in names}
    ):
        why = "The column names of its history table cannot be read."
        raise SourceRefusedError(name, why, "Export the history as JSON and import that.")
    return names


def _row(place: Place, record: dict[str, object], changes: Changes) -> Read:
    for value in record.values():
        if isinstance(value, bytes):
            return Read(place, b"", Failed(FailReason.FIELD_INVALID, name="history"))
        if isinstance(value, float) and not math.isfinite(value):
            return Read(place, b"", Failed(FailReason.NOT_A_NUMBER, name="history"))
        if isinstance(value, str) and len(value.encode("utf-8")) > MAX_VALUE:
            return Read(place, b"", Failed(FailReason.TOO_LONG, name="history"))
    raw = fields.canonical(record)
    try:
        found: Proposal | Nothing = changes.found(record, span_of(record, raw))
    except RecordFaultError as fault:
        return Read(place, raw, fault.failed)
    return Read(place, raw, found)

"""Opens a foreign SQLite file within bounds and gives the rows of its real tables.

The file is copied into memory and opened there, so nothing foreign is ever written to, and no
journal beside it is read. Only stored columns are asked for: a generated one is computed when it
is read, by the file's own formula. Rows of a binary file have no bytes of their own: ``raw`` is
the canonical JSON of the row, the place names table and row, and the range is the whole file.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Final, NamedTuple

from importers import fields, reads
from importers.source import Source, SourceRefusedError
from store.records import Failed, FailReason, Place, Read, Remark

MAGIC: Final = b"SQLite format 3\0"
MAX_BYTES: Final = 20 * 1024 * 1024
MAX_ROW: Final = 1 << 20
"""Bytes of a row or of any value SQLite holds; without it one formula takes gigabytes."""

MAX_VALUE: Final = 64 * 1024
"""Bytes of a text in a row, as in every JSON format."""

_VM_STEPS: Final = 50_000_000
"""Virtual-machine steps the queries may take; a hostile schema must not run for ever."""

_LIMITS: Final = (
    (sqlite3.SQLITE_LIMIT_LENGTH, MAX_ROW),
    (sqlite3.SQLITE_LIMIT_SQL_LENGTH, 64 * 1024),
    (sqlite3.SQLITE_LIMIT_COLUMN, 128),
    (sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 32),
    (sqlite3.SQLITE_LIMIT_ATTACHED, 0),
)
_ROW_NAMES: Final = ("rowid", "_rowid_", "oid")


class Row(NamedTuple):
    """One row of a table. ``fault`` is set, and ``record`` empty, when it cannot be kept."""

    place: Place
    record: dict[str, object]
    """Its stored columns. A value is ``str``, ``int``, ``float``, ``None``, or ``bytes`` in a
    column that may hold them."""

    raw: bytes
    """The row as canonical JSON, without the columns that may hold bytes."""

    fault: Failed | None = None


def read(
    source: Source,
    made: Callable[[Tables], Iterator[Read | Remark]],
    *,
    limit: int = MAX_BYTES,
) -> Iterator[Read | Remark]:
    """What ``made`` reads from the tables; one failed record if this is no such file.

    Args:
        source: The SQLite file.
        made: Reads the opened tables.
        limit: The most bytes the file may have.

    Raises:
        SourceRefusedError: If the file is over ``limit``, its header is cut, or a table that is
            read has columns that are computed.
    """
    data = source.whole(limit)
    if not data.startswith(MAGIC):
        yield reads.broken_source(FailReason.WRONG_SHAPE, data)
        return
    with closing(sqlite3.connect(":memory:")) as database:
        try:
            yield from made(Tables(database, data, source.name))
        except (sqlite3.Error, UnicodeDecodeError):  # the latter from a message with odd names
            yield broken(len(data))


def broken(size: int) -> Read:
    """The one failed record of a database of ``size`` bytes that has no table to read."""
    return Read(Place(line=0, start=0, end=size), b"", Failed(FailReason.WRONG_SHAPE))


class Tables:
    """The real tables of one database, which nothing can write to."""

    def __init__(self, database: sqlite3.Connection, data: bytes, name: str) -> None:
        """Open ``data``, the file called ``name``, in the empty ``database``."""
        self.size = len(data)
        self._database, self._name = database, name
        steps = iter(range(_VM_STEPS // 1_000))
        database.set_progress_handler(lambda: 0 if next(steps, None) is not None else 1, 1_000)
        database.deserialize(_without_wal(data, name))
        for limit, value in _LIMITS:  # after deserialize, which needs the room of an ATTACH
            database.setlimit(limit, value)
        database.text_factory = _text
        database.execute("PRAGMA query_only = ON")
        database.execute("PRAGMA trusted_schema = OFF")
        database.execute("PRAGMA temp_store = MEMORY")
        real = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0"
        rows = database.execute(real).fetchall()
        self.names = frozenset(name for (name,) in rows if isinstance(name, str))
        """Tables that are neither a view nor virtual."""

    def columns(self, table: str) -> list[str]:
        """The stored columns of ``table``.

        Raises:
            SourceRefusedError: If one is generated or hidden, or hides the number of the row.
        """
        told = self._database.execute(f"PRAGMA table_xinfo({_quoted(table)})").fetchall()
        names = [column[1] for column in told]
        advice = "Export it as JSON and import that."
        if any(column[6] for column in told):
            why = f"Its {table} table has computed columns, which this format never has."
            raise SourceRefusedError(self._name, why, advice)
        if not all(isinstance(one, str) for one in names) or (
            set(_ROW_NAMES) <= {str(one).lower() for one in names}
        ):
            why = f"The column names of its {table} table cannot be read."
            raise SourceRefusedError(self._name, why, advice)
        return names

    def rows(self, table: str, *, blobs: frozenset[str] = frozenset()) -> Iterator[Row]:
        """Every row of ``table`` in the order they were inserted.

        Args:
            table: One of ``names``, known to the importer: it is named in the log.
            blobs: Columns that may hold bytes, with a size up to ``MAX_ROW``.

        Raises:
            SourceRefusedError: As ``columns``.
        """
        return self._rows(table, self.columns(table), blobs)

    def _rows(self, table: str, names: list[str], blobs: frozenset[str]) -> Iterator[Row]:
        number = next(name for name in _ROW_NAMES if name not in map(str.lower, names))
        wanted, quoted = ", ".join(map(_quoted, names)), _quoted(table)
        one_row = f"SELECT {wanted} FROM {quoted} WHERE {number} = ?"
        for (rowid,) in self._database.execute(f"SELECT {number} FROM {quoted} ORDER BY {number}"):
            place = Place(line=0, start=0, end=self.size, member=f"{table}/rowid={rowid}")
            try:
                values = self._database.execute(one_row, (rowid,)).fetchone()
            except sqlite3.DataError:  # over MAX_ROW; the neighbours are read all the same
                yield Row(place, {}, b"", Failed(FailReason.TOO_LONG))
                continue
            if values is None:  # a damaged tree lists a row that it does not find
                yield Row(place, {}, b"", Failed(FailReason.WRONG_SHAPE))
                continue
            yield _row(place, dict(zip(names, values, strict=True)), table, blobs)


def _row(place: Place, record: dict[str, object], table: str, blobs: frozenset[str]) -> Row:
    plain = {name: value for name, value in record.items() if name not in blobs}
    for value in plain.values():
        if isinstance(value, bytes):
            return Row(place, {}, b"", Failed(FailReason.FIELD_INVALID, name=table))
        if isinstance(value, float) and not math.isfinite(value):
            return Row(place, {}, b"", Failed(FailReason.NOT_A_NUMBER, name=table))
        if isinstance(value, str) and len(value.encode("utf-8")) > MAX_VALUE:
            return Row(place, {}, b"", Failed(FailReason.TOO_LONG, name=table))
    return Row(place, record, fields.canonical(plain))


def _text(raw: bytes) -> str | bytes:
    """A text of the file; bytes when it is not UTF-8, so that only its row fails."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _without_wal(data: bytes, name: str) -> bytes:
    """The file with its journal mode set to plain; in memory there can be no log beside it.

    Raises:
        SourceRefusedError: If the header is cut off.
    """
    if len(data) < 100:
        raise SourceRefusedError(name, "Its SQLite header is cut.", "Copy the file again.")
    return data[:18] + b"\x01\x01" + data[20:] if data[18:20] == b"\x02\x02" else data

"""Writes a store into a new file: the only thing that leaves deleted rows behind.

DuckDB keeps the bytes of a deleted row, and in its statistics the beginnings of a deleted least
and greatest value, until the block is used again; no checkpoint and no vacuum ends that. A copy
made row by row has never held them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import duckdb
import pandas as pd

from store import condemning, copies, migrations
from store.connections import PATIENCE, Opener, patiently
from store.erase_points import Point, Reached, unwatched

CONDEMNED: Final = condemning.TABLE
_CONTENTS: Final = ("vault_payload", CONDEMNED)
"""Tables that hold contents."""

_LARGEST: Final = "vault_payload"
"""The table with the most keys that are long texts."""

_KEPT: Final = "commitment not in (select commitment from memory.main.erased_now)"

_SETTINGS: Final = (
    "SET force_compression='uncompressed'",  # a compressed copy could not be searched
    "SET temp_directory=''",
    "SET autoinstall_known_extensions=false",
    "SET autoload_known_extensions=false",
    "SET allow_community_extensions=false",
    "SET python_enable_replacements=false",
)


@dataclass(frozen=True, slots=True)
class Copy:
    """A checked copy, before it is put in its place."""

    left_out: int
    """Rows of contents that were not copied."""


@contextmanager
def copied(
    source: Path,
    fresh: Path,
    *,
    without: Iterable[str],
    patience: float = PATIENCE,
    reached: Reached = unwatched,
) -> Iterator[Copy]:
    """A checked copy of ``source`` at ``fresh``, on the disk, for as long as the block runs.

    Until the end of the block no process can write to ``source``. Call it with the process's own
    connections closed (``Opener.alone``). A copy that is not moved away in the block is deleted.

    Args:
        source: A store.
        fresh: Where the copy goes; what was there is deleted.
        without: Commitments of contents that are not copied.
        patience: Seconds to wait for a busy store.
        reached: Is told each point.

    Raises:
        store.connections.StoreBusyError: If another process holds ``source``.
        store.copies.CopyDiffersError: If the copy is not what it was made from.
        OSError, duckdb.Error: If it cannot be written.
    """
    discard(fresh)
    try:
        with duckdb.connect(":memory:") as connection:
            for setting in _SETTINGS:
                connection.execute(setting)
            connection.execute(f"SET memory_limit='{_memory(source) >> 20}MiB'")
            wanted = pd.DataFrame({"commitment": sorted(set(without))}).astype("str")
            connection.register("named", wanted)
            connection.execute("create table erased_now as select * from named")
            _attach(connection, source, patience)
            connection.execute(f"attach {_quoted(fresh)} as fresh")
            fresh.chmod(0o600)
            reached(Point.ATTACHED)
            left_out = _fill(connection, reached)
            connection.execute("checkpoint fresh")
            connection.execute("use memory")
            connection.execute("detach fresh")
            _sync(fresh)
            reached(Point.SYNCED)
            yield Copy(left_out)
    finally:
        discard(fresh)


def _fill(connection: duckdb.DuckDBPyConnection, reached: Reached) -> int:
    """Fill the database ``fresh`` from ``source`` and check it; how many rows were left out."""
    connection.execute("copy from database source to fresh (schema)")
    tables = _tables(connection)
    waiting = CONDEMNED in tables
    if waiting and not _count(connection, CONDEMNED, _KEPT):
        tables.remove(CONDEMNED)
        connection.execute(f"drop table fresh.{CONDEMNED}")
    reached(Point.SHAPED)
    key = _take_key(connection)
    for table in tables:
        where = f" where {_KEPT}" if table in _CONTENTS else ""
        connection.execute(f"insert into fresh.{table} select * from source.{table}{where}")
    if key:
        connection.execute(f"alter table fresh.{_LARGEST} add {key}")
    reached(Point.COPIED)
    connection.execute("use fresh")
    for statement in migrations.guards():
        connection.execute(statement)
    reached(Point.GUARDED)
    copies.compare(
        connection,
        "source",
        "fresh",
        without=dict.fromkeys(_CONTENTS, _KEPT),
        left_out={CONDEMNED} - set(tables),
    )
    reached(Point.CHECKED)
    held = [table for table in _CONTENTS if table in tables or (waiting and table == CONDEMNED)]
    return sum(_count(connection, table, f"not ({_KEPT})") for table in held)


def _take_key(connection: duckdb.DuckDBPyConnection) -> str:
    """Make the largest table again without its key; the key, to be added once it is filled.

    Row by row the database took 100 s for the index of three million contents, at once it takes
    34 s. Whether the table is the same in the end, ``copies.compare`` tells.
    """
    told = connection.execute(
        "select t.sql, k.constraint_text from duckdb_tables() t join duckdb_constraints() k"
        " on k.database_name = t.database_name and k.table_name = t.table_name"
        " where t.database_name = 'fresh' and t.table_name = ?"
        " and k.constraint_type = 'PRIMARY KEY'",
        [_LARGEST],
    ).fetchall()
    for sql, key in told:
        without = str(sql).replace(f", {key}", "", 1)
        if without != sql:
            connection.execute(f"drop table fresh.{_LARGEST}")
            connection.execute(without.replace("CREATE TABLE ", "CREATE TABLE fresh.", 1))
            return str(key)
    return ""


def _memory(source: Path) -> int:
    """Bytes that the database may use: for the indexes of a store of this size, and some more.

    What is beyond that are blocks that were read and are not needed again.
    """
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min((1 << 30) + source.stat().st_size // 2, machine * 4 // 5)


def _tables(connection: duckdb.DuckDBPyConnection) -> list[str]:
    rows = connection.execute(
        "select table_name from duckdb_tables() where database_name = 'source' order by table_name"
    ).fetchall()
    return [str(name) for (name,) in rows]


def _count(connection: duckdb.DuckDBPyConnection, table: str, where: str) -> int:
    query = f"select count(*) from source.{table} where {where}"
    ((found,),) = connection.execute(query).fetchall()
    return int(found)


def discard(fresh: Path) -> None:
    """Delete a copy that was not put in place, and its write-ahead log."""
    fresh.unlink(missing_ok=True)
    wal_of(fresh).unlink(missing_ok=True)


def wal_of(path: Path) -> Path:
    """The write-ahead log beside a database file."""
    return path.with_name(f"{path.name}.wal")


def _attach(connection: duckdb.DuckDBPyConnection, source: Path, patience: float) -> None:
    """Hold ``source`` for reading, with everything that was written to it in the file itself."""

    def attempt() -> bool | None:
        connection.execute(f"attach {_quoted(source)} as source (read_only)")
        if not wal_of(source).exists():
            return True
        connection.execute("detach source")  # somebody ended without closing it
        with Opener(source, patience=patience).reading() as other:
            other.execute("checkpoint")
        return None

    patiently(source, patience, attempt)


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


def _sync(path: Path) -> None:
    if wal_of(path).exists():
        msg = "it is not all in its file"
        raise copies.CopyDiffersError(msg)
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

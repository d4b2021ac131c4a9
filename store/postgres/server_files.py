"""The files in which a server keeps a store, for a search through their bytes.

A server hands out bytes of its files to whom it lets read them (``pg_read_server_files`` and a
grant on ``pg_read_binary_file``, or its owner). To anybody else nothing is shown, so nothing is
claimed. Each file has texts of rows that stay as its controls: a search that does not find them
proves nothing. Not among them are copies of the database, and what a file system keeps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import psycopg
from psycopg import sql

from store.connections import StoreAwayError
from store.needles import SHORT
from store.postgres import erasing, schema
from store.postgres.place import Database, Line, away
from store.scan_targets import Fetches, Stream
from store.scans import Unread

OF_STORE: Final = "/postgresql/"
"""What the names of a store's own files begin with, as a search tells them."""

OF_LOG: Final = "/postgresql-wal/"
"""What those of the server's write-ahead log begin with."""

_CONTROLS: Final = 8
_SEGMENT: Final = 1 << 30
"""Bytes after which a table goes on in another file. Source: "Database File Layout"."""

_SMALL: Final = 120
"""Bytes of a value that stays in its row: only larger ones are moved out of it."""

_INLINE: Final = 1_500
"""Bytes of all values of a row up to which none is moved out. Source: "TOAST"."""

_PIECE: Final = 200
"""Bytes of the beginning of a piece of a value that was moved out."""

_DIFFERENT: Final = 4
"""Different bytes of a text that is worth looking for: a row of zeros is everywhere."""

_RELATIONS: Final = (
    "select c.relname, c.oid::bigint, c.reltoastrelid::bigint,"
    " exists (select 1 from pg_attribute a where a.attrelid = c.oid"
    " and a.atttypid = 'bytea'::regtype),"
    " not exists (select 1 from pg_attribute a where a.attrelid = c.oid"
    " and a.attname = any(%s) and a.attstorage not in ('e', 'p'))"
    " from pg_class c where c.relnamespace = to_regnamespace(quote_ident(current_schema()))"
    " and c.relkind in ('r', 'm') order by 1"
)
_INDEXES: Final = (
    "select i.indexrelid::bigint, x.relname, c.relname, i.indisprimary from pg_index i"
    " join pg_class x on x.oid = i.indexrelid join pg_class c on c.oid = i.indrelid"
    " left join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]"
    " where c.relnamespace = to_regnamespace(quote_ident(current_schema()))"
    " and case when i.indisprimary then c.relname in ('vault_payload', 'vault_condemned')"
    " else i.indnatts > 1 or a.attname is distinct from 'arrived' end"
)
"""The keys of contents, and indexes that are not ours."""

_SAMPLES: Final = (
    "select count(*) from pg_stats where schemaname = current_schema()"
    " and (tablename = any(%s) and attname = any(%s) or tablename <> all(%s))"
)
_COLUMNS: Final = (
    "select attname, atttypid = 'bytea'::regtype from pg_attribute where attrelid = %s::oid"
    " and attnum > 0 and not attisdropped"
    " and atttypid in ('bytea'::regtype, 'text'::regtype, 'varchar'::regtype)"
)
_PLACE: Final = "select pg_relation_filepath(%s::oid), pg_relation_size(%s::oid)"


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """What a server says of copies that it makes of what is written to it."""

    archives: bool
    """Whether it archives its write-ahead log."""

    readers: int
    """Standby servers and other readers of its log that are connected, or are kept a place."""

    readable: bool
    """Whether its files could be read."""


def of_store(line: Line) -> tuple[Stream, ...]:
    """The files of a store's tables and of the keys of its contents, ready to be searched.

    Raises:
        store.connections.StoreAwayError: If the database cannot be reached.
    """
    database = line.answering()
    with away(line.place):
        erasing.settle(database)
        if not _may_read(database):
            return (_unread(OF_STORE + "tables"),)
        return (*_streams(database), *_sampled(database))


def of_log(line: Line) -> tuple[Stream, ...]:
    """The files of the server's write-ahead log. It serves all of its databases.

    Raises:
        store.connections.StoreAwayError: If the database cannot be reached.
    """
    database = line.answering()
    with away(line.place):
        try:
            found = database.execute(
                "select name, size from pg_ls_waldir() order by name"
            ).fetchall()
        except psycopg.errors.InsufficientPrivilege:
            return (_unread(OF_LOG + "files"),)
        if not _may_read(database):
            return (_unread(OF_LOG + "files"),)
        return tuple(
            Stream(f"{OF_LOG}{name}", _fetcher(database, f"pg_wal/{name}"), int(size))
            for name, size in found
        )


def facts(line: Line) -> ServerFacts:
    """What the server says of copies of what is written to it.

    Raises:
        store.connections.StoreAwayError: If the database cannot be reached.
    """
    told = line.ask(
        "select current_setting('archive_mode') <> 'off',"
        " (select count(*) from pg_stat_replication)"
        " + (select count(*) from pg_replication_slots where not active)"
    )
    ((archives, readers),) = told
    with away(line.place):
        return ServerFacts(bool(archives), int(readers), _may_read(line.database()))


def _streams(database: Database) -> Iterator[Stream]:
    """Tables and indexes. Of what is not ours, or may be packed, nothing is known to be there."""
    ours = {*schema.names(), schema.WAITING}
    found = database.execute(_RELATIONS, [_columns()]).fetchall()
    for name, oid, beside, has_bytes, is_open in found:
        if name in ours and not has_bytes:
            continue
        known = name in ours and (is_open or name not in schema.BYTES)
        yield from _segments(database, name, oid, _in_rows(database, name, oid) if known else [])
        if beside:
            pieces = _moved(database, beside) if known else []
            yield from _segments(database, f"{name}.beside", beside, pieces)
    for oid, index, name, is_key in database.execute(_INDEXES).fetchall():
        if not is_key:
            yield from _segments(database, index, oid, [])
            continue
        query = sql.SQL("select convert_to(commitment, 'UTF8') from {} limit {}")
        keys = _values(database, query.format(sql.Identifier(name), sql.Literal(_CONTROLS)))
        if keys:  # without a row there is no key in it
            yield from _segments(database, index, oid, keys)


def _columns() -> list[str]:
    return sorted({one for columns in schema.BYTES.values() for one in columns})


def _sampled(database: Database) -> Iterator[Stream]:
    """Samples of contents that somebody had the server take: they are in no file of a schema."""
    tables = [list(schema.BYTES), _columns(), [*schema.names(), schema.WAITING]]
    ((count,),) = database.execute(_SAMPLES, tables).fetchall()
    if count:
        yield _unread(OF_STORE + "samples")


def _segments(database: Database, name: str, oid: int, controls: list[bytes]) -> Iterator[Stream]:
    """The files of one table or index. Only of the first one is it known what is in it."""
    ((path, size),) = database.execute(_PLACE, [oid, oid]).fetchall()
    yield Stream(f"{OF_STORE}{name}", _fetcher(database, path), min(size, _SEGMENT), controls)
    for n in range(1, -(-int(size) // _SEGMENT)):
        more = _fetcher(database, f"{path}.{n}")
        yield Stream(f"{OF_STORE}{name}.{n}", more, min(size - n * _SEGMENT, _SEGMENT))


def _bytes_of(column: str, is_bytes: bool) -> sql.Composable:
    named = sql.Identifier(column)
    return named if is_bytes else sql.SQL("convert_to({}, 'UTF8')").format(named)


def _in_rows(database: Database, name: str, oid: int) -> list[bytes]:
    """Values that stand in a table's own file whole."""
    columns = [
        _bytes_of(column, is_bytes)
        for column, is_bytes in database.execute(_COLUMNS, [oid]).fetchall()
    ]
    sizes = [sql.SQL("coalesce(octet_length({}), 0)").format(column) for column in columns]
    found = list[bytes]()
    for column in columns:
        query = sql.SQL(
            "select {0} from {1} where octet_length({0}) between {2} and {3}"
            " and (octet_length({0}) <= {4} or {5} <= {3}) limit {6}"
        ).format(
            column,
            sql.Identifier(name),
            *map(sql.Literal, (SHORT, _INLINE, _SMALL)),
            sql.SQL(" + ").join(sizes),
            sql.Literal(_CONTROLS),
        )
        found += _values(database, query)
    return found


def _moved(database: Database, oid: int) -> list[bytes]:
    """Beginnings of pieces of values that were moved out of their rows.

    Without the right to read the pieces themselves there is nothing that is known to be there.
    """
    ((name,),) = database.execute("select relname from pg_class where oid = %s", [oid]).fetchall()
    query = sql.SQL("select chunk_data from {} where octet_length(chunk_data) >= {} limit {}")
    try:
        return _values(
            database,
            query.format(
                sql.Identifier("pg_toast", name), sql.Literal(SHORT), sql.Literal(_CONTROLS)
            ),
        )
    except psycopg.errors.InsufficientPrivilege:
        return []


def _values(database: Database, query: sql.Composed) -> list[bytes]:
    found = [bytes(value)[:_PIECE] for (value,) in database.execute(query).fetchall()]
    return [one for one in found if len(set(one)) >= _DIFFERENT]


def _fetcher(database: Database, path: str) -> Fetches:
    def fetch(start: int, count: int) -> bytes:
        try:
            with database.cursor(binary=True) as cursor:
                cursor.execute("select pg_read_binary_file(%s, %s, %s)", [path, start, count])
                ((data,),) = cursor.fetchall()
        except psycopg.OperationalError as error:
            raise StoreAwayError(path, str(error)) from error
        except psycopg.Error as error:  # it is gone, or was never to be read
            raise OSError(str(error)) from error
        return bytes(data)

    return fetch


def _may_read(database: Database) -> bool:
    try:
        database.execute("select pg_read_binary_file(pg_relation_filepath('log_identity'), 0, 1)")
    except psycopg.errors.InsufficientPrivilege:
        return False
    return True


def _unread(name: str) -> Stream:
    def fetch(_start: int, _count: int) -> bytes:
        raise PermissionError(name)

    return Stream(name, fetch, 0, unread=Unread.UNREADABLE)

"""Moves rows between a store's schema in PostgreSQL and a DuckDB copy of it, as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import duckdb
import pandas as pd
import psycopg
from psycopg import sql

from store.log import DamagedStoreError
from store.postgres.place import Database
from store.postgres.schema import ARRIVED, WAITING

_SLICE: Final = 20_000
_FEW: Final = 20
"""Events of which the rows are taken at once."""

_TYPES: Final = {
    "seq": "int8",
    "ordinal": "int8",
    "size": "int8",
    "rev": "int8",
    "nth": "int8",
    "version": "int8",
    ARRIVED: "int8",
    "canon": "bytea",
    "prev": "bytea",
    "h": "bytea",
    "statement": "bytea",
    "salt": "bytea",
    "body": "bytea",
}
"""Types of columns; those that are not here are texts."""

GROWING: Final[Mapping[str, tuple[tuple[str, ...], str]]] = {
    "log_event": (("seq", "canon", "prev", "h", "type", "item", "recorded_at"), "seq"),
    "log_leaf": (("seq", "ordinal", "canon"), "seq"),
    "log_checkpoint": (("size", "note"), "size"),
    "log_signature": (("statement_sha256", "statement", "sshsig", "key_fpr"), ARRIVED),
    "log_decision_guard": (("item", "rev", "nth", "from_state"), ARRIVED),
    "vault_payload": (("commitment", "salt", "role", "body"), ARRIVED),
    "vault_lineage": (("child", "parent", "relation"), ARRIVED),
}
"""Of each table that grows its columns, and the one that says with which event a row came.

The size of a checkpoint is one more than the number of the event it was written with."""

ONCE: Final = {"log_identity": ("store", "tenant", "version"), "vault_key": ("name", "body")}
"""Tables that are filled when a store is made."""


def take(database: Database, copy: duckdb.DuckDBPyConnection, start: int) -> None:
    """Copy every row that came with event ``start`` or later into the tables of ``copy``.

    Args:
        database: In a transaction that sees one state.
        copy: Has the tables. Of ``start`` 0 they are empty.
        start: Events that the copy has.

    Raises:
        store.log.DamagedStoreError: If the rows do not fit into the copy.
    """
    few = False
    if start:
        ((last,),) = database.execute("select max(seq) from log_event").fetchall()
        few = last is not None and last - start < _FEW
    for table, (columns, by) in GROWING.items():
        first = start + 1 if table == "log_checkpoint" else start
        where = sql.SQL("where {} >= {}").format(sql.Identifier(by), sql.Literal(first))
        _take(database, copy, table, columns, where, few=few)
    if not start:
        for table, columns in ONCE.items():
            _take(database, copy, table, columns, sql.SQL(""))


def take_waiting(database: Database, copy: duckdb.DuckDBPyConnection) -> bool:
    """Make the copy's table of what waits for the rewrite the one of the server.

    Returns:
        Whether something that the copy held is erased on the server: its bytes may still be here.

    Raises:
        store.log.DamagedStoreError: As ``take``.
    """
    before = _waiting(copy)
    copy.execute(f"drop table if exists {WAITING}")
    if waits(database):
        copy.execute(f"create table {WAITING} as select * from vault_payload where false")
        _take(database, copy, WAITING, GROWING["vault_payload"][0], sql.SQL(""))
    return not before <= _waiting(copy)


def waits(database: Database) -> int:
    """How many contents wait for the rewrite."""
    ((found,),) = database.execute("select count(*) from vault_condemned").fetchall()
    return int(found)


def marks(copy: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """Where each table of a copy ends: rows that are added come after."""
    told = {}
    for table in (*GROWING, WAITING):
        there = table != WAITING or has(copy, WAITING)
        query = f"select coalesce(max(rowid), -1) from {table}"
        told[table] = int(copy.execute(query).fetchall()[0][0]) if there else -1
    return told


def put(
    database: Database,
    copy: duckdb.DuckDBPyConnection,
    after: Mapping[str, int],
    seq: int | None = None,
) -> None:
    """Write what was added to a copy since ``marks`` to the server, in the present transaction.

    Contents that the copy moved to those that wait for the rewrite are moved there, too.

    Args:
        database: In a transaction, with the lock of the store.
        copy: In a transaction as well.
        after: What ``marks`` told; nothing for a table means all of its rows.
        seq: With which event the rows came; None for a store that begins with all of them.

    Raises:
        psycopg.Error: If the server refuses it, or did not keep every row.
    """
    for table, (columns, by) in GROWING.items():
        extra = [] if by != ARRIVED else [ARRIVED]
        rows = copy.execute(
            f"select {', '.join(columns)} from {table} where rowid > ? order by rowid",
            [after.get(table, -1)],
        )
        _put(database, table, [*columns, *extra], rows, [] if not extra else [seq or 0])
    if has(copy, WAITING):
        rows = copy.execute(
            f"select commitment from {WAITING} where rowid > ?", [after.get(WAITING, -1)]
        )
        while some := rows.fetchmany(_SLICE):
            named = [[commitment for (commitment,) in some]]
            database.execute(
                "with gone as (delete from vault_payload where commitment = any(%s) returning *)"
                " insert into vault_condemned select * from gone",
                named,
            )


def put_once(database: Database, copy: duckdb.DuckDBPyConnection) -> None:
    """Write the rows that a store has from its beginning."""
    for table, columns in ONCE.items():
        rows = copy.execute(f"select {', '.join(columns)} from {table}")
        _put(database, table, columns, rows, [])


def _take(
    database: Database,
    copy: duckdb.DuckDBPyConnection,
    table: str,
    columns: Sequence[str],
    where: sql.Composable,
    *,
    few: bool = False,
) -> None:
    """Take rows in slices; a few come at once, which asks the server once and not three times."""
    named = sql.SQL(", ").join(map(sql.Identifier, columns))
    query = sql.SQL("select {} from {} {}").format(named, sql.Identifier(table), where)
    name = "" if few else f"take_{table}"
    with database.cursor(name, binary=True) as cursor:
        cursor.execute(query)
        while some := cursor.fetchmany(_SLICE):
            arriving = pd.DataFrame(some, columns=list(columns))
            copy.register("arriving", arriving)
            try:
                copy.execute(f"insert into {table} ({', '.join(columns)}) select * from arriving")
            except duckdb.Error as error:
                msg = f"rows of {table} on the server do not fit together. Run verify."
                raise DamagedStoreError(msg) from error
            copy.unregister("arriving")


def _put(
    database: Database,
    table: str,
    columns: Sequence[str],
    rows: duckdb.DuckDBPyConnection,
    more: Sequence[Any],
) -> None:
    query = sql.SQL("copy {} ({}) from stdin (format binary)").format(
        sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    some, count = rows.fetchmany(_SLICE), 0
    if not some:
        return
    with database.cursor() as cursor:
        with cursor.copy(query) as arriving:
            arriving.set_types([_TYPES.get(name, "text") for name in columns])
            while some:
                for row in some:
                    arriving.write_row((*row, *more))
                count += len(some)
                some = rows.fetchmany(_SLICE)
        kept = cursor.rowcount
    if kept != count:  # a trigger on the server let some go
        msg = f"it kept {kept} of {count} rows of {table}"
        raise psycopg.DataError(msg)


def _waiting(copy: duckdb.DuckDBPyConnection) -> set[str]:
    if not has(copy, WAITING):
        return set()
    return {one for (one,) in copy.execute(f"select commitment from {WAITING}").fetchall()}


def counts(copy: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """How many rows of each table that grows a copy has."""
    return {
        table: int(copy.execute(f"select count(*) from {table}").fetchall()[0][0])
        for table in GROWING
    }


def has(copy: duckdb.DuckDBPyConnection, table: str) -> bool:
    """Whether a copy has this table."""
    query = "select count(*) from duckdb_tables() where table_name = ?"
    return copy.execute(query, [table]).fetchall() != [(0,)]

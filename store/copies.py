"""Whether a copy of a store is that store: its shape, its rows, its triggers and its log."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Final

import duckdb

from store import merkle, tables
from store.events import GENESIS, chain_hash

_SHAPES: Final = {
    "tables": "select table_name from duckdb_tables() where database_name = ?",
    "columns": (
        "select table_name, column_name, column_index, data_type, is_nullable, column_default"
        " from duckdb_columns() where database_name = ? and not internal"
    ),
    "constraints": (
        "select table_name, constraint_type, constraint_text, constraint_column_names::varchar"
        " from duckdb_constraints() where database_name = ?"
    ),
    "indexes": (
        "select table_name, index_name, is_unique, is_primary, sql from duckdb_indexes()"
        " where database_name = ?"
    ),
}
_TRIGGERS: Final = (
    "select table_name, action_timing, event_manipulation, sql from duckdb_triggers()"
    " where database_name = ?"
)
_CHUNK: Final = 5_000


class CopyDiffersError(RuntimeError):
    """A copy of the store is not the store. Nothing was put in its place."""

    def __init__(self, what: str) -> None:
        """Say what differs."""
        self.what = what
        super().__init__(
            f"The copy of the store differs from the store: {what}. The store was not replaced. "
            "Run memory-console verify."
        )


def compare(
    connection: duckdb.DuckDBPyConnection,
    source: str,
    copy: str,
    *,
    without: Mapping[str, str] | None = None,
    left_out: Container[str] = (),
) -> None:
    """Hold two attached databases against each other, by their names.

    Args:
        connection: Has both attached.
        source: What was copied.
        copy: What was made of it.
        without: For a table of which not every row was to be copied, the condition on those that
            were.
        left_out: Tables that were not to be copied.

    Raises:
        CopyDiffersError: If their tables, columns, constraints, indexes or rows differ; if the
            copy lacks a trigger; or if its log does not follow from its own bytes.
    """
    for what, query in _SHAPES.items():
        held = [row for row in _rows(connection, query, source) if row[0] not in left_out]
        if held != _rows(connection, query, copy):
            raise CopyDiffersError(what)
    _triggers(connection, source, copy)
    for (table,) in _rows(connection, _SHAPES["tables"], copy):
        kept = (without or {}).get(str(table), "true")
        told = [
            connection.execute(
                f"select count(*), bit_xor(hash(t))::varchar from {base}.main.{table} t {where}"
            ).fetchall()
            for base, where in ((source, f"where {kept}"), (copy, ""))
        ]
        if told[0] != told[1]:
            msg = f"the rows of {table}"
            raise CopyDiffersError(msg)
    _log(connection, copy)


def _triggers(connection: duckdb.DuckDBPyConnection, source: str, copy: str) -> None:
    held, told = (set(_rows(connection, _TRIGGERS, base)) for base in (source, copy))
    guarded = {(row[0], row[2]) for row in told if row[1] == "BEFORE"}
    wanted = {(table, act) for table in tables.APPEND_ONLY for act in ("UPDATE", "DELETE")}
    if held - told or wanted - guarded:
        msg = "triggers"
        raise CopyDiffersError(msg)


def _log(connection: duckdb.DuckDBPyConnection, base: str) -> None:
    """Chain and Merkle root, derived from the copy's bytes."""
    previous, size, frontier = GENESIS, 0, merkle.Frontier()
    rows = connection.cursor().execute(f"select seq, canon, h from {base}.log_event order by seq")
    while chunk := rows.fetchmany(_CHUNK):
        for seq, canon, h in chunk:
            previous = chain_hash(previous, bytes(canon))
            if seq != size or previous != bytes(h):
                msg = f"event {size} does not follow the one before it"
                raise CopyDiffersError(msg)
            frontier = frontier.grow(merkle.leaf_hash(bytes(canon)))
            size += 1
    root = connection.execute(
        f"select root from {base}.proj_root where size = ?", [size]
    ).fetchall()
    if [bytes(one[0]) for one in root] != [frontier.root()]:
        msg = "the root of its log"
        raise CopyDiffersError(msg)


def _rows(
    connection: duckdb.DuckDBPyConnection, query: str, base: str
) -> list[tuple[object, ...]]:
    return sorted(connection.execute(query, [base]).fetchall(), key=repr)

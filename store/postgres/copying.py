"""Fills a new store in PostgreSQL from a DuckDB copy, and writes a DuckDB file from one."""

from __future__ import annotations

from pathlib import Path

import duckdb

from store import migrations, projections
from store.connections import PATIENCE, Opener
from store.postgres import rows, schema
from store.postgres.place import Line, Place


def fill(place: Place, copy: duckdb.DuckDBPyConnection, *, patience: float = PATIENCE) -> None:
    """Make the store at ``place`` out of the rows of ``copy``, whole or not at all.

    Raises:
        FileExistsError: If there is one.
        store.connections.StoreAwayError, store.connections.StoreBusyError: As the database says.
    """
    line = Line(place, patience=patience)
    try:
        with line.alone() as database, database.transaction():
            if schema.exists(database, place):
                msg = f"there is a schema {place.schema} already. Nothing was changed."
                raise FileExistsError(msg)
            schema.create(database, place)
            rows.put_once(database, copy)
            rows.put(database, copy, {})
    finally:
        line.close()


def dump(line: Line, fresh: Path) -> None:
    """Write the log and the vault into a new DuckDB file, without what waits to be erased.

    The projections of the file are empty: whoever opens it as a store makes them.

    Raises:
        store.connections.StoreAwayError: If the database cannot be reached.
        OSError, duckdb.Error: If the file cannot be written.
    """
    with line.snapshot() as database, Opener(fresh).work() as connection:
        migrations.bring_up_to_date(connection)
        rows.take(database, projections.driver(connection), 0)
    fresh.chmod(0o600)

"""Brings a store file to the schema this program knows, by numbered steps, and refuses newer ones.

Written by hand: there is no reflection over DuckDB, and a store's shape is read by people.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sqlalchemy import Connection, text
from sqlmodel import SQLModel

from store import projections, tables


class StoreNewerError(RuntimeError):
    """The file was written by a later version of this program."""

    def __init__(self, found: int) -> None:
        """Keep both versions."""
        self.found, self.known = found, KNOWN
        super().__init__(
            f"This store was written by a newer version (schema {found}, this program knows "
            f"{KNOWN}). Nothing was changed. Update the program."
        )


def version_of(connection: Connection) -> int:
    """Schema version of an open store; 0 for a new, empty file."""
    found = connection.execute(
        text("select count(*) from information_schema.tables where table_name = 'log_identity'")
    ).scalar_one()
    if not found:
        return 0
    version = connection.execute(text("select max(version) from log_identity")).scalar_one()
    return int(version or 0)


def bring_up_to_date(connection: Connection) -> None:
    """Apply the steps this store has not seen. Idempotent.

    Raises:
        StoreNewerError: If the store has seen steps that this program does not know.
    """
    version = version_of(connection)
    if version > KNOWN:
        raise StoreNewerError(version)
    for step in _STEPS[version:]:
        step(connection)
    projections.add_missing(connection)


def guard_log_tables(connection: Connection) -> None:
    """Make the database itself refuse to change or remove a row of the log."""
    for statement in guards():
        connection.execute(text(statement))


def guards() -> list[str]:
    """The statements that make the append-only triggers.

    A copy of a database does not carry triggers over; whoever copies one runs these again.
    """
    return [
        f"create trigger {table}_no_{act} before {act} on {table} for each statement "
        f"insert into log_append_only select error('{table} is append-only')"
        for table in tables.APPEND_ONLY
        for act in ("update", "delete")
    ]


def _first(connection: Connection) -> None:
    SQLModel.metadata.create_all(connection)
    guard_log_tables(connection)
    projections.create(connection)


_STEPS: Final[tuple[Callable[[Connection], None], ...]] = (_first,)
KNOWN: Final = len(_STEPS)
"""The newest schema version this program can read."""

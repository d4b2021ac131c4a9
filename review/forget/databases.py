"""What a database keeps of erased rows beyond the reach of an erasure, by the kind of database.

A DuckDB store is written into a new file, so it keeps nothing but what every report lists. There
is no store on PostgreSQL: its residues are listed here so that nobody runs one and reports less.
They are those of its documentation (chapters "Routine Vacuuming", "Continuous Archiving",
"Log-Shipping Standby Servers", and the view ``pg_stats``).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from review.forget.locations import Location
from review.forget.statuses import LocationKind, Status


class Database(StrEnum):
    """Kinds of databases that a store could be kept in."""

    DUCKDB = "duckdb"
    POSTGRESQL = "postgresql"


POSTGRESQL: Final = (
    ("heap", LocationKind.STORE),
    ("statistics", LocationKind.INDEX),
    ("wal", LocationKind.WAL),
    ("replicas", LocationKind.BACKUP),
    ("backups", LocationKind.BACKUP),
    ("log", LocationKind.OS),
    ("temporary", LocationKind.OS),
)
"""Dead rows until ``VACUUM FULL`` of the table; sampled values until ``ANALYZE``; write-ahead log
until it is recycled, and for ever where it is archived; standby servers; base backups; statements
in the server's log; files that sorts spill into."""


def residues(database: Database) -> tuple[Location, ...]:
    """Places that a report on such a store lists whatever was found: none can be looked into."""
    if database is Database.DUCKDB:
        return ()
    return tuple(
        Location(
            f"always:{database}_{name}",
            kind,
            Status.OUTSIDE_CONTROL,
            method="none",
            residual_reason=f"{database}_{name}",
            next_step="none",
        )
        for name, kind in POSTGRESQL
    )

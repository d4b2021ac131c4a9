"""What a database keeps of erased rows beyond the reach of an erasure, by the kind of database.

A DuckDB store is written into a new file, so it keeps nothing but what every report lists. A
PostgreSQL server keeps a write-ahead log, and copies of it may be anywhere. The places are of its
documentation (chapters "Routine Vacuuming", "Continuous Archiving", "Log-Shipping Standby
Servers", and the view ``pg_stats``). That the list has one does not say that it has a copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from review.forget.locations import Evidence, Location
from review.forget.statuses import LocationKind, Status

JOURNAL: Final = "server:wal"
"""Id of the server's write-ahead log, once erased texts were found in it."""


@dataclass(frozen=True, slots=True)
class Server:
    """What is known of the PostgreSQL server that keeps a store."""

    archives: bool = True
    """Whether it archives its write-ahead log, or nobody knows."""

    readers: int = 0
    """Standby servers and other readers of its log that it knows of."""

    readable: bool = False
    """Whether its files could be searched: then tables are told by the search, and not listed."""

    log: Evidence = field(default_factory=Evidence)
    """What the search of its present write-ahead log found."""


POSTGRESQL: Final = (
    ("heap", LocationKind.STORE),
    ("statistics", LocationKind.INDEX),
    ("wal", LocationKind.WAL),
    ("archive", LocationKind.BACKUP),
    ("replicas", LocationKind.BACKUP),
    ("backups", LocationKind.BACKUP),
    ("log", LocationKind.OS),
    ("temporary", LocationKind.OS),
    ("consoles", LocationKind.OS),
)
"""Dead rows until ``VACUUM FULL`` of the table; sampled values until ``ANALYZE``; write-ahead log
until it is recycled, and for ever where it is archived; standby servers; base backups; statements
in the server's log; files that sorts spill into; the memory of other consoles until they look at
the store again."""

_SEARCHED: Final = ("heap", "statistics")
"""What a search of the server's files tells. Samples of contents are never taken."""


def residues(server: Server | None) -> tuple[Location, ...]:
    """Places that a report lists: none is for us to keep clean.

    The write-ahead log is a place like any other once something was found in it.

    Args:
        server: Of a store in PostgreSQL; None for a file of the workspace.
    """
    return () if server is None else tuple(_of(server))


def _of(server: Server) -> Iterator[Location]:
    for name, kind in POSTGRESQL:
        if name in _SEARCHED and server.readable:
            continue
        found = name == "wal" and server.log.hits > 0
        yield Location(
            JOURNAL if found else f"always:postgresql_{name}",
            kind,
            Status.OUTSIDE_CONTROL,
            method="none",
            evidence=server.log if name == "wal" else Evidence(),
            residual_reason=_reason(name, server),
            next_step="recycle_log" if found else "none",
        )


def _reason(name: str, server: Server) -> str:
    found = {
        "wal": server.log.hits > 0,
        "archive": server.archives,
        "replicas": server.readers > 0,
    }
    return f"postgresql_{name}_here" if found.get(name) else f"postgresql_{name}"

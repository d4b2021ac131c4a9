"""A store that is no file of the workspace: what a search goes through, and what a report lists.

The library for PostgreSQL is read only where a tenant has such a store.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from console.identity import Tenant
from review.forget.databases import Server
from review.forget.places import evidence
from store.log_store import LogStore
from store.needles import Form
from store.scan_targets import Stream
from store.scans import FileScan, Scan


@contextmanager
def streams(tenant: Tenant, store: LogStore, *, log: bool) -> Iterator[Sequence[Stream]]:
    """What a server keeps of a tenant's store; nothing where the store is a file.

    Args:
        tenant: Whose.
        store: The store.
        log: Whether the server's write-ahead log is searched as well.

    Raises:
        store.connections.StoreAwayError: If the database cannot be reached.
    """
    if not tenant.database:
        yield ()
        return
    from store.postgres import server_files
    from store.postgres_store import PostgresStore

    assert isinstance(store, PostgresStore)
    with store.server() as line:
        yield (*server_files.of_store(line), *(server_files.of_log(line) if log else ()))


def told(tenant: Tenant, store: LogStore, scan: Scan) -> tuple[Scan, Server | None]:
    """A search less the write-ahead log, and what is known of the server that keeps it.

    Raises:
        store.connections.StoreAwayError: If the database cannot be reached.
    """
    if not tenant.database:
        return scan, None
    from store.postgres import server_files
    from store.postgres_store import PostgresStore

    assert isinstance(store, PostgresStore)
    of_log = [one for one in scan.files if one.path.startswith(server_files.OF_LOG)]
    rest = tuple(one for one in scan.files if one not in of_log)
    of_log = _ours(of_log)
    with store.server() as line:
        facts = server_files.facts(line)
    read: list[FileScan] = [one for one in of_log if one.unread is None]
    server = Server(facts.archives, facts.readers, facts.readable, evidence(read, scan))
    return replace(scan, files=rest), server


def _ours(of_log: Sequence[FileScan]) -> list[FileScan]:
    """The same without words of which no row of ours stands in the log.

    The log is one for all databases of a server: the words may be in it for somebody else. A row
    of ours brings its salt along, which nobody else has.
    """
    salted = {hit.of for one in of_log for hit in one.hits if hit.form is Form.SALT}
    return [
        replace(one, hits=tuple(hit for hit in one.hits if hit.of in salted)) for one in of_log
    ]

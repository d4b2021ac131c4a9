"""Lets one console at a time work on something that takes many appends, wherever it runs.

The server takes the lock back with the connection, however that ends.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager

from store.connections import PATIENCE
from store.postgres.place import Line, Place, away


@contextmanager
def taken(place: Place, work: str) -> Iterator[bool]:
    """Whether the lock for ``work`` on the store at ``place`` was free; it is held for the block.

    Raises:
        store.connections.StoreAwayError: If the database cannot be reached.
    """
    line = Line(place, patience=PATIENCE)
    try:
        with away(place):
            found = line.database().execute("select pg_try_advisory_lock(%s)", [_key(place, work)])
            ((free,),) = found.fetchall()
        yield bool(free)
    finally:
        line.close()  # which gives the lock back


def is_taken(place: Place, work: str) -> bool:
    """Whether somebody holds that lock.

    Raises:
        store.connections.StoreAwayError: If the database cannot be reached.
    """
    with taken(place, work) as free:
        return not free


def _key(place: Place, work: str) -> int:
    digest = hashlib.sha256(f"memory-console {work}\0{place.schema}".encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)

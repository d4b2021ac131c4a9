"""Lets one process at a time carry out a request, a backup or a restore of a tenant's store.

They go through the same files in several steps: a backup that is copied in the midst of a request
would hold what is being forgotten, and two requests would sign over what the other takes away. A
store in a database is worked on from several machines, so the server has such a lock, too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from console import tenant_store, worker_locks
from console.identity import Tenant
from review.forget.ground import AtWorkError

LOCK: Final = ".lock"
_WORK: Final = "forgetting"


@contextmanager
def working(folder: Path, tenant: Tenant) -> Iterator[None]:
    """Be the one at work on a tenant's store, whose files about requests are in ``folder``.

    Raises:
        AtWorkError: If another one is, in this process or another.
        store.connections.StoreAwayError: If the tenant's database cannot be reached.
        OSError: If the folder cannot be written to.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle = worker_locks.take(folder / LOCK)
    if handle is None:
        raise AtWorkError
    try:
        if not tenant.database:
            yield
            return
        place = tenant_store.place_of(tenant)
        from store.postgres import one_at_a_time

        with one_at_a_time.taken(place, _WORK) as free:
            if not free:
                raise AtWorkError
            yield
    finally:
        os.close(handle)


def at_work(folder: Path, tenant: Tenant) -> bool:
    """Whether somebody is.

    Raises:
        store.connections.StoreAwayError: If the tenant's database cannot be reached.
    """
    if worker_locks.held(folder / LOCK):
        return True
    if not tenant.database:
        return False
    place = tenant_store.place_of(tenant)
    from store.postgres import one_at_a_time

    return one_at_a_time.is_taken(place, _WORK)

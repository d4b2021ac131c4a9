"""The report of ``verify`` on whichever store a test runs over."""

from __future__ import annotations

from store.log_store import LogStore
from store.postgres_store import PostgresStore
from store.postgres_verify import verify_place
from store.standing import TrustRoot
from store.verify import VerifyReport, verify


def verified(store: LogStore, root: TrustRoot | None) -> VerifyReport | None:
    """What verify tells; None for a store in memory, which nobody can verify."""
    if isinstance(store, PostgresStore):
        return verify_place(store.place, root=root)
    return None if store.path is None else verify(store.path, root=root)

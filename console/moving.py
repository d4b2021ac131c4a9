"""Moves a tenant's store from a file of the workspace into a PostgreSQL database.

The rows are copied as they are, so its log is the same log. What was copied is verified from the
server before the file goes, and its bytes are overwritten: it would be a copy that nobody counts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from console import identity, tenant_store
from console.identity import Tenant
from console.wiring import Workspace
from store import erase_queries, leftovers, whole_files
from store.duckdb_store import DuckDbStore
from store.rewriting import wal_of
from store.standing import TrustRoot


class NotMovedError(RuntimeError):
    """The store stays where it is. The message says why."""


@dataclass(frozen=True, slots=True)
class Moved:
    """What was moved."""

    events: int
    """In the log; 0 if the tenant had no store yet."""

    schema: str
    """The schema of the database that holds the store now, or will hold it."""

    overwritten: bool
    """Whether the file's bytes were overwritten before they were given back."""


def move(place: Workspace, tenant: Tenant, words: str) -> Moved:
    """Keep a tenant's store in the database that ``words`` name from now on.

    No other console of this workspace may run meanwhile: it would not know where the store went.

    Raises:
        NotMovedError: If it is in a database already, if erased contents wait in it, or if what
            was copied does not verify.
        FileExistsError: If the database has a store of this tenant.
        console.identity.SettingsError: If the words do not name a database.
        store.connections.StoreAwayError: If the database cannot be reached.
        store.connections.StoreBusyError: If another process holds the store.
    """
    if tenant.database:
        msg = f"the store of {tenant.name} is in a database already. Nothing was changed."
        raise NotMovedError(msg)
    there = replace(tenant, database=words)
    where, path = tenant_store.place_of(there), place.store_path(tenant)
    if tenant_store.exists(path, there):
        msg = f"there is a schema {where.schema} already. Nothing was changed."
        raise FileExistsError(msg)
    events = copied(path, there, trust=place.root) if path.exists() else 0
    whole_files.put(tenant_store.moved(path), f"{where.schema}\n".encode())
    tenants = tuple(there if one.id == tenant.id else one for one in place.settings.tenants)
    identity.write_settings(replace(place.settings, tenants=tenants))
    return Moved(events, where.schema, _gone(path))


def into_database(path: Path, tenant: Tenant, *, trust: TrustRoot | None) -> None:
    """Put a store that was made as a file into the database of its tenant; the file goes.

    Raises:
        As ``move``.
    """
    copied(path, tenant, trust=trust)
    _gone(path)


def copied(path: Path, tenant: Tenant, *, trust: TrustRoot | None) -> int:
    """Copy the store at ``path`` into the database of ``tenant``, and verify it there.

    Returns:
        How many events its log has.

    Raises:
        As ``move``.
    """
    where = tenant_store.place_of(tenant)
    from store.postgres import copying
    from store.postgres_verify import verify_place

    store = DuckDbStore(path, trust=trust)
    with store.held():
        if store.rows(erase_queries.IS_WAITING)[0]["n"]:
            msg = (
                "contents that were asked to be forgotten still wait in the store. Nothing was "
                "changed. Carry the request out first: memory-console doctor names it."
            )
            raise NotMovedError(msg)
        head = store.head()
        with store.copyable() as copy:
            copying.fill(where, copy)
    report = verify_place(where, root=trust)
    if report.exit_code == 5 or (report.size, report.root) != (head.size, head.root):
        msg = (
            f"what was copied into schema {where.schema} does not verify. The store stays in its "
            "file; drop the schema before you try again."
        )
        raise NotMovedError(msg)
    return head.size


def _gone(path: Path) -> bool:
    leftovers.destroy(wal_of(path))
    return leftovers.destroy(path)

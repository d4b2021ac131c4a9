"""Moves a tenant's store from a file of the workspace into a PostgreSQL database.

The rows are copied as they are, so its log is the same log. What was copied is verified from the
server before the file goes, and its bytes are overwritten: it would be a copy that nobody counts.
A move that was cut off is gone on with by the same command; until then nothing is opened that has
been moved and is still here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from console import identity, tenant_store
from console.identity import Tenant
from console.wiring import Workspace
from store import erase_queries, leftovers, whole_files
from store.duckdb_store import DuckDbStore
from store.rewriting import wal_of
from store.standing import TrustRoot
from store.verify import SeenState, Verdict

if TYPE_CHECKING:
    from store.postgres.place import Place


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
        FileExistsError: If the database has a schema of this tenant that is no copy of the store.
        console.identity.SettingsError: If the words do not name a database.
        store.connections.StoreAwayError: If the database cannot be reached.
        store.connections.StoreBusyError: If another process holds the store.
    """
    path = place.store_path(tenant)
    if tenant.database and not (path.exists() and tenant.database == words):
        msg = f"the store of {tenant.name} is in a database already. Nothing was changed."
        raise NotMovedError(msg)
    there = replace(tenant, database=words)
    where = tenant_store.place_of(there)
    from store.postgres_store import PostgresStore

    def settled() -> None:
        whole_files.put(tenant_store.moved(path), f"{where.schema}\n".encode())
        tenants = tuple(there if one.id == tenant.id else one for one in place.settings.tenants)
        identity.write_settings(replace(place.settings, tenants=tenants))

    if path.exists():
        events, overwritten = into_database(
            path, there, trust=place.root, then=settled, in_use=bool(tenant.database)
        )
        return Moved(events, where.schema, overwritten)
    if PostgresStore.is_at(where):
        raise _taken(where)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    settled()
    return Moved(0, where.schema, overwritten=False)


def into_database(
    path: Path,
    tenant: Tenant,
    *,
    trust: TrustRoot | None,
    then: Callable[[], None] | None = None,
    in_use: bool = False,
) -> tuple[int, bool]:
    """Put the store at ``path`` into the database of its tenant, verify it there; the file goes.

    A copy of this very store that is there already is taken for the one that was to be made.

    Args:
        path: The file. Nobody else opens it meanwhile.
        tenant: Names its database.
        trust: The workspace's trust root.
        then: Is called when the copy is there, before the file goes.
        in_use: Whether consoles may have appended to such a copy since.

    Returns:
        How many events its log has, and whether the file's bytes were overwritten.

    Raises:
        As ``move``.
    """
    where = tenant_store.place_of(tenant)
    from store.postgres import copying
    from store.postgres_store import PostgresStore
    from store.postgres_verify import verify_place

    store, old = DuckDbStore(path, trust=trust), leftovers.old_of(path)
    with store.held():
        if store.rows(erase_queries.IS_WAITING)[0]["n"]:
            msg = (
                "contents that were asked to be forgotten still wait in the store. Nothing was "
                "changed. Carry the request out first: memory-console doctor names it."
            )
            raise NotMovedError(msg)
        head = store.head()
        if not PostgresStore.is_at(where):
            with store.copyable() as copy:
                copying.fill(where, copy)
        report = verify_place(where, root=trust, seen=SeenState(head.size, head.root))
        told = {one.name: one.verdict for one in report.lines}
        ours = report.store == store.store_id and told["rollback"] == Verdict.PASS
        if not ours or (report.size > head.size and not in_use):
            raise _taken(where)
        if report.exit_code == 5:
            msg = (
                f"what was copied into schema {where.schema} does not verify. The store stays in "
                f"its file. {_drop(where)}, and try again."
            )
            raise NotMovedError(msg)
        if then is not None:
            then()
        path.rename(old)  # nobody appends to it any more
    leftovers.destroy(wal_of(path))
    return head.size, leftovers.destroy(old)


def _taken(where: Place) -> FileExistsError:
    msg = (
        f"there is a schema {where.schema} already, and it is no copy of this store as it is now. "
        f"Nothing was changed. If no console uses it: {_drop(where)}, and try again."
    )
    return FileExistsError(msg)


def _drop(where: Place) -> str:
    return f'drop it with: drop schema "{where.schema}" cascade'

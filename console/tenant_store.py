"""Which store a tenant has: a file in the workspace, or a schema of a PostgreSQL database.

The library for PostgreSQL is read only where a tenant has one.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from console.identity import SettingsError, Tenant
from store import leftovers
from store.duckdb_store import DuckDbStore
from store.log import Entry
from store.log_store import LogStore
from store.standing import TrustRoot

if TYPE_CHECKING:
    from store.postgres.place import Place


class Founding(NamedTuple):
    """What a new store begins with."""

    store_id: str
    key: bytes
    first: Entry


def told(tenant: Tenant) -> dict[str, str]:
    """Where the store of a tenant is, for people, if it is no file of the workspace."""
    return {"database": place_of(tenant).conninfo} if tenant.database else {}


def exists(path: Path, tenant: Tenant) -> bool:
    """Whether a tenant has a store already; ``path`` is where it would be as a file.

    Raises:
        console.identity.SettingsError: If its database cannot be used as it is configured, if
            moving the store there was cut off, or if it was moved there and the configuration is
            an older one.
        store.connections.StoreAwayError: If the database cannot be reached.
    """
    if not tenant.database:
        if not path.exists():
            _not_moved(path, tenant)
            return False
        return True
    place = place_of(tenant)
    _no_file_left(path, tenant)
    from store.postgres_store import PostgresStore

    return PostgresStore.is_at(place)


def opened(
    path: Path, tenant: Tenant, *, trust: TrustRoot | None, founding: Callable[[], Founding]
) -> LogStore:
    """A tenant's store; made on first use.

    Args:
        path: Where it is as a file, and what the files beside it are named after.
        tenant: Whose.
        trust: The workspace's trust root.
        founding: Draws what a new store begins with.

    Raises:
        console.identity.SettingsError: If its database cannot be used as it is configured, if
            it was moved into one and the configuration is an older one, or if moving it was cut
            off.
        store.connections.StoreBusyError: If another process holds it.
        store.connections.StoreAwayError: If its database cannot be reached.
    """
    if tenant.database:
        return _in_database(path, tenant, trust, founding)
    if not path.exists():
        _not_moved(path, tenant)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with contextlib.suppress(FileExistsError):  # another process was first
            new = founding()
            return DuckDbStore.create(
                path,
                store_id=new.store_id,
                tenant_id=tenant.id,
                key=new.key,
                first=new.first,
                trust=trust,
            )
    return DuckDbStore(path, trust=trust)


def moved(path: Path) -> Path:
    """The file that says that a store is not at ``path`` any more."""
    return path.with_name(f"{path.name}.moved")


def _not_moved(path: Path, tenant: Tenant) -> None:
    """Refuse to begin a new store where one was, for whoever still has the old configuration."""
    if moved(path).exists():
        msg = (
            f"the store of tenant {tenant.name} was moved into a database, and the configuration "
            "that was read does not name it. Nothing was opened. Start this program again; if "
            "config.toml itself has no line database, put it back, or restore a backup."
        )
        raise SettingsError(msg)


def _no_file_left(path: Path, tenant: Tenant) -> None:
    """Refuse to open one of two stores, where a move or a restore was cut off before its end."""
    if path.exists():
        msg = (
            f"the store of tenant {tenant.name} is in a database, and there is a file of it, too: "
            "moving it was cut off. Nothing was opened. Go on with: memory-console database move, "
            "with the same words as config.toml has."
        )
        raise SettingsError(msg)
    leftovers.destroy(leftovers.old_of(path))


def _in_database(
    path: Path, tenant: Tenant, trust: TrustRoot | None, founding: Callable[[], Founding]
) -> LogStore:
    place = place_of(tenant)
    _no_file_left(path, tenant)
    from store.postgres_store import PostgresStore

    try:
        return _own(PostgresStore.of_process(place, beside=path, trust=trust), tenant)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = founding()
        with contextlib.suppress(FileExistsError):  # another process was first
            PostgresStore.create(
                place,
                store_id=new.store_id,
                tenant_id=tenant.id,
                key=new.key,
                first=new.first,
                beside=path,
                trust=trust,
            )
    try:
        return _own(PostgresStore.of_process(place, beside=path, trust=trust), tenant)
    except FileNotFoundError as error:
        msg = (
            f"there is a schema {place.schema} in the database of tenant {tenant.name}, and no "
            "store in it that this role may read. Nothing was opened. Give the role the right to "
            "it, or drop the schema if it is empty."
        )
        raise SettingsError(msg) from error


def _own(store: LogStore, tenant: Tenant) -> LogStore:
    """Refuse a store that was put under another tenant's name."""
    if store.tenant_id != tenant.id:
        msg = (
            f"the schema of tenant {tenant.name} holds the store of another tenant. Nothing was "
            "opened. Somebody renamed it on the server."
        )
        raise SettingsError(msg)
    return store


def place_of(tenant: Tenant) -> Place:
    """Where the store of a tenant is in its database.

    Raises:
        console.identity.SettingsError: If it is not said, or the library is not installed.
    """
    try:
        from store.postgres import place
    except ImportError as error:
        msg = (
            f"the store of tenant {tenant.name} is in a PostgreSQL database, and the library for "
            "that is not installed. Nothing was opened. Install memory-console[postgres]."
        )
        raise SettingsError(msg) from error
    try:
        return place.place_of(tenant.database, tenant.id)
    except place.BadPlaceError as error:
        msg = f"database of tenant {tenant.name}: {error} Nothing was opened."
        raise SettingsError(msg) from error

"""Writes backups of a tenant's store, and deletes them.

Beside the store's copy lies ``workspace.json``: the tenant, the trust root, the policy and the
parameters, so that the backup can be put back where nothing is left of the workspace; and
``requests.json``, the files about forget requests so far. No key and no passphrase is in a backup.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any, Final

from console import identity
from console.backup import folders, one_at_a_time, request_files
from console.backup.kept import Kept
from console.identity import Tenant
from console.wiring import (
    FORGETS,
    PARAMETERS_FILE,
    POLICY_FILE,
    Workspace,
    root_statement,
)
from review.forget.guarding import guarded
from review.identities import stamp
from store import backups, leftovers, whole_files
from store.backups import MOST_DAYS, BackupError, Manifest
from store.events import ActorKind, EventType, Happening
from store.log import Entry, Store

WORKSPACE: Final = "workspace.json"
REQUESTS: Final = "requests.json"
"""Files about forget requests up to now, of ids and digests: their reports, above all."""

FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Deleted:
    """What was done to a backup that has to be gone."""

    backup: str
    found: bool
    """Whether it was there."""

    overwritten: bool
    """Whether its bytes were overwritten before they were given back."""


def write(
    place: Workspace, tenant: Tenant, *, days: int = MOST_DAYS, into: Path | None = None
) -> tuple[Manifest, Path]:
    """Write a backup of a tenant's store; its manifest, and the folder it is in.

    Args:
        place: The workspace.
        tenant: Whose store.
        days: After how many days it has to be deleted: 0 to 30.
        into: A folder outside of the workspace in which the backup gets a folder of its own.

    Raises:
        FileNotFoundError: If the tenant has no store yet.
        review.forget.ground.AtWorkError: If a forget request or a restore is being carried out.
        ValueError: For other days.
        store.backups.BackupError: If a forget request was cut off before its keyed digests, or as
            the store says.
        store.connections.StoreBusyError, OSError: As the store says.
        store.forget_list.ForgetListError: If the list beside the store knows more than its log.
    """
    if not place.has_store(tenant):
        msg = "the tenant has no store yet. Nothing was written."
        raise FileNotFoundError(msg)
    with one_at_a_time.working(requests_of(place, tenant), tenant):
        return _write(place, tenant, days=days, into=into)


def _write(
    place: Workspace, tenant: Tenant, *, days: int, into: Path | None
) -> tuple[Manifest, Path]:
    store = place.store(tenant)
    _can_come_back(store)
    backup = f"b-{identity.fresh_id()}"
    folder = (folders.make(place, tenant) if into is None else into.absolute()) / backup
    now = place.clock()
    if into is not None:
        folders.point_at(place, tenant, backup, folder)
    try:
        manifest = backups.write(
            store,
            folder,
            backup=backup,
            delete_by=now.astimezone(UTC).date() + timedelta(days=days),
            now=now,
            process=place.settings.process,
        )
    except BaseException:
        folders.unpoint(place, tenant, backup)
        raise
    told = json.dumps(_workspace(place, tenant), ensure_ascii=False, sort_keys=True, indent=1)
    whole_files.put(folder / WORKSPACE, f"{told}\n".encode())
    files = json.dumps(request_files.kept(requests_of(place, tenant)), sort_keys=True, indent=1)
    whole_files.put(folder / REQUESTS, f"{files}\n".encode())
    return manifest, folder


def requests_of(place: Workspace, tenant: Tenant) -> Path:
    """The folder with the files about a tenant's forget requests."""
    return place.store_path(tenant).parent / FORGETS


def _can_come_back(store: Store) -> None:
    """Refuse while a signed request has not taken its keyed digests yet.

    After a restore nobody could take them: the list would name digests that it does not have, and
    is then not believed.
    """
    for forget, request in store.standing().forgets.items():
        if request.guard and not guarded(store, forget):
            msg = (
                f"forget request {forget} was cut off. Nothing was written. Go on with it first: "
                f"memory-console forget --request {forget}"
            )
            raise BackupError(msg)


def delete(place: Workspace, tenant: Tenant, store: Store, one: Kept) -> Deleted:
    """Overwrite and remove a backup, and record that; or that it was gone already.

    Raises:
        OSError: If it cannot be removed. Nothing is recorded then.
    """
    folder = folders.place_of(place, tenant, one.backup)
    found, overwritten = folder.is_dir(), True
    if found:
        for path in sorted(folder.iterdir()):
            overwritten = leftovers.destroy(path) and overwritten
        folder.rmdir()
    folders.unpoint(place, tenant, one.backup)
    process = place.settings.process
    told = Happening(
        EventType.BACKUP_DELETED,
        recorded_at=stamp(place.clock()),
        actor=process,
        actor_kind=ActorKind.PROCESS,
        process=process,
        body={"backup": one.backup, "found": found},
    )
    store.append(Entry(told))
    return Deleted(one.backup, found, found and overwritten)


def _workspace(place: Workspace, tenant: Tenant) -> dict[str, Any]:
    signed = None if place.root is None else root_statement(place.home)
    root = signed and {
        "statement": signed.statement.decode("utf-8"),
        "signature": signed.signature,
    }
    return {
        "format": FORMAT,
        "tenant": {"id": tenant.id, "name": tenant.name},
        "root": root,
        "texts": {name: _text(place.home / name) for name in (POLICY_FILE, PARAMETERS_FILE)},
    }


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None

"""Puts a backup back: into the workspace it was made of, or where nothing is left of one.

What was forgotten since is forgotten again before anything can be read: see ``store.restoring``.
Where the workspace is gone, the list of what was forgotten has to come from somewhere else, and so
have the keys; the backup holds neither.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from console import identity, moving, tenant_store
from console.backup import folders, one_at_a_time, request_files
from console.backup.making import FORMAT, REQUESTS, WORKSPACE
from console.identity import Settings, Tenant
from console.wiring import (
    FORGETS,
    PARAMETERS_FILE,
    POLICY_FILE,
    TrustRootError,
    Workspace,
    plant_statement,
    shipped_policy,
)
from review.forget import reporting
from review.identities import Clock
from store import backups, forget_list, restoring, trust_root
from store.backups import BackupError
from store.duckdb_store import DuckDbStore
from store.events import EventType
from store.forget_list import ForgetListError, Heard
from store.forget_statements import read_forget
from store.forgetting import pending
from store.restoring import Moment, Restored
from store.statements import SignedStatement
from store.trust_root import TrustRoot

_REPORT: Final = reporting.file_of("")


@dataclass(frozen=True, slots=True)
class PutBack:
    """What was put back, and what is still to be done."""

    tenant: Tenant
    restored: Restored
    unfinished: tuple[str, ...]
    """Forget requests that were applied again: the report of each is still to be made."""

    new_workspace: bool


def find(place: Workspace, named: str) -> Path:
    """The folder of a backup that is named by its id, or by its folder.

    Raises:
        console.backup.folders.NoSuchBackupError: If there is none.
    """
    for tenant in place.settings.tenants:
        folder = folders.place_of(place, tenant, named)
        if (folder / backups.MANIFEST).is_file():
            return folder
    return folder_named(named)


def folder_named(named: str) -> Path:
    """The folder of a backup that is named by a path.

    Raises:
        console.backup.folders.NoSuchBackupError: If there is none.
    """
    if not (Path(named) / backups.MANIFEST).is_file():
        raise folders.NoSuchBackupError
    return Path(named)


def into(place: Workspace, folder: Path, *, lists: Sequence[Path] = ()) -> PutBack:
    """Put a backup back into the workspace it was made of.

    Args:
        place: The workspace; the tenant's store is not in it any more.
        folder: The backup.
        lists: Files with what was forgotten, besides the one beside the store.

    Raises:
        store.backups.BackupError: If it is of no tenant of this workspace, or cannot be used.
        FileExistsError, store.forget_list.ForgetListError, OSError: As ``store.restoring``.
    """
    manifest = backups.read(folder, now=place.clock())
    tenant = next((one for one in place.settings.tenants if one.id == manifest.tenant), None)
    if tenant is None:
        msg = "this backup is of no tenant of this workspace. Nothing was restored."
        raise BackupError(msg)
    _knows_what_was_reported(place.store_path(tenant), lists)
    moment = Moment(place.clock(), place.settings.process)
    return _put_back(folder, place.home, tenant, place.root, moment, lists)


def _knows_what_was_reported(store: Path, lists: Sequence[Path]) -> None:
    """Refuse a list that was cut: of each request that a report here tells of, it has to know.

    Raises:
        store.forget_list.ForgetListError: If it lacks one, or cannot be read.
    """
    named = (path.name for path in (store.parent / FORGETS).glob(f"*{_REPORT}"))
    reported = {name.removesuffix(_REPORT) for name in named}
    beside = forget_list.beside(store)
    told = [forget_list.read(one) for one in (*lists, *([beside] if beside.exists() else []))]
    heard = [one.signed for told_by in told for one in told_by.heard if _is_request(one)]
    known = {read_forget(signed.statement).forget for signed in heard if signed is not None}
    if told and (missing := reported - known):
        msg = (
            f"the list of what was forgotten lacks {len(missing)} requests of which a report is "
            "here. Nothing was restored. Give the whole list with --forgets."
        )
        raise ForgetListError(msg)


def _is_request(one: Heard) -> bool:
    return one.kind == EventType.FORGET_REQUESTED


def into_nothing(home: Path, folder: Path, *, lists: Sequence[Path], clock: Clock) -> PutBack:
    """Put a backup back in ``home``, where no workspace is, and make one around it.

    The trust root is the one that the backup names, unless another one is pinned. There is no key:
    those of the old workspace are copied into ``keys`` by hand, or a reviewer is let in anew.

    Args:
        home: Where the workspace goes.
        folder: The backup.
        lists: Files with what was forgotten. One at least: without it nobody knows what must not
            come back.
        clock: Says when.

    Raises:
        FileExistsError: If there is a workspace.
        console.wiring.TrustRootError: If another trust root is pinned.
        store.backups.BackupError: If the backup cannot be used, or says nothing of its workspace.
        store.forget_list.ForgetListError, OSError: As ``store.restoring``.
    """
    if (home / identity.CONFIG).exists():
        msg = "there is a workspace here already. Nothing was changed."
        raise FileExistsError(msg)
    told = _workspace(folder)
    signed, root = _root(told)
    tenant = Tenant(str(told["tenant"]["id"]), str(told["tenant"]["name"]))
    if backups.read(folder, now=clock()).tenant != tenant.id:
        msg = f"{WORKSPACE} in {folder.name} is of another tenant. Nothing was restored."
        raise BackupError(msg)
    settings = Settings(home, f"p-{identity.fresh_id()}", (tenant,), None, "")
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    done = _put_back(folder, home, tenant, root, Moment(clock(), settings.process), lists)
    texts = told.get("texts") or {}
    policy, parameters = texts.get(POLICY_FILE), texts.get(PARAMETERS_FILE)
    (home / POLICY_FILE).write_bytes(policy.encode("utf-8") if policy else shipped_policy())
    if parameters:
        (home / PARAMETERS_FILE).write_text(parameters, encoding="utf-8")
    if signed is not None:
        plant_statement(home, signed)
    identity.write_settings(settings)  # last: until here there is no workspace
    return PutBack(done.tenant, done.restored, done.unfinished, new_workspace=True)


def _put_back(
    folder: Path,
    home: Path,
    tenant: Tenant,
    root: TrustRoot | None,
    moment: Moment,
    lists: Sequence[Path],
) -> PutBack:
    path = home / "stores" / tenant.id / backups.STORE
    told = [forget_list.read(one) for one in lists]
    files = path.parent / FORGETS
    if tenant.database and tenant_store.exists(path, tenant):
        msg = "the tenant has a store in its database. Nothing was restored. Drop it first."
        raise FileExistsError(msg)
    with one_at_a_time.working(files, tenant):
        restored = restoring.restore(folder, path, trust=root, moment=moment, lists=told)
        request_files.put_back(folder / REQUESTS, files)
    requests = pending(DuckDbStore(path, trust=root))
    if tenant.database:
        moving.into_database(path, tenant, trust=root)
    named = tuple(one.forget for one in requests)
    return PutBack(tenant, restored, named, new_workspace=False)


def _workspace(folder: Path) -> dict[str, Any]:
    try:
        told: dict[str, Any] = json.loads((folder / WORKSPACE).read_bytes())
        ours = told["format"] == FORMAT and identity.is_id(str(told["tenant"]["id"]))
    except (OSError, ValueError, KeyError, TypeError):
        ours, told = False, {}
    if not ours:
        msg = (
            f"{folder.name} does not say which workspace it is of. Nothing was restored. Make a "
            "workspace with the tenant's id in its configuration, and restore into that."
        )
        raise BackupError(msg)
    return told


def _root(told: dict[str, Any]) -> tuple[SignedStatement | None, TrustRoot | None]:
    """The trust root that a backup names, held against the one that is pinned."""
    pin = identity.pinned_root()
    if told["root"] is None:
        signed = root = None
    else:
        try:
            signed = trust_root.spelled(told["root"])
            root = trust_root.opened(signed)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            msg = (
                f"the backup's trust root is none ({type(error).__name__}). Nothing was restored."
            )
            raise TrustRootError(msg) from error
    if pin is not None and (root is None or root.key.fingerprint != pin):
        found = "none" if root is None else root.key.fingerprint
        msg = f"the backup's trust root is {found}, but {pin} is pinned. Nothing was restored."
        raise TrustRootError(msg)
    return signed, root

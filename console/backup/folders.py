"""Where a tenant's backups are: ``backups/TENANT/BACKUP``, or where a person had one put.

The log says which were written and which were deleted. Of one that was put elsewhere, a small file
in the workspace names the folder, because a path of this machine is nothing for the log.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from console.backup.kept import Kept, Whereabouts
from console.identity import Tenant
from console.wiring import Workspace
from store import whole_files
from store.backups import MANIFEST, STORE
from store.events import EventType
from store.log import Store

FOLDER: Final = "backups"
_POINTER: Final = ".elsewhere.json"
_EVENTS: Final = (
    "select type, json_extract_string(decode(canon), '$.body.backup') as backup,"
    " json_extract_string(decode(canon), '$.body.delete_by') as delete_by,"
    " cast(json_extract_string(decode(canon), '$.body.size') as bigint) as size,"
    f" recorded_at from log_event where type in ('{EventType.BACKUP_WRITTEN}',"
    f" '{EventType.BACKUP_DELETED}') order by seq"
)


class NoSuchBackupError(LookupError):
    """There is no backup of this id."""

    def __init__(self) -> None:
        """Say what to do."""
        super().__init__("No such backup. See memory-console backup list.")


def folder_of(place: Workspace, tenant: Tenant) -> Path:
    """Where a tenant's backups are kept if nothing else is said."""
    return place.home / FOLDER / tenant.id


def make(place: Workspace, tenant: Tenant) -> Path:
    """The same, made if it is not there; nobody else may look into it."""
    folder = folder_of(place, tenant)
    for one in (folder.parent, folder):
        one.mkdir(exist_ok=True, mode=0o700)
    return folder


def point_at(place: Workspace, tenant: Tenant, backup: str, folder: Path) -> None:
    """Keep in mind that a backup is in a folder outside of the workspace."""
    path = make(place, tenant) / f"{backup}{_POINTER}"
    whole_files.put(path, (json.dumps({"folder": str(folder)}) + "\n").encode("utf-8"))


def place_of(place: Workspace, tenant: Tenant, backup: str) -> Path:
    """The folder that a backup was written into, whether it is still there or not."""
    pointer = folder_of(place, tenant) / f"{backup}{_POINTER}"
    try:
        return Path(str(json.loads(pointer.read_bytes())["folder"]))
    except (OSError, ValueError, KeyError, TypeError):
        return folder_of(place, tenant) / backup


def unpoint(place: Workspace, tenant: Tenant, backup: str) -> None:
    """Forget where a backup was."""
    (folder_of(place, tenant) / f"{backup}{_POINTER}").unlink(missing_ok=True)


def kept(place: Workspace, tenant: Tenant, store: Store) -> tuple[Kept, ...]:
    """The backups of a tenant that nobody recorded as deleted, newest first.

    Those in the workspace that the log does not know, such as after a restore, are among them.
    """
    written: dict[str, dict[str, Any]] = {}
    for row in store.rows(_EVENTS):
        if row["type"] == EventType.BACKUP_WRITTEN:
            written[row["backup"]] = row
        else:
            written.pop(row["backup"], None)
    found = [_of_event(place, tenant, row) for row in written.values()]
    known = {one.backup for one in found}
    found += [one for one in _unknown(place, tenant) if one.backup not in known]
    return tuple(sorted(found, key=lambda one: one.written_at, reverse=True))


def named(place: Workspace, tenant: Tenant, store: Store, backup: str) -> Kept:
    """The backup of this id.

    Raises:
        NoSuchBackupError: If there is none.
    """
    for one in kept(place, tenant, store):
        if one.backup == backup:
            return one
    raise NoSuchBackupError


def _of_event(place: Workspace, tenant: Tenant, row: dict[str, Any]) -> Kept:
    backup = str(row["backup"])
    folder = place_of(place, tenant, backup)
    return Kept(
        backup=backup,
        written_at=str(row["recorded_at"]),
        delete_by=str(row["delete_by"]),
        events=int(row["size"]),
        bytes=_size(folder / STORE),
        where=_where(place, folder),
        folder=_named(place, folder),
    )


def _unknown(place: Workspace, tenant: Tenant) -> Iterator[Kept]:
    """Backups in the workspace's own folder, as their manifests tell."""
    for path in sorted(folder_of(place, tenant).glob(f"*/{MANIFEST}")):
        try:
            told = json.loads(path.read_bytes())
            yield Kept(
                backup=path.parent.name,
                written_at=str(told["written_at"]),
                delete_by=str(told["delete_by"]),
                events=int(told["size"]),
                bytes=_size(path.parent / STORE),
                where=Whereabouts.HERE,
                folder=_named(place, path.parent),
            )
        except (OSError, ValueError, KeyError, TypeError):
            continue


def _where(place: Workspace, folder: Path) -> Whereabouts:
    if not (folder / STORE).is_file():
        return Whereabouts.GONE
    return Whereabouts.HERE if _inside(place, folder) else Whereabouts.ELSEWHERE


def _inside(place: Workspace, folder: Path) -> bool:
    return folder.resolve().is_relative_to(place.home.resolve())


def _named(place: Workspace, folder: Path) -> str:
    if _inside(place, folder):
        return folder.resolve().relative_to(place.home.resolve()).as_posix()
    return str(folder)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0

"""Sorts the files of a workspace into the places that a forget report tells of.

The names of our own files stand in a report; of a file that is not ours only its folder and the
digest of its bytes do, because a file's name may tell what was to be forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Final

from console.wiring import FORGETS, STORE_FILE
from review.forget.ground import Group
from review.forget.statuses import LocationKind
from store.scans import FileScan

_BESIDE: Final = {
    "published": ("snapshot", LocationKind.SNAPSHOT),
    "drafts": ("drafts", LocationKind.STAGING),
    FORGETS: ("requests", LocationKind.INDEX),
}
_SETTINGS: Final = ("trust", "keys")
_OWN_FILES: Final = ("memory-console.toml", "config.toml", "policy.yaml", "parameters.yaml")


def groups(files: Iterable[FileScan], tenant: str) -> tuple[Group, ...]:
    """The places that ``files`` belong to, for one tenant.

    Args:
        files: Of one search over the workspace.
        tenant: Id of the tenant, the name of its folders.
    """
    found: dict[str, tuple[LocationKind, str, bool, list[str]]] = {}
    for one in files:
        name, kind, hint, ours = _place(one, tenant)
        found.setdefault(name, (kind, hint, ours, []))[3].append(one.path)
    return tuple(
        Group(name, kind, hint, tuple(paths), ours)
        for name, (kind, hint, ours, paths) in found.items()
    )


def decides(location_id: str) -> bool:
    """Whether a place says something of the rows of a request: the store and what is beside it."""
    head = location_id.split(":")[0]
    return head in ("store", "wal", "list", "snapshot", "drafts", "requests", "door", "spool")


def _place(one: FileScan, tenant: str) -> tuple[str, LocationKind, str, bool]:
    parts = PurePosixPath(one.path).parts
    match parts:
        case ("/", *_):  # what a server keeps of the store: no file of a folder is called so
            return "store", LocationKind.STORE, "", True
        case ("stores", own, name) if own == tenant:
            return _of_the_store(name, tenant)
        case ("stores", own, folder, *_) if own == tenant and folder in _BESIDE:
            name, kind = _BESIDE[folder]
            return name, kind, f"stores/{tenant}/{folder}", True
        case ("doors", door, "spool", *_):
            return f"spool:{door}", LocationKind.STAGING, f"doors/{door}/spool", True
        case ("doors", door, *_):
            return f"door:{door}", LocationKind.AGENT_READ, f"doors/{door}", True
        case ("jobs", *_):
            return "jobs", LocationKind.STAGING, "jobs", True
        case ("backups", own, backup, *_) if own == tenant:
            return f"backup:{backup}", LocationKind.BACKUP, f"backups/{tenant}/{backup}", False
        case (folder, *_) if folder in _SETTINGS and len(parts) > 1:
            return "settings", LocationKind.INDEX, "settings", False
        case (name,) if name in _OWN_FILES or name.startswith("."):
            return "settings", LocationKind.INDEX, "settings", False
    digest = one.sha256[:12]
    folder = parts[0] if len(parts) > 1 and parts[0] in ("stores", "backups") else ""
    return f"other:{digest}", LocationKind.EXPORT, folder, False


def _of_the_store(name: str, tenant: str) -> tuple[str, LocationKind, str, bool]:
    hint = f"stores/{tenant}/{name}"
    if name == STORE_FILE:
        return "store", LocationKind.STORE, hint, True
    if name == f"{STORE_FILE}.wal":
        return "wal", LocationKind.WAL, hint, True
    if name.startswith(STORE_FILE):
        return "list", LocationKind.INDEX, hint, True
    return "store_more", LocationKind.STORE, f"stores/{tenant}", True

"""Copies of a store that are kept for a while, with the day by which they are deleted.

A backup is written row by row, so it never holds what was erased before it, and nothing that waits
to be erased. It does hold what is forgotten after it: until it is deleted it must not be used, and
a restore (``store.restoring``) hears the list of what was forgotten before anybody can read.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import duckdb

from store import forget_listing, migrations, whole_files
from store.condemning import TABLE
from store.events import ActorKind, EventType, Happening
from store.forget_standing import contents_of
from store.log import Entry
from store.log_store import LogStore

FORMAT: Final = 1
MOST_DAYS: Final = 30
"""A backup is kept for at most this many days."""

STORE: Final = "store.duckdb"
MANIFEST: Final = "manifest.json"
_TRIES: Final = 5


class BackupError(RuntimeError):
    """A backup cannot be written, or is not one that may be used. The message says why."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup is of, and until when it is kept. Ids, digests, counts and days only."""

    backup: str
    """Its id."""

    store: str
    tenant: str
    size: int
    """Events in its log."""

    root: str
    """Merkle root of them, hex."""

    forgets: int
    """Entries of the forget list that its log knows."""

    written_at: str
    delete_by: str
    """The last day, UTC, on which it may exist: YYYY-MM-DD."""

    sha256: str
    """Of the store's file in it."""

    bytes: int
    schema: int
    format: int = FORMAT


def write(
    store: LogStore,
    folder: Path,
    *,
    backup: str,
    delete_by: date,
    now: datetime,
    process: str,
) -> Manifest:
    """Write a backup of ``store`` into ``folder``, which is not there yet, and record it.

    Args:
        store: Not in memory, and not held open.
        folder: Where the backup goes; it appears whole or not at all.
        backup: An id for it.
        delete_by: The last day on which it may exist: at most 30 days from ``now``.
        now: The present moment, UTC.
        process: Who writes, from the process's configuration.

    Raises:
        ValueError: If ``delete_by`` is past or more than 30 days away.
        BackupError: If the folder is there, or the store is in memory.
        store.forget_list.ForgetListError: If the list beside the store knows more than its log.
        store.connections.StoreBusyError, OSError: If it cannot be read or written.
    """
    today = now.astimezone(UTC).date()
    if not today <= delete_by <= today + timedelta(days=MOST_DAYS):
        msg = f"a backup is kept for at most {MOST_DAYS} days, and is deleted on a day to come."
        raise ValueError(msg)
    if store.beside is None or folder.exists():
        msg = f"{folder.name} is there already. Nothing was written."
        raise BackupError(msg if store.beside is not None else "a store in memory has no backup.")
    known = forget_listing.keep(store)
    growing = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(growing, ignore_errors=True)
    growing.mkdir(parents=True, mode=0o700)
    try:
        size, root = _copy(store, growing / STORE)
        manifest = Manifest(
            backup=backup,
            store=store.store_id,
            tenant=store.tenant_id,
            size=size,
            root=root,
            forgets=len(known.heard),
            written_at=now.astimezone(UTC).isoformat(timespec="seconds"),
            delete_by=delete_by.isoformat(),
            sha256=whole_files.sha256_of(growing / STORE),
            bytes=(growing / STORE).stat().st_size,
            schema=migrations.KNOWN,
        )
        data = json.dumps(asdict(manifest), sort_keys=True, indent=1) + "\n"
        whole_files.put(growing / MANIFEST, data.encode("ascii"))
        growing.rename(folder)
        whole_files.settle(folder.parent)
    finally:
        shutil.rmtree(growing, ignore_errors=True)
    body = {
        "backup": backup,
        "sha256": manifest.sha256,
        "size": manifest.size,
        "delete_by": manifest.delete_by,
    }
    recorded_at = now.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    told = Happening(
        EventType.BACKUP_WRITTEN, recorded_at, process, ActorKind.PROCESS, process, body
    )
    store.append(Entry(told))
    return manifest


def read(folder: Path, *, now: datetime) -> Manifest:
    """The manifest of the backup in ``folder``, held against its file.

    Raises:
        BackupError: If there is none, it is of a newer format, its file is another one, or the day
            by which it should have been deleted is past.
    """
    try:
        told: dict[str, Any] = json.loads((folder / MANIFEST).read_bytes())
        if told["format"] != FORMAT:
            msg = f"{folder.name} is a backup of a newer version. Nothing was restored."
            raise BackupError(msg)
        manifest = Manifest(**told)
        last = date.fromisoformat(manifest.delete_by)
        written = datetime.fromisoformat(manifest.written_at).date()
        whole = whole_files.sha256_of(folder / STORE) == manifest.sha256
    except (OSError, ValueError, KeyError, TypeError) as error:
        msg = f"{folder.name} is no backup of ours. Nothing was restored."
        raise BackupError(msg) from error
    if not whole:
        msg = f"the file in {folder.name} is not the one that was backed up. Nothing was restored."
        raise BackupError(msg)
    if now.astimezone(UTC).date() > min(last, written + timedelta(days=MOST_DAYS)):
        msg = (
            f"the backup in {folder.name} was to be deleted by {last}. Nothing was restored. "
            "Delete it."
        )
        raise BackupError(msg)
    return manifest


def _copy(store: LogStore, place: Path) -> tuple[int, str]:
    """Copy the store to ``place``; how many events its log has, and their root."""
    for _ in range(_TRIES):
        without = contents_of(store.standing().forgets)
        store.copy_to(place, without=without)
        with duckdb.connect(str(place), read_only=True) as connection:
            ((waiting,),) = connection.execute(
                "select count(*) from duckdb_tables() where table_name = ?", [TABLE]
            ).fetchall()
            rows = connection.execute(
                "select size, lower(hex(root)) from proj_root order by size desc limit 1"
            ).fetchall()
        if not waiting:  # else somebody asked for more to be forgotten meanwhile
            return int(rows[0][0]), str(rows[0][1])
        place.unlink()
    msg = "the store did not come to rest. Nothing was written. Try again."
    raise BackupError(msg)

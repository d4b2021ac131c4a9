"""Puts a backup back in place of a store that is gone, and forgets again first.

What was signed to be forgotten after the backup was written is applied to it, and erased from its
bytes, before it gets the store's name. If the list of that is missing, disagrees, or cannot be
applied, nothing is restored: nobody would know what must not come back.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from store import backups, erasing, forget_list, forget_listing, leftovers, whole_files
from store.backups import BackupError, Manifest
from store.connections import Opener
from store.duckdb_store import DuckDbStore
from store.events import ActorKind, EventType, Happening
from store.forget_list import ForgetList, ForgetListError, Heard
from store.forget_standing import contents_of
from store.log import Entry
from store.signers import NotAcceptedError
from store.trust_root import TrustRoot
from store.verify import Verdict, verify

_REPLAYED_AS: Final = {EventType.FORGET_REQUESTED: EventType.FORGET_REPLAYED}


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored, and what was forgotten again on the way."""

    manifest: Manifest
    requests: int
    """Parts of forget requests that were applied again."""

    contents: int
    """Contents of the backup that were erased again."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When a restore happens, and which process does it, from its configuration."""

    now: datetime
    process: str

    def happening(self, kind: EventType, **body: object) -> Happening:
        """An event of this moment and this process."""
        told = self.now.astimezone(UTC).isoformat(timespec="microseconds")
        at = told.replace("+00:00", "Z")
        return Happening(kind, at, self.process, ActorKind.PROCESS, self.process, body)


def restore(
    folder: Path,
    path: Path,
    *,
    trust: TrustRoot | None,
    moment: Moment,
    lists: Sequence[ForgetList] = (),
) -> Restored:
    """Restore the backup in ``folder`` as the store at ``path``, which is not there.

    Args:
        folder: A backup of ``store.backups``.
        path: Where the store goes. Move a store that is there away first.
        trust: The workspace's trust root.
        moment: When and by which process.
        lists: Forget lists besides the one beside ``path``, such as that of a store that can still
            be read: ``forget_listing.of_store``.

    Raises:
        FileExistsError: If there is a store.
        store.backups.BackupError: If the backup is none, is too old, or does not verify.
        store.forget_list.ForgetListError: If nobody can tell what was forgotten since.
        OSError: If it cannot be written.
    """
    if path.exists():
        msg = f"{path.name} exists. Nothing was restored. Move it away first."
        raise FileExistsError(msg)
    manifest = backups.read(folder, now=moment.now)
    told = _list(path, manifest, lists)
    growing = leftovers.restoring_of(path)
    leftovers.clear_restoring(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _copy(folder / backups.STORE, growing)
        requests, contents = _forget_again(growing, told, trust, moment)
        _whole(growing, trust)
        forget_list.write(forget_list.beside(path), told)
        os.link(growing, path)
        growing.unlink()
        whole_files.settle(path.parent)
    finally:
        leftovers.clear_restoring(path)
    return Restored(manifest, requests, contents)


def hear(path: Path, *, trust: TrustRoot | None, moment: Moment) -> tuple[int, int]:
    """Forget again in a store that was put back by hand, and that does not open for that.

    Returns:
        How many parts of requests were applied, and how many contents were erased.

    Raises:
        store.forget_list.ForgetListError, store.backups.BackupError, OSError: As ``restore``; the
            store is then as it was.
        store.connections.StoreBusyError: If another process holds it.
    """
    told = forget_list.read(forget_list.beside(path))
    growing = leftovers.restoring_of(path)
    leftovers.clear_restoring(path)
    opener = Opener(path)
    try:
        with opener.alone():
            with opener.reading() as connection:
                connection.execute("checkpoint")
            _copy(path, growing)
            done = _forget_again(growing, told, trust, moment)
            _whole(growing, trust)
            os.link(path, leftovers.old_of(path))
            os.replace(growing, path)
            whole_files.settle(path.parent)
            leftovers.destroy(leftovers.old_of(path))
    finally:
        leftovers.clear_restoring(path)
    return done


def _list(path: Path, manifest: Manifest, lists: Sequence[ForgetList]) -> ForgetList:
    """Everything that has to be heard: it knows at least what the backup knew."""
    beside = forget_list.beside(path)
    found = [*lists]
    if beside.exists() or not found:
        found.append(forget_list.read(beside))
    told = forget_list.joined(found)
    if (told.store, told.tenant) != (manifest.store, manifest.tenant):
        msg = "the list of what was forgotten is of another store. Nothing was restored."
        raise ForgetListError(msg)
    if len(told.heard) < manifest.forgets:
        msg = (
            f"the list of what was forgotten has {len(told.heard)} entries, and the backup knew "
            f"of {manifest.forgets}. Nothing was restored."
        )
        raise ForgetListError(msg)
    return told


def _forget_again(
    growing: Path, told: ForgetList, trust: TrustRoot | None, moment: Moment
) -> tuple[int, int]:
    """Apply what the backup has not heard; how many parts of requests, and contents erased."""
    _whole(growing, trust)
    store = DuckDbStore(growing, trust=trust)
    own = forget_listing.of_store(store)
    if not told.begins_with(own):
        msg = "the list of what was forgotten disagrees with the backup. Nothing was restored."
        raise ForgetListError(msg)
    forget_list.examine_guards(told, len(own.heard))
    unheard = told.heard[len(own.heard) :]
    try:
        with store.held():
            for one in unheard:
                store.append(_entry(one, moment))
    except NotAcceptedError as error:
        msg = f"what was forgotten cannot be forgotten again. Nothing was restored: {error}"
        raise ForgetListError(msg) from error
    if forget_listing.of_store(store) != told:
        msg = "not everything that was forgotten was heard. Nothing was restored."
        raise ForgetListError(msg)
    erasure = erasing.erase(growing, contents_of(store.standing().forgets))
    return sum(one.kind == EventType.FORGET_REQUESTED for one in unheard), erasure.rows


def _entry(one: Heard, moment: Moment) -> Entry:
    if one.kind == EventType.FORGET_GUARDED:
        body = {"forget": one.forget, "keys": list(one.keys)}
        return Entry(moment.happening(one.kind, **body))
    named = {} if one.kind == EventType.FORGET_REQUESTED else {"name": ""}
    happening = moment.happening(_REPLAYED_AS.get(one.kind, one.kind), **named)
    return Entry(happening, signed=one.signed)


def _whole(growing: Path, trust: TrustRoot | None) -> None:
    report = verify(growing, root=trust)
    wrong = [one for one in report.lines if one.verdict == Verdict.FAIL]
    if wrong:
        msg = f"the backup does not verify ({wrong[0].name}). Nothing was restored."
        raise BackupError(msg)


def _copy(source: Path, growing: Path) -> None:
    with source.open("rb") as held, open(growing, "xb", opener=_private) as file:
        shutil.copyfileobj(held, file, 1 << 20)
        file.flush()
        os.fsync(file.fileno())


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)

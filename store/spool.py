"""The folder in which an agent's door leaves batches, and the one in which it finds receipts.

A batch is a file that appears whole under its final name: ``ID.KIND``, where the id sorts by time.
Whoever takes batches in believes nothing of a file but its name, and follows no link.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from store import whole_files

LONGEST: Final = 4 * 1024 * 1024
"""Bytes of a batch at most."""

_NAME: Final = re.compile(r"(?P<id>[0-9A-Z]{26})\.(?P<kind>stage|read|answer)")
_ASIDE: Final = "aside"
_KEPT: Final = 1_000
"""Receipts that are kept, the newest."""


class BatchKind(StrEnum):
    """What a batch holds."""

    STAGE = "stage"
    READ = "read"
    ANSWER = "answer"


class OddBatchError(ValueError):
    """A file in the spool that is no batch; says why."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """One file of the spool. ``id`` is empty for a name that is none of ours."""

    name: str
    id: str = ""
    kind: BatchKind | None = None


class Spool:
    """One door's two folders."""

    def __init__(self, door: Path) -> None:
        """For the door that lives in the folder ``door``."""
        self._spool, self._receipts = door / "spool", door / "receipts"

    # --- the door's side ------------------------------------------------------------------------

    def put(self, kind: BatchKind, batch: str, body: bytes) -> None:
        """Leave a batch.

        Raises:
            ValueError: If it is longer than ``LONGEST``.
            OSError: If it cannot be written; nothing is left of it then.
        """
        if len(body) > LONGEST:
            msg = f"a batch has at most {LONGEST:,} bytes, this one {len(body):,}."
            raise ValueError(msg)
        self._spool.mkdir(parents=True, exist_ok=True, mode=0o700)
        whole_files.put(self._spool / f"{batch}.{kind}", body, mode=0o640)

    def receipt(self, batch: str) -> bytes | None:
        """The receipt of a batch; None as long as there is none."""
        try:
            return _read(self._receipts / f"{batch}.json")
        except (FileNotFoundError, OddBatchError):
            return None

    def receipts(self) -> list[str]:
        """Ids of batches with a receipt, oldest first."""
        return sorted(name.removesuffix(".json") for name in _names(self._receipts, ".json"))

    def crowded(self, most: int) -> bool:
        """Whether ``most`` batches or more wait.

        Raises:
            OddBatchError: If the spool is no folder of its own.
        """
        return len(_names(self._spool, "")) >= most and len(self.waiting()) >= most

    # --- the console's side -------------------------------------------------------------------

    def waiting(self) -> list[Waiting]:
        """What lies in the spool, oldest first; files that are still being written are not there.

        Raises:
            OddBatchError: If the spool is no folder of its own.
        """
        told = []
        for name in _names(self._spool, ""):
            found = _NAME.fullmatch(name)
            if found is not None:
                told.append(Waiting(name, found["id"], BatchKind(found["kind"])))
            elif name != _ASIDE and not name.startswith("."):
                told.append(Waiting(name))
        return sorted(told, key=lambda one: (one.id, one.name))

    def read(self, one: Waiting) -> bytes:
        """The bytes of a batch.

        Raises:
            OddBatchError: If it is no plain file, or longer than ``LONGEST``.
        """
        return _read(self._spool / one.name)

    def done(self, one: Waiting, receipt: bytes | None) -> None:
        """Answer a batch that was taken in, and remove it."""
        if receipt is not None:
            _own(self._receipts)
            self._receipts.mkdir(parents=True, exist_ok=True, mode=0o700)
            whole_files.put(self._receipts / f"{one.id}.json", receipt, mode=0o640)
            for old in self.receipts()[:-_KEPT]:
                (self._receipts / f"{old}.json").unlink(missing_ok=True)
        (self._spool / one.name).unlink(missing_ok=True)

    def set_aside(self, one: Waiting) -> None:
        """Move a file that is no batch out of the way; it is never read again."""
        aside = self._spool / _ASIDE
        _own(aside)
        aside.mkdir(exist_ok=True, mode=0o700)
        with contextlib.suppress(FileNotFoundError):
            os.replace(self._spool / one.name, aside / one.name)

    def sweep(self, before: float) -> None:
        """Remove what was left half written before a moment, in seconds since 1970."""
        for name in _names(self._spool, ""):
            path = self._spool / name
            if name.startswith(".") and ".new-" in name:
                with contextlib.suppress(OSError):
                    if os.lstat(path).st_mtime < before:
                        path.unlink()


def _names(folder: Path, ending: str) -> list[str]:
    _own(folder)
    try:
        return [name for name in os.listdir(folder) if name.endswith(ending)]
    except FileNotFoundError:
        return []


def _own(folder: Path) -> None:
    """A folder of the door's that is a link to somewhere else is not used."""
    try:
        found = os.lstat(folder)
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(found.st_mode):
        msg = f"{folder.name} is no folder."
        raise OddBatchError(msg)


def _read(path: Path) -> bytes:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        raise
    except OSError as error:
        msg = f"{path.name} cannot be opened as a plain file."
        raise OddBatchError(msg) from error
    with open(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            msg = f"{path.name} is no plain file."
            raise OddBatchError(msg)
        data = file.read(LONGEST + 1)
    if len(data) > LONGEST:
        msg = f"{path.name} is longer than {LONGEST:,} bytes."
        raise OddBatchError(msg)
    return data

"""What is kept of asking about what waits: one small file a tenant, counts and codes only.

It is not believed: which records have a proposal is what the log says. Whoever holds the lock is
the one that asks; a file that says ``running`` without that is of a process that is gone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec

from console import worker_locks

FOLDER: Final = "model"
"""Holds what was spent, one small file a day, and how far asking about what waits is."""

_ID: Final = re.compile(r"[0-9A-Za-z-]{1,64}")
_MOST_BYTES: Final = 64 * 1024
_OPEN: Final = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class State(StrEnum):
    """Where it is."""

    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"
    """A person ended it, between two groups of records."""

    FAILED = "failed"
    """A fault here ended it."""

    INTERRUPTED = "interrupted"
    """Its process is gone."""


@dataclass
class Kept:
    """One go at asking."""

    state: State = State.RUNNING
    pid: int = 0
    started_at: str = ""
    ended_at: str = ""
    wanted: int = 0
    replies: dict[str, int] = field(default_factory=dict)
    """By ``review.proposals.jobs.Outcome``."""

    failed: dict[str, int] = field(default_factory=dict)
    """By ``review.proposals.jobs.Failure``."""

    gone: int = 0
    ended: str = ""
    """The failure that ended it before its time."""

    problem: str = ""
    """What ended it as failed, in a sentence."""

    @property
    def done(self) -> int:
        """Records that are behind it."""
        return sum(self.replies.values()) + sum(self.failed.values()) + self.gone


class BusyError(RuntimeError):
    """Another process asks about this tenant's records."""

    def __init__(self) -> None:
        """Say what to do."""
        super().__init__(
            "The model is being asked about what waits by another process. Nothing was begun."
        )


class Keeping:
    """The file of one tenant in one workspace."""

    def __init__(self, home: Path, tenant: str) -> None:
        """Nothing is made yet.

        Raises:
            ValueError: If ``tenant`` is no id.
        """
        if _ID.fullmatch(tenant) is None:
            msg = f"{tenant!r} is no id of a tenant."
            raise ValueError(msg)
        self._folder = home / FOLDER
        self._path = self._folder / f"asking-{tenant}.json"

    def read(self) -> Kept | None:
        """What is kept; None if nothing is, or it is none of ours."""
        found = self._read()
        if found is not None and found.state is State.RUNNING and not self.lives():
            found = self._read() or found  # it may have ended between the two looks
            if found.state is State.RUNNING:
                found.state = State.INTERRUPTED
        return found

    def write(self, kept: Kept) -> None:
        """Keep ``kept`` in the place of what was kept before."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = self._path.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        with open(fresh, "wb", opener=_private) as file:
            file.write(msgspec.json.encode(kept))
        os.replace(fresh, self._path)

    def _read(self) -> Kept | None:
        try:
            with open(os.open(self._path, os.O_RDONLY | _OPEN), "rb") as file:
                return msgspec.json.decode(file.read(_MOST_BYTES), type=Kept)
        except (OSError, msgspec.DecodeError, ValueError):
            return None

    def lives(self) -> bool:
        """Whether a process asks now."""
        return worker_locks.held(self._lock)

    def lock(self) -> int:
        """A descriptor that makes this process, or one that inherits it, the one that asks.

        Raises:
            BusyError: If there is another one.
        """
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = worker_locks.take(self._lock)
        if handle is None:
            raise BusyError
        return handle

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Be the one that asks for the length of a block.

        Raises:
            BusyError: If there is another one.
        """
        handle = self.lock()
        try:
            yield
        finally:
            os.close(handle)

    def ask_to_stop(self, *, wanted: bool = True) -> None:
        """Leave word that it should stop, or take it back."""
        path = self._path.with_suffix(".stop")
        if wanted:
            with suppress(FileExistsError):
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        else:
            path.unlink(missing_ok=True)

    def stop_asked(self) -> bool:
        """Whether somebody left that word."""
        return os.path.lexists(self._path.with_suffix(".stop"))

    @property
    def _lock(self) -> Path:
        return self._path.with_suffix(".lock")


def _private(name: str, flags: int) -> int:
    return os.open(name, flags | _OPEN, 0o600)

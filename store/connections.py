"""Opens a store file for one short piece of work, and closes it again.

DuckDB lets one process hold a file, so nobody holds it for long. A file that another process
holds is tried again with a growing pause, and then its holder is named.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final, TypeVar

import duckdb
import duckdb_engine
from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import NullPool

from store.database import configured

_Got = TypeVar("_Got")

PATIENCE: Final = 10.0
"""Seconds to wait for a busy store before giving up."""

_BUSY: Final = re.compile(r"Could not set lock on file|Conflicting lock is held")
_HOLDER: Final = re.compile(r"held in (?P<program>.+?) \(PID (?P<pid>\d+)\)")


class StoreBusyError(RuntimeError):
    """Another process holds the store's file."""

    def __init__(self, path: Path, holder: str, waited: float) -> None:
        """Say who holds it, if that is known, and how long we waited."""
        self.path, self.holder, self.waited = path, holder, waited
        super().__init__(
            f"The store is busy: {holder} is using it. Waited {waited:.0f} s. Nothing was saved. "
            "Try again when it has finished."
        )


class StoreUnreadableError(RuntimeError):
    """The file is there, and the database cannot read it as a store."""

    def __init__(self, path: Path) -> None:
        """Keep the path; what the database says about damaged bytes helps nobody decide."""
        self.path = path
        super().__init__(
            f"The store {path.name} cannot be read: its bytes are damaged, or it is no store. "
            "Nothing was changed. Keep the file, and put a backup in its place."
        )


class StoreAwayError(RuntimeError):
    """The database that holds the store cannot be reached, went away, or refused something."""

    def __init__(self, name: str, why: str) -> None:
        """Say what the database's own library says."""
        self.name, self.why = name, why
        super().__init__(
            f"The database of the store {name} cannot be reached or refused: {why}. Unless it "
            "went away in the moment of saving, nothing was saved: look again before repeating it."
        )


_LOCKS: Final[dict[Path, threading.RLock]] = {}
_REGISTER: Final = threading.Lock()
_HELD: Final[set[Path]] = set()
"""Files that an opener of this process keeps open."""


def _lock_of(path: Path | None) -> threading.RLock:
    """One lock for each file in this process, however many objects open it."""
    if path is None:
        return threading.RLock()
    with _REGISTER:
        return _LOCKS.setdefault(path.resolve(), threading.RLock())


class Opener:
    """Opens one store, a file or in memory; one piece of work at a time in this process."""

    def __init__(
        self, path: Path | None, *, patience: float = PATIENCE, makes: bool = True
    ) -> None:
        """Prepare to open ``path``; None is a store in memory that lives as long as this.

        ``makes`` is whether a file that is not there is made.
        """
        self.path, self._makes = path, makes
        self.patience = patience
        self._lock = _lock_of(path)
        self._kept = configured(duckdb.connect(":memory:")) if path is None else None
        self._holds = 0
        self._engine = create_engine("duckdb://", creator=self._connect, poolclass=NullPool)

    @contextmanager
    def work(self) -> Iterator[Connection]:
        """A connection in a transaction, which commits at the end and rolls back on an error.

        Raises:
            StoreBusyError: If another process holds the file for longer than ``patience``.
        """
        with self._lock, self._engine.begin() as connection:
            yield connection

    def writing(self) -> AbstractContextManager[Connection]:
        """``work`` for an append: whoever holds the file is the only one who appends.

        Raises:
            StoreBusyError: As for ``work``.
        """
        return self.work()

    @contextmanager
    def reading(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection for one query. What it reads is one consistent state.

        Raises:
            StoreBusyError: As for ``work``.
        """
        with self._lock:
            if self._kept is not None:
                with self._kept.cursor() as cursor:
                    yield cursor
                return
            assert self.path is not None
            with configured(self._opened(self.path)) as connection:
                yield connection

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep the file open over several pieces of work that belong together, such as one page.

        Each piece still has its own transaction. Other threads of this process wait.

        Raises:
            StoreBusyError: As for ``work``.
        """
        with self._lock:
            if self.path is not None and self._kept is None:
                self._kept = configured(self._opened(self.path))
                _HELD.add(self.path.resolve())
            self._holds += 1
            try:
                yield
            finally:
                self._holds -= 1
                if self.path is not None and not self._holds and self._kept is not None:
                    self._kept.close()
                    self._kept = None
                    _HELD.discard(self.path.resolve())

    def _connect(self) -> duckdb_engine.ConnectionWrapper:
        if self._kept is not None:
            return duckdb_engine.ConnectionWrapper(self._kept.cursor())
        assert self.path is not None
        return duckdb_engine.ConnectionWrapper(configured(self._opened(self.path)))

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep this process from opening the file: for work on its bytes.

        A POSIX lock ends when the process closes any handle on the file, so reading the bytes of a
        file that this process has open would let other processes in.

        Raises:
            RuntimeError: If this very thread holds the file open.
        """
        with self._lock:
            if self.path is not None and self.path.resolve() in _HELD:
                msg = "the store is held open here. Nothing was changed."
                raise RuntimeError(msg)
            yield

    @contextmanager
    def released(self) -> Iterator[None]:
        """Let go of the file in the midst of ``held``, for work that needs its bytes alone.

        It is held again afterwards. Without ``held`` this does nothing.

        Raises:
            StoreBusyError: If another process took the file meanwhile and does not give it back.
        """
        with self._lock:
            holds = self._holds
            if self.path is None or not holds or self._kept is None:
                yield
                return
            self._kept.close()
            self._kept, self._holds = None, 0
            _HELD.discard(self.path.resolve())
            try:
                yield
            finally:
                self._kept, self._holds = configured(self._opened(self.path)), holds
                _HELD.add(self.path.resolve())

    def _opened(self, path: Path) -> duckdb.DuckDBPyConnection:
        def attempt() -> duckdb.DuckDBPyConnection | None:
            before = _inode(path)
            if before is None and not self._makes:
                msg = f"there is no {path.name} any more. Nothing was opened or made."
                raise FileNotFoundError(msg)
            connection = duckdb.connect(str(path))
            if before in (None, _inode(path)):
                return connection
            connection.close()  # an erasure put another file in its place meanwhile
            return None

        return patiently(path, self.patience, attempt)


def patiently(path: Path, patience: float, attempt: Callable[[], _Got | None]) -> _Got:
    """What ``attempt`` returns; while the file is busy, or it returns None, it is tried again.

    Raises:
        StoreBusyError: If another process holds the file for longer than ``patience`` seconds.
        StoreUnreadableError: If the file cannot be read as a store.
    """
    started, pause = time.monotonic(), 0.01
    while True:
        message = ""
        try:
            found = attempt()
            if found is not None:
                return found
        except duckdb.Error as error:
            message = str(error)
            if not _BUSY.search(message):
                raise StoreUnreadableError(path) from error
        waited = time.monotonic() - started
        if waited >= patience:
            raise StoreBusyError(path, _holder(message), waited)
        time.sleep(min(pause, patience - waited))
        pause = min(pause * 2, 0.25)


def _inode(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _holder(message: str) -> str:
    found = _HOLDER.search(message)
    if found is None:
        return "another process"
    pid = found["pid"]
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\x00")
    except OSError:
        return f"{Path(found['program']).name} (PID {pid})"
    names = [Path(word.decode("utf-8", "replace")).name for word in words[:3] if word]
    return f"{' '.join(names)} (PID {pid})"

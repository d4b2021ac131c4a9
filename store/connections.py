"""Opens a store file for one short piece of work, and closes it again.

DuckDB lets one process hold a file, so nobody holds it for long. A file that another process
holds is tried again with a growing pause, and then its holder is named.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import duckdb
import duckdb_engine
from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import NullPool

PATIENCE: Final = 10.0
"""Seconds to wait for a busy store before giving up."""

_SETTINGS: Final = (
    "SET force_compression='uncompressed'",  # an erased text must be findable if it is still there
    "SET temp_directory=''",  # no content spills into files that nobody scans
    "SET enable_external_access=false",
    "SET autoinstall_known_extensions=false",
    "SET autoload_known_extensions=false",
    "SET allow_community_extensions=false",
    "SET python_enable_replacements=false",
    "SET lock_configuration=true",
)
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


_LOCKS: Final[dict[Path, threading.RLock]] = {}
_REGISTER: Final = threading.Lock()


def _lock_of(path: Path | None) -> threading.RLock:
    """One lock for each file in this process, however many objects open it."""
    if path is None:
        return threading.RLock()
    with _REGISTER:
        return _LOCKS.setdefault(path.resolve(), threading.RLock())


class Opener:
    """Opens one store, a file or in memory; one piece of work at a time in this process."""

    def __init__(self, path: Path | None, *, patience: float = PATIENCE) -> None:
        """Prepare to open ``path``; None is a store in memory that lives as long as this."""
        self.path = path
        self.patience = patience
        self._lock = _lock_of(path)
        self._kept = _configured(duckdb.connect(":memory:")) if path is None else None
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
            with _configured(self._opened(self.path)) as connection:
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
                self._kept = _configured(self._opened(self.path))
            self._holds += 1
            try:
                yield
            finally:
                self._holds -= 1
                if self.path is not None and not self._holds and self._kept is not None:
                    self._kept.close()
                    self._kept = None

    def _connect(self) -> duckdb_engine.ConnectionWrapper:
        if self._kept is not None:
            return duckdb_engine.ConnectionWrapper(self._kept.cursor())
        assert self.path is not None
        return duckdb_engine.ConnectionWrapper(_configured(self._opened(self.path)))

    def _opened(self, path: Path) -> duckdb.DuckDBPyConnection:
        started, pause = time.monotonic(), 0.01
        while True:
            try:
                return duckdb.connect(str(path))
            except duckdb.Error as error:
                if not _BUSY.search(str(error)):
                    raise StoreUnreadableError(path) from error
                waited = time.monotonic() - started
                if waited >= self.patience:
                    raise StoreBusyError(path, _holder(str(error)), waited) from error
                time.sleep(min(pause, self.patience - waited))
                pause = min(pause * 2, 0.25)


def _configured(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """The connection with our settings; they are locked once they are made.

    A second connection to a file that this process holds shares them and can set nothing.
    """
    if connection.execute("select current_setting('lock_configuration')").fetchall() == [(False,)]:
        for setting in _SETTINGS:
            connection.execute(setting)
    return connection


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

"""Opens a store in PostgreSQL: a copy in memory that is brought up to date before each use.

The server keeps the log and the vault, and decides who appends. Questions are asked of the copy,
in DuckDB, where projections are made from the log as in every store. So a question costs what it
costs in a file, and one look at the server's newest event. The copy lives as long as its process.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import duckdb
import duckdb_engine
from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from store import migrations, projections
from store.connections import PATIENCE
from store.database import configured
from store.log import DamagedStoreError
from store.postgres import rows
from store.postgres.place import Database, Line, Place

Arrived = Callable[[Connection, int], None]
"""Is told an open copy and how many events it had before: projects what arrived since."""

_NO_LOG: Final = (duckdb.Error, DBAPIError, ValueError, LookupError, TypeError)
"""What reading rows that no console wrote may end with."""

_STATE: Final = (
    "select (select coalesce(max(seq), -1) from log_event),"
    " (select h from log_event where seq = %s), (select count(*) from vault_condemned)"
)


class Mirror:
    """See ``store.connections.Opener`` for what each call promises."""

    def __init__(
        self,
        place: Place,
        *,
        level: Callable[[Connection], None],
        arrived: Arrived,
        discarded: Callable[[], None],
        patience: float = PATIENCE,
    ) -> None:
        """Prepare to copy the store at ``place``.

        Args:
            place: Where it is.
            level: Brings what its user knows up to the copy, before something arrives.
            arrived: Projects what arrived.
            discarded: Is told that the copy was thrown away.
            patience: Seconds to wait while another process appends.
        """
        self.line = Line(place, patience=patience)
        self._level, self._arrived, self._discarded = level, arrived, discarded
        self._lock = threading.RLock()
        self._copy: duckdb.DuckDBPyConnection | None = None
        self._holds = 0
        self._engine = create_engine("duckdb://", creator=self._cursor, poolclass=NullPool)

    @contextmanager
    def work(self) -> Iterator[Connection]:
        """A connection to the copy, in a transaction.

        Raises:
            store.connections.StoreAwayError: If the database cannot be reached.
        """
        with self._lock:
            self._fresh()
            with self._engine.begin() as connection:
                yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """The same, for an append: what it adds to the copy is added to the server, or to neither.

        Raises:
            store.connections.StoreAwayError: As for ``work``.
            store.connections.StoreBusyError: If another process appends for too long.
        """
        with self._lock, self.line.alone() as database:
            if not self._up_to_date():
                with database.transaction():
                    self._take(database)
            with self._engine.begin() as connection, database.transaction():
                copy = projections.driver(connection)
                before, seq = rows.marks(copy), _size(copy)
                yield connection
                rows.put(database, copy, before, seq)

    @contextmanager
    def reading(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection to the copy, for one query.

        Raises:
            store.connections.StoreAwayError: As for ``work``.
        """
        with self._lock:
            self._fresh()
            assert self._copy is not None
            with self._copy.cursor() as cursor:
                yield cursor

    @contextmanager
    def held(self) -> Iterator[None]:
        """See one state over several pieces of work. Other threads of this process wait.

        Raises:
            store.connections.StoreAwayError: As for ``work``.
        """
        with self._lock:
            self._fresh()
            self._holds += 1
            try:
                yield
            finally:
                self._holds -= 1

    @contextmanager
    def released(self) -> Iterator[None]:
        """Let go in the midst of ``held``, for work on what the server keeps."""
        with self._lock:
            holds, self._holds = self._holds, 0
            try:
                yield
            finally:
                self._holds = holds

    @contextmanager
    def asking(self) -> Iterator[Line]:
        """The line to the server, for questions that the copy does not answer."""
        with self._lock:
            yield self.line

    @contextmanager
    def apart(self) -> Iterator[Line]:
        """The line to the server for work on what it keeps; the copy is made anew afterwards.

        Raises:
            RuntimeError: If this very thread sees one state over several pieces of work.
        """
        with self._lock:
            if self._holds:
                msg = "the store is held open here. Nothing was changed."
                raise RuntimeError(msg)
            try:
                yield self.line
            finally:
                self.discard()

    def discard(self) -> None:
        """Throw the copy away, with everything that it still holds of deleted rows."""
        with self._lock:
            if self._copy is not None:
                self._copy.close()
                self._copy = None
            self._discarded()

    def _fresh(self) -> None:
        """Bring the copy up to the server, unless several pieces of work are to see one state."""
        if self._holds and self._copy is not None:
            return
        if not self._up_to_date():
            with self.line.snapshot() as database:
                self._take(database)

    def _take(self, database: Database) -> None:
        """Take over what the server has and the copy has not; all of it if that does not fit."""
        try:
            start, erased = self._taken(database)
        except DamagedStoreError:
            start, erased = 1, True
        if start and erased:
            self.discard()
            self._taken(database)

    def _taken(self, database: Database) -> tuple[int, bool]:
        """How many events the copy had, and whether it held what is erased on the server."""
        try:
            copy = self._made()
            start = _size(copy)
            with self._engine.begin() as connection:
                self._level(connection)
                raw = projections.driver(connection)
                rows.take(database, raw, start)
                self._arrived(connection, start)
                return start, rows.take_waiting(database, raw)
        except _NO_LOG as error:
            self.discard()
            msg = (
                f"what the database holds in {self.line.place.schema} is not what consoles wrote "
                f"({type(error).__name__}). Nothing was changed. Run verify."
            )
            raise DamagedStoreError(msg) from error
        except BaseException:
            self.discard()
            raise

    def _up_to_date(self) -> bool:
        """Whether there is nothing to take over. A copy of something else is thrown away."""
        if self._copy is None:
            return False
        size = _size(self._copy)
        ((last, chain, waiting),) = self.line.ask(_STATE, [size - 1])
        ours = self._copy.execute("select h from log_event where seq = ?", [size - 1]).fetchall()
        held = _waiting(self._copy)
        if last + 1 < size or [(chain,)] != [(bytes(one),) for (one,) in ours] or held > waiting:
            self.discard()  # another store; or what waited is erased, and must not stay here
            return False
        return bool((last + 1, waiting) == (size, held))

    def _made(self) -> duckdb.DuckDBPyConnection:
        if self._copy is None:
            self._copy = configured(duckdb.connect(":memory:"))
            with self._engine.begin() as connection:
                migrations.bring_up_to_date(connection)
        return self._copy

    def _cursor(self) -> duckdb_engine.ConnectionWrapper:
        assert self._copy is not None
        return duckdb_engine.ConnectionWrapper(self._copy.cursor())


def _size(copy: duckdb.DuckDBPyConnection) -> int:
    return int(copy.execute("select coalesce(max(seq), -1) from log_event").fetchall()[0][0]) + 1


def _waiting(copy: duckdb.DuckDBPyConnection) -> int:
    if not rows.has(copy, "vault_condemned"):
        return 0
    return int(copy.execute("select count(*) from vault_condemned").fetchall()[0][0])

"""The store of a team: a schema of a PostgreSQL database, which several consoles use at once.

The server holds the log and the vault, keeps the log from change, and lets one process append at a
time. See ``store.postgres.mirror`` for how it is read.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, text

from store import appending, forget_list, projections, rewriting
from store.connections import PATIENCE, Opener, StoreAwayError
from store.duckdb_store import DuckDbStore
from store.erase_points import Erasure, Reached, unwatched
from store.founding import found
from store.log import Entry
from store.log_store import LogStore
from store.postgres import copying, erasing, schema
from store.postgres.mirror import Mirror
from store.postgres.place import Line, Place
from store.standing import TrustRoot

_BATCHES: Final = text(
    "select count(*) from log_event where seq >= :start and type = 'import.staged'"
)


class PostgresStore(LogStore):
    """A tenant's log and vault in PostgreSQL. See ``store.log.Store`` for what each call promises.

    One object reads the store into memory, so a process has one of each store: ``of_process``.
    """

    _opener: Mirror

    def __init__(
        self,
        place: Place,
        *,
        beside: Path | None = None,
        trust: TrustRoot | None = None,
        patience: float = PATIENCE,
    ) -> None:
        """Open an existing store.

        Args:
            place: Where it is.
            beside: What the files of this workspace that belong to it are named after.
            trust: The workspace's trust root.
            patience: Seconds to wait while another process appends.

        Raises:
            FileNotFoundError: If there is no store.
            store.migrations.StoreNewerError: If a later version of this program wrote it.
            store.forget_list.ForgetListError: If the database was put back to an earlier state.
            store.log.DamagedStoreError: If what is there is no store that consoles wrote.
            store.connections.StoreAwayError: If the database cannot be reached.
        """
        self.place = place
        mirror = Mirror(
            place,
            level=self._catch_up,
            arrived=self._arrived,
            discarded=self._reset,
            patience=patience,
        )
        super().__init__(mirror, "", "", trust)
        self.beside = beside
        with mirror.line.snapshot() as database:
            self.store_id, self.tenant_id = schema.identity(database, place)
        self._reset()
        if beside is not None:
            with mirror.work():
                pass

    @classmethod
    def create(
        cls,
        place: Place,
        *,
        store_id: str,
        tenant_id: str,
        key: bytes,
        first: Entry,
        beside: Path | None = None,
        trust: TrustRoot | None = None,
    ) -> PostgresStore:
        """Make a new store whose first event is ``first``.

        Raises:
            FileExistsError: If there is one.
            store.connections.StoreAwayError: If the database cannot be reached.
        """
        opener = Opener(None)
        found(opener, store_id, tenant_id, key, first)
        with opener.reading() as copy:
            copying.fill(place, copy)
        return cls(place, beside=beside, trust=trust)

    @classmethod
    def of_process(
        cls, place: Place, *, beside: Path | None = None, trust: TrustRoot | None = None
    ) -> PostgresStore:
        """The object that this process has for a store; another trust root needs another one.

        Raises:
            As the class.
        """
        with _REGISTER:
            held = _OF_PROCESS.get(place)
            if held is None or held._trust != trust or held.beside != beside:
                held = _OF_PROCESS[place] = cls(place, beside=beside, trust=trust)
            return held

    @contextmanager
    def server(self) -> Iterator[Line]:
        """The line to the server, for whoever looks at what it keeps.

        Raises:
            store.connections.StoreAwayError: If the database cannot be reached.
        """
        with self._opener.asking() as line:
            yield line

    @staticmethod
    def is_at(place: Place) -> bool:
        """Whether there is a store.

        Raises:
            store.connections.StoreAwayError: If the database cannot be reached, or there is such a
                schema without a store that may be read.
        """
        line = Line(place, patience=PATIENCE)
        try:
            with line.snapshot() as database:
                if schema.version(database) is not None:
                    return True
                if schema.exists(database, place):
                    raise StoreAwayError(place.schema, _UNSEEN)
                return False
        finally:
            line.close()

    def erase(self, contents: Iterable[str], *, reached: Reached = unwatched) -> Erasure:
        """See :meth:`store.log_store.LogStore.erase`: the tables of contents are written anew.

        Raises:
            store.connections.StoreBusyError, store.connections.StoreAwayError: As
                ``store.postgres.erasing``.
        """
        with self._opener.apart() as line:
            return erasing.erase(line, contents, reached=reached)

    def copy_to(self, fresh: Path, *, without: Iterable[str]) -> None:
        """See :meth:`store.log_store.LogStore.copy_to`. What is to be left out waits already.

        Raises:
            store.connections.StoreAwayError, OSError: As ``store.postgres.copying``.
        """
        growing = fresh.with_suffix(".new")
        growing.unlink(missing_ok=True)
        try:
            with self.server() as line:
                copying.dump(line, growing)
            DuckDbStore(growing, trust=self._trust).rebuild()
            growing.rename(fresh)
        finally:
            rewriting.discard(growing)

    def _arrived(self, connection: Connection, start: int) -> None:
        """Project the events that arrived in the copy from event ``start`` on.

        Raises:
            store.forget_list.ForgetListError: If all of them are new here, and older than that.
        """
        if not start and self.beside is not None:
            forget_list.refuse_older(self.beside, appending.heard(connection))
        appending.project_roots(connection, start)
        if connection.execute(_BATCHES, {"start": start}).scalar_one():
            projections.add_batches(connection, start)
        self._catch_up(connection, project=True)


_UNSEEN: Final = (
    "this role sees no store in the schema; give it the right to it, or drop it if it is empty"
)
_REGISTER: Final = threading.Lock()
_OF_PROCESS: Final[dict[Place, PostgresStore]] = {}

"""Where a store in PostgreSQL is, and how it is connected to.

A tenant has a schema of its own. A password is never kept by us: it comes from where every program
of PostgreSQL takes it, a password file, a service file or the environment.
"""

from __future__ import annotations

import hashlib
import os
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, LiteralString

import psycopg
from psycopg import conninfo, sql

from store.connections import StoreAwayError, StoreBusyError

Database = psycopg.Connection[tuple[Any, ...]]

_LONGEST: Final = 63
"""Bytes of a name that PostgreSQL keeps; it cuts off the rest without a word."""

_WAIT: Final = 5
"""Seconds for a connection to come about."""

_SILENT: Final = 10_000
"""Milliseconds after which a server that acknowledges nothing any more counts as gone."""

_SETTINGS: Final[tuple[LiteralString, ...]] = (
    "set row_security = off",  # rows that are hidden from us are an error, not a shorter log
    "set tcp_keepalives_idle = 30",  # a console whose machine is gone gives its lock back
    "set tcp_keepalives_interval = 10",
    "set tcp_keepalives_count = 3",
)

_SECRETS: Final = (
    *("password", "sslpassword"),
    *("oauth_client_secret", "scram_client_key", "scram_server_key"),
)


class BadPlaceError(ValueError):
    """What was given does not say where a database is, or says too much."""


_NOWHERE: Final = "this does not say where a database is: words such as service=memory do."

_LONGEST_WORDS: Final = 2_000
"""Characters of connection words that are still words."""


@dataclass(frozen=True, slots=True)
class Place:
    """A schema of a PostgreSQL database."""

    conninfo: str
    """Connection words or a URL, as libpq reads them, without a password."""

    schema: str


def place_of(words: str, tenant: str) -> Place:
    """The schema of a tenant in the database that ``words`` name.

    Args:
        words: Such as ``service=memory`` or ``postgresql://db.example/memory``.
        tenant: The tenant's id.

    Raises:
        BadPlaceError: If the words are not such, or hold a password.
    """
    try:
        told = conninfo.conninfo_to_dict(words)
    except (psycopg.Error, ValueError) as error:
        raise BadPlaceError(_NOWHERE) from error
    if not told or not words.isprintable() or len(words) > _LONGEST_WORDS:
        raise BadPlaceError(_NOWHERE)
    if any(told.get(name) for name in _SECRETS):
        msg = (
            "a password does not belong into the configuration. Put it into ~/.pgpass or into the "
            "environment (PGPASSWORD), and leave it out here."
        )
        raise BadPlaceError(msg)
    schema = f"memory_{tenant}"
    if len(schema) > _LONGEST:
        schema = f"memory_{hashlib.sha256(tenant.encode()).hexdigest()[:40]}"
    return Place(words, schema)


class Line:
    """One connection to a store's database, made when it is first needed and made again when lost.

    Not to be used by two threads at once: whoever uses it holds a lock.
    """

    def __init__(self, place: Place, *, patience: float) -> None:
        """Connect to ``place`` later; ``patience`` is how many seconds to wait for a writer."""
        self.place, self.patience = place, patience
        self._open: Database | None = None
        self._process = 0

    def database(self) -> Database:
        """The connection; one that was lost is made again.

        Raises:
            store.connections.StoreAwayError: If the database cannot be reached.
        """
        if self._open is not None and self._process != os.getpid():
            self._open = None  # a forked process does not share its parent's connection
        if self._open is not None and (self._open.closed or self._open.broken):
            self.close()
        if self._open is None:
            self._open, self._process = self._connected(), os.getpid()
            weakref.finalize(self, _let_go, self._open, self._process)
        return self._open

    def close(self) -> None:
        """Let the connection go."""
        if self._open is not None:
            _let_go(self._open, self._process)
        self._open = None

    def ask(self, query: LiteralString, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The rows of one query. A connection that was lost meanwhile is made again.

        Raises:
            store.connections.StoreAwayError: If the database cannot be reached.
        """
        with away(self.place):
            try:
                return self.database().execute(query, values).fetchall()
            except psycopg.OperationalError:
                self.close()
            return self.database().execute(query, values).fetchall()

    @contextmanager
    def snapshot(self) -> Iterator[Database]:
        """A transaction that only reads, and sees one state.

        Raises:
            store.connections.StoreAwayError: If the database cannot be reached, or goes away.
        """
        database = self.answering()
        with away(self.place), database.transaction():
            database.execute("set transaction isolation level repeatable read, read only")
            yield database

    @contextmanager
    def alone(self) -> Iterator[Database]:
        """The connection while no other process appends to, or erases from, this store.

        Raises:
            store.connections.StoreBusyError: If another one does, for longer than ``patience``.
            store.connections.StoreAwayError: If the database cannot be reached, or goes away.
        """
        database, key = self.answering(), _key(self.place)
        with away(self.place):
            database.execute(f"set lock_timeout = {max(int(self.patience * 1000), 1)}")
            try:
                database.execute("select pg_advisory_lock(%s)", [key])
            except psycopg.errors.LockNotAvailable as error:
                name = Path(self.place.schema)
                raise StoreBusyError(name, "another console", self.patience) from error
            finally:
                if not database.closed:
                    database.execute("set lock_timeout = 0")
            try:
                yield database
            except psycopg.OperationalError:
                self.close()  # which also gives the lock back
                raise
            finally:
                if not database.closed:
                    self._unlock(database, key)

    def _unlock(self, database: Database, key: int) -> None:
        """Give the lock back. A connection that is lost by now takes nothing back of the work."""
        try:
            database.execute("select pg_advisory_unlock(%s)", [key])
        except psycopg.OperationalError:
            self.close()

    def answering(self) -> Database:
        """The connection, which answered a moment ago.

        Raises:
            store.connections.StoreAwayError: If the database cannot be reached.
        """
        self.ask("select 1")
        return self.database()

    def _connected(self) -> Database:
        with away(self.place):
            made = psycopg.connect(
                self.place.conninfo,
                autocommit=True,
                connect_timeout=_WAIT,
                application_name="memory-console",
                client_encoding="utf8",
                tcp_user_timeout=_SILENT,
                keepalives_idle=5,
                keepalives_interval=2,
                keepalives_count=3,
            )
            for setting in _SETTINGS:
                made.execute(setting)
            made.execute(
                sql.SQL("set search_path to {}").format(sql.Identifier(self.place.schema))
            )
            return made


@contextmanager
def away(place: Place) -> Iterator[None]:
    """Say in our own words that the database cannot be reached, or does not do what is asked."""
    try:
        yield
    except psycopg.Error as error:
        told = (str(error).strip() or type(error).__name__).split("\n", 1)[0]
        raise StoreAwayError(place.schema, told) from error


def _let_go(database: Database, process: int) -> None:
    if process == os.getpid():
        database.close()


def _key(place: Place) -> int:
    """A number for the lock of one store, the same in every process."""
    digest = hashlib.sha256(b"memory-console store\x00" + place.schema.encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)

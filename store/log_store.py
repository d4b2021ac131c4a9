"""A tenant's log and vault behind an opener: what every store does alike.

Whatever keeps the log for good, questions are asked of DuckDB: of the store's file itself, or of a
copy in memory. So a store differs from another in how it is opened, and in how its bytes go.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import duckdb
import pandas as pd
from sqlalchemy import Connection, select
from sqlalchemy.exc import IntegrityError, ProgrammingError
from sqlmodel import Session, col

from store import appending, asking, effects, judging, past, projections
from store.erase_points import Erasure, Reached, unwatched
from store.events import Event, read_event
from store.log import AlreadyDecidedError, DamagedStoreError, Entry, Head, Held, opened
from store.standing import Standing, TrustRoot
from store.tables import EventRow, KeyRow, LeafRow
from store.trail import Trail
from store.vault import Payload


class Opens(Protocol):
    """Opens what a store's questions are asked of: ``store.connections.Opener`` is one."""

    def work(self) -> AbstractContextManager[Connection]:
        """A connection in a transaction, for questions."""

    def writing(self) -> AbstractContextManager[Connection]:
        """The same, for an append; nobody else appends meanwhile."""

    def reading(self) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        """A connection for one query."""

    def held(self) -> AbstractContextManager[None]:
        """Stay open over several pieces of work."""

    def released(self) -> AbstractContextManager[None]:
        """Let go within ``held``."""


class LogStore:
    """See ``store.log.Store`` for what each call promises."""

    path: Path | None = None
    """The store's file; None for a store that is no file of the workspace."""

    beside: Path | None = None
    """What the files that belong to the store are named after; None for one in memory."""

    def __init__(
        self, opener: Opens, store_id: str, tenant_id: str, trust: TrustRoot | None
    ) -> None:
        """Ask ``opener``; whoever makes a store says whose it is."""
        self._opener = opener
        self.store_id, self.tenant_id = store_id, tenant_id
        self._standing = Trail(store_id, tenant_id, trust)
        self._taken = b""
        self._trust = trust
        self._shown: Standing | None = None
        self._healed: tuple[int, bytes] | None = None

    def erase(self, contents: Iterable[str], *, reached: Reached = unwatched) -> Erasure:
        """Take contents out of the bytes for good. Can be called again after it was cut off.

        Args:
            contents: Commitments. Those that are not there are passed over.
            reached: Is told each point.

        Raises:
            ValueError: If the store is in memory: there are no bytes to look at.
        """
        msg = "a store in memory has no file to erase from."
        raise ValueError(msg)

    def copy_to(self, fresh: Path, *, without: Iterable[str]) -> None:
        """Write the store into a new DuckDB file, without some contents.

        Args:
            fresh: The new file, which is not there; it is whole when this returns.
            without: Commitments of contents that are left out.

        Raises:
            ValueError: If the store is in memory.
        """
        msg = "a store in memory has no file to copy."
        raise ValueError(msg)

    def trusting(self, trust: TrustRoot) -> None:
        """Take ``trust`` as the root from now on; decisions are judged again from the start."""
        self._trust = trust
        self._reset()

    def held(self) -> AbstractContextManager[None]:
        """See :meth:`store.log.Store.held`."""
        return self._opener.held()

    def released(self) -> AbstractContextManager[None]:
        """Let go of the file within ``held``: see ``store.connections.Opener.released``."""
        return self._opener.released()

    def head(self) -> Head:
        """See :meth:`store.log.Store.head`."""
        with self._opener.work() as connection:
            return appending.head(connection)

    def append(self, entry: Entry, *, after: int | None = None) -> Event:
        """See :meth:`store.log.Store.append`."""
        try:
            with self._opener.writing() as connection:
                self._catch_up(connection)
                return appending.append(
                    connection,
                    entry,
                    after=after,
                    standing=self._standing,
                    judge=self._judge(connection),
                )
        except (IntegrityError, ProgrammingError) as error:
            if isinstance(error.orig, duckdb.ConstraintException | duckdb.TransactionException):
                raise self._lost_race(entry) from error
            raise

    def events(self, start: int = 0, limit: int | None = None) -> list[Event]:
        """See :meth:`store.log.Store.events`."""
        with self._opener.work() as connection, Session(connection) as session:
            wanted = select(EventRow).where(col(EventRow.seq) >= start).order_by(col(EventRow.seq))
            rows = session.execute(wanted.limit(limit)).scalars()
            return [read_event(row.canon, row.h) for row in rows]

    def leaves(self, seq: int) -> list[bytes]:
        """See :meth:`store.log.Store.leaves`."""
        with self._opener.work() as connection, Session(connection) as session:
            wanted = select(col(LeafRow.canon)).where(col(LeafRow.seq) == seq)
            return list(session.execute(wanted.order_by(col(LeafRow.ordinal))).scalars())

    def event(self, seq: int) -> Event:
        """See :meth:`store.log.Store.event`."""
        found = self.rows("select canon, h from log_event where seq = :seq", seq=seq)
        if not found:
            msg = f"there is no event {seq}. Run verify."
            raise DamagedStoreError(msg)
        return read_event(bytes(found[0]["canon"]), bytes(found[0]["h"]))

    def leaves_at(self, places: Sequence[tuple[int, int]]) -> dict[tuple[int, int], bytes]:
        """See :meth:`store.log.Store.leaves_at`."""
        with self._opener.reading() as connection:
            return asking.leaves(connection, places)

    def payloads(self, commitments: Iterable[str]) -> dict[str, Payload]:
        """See :meth:`store.log.Store.payloads`."""
        wanted = list(dict.fromkeys(commitments))
        if not wanted:
            return {}
        with self._opener.reading() as connection:
            return opened(asking.payload_rows(connection, wanted))

    def standing(self) -> Standing:
        """See :meth:`store.log.Store.standing`."""
        with self._opener.work() as connection:
            self._catch_up(connection)
            shown, now = self._shown, self._standing
            if shown is None or len(shown.used) != len(now.used):
                shown = now.copy()
            elif shown.position != now.position:  # nothing that was appended changes what stands
                shown = replace(shown, position=now.position)
            self._shown = shown
            return shown

    def standing_at(self, size: int) -> Standing:
        """See :meth:`store.log.Store.standing_at`."""
        with self._opener.work() as connection:
            self._catch_up(connection)
            return self._standing.at(size)

    def digest_key(self) -> bytes:
        """See :meth:`store.log.Store.digest_key`."""
        with self._opener.work() as connection, Session(connection) as session:
            body: bytes = session.execute(select(KeyRow)).scalar_one().body
            return body

    def known(self, keys: Sequence[str]) -> tuple[dict[str, str], int]:
        """See :meth:`store.log.Store.known`."""
        with self._opener.reading() as connection:
            found = asking.rows(connection, asking.KNOWN, {"wanted": asking.keys(keys)})
            size = asking.rows(connection, asking.SIZE)[0]["size"]
            return {one["key"]: one["item"] for one in found}, int(size)

    def by_source(self, keys: Sequence[str]) -> dict[str, list[Held]]:
        """See :meth:`store.log.Store.by_source`."""
        with self._opener.reading() as connection:
            found = asking.rows(connection, asking.BY_SOURCE, {"wanted": asking.keys(keys)})
        held: dict[str, list[Held]] = {}
        for one in found:
            told = Held(*(one[name] for name in Held._fields))
            held.setdefault(one["key"], []).append(told)
        return held

    def rows(
        self,
        query: str,
        tables: Mapping[str, pd.DataFrame] | None = None,
        **values: object,
    ) -> list[dict[str, Any]]:
        """See :meth:`store.log.Store.rows`."""
        with self._opener.reading() as connection:
            return asking.rows(connection, query, tables, values)

    def frame(
        self,
        query: str,
        tables: Mapping[str, pd.DataFrame] | None = None,
        **values: object,
    ) -> pd.DataFrame:
        """See :meth:`store.log.Store.frame`."""
        with self._opener.reading() as connection:
            return asking.frame(connection, query, tables, values)

    def rebuild(self) -> None:
        """See :meth:`store.log.Store.rebuild`."""
        with self._opener.work() as connection:
            self._heal(connection)

    def _reset(self) -> None:
        self._shown = None
        self._standing = Trail(self.store_id, self.tenant_id, self._trust)
        self._taken = b""

    def _catch_up(self, connection: Connection, *, project: bool = False) -> None:
        """Take the signed events that were appended since the last look into the standing."""
        size, last = self._standing.position, appending.last_row(connection)
        if last is not None and (last[0] + 1, last[1]) == (size, self._taken) and not project:
            return
        if size and appending.chain_at(connection, size - 1) != self._taken:
            self._reset()
            size = 0
        judge, refused = self._judge(connection), False
        events = past.signed_events(connection, size)
        for event, signed in past.with_signatures(connection, events):
            before = len(self._standing.used)
            effective = judge.take(self._standing, event, signed)
            refused = refused or len(self._standing.used) == before
            if project and effective is not None and signed is not None:
                effects.add(connection, event, effective, signed.sha256)
        if refused and not project and self._healed != last:
            self._heal(connection)
            return
        if last is not None:
            self._standing.position, self._taken = last[0] + 1, last[1]

    def _heal(self, connection: Connection) -> None:
        """Make the projections again: one of them may be why a signed decision did not stand."""
        self._healed = appending.last_row(connection)
        self._reset()
        projections.clear(connection)
        appending.project_roots(connection)
        projections.add_batches(connection, 0)
        self._catch_up(connection, project=True)

    def _judge(self, connection: Connection) -> judging.Judge:
        return judging.Judge(connection)

    def _lost_race(self, entry: Entry) -> Exception:
        standing = self.standing()
        for item in appending.items_of(entry):
            stands = standing.items.get(item)
            if stands is not None:
                return AlreadyDecidedError(
                    item, by=stands.by, stage=str(stands.stage), when=stands.signed_at
                )
        return DamagedStoreError("the store refused the append; nothing was saved. Run verify.")

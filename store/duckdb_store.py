"""The embedded store: one DuckDB file a tenant, or memory, behind the same class.

Every public call opens the file, does one thing in one transaction, and closes it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path

import duckdb
from sqlalchemy import select
from sqlmodel import Session

from store import appending, erasing, forget_list, leftovers, migrations, rewriting
from store.connections import PATIENCE, Opener
from store.erase_points import Erasure, Reached, unwatched
from store.founding import found
from store.log import Entry
from store.log_store import LogStore
from store.standing import TrustRoot
from store.tables import IdentityRow


class DuckDbStore(LogStore):
    """A tenant's log and vault in DuckDB. See ``store.log.Store`` for what each call promises."""

    _opener: Opener

    def __init__(
        self,
        path: Path | None,
        *,
        trust: TrustRoot | None = None,
        patience: float = PATIENCE,
    ) -> None:
        """Open an existing store, or one in memory that ``create`` has yet to fill.

        Raises:
            FileNotFoundError: If there is no such file.
            store.migrations.StoreNewerError: If a later version of this program wrote it.
            store.connections.StoreBusyError: If another process holds it.
        """
        if path is not None and not path.exists():
            msg = f"no store at {path.name}. Nothing was created."
            raise FileNotFoundError(msg)
        opener = Opener(path, patience=patience, makes=False)
        super().__init__(opener, "", "", trust)
        self.path = self.beside = path
        if path is not None:
            self._identify()
            self._reset()

    @classmethod
    def create(
        cls,
        path: Path | None,
        *,
        store_id: str,
        tenant_id: str,
        key: bytes,
        first: Entry,
        trust: TrustRoot | None = None,
    ) -> DuckDbStore:
        """Make a new store whose first event is ``first``.

        Raises:
            FileExistsError: If the file exists.
        """
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            fresh = path.with_suffix(f".creating-{os.getpid()}")
            fresh.unlink(missing_ok=True)
            try:
                found(Opener(fresh), store_id, tenant_id, key, first)
                fresh.chmod(0o600)
                os.link(fresh, path)
            except FileExistsError:
                msg = f"{path.name} exists already. Nothing was changed."
                raise FileExistsError(msg) from None
            finally:
                fresh.unlink(missing_ok=True)
            return cls(path, trust=trust)
        store = cls(None, trust=trust)
        found(store._opener, store_id, tenant_id, key, first)
        store._identify()
        store._reset()
        return store

    def erase(self, contents: Iterable[str], *, reached: Reached = unwatched) -> Erasure:
        """See :meth:`store.log_store.LogStore.erase`: the file is written anew without them.

        Raises:
            store.connections.StoreBusyError, store.copies.CopyDiffersError, OSError: As
                ``store.erasing``.
        """
        if self.path is None:
            return super().erase(contents, reached=reached)
        return erasing.erase(self.path, contents, reached=reached)

    def copy_to(self, fresh: Path, *, without: Iterable[str]) -> None:
        """See :meth:`store.log_store.LogStore.copy_to`.

        Raises:
            store.connections.StoreBusyError, store.copies.CopyDiffersError, OSError: As
                ``store.rewriting``.
        """
        if self.path is None:
            return super().copy_to(fresh, without=without)
        growing = fresh.with_suffix(".new")
        with (
            self._opener.alone(),
            rewriting.copied(self.path, growing, without=without),
        ):
            growing.rename(fresh)

    def copyable(self) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        """A connection to the database itself, for whoever copies all of it.

        Raises:
            store.connections.StoreBusyError: If another process holds it.
        """
        return self._opener.reading()

    def _identify(self) -> None:
        with self._opener.work() as connection:
            if self.path is not None:
                leftovers.clear(self.path)
            migrations.bring_up_to_date(connection)
            if self.path is not None:
                forget_list.refuse_older(self.path, appending.heard(connection))
            with Session(connection) as session:
                row = session.execute(select(IdentityRow)).scalar_one()
                self.store_id, self.tenant_id = row.store, row.tenant

"""Reads a published snapshot: the same questions as to a store, over what somebody signed.

It opens one file read-only and never the store. Whether the file may be believed is asked by
``store.snapshot_checks`` before this is used; content is opened against its commitment each time.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd

from store import asking, merkle, snapshot_tables
from store.database import configured
from store.events import Event, read_event
from store.log import DamagedStoreError, opened
from store.publications import DenyStatement
from store.stages import Stage
from store.standing import Standing, TrustRoot
from store.statements import SignedStatement
from store.vault import Payload


class Published:
    """A snapshot, opened. See ``store.log.Readable`` for what each call promises."""

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            duckdb.Error: If it is no database, or is not there.
        """
        self._lock = threading.RLock()
        self._connection = configured(duckdb.connect(str(path), read_only=True))
        named = self.rows("select store, tenant, version from log_identity")
        if len(named) != 1 or named[0]["version"] != snapshot_tables.VERSION:
            msg = "the snapshot does not say whose it is, or was published by another version."
            raise DamagedStoreError(msg)
        self.store_id, self.tenant_id = str(named[0]["store"]), str(named[0]["tenant"])
        self._roots: list[bytes] | None = None
        self._believed: tuple[TrustRoot, Standing] | None = None
        self._standing: Standing | None = None

    def close(self) -> None:
        """Let the file go."""
        self._connection.close()

    def text(self, name: str) -> bytes:
        """One of the texts that were published with the cells; nothing if there is none."""
        found = self.rows("select body from pub_text where name = :name", name=name)
        return bytes(found[0]["body"]) if found else b""

    # --- what it is verified by ---------------------------------------------------------------

    def roots(self) -> list[bytes]:
        """Merkle root of the log's first n events, by n.

        Raises:
            DamagedStoreError: If the list of events has a gap, or an event is not the one listed.
        """
        if self._roots is None:
            hashes = self.rows("select seq, hash from pub_leaf_hash order by seq")
            if [row["seq"] for row in hashes] != list(range(len(hashes))):
                msg = "the list of events has a gap."
                raise DamagedStoreError(msg)
            for row in self.rows("select seq, canon from log_event"):
                seq = row["seq"]
                if seq >= len(hashes) or merkle.leaf_hash(bytes(row["canon"])) != bytes(
                    hashes[seq]["hash"]
                ):
                    msg = f"event {seq} is not the one in the list."
                    raise DamagedStoreError(msg)
            frontier = merkle.Frontier()
            roots = [frontier.root()]
            for row in hashes:
                frontier = frontier.grow(bytes(row["hash"]))
                roots.append(frontier.root())
            self._roots = roots
        return self._roots

    def root_at(self, size: int) -> str | None:
        """Merkle root, hex, of the log's first ``size`` events."""
        roots = self.roots()
        return roots[size].hex() if 0 <= size < len(roots) else None

    def replayed(self, trust: TrustRoot, size: int | None = None) -> Standing:
        """What stands after the first ``size`` events, judged from the signatures alone."""
        told = self.rows(
            "select item, rev, digest from pub_artifact union all"
            " select item, rev, digest from proj_item"
        )
        artifacts = {(one["item"], one["rev"]): str(one["digest"]) for one in told}
        signatures = {
            one["statement_sha256"]: SignedStatement(bytes(one["statement"]), str(one["sshsig"]))
            for one in self.rows(snapshot_tables.SIGNATURES)
        }
        standing = Standing(self.store_id, self.tenant_id, trust)
        stop = len(self.roots()) - 1 if size is None else size
        for row in self.rows("select canon, h from log_event order by seq"):
            event = read_event(bytes(row["canon"]), bytes(row["h"]))
            if event.seq >= stop:
                break
            standing.take(
                event,
                signatures.get(str(event.body.get("statement"))),
                artifacts_of=lambda _wanted: artifacts,
                root_at=self.root_at,
            )
        standing.position = stop
        return standing

    def believe(self, trust: TrustRoot, standing: Standing) -> None:
        """Serve by ``standing`` from now on, once it was found to be what was signed."""
        self._believed, self._standing = (trust, standing), standing

    def deny(self, denied: DenyStatement | None, sha256: str = "") -> None:
        """Take the cells of a deny list out of what is durable; None takes back the last list."""
        _trust, believed = self._verified()
        if denied is None:
            self._standing = believed
            return
        standing = believed.copy()
        for one in denied.items:
            stands = standing.items.get(one.item)
            if stands is not None and stands.artifact == one.artifact:
                standing.items[one.item] = replace(stands, stage=Stage.STAGED)
        standing.used.add(sha256)  # what was read under the list before it is not used any more
        self._standing = standing

    # --- what readers ask -----------------------------------------------------------------------

    def leaves(self, seq: int) -> list[bytes]:
        """The durable items of the batch event at ``seq``, in order."""
        found = self.rows("select canon from log_leaf where seq = :seq order by ordinal", seq=seq)
        return [bytes(row["canon"]) for row in found]

    def event(self, seq: int) -> Event:
        """See :meth:`store.log.Readable.event`."""
        found = self.rows("select canon, h from log_event where seq = :seq", seq=seq)
        if not found:
            msg = f"there is no event {seq} in the snapshot."
            raise DamagedStoreError(msg)
        return read_event(bytes(found[0]["canon"]), bytes(found[0]["h"]))

    def leaves_at(self, places: Sequence[tuple[int, int]]) -> dict[tuple[int, int], bytes]:
        """See :meth:`store.log.Readable.leaves_at`."""
        wanted = {snapshot_tables.place(*one): one for one in places}
        marks = ", ".join(map(str, wanted))
        found = self.rows(f"{snapshot_tables.LEAVES} ({marks})") if wanted else []
        return {wanted[one["place"]]: bytes(one["canon"]) for one in found}

    def payloads(self, commitments: Iterable[str]) -> dict[str, Payload]:
        """See :meth:`store.log.Readable.payloads`."""
        wanted = list(dict.fromkeys(commitments))
        if not wanted:
            return {}
        with self._lock:
            return opened(asking.payload_rows(self._connection, wanted))

    def standing(self) -> Standing:
        """What stands, less what was denied since. Not to be changed."""
        self._verified()
        assert self._standing is not None
        return self._standing

    def standing_at(self, size: int) -> Standing:
        """See :meth:`store.log.Readable.standing_at`."""
        trust, _believed = self._verified()
        return self.replayed(trust, size)

    def _verified(self) -> tuple[TrustRoot, Standing]:
        if self._believed is None:
            msg = "the snapshot was not verified. Nothing was served."
            raise DamagedStoreError(msg)
        return self._believed

    def rows(
        self,
        query: str,
        tables: Mapping[str, pd.DataFrame] | None = None,
        **values: object,
    ) -> list[dict[str, Any]]:
        """See :meth:`store.log.Readable.rows`."""
        with self._lock:
            return asking.rows(self._connection, query, tables, values)

    def frame(
        self,
        query: str,
        tables: Mapping[str, pd.DataFrame] | None = None,
        **values: object,
    ) -> pd.DataFrame:
        """See :meth:`store.log.Readable.frame`."""
        with self._lock:
            return asking.frame(self._connection, query, tables, values)

"""What a store promises, whichever database holds it, and how it refuses.

A store is bound to one tenant: no call names a tenant. It has no way to change an event, to
remove one, or to make anything durable without a verified signature.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import pandas as pd

from store.events import Event, Happening
from store.standing import Standing
from store.statements import SignedStatement
from store.vault import Payload, Role


class LogMovedError(RuntimeError):
    """Something was appended since the caller looked."""

    def __init__(self, *, after: int, now: int) -> None:
        """Keep the position that was expected and the one that is."""
        self.after, self.now = after, now
        super().__init__(
            f"the log has moved from {after} to {now} events since this was read. "
            "Nothing was saved. Reload and try again."
        )


class AlreadyDecidedError(RuntimeError):
    """Somebody else's decision on an item came first."""

    def __init__(self, item: str, *, by: str, stage: str, when: str) -> None:
        """Keep who decided, to which stage, and when."""
        self.item, self.by, self.stage, self.when = item, by, stage, when
        super().__init__(
            f"item {item} was already decided: {stage} by {by} at {when}. "
            "Nothing was saved. Go to the next one."
        )


class DamagedStoreError(RuntimeError):
    """What is read does not match what was written and signed."""


def opened(rows: Iterable[Mapping[str, Any]]) -> dict[str, Payload]:
    """Rows of the vault as payloads, each held against the commitment it is kept under.

    Raises:
        DamagedStoreError: If content does not open to its commitment.
    """
    found = {
        one["commitment"]: Payload(Role(one["role"]), bytes(one["salt"]), bytes(one["body"]))
        for one in rows
    }
    for commitment, payload in found.items():
        if payload.commitment != commitment:
            msg = f"content {commitment[:12]} does not open to its commitment. Run verify."
            raise DamagedStoreError(msg)
    return found


@dataclass(frozen=True, slots=True)
class Head:
    """The end of the log: how many events, their chain hash and their Merkle root (hex)."""

    size: int
    chain: str
    root: str


class Held(NamedTuple):
    """What the store holds of a source's record: an item's latest revision, or a run (0)."""

    item: str
    rev: int
    stage: str
    """As projected; ``evidence`` for a run."""

    importer: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One event to append, with all that becomes true together with it."""

    happening: Happening
    leaves: Sequence[bytes] = ()
    """Canonical bytes of a batch's items; the event commits to their root."""

    payloads: Sequence[Payload] = ()
    lineage: Sequence[tuple[str, str, str]] = ()
    """(child commitment, parent commitment, relation)."""

    signed: SignedStatement | None = None


class Readable(Protocol):
    """What can be asked of a tenant's memory: of the store, or of what was published of it."""

    store_id: str
    tenant_id: str

    def leaves(self, seq: int) -> list[bytes]:
        """The items of the batch event at ``seq``, in order."""

    def event(self, seq: int) -> Event:
        """The event at ``seq``.

        Raises:
            DamagedStoreError: If there is none.
        """

    def leaves_at(self, places: Sequence[tuple[int, int]]) -> dict[tuple[int, int], bytes]:
        """Items of batch events by (position, ordinal). What is not there is absent."""

    def payloads(self, commitments: Iterable[str]) -> dict[str, Payload]:
        """The content behind commitments. What is erased or unknown is absent.

        Raises:
            DamagedStoreError: If content does not open to its commitment.
        """

    def standing(self) -> Standing:
        """Which decisions stand now, from verified signatures alone. Not to be changed."""

    def standing_at(self, size: int) -> Standing:
        """Which decisions stood when the log had its first ``size`` events."""

    def rows(
        self,
        query: str,
        tables: Mapping[str, pd.DataFrame] | None = None,
        **values: object,
    ) -> list[dict[str, Any]]:
        """Read projections: a query of ``store.queries``, with frames to join and named values."""

    def frame(
        self,
        query: str,
        tables: Mapping[str, pd.DataFrame] | None = None,
        **values: object,
    ) -> pd.DataFrame:
        """What ``rows`` tells, as one frame."""


class Store(Readable, Protocol):
    """An append-only log with its vault, for one tenant."""

    def held(self) -> AbstractContextManager[None]:
        """Keep the store open over several calls that belong together, such as one page.

        Raises:
            store.connections.StoreBusyError: If another process holds it.
        """

    def head(self) -> Head:
        """The present end of the log."""

    def append(self, entry: Entry, *, after: int | None = None) -> Event:
        """Append one event with its leaves, payloads and signature: all of it or nothing.

        Args:
            entry: What to append. Its body gets ``leaves`` and ``root`` added for a batch, and
                ``statement`` for a signed event.
            after: How many events the caller saw. None appends at whatever the end is.

        Raises:
            LogMovedError: If the log is not at ``after``.
            AlreadyDecidedError: If an item of a decision batch has been decided since.
            store.standing.NotAcceptedError: If a decision is not signed so that it may stand.
        """

    def events(self, start: int = 0, limit: int | None = None) -> list[Event]:
        """Events from position ``start`` on, in order."""

    def digest_key(self) -> bytes:
        """The tenant's key for digests that find repeats. 32 bytes."""

    def known(self, keys: Sequence[str]) -> tuple[dict[str, str], int]:
        """Which content keys are in the store (key to item), and the log's size when asked."""

    def by_source(self, keys: Sequence[str]) -> dict[str, list[Held]]:
        """What is held under each source key, oldest first; a key without any is absent."""

    def rebuild(self) -> None:
        """Make every projection again from the log alone."""

"""What forgetting needs from outside the store: the rewrite, the search, and the files beside it.

A port. The console stands behind it with real files; nothing here knows a path.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Final, Protocol

from review.deciding import Signer
from review.forget.locations import Location
from review.forget.plan import PlanRow
from review.forget.run_points import Watch
from review.forget.statuses import LocationKind
from store.forget_standing import Request
from store.scans import Scan
from store.vault import Payload

ASKED: Final = "asked"
"""What words that somebody brought are called in the result of a search."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What the rewrite of the store's file did."""

    rows: int
    """Contents that the old file still held."""

    size_before: int
    size_after: int
    old_overwritten: bool
    payloads: tuple[Payload, ...] = field(repr=False)
    """Contents whose bytes are still known, for the search. Foreign text: never shown."""

    unsought: frozenset[str] = frozenset()
    """Contents whose bytes nobody knows any more."""


@dataclass(frozen=True, slots=True)
class Group:
    """Files that are one place of a report."""

    location_id: str
    kind: LocationKind
    hint: str
    """Relative to the workspace, of our own names only."""

    paths: tuple[str, ...]
    """As the search names them."""

    ours: bool = True
    """Whether it is for us to keep it clean; else what is found there is outside our control."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What was done about one place before the search."""

    location_id: str
    kind: LocationKind
    hint: str
    method: str
    """A code, such as ``dropped``, ``deleted`` or ``published_again``."""

    items: int
    """Files or entries that were taken away."""

    problem: str = ""
    """A code for why it could not be done; empty if it was."""


@dataclass(frozen=True, slots=True)
class Looked:
    """A search through everything, and which of its files belong to what."""

    scan: Scan
    groups: tuple[Group, ...]
    rows_in: tuple[str, ...]
    """Ids of the groups that decide what may be said of a row: the store, what is published of
    it, and what our own files keep beside it."""

    always: tuple[Location, ...] = ()
    """Places that are listed for this sort of store in every report."""


class AtWorkError(RuntimeError):
    """Another forget request, a backup or a restore is being carried out on this store."""

    def __init__(self) -> None:
        """Say what is so now, and what to do."""
        super().__init__(
            "another forget request, a backup or a restore is being carried out on this store. "
            "Nothing was begun. Wait for it, see memory-console forget-report, and preview again."
        )


class RequestFiles(Protocol):
    """The files about requests, which can be read."""

    def read(self, name: str) -> bytes | None:
        """Such a file; None if there is none."""

    def names(self) -> tuple[str, ...]:
        """Names of such files, newest request first."""


class Ground(RequestFiles, Protocol):
    """The files of one tenant."""

    def working(self) -> AbstractContextManager[None]:
        """Be the only one who carries something out on this store, in any process.

        The system takes it back with the process, however that ends.

        Raises:
            AtWorkError: If somebody else is. It is told at once, without waiting.
        """

    def at_work(self) -> bool:
        """Whether somebody is, in this process or another."""

    def places(self, rows: Sequence[PlanRow]) -> tuple[Location, ...]:
        """Where copies are now, besides the store's rows."""

    def deny(self, sign: Signer) -> int:
        """Tell readers outside at once what they must not serve; how many records."""

    def waiting(self, request: Request) -> tuple[Payload, ...]:
        """Contents of a request that wait for the rewrite, with their bytes."""

    def rewrite(self, request: Request, watch: Watch) -> Rewritten:
        """Write the store's file anew without what was asked for. Can be called again."""

    def take_away(
        self, rows: Sequence[PlanRow], payloads: Sequence[Payload], sign: Signer
    ) -> tuple[Taken, ...]:
        """Take away what other files hold: drafts, recalls, jobs; publish again."""

    def look(self, rewritten: Rewritten) -> Looked:
        """Search every file for what was erased."""

    def search(self, body: bytes) -> Scan:
        """Search every file for some words, which are not kept: ``Scan.status_of(ASKED)``."""

    def keep_list(self) -> None:
        """Bring the list beside the store up to the log."""

    def write(self, name: str, data: bytes) -> None:
        """Keep a file about a request, whole or not at all."""

    def remove(self, name: str) -> None:
        """Remove such a file, if it is there."""

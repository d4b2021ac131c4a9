"""The snapshot that a door serves: verified before use, and again whenever a file of it changes.

Whatever does not hold, nothing is served, and the next call begins from nothing. What was seen is
kept in the door's own folder, so that an older snapshot is refused after this process has ended.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from review.doorway import Doorway
from review.identities import Clock, stamp
from store import last_seen, snapshot_checks
from store.last_seen import Seen, SeenUnreadableError
from store.published import Published
from store.refusing import NotServedError, Refused
from store.snapshot_checks import Expected, Pointed
from store.stages import Stage

Make = Callable[[Published], Doorway]
"""Puts the reader before a verified snapshot."""


class DoorSnapshot:
    """What is published for one door, as of the last look."""

    def __init__(
        self, folder: Path, expected: Expected, seen: Path, *, clock: Clock, make: Make
    ) -> None:
        """Nothing is opened yet.

        Args:
            folder: The published folder.
            expected: The tenant and the trust root, from the door's configuration.
            seen: The file that keeps what was seen.
            clock: The present moment.
            make: Puts the reader before a snapshot.
        """
        self._folder, self._expected, self._seen = folder, expected, seen
        self._clock, self._make = clock, make
        self._at: Pointed | None = None
        self._found: Published | None = None
        self._doorway: Doorway | None = None
        self._stamp: tuple[object, ...] = ()

    @property
    def until(self) -> str | None:
        """Until when what is served may be, if it has an end."""
        return None if self._at is None else self._at.statement.valid_until

    def doorway(self) -> Doorway:
        """What may be served now.

        Raises:
            NotServedError: With the first thing that does not hold.
        """
        if self._doorway is not None and self._unchanged():
            return self._doorway
        try:
            return self._look()
        except BaseException:
            self._drop()
            raise

    def close(self) -> None:
        """Let the file go; the next look begins from nothing."""
        self._drop()

    def durable(self, items: list[str]) -> set[str]:
        """Which of ``items`` are durable in the snapshot that was looked at last."""
        if self._found is None:
            return set()
        standing = self._found.standing().items
        return {item for item in items if (at := standing.get(item)) and at.stage == Stage.DURABLE}

    def _unchanged(self) -> bool:
        until, now = self.until, stamp(self._clock())
        if until is not None and until <= now:
            return False
        return self._stamp == snapshot_checks.stamp_of(self._folder, self._at)

    def _look(self) -> Doorway:
        at = snapshot_checks.pointed(self._folder, self._expected, stamp(self._clock()))
        before = snapshot_checks.stamp_of(self._folder, at)
        same = self._at is not None and self._at.sha256 == at.sha256
        if self._found is None or not same or self._stamp[2:] != before[2:]:
            self._drop()
            self._found = snapshot_checks.opened(at)
            self._doorway = self._make(self._found)
        found, seen = self._found, self._before()
        found.deny(None)
        snapshot_checks.continues(found, at, seen)
        denied = snapshot_checks.denied(self._folder, at, found.standing(), seen)
        if denied is not None:
            found.deny(*denied)
        self._keep(at, seen, -1 if denied is None else denied[0].size)
        self._at, self._stamp = at, before
        assert self._doorway is not None
        return self._doorway

    def _before(self) -> Seen | None:
        try:
            return last_seen.read(self._seen)
        except SeenUnreadableError as error:
            raise NotServedError(Refused.LAST_SEEN, str(error)) from error

    def _keep(self, at: Pointed, seen: Seen | None, denied: int) -> None:
        told = at.statement
        before = -1 if seen is None else seen.denied
        now = Seen(told.store, told.size, told.root, max(before, denied))
        if now == seen:
            return
        try:
            last_seen.write(self._seen, now)
        except OSError as error:
            raise NotServedError(Refused.LAST_SEEN, "it cannot be kept") from error

    def _drop(self) -> None:
        if self._found is not None:
            self._found.close()
        self._at = self._found = self._doorway = None
        self._stamp = ()

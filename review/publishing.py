"""Publishes the durable set for readers outside the store, under a reviewer's signature.

First and fast comes the deny list: what was taken back since the last snapshot. Then the new one.
Nothing here signs or writes a file: both are handed in. A publication that fails undoes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol

from review.deciding import Signer
from review.identities import stamp
from review.person import Person, ReadOnlyError
from review.staged.placing import Writer
from store.events import ActorKind, Event, EventType, Happening, read_event
from store.forget_statements import read_forget
from store.log import Entry, LogMovedError, Readable, Store
from store.publications import (
    Denied,
    DenyStatement,
    Publication,
    PublishStatement,
    Written,
    state_root,
)
from store.stages import Stage
from store.standing import OutOfTurnError, Standing
from store.statements import SignedStatement, read_decision

_ROUNDS: Final = 5
_DENIED: Final = EventType.READERS_DENIED
_FORGETS: Final = (EventType.FORGET_REQUESTED, EventType.FORGET_REPLAYED)
_ABOUT_REVIEWERS: Final = (EventType.REVIEWER_ADDED, EventType.REVIEWER_REVOKED)
_SIGNED_SINCE: Final = (
    "select e.canon, e.h, s.statement, s.sshsig from log_event e join log_signature s"
    " on s.statement_sha256 = json_extract_string(decode(e.canon), '$.body.statement')"
    " where e.seq >= :since and e.type in ('batch.decided', 'forget.requested', 'forget.replayed',"
    " 'readers.denied', 'reviewer.added', 'reviewer.revoked') order by e.seq"
)
"""What was signed from a position on, and may have to be told to readers."""

_SIGNED_AFTER: Final = (
    "select count(*) as n from log_event where seq >= :since and type in ('batch.decided',"
    " 'links.decided', 'forget.requested', 'forget.replayed', 'reviewer.added',"
    " 'reviewer.revoked')"
)
"""How many times something was signed that a snapshot of an earlier position does not show."""


class Shelf(Protocol):
    """Where readers outside the store look. See ``store.shelf``."""

    def placed(self) -> int | None:
        """Events that the snapshot shows which readers are pointed at; None if there is none."""

    def write(self, store: Readable, standing: Standing) -> Written:
        """Write what is durable into a new file."""

    def place(self, written: Written, signed: SignedStatement) -> None:
        """Point readers at it."""

    def deny(self, signed: SignedStatement, reviewers: Sequence[SignedStatement]) -> None:
        """Tell readers what not to serve from the snapshot that is there."""

    def discard(self, written: Written) -> None:
        """Remove a snapshot that nobody is pointed at."""


class NotPublishedError(RuntimeError):
    """Nothing was published. What was decided stands all the same."""


@dataclass(frozen=True, slots=True)
class PublishedNow:
    """What readers see from now on."""

    size: int
    """Events of the log that it shows."""

    cells: int
    denied: int
    """Cells of the snapshot before it that were denied first."""


@dataclass(frozen=True, slots=True)
class Behind:
    """In what readers outside the store are behind it."""

    signed: int
    """Signatures that the snapshot they read does not show."""

    published_at: str
    """When it was signed, RFC 3339; blank where nothing is published."""

    expired: bool
    """Whether readers refuse it, because its time is over."""


class Publishing:
    """What one person publishes of one store."""

    def __init__(
        self, store: Store, person: Person | None, writer: Writer, shelf: Shelf | None
    ) -> None:
        """Without a ``shelf`` there is nobody to publish for."""
        self._store, self._person, self._writer, self._shelf = store, person, writer, shelf

    @property
    def wanted(self) -> bool:
        """Whether somebody outside the store reads it."""
        return self._shelf is not None

    def behind(self) -> Behind | None:
        """In what readers are behind the store; None when they are not, or nobody reads."""
        if self._shelf is None:
            return None
        placed, last = self._shelf.placed(), self._store.standing().published
        if placed is None:
            durable = next(iter(self._store.standing().durable()), None)
            return None if durable is None else Behind(0, "", expired=False)
        signed = int(self._store.rows(_SIGNED_AFTER, since=placed)[0]["n"])
        until = None if last is None else last.valid_until
        expired = until is not None and until <= stamp(self._writer.clock())
        if not signed and not expired:
            return None
        return Behind(signed, "" if last is None else last.signed_at, expired=expired)

    def publish(self, sign: Signer, *, valid_for: timedelta | None = None) -> PublishedNow:
        """Deny what was taken back since the last snapshot, then publish a new one.

        Args:
            sign: Signs statements with the person's key.
            valid_for: How long readers may serve it; None is as long as the last one was for.

        Raises:
            NotPublishedError: If there is nobody to publish for, or the log keeps moving.
            ReadOnlyError: Without an identity.
            Exception: Whatever ``sign`` and the shelf raise.
        """
        denied = self.deny(sign)
        person, shelf = self._parties()
        for _ in range(_ROUNDS):
            with self._store.held():
                head, standing = self._store.head(), self._store.standing()
                written = shelf.write(self._store, standing)
                try:
                    now = self._writer.clock()
                    statement = PublishStatement(
                        store=self._store.store_id,
                        tenant=self._store.tenant_id,
                        size=head.size,
                        root=head.root,
                        state_root=state_root(standing.durable()),
                        snapshot_sha256=written.sha256,
                        reviewer=person.reviewer,
                        reviewer_seq=standing.sequence.get(person.reviewer, 0) + 1,
                        signed_at=stamp(now),
                        valid_until=_until(now, valid_for, standing.published),
                    )
                    signed = self._append(sign, statement, EventType.SNAPSHOT_PUBLISHED)
                except (LogMovedError, OutOfTurnError):
                    shelf.discard(written)
                    continue
                except BaseException:
                    shelf.discard(written)
                    raise
            shelf.place(written, signed)
            return PublishedNow(head.size, written.cells, denied)
        msg = "others keep writing first. Nothing was published. Publish again."
        raise NotPublishedError(msg)

    def deny(self, sign: Signer) -> int:
        """Sign and ship what of the last snapshot is not durable any more; how many cells.

        A list that says the same already is shipped again and not signed again. See ``publish``
        for what is raised.
        """
        person, shelf = self._parties()
        placed = shelf.placed()
        if placed is None:
            return 0
        for _ in range(_ROUNDS):
            with self._store.held():
                head, standing = self._store.head(), self._store.standing()
                since = self._since(placed)
                reviewers = [one for event, one in since if event.type in _ABOUT_REVIEWERS]
                gone = _gone(since, standing)
                if not gone:
                    return 0
                last = standing.denied
                if last is not None and last.size >= placed and set(last.items) >= set(gone):
                    signed = [one for event, one in since if event.type == _DENIED][-1]
                    shelf.deny(signed, reviewers)
                    return len(gone)
                statement = DenyStatement(
                    store=self._store.store_id,
                    tenant=self._store.tenant_id,
                    size=head.size,
                    root=head.root,
                    items=gone,
                    reviewer=person.reviewer,
                    reviewer_seq=standing.sequence.get(person.reviewer, 0) + 1,
                    signed_at=stamp(self._writer.clock()),
                )
                try:
                    signed_now = self._append(sign, statement, _DENIED)
                except (LogMovedError, OutOfTurnError):
                    continue
                shelf.deny(signed_now, reviewers)
            return len(gone)
        msg = "others keep writing first. The deny list was not signed. Publish again."
        raise NotPublishedError(msg)

    def _parties(self) -> tuple[Person, Shelf]:
        if self._person is None:
            raise ReadOnlyError
        if self._shelf is None:
            msg = "nobody outside the store reads this tenant. Nothing was published."
            raise NotPublishedError(msg)
        return self._person, self._shelf

    def _append(self, sign: Signer, statement: Publication, kind: EventType) -> SignedStatement:
        (signed,) = sign([statement.encode()])
        happening = Happening(
            kind,
            recorded_at=stamp(self._writer.clock()),
            actor=statement.reviewer,
            actor_kind=ActorKind.HUMAN_KEY,
            process=self._writer.process,
        )
        self._store.append(Entry(happening, signed=signed), after=statement.size)
        return signed

    def _since(self, size: int) -> list[tuple[Event, SignedStatement]]:
        """The signed events from ``size`` on, with what was signed."""
        return [
            (
                read_event(bytes(one["canon"]), bytes(one["h"])),
                SignedStatement(bytes(one["statement"]), str(one["sshsig"])),
            )
            for one in self._store.rows(_SIGNED_SINCE, since=size)
        ]


def _gone(
    since: Sequence[tuple[Event, SignedStatement]], standing: Standing
) -> tuple[Denied, ...]:
    """What ``since`` took back that is not durable again, and all that it had forgotten."""
    told: set[Denied] = set()
    for event, signed in since:
        if event.type in _FORGETS:
            forgotten = read_forget(signed.statement).items
            told.update(Denied(one.item, one.artifact) for one in forgotten)
        if event.type != EventType.BATCH_DECIDED:
            continue
        for verdict in read_decision(signed.statement).verdicts:
            stands = standing.items.get(verdict.item)
            durable = stands is not None and stands.stage == Stage.DURABLE
            same = stands is not None and stands.artifact == verdict.artifact
            if verdict.came_from == Stage.DURABLE and not (durable and same):
                told.add(Denied(verdict.item, verdict.artifact))
    return tuple(sorted(told, key=lambda one: (one.item, one.artifact)))


def _until(
    now: datetime, valid_for: timedelta | None, before: PublishStatement | None
) -> str | None:
    if valid_for is None and before is not None and before.valid_until is not None:
        signed, until = (
            datetime.fromisoformat(one) for one in (before.signed_at, before.valid_until)
        )
        valid_for = until - signed
    return None if valid_for is None else stamp(now + valid_for)

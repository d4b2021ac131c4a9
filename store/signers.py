"""Who may sign in one store, and whose turn it is: what every signed statement is held against."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from store import reviewer_standing
from store.events import Event, EventType
from store.forget_confirmations import ConfirmStatement, read_confirm
from store.signatures import BadSignatureError, PublicKey, verify
from store.statements import (
    BadStatementError,
    ReviewerStatement,
    Seen,
    SignedStatement,
    read_reviewer,
)
from store.trust_root import TrustRoot

RootAt = Callable[[int], str | None]
"""Merkle root, hex, of the first n events, or None if the log never had that size."""

_Read = TypeVar("_Read")


class NotAcceptedError(ValueError):
    """A signed statement has no effect. The message says what was refused and why."""


class OutOfTurnError(NotAcceptedError):
    """Another statement of the same reviewer was recorded first; a fresh signature is needed."""


class Counted(Protocol):
    """A statement of one reviewer, in one store, over one head of its log."""

    @property
    def store(self) -> str:
        """Which store it was signed for."""

    @property
    def tenant(self) -> str:
        """Whose store that is."""

    @property
    def prev(self) -> Seen:
        """The head that the reviewer saw."""

    @property
    def reviewer(self) -> str:
        """Who signed."""

    @property
    def reviewer_seq(self) -> int:
        """Counts this reviewer's statements in this store, from 1, without gaps."""


@dataclass
class Signers:
    """The keys that may sign after the events seen so far, and what they have signed."""

    store: str
    tenant: str
    root: TrustRoot | None
    position: int = 0
    """How many events have been taken in."""

    keys: dict[str, PublicKey] = field(default_factory=dict)
    sequence: dict[str, int] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    """Digests of statements that took effect: each does so once."""

    def __post_init__(self) -> None:
        """The root reviewer may sign from the start."""
        if self.root is not None and self.position == 0:
            self.keys[self.root.reviewer] = self.root.key

    def examine_confirmation(
        self, signed: SignedStatement, *, root_at: RootAt
    ) -> ConfirmStatement:
        """What ``signed`` says was done about a copy elsewhere, if it may be recorded now.

        Raises:
            NotAcceptedError: If no present reviewer of this very store signed it, in turn.
        """
        key, statement = self._signed(signed, read_confirm)
        self._in_turn(key, statement, root_at)
        return statement

    @staticmethod
    def _signed(
        signed: SignedStatement, read: Callable[[bytes], _Read]
    ) -> tuple[PublicKey, _Read]:
        try:
            key = verify(signed.statement, signed.signature)
            return key, read(signed.statement)
        except (BadSignatureError, BadStatementError) as error:
            raise NotAcceptedError(str(error)) from error

    def _in_turn(self, key: PublicKey, statement: Counted, root_at: RootAt) -> None:
        """Whether the next statement of a present reviewer of this very store is this one."""
        self._by_reviewer(key, statement)
        due = self.sequence.get(statement.reviewer, 0) + 1
        if statement.reviewer_seq != due:
            msg = (
                f"statement {statement.reviewer_seq} of {statement.reviewer} is not the next one "
                f"({due}). Nothing was saved. Reload and sign again."
            )
            raise OutOfTurnError(msg)
        if root_at(statement.prev.size) != statement.prev.root:
            size = statement.prev.size
            msg = f"the log that was signed for (size {size}) is not a beginning of this one."
            raise NotAcceptedError(msg)

    def _by_reviewer(self, key: PublicKey, statement: Counted) -> None:
        """Whether a present reviewer of this very store signed it."""
        if self.keys.get(statement.reviewer) != key:
            msg = f"{key.fingerprint} is not a key of reviewer {statement.reviewer}."
            raise NotAcceptedError(msg)
        self._belongs_here(statement.store, statement.tenant)

    def _belongs_here(self, store: str | None, tenant: str | None) -> None:
        if (store, tenant) != (self.store, self.tenant):
            msg = "the statement was signed for another store or tenant."
            raise NotAcceptedError(msg)

    def _used(self, statement: Counted, sha256: str) -> None:
        self.used.add(sha256)
        before = self.sequence.get(statement.reviewer, 0)
        self.sequence[statement.reviewer] = max(before, statement.reviewer_seq)

    def take_words(self, event: Event, signed: SignedStatement, *, root_at: RootAt) -> None:
        """Take in who may sign from here on, or what a person says of a copy elsewhere.

        Raises:
            NotAcceptedError: If it does not stand. Other events are passed over.
        """
        if event.type in (EventType.REVIEWER_ADDED, EventType.REVIEWER_REVOKED):
            self._enrol(self.examine_reviewer(signed))
            self.used.add(signed.sha256)
        elif event.type == EventType.FORGET_CONFIRMED:
            self._used(self.examine_confirmation(signed, root_at=root_at), signed.sha256)

    def examine_reviewer(self, signed: SignedStatement) -> ReviewerStatement:
        """The reviewer statement of ``signed`` if it may take effect now. Changes nothing.

        Raises:
            NotAcceptedError: If it is not signed by a present reviewer of this store.
        """
        if signed.sha256 in self.used:
            msg = "this statement about a reviewer has taken effect already. Sign a new one."
            raise NotAcceptedError(msg)
        key, told = self._signed(signed, read_reviewer)
        self._belongs_here(told.store, told.tenant)
        if why := reviewer_standing.misfit(told, key, self.keys):
            raise NotAcceptedError(why)
        return told

    def _enrol(self, told: ReviewerStatement) -> None:
        if told.action == "added":
            self.keys[told.reviewer] = told.key
        else:
            del self.keys[told.reviewer]

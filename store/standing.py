"""Which decisions stand: the fold over what people signed, and nothing else.

Every reader of durable memory goes through this. A row that says "durable" without a verified
signature behind it has no effect here, whoever wrote it and however.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from store import link_standing
from store.events import Event, EventType
from store.link_standing import LinkNotAcceptedError, LinksStanding
from store.links import LinkStatement, read_links
from store.signatures import BadSignatureError, PublicKey, verify
from store.stages import IllegalMoveError, Stage, advance
from store.statements import (
    BadStatementError,
    DecisionStatement,
    ReviewerStatement,
    Seen,
    SignedStatement,
    read_decision,
    read_reviewer,
)

ArtifactOf = Callable[[str, int], str | None]
"""Digest of the artifact staged as (item, revision), or None if there is no such thing."""

RootAt = Callable[[int], str | None]
"""Merkle root, hex, of the first n events, or None if the log never had that size."""

Effect = DecisionStatement | LinkStatement
"""What a signed event brings about."""

_Read = TypeVar("_Read", DecisionStatement, LinkStatement)


class NotAcceptedError(ValueError):
    """A signed statement has no effect. The message says what was refused and why."""


class OutOfTurnError(NotAcceptedError):
    """Another statement of the same reviewer was recorded first; a fresh signature is needed."""


@dataclass(frozen=True, slots=True)
class TrustRoot:
    """The first reviewer's key: everything else is a chain of signatures from it."""

    reviewer: str
    key: PublicKey


@dataclass(frozen=True, slots=True)
class Stands:
    """Where one item stands, by which statement."""

    rev: int
    artifact: str
    stage: Stage
    by: str
    signed_at: str
    statement: str
    count: int
    """How many decisions were ever accepted for this item and revision."""


@dataclass
class Standing:
    """The state after the events seen so far. Feed it events in log order."""

    store: str
    tenant: str
    root: TrustRoot | None
    position: int = 0
    """How many events have been taken in."""

    keys: dict[str, PublicKey] = field(default_factory=dict)
    sequence: dict[str, int] = field(default_factory=dict)
    items: dict[str, Stands] = field(default_factory=dict)
    nonces: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    """Digests of statements that took effect: each does so once."""

    links: LinksStanding = field(default_factory=dict)
    """What people said of two records, and did not take back."""

    def __post_init__(self) -> None:
        """The root reviewer may sign from the start."""
        if self.root is not None and self.position == 0:
            self.keys[self.root.reviewer] = self.root.key

    def copy(self) -> Standing:
        """An equal standing that later events do not change."""
        return replace(
            self,
            keys=dict(self.keys),
            sequence=dict(self.sequence),
            items=dict(self.items),
            nonces=set(self.nonces),
            used=set(self.used),
            links=dict(self.links),
        )

    def stage_of(self, item: str, rev: int) -> Stage:
        """Stage of an item that is in the store: ``staged`` unless a decision stands."""
        stands = self.items.get(item)
        return stands.stage if stands is not None and stands.rev == rev else Stage.STAGED

    def examine(
        self, signed: SignedStatement, *, artifact_of: ArtifactOf, root_at: RootAt
    ) -> DecisionStatement:
        """The decisions of ``signed`` if every one of them may take effect now.

        Changes nothing. All or none: one decision that does not fit refuses the batch.

        Raises:
            NotAcceptedError: For a signature by nobody we know, another store, a repeated or
                skipped sequence number, a head that is not an ancestor, or another artifact.
            store.stages.IllegalMoveError: If an item has moved since it was looked at.
        """
        key, statement = self._signed(signed, read_decision)
        self._in_turn(key, statement, root_at)
        fresh: set[str] = set()
        for verdict in statement.verdicts:
            if verdict.nonce in self.nonces or verdict.nonce in fresh:
                msg = f"the decision on item {verdict.item} was already recorded."
                raise NotAcceptedError(msg)
            fresh.add(verdict.nonce)
            if artifact_of(verdict.item, verdict.rev) != verdict.artifact:
                msg = (
                    f"item {verdict.item} is not the artifact that was signed. Nothing was saved. "
                    "Open it again and look at what it is now."
                )
                raise NotAcceptedError(msg)
            stage = self.stage_of(verdict.item, verdict.rev)
            target = advance(verdict.item, stage, verdict.decision)
            if (verdict.came_from, verdict.goes_to) != (stage, target):
                raise IllegalMoveError(verdict.item, verdict.decision, stage)
        if len({verdict.item for verdict in statement.verdicts}) != len(statement.verdicts):
            msg = "one statement decides an item twice."
            raise NotAcceptedError(msg)
        return statement

    def examine_links(
        self, signed: SignedStatement, *, artifact_of: ArtifactOf, root_at: RootAt
    ) -> LinkStatement:
        """The links of ``signed`` if every one of them may take effect now. Changes nothing.

        Raises:
            NotAcceptedError: As in ``examine``, and for a link that does not fit what stands.
        """
        key, statement = self._signed(signed, read_links)
        self._in_turn(key, statement, root_at)
        try:
            link_standing.examine(statement, self.links, artifact_of)
        except LinkNotAcceptedError as error:
            raise NotAcceptedError(str(error)) from error
        return statement

    def take(
        self,
        event: Event,
        signed: SignedStatement | None,
        *,
        artifact_of: ArtifactOf,
        root_at: RootAt,
    ) -> Effect | None:
        """Take in one event, in order; the decisions or links it brings into effect, if any.

        An event whose statement is not accepted has no effect and is passed over; ``verify``
        reports it.
        """
        self.position = event.seq + 1
        if signed is None or signed.sha256 != event.body.get("statement"):
            return None
        if signed.sha256 in self.used:
            return None
        try:
            if event.type == EventType.BATCH_DECIDED:
                statement = self.examine(signed, artifact_of=artifact_of, root_at=root_at)
                self._record(statement, signed.sha256)
                return statement
            if event.type == EventType.LINKS_DECIDED:
                links = self.examine_links(signed, artifact_of=artifact_of, root_at=root_at)
                self._used(links, signed.sha256)
                link_standing.record(links, signed.sha256, self.links)
                return links
            if event.type in (EventType.REVIEWER_ADDED, EventType.REVIEWER_REVOKED):
                self._enrol(self.examine_reviewer(signed))
                self.used.add(signed.sha256)
        except (NotAcceptedError, IllegalMoveError):
            return None
        return None

    def examine_reviewer(self, signed: SignedStatement) -> ReviewerStatement:
        """The reviewer statement of ``signed`` if it may take effect now. Changes nothing.

        Raises:
            NotAcceptedError: If it is not signed by a present reviewer of this store.
        """
        if signed.sha256 in self.used:
            msg = "this statement about a reviewer has taken effect already. Sign a new one."
            raise NotAcceptedError(msg)
        try:
            key = verify(signed.statement, signed.signature)
            told = read_reviewer(signed.statement)
        except (BadSignatureError, BadStatementError) as error:
            raise NotAcceptedError(str(error)) from error
        if self.keys.get(told.by) != key:
            msg = f"{key.fingerprint} is not a key of reviewer {told.by}, so it can add nobody."
            raise NotAcceptedError(msg)
        self._belongs_here(told.store, told.tenant)
        if told.action == "added" and told.reviewer in self.keys:
            msg = f"reviewer {told.reviewer} already has a key here."
            raise NotAcceptedError(msg)
        if told.action == "revoked" and self.keys.get(told.reviewer) != told.key:
            msg = f"reviewer {told.reviewer} has no such key here."
            raise NotAcceptedError(msg)
        if told.action not in ("added", "revoked"):
            msg = f"{told.action!r} is not something that can happen to a reviewer."
            raise NotAcceptedError(msg)
        return told

    @staticmethod
    def _signed(
        signed: SignedStatement, read: Callable[[bytes], _Read]
    ) -> tuple[PublicKey, _Read]:
        try:
            key = verify(signed.statement, signed.signature)
            return key, read(signed.statement)
        except (BadSignatureError, BadStatementError) as error:
            raise NotAcceptedError(str(error)) from error

    def _in_turn(self, key: PublicKey, statement: Effect, root_at: RootAt) -> None:
        """Whether the next statement of a present reviewer of this very store is this one."""
        if self.keys.get(statement.reviewer) != key:
            msg = f"{key.fingerprint} is not a key of reviewer {statement.reviewer}."
            raise NotAcceptedError(msg)
        self._belongs_here(statement.store, statement.tenant)
        due = self.sequence.get(statement.reviewer, 0) + 1
        if statement.reviewer_seq != due:
            msg = (
                f"statement {statement.reviewer_seq} of {statement.reviewer} is not the next one "
                f"({due}). Nothing was saved. Reload and sign again."
            )
            raise OutOfTurnError(msg)
        self._descends(statement.prev, root_at)

    def _belongs_here(self, store: str | None, tenant: str | None) -> None:
        if (store, tenant) != (self.store, self.tenant):
            msg = "the statement was signed for another store or tenant."
            raise NotAcceptedError(msg)

    @staticmethod
    def _descends(prev: Seen, root_at: RootAt) -> None:
        if root_at(prev.size) != prev.root:
            msg = f"the log that was signed for (size {prev.size}) is not a beginning of this one."
            raise NotAcceptedError(msg)

    def _used(self, statement: Effect, sha256: str) -> None:
        self.used.add(sha256)
        self.sequence[statement.reviewer] = statement.reviewer_seq

    def _record(self, statement: DecisionStatement, sha256: str) -> None:
        self._used(statement, sha256)
        for verdict in statement.verdicts:
            self.nonces.add(verdict.nonce)
            before = self.items.get(verdict.item)
            same = before is not None and before.rev == verdict.rev
            self.items[verdict.item] = Stands(
                rev=verdict.rev,
                artifact=verdict.artifact,
                stage=verdict.goes_to,
                by=statement.reviewer,
                signed_at=statement.signed_at,
                statement=sha256,
                count=(before.count if before is not None and same else 0) + 1,
            )

    def _enrol(self, told: ReviewerStatement) -> None:
        if told.action == "added":
            self.keys[told.reviewer] = told.key
        else:
            del self.keys[told.reviewer]

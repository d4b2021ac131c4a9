"""Which decisions stand: the fold over what people signed, and nothing else.

Every reader of durable memory goes through this. A row that says "durable" without a verified
signature behind it has no effect here, whoever wrote it and however.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from store import (
    decision_standing,
    export_standing,
    forget_standing,
    link_standing,
)
from store.decision_standing import DecisionNotAcceptedError
from store.events import Event, EventType
from store.export_standing import ExportNotAcceptedError, ExportStanding
from store.forget_standing import ForgetNotAcceptedError, ForgetStanding
from store.forget_statements import ForgetStatement, read_forget
from store.link_standing import LinkNotAcceptedError, LinksStanding
from store.links import LinkStatement, read_links
from store.publications import READ_AS, DenyStatement, Publication, PublishStatement
from store.rule_exports import ExportAct, ExportStatement, read_export
from store.signers import NotAcceptedError, OutOfTurnError, RootAt, Signers
from store.stages import ArtifactsOf, IllegalMoveError, Stage, Stands
from store.statements import (
    DecisionStatement,
    SignedStatement,
    read_decision,
)
from store.trust_root import TrustRoot

__all__ = ["NotAcceptedError", "OutOfTurnError", "Standing", "Stands", "TrustRoot"]

Effect = DecisionStatement | LinkStatement | ForgetStatement | ExportStatement
"""What a signed event brings about."""

_EXPORT_ACTS: Final[dict[str, ExportAct]] = {
    EventType.RULE_EXPORTED: ExportAct.EXPORTED,
    EventType.RULE_EXPORT_WITHDRAWN: ExportAct.WITHDRAWN,
}


@dataclass
class Standing(Signers):
    """The state after the events seen so far. Feed it events in log order."""

    items: dict[str, Stands] = field(default_factory=dict)
    nonces: set[str] = field(default_factory=set)
    """Of decisions that took effect."""

    links: LinksStanding = field(default_factory=dict)
    """What people said of two records, and did not take back."""

    forgets: ForgetStanding = field(default_factory=dict)
    """What people signed to have forgotten. It is never taken back."""

    exports: ExportStanding = field(default_factory=dict)
    """Rules that left as bundles of files, withdrawn ones too."""

    published: PublishStatement | None = None
    """The last state that was signed for readers outside the store."""

    denied: DenyStatement | None = None
    """The last deny list."""

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
            forgets=dict(self.forgets),
            exports=dict(self.exports),
        )

    def stage_of(self, item: str, rev: int) -> Stage:
        """Stage of an item that is in the store: ``staged`` unless a decision stands."""
        stands = self.items.get(item)
        if stands is None or (stands.rev != rev and stands.stage != Stage.ERASED):
            return Stage.STAGED
        return stands.stage

    def examine(
        self, signed: SignedStatement, *, artifacts_of: ArtifactsOf, root_at: RootAt
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
        try:
            decision_standing.examine(
                statement, self.nonces, artifacts_of=artifacts_of, stage_of=self.stage_of
            )
        except DecisionNotAcceptedError as error:
            raise NotAcceptedError(str(error)) from error
        return statement

    def examine_links(
        self, signed: SignedStatement, *, artifacts_of: ArtifactsOf, root_at: RootAt
    ) -> LinkStatement:
        """The links of ``signed`` if every one of them may take effect now. Changes nothing.

        Raises:
            NotAcceptedError: As in ``examine``, and for a link that does not fit what stands.
        """
        key, statement = self._signed(signed, read_links)
        self._in_turn(key, statement, root_at)
        try:
            link_standing.examine(statement, self.links, artifacts_of)
        except LinkNotAcceptedError as error:
            raise NotAcceptedError(str(error)) from error
        return statement

    def examine_forget(
        self,
        signed: SignedStatement,
        *,
        artifacts_of: ArtifactsOf,
        root_at: RootAt,
        replayed: bool = False,
    ) -> ForgetStatement:
        """The forget request of ``signed`` if it may take effect now. Changes nothing.

        A store that was restored lacks the end of the log it was signed over, so a replayed one
        is not asked for its turn and its head: it can only take away.

        Raises:
            NotAcceptedError: As in ``examine``, and for a request that does not fit what stands.
        """
        key, statement = self._signed(signed, read_forget)
        if signed.sha256 in self.used:
            msg = "this forget request stands already."
            raise NotAcceptedError(msg)
        if replayed:
            self._by_reviewer(key, statement)
        else:
            self._in_turn(key, statement, root_at)
        try:
            forget_standing.examine(
                statement,
                self.forgets,
                artifacts_of=artifacts_of,
                erased=lambda item: self.stage_of(item, 0) == Stage.ERASED,
                replayed=replayed,
            )
        except ForgetNotAcceptedError as error:
            raise NotAcceptedError(str(error)) from error
        return statement

    def examine_guard(self, body: Mapping[str, Any]) -> None:
        """Whether the keyed digests in ``body`` are those that their request was signed with.

        Raises:
            NotAcceptedError: If not.
        """
        try:
            forget_standing.examine_guard(self.forgets, str(body["forget"]), body["keys"])
        except ForgetNotAcceptedError as error:
            raise NotAcceptedError(str(error)) from error

    def examine_publication(
        self, signed: SignedStatement, kind: str, *, at: int, root_at: RootAt
    ) -> Publication:
        """What ``signed`` publishes, if it may take effect as event ``at`` of type ``kind``.

        Raises:
            NotAcceptedError: As in ``examine``, and for another head than the one before ``at``.
        """
        key, statement = self._signed(signed, READ_AS[kind])
        if statement.size != at:
            msg = (
                f"it was signed for a log of {statement.size} events, and there are {at}. "
                "Nothing was published. Publish again."
            )
            raise OutOfTurnError(msg)
        self._in_turn(key, statement, root_at)
        return statement

    def examine_export(
        self, signed: SignedStatement, kind: str, *, at: int, root_at: RootAt
    ) -> ExportStatement:
        """What ``signed`` says of a bundle, if it may take effect as event ``at``.

        Raises:
            NotAcceptedError: As in ``examine``, for another head than the one before ``at``, and
                for a statement that does not fit what stands.
        """
        key, statement = self._signed(signed, read_export)
        if statement.prev.size != at:
            msg = (
                f"it was signed for a log of {statement.prev.size} events, and there are {at}. "
                "Nothing was exported. Sign again."
            )
            raise OutOfTurnError(msg)
        self._in_turn(key, statement, root_at)
        if statement.act != _EXPORT_ACTS[kind]:
            msg = f"it was signed as {statement.act}, not for {kind}."
            raise NotAcceptedError(msg)
        try:
            export_standing.examine(statement, self.exports, self.items)
        except ExportNotAcceptedError as error:
            raise NotAcceptedError(str(error)) from error
        return statement

    def durable(self) -> Iterator[tuple[str, int, str]]:
        """Item, revision and artifact digest of everything that is durable."""
        for item, stands in self.items.items():
            if stands.stage == Stage.DURABLE:
                yield item, stands.rev, stands.artifact

    def take(
        self,
        event: Event,
        signed: SignedStatement | None,
        *,
        artifacts_of: ArtifactsOf,
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
                statement = self.examine(signed, artifacts_of=artifacts_of, root_at=root_at)
                self._used(statement, signed.sha256)
                self.nonces.update(verdict.nonce for verdict in statement.verdicts)
                decision_standing.record(statement, signed.sha256, self.items)
                return statement
            if event.type == EventType.LINKS_DECIDED:
                links = self.examine_links(signed, artifacts_of=artifacts_of, root_at=root_at)
                self._used(links, signed.sha256)
                link_standing.record(links, signed.sha256, self.links)
                return links
            if event.type in (EventType.FORGET_REQUESTED, EventType.FORGET_REPLAYED):
                again = event.type == EventType.FORGET_REPLAYED
                request = self.examine_forget(
                    signed, artifacts_of=artifacts_of, root_at=root_at, replayed=again
                )
                self._used(request, signed.sha256)
                forget_standing.record(request, signed.sha256, self.forgets, self.items)
                return request
            if event.type in _EXPORT_ACTS:
                bundle = self.examine_export(signed, event.type, at=event.seq, root_at=root_at)
                self._used(bundle, signed.sha256)
                export_standing.record(bundle, signed.sha256, event.seq, self.exports)
                return bundle
            if event.type in READ_AS:
                told = self.examine_publication(signed, event.type, at=event.seq, root_at=root_at)
                self._used(told, signed.sha256)
                self._publish(told)
            self.take_words(event, signed, root_at=root_at)
        except (NotAcceptedError, IllegalMoveError):
            return None
        return None

    def _publish(self, told: Publication) -> None:
        if isinstance(told, PublishStatement):
            self.published = told
        else:
            self.denied = told

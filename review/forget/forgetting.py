"""The desk's way in to forgetting: preview, run, report, confirm, look again.

It is bound to one tenant's store. What lies outside of the store (files, copies, the rewrite
itself) is behind ``review.forget.ground``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from review.deciding import Signer
from review.forget import confirming, planning, requests, token, verifying
from review.forget.ground import Ground
from review.forget.plan import Plan
from review.forget.report import Report
from review.forget.run_points import Watch, unwatched
from review.forget.running import (
    NoSuchRequestError,
    NothingToForgetError,
    Running,
    WrongCountError,
)
from review.forget.scope import Scope
from review.forget.token import PreviewMovedError, PreviewToken
from review.identities import new_id, stamp
from review.person import Person, ReadOnlyError
from review.staged.placing import Writer
from store import forget_queries
from store.log import Store
from store.scans import Scan


@dataclass(frozen=True, slots=True)
class Match:
    """A record in which some words stand literally: to be looked at and ticked by a person."""

    item: str
    kind: str
    stage: str
    claim: str
    """Foreign text."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A name by which records say whom or what they are about."""

    name: str
    """Foreign text."""

    records: int
    """Records and runs that name it: what a request about it covers by itself."""


@dataclass(frozen=True, slots=True)
class Due:
    """A residue of an earlier request that a person has to see to now."""

    forget: str
    location_id: str
    since: str
    """The day on which it was due."""


class NoGroundError(RuntimeError):
    """This store has no file: there are no bytes to erase and none to look at."""

    def __init__(self) -> None:
        """Say so."""
        super().__init__("a store in memory has no file to erase from. Nothing was erased.")


class Forgetting:
    """Forget requests of one store."""

    def __init__(
        self,
        store: Store,
        person: Person | None,
        writer: Writer,
        policy_sha256: Callable[[], str],
    ) -> None:
        """For ``store``; requests are signed by ``person``. ``stand_on`` gives it its ground."""
        self._store, self._person, self._writer = store, person, writer
        self._policy_sha256 = policy_sha256
        self._ground: Ground | None = None
        self._watch: Watch = unwatched

    def stand_on(self, ground: Ground, watch: Watch = unwatched) -> None:
        """Take ``ground`` as the files of this store; ``watch`` is told each point of a run."""
        self._ground, self._watch = ground, watch

    # --- before -----------------------------------------------------------------------------

    def matches(self, words: str, *, most: int = 200) -> tuple[Match, ...]:
        """Records in which ``words`` stand literally, newest first. A person ticks their ids."""
        if not words.strip():
            return ()
        found = self._store.rows(forget_queries.TEXT_SEARCH, words=words.strip(), most=most)
        return tuple(
            Match(*(str(one[n]) for n in ("item", "kind", "stage", "claim"))) for one in found
        )

    def subjects(self, words: str, *, most: int = 20) -> tuple[Subject, ...]:
        """Names in memory in which ``words`` stand literally, that a subject can be.

        The very name comes first, then those that most records name; of no words all names.
        """
        found = self._store.rows(forget_queries.SUBJECTS, words=words.strip(), most=most)
        return tuple(Subject(str(one["name"]), int(one["n"])) for one in found)

    def plan(self, scope: Scope) -> Plan:
        """What a request over ``scope`` would do. Writes nothing."""
        now = self._writer.clock()
        return self._planned(scope, new_id(now, self._writer.chance(10)))

    def token(self, plan: Plan) -> PreviewToken:
        """What a run of this plan has to show within 15 minutes."""
        return token.issue(
            self._store.digest_key(),
            forget=plan.forget,
            digest=plan.digest,
            size=plan.size,
            root=plan.root,
            now=self._writer.clock(),
        )

    def checked(self, scope: Scope, shown: PreviewToken) -> Plan:
        """The plan again, if it is still the one of the token.

        Raises:
            review.forget.token.PreviewError: If it expired, or the store moved on.
        """
        token.check(self._store.digest_key(), shown, now=self._writer.clock())
        with self._store.held():
            plan = self._planned(scope, shown.forget)
            if (plan.size, plan.root, plan.digest) == (shown.size, shown.root, shown.digest):
                return plan
        raise PreviewMovedError(
            plan, events=max(plan.size - shown.size, 0), same=plan.digest == shown.digest
        )

    # --- running ----------------------------------------------------------------------------

    def run(self, scope: Scope, shown: PreviewToken, sign: Signer, *, typed: int) -> Report:
        """Sign the request, erase, look, and record the report.

        Raises:
            ReadOnlyError: Without an identity.
            NoGroundError: For a store in memory.
            review.forget.token.PreviewError: If the token does not hold.
            review.forget.running.NothingToForgetError: If the scope matches nothing.
            review.forget.running.WrongCountError: If ``typed`` is not ``Plan.typed``.
        """
        running = self._running()
        plan = self.checked(scope, shown)
        if plan.empty:
            raise NothingToForgetError(len(plan.missing), plan.unlinked)
        if typed != plan.typed:
            raise WrongCountError(plan.typed, typed)
        return running.run(plan, sign)

    def unfinished(self) -> tuple[str, ...]:
        """Ids of requests that were begun and are not carried out in full, oldest first."""
        return requests.unfinished(self._store, self._ground)

    def resume(self, forget: str, sign: Signer) -> Report:
        """Go on with a request that was cut off, or that ended partially.

        One that was carried out in full is not done again: its report is returned.

        Raises:
            review.forget.running.NoSuchRequestError: If there is none that anybody signed.
        """
        running = self._running()
        if forget not in self.unfinished():
            return self.report(forget)
        return running.resume(forget, sign)

    # --- after ------------------------------------------------------------------------------

    def reports(self) -> tuple[Report, ...]:
        """Reports of this store's requests, newest first."""
        if self._ground is None:
            return ()
        return tuple(
            requests.report(self._store, self._ground, forget)
            for forget in requests.reported(self._ground)
        )

    def report(self, forget: str) -> Report:
        """The report of one request, with what people confirmed since.

        Raises:
            review.forget.running.NoSuchRequestError: If there is none.
            review.forget.report.BadReportError: If the file is not the one that the log names.
        """
        if self._ground is None:
            raise NoSuchRequestError
        return requests.report(self._store, self._ground, forget)

    def confirm(
        self,
        forget: str,
        location_id: str,
        sign: Signer,
        *,
        evidence: str = "",
        what: str = confirming.REMOVED,
    ) -> Report:
        """Record, signed, that this person says a copy elsewhere was removed.

        Args:
            forget: The request.
            location_id: A place of its report that is outside of our control.
            sign: Signs with the person's key.
            evidence: Words or a link; kept in the vault. Secrets are masked.
            what: ``removed``, or ``beyond_use`` for the four conditions of a backup.

        Raises:
            ReadOnlyError: Without an identity.
            review.forget.confirming.NotConfirmedError: For a place that nobody can confirm.
        """
        report = self.report(forget)
        person = self._somebody()
        confirming.confirm(
            self._store,
            report,
            location_id,
            sign,
            confirming.Said(person, what, evidence),
            self._writer,
        )
        return self.report(forget)

    def check_again(self, forget: str) -> Report:
        """Look at each place again. It writes nothing: the report of the log stays as it is.

        The words are not known any more, so what is searched for is what still can be: that rows
        are gone, that each file can be searched (its controls), and that copies elsewhere are.
        """
        report = self.report(forget)
        if self._ground is None:
            raise NoGroundError
        return verifying.again(self._store, self._ground, report, now=stamp(self._writer.clock()))

    def search(self, words: bytes) -> Scan:
        """Search every file for words that the asking person gave. They are not kept.

        What may be said of them is ``Scan.status_of(review.forget.ground.ASKED)``.

        Raises:
            NoGroundError: For a store in memory.
        """
        if self._ground is None:
            raise NoGroundError
        return self._ground.search(words)

    def due(self) -> tuple[Due, ...]:
        """Residues whose day is past and that nobody confirmed as removed: for Start."""
        today = stamp(self._writer.clock())[:10]
        return tuple(
            Due(report.head.forget_id, one.location_id, one.delete_by)
            for report in self.reports()
            for one in report.left()
            if one.delete_by
            and one.delete_by < today
            and not any(said.what == confirming.REMOVED for said in one.confirmed)
        )

    def _planned(self, scope: Scope, forget: str) -> Plan:
        made_at = stamp(self._writer.clock())
        with self._store.held():
            plan = planning.make(self._store, scope, forget=forget, made_at=made_at)
        if self._ground is None:
            return plan
        return replace(plan, locations=(*self._ground.places(plan.rows), *plan.locations))

    def _running(self) -> Running:
        person = self._somebody()
        if self._ground is None:
            raise NoGroundError
        return Running(
            self._store, person, self._writer, self._ground, self._policy_sha256, self._watch
        )

    def _somebody(self) -> Person:
        if self._person is None:
            raise ReadOnlyError
        return self._person

"""The desk's way in to forgetting: preview, run, report, confirm, look again.

It is bound to one tenant's store. What lies outside of the store (files, copies, the rewrite
itself) is behind ``review.forget.ground``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from review.deciding import Signer
from review.forget import planning, questions, token
from review.forget.afterwards import Afterwards, NoGroundError
from review.forget.plan import Plan
from review.forget.report import Report
from review.forget.running import (
    NoSuchRequestError,
    NothingToForgetError,
    NotSignedYetError,
    Running,
    WrongCountError,
)
from review.forget.scope import Scope
from review.forget.token import PreviewMovedError, PreviewToken
from review.identities import new_id, stamp
from store import forget_queries


@dataclass(frozen=True, slots=True)
class Match:
    """A record in which some words stand literally: to be looked at and ticked by a person."""

    item: str
    kind: str
    stage: str
    claim: str
    """Foreign text."""


@dataclass(frozen=True, slots=True)
class Matches:
    """The newest records in which some words stand."""

    records: tuple[Match, ...]
    found: int
    """How many there are; those that are not among ``records`` are older."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A name by which records say whom or what they are about."""

    name: str
    """Foreign text."""

    records: int
    """Records and runs that name it: what a request about it covers by itself."""


class Forgetting(Afterwards):
    """Forget requests of one store."""

    _kept: Plan | None = None
    """The last preview of this process: the same plan is not made twice at the same head."""

    # --- before -----------------------------------------------------------------------------

    def matches(self, words: str, *, most: int = 200) -> Matches:
        """Records in which ``words`` stand literally, newest first. A person ticks their ids."""
        if not words.strip():
            return Matches((), 0)
        rows = self._store.rows(forget_queries.TEXT_SEARCH, words=words.strip(), most=most)
        names = ("item", "kind", "stage", "claim")
        found = tuple(Match(*(str(row[name]) for name in names)) for row in rows)
        return Matches(found, int(rows[0]["found"]) if rows else 0)

    def subjects(self, words: str, *, most: int = 20) -> tuple[Subject, ...]:
        """Names in memory in which ``words`` stand literally, that a subject can be.

        The very name comes first, then those that most records name; of no words all names.
        """
        found = self._store.rows(forget_queries.SUBJECTS, words=words.strip(), most=most)
        return tuple(Subject(str(one["name"]), int(one["n"])) for one in found)

    def questions(self, contents: Iterable[str]) -> dict[str, str]:
        """Words of questions that were typed to a model, by commitment. Foreign text."""
        return questions.words(self._store, contents)

    def plan(self, scope: Scope) -> Plan:
        """What a request over ``scope`` would do. Writes nothing."""
        now = self._writer.clock()
        plan = self._kept = self._planned(scope, new_id(now, self._writer.chance(10)))
        return plan

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
            plan = self._known(scope, shown) or self._planned(scope, shown.forget)
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
            review.forget.ground.AtWorkError: If a request is being carried out already. Then
                nothing is begun.
        """
        running = self._running()
        with self._standing_on().working():
            plan, self._kept = self.checked(scope, shown), None
            if plan.empty:
                raise NothingToForgetError(len(plan.missing), plan.unlinked)
            if typed != plan.typed:
                raise WrongCountError(plan.typed, typed)
            return running.run(plan, sign)

    def resume(self, forget: str, sign: Signer) -> Report:
        """Go on with a request that was cut off, or that ended partially.

        One that was carried out in full is not done again: its report is returned.

        Raises:
            review.forget.running.NoSuchRequestError: If there is none.
            review.forget.running.NotSignedYetError: If nobody signed it.
            review.forget.ground.AtWorkError: If a request is being carried out already.
        """
        running, ground = self._running(), self._standing_on()
        if forget not in self.unfinished():
            return self._ended(forget)
        with ground.working():
            if forget in self.unfinished():
                return running.resume(forget, sign)
        return self._ended(forget)  # whoever was at work ended it

    def _known(self, scope: Scope, shown: PreviewToken) -> Plan | None:
        """The plan that was previewed, if it would be made again without any difference.

        A plan is read from the log and from what the log names, so at the same head the same scope
        gives the same plan; an erasure that is under way is kept out by ``Ground.working``. The
        token holds the digest of its rows, so this is the very plan that a person looked at. Only
        its list of places may have changed since, and that is no part of what is signed.
        """
        plan = self._kept
        if plan is None or (plan.forget, plan.scope) != (shown.forget, scope):
            return None
        head = self._store.head()
        at = (head.size, head.root)
        return plan if at == (shown.size, shown.root) == (plan.size, plan.root) else None

    def _ended(self, forget: str) -> Report:
        """The report of a request that is not open.

        Raises:
            NoSuchRequestError: If there is none.
            NotSignedYetError: If nobody signed it.
        """
        try:
            return self.report(forget)
        except NoSuchRequestError:
            if any(one.forget == forget for one in self.unsigned()):
                raise NotSignedYetError(forget) from None
            if forget in self._store.standing().forgets:
                return self.check_again(forget)
            raise

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

"""Carries out a forget request, step by step. Every step can be done again.

The order: the file about the request, withdrawals, the signed parts (from here on nothing in
scope is served), the deny list, the keyed digests, the rewrite, the copies in other files, the
search, the report. What was signed is never taken back: a run that is cut off is gone on with.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from review.deciding import Signer
from review.forget import alike, guarding, lost, parts, reporting, started, withdrawing
from review.forget.ground import Ground
from review.forget.plan import Plan, RowKind
from review.forget.report import BadReportError, Report, read_report
from review.forget.run_points import RunPoint, Watch
from review.forget.started import BadRequestFileError, Started
from review.forget.statuses import Status
from review.identities import stamp
from review.person import Person
from review.staged.placing import Writer
from store import canonical, forget_queries
from store.events import ActorKind, EventType, Happening
from store.forget_standing import Request
from store.forget_statements import guard_digest
from store.log import Entry, Store


class NothingToForgetError(LookupError):
    """The scope matches nothing. That is never a success, and proves nothing."""

    def __init__(self, missing: int, unlinked: int) -> None:
        """Keep how many ids nothing has, and how many records have no lineage."""
        self.missing, self.unlinked = missing, unlinked
        super().__init__(
            f"nothing here matches: 0 records erased, {missing} ids not found. That does not "
            f"prove that there is none: {unlinked} records do not say what they were made from."
        )


class WrongCountError(ValueError):
    """The number that was typed is not that of the plan."""

    def __init__(self, wanted: int, typed: int) -> None:
        """Keep both numbers."""
        self.wanted, self.typed = wanted, typed
        super().__init__(
            f"{typed} was typed and the preview erases {wanted}. Nothing was erased. "
            "Look at the preview and type its number."
        )


class NoSuchRequestError(LookupError):
    """There is no such request here."""

    def __init__(self) -> None:
        """Say the same in every case."""
        super().__init__("No such forget request, or no access.")


class NotSignedYetError(LookupError):
    """A request was begun and cut off before anybody signed it: there is nothing to go on with."""

    def __init__(self, forget: str) -> None:
        """Say what is so, and what can be done."""
        self.forget = forget
        super().__init__(
            f"nobody signed request {forget}, so nothing of it was erased. Preview again. The "
            f"file about it can be thrown away: memory-console forget --discard {forget}"
        )


@dataclass(frozen=True)
class Running:
    """Who carries out requests, on which ground."""

    store: Store
    person: Person
    writer: Writer
    ground: Ground
    policy_sha256: Callable[[], str]
    watch: Watch

    def run(self, plan: Plan, sign: Signer) -> Report:
        """Begin a request over ``plan``, which was held against its token, and carry it out.

        Raises:
            NothingToForgetError: If the plan erases nothing.
            Exception: Whatever ``sign`` and the ground raise; ``resume`` goes on.
        """
        if plan.empty:
            raise NothingToForgetError(len(plan.missing), plan.unlinked)
        now, reviewer = stamp(self.writer.clock()), self.person.reviewer
        keys = guarding.keys_of(self.store, plan.erased)
        guard = guard_digest(keys) if keys else ""
        begun = started.begin(plan, reviewer=reviewer, now=now, guard=guard)
        self.ground.write(begun.name, begun.encode())
        try:
            self.watch(RunPoint.KEPT)
            return self._go_on(begun, sign, keys)
        except BaseException:
            self._drop_unsigned(begun)
            raise

    def resume(self, forget: str, sign: Signer) -> Report:
        """Go on with a request that was cut off, or that ended partially.

        Where the file about it is lost, with what the signed request itself tells.

        Raises:
            NoSuchRequestError: If nothing of it stands.
            review.forget.started.BadRequestFileError: If the file about it is another one than
                was previewed and signed.
        """
        request = self.store.standing().forgets.get(forget)
        if request is None:
            raise NoSuchRequestError
        data = self.ground.read(started.file_of(forget))
        if data is None:
            begun = lost.rebuilt(self.store, request)
            self.ground.deny(sign)
            return self._carry_out(begun, request, sign)
        begun = started.read(data, forget)
        if (request.plan_sha256, request.guard) != (begun.plan_sha256, begun.guard):
            msg = f"the file about request {forget} is not of the plan that was signed."
            raise BadRequestFileError(msg)
        return self._go_on(begun, sign)

    def _drop_unsigned(self, begun: Started) -> None:
        """Remove the file about a request of which no part was signed: nobody could go on."""
        if begun.forget not in self.store.standing().forgets:
            self.ground.remove(begun.name)

    def _go_on(self, begun: Started, sign: Signer, keys: tuple[str, ...] | None = None) -> Report:
        withdrawing.withdraw(
            self.store,
            begun,
            sign,
            self.writer,
            reviewer=self.person.reviewer,
            policy_sha256=self.policy_sha256(),
        )
        self.watch(RunPoint.WITHDRAWN)
        parts.sign_missing(
            self.store,
            begun,
            sign,
            self.writer,
            reviewer=self.person.reviewer,
            appended=lambda number: self.watch(RunPoint.PART_SIGNED) if number == 1 else None,
        )
        self.watch(RunPoint.SIGNED)
        request = self.store.standing().forgets[begun.forget]
        self.ground.deny(sign)
        self.watch(RunPoint.DENIED)
        return self._carry_out(begun, request, sign, keys)

    def _carry_out(
        self,
        begun: Started,
        request: Request,
        sign: Signer,
        keys: tuple[str, ...] | None = None,
    ) -> Report:
        guarding.guard(self.store, request, begun, self.ground, self.writer, keys=keys)
        self.watch(RunPoint.GUARDED)
        going = [row.id for row in begun.erased if row.kind is RowKind.ITEM]
        arrived = alike.arrived(self.store, going, begun.size)
        rewritten = self.ground.rewrite(request, self.watch)
        self.watch(RunPoint.REWRITTEN)
        taken = self.ground.take_away(begun.rows, rewritten.payloads, sign)
        self.watch(RunPoint.TAKEN_AWAY)
        self.ground.keep_list()
        self.watch(RunPoint.LISTED)
        looked = self.ground.look(rewritten)
        self.watch(RunPoint.LOOKED)
        report = reporting.make(
            self.store,
            begun,
            reporting.Done(request, rewritten, taken, looked, arrived, self._proven(begun.forget)),
            now=stamp(self.writer.clock()),
        )
        self.ground.write(reporting.file_of(begun.forget), report.encode())
        self.watch(RunPoint.REPORTED)
        self._record(report)
        return report

    def _proven(self, forget: str) -> frozenset[str]:
        """Rows that an earlier attempt showed to be erased, while their words were known."""
        data = self.ground.read(reporting.file_of(forget))
        if data is None:
            return frozenset()
        try:
            before = read_report(canonical.decode(data))
        except (BadReportError, canonical.NotCanonicalError):
            return frozenset()
        known = self.store.rows(forget_queries.HEAD_KNOWN, root=before.head.store_root_after)
        if not known[0]["n"]:
            return (
                frozenset()
            )  # of a store that was replaced by a backup since: nobody looked here
        return frozenset(row.id for row in before.rows if row.status is Status.ERASED)

    def _record(self, report: Report) -> None:
        kind = (
            EventType.FORGET_COMPLETED
            if report.outcome == reporting.COMPLETED
            else EventType.FORGET_PARTIAL
        )
        now = stamp(self.writer.clock())
        process = self.writer.process
        told = {
            "forget": report.head.forget_id,
            "report": canonical.sha256(report.encode()).hex(),
            "counts": {str(name): count for name, count in sorted(report.statuses().items())},
        }
        happening = Happening(kind, now, process, ActorKind.PROCESS, process, told)
        self.store.append(Entry(happening))

"""What comes after a request: its report, what people confirm, another look, what is left open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from review.deciding import Signer
from review.forget import confirming, reporting, requests, started, verifying
from review.forget.ground import Ground
from review.forget.report import BadReportError, Report
from review.forget.requests import Ended, Unsigned
from review.forget.run_points import Watch, unwatched
from review.forget.running import NoSuchRequestError
from review.identities import stamp
from review.person import Person, ReadOnlyError
from review.staged.placing import Writer
from store.log import Store
from store.scans import Scan


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


class Afterwards:
    """Requests of one store that were begun, whether they ended or not."""

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

    # --- what is open -----------------------------------------------------------------------

    def at_work(self) -> bool:
        """Whether a request is being carried out on this store now, here or elsewhere."""
        return self._ground is not None and self._ground.at_work()

    def unfinished(self) -> tuple[str, ...]:
        """Ids of requests that stand and are not carried out in full, oldest first."""
        return requests.unfinished(self._store)

    def unsigned(self) -> tuple[Unsigned, ...]:
        """Requests that were cut off before anybody signed them: nothing of them was erased.

        While one is being carried out it is not known whether its signature still comes, and
        none is told.
        """
        if self._ground is None or self._ground.at_work():
            return ()
        return requests.unsigned(self._store, self._ground)

    def discard(self, forget: str) -> None:
        """Throw the file about a request away that nobody signed.

        Raises:
            review.forget.ground.AtWorkError: If a request is being carried out.
            NoSuchRequestError: If there is none that nobody signed.
        """
        ground = self._standing_on()
        with ground.working():
            if forget not in {one.forget for one in requests.unsigned(self._store, ground)}:
                raise NoSuchRequestError
            ground.remove(started.file_of(forget))

    # --- reports ----------------------------------------------------------------------------

    def reports(self) -> tuple[Report, ...]:
        """Reports that are here and that the log names, newest first."""
        return tuple(report for _, report in self._reports() if report is not None)

    def strange(self) -> tuple[str, ...]:
        """Ids of requests whose report here is none that the log names, and that have ended."""
        odd = [forget for forget, report in self._reports() if report is None]
        open_ = self.unfinished() if odd else ()
        return tuple(forget for forget in odd if forget not in open_)

    def _reports(self) -> tuple[tuple[str, Report | None], ...]:
        return () if self._ground is None else requests.reports(self._store, self._ground)

    def unreported(self) -> tuple[Ended, ...]:
        """Requests that ended and whose report is not here, newest first.

        So it is after a restore into a new workspace, whose files were lost.
        """
        here = set() if self._ground is None else set(requests.reported(self._ground))
        gone = [one for one in requests.ended(self._store).values() if one.forget not in here]
        return tuple(reversed(gone))

    def report(self, forget: str) -> Report:
        """The report of one request, with what people confirmed since.

        Raises:
            review.forget.running.NoSuchRequestError: If there is none.
            review.forget.report.BadReportError: If the file is not the one that the log names.
        """
        if self._ground is None:
            raise NoSuchRequestError
        return requests.report(self._store, self._ground, forget)

    def bring(self, told: Report) -> Report:
        """Keep a report here again that somebody has a file of.

        Raises:
            BadReportError: If the log does not name it.
        """
        if not requests.is_named(self._store, told):
            msg = (
                "the log does not name this report: it was altered, it is of a later look, or the "
                "store was put back to before it. Nothing was kept. forget-verify takes the file."
            )
            raise BadReportError(msg)
        made = requests.as_made(told)
        name = reporting.file_of(told.head.forget_id)
        self._standing_on().write(name, made.encode())
        return self.report(told.head.forget_id)

    def is_named(self, told: Report) -> bool:
        """Whether the log holds the digest of a report that somebody brought.

        Raises:
            NoSuchRequestError: If not even the signed statements that it names stand in the log.
        """
        if requests.is_named(self._store, told):
            return True
        if not requests.is_signed(self._store, told):
            raise NoSuchRequestError
        return False

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

    def check_again(self, forget: str, brought: Report | None = None) -> Report:
        """Look at each place again. It writes nothing: the report of the log stays as it is.

        The words are not known any more, so what is searched for is what still can be: that rows
        are gone, that each file can be searched (its controls), and that copies elsewhere are.
        Where the report is not here, what the signed request tells is looked at alone.

        Args:
            forget: The request.
            brought: Its report, from a file that somebody has: see ``is_named``.

        Raises:
            NoSuchRequestError: If nobody signed it here.
            BadReportError: If the file here is not the one that the log names.
        """
        ground, now = self._standing_on(), stamp(self._writer.clock())
        try:
            report = self.report(forget) if brought is None else self._brought(brought)
        except NoSuchRequestError:
            return verifying.without_report(self._store, ground, forget, now=now)
        return verifying.again(self._store, ground, report, now=now)

    def _brought(self, told: Report) -> Report:
        """A report from a file, with what people confirmed as the log tells it."""
        return requests.confirmed(self._store, requests.as_made(told))

    def search(self, words: bytes) -> Scan:
        """Search every file for words that the asking person gave. They are not kept.

        What may be said of them is ``Scan.status_of(review.forget.ground.ASKED)``.

        Raises:
            NoGroundError: For a store in memory.
        """
        return self._standing_on().search(words)

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

    def _standing_on(self) -> Ground:
        if self._ground is None:
            raise NoGroundError
        return self._ground

    def _somebody(self) -> Person:
        if self._person is None:
            raise ReadOnlyError
        return self._person

"""Rules at the desk: candidates, one of them in full, what was exported, and on what it stands.

Nothing here can sign, write a file or change a cell. What leaves is signed and written elsewhere,
from the ``RuleExport`` that ``told`` gives.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from review import instants
from review.duplicates.linking import Linking
from review.exported import past
from review.exported.past import PastExport
from review.graphs.graphing import Graphing
from review.identities import stamp
from review.memory.validity import Status
from review.person import Person, ReadOnlyError
from review.policy import Policy
from review.policy_in_force import PolicyInForce
from review.rules import candidates, drafting, fallen, learned, opposing, seen, transfer
from review.rules.candidates import Candidate, CandidatePage
from review.rules.cases import looked_up
from review.rules.drafting import Checked, Opened, RuleDraft
from review.rules.export_told import RuleExport
from review.rules.exposure import exposure
from review.rules.fallen import Fall
from review.rules.keeping import Keeping
from review.rules.listed import Show
from review.rules.opposing import Lesson
from review.rules.readiness import Ground, Lack, lacking
from review.rules.seen import Events
from review.rules.sourcing import sources
from review.rules.thresholds import evaluated
from review.staged.placing import Writer
from store.log import Store
from store.rule_drafts import RuleBook
from store.stages import Stage


class NoSuchCandidateError(LookupError):
    """There is no such durable insight here, or it is not yours to see."""

    def __init__(self, item: str, *, erased: bool = False) -> None:
        """Keep the id; the sentence is the same for another tenant's item."""
        self.item, self.erased = item, erased
        super().__init__(
            "Source was erased; export is off."
            if erased
            else "No such durable insight, or no access."
        )


@dataclass(frozen=True, slots=True)
class Exported:
    """One exported rule in the list."""

    past: PastExport
    fall: Fall | None
    """What became of its source since; None while that stands, or when it is withdrawn."""

    @property
    def rule_text(self) -> str:
        """The rule's file as it left; blank when it was erased."""
        return self._file("rule.md")

    @property
    def source_text(self) -> str:
        """Its source, word for word; blank when it was erased."""
        return self._file("source.txt")

    def _file(self, name: str) -> str:
        kept = self.past.kept
        return "" if kept is None else kept.files.get(name, b"").decode("utf-8", "replace")


class AtDesk(Protocol):
    """What rules need of the desk they lie on."""

    store: Store
    person: Person | None
    duplicates: Linking

    @property
    def policy(self) -> PolicyInForce:
        """The policy in force."""

    @property
    def graph(self) -> Graphing:
        """What overrides, contradicts and carries what."""


class Ruling:
    """The rules of one store, for one person. See the module."""

    def __init__(self, desk: AtDesk, writer: Writer, book: RuleBook) -> None:
        """Nothing is read until something is asked. ``book`` keeps what is being worded."""
        self._desk, self._writer = desk, writer
        self.drafts = Keeping(book, writer.clock)
        self._events: tuple[int, Events] | None = None
        self._every: tuple[tuple[int, str, Policy], tuple[Candidate, ...]] | None = None

    # --- looking ----------------------------------------------------------------------------

    def page(self, show: Show = Show.ALL, words: str = "", number: int = 1) -> CandidatePage:
        """One page of candidates, those that reached every threshold first."""
        return candidates.page(self._all(), show, words, number)

    def open(self, item: str) -> Opened:
        """One durable insight with everything for and against it.

        Raises:
            NoSuchCandidateError: If there is none of this id, or it was erased.
        """
        with self._desk.store.held():
            return self._opened(item)

    def _opened(self, item: str) -> Opened:
        found = learned.one(self._desk.store, item)
        if found is None or found.claim is None:
            stands = self._desk.store.standing().items.get(item)
            erased = found is not None or (stands is not None and stands.stage is Stage.ERASED)
            raise NoSuchCandidateError(item, erased=erased)
        events, rules, moment = self._read(), self._desk.policy.policy, self._desk.graph.at()
        cases = looked_up(found.claim, found.cases, events)
        tried = transfer.tried(
            transfer.support(found.claim, found.scope, found.polarity, cases), events
        )
        told = sources(found, cases)
        others = [one.learned for one in self._all()]
        thresholds = evaluated(cases, rules.rule_thresholds, self._writer.clock())
        status = moment.statuses([item]).get(item)
        searched = not self._desk.duplicates.refresh()
        ground = Ground(
            sources=told,
            erased=False,
            fallen=status in (Status.SUPERSEDED, Status.STALE),
            thresholds=thresholds,
            confidence=rules.rule_thresholds.confidence,
            duplicates=self._desk.duplicates.open_around(item) if searched else "",
            searched=searched,
            transfer=tried,
            somebody=self._desk.person is not None,
        )
        return Opened(
            learned=found,
            cases=cases,
            thresholds=thresholds,
            sources=told,
            transfer=tried,
            conflicts=opposing.conflicts(found, others, self._lessons(), moment),
            exposure=exposure(self._desk.store, item, found.claim, events),
            ground=ground,
        )

    def why_not(self, opened: Opened) -> tuple[Lack, ...]:
        """What a candidate lacks, whatever its text will be."""
        return lacking(opened.ground)

    # --- wording ----------------------------------------------------------------------------

    def begun(self, opened: Opened) -> RuleDraft:
        """The draft to begin with: the insight in its own words."""
        return drafting.begun(opened)

    def checked(self, opened: Opened, draft: RuleDraft) -> Checked:
        """A draft held against its sources, and what is missing before it may be signed."""
        return drafting.checked(opened, draft)

    def put_back(self, opened: Opened, draft: RuleDraft, key: str) -> RuleDraft:
        """The draft with one place settled by its words. See ``review.rules.restoring``."""
        return drafting.put_back(opened, draft, key)

    def told(self, opened: Opened, draft: RuleDraft) -> RuleExport:
        """What the export of a draft will say, to be signed and written.

        Raises:
            review.person.ReadOnlyError: Without an identity.
            review.rules.drafting.NotReadyError: While anything is missing.
        """
        person = self._desk.person
        if person is None:
            raise ReadOnlyError
        return drafting.exported(
            opened,
            draft,
            export_id=self._writer.chance(16).hex(),
            tenant=self._desk.store.tenant_id,
            now=stamp(self._writer.clock()),
            reviewer=person.reviewer,
        )

    # --- what left --------------------------------------------------------------------------

    def exports(self) -> tuple[Exported, ...]:
        """Every rule that was exported, the newest first, with what became of its source."""
        told = past.exports(self._desk.store)
        if not told:
            return ()
        found = fallen.fallen([one.signed for one in told], self._desk.graph.at())
        falls = {one.export.export: one.fall for one in found}
        return tuple(Exported(one, falls.get(one.export)) for one in reversed(told))

    def earlier(self, item: str) -> tuple[PastExport, ...]:
        """Exports of one insight that nobody withdrew, the newest first."""
        told = past.exports(self._desk.store)
        return tuple(one for one in reversed(told) if one.item == item and not one.withdrawn)

    def fallen(self) -> tuple[Exported, ...]:
        """The exported rules that stand on fallen ground, the newest first."""
        return tuple(one for one in self.exports() if one.fall is not None)

    # --- inside -----------------------------------------------------------------------------

    def _read(self) -> Events:
        size = self._desk.store.head().size
        if self._events is None or self._events[0] != size:
            self._events = (size, seen.events(self._desk.store))
        return self._events[1]

    def _all(self) -> tuple[Candidate, ...]:
        now, rules = self._writer.clock(), self._desk.policy.policy
        key = (self._desk.store.head().size, instants.day(instants.of(now))[:10], rules)
        if self._every is None or self._every[0] != key:
            told = learned.all_of(self._desk.store)
            found = candidates.of(told, self._read(), rules.rule_thresholds, now)
            self._every = (key, found)
        return self._every[1]

    def _lessons(self) -> dict[str, tuple[str, Lesson]]:
        """Rules that left and were not withdrawn, as lessons; erased ones say nothing."""
        told = [one for one in past.exports(self._desk.store) if not one.withdrawn]
        now = {one.learned.item: one.learned for one in self._all()}
        found: dict[str, tuple[str, Lesson]] = {}
        for one in told:
            source = now.get(one.item)
            words = one.kept.statement if one.kept is not None else ""
            polarity = source.polarity if source is not None else ""
            tool = source.scope.get("tool", "") if source is not None else ""
            found[one.export] = (one.item, Lesson(words, polarity, tool))
        return found

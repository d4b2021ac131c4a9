"""The desk: every question and every act of a person, each a single call.

It is bound to one tenant's store, one person (or none: then it only reads) and one process. It
reads, applies rules and appends; the rules themselves live in the other modules.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

from review import durable, editing, frozen_lists, queue, recording, reviewers
from review.auditing.audit import Audit
from review.cards import card
from review.deciding import Recorder, Signer, SigningReceipt, Wish, drafted
from review.duplicates.linking import Linking
from review.experience import Experience
from review.facts import parameters
from review.facts.grammar import GrammarParser
from review.facts.keying import Keys
from review.facts.parameters import Table
from review.forget.forgetting import Forgetting
from review.gate import gate_fitting
from review.gate.fitted_gate import FittedGate
from review.graphs import consequences
from review.graphs.consequences import Consequence
from review.graphs.graphing import Graphing
from review.identities import Chance, Clock, new_id, stamp
from review.inquiry import Answered, Inquiry
from review.journal import Journal
from review.person import Person, ReadOnlyError
from review.policy_in_force import PolicyInForce, adopt
from review.recall import Question, Recall
from review.rules.ruling import Ruling
from review.staged.fact_reading import FactReading
from review.staged.placing import Writer
from review.staged.staging import Progress, Receipt, Stager
from store.drafts import Draft, DraftBook
from store.events import Event
from store.link_drafts import LinkBook
from store.log import Head, Store
from store.records import Reading
from store.rule_drafts import RuleBook
from store.stages import DecisionKind
from store.standing import Standing
from store.statements import SignedStatement


class Desk:
    """One person's desk over one tenant's store."""

    def __init__(
        self,
        store: Store,
        *,
        person: Person | None,
        book: DraftBook,
        process: str,
        clock: Clock,
        chance: Chance,
        table: Table | None = None,
    ) -> None:
        """Sit down. ``adopt_policy`` has to be called once before anything is staged.

        ``table`` is the parameter table that facts are read with; the shipped one by default.
        """
        self.store = store
        self.person = person
        self._book = book
        self._writer = Writer(process, clock, chance)
        self._policy: PolicyInForce | None = None
        self._table = table or parameters.load()
        self._parser = GrammarParser(self._table)
        self._inquiry = Inquiry(store, self._parser, self._table)
        self.audit = Audit(store, self._inquiry, self._writer, lambda: self.policy.policy, person)
        self.duplicates = Linking(store, person, LinkBook.beside(book.path), self._writer)
        self.forget = Forgetting(store, person, self._writer, lambda: self.policy.sha256)
        self.rules = Ruling(self, self._writer, RuleBook.beside(book.path))

    def adopt_policy(self, text: bytes) -> PolicyInForce:
        """Take ``text`` as the policy. See ``review.policy_in_force.adopt``.

        Raises:
            review.policy.PolicyError: If it cannot be read and none was ever recorded.
        """
        self._policy = adopt(self.store, text, self._writer)
        return self._policy

    @property
    def policy(self) -> PolicyInForce:
        """The policy in force."""
        if self._policy is None:
            msg = "adopt_policy was not called."
            raise RuntimeError(msg)
        return self._policy

    def stage(
        self, reading: Reading, *, verbatim: bool = False, progress: Progress | None = None
    ) -> Receipt:
        """Stage an opened source. Nothing becomes durable. See ``review.staged.staging``."""
        facts = FactReading(self._parser, Keys(self._table))
        stager = Stager(self.store, self.policy.policy, self.policy.sha256, self._writer, facts)
        return stager.run(reading, verbatim=verbatim, progress=progress)

    @property
    def experience(self) -> Experience:
        """The runs that are kept as evidence, and what is made of them."""
        return Experience(self.store, self._writer, self.stage)

    def edit_as_new(self, shown: card.Card, edit: editing.Edit, *, nonce: str) -> Receipt:
        """Stage a new record by this person, and draft the decision ``edit`` on the old one.

        Raises:
            ReadOnlyError: Without an identity.
            review.editing.NothingToEditError: If there is nothing to stage.
            review.editing.InvalidDateError: If a date is none, or the end is not after the start.
        """
        person = self._somebody()
        reading = editing.reading_of(shown, edit, reviewer=person.reviewer, now=self.now())
        wish = Wish(DecisionKind.EDIT, nonce=nonce)
        draft = drafted(self.store, shown, wish, now=self.now())
        receipt = self.stage(reading)
        if receipt.items:
            self._book.add([draft])
        return receipt

    # --- looking ----------------------------------------------------------------------------

    def held(self) -> AbstractContextManager[None]:
        """Keep the store open while one page is drawn."""
        return self.store.held()

    def counts(self) -> queue.Counts:
        """How much waits, where, and what became of everything read."""
        return queue.counts(self.store, self._book.all())

    def waiting(self, wanted: queue.Wanted, number: int = 1, per: int = queue.PAGE) -> queue.Page:
        """One page of the inbox, with ``per`` rows."""
        return queue.page(self.store, self._book.all(), wanted, number, per=per)

    def following(self, wanted: queue.Wanted, item: str = "") -> str | None:
        """The next undecided record after ``item``."""
        return queue.following(self.store, self._book.all(), wanted, item)

    def preceding(self, wanted: queue.Wanted, item: str) -> str | None:
        """The undecided record before ``item``."""
        return queue.preceding(self.store, self._book.all(), wanted, item)

    def records(self, lane: queue.Lane, number: int = 1) -> queue.Records:
        """A page of the records that were not staged: nothing, failed or refused."""
        return queue.records(self.store, lane, number)

    def card_of(self, item: str) -> card.Card:
        """One record in full."""
        return card.card(self.store, item)

    def claims_of(self, items: Sequence[str]) -> dict[str, str | None]:
        """The claims of several records, foreign text; None where it was erased."""
        return queue.claims_of(self.store, items)

    def consequence(self, shown: card.Card) -> Consequence:
        """What approving it would do to others."""
        known = self._inquiry.known(self.policy.policy)
        return consequences.consequence(self.store, shown, known)

    def facts(self, wanted: queue.Wanted, number: int = 1) -> queue.Page:
        """One page of durable cells."""
        return durable.page(self.store, wanted, number)

    def durable_count(self) -> int:
        """How many cells are durable."""
        return durable.count(self.store)

    def life(self, item: str) -> tuple[durable.LifeEvent, ...]:
        """The signed decisions about one record."""
        return durable.life(self.store, item)

    def ask(self, question: Question) -> Answered:
        """What memory there is for a question, and why. It reads only. See ``review.inquiry``."""
        return self._inquiry.ask(question, policy=self.policy.policy, now=self._writer.clock())

    def record_recall(self, recall: Recall) -> Event:
        """Record a recall that was used, with every number. See ``review.recording``."""
        return recording.record(
            self.store, recall, policy_sha256=self.policy.sha256, writer=self._writer
        )

    def fitted_gate(self) -> FittedGate | None:
        """The gate that was fitted last, if any."""
        return gate_fitting.recorded(self.store)

    def fit_gate(self, labels: bytes) -> FittedGate:
        """Fit a gate to labelled verdicts, and record it. See ``review.gate.gate_fitting``."""
        theta = self.policy.policy.theta
        return gate_fitting.learn(self.store, labels, theta=theta, writer=self._writer)

    @property
    def journal(self) -> Journal:
        """What happened: the log, the imports, the decisions of each day."""
        return Journal(self.store)

    @property
    def graph(self) -> Graphing:
        """What overrides, contradicts and carries what, now or at a past moment."""
        rules, clock = self.policy.policy, self._writer.clock
        return Graphing(self.store, self.duplicates, self._inquiry, rules, clock)

    def head(self) -> Head:
        """The end of the log."""
        return self.store.head()

    def standing(self) -> Standing:
        """Who may sign, and which decisions stand."""
        return self.store.standing()

    # --- deciding ---------------------------------------------------------------------------

    def drafts(self) -> list[Draft]:
        """This person's drafts, oldest first. They have no effect until signed."""
        return self._book.all()

    def draft(self, shown: card.Card, wish: Wish) -> Draft:
        """Draft one decision over the exact artifact that was shown. See ``review.deciding``.

        Raises:
            ReadOnlyError: Without an identity.
            store.drafts.AlreadyDraftedError: If this item has a draft already.
        """
        self._somebody()
        draft = drafted(self.store, shown, wish, now=self.now())
        self._book.add([draft])
        return draft

    def draft_list(self, shown: Sequence[card.Card], wish: Wish, batch: str = "") -> list[Draft]:
        """Draft one decision over at most 200 records, or reject those of import ``batch``.

        Raises:
            review.person.NotForBulkError: If one needs a single look. See ``frozen_lists``.
        """
        self._somebody()
        frozen_lists.hold(shown, wish.decision, import_id=batch)
        drafts = [
            drafted(
                self.store,
                one,
                replace(wish, mode="bulk", nonce=f"{wish.nonce}/{n}"),
                now=self.now(),
            )
            for n, one in enumerate(shown)
        ]
        self._book.add(drafts)
        return drafts

    def undo(self) -> Draft | None:
        """Take back the newest draft, with all of its list. It leaves no trace."""
        taken = self._book.undo()
        if taken is not None:
            self._book.drop(frozen_lists.together(self._book.all(), taken))
        return taken

    def sign(self, sign: Signer) -> SigningReceipt:
        """Sign every draft with ``sign`` and record it. See ``review.deciding.Recorder``.

        Raises:
            ReadOnlyError: Without an identity.
        """
        person = self._somebody()
        recorder = Recorder(
            self.store,
            reviewer=person.reviewer,
            process=self._writer.process,
            clock=self._writer.clock,
            chance=self._writer.chance,
        )
        return recorder.record(self._book, sign, policy_sha256=self.policy.sha256)

    def record_reviewer(self, signed: SignedStatement, *, added: bool, name: str = "") -> None:
        """Record that a reviewer was added or revoked. See ``review.reviewers``."""
        reviewers.record(self.store, signed, writer=self._writer, added=added, name=name)

    def new_nonce(self) -> str:
        """A fresh nonce for one button."""
        return new_id(self._writer.clock(), self._writer.chance(10))

    def now(self) -> str:
        """The present moment as the log writes it."""
        return stamp(self._writer.clock())

    def _somebody(self) -> Person:
        if self.person is None:
            raise ReadOnlyError
        return self.person

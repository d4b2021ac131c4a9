"""Model help over one store: what can be asked of a model, and what of its replies holds.

Every reply becomes a record. Nothing here decides, signs, serves or makes an edge; insights are
staged like an import. Without a model everything that was recorded can still be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from review.cards.card import Card
from review.desk import Desk
from review.facts.keying import Keys
from review.facts.parameters import Table
from review.facts.protocol import QuestionFacts, Setting
from review.proposals import (
    card_texts,
    reading,
    records,
    relating,
    requests,
    shapes,
    taking,
    tally,
)
from review.proposals.asking import Asked, Asking, proposed
from review.proposals.jobs import Failure, Job, Sort
from review.proposals.learning import Learning, RuleDraft
from review.proposals.protocol import Model, ModelError, Spending
from review.proposals.reading import ReadClaim
from review.proposals.records import About, Counted, Record
from review.proposals.relating import Relation
from review.proposals.tally import Tally
from review.staged.placing import Writer
from review.staged.staging import Receipt
from store.cells import EdgeKind


@dataclass(frozen=True, slots=True)
class ReadQuestion:
    """A question as a model reads it."""

    record: Record
    facts: QuestionFacts | None
    """None when the reply is no proposal."""

    dropped: int = 0


@dataclass(frozen=True, slots=True)
class Related:
    """Edges that a model proposes."""

    record: Record
    relations: tuple[Relation, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """What was proposed over one record; of each job the last."""

    claim: Record | None
    read: ReadClaim | None
    """What of ``claim`` the text bears out; None when it is no proposal, was erased, or is about
    another text."""

    relations: tuple[Relation, ...]
    rule: RuleDraft | None


class Proposing:
    """Asks a model about what is on a desk."""

    def __init__(self, desk: Desk, writer: Writer, table: Table, model: Model | None) -> None:
        """``model`` is None where model help is off: then only records answer."""
        self.desk, self.model = desk, model
        self.asking = Asking(desk.store, writer, model)
        self.learning = Learning(desk, self.asking)
        """Insights from runs, and drafts of rules."""

        self._table, self._keys = table, Keys(table)

    def tally(self) -> Tally:
        """How everything that was proposed fared."""
        return tally.tally(self.desk, self._table)

    def spending(self) -> Spending | None:
        """What is set and what was spent today; None without a model."""
        return None if self.model is None else self.model.spending()

    def why_not(self, job: Job) -> Failure | None:
        """Why a request for ``job`` would not be sent, as far as is known before it is made.

        None when it may be. What was recorded answers all the same.
        """
        told = self.spending()
        if told is None or not told.on:
            return Failure.OFF
        if not told.has_key:
            return Failure.NO_KEY
        left = told.tokens_allowed - told.tokens
        money = told.cost_allowed_micros
        spent = money is not None and told.cost_micros >= money
        return Failure.BUDGET if spent or left < requests.fewest_tokens(job) else None

    def last(self, item: str, job: Job) -> Record | None:
        """What was proposed last over a record for one job."""
        return records.last_of(self.desk.store, item, job)

    # --- facts of claims ----------------------------------------------------------------------

    def claim_request(self, card: Card) -> Asked:
        """The request for the facts of a record's claim.

        Raises:
            LookupError: If its text was erased.
            ModelError: If it may not be sent.
        """
        text = card_texts.text(card)
        setting = card_texts.setting_of(card)
        request = requests.claim(self.asking.name, text, setting, self._table)

        def counting(told: Any) -> Counted:  # noqa: ANN401 - the shape of the request
            read = reading.claim(text, told, setting, self._keys, "model")
            facts, answers = len(read.facts.facts), int(read.conclusion is not None)
            return Counted({Sort.FACT: facts, Sort.CONCLUSION: answers}, read.dropped)

        return Asked(request, About(items=(card.item,), made_from=(card.text_c,)), counting)

    def shown(self, card: Card) -> tuple[bytes, int]:
        """The exact bytes that ``claims`` would send, and how many secrets are covered in them.

        Raises:
            ModelError: If nothing may be sent, or there is no model.
        """
        request = self.claim_request(card).request
        if self.model is None:
            raise ModelError(Failure.OFF)
        return self.model.body(request), request.masked

    def claims(self, cards: Sequence[Card]) -> list[Record | ModelError]:
        """Ask for the facts of several records; in order, what came of each."""
        made: dict[int, Asked] = {}
        told: dict[int, Record | ModelError] = {}
        for n, card in enumerate(cards):
            try:
                made[n] = self.claim_request(card)
            except ModelError as error:
                told[n] = error
        told |= dict(zip(made, self.asking.each(list(made.values())), strict=True))
        return [told[n] for n in range(len(cards))]

    def seen(self, card: Card) -> Seen:
        """Everything that was proposed over a record, from records alone."""
        found = records.of_item(self.desk.store, card.item)
        mine = [one for one in found if one.asked is None or card_texts.is_about(one, card)]
        claim = next((one for one in mine if one.job is Job.CLAIM), None)
        if claim is None:
            claim = self._of_equal_words(card)
        rule = next((one for one in mine if one.job is Job.RULE), None)
        return Seen(
            claim=claim,
            read=None if claim is None else self.read(claim, card),
            relations=self._relations_in(found, card),
            rule=None if rule is None else self.learning.drafted(rule, card),
        )

    def _of_equal_words(self, card: Card) -> Record | None:
        """What was answered about another record's claim that is the very same request."""
        if not self.asking.name or card.claim is None:
            return None
        try:
            return records.find(self.desk.store, self.claim_request(card).request)
        except ModelError:
            return None

    def read(self, record: Record, card: Card) -> ReadClaim | None:
        """What of a record its claim bears out, by the rules of now."""
        told = proposed(record, shapes.ClaimTold)
        if card.claim is None or told is None or not card_texts.is_about(record, card):
            return None
        return reading.claim(
            card.claim, told, card_texts.setting_of(card), self._keys, record.reader
        )

    def take_over(self, card: Card, *, nonce: str) -> Receipt:
        """Stage a new record by this person with the proposed facts, as an edit of the old one.

        It waits for a signature like any record. An old answer is taken over with two to four
        facts that it rests on; else it is left out.

        Raises:
            LookupError: If nothing is proposed that the claim bears out.
            review.person.ReadOnlyError: Without an identity.
        """
        read = self.seen(card).read
        if read is None or not (read.facts.facts or read.conclusion):
            msg = "there is no proposal to take over. Nothing was staged."
            raise LookupError(msg)
        return self.desk.edit_as_new(card, taking.edit_of(card, read), nonce=nonce)

    # --- questions ----------------------------------------------------------------------------

    def question_request(self, text: str, setting: Setting) -> Asked:
        """The request for what a question states and asks for."""
        request = requests.question(self.asking.name, text, setting, self._table)

        def counting(told: Any) -> Counted:  # noqa: ANN401 - the shape of the request
            read, dropped = reading.question(text, told, setting, self._keys, "model")
            return Counted({Sort.FACT: len(read.facts)}, dropped)

        return Asked(request, About(), counting)

    def question(self, text: str, setting: Setting) -> ReadQuestion:
        """A question as the model reads it.

        Raises:
            ModelError: If there is no reply.
        """
        record = self.asking.told(self.question_request(text, setting))
        told = proposed(record, shapes.QuestionTold)
        if told is None:
            return ReadQuestion(record, None)
        read, dropped = reading.question(text, told, setting, self._keys, record.reader)
        return ReadQuestion(record, read, dropped)

    # --- edges --------------------------------------------------------------------------------

    def relations_request(self, cards: Sequence[Card]) -> Asked:
        """The request for conflicts and dependencies between records."""
        items, texts = [card.item for card in cards], [card_texts.text(card) for card in cards]
        quoted = [card_texts.quoted(card) for card in cards]
        request = requests.relations(self.asking.name, quoted)

        def counting(told: Any) -> Counted:  # noqa: ANN401 - the shape of the request
            found, dropped = relating.relations(told, items, texts)
            conflicts = sum(one.kind is EdgeKind.CONFLICTS_WITH for one in found)
            rest = len(found) - conflicts
            return Counted({Sort.CONFLICT: conflicts, Sort.DEPENDENCY: rest}, dropped)

        about = About(items=tuple(items), made_from=tuple(card.text_c for card in cards))
        return Asked(request, about, counting)

    def relations(self, cards: Sequence[Card]) -> Related:
        """Conflicts and dependencies that the model sees between records.

        Raises:
            ModelError: If there is no reply.
        """
        record = self.asking.told(self.relations_request(cards))
        return Related(record, self._related(record, {card.item: card for card in cards}))

    def _relations_in(self, found: Sequence[Record], card: Card) -> tuple[Relation, ...]:
        """Edges between a record and others, each once, as they were proposed last."""
        told: dict[tuple[str, str, str], Relation] = {}
        for record in found:
            if record.job is Job.RELATIONS:
                for one in self._related(record, {card.item: card}):
                    if card.item in (one.source, one.target):
                        told.setdefault((one.kind, one.source, one.target), one)
        return tuple(told.values())

    def _related(self, record: Record, known: dict[str, Card]) -> tuple[Relation, ...]:
        told = proposed(record, shapes.RelationsTold)
        if told is None:
            return ()
        claims = self.desk.claims_of([one for one in record.items if one not in known])
        texts = [
            (known[item].claim if item in known else claims.get(item)) or ""
            for item in record.items
        ]
        return relating.relations(told, record.items, texts)[0]

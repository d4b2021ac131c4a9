"""The desk's way into answers: which there are, and why each fact reached them.

Only two things are ever written: a report that somebody brings, and a label that a person gives.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from review import instants, named_cells
from review.auditing import (
    answer_finding,
    answers,
    leave_one_out,
    matching,
    origin,
    reported,
    source_shares,
    then_and_now,
    verdict_labels,
    why,
    why_flat,
)
from review.auditing.answer_finding import Findings
from review.auditing.answers import Answer, AnswerPage, AnswersWanted
from review.auditing.leave_one_out import LeftOutEach
from review.auditing.matching import Matching
from review.auditing.origin import ChainLink
from review.auditing.replay import Agreement, Replay, WhatIf
from review.auditing.reported import Reported
from review.auditing.source_shares import Shares
from review.auditing.then_and_now import Movement, Since
from review.auditing.verdict_labels import Label
from review.auditing.why import Explanation, PartWhy, Verdict
from review.auditing.why_flat import Flat
from review.identities import stamp
from review.inquiry import Inquiry
from review.memory.validity import Status
from review.named_cells import NamedCell
from review.person import Person, ReadOnlyError
from review.policy import Policy
from review.staged.placing import Writer
from store import read_queries
from store.events import Event
from store.log import Store


@dataclass(frozen=True, slots=True)
class Why:
    """One answer, explained: what was recorded, and what would be so now."""

    explanation: Explanation
    then: tuple[PartWhy, ...]
    """What was recorded; for an answer without scores what we compute as of then."""

    ours: bool
    """Whether ``then`` is our recomputation and not what happened."""

    now: tuple[PartWhy, ...]
    """The same question about the same moment, over what stands now."""

    movements: tuple[Movement, ...]
    agreement: Agreement | None
    """Whether recomputing as of then gives the record; None without a record."""

    size: int
    """Position of the log that stands for the moment of the answer."""

    head: int
    """Position of the log now."""

    @property
    def focus(self) -> str:
        """The cell that the verdict is about."""
        if self.explanation.focus:
            return self.explanation.focus
        rows = [row for part in self.then for row in part.rows]
        admitted = (row.item for row in rows if row.score.admitted)
        return next(admitted, rows[0].item if rows else "")

    def movement_of(self, item: str) -> Movement | None:
        """A cell then and now; of several sub-questions the one where it fared best then."""
        told = [one for one in self.movements if one.item == item]
        best = (one for one in told if one.then is not None and one.then.score.admitted)
        return next(best, told[0] if told else None)


@dataclass(frozen=True, slots=True)
class Account:
    """Everything that is told of one cell of one answer."""

    why: Why
    item: str
    """Empty when memory took no part in the answer."""

    verdict: Verdict
    chain: tuple[ChainLink, ...]
    """Where it comes from."""

    since: tuple[Since, ...]
    """What was decided since, that bears on it."""

    flat: tuple[Flat, ...] = ()
    """Sub-questions of which one score fits every candidate: an alarm about the search."""


class Audit:
    """Answers of one store, explained."""

    def __init__(
        self,
        store: Store,
        inquiry: Inquiry,
        writer: Writer,
        policy: Callable[[], Policy],
        person: Person | None,
    ) -> None:
        """Nothing is read yet."""
        self._store = store
        self._inquiry = inquiry
        self._writer = writer
        self._policy = policy
        self._person = person
        self.replay = Replay(store, inquiry)

    # --- which answers there are ------------------------------------------------------------

    def page(self, wanted: AnswersWanted, number: int = 1) -> AnswerPage:
        """One page of answers, newest first."""
        return answers.page(self._store, wanted, number)

    def one(self, answer: str) -> Answer:
        """One answer.

        Raises:
            review.auditing.answers.NoSuchAnswerError: If there is none here.
        """
        return answers.one(self._store, answer)

    def find(self, text: str) -> Findings:
        """The answers that a pasted text is, or the cells that stand in it."""
        return answer_finding.find(self._store, text, self._inquiry.known(self._policy()))

    def using(self, item: str) -> tuple[Answer, ...]:
        """Answers whose context held a cell, newest first."""
        return answers.using(self._store, item)

    def total(self) -> tuple[int, str]:
        """How many answers are known, and since when."""
        return answers.total(self._store)

    def this_week(self) -> int:
        """How many answers were learned of in the last seven days."""
        return answers.since(self._store, stamp(self._writer.clock() - timedelta(days=7)))

    def fallen(self) -> frozenset[str]:
        """Cells that stood in some context and hold no more: superseded, stale or withdrawn."""
        used = {row["item"] for row in self._store.rows(read_queries.USED)}
        known = self._inquiry.known(self._policy())
        at = instants.of(self._writer.clock())
        holds = (Status.ACTIVE, Status.STABLE)
        row_of = known.cells.row_of
        return frozenset(
            item
            for item in used
            if item not in row_of or known.life.status(row_of[item], at, durable=True) not in holds
        )

    # --- why ----------------------------------------------------------------------------------

    def why(self, answer: Answer, fact: str = "") -> Why:
        """An answer, explained.

        Args:
            answer: The answer.
            fact: The cell to look at first.
        """
        policy, size = self._policy(), self.replay.size_at(answer)
        then, again = answer.scores, self.replay.now(answer, policy)
        ours = self.replay.then(answer, policy) if then is None else None
        cells = why.cells_of(self._store, then, again, ours)
        matching = self._matching(answer, size)
        told = why.explain(answer, why.rows_of(then, cells), matching=matching, fact=fact)
        before, now = told.parts or why.rows_of(ours, cells), why.rows_of(again, cells)
        return Why(
            explanation=told,
            then=before,
            ours=then is None,
            now=now,
            movements=then_and_now.movements(before, now),
            agreement=self.replay.agreement(answer, policy),
            size=size,
            head=self._store.head().size,
        )

    def account(self, answer: Answer, fact: str = "") -> Account:
        """An answer, explained, with everything that is told of one cell of it.

        Args:
            answer: The answer.
            fact: The cell; the one that the answer's words point at by default.
        """
        told = self.why(answer, fact)
        item = told.focus
        if not item:
            return Account(told, "", Verdict.UNKNOWN, (), ())
        return Account(
            why=told,
            item=item,
            verdict=self.verdict_of(told, item),
            chain=self.chain(told, item),
            since=self.since(told, item),
            flat=why_flat.flat(self._store, answer, told.then),
        )

    def what_if(self, answer: Answer, what: WhatIf) -> tuple[PartWhy, ...]:
        """What would have been so otherwise. Nothing is stored."""
        told = self.replay.what_if(answer, self._policy(), what)
        return why.rows_of(told, why.cells_of(self._store, told))

    def verdict_of(self, told: Why, item: str) -> Verdict:
        """What a cell was for an answer, whether it was a candidate or not."""
        row = told.explanation.row_of(item)
        if row is not None:
            return row.verdict
        cell = self.cells([item]).get(item)
        standing = self.replay.standing_at(told.size)
        return why.absent(item, told.explanation, standing, told.size, cell)

    def chain(self, told: Why, item: str) -> tuple[ChainLink, ...]:
        """Where a cell of an answer comes from, step by step."""
        return origin.chain(self._store, told.explanation, item, size=told.size)

    def since(self, told: Why, item: str) -> tuple[Since, ...]:
        """What was decided after an answer on a cell and on those that its verdicts name."""
        movement = told.movement_of(item)
        rows = () if movement is None else (movement.then, movement.now)
        named = [one for row in rows if row is not None for one in then_and_now.behind(row)]
        return then_and_now.decided_since(self._store, told.size, (item, *named))

    def leave_one_out(self, answer: Answer) -> LeftOutEach | None:
        """What each admitted cell did for the context of an answer."""
        return leave_one_out.leave_one_out(self.replay, answer, self._policy())

    def shares(self) -> Shares:
        """How much of what was handed over came from each source."""
        return source_shares.shares(self._store)

    def cells(self, items: list[str]) -> dict[str, NamedCell]:
        """The newest revisions of cells; unknown ids are absent."""
        return named_cells.latest(self._store, items)

    # --- what people bring ----------------------------------------------------------------------

    def report(self, told: Reported) -> Event:
        """Take in what somebody says of an answer. See ``review.auditing.reported``."""
        return reported.record(self._store, told, writer=self._writer)

    def label(self, answer: Answer, part: int, item: str, *, admit: bool) -> Event:
        """Keep what a person says of a recorded verdict. See ``review.auditing.verdict_labels``.

        Raises:
            review.person.ReadOnlyError: Without an identity.
            review.auditing.verdict_labels.NoNumbersError: If nothing was recorded of it.
        """
        if self._person is None:
            raise ReadOnlyError
        return verdict_labels.record(
            self._store, answer, part, item, admit=admit, person=self._person, writer=self._writer
        )

    def labels(self, answer: str = "") -> tuple[Label, ...]:
        """What people said last of each recorded verdict."""
        return verdict_labels.labels(self._store, answer)

    def label_lines(self) -> bytes:
        """Every label, as the fitted gate learns from them."""
        return verdict_labels.as_lines(self._store)

    def _matching(self, answer: Answer, size: int) -> Matching | None:
        if not answer.documents:
            return None
        everything = self._inquiry.everything(self._policy())
        return matching.match(
            self._store,
            answer.documents,
            system=answer.system,
            known=everything,
            standing=self.replay.standing_at(size),
            size=size,
        )

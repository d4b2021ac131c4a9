"""Asks one store: finds what it knew at a moment, recalls, and says what staged cells would do.

It reads only. Columns are kept by log position, so a second question costs no second reading.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from review.facts.parameters import Table
from review.facts.protocol import Parser
from review.gate import gate_fitting
from review.gate.fitted_gate import FittedGate
from review.gate.numbers import Bar
from review.gate.scored import Reason, Scored
from review.identities import stamp
from review.memory.columns import Columns
from review.memory.knowing import Known
from review.memory.lifecycle import Life
from review.memory.remembering import Memory
from review.policy import Policy
from review.recall import Part, Question, Recall, Recaller
from review.trimming.served import Contents
from store.log import Store
from store.standing import Standing


@dataclass(frozen=True, slots=True)
class Changed:
    """A durable candidate that would fare otherwise if everything staged were approved."""

    item: str
    status: str
    would_be_status: str
    admitted: bool
    would_be_admitted: bool


@dataclass(frozen=True)
class Preview:
    """What the staged cells would do to one sub-question."""

    staged: tuple[Scored, ...]
    changed: tuple[Changed, ...]


@dataclass(frozen=True)
class Answered:
    """A recall, and for each part what staged cells would change, if that was asked for."""

    recall: Recall
    previews: tuple[Preview, ...] = ()

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of the recall."""
        return self.recall.parts


class Inquiry:
    """Questions to one store. Not shared by tenants."""

    def __init__(self, store: Store, parser: Parser, table: Table) -> None:
        """Nothing is read until something is asked."""
        places = (key for key, parameter in table.parameters.items() if parameter.place)
        self._memory = Memory(store, frozenset(places))
        self._contents = Contents(store)
        self._store = store
        self._fitted: tuple[int, FittedGate | None] = (0, None)
        self._parser = parser

    def known(self, policy: Policy) -> Known:
        """What is durable now, as columns."""
        return self._memory.at(self._memory.standing(), owners=policy.owners)

    def at(self, policy: Policy, moment: datetime | None = None) -> tuple[Known, Standing]:
        """What was durable at a moment of record time, and by which decisions; None is now.

        The log alone says so: nothing that was appended later is looked at.
        """
        standing = self._memory.standing(None if moment is None else stamp(moment))
        return self._memory.at(standing, owners=policy.owners), standing

    def lived(self, policy: Policy, standing: Standing) -> tuple[Columns, Life]:
        """Cells and their life if ``standing`` stood; it need not, and nothing is kept of it."""
        return self._memory.lived(standing, owners=policy.owners)

    def is_at_hand(self, policy: Policy) -> bool:
        """Whether ``known`` costs nothing now: what is durable was read and nothing came since."""
        return self._memory.is_at_hand(self._memory.standing(), owners=policy.owners)

    def everything(self, policy: Policy) -> Known:
        """What is durable now and what waits, as columns."""
        return self._memory.at(self._memory.standing(), owners=policy.owners, with_staged=True)

    def ask(self, question: Question, *, policy: Policy, now: datetime) -> Answered:
        """What memory there is for a question.

        Args:
            question: What is asked.
            policy: The policy in force.
            now: The present moment, timezone-aware; taken as the moment of asking unless the
                question names one.

        Raises:
            ValueError: If a moment has no time zone, or the baseline is not known.
            store.log.DamagedStoreError: If something admitted is not what was signed.
        """
        asked_at = question.asked_at or now
        for moment in (asked_at, question.as_of):
            if moment is not None and moment.tzinfo is None:
                msg = f"{moment.isoformat()} has no time zone. Nothing was asked. Add one, or Z."
                raise ValueError(msg)
        as_of = None if question.as_of is None else stamp(question.as_of)
        standing = self._memory.standing(as_of)
        size = standing.position
        recaller = Recaller(policy, self._parser, self._contents, self._fitted_at(size))
        known = self._memory.at(standing, owners=policy.owners)
        recall = recaller.recall(question, known, asked_at=asked_at, size=size)
        if not question.include_staged:
            return Answered(recall)
        both = self._memory.at(standing, owners=policy.owners, with_staged=True)
        would_be = recaller.recall(question, both, asked_at=asked_at, size=size)
        pairs = zip(recall.parts, would_be.parts, strict=True)
        previews = tuple(_preview(now_is, then_is) for now_is, then_is in pairs)
        return Answered(recall, previews)

    def again(
        self,
        question: Question,
        standing: Standing,
        *,
        policy: Policy,
        size: int,
        unapproved: frozenset[str] = frozenset(),
    ) -> Recall:
        """A question that was asked before, over what stood at another moment.

        Args:
            question: As it was asked, with its moment.
            standing: Which decisions stand.
            policy: The policy to go by.
            size: Position of the log that is looked at.
            unapproved: Items to look away from, as if nobody had approved them yet.
        """
        assert question.asked_at is not None
        known = self._memory.at(standing, owners=policy.owners, without=unapproved)
        recaller = Recaller(policy, self._parser, self._contents, self._fitted_at(size))
        return recaller.recall(question, known, asked_at=question.asked_at, size=size)

    def _fitted_at(self, size: int) -> FittedGate | None:
        """The fitted gate in the log; when the log has grown, only its new end is read."""
        looked, gate = self._fitted
        if size < looked:  # an earlier moment: only what was there then
            return gate_fitting.recorded(self._store, until=size)
        if looked != size:
            newer = gate_fitting.recorded(self._store, since=looked)
            self._fitted = (size, newer or gate)
        return self._fitted[1]


def _preview(now_is: Part, then_is: Part) -> Preview:
    before = {one.item: one for one in now_is.scored}
    changed = tuple(
        Changed(
            item=one.item,
            status=str(before[one.item].status),
            would_be_status=str(one.status),
            admitted=before[one.item].admitted,
            would_be_admitted=one.admitted,
        )
        for one in then_is.scored
        if one.item in before
        and (before[one.item].status, before[one.item].admitted) != (one.status, one.admitted)
    )
    return Preview(tuple(_marked(one) for one in then_is.scored if one.would_be), changed)


def _marked(one: Scored) -> Scored:
    """A staged candidate as "would be": it keeps its numbers and is never admitted."""
    reason = Reason(str(Bar.NOT_DURABLE), {"would_be": "admitted" if one.admitted else "kept out"})
    return replace(
        one,
        h=False,
        admitted=False,
        bars=(Bar.NOT_DURABLE, *one.bars),
        reasons=(*one.reasons, reason),
    )

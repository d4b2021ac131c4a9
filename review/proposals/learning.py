"""What a model makes of runs and of insights: more insights, and drafts of rules.

Insights are staged like an import and wait for a person. A draft is a text and nothing more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from review import runs, strength
from review.cards.card import Card
from review.clause_strength.places import Strength
from review.desk import Desk
from review.proposals import card_texts, lessons, requests, shapes
from review.proposals.asking import Asked, Asking, proposed
from review.proposals.jobs import Sort
from review.proposals.lessons import Lesson
from review.proposals.records import About, Counted, Record
from review.runs import Kept
from review.staged.staging import Receipt
from store import run_queries


@dataclass(frozen=True, slots=True)
class Learned:
    """Insights that a model proposes, and what became of staging them."""

    record: Record
    lessons: tuple[Lesson, ...]
    receipt: Receipt | None
    """None when there was nothing to stage."""


@dataclass(frozen=True, slots=True)
class RuleDraft:
    """A rule's text as a model writes it, held against its sources like any text."""

    record: Record
    rule: str | None
    """Foreign text; None when the reply is no proposal."""

    strength: Strength | None


class Learning:
    """Asks a model about runs and insights of a desk."""

    def __init__(self, desk: Desk, asking: Asking) -> None:
        """Without a model only records answer."""
        self.desk, self.asking = desk, asking

    def insights_request(self, kept: Sequence[Kept]) -> Asked:
        """The request for what could be learned from runs.

        Raises:
            LookupError: If a run was erased.
        """
        told_runs = [one.run for one in kept if one.run is not None]
        if len(told_runs) != len(kept):
            msg = "a run was erased. Nothing was asked."
            raise LookupError(msg)
        request = requests.insights(self.asking.name, told_runs)

        def counting(told: Any) -> Counted:  # noqa: ANN401 - the shape of the request
            found, dropped = lessons.lessons(told, kept)
            return Counted({Sort.INSIGHT: len(found)}, dropped)

        return Asked(request, self._about_runs(kept), counting)

    def insights(self, items: Sequence[str]) -> Learned:
        """Stage the insights that the model sees in runs. They wait for a person.

        Raises:
            review.runs.NoSuchRunError: If there is no such run.
            ModelError: If there is no reply.
        """
        kept = [runs.run_of(self.desk.store, item) for item in items]
        record = self.asking.told(self.insights_request(kept))
        told = proposed(record, shapes.InsightsTold)
        if told is None:
            return Learned(record, (), None)
        found, _ = lessons.lessons(told, kept)
        if not found:
            return Learned(record, (), None)
        source = lessons.reading_of(
            found, kept, key=record.key, reader=record.reader, now=record.recorded_at
        )
        return Learned(record, found, self.desk.stage(source))

    def rule_request(self, card: Card) -> Asked:
        """The request for a rule's text from an insight and what people said in its runs."""
        request = requests.rule(self.asking.name, card_texts.quoted(card), card_texts.said(card))
        seen = self._about_runs([one.kept for one in card.beside])
        about = About((card.item,), seen.runs, (card.text_c, *seen.made_from))
        return Asked(request, about, lambda _told: Counted({Sort.RULE: 1}))

    def rule(self, card: Card) -> RuleDraft:
        """A draft of a rule, with what it says beyond its sources. It is a text and no more.

        Raises:
            ModelError: If there is no reply.
        """
        return self.drafted(self.asking.told(self.rule_request(card)), card)

    def drafted(self, record: Record, card: Card) -> RuleDraft:
        """The draft of a record, held against the sources of an insight. Nobody is asked."""
        told = proposed(record, shapes.RuleTold)
        if told is None or not card_texts.is_about(record, card):
            return RuleDraft(record, None, None)
        sources = [card.claim or "", *card_texts.said(card)]
        return RuleDraft(record, told.rule, strength.check(sources, told.rule))

    def _about_runs(self, kept: Sequence[Kept]) -> About:
        rows = [self.desk.store.rows(run_queries.RUN, item=one.item)[0] for one in kept]
        made = tuple(str(row["run_c"]) for row in rows)
        return About(runs=tuple(one.item for one in kept), made_from=made)

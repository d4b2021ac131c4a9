"""Whether recorded scores tell candidates apart: an alarm for one score that fits everything.

A search that finds the same cells with the same score for every question has found nothing,
however high the score is. The record shows it; nothing is computed again here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from review.auditing import answers
from review.auditing.answers import Answer, AnswersWanted
from review.auditing.recorded import RecordedPart
from review.auditing.why import PartWhy
from store.log import Store

LEAST: Final = 5
"""Candidates from which on one score for all of them is no accident of a small memory."""


@dataclass(frozen=True, slots=True)
class Flat:
    """One sub-question of which every candidate has the very same numbers."""

    part: int
    """Its number, from 0."""

    count: int
    """Candidates."""

    score: float
    """F of every one of them, in [0, 1]."""

    others: int
    """Of the newest observed answers, those to another question that have the same candidates
    with one score."""


def flat(store: Store, answer: Answer, parts: Sequence[PartWhy]) -> tuple[Flat, ...]:
    """The sub-questions of an answer whose numbers tell no candidate from another.

    Args:
        store: Where other answers are; they are read only if there is such a sub-question.
        answer: The answer.
        parts: What was recorded of it, or computed as of then.
    """
    found = [(n, part.recorded) for n, part in enumerate(parts) if _one_score(part.recorded)]
    if not found:
        return ()
    newest = answers.page(store, AnswersWanted(observed="1")).answers
    others = [
        {_items(part) for part in one.scores.parts if _one_score(part)}
        for one in newest
        if one.question != answer.question and one.scores is not None
    ]
    return tuple(
        Flat(
            part=n,
            count=len(part.scored),
            score=part.scored[0].score,
            others=sum(_items(part) in told for told in others),
        )
        for n, part in found
    )


def _one_score(part: RecordedPart) -> bool:
    told = {tuple(one.parts.values()) for one in part.scored}
    return len(part.scored) >= LEAST and len(told) == 1


def _items(part: RecordedPart) -> frozenset[str]:
    return frozenset(one.item for one in part.scored)

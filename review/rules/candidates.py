"""The list of candidates: durable insights on which at least two independent cases agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from review.policy import RuleThresholds
from review.rules.cases import Cases, looked_up
from review.rules.export_told import Threshold
from review.rules.learned import Learned
from review.rules.listed import Show
from review.rules.seen import Events
from review.rules.thresholds import evaluated

PAGE: Final = 50
AGREEING: Final = 2
"""Independent cases from which an insight is a candidate."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One row of the list."""

    learned: Learned
    cases: Cases
    thresholds: tuple[Threshold, ...]

    @property
    def reached(self) -> bool:
        """Whether every threshold is reached."""
        return all(one.passed for one in self.thresholds)


@dataclass(frozen=True, slots=True)
class CandidatePage:
    """One page of candidates."""

    rows: tuple[Candidate, ...]
    total: int
    reached: int
    """Of all candidates, whatever is listed."""

    below: int
    aside: int
    """Durable insights on which fewer than two independent cases agree."""


def of(
    learned: Sequence[Learned], events: Events, wanted: RuleThresholds, now: datetime
) -> tuple[Candidate, ...]:
    """Every durable insight with its cases and thresholds, those that reached them all first."""
    told = (_candidate(one, events, wanted, now) for one in learned)
    return tuple(sorted(told, key=lambda one: (not one.reached, -one.cases.count.supporting)))


def _candidate(one: Learned, events: Events, wanted: RuleThresholds, now: datetime) -> Candidate:
    cases = looked_up(one.claim or "", one.cases, events)
    return Candidate(one, cases, evaluated(cases, wanted, now))


def chosen(every: Sequence[Candidate], show: Show = Show.ALL, words: str = "") -> list[Candidate]:
    """The candidates among ``every`` durable insight, in their order.

    Args:
        every: All durable insights.
        show: Which of the candidates.
        words: Literal text that the claim must hold, without regard to case; blank for any.
    """
    wanted = words.strip().casefold()
    return [
        one
        for one in every
        if one.cases.count.supporting >= AGREEING
        and (show is Show.ALL or one.reached == (show is Show.REACHED))
        and wanted in (one.learned.claim or "").casefold()
    ]


def page(
    every: Sequence[Candidate], show: Show = Show.ALL, words: str = "", number: int = 1
) -> CandidatePage:
    """One page of ``chosen``, 50 a page, counted from 1."""
    agreed, told = chosen(every), chosen(every, show, words)
    start = (max(number, 1) - 1) * PAGE
    reached = sum(one.reached for one in agreed)
    return CandidatePage(
        tuple(told[start : start + PAGE]),
        len(told),
        reached,
        len(agreed) - reached,
        len(every) - len(agreed),
    )

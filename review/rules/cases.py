"""The cases of an insight, each looked up in the run it names.

A case counts only where that run is kept and holds a person's decision that bears on it in this
way: a rejection or an edit for, an acceptance against. A count that a file brings, or that a model
made, is never looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from review.evidence import found_in
from review.independence import Count, count
from review.rules.export_told import CaseTold
from review.rules.seen import Events, Judged, Seen
from review.text.edit_parts import said
from store.cells import Case, Stance
from store.trajectories import Verdict

_FOR = frozenset({Verdict.REJECT, Verdict.EDIT})


@dataclass(frozen=True, slots=True)
class Found:
    """One case, and the decision behind it; both None where there is none here."""

    case: Case
    run: Seen | None
    judged: Judged | None

    @property
    def counts(self) -> bool:
        """Whether there is an event behind it."""
        return self.judged is not None


@dataclass(frozen=True, slots=True)
class Cases:
    """The cases of one insight."""

    found: tuple[Found, ...]
    count: Count
    """Of those that have an event behind them."""

    @property
    def supporting(self) -> tuple[Found, ...]:
        """Those for it that count, echoes aside."""
        return self._of(Stance.SUPPORTS)

    @property
    def contradicting(self) -> tuple[Found, ...]:
        """Those against it that count, echoes aside."""
        return self._of(Stance.CONTRADICTS)

    @property
    def missing(self) -> int:
        """How many are named and have no event here."""
        return sum(not one.counts for one in self.found)

    def _of(self, stance: Stance) -> tuple[Found, ...]:
        return tuple(
            one
            for one in self.found
            if one.counts and one.case.stance is stance and not one.case.recalled
        )


def looked_up(statement: str, cases: Sequence[Case], events: Events) -> Cases:
    """The cases of an insight with the decisions behind them, in their order."""
    told = said(statement)
    acts = {
        judged.act
        for case in cases
        if case.stance is Stance.SUPPORTS
        for run in events.by_source.get(case.run, ())
        for judged in run.judged
        if judged.verdict is Verdict.REJECT and _says(judged, told)
    }
    used: set[tuple[str, int]] = set()
    found = tuple(_found(one, told, acts, events, used, statement) for one in cases)
    return Cases(found, count([one.case for one in found if one.counts]))


def told_of(item: str, cases: Cases) -> tuple[CaseTold, ...]:
    """The cases as an export tells them, those without an event too."""
    return tuple(_told(item, one) for one in cases.found)


def _told(item: str, one: Found) -> CaseTold:
    judged, run = one.judged, one.run
    if judged is None or run is None:
        who = one.case.by or None
        return CaseTold(item, "", one.case.run, who, None, one.case.stance, "")
    return CaseTold(
        item=item,
        run=run.item,
        source_id=run.source_id,
        who=judged.by or None,
        when=judged.at,
        stance=one.case.stance,
        words=judged.said or judged.words,
        span=judged.span,
    )


def _found(
    case: Case,
    told: tuple[str, ...],
    acts: set[tuple[str, bytes]],
    events: Events,
    used: set[tuple[str, int]],
    statement: str,
) -> Found:
    choices = [
        (run, n)
        for run in events.by_source.get(case.run, ())
        for n, judged in enumerate(run.judged)
        if _fits(case, judged)
    ]
    if not choices:
        return Found(case, None, None)

    def order(choice: tuple[Seen, int]) -> tuple[bool, bool]:
        run, n = choice
        judged = run.judged[n]
        near = _says(judged, told) if case.stance is Stance.SUPPORTS else judged.act in acts
        return (run.item, n) in used, not near

    run, n = min(choices, key=order)
    used.add((run.item, n))
    judged = run.judged[n]
    echo = case.recalled or (bool(run.recalled) and bool(found_in(run.recalled, statement)))
    real = Case(run.item, case.stance, run.session, judged.review_id, judged.by, echo)
    return Found(real, run, judged)


def _fits(case: Case, judged: Judged) -> bool:
    """Whether a decision bears on a case in its way and is by the person and review it names."""
    right = judged.verdict in _FOR if case.stance is Stance.SUPPORTS else _against(judged)
    return right and judged.by == case.by and judged.review_id == case.review_id


def _against(judged: Judged) -> bool:
    return judged.verdict is Verdict.ACCEPT


def _says(judged: Judged, told: tuple[str, ...]) -> bool:
    return any(said(text) == told for text in _texts(judged))


def _texts(judged: Judged) -> Iterator[str]:
    yield from (text for text in (judged.reason, judged.edit) if text)

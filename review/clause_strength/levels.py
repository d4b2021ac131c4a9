"""Where a rule stands higher or lower than its source on a scale: force, certainty, share, time.

A step up is STRICTER. What was doubted and is only said to be somebody's word ("reportedly") is
still a step up: hearsay is no doubt, and doubt is no hearsay.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from review.clause_strength.places import Change, Drift, Verdict
from review.clause_strength.scales import DUTY, PLAIN, Level, Scales
from store.cells import Span


class Step(NamedTuple):
    """A difference on one scale; a span is None where that side has no cue."""

    drift: Drift
    change: Change
    verdict: Verdict
    source: Span | None
    rule: Span | None


def steps(source: Scales, rule: Scales) -> Iterator[Step]:
    """Every difference between a clause of a rule and its source on the scales."""
    source_force, source_doubt = _sorted_out(source, rule, leave=source.leave)
    rule_force, rule_doubt = _sorted_out(rule, source, leave=not rule.mishap)
    turned = _turned(source, rule)
    yield from _force(source_force, rule_force)
    yield from _doubt(source_doubt, rule_doubt)
    yield from _told(source.told, rule.told)
    yield from _share(source, rule, turned=turned)
    if turned:
        yield Step(
            Drift.NEGATION,
            Change.DROPPED if source.negated else Change.ADDED,
            Verdict.STRICTER,
            source.negation if source.negated else None,
            rule.negation if rule.negated else None,
        )
    if source.event and not rule.event:
        told = rule_force.place if rule_force else None
        yield Step(Drift.TENSE, Change.CHANGED, Verdict.STRICTER, source.event, told)
    if rule.event and not source.event:
        yield Step(Drift.TENSE, Change.CHANGED, Verdict.SOFTER, None, rule.event)
    yield from _cases(source, rule)
    if source.asks is not rule.asks:
        asked = Verdict.STRICTER if source.asks else Verdict.UNKNOWN
        yield Step(Drift.CERTAINTY, Change.CHANGED, asked, None, None)
    if source.often and not rule.often and not any(case.number == 1 for case in rule.cases):
        yield Step(Drift.NUMBER, Change.DROPPED, Verdict.STRICTER, source.often.place, None)
    if rule.often and not source.often and not source.cases:
        yield Step(Drift.NUMBER, Change.ADDED, Verdict.STRICTER, None, rule.often.place)
    if rule.only and not source.only:
        yield Step(Drift.SCOPE, Change.ADDED, Verdict.STRICTER, None, rule.only)
    if source.only and not rule.only:
        yield Step(Drift.SCOPE, Change.DROPPED, Verdict.SOFTER, source.only, None)


def _sorted_out(one: Scales, other: Scales, *, leave: bool) -> tuple[Level | None, Level | None]:
    """Force and doubt of one side, its "may" put on the scale that the other side speaks of."""
    if one.modal is None:
        return one.force, one.doubt
    if other.force is not None or other.modal is not None:
        binding = True
    else:
        binding = other.doubt is None and leave
    if binding:
        return one.force or one.modal, one.doubt
    return one.force, one.doubt or one.modal


def _force(source: Level | None, rule: Level | None) -> Iterator[Step]:
    if source is None and rule is None:
        return
    if source is None and rule is not None:
        verdict = Verdict.STRICTER if rule.rank > 1 else Verdict.SOFTER
        yield Step(Drift.DEONTIC, Change.ADDED, verdict, None, rule.place)
    elif rule is None and source is not None:
        verdict = Verdict.SOFTER if source.rank >= DUTY else Verdict.STRICTER
        yield Step(Drift.DEONTIC, Change.DROPPED, verdict, source.place, None)
    elif source is not None and rule is not None and source.rank != rule.rank:
        verdict = Verdict.STRICTER if rule.rank > source.rank else Verdict.SOFTER
        yield Step(Drift.DEONTIC, Change.CHANGED, verdict, source.place, rule.place)


def _doubt(source: Level | None, rule: Level | None) -> Iterator[Step]:
    before, after = _rank(source), _rank(rule)
    if before != after:
        verdict = Verdict.STRICTER if after > before else Verdict.SOFTER
        yield Step(Drift.CERTAINTY, _change(source, rule), verdict, _at(source), _at(rule))


def _told(source: Level | None, rule: Level | None) -> Iterator[Step]:
    if source and not rule:
        yield Step(Drift.CERTAINTY, Change.DROPPED, Verdict.STRICTER, source.place, None)
    if rule and not source:
        yield Step(Drift.CERTAINTY, Change.ADDED, Verdict.SOFTER, None, rule.place)


def _share(source: Scales, rule: Scales, *, turned: bool) -> Iterator[Step]:
    before, after = _rank(source.share), _rank(rule.share)
    if source.negated and rule.negated and _none(source.share) is not _none(rule.share):
        before, after = min(before, PLAIN), min(after, PLAIN)  # "takes no glass", "does not take"
        absolute = rule.absolute is not None and rule.absolute.words != "no"
    else:
        absolute = rule.absolute is not None
    if after > before:
        change = _change(source.share, rule.share)
        told = (_at(source.share), _at(rule.share))
        yield Step(Drift.UNIVERSALITY, change, Verdict.STRICTER, *told)
    elif absolute and rule.absolute and not source.absolute and after == before:
        told = (_at(source.share), rule.absolute.place)
        yield Step(Drift.UNIVERSALITY, Change.ADDED, Verdict.STRICTER, *told)
    elif after == before and _rare(source.share) is not _rare(rule.share):
        verdict = Verdict.STRICTER if _rare(source.share) else Verdict.SOFTER
        told = (_at(source.share), _at(rule.share))
        yield Step(Drift.UNIVERSALITY, Change.CHANGED, verdict, *told)
    elif after < before and not turned:
        change = _change(source.share, rule.share)
        told = (_at(source.share), _at(rule.share))
        yield Step(Drift.UNIVERSALITY, change, Verdict.SOFTER, *told)


_RARE: Final = frozenset({"rarely", "seldom", "hardly ever", "scarcely ever", "редко"})


def _rare(share: Level | None) -> bool:
    return share is not None and share.words in _RARE


def _none(share: Level | None) -> bool:
    return share is not None and share.words == "no"


def _turned(source: Scales, rule: Scales) -> bool:
    if source.negated is None or rule.negated is None:
        return False
    return source.negated is not rule.negated


def _cases(source: Scales, rule: Scales) -> Iterator[Step]:
    """Counted cases: none left, more than were seen, or told where the source told none."""
    if source.cases and not rule.cases:
        yield Step(Drift.CASES, Change.DROPPED, Verdict.STRICTER, source.cases[0].place, None)
    elif rule.cases and not source.cases:
        yield Step(Drift.CASES, Change.ADDED, Verdict.SOFTER, None, rule.cases[0].place)
    elif source.cases and rule.cases:
        before, after = (max(case.number for case in side.cases) for side in (source, rule))
        if before != after:
            verdict = Verdict.STRICTER if after > before else Verdict.SOFTER
            told = (source.cases[0].place, rule.cases[0].place)
            yield Step(Drift.CASES, Change.CHANGED, verdict, *told)
        elif any(one.of for one in source.cases) and not any(one.of for one in rule.cases):
            told = (source.cases[0].place, rule.cases[0].place)
            yield Step(Drift.CASES, Change.CHANGED, Verdict.STRICTER, *told)


def _rank(level: Level | None) -> int:
    return PLAIN if level is None else level.rank


def _at(level: Level | None) -> Span | None:
    return None if level is None else level.place


def _change(source: Level | None, rule: Level | None) -> Change:
    if source is None:
        return Change.ADDED
    return Change.DROPPED if rule is None else Change.CHANGED

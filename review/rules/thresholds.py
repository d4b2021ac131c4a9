"""The four thresholds of the policy, computed from independent events. Pure.

Confidence is ``supporting / (supporting + contradicting)`` over independent sources; a stored
confidence, or one that a model made, is never read. How often an item was read or shown is no
argument here, so reading cannot lower anything. A date that is missing or cannot be read fails
the check of the age.

Source: the write-policy seed for the four; ``review.independence`` for what is one source.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Final

from review import instants
from review.policy import RuleThresholds
from review.rules.cases import Cases
from review.rules.export_told import Threshold, ThresholdName, Why

_DAY: Final = 24 * 60 * 60 * 1_000_000
_SLACK: Final = timedelta(days=1)
"""What a date may lie ahead of the clock, for a day is told without its time zone."""


def evaluated(cases: Cases, wanted: RuleThresholds, now: datetime) -> tuple[Threshold, ...]:
    """The four thresholds of an insight, in the order of the policy.

    Args:
        cases: Its cases, looked up.
        wanted: What the policy in force asks for.
        now: The present moment, timezone-aware.
    """
    dates = [one.judged.at for one in cases.supporting if one.judged is not None]
    return (
        _confidence(cases, wanted.confidence),
        _number(ThresholdName.VOTES, cases.count.supporting, wanted.votes, len(dates)),
        _number(ThresholdName.PEOPLE, cases.count.people, wanted.people, len(dates)),
        _days(dates, wanted.days, now),
    )


def _confidence(cases: Cases, wanted: float) -> Threshold:
    name, told = ThresholdName.CONFIDENCE, _as_wanted(wanted)
    count = cases.count
    whole = count.supporting + count.contradicting
    if not whole:
        return Threshold(name, told, None, 0, passed=False, why=Why.NO_CASES)
    found = Fraction(count.supporting, whole)
    passed = found >= Fraction(str(wanted))
    return Threshold(name, told, _decimal(found), whole, passed, _why(passed=passed))


def _number(name: ThresholdName, found: int, wanted: int, events: int) -> Threshold:
    if not events:
        return Threshold(name, str(wanted), "0", 0, passed=False, why=Why.NO_CASES)
    passed = found >= wanted
    return Threshold(name, str(wanted), str(found), events, passed, _why(passed=passed))


def _days(dates: Sequence[str | None], wanted: int, now: datetime) -> Threshold:
    """Whole days since the oldest case; every case that counts has to say when it was."""
    name = ThresholdName.DAYS
    read = [None if one is None else instants.read(one) for one in dates]
    known = [one for one in read if one is not None]
    if not read:
        return Threshold(name, str(wanted), None, 0, passed=False, why=Why.NO_CASES)
    if len(known) < len(read):
        return Threshold(name, str(wanted), None, len(known), passed=False, why=Why.NO_DATE)
    if max(known) > instants.of(now + _SLACK):
        return Threshold(name, str(wanted), None, len(known), passed=False, why=Why.DATE_AHEAD)
    found = max((instants.of(now) - min(known)) // _DAY, 0)
    passed = found >= wanted
    return Threshold(name, str(wanted), str(found), len(known), passed, _why(passed=passed))


def _why(*, passed: bool) -> Why:
    return Why.REACHED if passed else Why.BELOW


def _as_wanted(value: float) -> str:
    """As the policy has it, with two digits at least."""
    short = f"{value:.2f}"
    return short if float(short) == value else str(value)


def _decimal(value: Fraction) -> str:
    """Two digits behind the point, cut: a number below the threshold never looks like it."""
    hundredths = value.numerator * 100 // value.denominator
    return f"{hundredths // 100}.{hundredths % 100:02d}"

"""Dates counted from another date: "two weeks before 11 August 2023", "the Friday before it"."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final

from review.facts import calendar_periods as periods
from review.facts.calendar_periods import Period
from review.facts.date_shapes import Reading
from review.facts.relative_dates import count_of, slack
from store.cells import Precision

_OFFSET: Final = re.compile(r"(?:t?L?[dnyw]?f?|a?[dnyw]f?|a|ha?|j)[UYqKW]p$")


def offset(reading: Reading, anchor: Period, start: int) -> tuple[Period, int, timedelta] | None:
    """The period that an offset before token ``start`` makes of the date that begins there.

    Returns:
        The period, the token that the offset begins at, and how far off its count may be;
        ``None`` without an offset. "The week before" a date is the seven days up to it, "two
        weeks before" the day two weeks earlier.
    """
    side = reading.tokens.values[start - 1] if start > 1 else ""
    if side not in ("before", "after") and reading.word(start - 1) != "до":
        return None
    found = _OFFSET.search(reading.tokens.shape, max(0, start - 6), start)
    if found is None:
        return None
    begin, sign = found.start(), 1 if side == "after" else -1
    unit = reading.unit(start - 2)
    if unit in ("weekday", "weekend"):
        period = _named_day(reading, anchor, start - 2, sign)
        return (period, begin, timedelta(0)) if period else None
    told = reading.numbers("dnyw", begin, start)
    if reading.tokens.shape[begin] in "tL":
        period = _stretch(anchor, unit, sign * (told[-1] if told else 1))
        return (period, begin, timedelta(0)) if period else None
    counted = count_of(reading, begin, start)
    moment = periods.moved(anchor.start, counted[0], sign * counted[1]) if counted else None
    period = periods.around(moment, "day") if moment else None
    return (period, begin, slack(reading, begin, start)) if period else None


def _named_day(reading: Reading, anchor: Period, index: int, sign: int) -> Period | None:
    """The nearest such weekday, or weekend, wholly before the date or after it."""
    whole = reading.unit(index) == "weekend"
    number = 5 if whole else reading.numbers("W", index, index + 1)[0]
    today = anchor.start.weekday()
    days = (number - today - 1) % 7 + 1 if sign > 0 else -((today - number - 1) % 7 + 1)
    if whole and days == -1:
        days = -8
    moment = periods.moved(anchor.start, "day", days)
    return periods.around(moment, "weekend" if whole else "day") if moment else None


def _stretch(anchor: Period, unit: str, count: int) -> Period | None:
    edge = anchor.start if count < 0 else anchor.end
    other = periods.moved(edge, unit, count)
    if other is None:
        return None
    return Period(min(edge, other), max(edge, other), Precision.DAY)

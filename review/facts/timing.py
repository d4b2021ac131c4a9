"""World time that the words themselves give: "from 1 March 2026", "since May", "in 2019".

A date that is a fact's value is no bound of it: a deadline on Friday does not begin on Friday.
"""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta
from typing import Final

from review.facts.drafts import Draft
from review.facts.moments import Moment
from review.facts.sayings import PREPOSITIONS
from review.facts.sentences import Reading, Sentence
from store.cells import Cardinality, Interval, Precision

_YEAR: Final = re.compile(r"\d{4}")


def interval(
    reading: Reading,
    sentence: Sentence,
    draft: Draft,
    values: list[tuple[int, int]],
    written_at: datetime | None,
) -> Interval:
    """When the fact holds as far as its sentence says; open where it does not.

    "From" and "until" bound any fact. A day or a period alone bounds a state of the past on both
    sides; a measurement, a change and what happened in the past only at their start; and a
    standing fact only when it is a whole month or year ("the budget in 2026").
    """
    start = end = None
    precision = Precision.UNKNOWN
    for moment in sentence.moments(reading.text, written_at):
        if written_at is None and not _YEAR.search(moment.text):
            continue
        if _is_value(moment, sentence, values):
            continue
        low, high = _bounds(moment, draft)
        if low is None and high is None:
            continue
        if low is not None and written_at is not None and _same_day(low, moment, written_at):
            low = written_at  # "as of today" comes after what was said this morning
        start = start or low
        end = end or high
        if precision is Precision.UNKNOWN:
            precision = moment.precision
    if start and end and start >= end:
        end = None
    if start is None and end is None:
        return Interval()
    return Interval(_told(start), _told(end), precision)


def _is_value(moment: Moment, sentence: Sentence, values: list[tuple[int, int]]) -> bool:
    start, end = moment.span.start + sentence.start, moment.span.end + sentence.start
    return any(start < last and first < end for first, last in values)


def _bounds(moment: Moment, draft: Draft) -> tuple[datetime | None, datetime | None]:
    if moment.kind in ("from", "until") or moment.cue == "as of":
        low, high = moment.interval
        return low, None if moment.cue == "as of" else high
    if draft.past and moment.kind in ("at", "during"):
        # A state of the past is over; what happened then has been so ever since.
        return moment.start, moment.end if draft.cardinality is Cardinality.ONE else None
    if draft.reading:
        return moment.start, None
    if draft.changes and moment.kind in ("at", "during", "after"):
        return moment.interval[0], None
    if moment.kind == "during" and moment.precision in (Precision.MONTH, Precision.YEAR):
        return moment.start, moment.end
    return None, None


def _same_day(low: datetime, moment: Moment, written_at: datetime) -> bool:
    """Whether a bound is the day of speaking, and no hour of it."""
    whole = moment.precision is Precision.DAY
    return whole and low <= written_at < low + timedelta(days=1)


def _told(moment: datetime | None) -> str | None:
    if moment is None:
        return None
    if moment.timetz().replace(tzinfo=None) == time(0):
        return moment.date().isoformat()
    return moment.isoformat()


def before_moment(
    reading: Reading, sentence: Sentence, written_at: datetime | None, at: int, end: int
) -> int:
    """``end``, or the word before the first moment among the words ``[at, end)``.

    Equal to ``at`` when the words begin with a moment, or inside of one.
    """
    if end <= at:
        return end
    low, high = reading.starts[at], reading.ends[end - 1]
    for moment in sentence.moments(reading.text, written_at):
        start = sentence.start + moment.span.start
        if start < low < sentence.start + moment.span.end:
            return at
        if low <= start < high:
            place = reading.word_at(start, at, end)
            while place > at and reading.forms[place - 1] in PREPOSITIONS:
                place -= 1
            return place
    return end

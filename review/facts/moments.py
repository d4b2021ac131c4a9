"""Moments in words: dates and periods of a text, absolute or against a moment of speaking.

English and Russian. Numeric dates: dots are day.month.year, dashes year-month-day, slashes
month/day/year; where one of the two numbers is above 12, it is the day. An impossible date
(31 February) is no moment. A time of day alone ("at 7:30") is a value, not a moment: it counts
only beside a date. What returns ("every Tuesday", "on Tuesdays", "in winter" without a past or
future verb) is no moment either. Source: ours.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from review.facts import absolute_dates, relative_dates
from review.facts.calendar_periods import Period, part
from review.facts.calendar_words import TIME_WORDS
from review.facts.date_shapes import NEEDS_NOW, RANGES, SHAPE, WHOLE, Reading
from review.facts.date_tokens import read
from review.facts.offset_dates import offset
from store.cells import Precision, Span

MomentKind = Literal["at", "from", "until", "before", "after", "during"]

_MEANINGS: Final = absolute_dates.MEANINGS | relative_dates.MEANINGS
_WORD: Final = re.compile(r"[^\W\d_]+")
_DATED: Final = re.compile(r"\d{4}|\d[./-]\d")
_COUNTED: Final = re.compile(r"\d(?:st|nd|rd|th|-?го|-?е|-?й|q| числ)|q\d", re.IGNORECASE)
_PART: Final = re.compile(r"t?(?:E-?f?|Nf|ohf?)t?$")
_CLOCK_AFTER: Final = re.compile(r",?[p>]?c")
_CLOCK_BEFORE: Final = re.compile(r"c,?p?$")
_TO: Final = ("to", "through", "thru", "по")


@dataclass(frozen=True, slots=True)
class Moment:
    """One date or period of a text: ``[start, end)``, aware; equal bounds are an instant.

    The bounds are those of the date itself. ``kind`` says what the preposition makes of it, and
    ``interval`` does so: "since March" has March as its bounds and runs from 1 March on.
    """

    start: datetime
    end: datetime
    precision: Precision
    span: Span
    """Of the date without its preposition, in characters of the text."""

    text: str
    kind: MomentKind
    cue: str = ""
    """The preposition as written, in lower case: "since", "as of", "до"."""

    inclusive: bool = False
    """"until" takes the last day in: "through Friday", "по пятницу"."""

    slack: timedelta = timedelta(0)
    """How far off a rounded count may be: three days for "two weeks ago"; else zero."""

    @property
    def interval(self) -> tuple[datetime | None, datetime | None]:
        """What the words cover, half-open; ``None`` is open."""
        if self.kind == "from":
            return self.start, None
        if self.kind == "after":
            return self.end, None
        if self.kind in ("until", "before"):
            return None, self.end if self.inclusive else self.start
        return self.start, self.end


def find(text: str, *, against: datetime | None) -> list[Moment]:
    """The moments that ``text`` names, in order, not overlapping.

    Args:
        text: Any text; linear in its length.
        against: The moment of speaking, aware; its zone is the text's. ``None`` leaves out all
            that needs it ("last week", "15 October" without a year) and reads dates as UTC.

    Raises:
        ValueError: If ``against`` has no time zone.
    """
    if against is not None and against.tzinfo is None:
        msg = f"the moment of speaking needs a time zone, got {against.isoformat()}."
        raise ValueError(msg)
    if not _may_hold(text, relative=against is not None):
        return []
    zone = UTC if against is None or against.tzinfo is None else against.tzinfo
    reading = Reading(text, read(text), against, zone)
    found: list[tuple[Moment, int, int]] = []
    shape = reading.tokens.shape
    at = 0
    while match := SHAPE.search(shape, at):
        at = match.end()
        placed = _placed(reading, match.lastgroup or "", *match.span())
        if placed is None:
            # A shorter form may begin inside: "in" of "in March" as in "in 5 days".
            at = match.end() if match.lastgroup in WHOLE else match.start() + 1
            continue
        at = max(at, placed[2])
        # An offset takes in what stood before: "last weekend" of "last weekend before 10 April".
        while found and placed[1] <= found[-1][1]:
            found.pop()
        if not found or placed[1] >= found[-1][2]:
            found.append(placed)
    return _joined(text, shape, found)


def _may_hold(text: str, *, relative: bool) -> bool:
    """A cheap look before the reading proper: most texts name no moment."""
    if _DATED.search(text) is not None:
        return True
    if not relative:
        return False
    if _COUNTED.search(text) is not None:
        return True
    return not TIME_WORDS.isdisjoint(_WORD.findall(text.lower()))


def _placed(reading: Reading, name: str, start: int, end: int) -> tuple[Moment, int, int] | None:
    """The moment of one match, with the token range that its span takes."""
    if reading.against is None and name in NEEDS_NOW:
        return None
    shape, spans = reading.tokens.shape, reading.tokens.spans
    period = _MEANINGS[name](reading, start, end)
    if period is None:
        return None
    slack = relative_dates.slack(reading, start, end) if name in ("ago", "ahead") else timedelta(0)
    told = _part_told(reading, start)
    if told is not None:
        start, which, of = told
        period = part(period, which, of)
    counted = offset(reading, period, start)
    if counted is not None:
        period, start, slack = counted
    period, start, end = _with_clock(reading, period, start, end)
    if start and shape[start - 1] == "x":
        return None
    kind, cue, inclusive = _preposition(reading, start, period)
    if name in RANGES or (name == "ago" and cue == "from"):
        kind, inclusive = "during", False
    elif told is not None and told[1] == told[2] - 1 and kind in ("until", "before"):
        inclusive = True
    span = Span(spans[start][0], spans[end - 1][1])
    moment = Moment(
        period.start,
        period.end,
        period.precision,
        span,
        reading.text[span.start : span.end],
        kind,
        cue,
        inclusive=inclusive,
        slack=slack,
    )
    return moment, start, end


def _part_told(reading: Reading, start: int) -> tuple[int, int, int] | None:
    """Words of a part before token ``start``: where they begin, which part, of how many."""
    shape, values = reading.tokens.shape, reading.tokens.values
    found = _PART.search(shape, max(0, start - 5), start)
    if found is None:
        return None
    at = next(i for i in range(found.start(), start) if shape[i] in "ENo")
    which = int(str(values[at]))
    if shape[at] != "o":
        return found.start(), which, 3
    return (found.start(), which - 1, 2) if which in (1, 2) else None


def _with_clock(reading: Reading, period: Period, start: int, end: int) -> tuple[Period, int, int]:
    """A clock time beside a day makes it an instant: "12 March 2026 at 10:30"."""
    shape = reading.tokens.shape
    if period.precision is not Precision.DAY or period.end - period.start > timedelta(days=1):
        return period, start, end
    after = _CLOCK_AFTER.match(shape, end)
    before = None if after else _CLOCK_BEFORE.search(shape, max(0, start - 3), start)
    if after is None and before is None:
        return period, start, end
    at = after.end() - 1 if after else shape.rindex("c", 0, start)
    value = reading.tokens.values[at]
    if not isinstance(value, tuple):
        return period, start, end
    hour, minute, second = (*value, 0, 0)[:3]
    moment = period.start.replace(hour=hour, minute=minute, second=second)
    instant = Period(moment, moment, Precision.INSTANT)
    return instant, min(start, at), max(end, at + 1)


def _preposition(reading: Reading, start: int, period: Period) -> tuple[MomentKind, str, bool]:
    """What stands before the date: kind, the words, and whether "until" takes the end in."""
    short = period.end - period.start <= timedelta(days=1)
    plain: MomentKind = "at" if short else "during"
    at = start - 1
    while at >= 0 and reading.tokens.shape[at] in "t":
        at -= 1
    word, before = reading.word(at), reading.word(at - 1)
    if (before == "as" and word in ("of", "at", "on")) or (before == "состоянию" and word == "на"):
        return "at", "as of", False
    if word == "than" and before in ("earlier", "later"):
        return ("before" if before == "earlier" else "after"), f"{before} than", False
    if at < 0 or reading.tokens.shape[at] not in "p>":
        return plain, "", False
    value = str(reading.tokens.values[at])
    if word == "to" and before == "prior":
        value = "before"
    if value == "through":
        return "until", word, True
    if value in ("from", "until", "before", "after"):
        return value, word, False  # type: ignore[return-value]  # the table's kinds are these
    return plain, word, False


def _joined(text: str, shape: str, found: list[tuple[Moment, int, int]]) -> list[Moment]:
    """Pairs as one period: "from 1 March until 1 June", "between May and July 2025"."""
    joined: list[Moment] = []
    skip = False
    for place, (moment, start, end) in enumerate(found):
        if skip:
            skip = False
            continue
        following = found[place + 1] if place + 1 < len(found) else None
        opened = moment.kind == "from" or (start > 0 and shape[start - 1] == "B")
        if following and _closes(moment, following[0], shape[end : following[1]], opened=opened):
            joined.append(_range(text, moment, following[0]))
            skip = True
        else:
            joined.append(moment)
    return joined


def _closes(first: Moment, last: Moment, between: str, *, opened: bool) -> bool:
    """Whether ``last`` ends the period that ``first`` begins, with only a link between them."""
    link = between.replace("t", "")
    if last.start < first.end or last.slack or first.slack:
        return False
    if link == "-" or (link == "&" and opened):
        return True
    return link == "p" and last.kind in ("until", "before") and (opened or last.cue in _TO)


def _range(text: str, first: Moment, last: Moment) -> Moment:
    through = last.inclusive or last.cue in ("", "to")
    span = Span(first.span.start, last.span.end)
    return replace(
        first,
        end=last.end if through else last.start,
        span=span,
        text=text[span.start : span.end],
        kind="during",
    )

"""The periods that words name against the moment of speaking: "last autumn", "через неделю".

* A week begins on Monday; "next week" is the calendar week after this one.
* "last autumn" is the last autumn that has ended, "next autumn" the first that has not begun,
  "this autumn" the one that is running, else the one of this calendar year.
* "last Tuesday" is the latest Tuesday before today, "next Tuesday" that of the next week,
  a plain "Tuesday" the latest one in the past tense and else the next one.
* "last year" is the calendar year before; "the last year", "the past year", "последний год" is
  the year up to now.
* "two weeks ago" is the day two weeks before; how far such a count may be off is ``slack``.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from review.facts import calendar_periods as periods
from review.facts.calendar_periods import Period
from review.facts.calendar_words import listed
from review.facts.date_shapes import Reading
from review.facts.tenses import Tense
from store.cells import Precision

_BARE_UNITS: Final = frozenset(listed("неделю месяц год час минуту день полгода квартал сутки"))
_FEW: Final = ("few", "several", "несколько")
_CLOCK_UNITS: Final = ("hour", "minute")


def _named(reading: Reading, start: int, end: int) -> Period | None:
    """A name with its step: "last March", "this spring", "next Tuesday".

    "The last winter" before another word is "the last winter games", no winter.
    """
    now = reading.against
    if now is None:
        return None
    letter, value, step = reading.tokens.shape[start + 1], reading.tokens.values[start + 1], 0
    step = reading.step(start)
    if letter == "W":
        return _weekday(now, int(str(value)), step)
    about = range(now.year - 4, now.year + 4)
    if letter == "S":
        if reading.word(start - 1) == "the" and reading.tokens.shape[end : end + 1] == "_":
            return None
        cycle = [periods.season(year, str(value), reading.zone) for year in about]
    else:
        written = reading.tokens.spans[start + 1][0]
        if reading.word(start + 1) in ("may", "march") and reading.text[written].islower():
            return None
        cycle = [periods.month(year, int(str(value)), reading.zone) for year in about]
    return _of_cycle([period for period in cycle if period], now, step)


def _seasons_ago(reading: Reading, start: int, end: int) -> Period | None:
    """One of the seasons that have ended: "two summers ago" is the last but one."""
    now, count = reading.against, reading.numbers("dnyw", start, end)
    if now is None or not count or not 1 <= count[-1] <= 100:
        return None
    name = str(reading.tokens.values[reading.tokens.shape.index("S", start)])
    about = range(now.year - count[-1] - 2, now.year + 1)
    cycle = [periods.season(year, name, reading.zone) for year in about]
    return _of_cycle([period for period in cycle if period], now, -count[-1])


def _of_cycle(cycle: list[Period], now: datetime, step: int) -> Period | None:
    """One of the yearly returning ``cycle``: -1 is the last that has ended."""
    if step < 0:
        ended = [period for period in cycle if period.end <= now]
        return ended[step] if len(ended) >= -step else None
    if step > 0:
        return next((period for period in cycle if period.start > now), None)
    running = [period for period in cycle if period.start <= now < period.end]
    return running[0] if running else next((p for p in cycle if p.start.year == now.year), None)


def _weekday(now: datetime, number: int, step: int) -> Period | None:
    """The weekday of the week before, this week or the next; -1 is the latest before today."""
    if step < 0:
        back = (now.weekday() - number - 1) % 7 + 1 + 7 * (-step - 1)
        return _day_at(now, -back)
    return _day_at(now, number - now.weekday() + 7 * step)


def _day_at(now: datetime, days: int) -> Period | None:
    moment = periods.moved(now, "day", days)
    return periods.around(moment, "day") if moment else None


def _plain_weekday(reading: Reading, start: int, end: int) -> Period | None:
    """A weekday after a preposition; in "the Sunday mass" it is part of a name."""
    now, number = reading.against, reading.numbers("W", start, end)[0]
    if now is None or (start and reading.tokens.shape[start - 1] not in "p>B&,.-"):
        return None
    for index in range(start + 1, end):
        if reading.tokens.shape[index] in "LTX":
            return _day_at(now, number - now.weekday() + 7 * reading.step(index))
    back = (now.weekday() - number) % 7
    if reading.tense is Tense.PAST or reading.word(start - 1) == "since":
        return _day_at(now, -back)
    return _day_at(now, (7 - back) % 7)


def _weekday_ago(reading: Reading, start: int, end: int) -> Period | None:
    """That weekday of the week so long ago: "the Wednesday two months ago"."""
    counted = _ago(reading, start, end)
    if counted is None:
        return None
    number = reading.numbers("W", start, end)[0]
    return _day_at(counted.start, number - counted.start.weekday())


def count_of(reading: Reading, start: int, end: int) -> tuple[str, int] | None:
    """The unit and how many of it: "half a year" is 6 months, "полтора года" 18."""
    shape = reading.tokens.shape
    at = next((i for i in range(start, end) if shape[i] in "UYqK"), None)
    if at is None:
        return None
    unit = reading.unit(at)
    unit, each = ("month", 6) if unit == "half" else (unit, 1)
    before = shape[start:at]
    if "h" in before or "j" in before:
        halves = 3 if "j" in before else 1
        smaller = {"year": ("month", 6), "hour": ("minute", 30), "day": ("hour", 12)}
        smaller |= {"month": ("day", 15), "week": ("day", 3), "minute": ("minute", 0)}
        part = smaller.get(unit)
        return (part[0], part[1] * halves) if part else None
    told = reading.numbers("dnyw", start, at)
    if not told and "a" not in before and reading.word(at) not in _BARE_UNITS:
        return None
    return unit, each * (told[-1] if told else 1)


def _moved(reading: Reading, counted: tuple[str, int] | None, sign: int) -> Period | None:
    if counted is None or reading.against is None:
        return None
    unit, count = counted
    moment = periods.moved(reading.against, unit, sign * count)
    return periods.around(moment, unit if unit in _CLOCK_UNITS else "day") if moment else None


def _ago(reading: Reading, start: int, end: int) -> Period | None:
    return _sized(_moved(reading, count_of(reading, start, end), -1), reading, start, end)


def _ahead(reading: Reading, start: int, end: int) -> Period | None:
    """Some units on: "in 5 days", "через неделю". "In a week" without a future verb is a rate."""
    if reading.word(start) == "in":
        once = "a" in reading.tokens.shape[start:end]
        if reading.tense is Tense.PAST or (once and reading.tense is not Tense.FUTURE):
            return None
    return _sized(_moved(reading, count_of(reading, start, end), 1), reading, start, end)


def _sized(period: Period | None, reading: Reading, start: int, end: int) -> Period | None:
    """A day that was counted in months or years is known no better than to those."""
    counted = count_of(reading, start, end)
    if period is None or counted is None:
        return period
    known = {"month": Precision.MONTH, "quarter": Precision.MONTH}
    known |= {"year": Precision.YEAR, "decade": Precision.YEAR}
    return Period(period.start, period.end, known.get(counted[0], period.precision))


def slack(reading: Reading, start: int, end: int) -> timedelta:
    """How far off the count may be: half its unit, two units for "a few", nothing for days."""
    counted = count_of(reading, start, end)
    if counted is None:
        return timedelta(0)
    if any(reading.word(index) in _FEW for index in range(start, end)):
        return 2 * periods.length(counted[0])
    if counted[0] == "day" or counted[0] in _CLOCK_UNITS:
        return timedelta(0)
    return timedelta(days=periods.length(counted[0]).days // 2)


def _window(reading: Reading, start: int, end: int) -> Period | None:
    """The stretch up to now ("the last 3 months") or from now on ("the next 3 months")."""
    now, shape = reading.against, reading.tokens.shape
    at = next(i for i in range(start, end) if shape[i] in "lLTX")
    told = reading.numbers("dnyw", at, end)
    unit = reading.unit(end - 1)
    if now is None:
        return None
    if not told and (shape[at] == "L" and (start == at or reading.word(at) != "last")):
        return _unit(reading, at, end)
    if not told and unit in ("day", "quarter", *_CLOCK_UNITS):
        return _unit(reading, at, end) if unit == "quarter" else None
    count = told[-1] if told else 1
    if unit == "half":
        unit, count = "month", 6 * count
    if shape[at] == "X":
        later = periods.moved(now, unit, count)
        return Period(now, later, Precision.DAY) if later else None
    earlier = periods.moved(now, unit, -count)
    if earlier is None:
        return None
    if unit not in _CLOCK_UNITS:
        earlier = earlier.replace(hour=0, minute=0, second=0, microsecond=0)
    return Period(earlier, now, Precision.DAY)


def _unit(reading: Reading, start: int, end: int) -> Period | None:
    """The calendar unit beside or around now: "last week", "this quarter", "next year"."""
    now, shape = reading.against, reading.tokens.shape
    unit = reading.unit(end - 1)
    if now is None or unit in ("half", *_CLOCK_UNITS):
        return None
    if shape[start] not in "LTXVl":
        return _running(reading, now, unit, start)
    if unit == "day" and (shape[start] != "T" or reading.word(end - 1) not in ("day", "день")):
        return None
    # A month is counted from its first day: the 31st has no counterpart in many of them.
    begun = periods.around(now, unit)
    moment = begun and periods.moved(begun.start, unit, reading.step(start))
    return periods.around(moment, unit) if moment else None


def _running(reading: Reading, now: datetime, unit: str, start: int) -> Period | None:
    """The unit around now: "the end of the year", "до конца месяца"."""
    told = reading.word(start - 1) == "the" or not reading.word(start).isascii()
    return periods.around(now, unit) if told and unit != "day" else None


def _day_word(reading: Reading, start: int, end: int) -> Period | None:
    if reading.against is None:
        return None
    if reading.tokens.shape[start] != "H":
        return _day_at(reading.against, -1 if reading.step(start) < 0 else 0)
    return _day_at(reading.against, reading.numbers("H", start, end)[0])


Meaning = Callable[[Reading, int, int], Period | None]

MEANINGS: Final[dict[str, Meaning]] = {
    "named": _named,
    "seasons_ago": _seasons_ago,
    "weekday_ago": _weekday_ago,
    "weekday": _plain_weekday,
    "ago": _ago,
    "ahead": _ahead,
    "window": _window,
    "unit": _unit,
    "day_word": _day_word,
}
"""By the name of the shape; each takes the token range that matched."""

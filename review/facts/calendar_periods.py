"""Days, weeks, months, quarters, seasons and years as half-open periods; no words here.

A week begins on Monday. A season is three whole months: spring begins on 1 March, summer on
1 June, autumn on 1 September, winter on 1 December. Every function gives ``None`` for a period
that the calendar does not have (31 February, the year 0), and never raises.
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, datetime, timedelta, tzinfo
from typing import Final

from store.cells import Precision

SEASON_MONTH: Final = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
_MONTHS_OF: Final = {
    "month": 1,
    "quarter": 3,
    "half": 6,
    "year": 12,
    "decade": 120,
}
_DAYS_OF: Final = {"day": 1, "week": 7, "weekend": 7}
_SECONDS_OF: Final = {"hour": 3600, "minute": 60}


@dataclass(frozen=True, slots=True)
class Period:
    """``[start, end)``, aware, with how exactly it was told."""

    start: datetime
    end: datetime
    precision: Precision


def _at(year: int, month: int, day: int, zone: tzinfo) -> datetime | None:
    """Midnight of a day, or ``None`` if there is no such day."""
    if not (MINYEAR <= year <= MAXYEAR and 1 <= month <= 12):
        return None
    if not 1 <= day <= monthrange(year, month)[1]:
        return None
    return datetime(year, month, day, tzinfo=zone)


def _months(
    year: int, month: int, count: int, precision: Precision, zone: tzinfo
) -> Period | None:
    start = _at(year, month, 1, zone)
    if start is None:
        return None
    years, rest = divmod(month - 1 + count, 12)
    end = _at(year + years, rest + 1, 1, zone) or datetime.max.replace(tzinfo=zone)
    return Period(start, end, precision)


def day(year: int, month: int, date: int, zone: tzinfo) -> Period | None:
    """One calendar day."""
    start = _at(year, month, date, zone)
    if start is None:
        return None
    return Period(start, _later(start, timedelta(days=1)), Precision.DAY)


def month(year: int, number: int, zone: tzinfo) -> Period | None:
    """One calendar month, ``number`` from 1."""
    return _months(year, number, 1, Precision.MONTH, zone)


def quarter(year: int, number: int, zone: tzinfo) -> Period | None:
    """One quarter of a calendar year, ``number`` from 1 to 4."""
    if not 1 <= number <= 4:
        return None
    return _months(year, 3 * number - 2, 3, Precision.MONTH, zone)


def season(year: int, name: str, zone: tzinfo) -> Period | None:
    """The season that begins in ``year``; the winter of 2025 ends in February 2026."""
    return _months(year, SEASON_MONTH[name], 3, Precision.MONTH, zone)


def year(number: int, zone: tzinfo) -> Period | None:
    """One calendar year."""
    return _months(number, 1, 12, Precision.YEAR, zone)


def decade(first: int, zone: tzinfo) -> Period | None:
    """The ten years from ``first``."""
    return _months(first, 1, 120, Precision.YEAR, zone)


def moved(moment: datetime, unit: str, count: int) -> datetime | None:
    """``moment`` moved by so many units; a month's missing day becomes its last one."""
    try:
        if unit in _SECONDS_OF:
            return moment + timedelta(seconds=_SECONDS_OF[unit] * count)
        if unit in _DAYS_OF:
            return moment + timedelta(days=_DAYS_OF[unit] * count)
        years, rest = divmod(moment.month - 1 + _MONTHS_OF[unit] * count, 12)
        last = monthrange(moment.year + years, rest + 1)[1]
        return moment.replace(
            year=moment.year + years,
            month=rest + 1,
            day=min(moment.day, last),
        )
    except (ValueError, OverflowError):
        return None


def around(moment: datetime, unit: str) -> Period | None:
    """The calendar unit that holds ``moment``: its day, its week from Monday, its month."""
    zone = moment.tzinfo
    if zone is None:
        return None
    midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit in _SECONDS_OF:
        begun = moment.replace(second=0, microsecond=0)
        if unit == "hour":
            begun = begun.replace(minute=0)
        return Period(
            begun,
            _later(begun, timedelta(seconds=_SECONDS_OF[unit])),
            Precision.INSTANT,
        )
    if unit == "day":
        return day(moment.year, moment.month, moment.day, zone)
    if unit in _DAYS_OF:
        monday = moved(midnight, "day", -midnight.weekday())
        if monday is None:
            return None
        begun = _later(monday, timedelta(days=5)) if unit == "weekend" else monday
        return Period(begun, _later(monday, timedelta(days=7)), Precision.DAY)
    return _around_months(moment, unit, zone)


def _around_months(moment: datetime, unit: str, zone: tzinfo) -> Period | None:
    if unit == "month":
        return month(moment.year, moment.month, zone)
    if unit == "quarter":
        return quarter(moment.year, (moment.month + 2) // 3, zone)
    if unit == "half":
        return _months(moment.year, 1 if moment.month < 7 else 7, 6, Precision.MONTH, zone)
    if unit == "decade":
        return decade(moment.year // 10 * 10, zone)
    return year(moment.year, zone)


def part(period: Period, which: int, of: int) -> Period:
    """One of ``of`` equal parts, from 0: "early March" is the first of three, to the day.

    Whole months are kept where they divide: the first half of a year is six of them.
    """
    days = (period.end - period.start).days
    if days < of:
        return period
    months = (period.end.year - period.start.year) * 12 + period.end.month - period.start.month
    if period.start.day == period.end.day == 1 and months and months % of == 0:
        unit, size, precision = "month", months, Precision.MONTH
    else:
        unit, size, precision = "day", days, Precision.DAY
    begun = moved(period.start, unit, size * which // of)
    ended = moved(period.start, unit, size * (which + 1) // of)
    return Period(begun, ended, precision) if begun and ended else period


def length(unit: str) -> timedelta:
    """About how long one unit lasts."""
    if unit in _SECONDS_OF:
        return timedelta(seconds=_SECONDS_OF[unit])
    if unit in _DAYS_OF:
        return timedelta(days=_DAYS_OF[unit])
    return timedelta(days=_MONTHS_OF[unit] * 30)


def _later(moment: datetime, by: timedelta) -> datetime:
    """``moment + by``, or the calendar's last instant."""
    try:
        return moment + by
    except OverflowError:
        return datetime.max.replace(tzinfo=moment.tzinfo)

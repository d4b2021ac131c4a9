"""Instants as whole microseconds since 1970, so that a million of them are one array.

A bound of an interval is an RFC 3339 instant or a plain date, as its source gave it; a plain date
is its first instant in UTC.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

ALWAYS: Final = -(2**62)
"""Before every moment: an interval without a start."""

NEVER: Final = 2**62
"""After every moment: an interval without an end."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


def of(moment: datetime) -> int:
    """An aware moment as microseconds since 1970; exact for every year from 1 to 9999."""
    return (moment - _EPOCH) // _MICROSECOND


def moment_of(instant: int) -> datetime | None:
    """The moment of an instant; None for ``ALWAYS`` and ``NEVER``."""
    if not -(10**18) < instant < 10**18:
        return None
    return _EPOCH + timedelta(microseconds=instant)


@lru_cache(maxsize=100_000)
def read(bound: str) -> int | None:
    """The first instant of a bound: an instant, a day, a month or a year; None if it is none.

    An instant without an offset is taken as UTC; whoever imports it has flagged that already.
    """
    text = bound.strip()
    if len(text) in (4, 7) and text[:4].isdigit():
        text = f"{text}-01-01" if len(text) == 4 else f"{text}-01"
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return of(moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC))


@lru_cache(maxsize=100_000)
def day(instant: int) -> str:
    """An instant as people read it: a date, with the time only where it is not midnight UTC."""
    moment = moment_of(instant)
    if moment is None:
        return "always" if instant < 0 else "never"
    if (moment.hour, moment.minute, moment.second, moment.microsecond) == (0, 0, 0, 0):
        return moment.date().isoformat()
    return moment.replace(microsecond=0).isoformat().replace("+00:00", "Z")

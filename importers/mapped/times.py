"""Dates as spreadsheets write them, beside all that ``times`` knows.

Only what has one reading: ``31.12.2025`` is a day, and so are ``31/12/2025`` and ``12/31/2025``,
because no year has 31 months; ``01/02/2025`` is two different days to two people and stays unread.
"""

from __future__ import annotations

import re
from typing import Final

from importers import times
from importers.times import Bound, Moment

_USUAL: Final = re.compile(
    r"(\d{1,2})([./])(\d{1,2})\2(\d{4})(?:,? (\d{1,2}):(\d\d)(?::(\d\d))?)?", re.ASCII
)
_MONTHS: Final = 12


def moment(value: object) -> Moment | None:
    """``value`` as a moment, or ``None``."""
    return times.moment(_usual(value))


def bound(value: object) -> Bound | None:
    """``value`` as an end of an interval, or ``None``."""
    return times.bound(_usual(value))


def _usual(value: object) -> object:
    if not isinstance(value, str):
        return value
    found = _USUAL.fullmatch(value.strip())
    if found is None:
        return value.strip()
    day, month = int(found[1]), int(found[3])
    if found[2] == "/" and day != month:
        if day <= _MONTHS and month <= _MONTHS:
            return value.strip()
        day, month = max(day, month), min(day, month)
    date = f"{found[4]}-{month:02}-{day:02}"
    return f"{date}T{int(found[5]):02}:{found[6]}:{found[7] or '00'}" if found[5] else date

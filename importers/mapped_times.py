"""Dates as spreadsheets write them, beside all that ``times`` knows.

Only what has one reading: ``31.12.2025`` is a day; ``01/02/2025`` is two different days to two
people and stays unread.
"""

from __future__ import annotations

import re
from typing import Final

from importers import times
from importers.times import Bound, Moment

_DOTTED: Final = re.compile(
    r"(\d{1,2})\.(\d{1,2})\.(\d{4})(?:,? (\d{1,2}):(\d\d)(?::(\d\d))?)?", re.ASCII
)


def moment(value: object) -> Moment | None:
    """``value`` as a moment, or ``None``."""
    return times.moment(_usual(value))


def bound(value: object) -> Bound | None:
    """``value`` as an end of an interval, or ``None``."""
    return times.bound(_usual(value))


def _usual(value: object) -> object:
    if not isinstance(value, str):
        return value
    found = _DOTTED.fullmatch(value.strip())
    if found is None:
        return value.strip()
    day = f"{found[3]}-{int(found[2]):02}-{int(found[1]):02}"
    return f"{day}T{int(found[4]):02}:{found[5]}:{found[6] or '00'}" if found[4] else day

"""Foreign timestamps as RFC 3339 text with an offset.

Every shape seen in the formats is read; a shape that is not known is not guessed. A time without
a zone is taken as UTC and says so. Times that stand inside a memory's text are never looked at.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import Final, NamedTuple

from store.cells import Precision

_ISO: Final = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?([.,]\d{1,9})?\s?(Z|z|[+-]\d\d(?::?\d\d)?)?",
    re.ASCII,
)
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_MONTH: Final = re.compile(r"\d{4}-\d\d", re.ASCII)
_YEAR: Final = re.compile(r"\d{4}", re.ASCII)
_MINUTES: Final = re.compile(r"(?:19|20)\d{10}", re.ASCII)
_COMPACT: Final = re.compile(r"(\d{8}T\d{6})(\d{6})Z[0-9A-Fa-f-]{0,36}", re.ASCII)
_NUMBER: Final = re.compile(r"\d{9,19}(?:\.\d{1,9})?", re.ASCII)
_SLASHED: Final = re.compile(r"(\d{4}/\d\d/\d\d) \([A-Z][a-z]{2}\) (\d\d:\d\d)", re.ASCII)
_SPOKEN: Final = re.compile(
    r"(\d{1,2}):(\d\d) ([ap]m) on (\d{1,2}) ([A-Z][a-z]+),? (\d{4})", re.ASCII | re.IGNORECASE
)
_MONTHS: Final = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH_UNITS: Final = ((10**11, 1), (10**14, 10**3), (10**17, 10**6), (10**20, 10**9))


class Moment(NamedTuple):
    """A point in time as the source gave it."""

    text: str
    """RFC 3339 with offset. The fraction keeps the digits it had, at most nine."""

    precision: Precision
    tz_assumed: bool = False

    def instant(self) -> datetime:
        """The same moment as a value, to the microsecond."""
        return datetime.fromisoformat(self.text)


class Bound(NamedTuple):
    """One end of a validity interval: an instant, or a plain date kept as a date."""

    text: str
    precision: Precision
    tz_assumed: bool = False


def is_later(one: Moment, other: Moment) -> bool:
    """Whether ``one`` comes after ``other``, whatever their offsets."""
    left, right = one.text, other.text
    if len(left) == len(right) and left[-6:] == right[-6:]:
        return left > right
    return one.instant() > other.instant()


def moment(value: object) -> Moment | None:
    """``value`` as a moment, or ``None`` when it is in no known shape or does not exist.

    Known: ISO 8601 with ``Z``, an offset or no zone, with up to nine digits of fraction; a plain
    day; epoch seconds, milliseconds, microseconds or nanoseconds, told apart by magnitude, as
    numbers or digits; ``YYYYMMDDHHMM``; ``2023/05/20 (Sat) 02:21``; ``1:56 pm on 8 May, 2023``;
    ``20241011T205824544431Z`` with an id after it.
    """
    if isinstance(value, str):
        if value[10:11] == "T" and value[13:14] == ":" and value[-3:-2] == ":":
            return _usual(value)
        found = _ISO.fullmatch(value)
        return _iso(*found.groups()) if found else _other(value.strip())
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return _epoch(value)


def _usual(value: str) -> Moment | None:
    """The shape nearly every writer uses, ``…T10:00:00+00:00``, without taking it apart."""
    if value[-6] in "+-" and 25 <= len(value) <= 35 and "0002" < value[:4] < "9998":
        try:
            datetime.fromisoformat(value)
        except ValueError:
            return None
        if value[4] == value[7] == "-" and value.isascii():
            return Moment(value, Precision.INSTANT)
    found = _ISO.fullmatch(value)
    return _iso(*found.groups()) if found else _other(value.strip())


def bound(value: object) -> Bound | None:
    """``value`` as an end of an interval: a year, month or day stays one, else ``moment``."""
    if isinstance(value, str):
        for shape, tail, precision in (
            (_DAY, "", Precision.DAY),
            (_MONTH, "-01", Precision.MONTH),
            (_YEAR, "-01-01", Precision.YEAR),
        ):
            if shape.fullmatch(value):
                return Bound(value + tail, precision) if _is_day(value + tail) else None
    found = moment(value)
    return Bound(*found) if found else None


def earliest(text: str) -> datetime:
    """The first instant of a bound's text, for putting bounds in order."""
    if len(text) == len("2026-03-01"):
        return datetime.fromisoformat(text).replace(tzinfo=UTC)
    return datetime.fromisoformat(text)


def _iso(
    day: str, clock: str, seconds: str | None, part: str | None, zone: str | None
) -> Moment | None:
    fraction = part.replace(",", ".") if part else ""
    if fraction and not seconds:
        return None
    if zone is None:
        offset = "+00:00"
    elif zone in "Zz":
        offset = "Z"
    else:
        offset = zone if ":" in zone else f"{zone[:3]}:{zone[3:] or '00'}"
    text = f"{day}T{clock}{seconds or ':00'}{fraction}{offset}"
    try:
        datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return Moment(text, Precision.INSTANT, zone is None)


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _other(text: str) -> Moment | None:
    if _DAY.fullmatch(text) and _is_day(text):
        return Moment(f"{text}T00:00:00+00:00", Precision.DAY, tz_assumed=True)
    if _MINUTES.fullmatch(text):
        return _naive(f"{text[:8]}T{text[8:]}00")
    if compact := _COMPACT.fullmatch(text):
        found = _naive(f"{compact[1]}.{compact[2]}")
        return found and found._replace(tz_assumed=False)
    if _NUMBER.fullmatch(text):
        return _epoch(float(text) if "." in text else int(text))
    if slashed := _SLASHED.fullmatch(text):
        return _naive(f"{slashed[1].replace('/', '-')}T{slashed[2]}:00")
    if (spoken := _SPOKEN.fullmatch(text)) and spoken[5].lower() in _MONTHS:
        hour = int(spoken[1])
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if spoken[3].lower() == "pm" else 0)
        month = _MONTHS.index(spoken[5].lower()) + 1
        day = f"{spoken[6]}-{month:02}-{int(spoken[4]):02}"
        return _naive(f"{day}T{hour:02}:{spoken[2]}:00")
    return None


def _naive(text: str) -> Moment | None:
    try:
        found = datetime.fromisoformat(text).replace(tzinfo=UTC)
    except ValueError:
        return None
    return Moment(found.isoformat(), Precision.INSTANT, tz_assumed=True)


def _epoch(number: float) -> Moment | None:
    for below, per_second in _EPOCH_UNITS:
        if 10**8 <= number < below:
            micros = int(number * 10**6) // per_second if per_second > 1 else round(number * 10**6)
            try:
                found = _EPOCH + timedelta(microseconds=micros)
            except OverflowError:
                return None
            return Moment(found.isoformat(), Precision.INSTANT)
    return None

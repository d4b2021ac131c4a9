"""Times of a graph, in whatever form a driver of its database wrote them.

Graphiti's own dump has ISO text. What comes out of a database query may be an epoch number, text
with a zone's name behind it, or an object of parts.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Final

from importers import times
from importers.faults import RecordFaultError
from importers.json_reading.strict import JsonObject
from importers.times import Moment
from store.cells import Interval, Precision
from store.records import FailReason

_ZONE_NAME: Final = re.compile(r"\s*\[[A-Za-z0-9_+/:-]{1,40}\]$")
_WRAPPED: Final = ("$date", "_value", "value", "iso", "iso8601", "isoFormat", "datetime")
_SECONDS: Final = ("epochSeconds", "epoch_seconds", "seconds")
_MILLIS: Final = ("epochMillis", "epoch_millis", "$numberLong")


def instant(record: JsonObject, name: str) -> Moment | None:
    """The time under ``name``; ``None`` when absent, null or empty.

    Raises:
        RecordFaultError: ``TIME_INVALID``, naming ``name``.
    """
    value = record.get(name)
    if value is None or value == "":
        return None
    found = _moment(value, depth=0)
    if found is None:
        raise RecordFaultError(FailReason.TIME_INVALID, name=name)
    return found


def valid(record: JsonObject) -> tuple[Interval, bool]:
    """World time ``[valid_at, invalid_at)``, and whether a zone was assumed.

    Raises:
        RecordFaultError: ``TIME_INVALID``, or ``FIELD_INVALID`` if it ends before it starts.
    """
    start, end = instant(record, "valid_at"), instant(record, "invalid_at")
    if start and end and times.is_later(start, end):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="invalid_at")
    given = [one for one in (start, end) if one]
    if not given:
        return Interval(), False
    found = Interval(start and start.text, end and end.text, Precision.INSTANT)
    return found, any(one.tz_assumed for one in given)


def _moment(value: object, *, depth: int) -> Moment | None:
    if isinstance(value, str):
        return times.moment(_ZONE_NAME.sub("", value))
    if not isinstance(value, dict):
        return times.moment(value)
    if depth > 2:
        return None
    for name in _WRAPPED:
        if name in value:
            return _moment(value[name], depth=depth + 1)
    for name in (*_SECONDS, *_MILLIS):
        if (number := _whole(value.get(name))) is not None:
            return times.moment(number)
    if "year" in value:
        return _parts(value)
    date, time = value.get("date"), value.get("time")
    if isinstance(date, dict) and isinstance(time, dict):
        return _parts({**date, **time, **{k: v for k, v in value.items() if k not in time}})
    return None


def _parts(value: JsonObject) -> Moment | None:
    names = ("year", "month", "day", "hour", "minute", "second")
    numbers = [_whole(value.get(name, 1 if name in ("month", "day") else 0)) for name in names]
    nanos = _whole(value.get("nanosecond", 0))
    told = value.get("timeZoneOffsetSeconds", value.get("timezoneOffsetSeconds"))
    offset = _whole(told) if told is not None else 0
    if None in numbers or nanos is None or offset is None:
        return None
    try:
        zone = timezone(timedelta(seconds=offset)) if offset else UTC
        found = datetime(*[int(one or 0) for one in numbers], tzinfo=zone)  # type: ignore[misc,arg-type]
    except (ValueError, OverflowError):
        return None
    text = found.isoformat()
    fraction = f".{nanos:09}".rstrip("0") if 0 < nanos < 10**9 else ""
    whole = Moment(text[:19] + fraction + text[19:], Precision.INSTANT, told is None)
    return times.moment(whole.text) and whole


def _whole(value: object) -> int | None:
    """A whole number, also as digits or as the halves ``{"low", "high"}`` of a driver."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and re.fullmatch(r"-?\d{1,19}", value, re.ASCII):
        return int(value)
    if isinstance(value, dict) and isinstance(value.get("low"), int):
        low, high = value["low"], value.get("high", 0)
        if isinstance(low, int) and isinstance(high, int):
            return (high << 32) + (low & 0xFFFFFFFF) if high else low
    return None

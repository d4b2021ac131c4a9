"""Values as EverMemOS writes them: plain, or in MongoDB's extended JSON.

``{"$oid": …}`` is an id, ``{"$date": …}`` a time, ``{"$numberLong": …}`` a number. A profile names
its sources as ``2026-02-15|evt-1`` or ``evt-1``.
"""

from __future__ import annotations

from typing import Final

from importers import fields, times
from importers.json_reading.strict import JsonObject
from store.records import RemarkCode

_WRAPPED: Final = frozenset(
    {"$oid", "$date", "$numberLong", "$numberInt", "$numberDouble", "$numberDecimal"}
)


def plain(value: object) -> object:
    """The value without MongoDB's wrappers, all the way down."""
    if isinstance(value, dict):
        if len(value) == 1 and (key := next(iter(value))) in _WRAPPED:
            return plain(value[key])
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    return value


def native_id(record: JsonObject) -> str | None:
    """The record's own id, under any of its names."""
    for name in ("id", "_id", "event_id", "memory_id"):
        if found := fields.identity(record, name, called="id"):
            return found
    return None


def written_at(
    record: JsonObject, names: tuple[str, ...], modified_at: str | None
) -> tuple[str | None, list[str]]:
    """The first of these times that the record has, else the file's own, with what to remark.

    Raises:
        RecordFaultError: ``TIME_INVALID`` if it is no time.
    """
    for name in names:
        if found := _moment(record, name):
            return found.text, [RemarkCode.TIME_ZONE_ASSUMED] if found.tz_assumed else []
    return modified_at, [RemarkCode.WRITTEN_AT_ASSUMED] if modified_at else []


def _moment(record: JsonObject, name: str) -> times.Moment | None:
    return fields.instant(record, name)

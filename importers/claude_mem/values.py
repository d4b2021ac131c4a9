"""Values as claude-mem stores them: lists that are JSON inside a string, and times told twice.

A list may also be a real list, absent, empty, or plain text. Files and concepts in plain text
stand between commas; facts are sentences, which have commas of their own, so each line is one.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final

from importers import fields, times
from importers.faults import RecordFaultError
from importers.json_reading import strict
from importers.json_reading.strict import JsonObject
from store.records import FailReason

_LINES: Final = re.compile(r"\r?\n")
_COMMAS: Final = re.compile(r"[,\r\n]")
_MARK: Final = re.compile(r"[-*•]\s+")
_APART: Final = timedelta(days=1)
"""A written time and its epoch may differ by a zone that one of them has lost."""


def listed(record: JsonObject, name: str, *, lines: bool = False) -> tuple[list[object], bool]:
    """The items under ``name``, and whether they were JSON inside a string.

    Args:
        record: A row.
        name: Its field.
        lines: Whether plain text is one item a line, and not between commas.

    Raises:
        RecordFaultError: ``FIELD_INVALID`` if it is neither a list nor a text.
    """
    value = record.get(name)
    if value is None:
        return [], False
    if isinstance(value, list):
        return value, False
    if not isinstance(value, str):
        raise RecordFaultError(FailReason.FIELD_INVALID, name=name)
    told = value.strip()
    if told.startswith("[") or told in ("null", '""'):
        try:
            opened = strict.parse(told.encode())
        except RecordFaultError:
            raise RecordFaultError(FailReason.FIELD_INVALID, name=name) from None
        return (opened if isinstance(opened, list) else []), True
    parts = (_LINES if lines else _COMMAS).split(told)
    words = (_MARK.sub("", one.strip(), count=1) if lines else one.strip() for one in parts)
    return [one for one in words if one], False


def words(record: JsonObject, name: str) -> tuple[list[str], bool]:
    """``listed``, where every item must be a text.

    Raises:
        RecordFaultError: ``FIELD_INVALID``.
    """
    items, twice = listed(record, name)
    found: list[str] = []
    for one in items:
        if not isinstance(one, str):
            raise RecordFaultError(FailReason.FIELD_INVALID, name=name)
        if one.strip():
            found.append(one.strip())
    return found, twice


def written(record: JsonObject, name: str) -> tuple[times.Moment | None, bool]:
    """The time under ``name``, else under ``<name>_epoch``; and whether the two disagree.

    An epoch is in milliseconds, or by mistake in seconds; either is read by its size.

    Raises:
        RecordFaultError: ``TIME_INVALID``.
    """
    found = fields.instant(record, name, called="created_at")
    value = record.get(f"{name}_epoch")
    counted = times.moment(value) if value not in (None, "", 0) else None
    if found is None:
        if counted is None and value not in (None, ""):
            raise RecordFaultError(FailReason.TIME_INVALID, name="created_at_epoch")
        return counted, False
    if value in (None, ""):
        return found, False
    apart = counted is None or abs(found.instant() - counted.instant()) > _APART
    return found, apart

"""Values that are written as JSON inside a JSON string, once or twice, and lists of words.

Vector stores keep flat metadata, so lists and objects reach a file as strings that hold JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from importers import fields
from importers.faults import RecordFaultError
from importers.json_reading.strict import parse
from store.records import FailReason

_LEVELS: Final = 3
_BEGINS: Final = ("{", "[", '"')


def opened(value: object) -> tuple[object, bool]:
    """The value inside a string that holds JSON, and whether there was one.

    A string that is no JSON, or is JSON that we refuse, stays as it is.
    """
    found, was = value, False
    for _ in range(_LEVELS):
        if not isinstance(found, str) or not found.lstrip().startswith(_BEGINS):
            break
        try:
            found = parse(found.strip().encode("utf-8", "surrogatepass"))
        except RecordFaultError:
            break
        was = True
    return found, was


def listed(record: Mapping[str, object], name: str) -> tuple[list[object], bool]:
    """The list under ``name``, and whether it stood in a string. Absent and null are empty.

    One string that holds no JSON is a list of one.

    Raises:
        RecordFaultError: ``FIELD_INVALID`` for anything else.
    """
    value, was = opened(record.get(name))
    if value is None or value in ("", "None", "null"):
        return [], was
    if isinstance(value, str):
        return [value], was
    if not isinstance(value, list):
        raise RecordFaultError(FailReason.FIELD_INVALID, name=name)
    return value, was


def words(record: Mapping[str, object], name: str) -> tuple[tuple[str, ...], bool]:
    """As ``listed``, for a list of words. Whole numbers become words, nulls are left out.

    Raises:
        RecordFaultError: ``FIELD_INVALID`` if it is no such list.
    """
    found, was = listed(record, name)
    told: list[str] = []
    for one in found:
        if one is None:
            continue
        word = fields.identity({name: one}, name)
        if word:
            told.append(word)
    return tuple(dict.fromkeys(told)), was

"""OTLP's own values: typed attributes, ids in hex, names in camel case or with underscores."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from typing import Final

from importers.faults import RecordFaultError
from importers.json_reading.strict import JsonObject
from store.records import FailReason

_HEX: Final = re.compile(r"[0-9a-fA-F]+")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])([A-Z])")


def field(record: JsonObject, name: str) -> object:
    """The value under ``name``, in camel case or with underscores."""
    value = record.get(name)
    return record.get(snake(name)) if value is None else value


def snake(name: str) -> str:
    """``traceId`` as ``trace_id``."""
    return _HUMP.sub(lambda found: "_" + found[1].lower(), name)


def identity(record: JsonObject, name: str) -> str:
    """An id in lower-case hex; an id in base64, as plain protobuf JSON writes it, becomes hex.

    Raises:
        RecordFaultError: ``FIELD_INVALID`` if it is no string.
    """
    value = field(record, name)
    if value in (None, ""):
        return ""
    if not isinstance(value, str):
        raise RecordFaultError(FailReason.FIELD_INVALID, name=name)
    if _HEX.fullmatch(value):
        return value.lower() if value.strip("0") else ""
    try:
        found = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return value
    return found.hex() if len(found) in (8, 16) else value


def attributes(value: object) -> JsonObject:
    """A list of keys with typed values as an object; an object stays one. The first key wins.

    Raises:
        RecordFaultError: ``FIELD_INVALID`` if it is neither.
    """
    found: JsonObject = {}
    if value is None:
        return found
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if not isinstance(value, list):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="attributes")
    for one in value:
        if not isinstance(one, dict) or not isinstance(one.get("key"), str):
            raise RecordFaultError(FailReason.FIELD_INVALID, name="attributes")
        found.setdefault(one["key"], plain(one.get("value")))
    return found


def plain(value: object) -> object:
    """A typed value without its type. Whole numbers may be written as strings."""
    if not isinstance(value, dict) or len(value) != 1:
        return value if value != {} else None
    ((name, inner),) = value.items()
    match snake(name):
        case "string_value" | "bool_value" | "double_value":
            return inner
        case "int_value":
            text = str(inner)
            whole = text.lstrip("-").isdecimal() and len(text) < 20
            return int(text) if whole and not isinstance(inner, bool) else inner
        case "array_value":
            return [plain(one) for one in _values(inner)]
        case "kvlist_value":
            return attributes(_values(inner))
        case "bytes_value":
            return _bytes(inner)
    return value


def _values(inner: object) -> list[object]:
    values = inner.get("values") if isinstance(inner, dict) else inner
    return values if isinstance(values, list) else []


def _bytes(inner: object) -> object:
    """Bytes that are text as text; other bytes as a pointer with size and digest."""
    if not isinstance(inner, str):
        return inner
    try:
        found = base64.b64decode(inner, validate=True)
    except (binascii.Error, ValueError):
        return inner
    try:
        text = found.decode("utf-8")
    except UnicodeDecodeError:
        text = ""
    if text.isprintable() and text:
        return text
    return {
        "media_type": "application/octet-stream",
        "bytes": len(found),
        "sha256": hashlib.sha256(inner.encode()).hexdigest(),
    }

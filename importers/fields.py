"""Reads named fields out of a parsed record, and says which one is wrong when one is.

Names given here are ours, never the file's, because they end up in the log.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from importers import times
from importers.faults import RecordFaultError
from store.records import FailReason

_EXACT_INTEGERS = 2**53
"""Beyond this, JSON readers of other languages round; such numbers are kept as digits."""


def text(record: Mapping[str, object], name: str, *, called: str = "") -> str | None:
    """The string under ``name`` without white space around it; ``None`` when absent or null.

    Raises:
        RecordFaultError: ``FIELD_INVALID``, naming ``called`` or ``name``, if it is no string.
    """
    value = record.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise RecordFaultError(FailReason.FIELD_INVALID, name=called or name)
    return value.strip()


def needed(record: Mapping[str, object], name: str) -> str:
    """The string under ``name``, not empty.

    Raises:
        RecordFaultError: ``FIELD_MISSING`` or ``FIELD_INVALID``, naming ``name``.
    """
    found = text(record, name)
    if not found:
        raise RecordFaultError(FailReason.FIELD_MISSING, name=name)
    return found


def identity(record: Mapping[str, object], name: str, *, called: str = "") -> str | None:
    """A native id: a string, or a whole number written out. ``None`` when absent or empty.

    Raises:
        RecordFaultError: ``FIELD_INVALID`` for anything else.
    """
    value = record.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return text(record, name, called=called) or None


def instant(record: Mapping[str, object], name: str, *, called: str = "") -> times.Moment | None:
    """The time under ``name``; ``None`` when absent, null or empty.

    Raises:
        RecordFaultError: ``TIME_INVALID`` if it is there and is no time.
    """
    value = record.get(name)
    if value is None or value == "":
        return None
    found = times.moment(value)
    if found is None:
        raise RecordFaultError(FailReason.TIME_INVALID, name=called or name)
    return found


def decimal(value: object) -> str | None:
    """A number, or a string that writes one, as a plain decimal string; ``None`` otherwise."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    if not number.is_finite() or abs(number.adjusted()) > 18:
        return None
    plain = format(number, "f")
    return (plain.rstrip("0").rstrip(".") or "0") if "." in plain else plain


def told(value: object) -> object:
    """A foreign value fit to be kept: no floating-point numbers and no huge integers.

    Both become the digits they were written with, as near as they can be.
    """
    if type(value) is str or value is None:
        return value
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, int) and abs(value) > _EXACT_INTEGERS:
        return str(value)
    if isinstance(value, dict):
        return {key: inner if type(inner) is str else told(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [told(inner) for inner in value]
    return value


def canonical(value: object) -> bytes:
    """Compact JSON with sorted keys, for identities and for rows without bytes of their own."""
    return json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    ).encode("utf-8", "replace")


def fingerprint(*parts: str) -> str:
    """The first 32 hex digits of SHA-256 over the parts, NUL between them."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]


def numbered(own: str, seen: Counter[str]) -> str:
    """``own`` the first time, then ``own+``, ``own+2`` and so on; ``seen`` counts."""
    before = seen[own]
    seen[own] += 1
    return own if not before else f"{own}+" if before == 1 else f"{own}+{before}"

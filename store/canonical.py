"""The one way a value becomes bytes that are stored, hashed and signed.

A subset of RFC 8785: objects with ASCII keys, arrays, strings, booleans, null and integers below
2**53 in size. No floating-point numbers, so no two writers can disagree about a digit. Strings
are kept as received: nothing is normalised.
"""

from __future__ import annotations

import hashlib
import json
from json.encoder import encode_basestring
from typing import Any, Final

_LIMIT: Final = 2**53
_ENCODER: Final = json.JSONEncoder(
    sort_keys=True,
    separators=(",", ":"),
    ensure_ascii=False,
    allow_nan=False,
    check_circular=False,  # nothing here can hold itself, and looking costs a fifth
)


class NotCanonicalError(ValueError):
    """A value or a byte string is outside the canonical subset."""


def encode(value: object) -> bytes:
    """``value`` as canonical JSON, UTF-8.

    Raises:
        NotCanonicalError: For a float, an integer of 2**53 or more, a key that is not ASCII text,
            a lone surrogate, or any other type.

    Source:
        RFC 8785 (JCS), restricted so that plain sorted ``json.dumps`` gives the same bytes.
    """
    _check(value)
    return spell(value)


def spell(value: object) -> bytes:
    """``encode`` without the walk over ``value``, for what our own code has just put together.

    Only for dicts with ASCII keys, lists, tuples, strings, booleans, null and small integers. Of
    anything else it may make bytes that are not canonical, which ``decode`` refuses.

    Raises:
        NotCanonicalError: For a lone surrogate.
    """
    return utf8(_ENCODER.encode(value))


def quote(text: str | None) -> str:
    """One string, or null, as it stands in canonical JSON: for forms that are spelled by hand."""
    return "null" if text is None else encode_basestring(text)


def utf8(spelled: str) -> bytes:
    """Canonical text as bytes.

    Raises:
        NotCanonicalError: For a lone surrogate.
    """
    try:
        return spelled.encode("utf-8")
    except UnicodeEncodeError as error:
        msg = "a string holds a lone surrogate, which has no UTF-8 form."
        raise NotCanonicalError(msg) from error


def decode(data: bytes) -> Any:  # noqa: ANN401 - JSON has no narrower type
    """The value that ``data`` is the canonical form of.

    Raises:
        NotCanonicalError: If ``data`` is not JSON, or is JSON in any other spelling.
    """
    try:
        value = json.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        msg = f"not JSON in UTF-8: {type(error).__name__}."
        raise NotCanonicalError(msg) from error
    if encode(value) != data:
        msg = "JSON, but not in its canonical spelling."
        raise NotCanonicalError(msg)
    return value


def sha256(*parts: bytes) -> bytes:
    """SHA-256 over the parts, one after the other. 32 bytes."""
    return hashlib.sha256(b"".join(parts)).digest()


_PLAIN: Final = frozenset({str, bool, type(None)})


def _check(value: object) -> None:
    """Walk containers only; a plain value costs one look at its type."""
    kind = type(value)
    if kind in _PLAIN:
        return
    if kind is dict:
        for key in value:  # type: ignore[attr-defined]  # kind is dict
            if type(key) is not str or not key.isascii():
                msg = f"the key {key!r} is not ASCII text."
                raise NotCanonicalError(msg)
        inner = value.values()  # type: ignore[attr-defined]  # kind is dict
    elif kind is list or kind is tuple:
        inner = value
    elif kind is int:
        if not -_LIMIT < value < _LIMIT:  # type: ignore[operator]  # kind is int
            msg = f"the integer {value} needs more than 53 bits. Write it as a string."
            raise NotCanonicalError(msg)
        return
    else:
        msg = f"{kind.__name__} has no canonical form. Numbers with a fraction go in as strings."
        raise NotCanonicalError(msg)
    for one in inner:
        if type(one) not in _PLAIN:
            _check(one)

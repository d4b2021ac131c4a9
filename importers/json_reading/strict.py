"""One JSON record, read strictly. What Python's ``json`` lets through in silence is refused.

Refused: NaN, Infinity and numbers that overflow to it, a key given twice, half of a surrogate
pair, nesting deeper than 32, whole numbers of more than 19 digits, strings over 64 KiB, keys over
200 bytes, objects of more than 1,000 keys, bytes that are not UTF-8. Nothing is repaired. The one
substitution: base64 over 4 kB, in a record that says ``base64``, becomes a pointer
``{"media_type", "bytes", "sha256"}`` before the limits apply.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from typing import Final, NoReturn

from importers.faults import RecordFaultError
from importers.json_reading import tokens as json_tokens
from store.records import FailReason

MAX_DEPTH: Final = 32
MAX_DIGITS: Final = 19
MAX_STRING: Final = 64 * 1024
MAX_KEYS: Final = 1_000
MAX_KEY: Final = 200
POINTER_OVER: Final = 4_096
_INFINITIES: Final = (float("inf"), float("-inf"))
_BACKSLASH: Final = ord("\\")
_SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")
_BASE64: Final = re.compile(
    rb"(?:data:([\w.+-]{1,60}/[\w.+-]{1,60})?(?:;[\w=-]{1,60})?;base64,)?[A-Za-z0-9+/]+={0,2}"
)

JsonObject = dict[str, object]


class _Rule(Exception):
    def __init__(self, reason: FailReason) -> None:
        self.reason = reason


def _object(pairs: list[tuple[str, object]]) -> JsonObject:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Rule(FailReason.DUPLICATE_KEYS)
    if len(found) > MAX_KEYS:
        raise _Rule(FailReason.TOO_MANY_KEYS)
    names = "".join(found)
    if len(names) > MAX_KEY or not names.isascii():
        for key in found:
            if len(key.encode("utf-8", "surrogatepass")) > MAX_KEY:
                raise _Rule(FailReason.TOO_LONG)
    return found


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS and len(digits.lstrip("-")) > MAX_DIGITS:
        raise _Rule(FailReason.NUMBER_TOO_LONG)
    return int(digits)


def _fraction(digits: str) -> float:
    number = float(digits)
    if number in _INFINITIES:
        raise _Rule(FailReason.NOT_A_NUMBER)
    return number


def _constant(_: str) -> NoReturn:
    raise _Rule(FailReason.NOT_A_NUMBER)


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_int=_integer,
    parse_float=_fraction,
    parse_constant=_constant,
)
_SCAN: Final[Callable[[str, int], tuple[object, int]]] = vars(_DECODER)["scan_once"]


def parse(raw: bytes, *, last: bool = False, shallow: bool = False) -> object:
    """The value that ``raw`` writes.

    Args:
        raw: The bytes of one record, without a line ending.
        last: Whether the source ends here; then a record that does not close is ``CUT_SHORT``
            and not ``NOT_JSON``.
        shallow: Whether the caller already knows that the nesting is within bounds.

    Returns:
        ``dict``, ``list``, ``str``, ``int``, ``float``, ``bool`` or ``None``.

    Raises:
        RecordFaultError: With the reason and the byte column where it shows.
    """
    deep = None if shallow else json_tokens.deeper_than(raw, MAX_DEPTH)
    if deep is not None:
        raise RecordFaultError(FailReason.TOO_DEEP, deep)
    checked = _short_strings(raw) if len(raw) > POINTER_OVER else raw
    try:
        text = checked.decode("utf-8")
    except UnicodeDecodeError as error:
        cut = last and error.end == len(checked) and json_tokens.is_open(raw)
        reason = FailReason.CUT_SHORT if cut else FailReason.NOT_UTF8
        raise RecordFaultError(reason, error.start) from None
    try:
        value = _scan(text)
    except _Rule as broken:
        column = json_tokens.locate(raw, broken.reason)
        raise RecordFaultError(broken.reason, column) from None
    except json.JSONDecodeError as error:
        cut = last and json_tokens.is_open(raw)
        reason = FailReason.CUT_SHORT if cut else FailReason.NOT_JSON
        raise RecordFaultError(reason, len(text[: error.pos].encode())) from None
    if _BACKSLASH in raw and _SURROGATE.search(raw) and _holds_half_a_pair(value):
        column = json_tokens.locate(raw, FailReason.LONE_SURROGATE)
        raise RecordFaultError(FailReason.LONE_SURROGATE, column)
    return value


def _scan(text: str) -> object:
    """As ``json.loads``, without its two searches for white space where there is none."""
    value: object
    try:
        value, end = _SCAN(text, 0)
    except StopIteration:
        return _DECODER.decode(text)
    return value if end == len(text) else _DECODER.decode(text)


def parse_object(raw: bytes, *, last: bool = False, shallow: bool = False) -> JsonObject:
    """The object that ``raw`` writes.

    Raises:
        RecordFaultError: As ``parse``, and ``WRONG_SHAPE`` if it is not an object.
    """
    value = parse(raw, last=last, shallow=shallow)
    if not isinstance(value, dict):
        raise RecordFaultError(FailReason.WRONG_SHAPE)
    return value


def _holds_half_a_pair(value: object) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def _short_strings(raw: bytes) -> bytes:
    """``raw`` with bulky base64 replaced by pointers, once every other string is in bounds."""
    pieces: list[bytes] = []
    taken = 0
    swap = b"base64" in raw
    for span in json_tokens.long_strings(raw, POINTER_OVER):
        literal = raw[span.start : span.end]
        if swap and (match := _BASE64.fullmatch(literal)):
            pieces += [raw[taken : span.start - 1], _pointer(literal, match[1])]
            taken = span.end + 1
        elif len(literal) > MAX_STRING and _decoded_size(literal) > MAX_STRING:
            raise RecordFaultError(FailReason.TOO_LONG, span.start - 1)
    return b"".join([*pieces, raw[taken:]]) if pieces else raw


def _decoded_size(literal: bytes) -> int:
    if b"\\" not in literal:
        return len(literal)
    try:
        return len(str(json.loads(b'"' + literal + b'"')).encode("utf-8", "surrogatepass"))
    except ValueError:
        return len(literal)


def _pointer(literal: bytes, media_type: bytes | None) -> bytes:
    encoded = literal.rsplit(b",", 1)[-1]
    pointer = {
        "media_type": (media_type or b"application/octet-stream").decode(),
        "bytes": len(encoded) * 3 // 4 - encoded[-2:].count(b"="),
        "sha256": hashlib.sha256(literal).hexdigest(),
    }
    return json.dumps(pointer).encode()

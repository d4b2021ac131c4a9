"""The byte strings that stand for a content, in the spellings in which it may lie in a file."""

from __future__ import annotations

import base64
import json
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from store.vault import Payload

SHORT: Final = 12
"""Bytes under which a text is not looked for: it would be found by chance."""

EDGE: Final = 24
"""Bytes of the beginning and of the end of a text that are looked for on their own."""

_PIECES: Final = 1_900
"""A longer text is kept in pieces by the database; in each stretch of this size a piece of it is
looked for. PostgreSQL's pieces have 1996 bytes (chapter "TOAST"): none is without one."""


class Form(StrEnum):
    """A spelling. A closed list; reports name it beside an offset."""

    UTF8 = "utf-8"
    UTF16LE = "utf-16le"
    UTF16BE = "utf-16be"
    JSON = "json"
    JSON_UPPER = "json-upper"
    """Escapes with capital hexadecimal digits."""

    JSON_UTF8 = "json-utf-8"
    """Only quotes, backslashes and control characters escaped."""

    BASE64_0 = "base64+0"
    BASE64_1 = "base64+1"
    BASE64_2 = "base64+2"
    """Encoded at the first, second or third byte of a group of three."""

    BASE64_URL_0 = "base64url+0"
    BASE64_URL_1 = "base64url+1"
    BASE64_URL_2 = "base64url+2"
    NFC = "nfc"
    NFD = "nfd"
    LOWER = "lower"
    START = "start"
    """The first 24 bytes."""

    END = "end"
    """The last 24 bytes."""

    PIECE = "piece"
    SALT = "salt"


@dataclass(frozen=True, slots=True)
class Needle:
    """One spelling of one content. ``data`` is its own bytes: never kept, never shown."""

    of: str
    """Commitment of the content."""

    form: Form
    data: bytes


def too_short(payload: Payload) -> bool:
    """Whether a content is checked by its row and its salt alone."""
    return len(payload.body) < SHORT


def needles_of(payload: Payload) -> list[Needle]:
    """Every spelling of a content: of its whole body, of each text inside it, and its salt."""
    salt = Needle(payload.commitment, Form.SALT, payload.salt)
    return [salt, *spellings(payload.commitment, payload.body)]


def spellings(of: str, body: bytes) -> list[Needle]:
    """Every spelling of some bytes, and of each sentence inside them if they are JSON.

    Args:
        of: What a hit is told of: a commitment, or an id of a text that the store never held.
        body: At least 12 bytes; of fewer there is no spelling.
    """
    different: dict[bytes, Needle] = {}
    for text in (body, *_inside(body)) if len(body) >= SHORT else ():
        for form, data in _forms(text):
            if len(data) >= SHORT:
                different.setdefault(data, Needle(of, form, data))
    return list(different.values())


def _forms(body: bytes) -> Iterator[tuple[Form, bytes]]:
    yield Form.UTF8, body
    if len(body) > EDGE:
        yield Form.START, body[:EDGE]
        yield Form.END, body[-EDGE:]
    for start in range(_PIECES, len(body) - EDGE, _PIECES):
        yield Form.PIECE, body[start : start + EDGE]
    yield from _base64(body)
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return
    yield Form.UTF16LE, text.encode("utf-16-le", "surrogatepass")
    yield Form.UTF16BE, text.encode("utf-16-be", "surrogatepass")
    escaped = json.dumps(text)[1:-1]
    yield Form.JSON, escaped.encode()
    yield Form.JSON_UPPER, _capital(escaped).encode()
    yield Form.JSON_UTF8, json.dumps(text, ensure_ascii=False)[1:-1].encode("utf-8")
    yield Form.NFC, unicodedata.normalize("NFC", text).encode("utf-8")
    yield Form.NFD, unicodedata.normalize("NFD", text).encode("utf-8")
    yield Form.LOWER, text.lower().encode("utf-8")


def _base64(body: bytes) -> Iterator[tuple[Form, bytes]]:
    """What of an encoding does not depend on the bytes around: RFC 4648, sections 4 and 5."""
    plain = (Form.BASE64_0, Form.BASE64_1, Form.BASE64_2)
    url = (Form.BASE64_URL_0, Form.BASE64_URL_1, Form.BASE64_URL_2)
    for offset in range(3):
        whole = base64.b64encode(bytes(offset) + body)
        first = -(-offset * 4 // 3)  # characters that also tell of a byte before
        last = (offset + len(body)) * 8 // 6  # … and of one after
        told = whole[first:last]
        yield plain[offset], told
        yield url[offset], told.replace(b"+", b"-").replace(b"/", b"_")


def _capital(escaped: str) -> str:
    parts = escaped.split("\\u")
    return parts[0] + "".join(f"\\u{part[:4].upper()}{part[4:]}" for part in parts[1:])


def _inside(body: bytes) -> Iterator[bytes]:
    """The sentences inside a body that is JSON: strings with a space in them.

    Codes, ids and times are not looked for: the log says the same of records that stay.
    """
    if body[:1] not in (b"{", b"["):
        return
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return
    for text in _strings(value):
        if " " in text.strip():
            told = text.encode("utf-8", "surrogatepass")
            if len(told) >= SHORT:
                yield told


def _strings(value: Any) -> Iterator[str]:  # noqa: ANN401 - JSON has no narrower type
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)

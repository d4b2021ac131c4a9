"""JSON of traces, read strictly, and two things they need: long texts and JSON in strings.

A text over 64 KiB would fail a whole record. Here it is kept, because a run cuts its steps itself
and says so. Everything else is refused as in every format.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Final

from importers.faults import RecordFaultError
from importers.json_reading import strict
from importers.json_reading import tokens as json_tokens
from importers.json_reading.strict import JsonObject
from store.records import FailReason
from store.trajectories import Omitted

_BASE64: Final = re.compile(
    rb"(?:data:(?:[\w.+/-]{1,121})?(?:;[\w=-]{1,60})?;base64,)?[A-Za-z0-9+/]+={0,2}"
)
_ENDS: Final = {"{": "}", "[": "]", '"': '"'}
_LEVELS: Final = 3
_POINTER: Final = frozenset({"media_type", "bytes", "sha256"})


def parse(raw: bytes, *, last: bool = False) -> object:
    """The value that ``raw`` writes; texts over 64 KiB are kept whole.

    Raises:
        RecordFaultError: As ``strict_json.parse``.
    """
    short, held, moved = _without_long_strings(raw)
    try:
        value = strict.parse(short, last=last)
    except RecordFaultError as fault:
        if not moved:
            raise
        failed = fault.failed
        column = failed.column + sum(by for at, by in moved if at < failed.column)
        raise RecordFaultError(failed.reason, column, failed.name) from None
    return _put_back(value, held) if held else value


def parse_object(raw: bytes, *, last: bool = False) -> JsonObject:
    """The object that ``raw`` writes.

    Raises:
        RecordFaultError: As ``parse``, and ``WRONG_SHAPE`` if it is not an object.
    """
    value = parse(raw, last=last)
    if not isinstance(value, dict):
        raise RecordFaultError(FailReason.WRONG_SHAPE)
    return value


def written(value: object) -> str:
    """A value as text: a string as it is, anything else as compact JSON in its own order."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def pointer_of(value: object) -> Omitted | None:
    """What a pointer to bulk that was left out says, wherever it stands in ``value``."""
    if isinstance(value, list):
        return next((found for one in value if (found := pointer_of(one))), None)
    if not isinstance(value, dict):
        return None
    if value.keys() == _POINTER:
        size, digest, media = value["bytes"], value["sha256"], value["media_type"]
        if isinstance(size, int) and isinstance(digest, str) and isinstance(media, str):
            return Omitted(size, digest, media)
    return next((found for one in value.values() if (found := pointer_of(one))), None)


class Opener:
    """Opens JSON that stands in strings, and remembers whether there was any."""

    def __init__(self) -> None:
        self.twice = False
        """Whether a string held JSON."""

    def open(self, value: object) -> object:
        """What a string of JSON holds, up to three levels; any other value as it is."""
        for _ in range(_LEVELS):
            if not isinstance(value, str):
                return value
            inner = _inner(value)
            if inner is None:
                return value
            self.twice = True
            value = inner
        return value


def _inner(text: str) -> object:
    """What ``text`` holds if it is an object, a list or an encoded string, else ``None``."""
    bare = text.strip()
    if len(bare) < 2 or _ENDS.get(bare[0]) != bare[-1]:
        return None
    if bare[0] == '"' and "\\" not in bare:
        return None
    try:
        return parse(bare.encode("utf-8", "replace"))
    except RecordFaultError:
        return None


def _without_long_strings(raw: bytes) -> tuple[bytes, dict[str, str], list[tuple[int, int]]]:
    """``raw`` with names in place of long texts, the texts by name, and what moved by how much."""
    held: dict[str, str] = {}
    moved: list[tuple[int, int]] = []
    if len(raw) <= strict.MAX_STRING:
        return raw, held, moved
    pieces: list[bytes] = []
    taken = size = 0
    bulk = b"base64" in raw
    for span in json_tokens.long_strings(raw, strict.MAX_STRING):
        literal = raw[span.start : span.end]
        if bulk and _BASE64.fullmatch(literal):
            continue
        name = "long-text:" + hashlib.sha256(literal).hexdigest()
        held[name] = _decoded(literal, span.start)
        pieces += [raw[taken : span.start], name.encode()]
        size += span.start - taken + len(name)
        moved.append((size, len(literal) - len(name)))
        taken = span.end
    return (b"".join([*pieces, raw[taken:]]) if pieces else raw), held, moved


def _decoded(literal: bytes, at: int) -> str:
    try:
        text = literal.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RecordFaultError(FailReason.NOT_UTF8, at + error.start) from None
    if "\\" not in text:
        return text
    try:
        found = str(json.loads(f'"{text}"'))
        found.encode("utf-8")
    except UnicodeEncodeError:
        raise RecordFaultError(FailReason.LONE_SURROGATE, at) from None
    except ValueError:
        raise RecordFaultError(FailReason.NOT_JSON, at) from None
    return found


def _put_back(value: object, held: dict[str, str]) -> object:
    if isinstance(value, str):
        return held.get(value, value)
    if isinstance(value, list):
        return [_put_back(one, held) for one in value]
    if isinstance(value, dict):
        return {key: _put_back(one, held) for key, one in value.items()}
    return value

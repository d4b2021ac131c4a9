"""Parses one part of a transcript whose texts may be over the limit of ``strict_json``.

A pasted document or a tool's output over 64 KiB would fail its whole message. Here it is cut
before the strict parse, and what was cut off is told by size and digest. Nothing else is changed.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Final, NamedTuple

from importers.faults import RecordFaultError
from importers.json_reading import tokens as json_tokens
from importers.json_reading.slices import Slice
from importers.json_reading.strict import MAX_STRING, JsonObject, parse_object
from store.records import FailReason
from store.trajectories import Omitted

_KEPT: Final = MAX_STRING - 1_024
_WHOLE: Final = re.compile(rb"(?:[^\\]++|\\u[0-9A-Fa-f]{4}|\\[^u])*+")
_HALF: Final = re.compile(rb"\\u[dD][89abAB][0-9A-Fa-f]{2}\Z")
_BASE64: Final = re.compile(rb"(?:data:[^,]{0,200},)?[A-Za-z0-9+/]*+={0,2}")


class Parsed(NamedTuple):
    """An object, and what of its texts was left out, by the text that was kept."""

    value: JsonObject
    cut: dict[str, Omitted]


def parsed(part: Slice) -> Parsed:
    """The object that ``part`` writes, with texts over the limit cut.

    Raises:
        RecordFaultError: As ``strict_json.parse_object``.
    """
    try:
        return Parsed(parse_object(part.raw, last=part.last), {})
    except RecordFaultError as fault:
        if fault.failed.reason is not FailReason.TOO_LONG:
            raise
    raw, cut = _shortened(part.raw)
    return Parsed(parse_object(raw, last=part.last), cut)


def _shortened(raw: bytes) -> tuple[bytes, dict[str, Omitted]]:
    pieces: list[bytes] = []
    cut: dict[str, Omitted] = {}
    taken = 0
    for span in json_tokens.long_strings(raw, MAX_STRING):
        literal = raw[span.start : span.end]
        if b"base64" in raw and _BASE64.fullmatch(literal):
            continue  # a pointer takes its place
        try:
            whole = str(json.loads(b'"' + literal + b'"')).encode("utf-8")
        except ValueError:
            continue  # the strict parse says what is wrong with it
        if len(whole) <= MAX_STRING:
            continue
        begin = _beginning(literal)
        text = str(json.loads(b'"' + begin + b'"'))
        cut[text] = Omitted(len(whole), hashlib.sha256(whole).hexdigest(), "text/plain")
        pieces += [raw[taken : span.start], begin]
        taken = span.end
    return b"".join([*pieces, raw[taken:]]), cut


def _beginning(literal: bytes) -> bytes:
    """The first bytes of a string literal, cut between two characters."""
    end = _KEPT
    while end and literal[end] & 0xC0 == 0x80:
        end -= 1
    found = _WHOLE.match(literal, 0, end)
    begin = found[0] if found else b""
    return begin[: _half.start()] if (_half := _HALF.search(begin)) else begin

"""Takes one large record apart: small members are parsed, large ones stay slices with places.

So a conversation is read message by message: one that is broken fails alone, the object itself may
have more keys than a parsed one, and each message keeps its own bytes. Everything between the
parts is judged as strictly as by a parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from importers.faults import RecordFaultError
from importers.json_reading import extent
from importers.json_reading.slices import Slice
from importers.json_reading.strict import MAX_KEY, JsonObject, parse
from importers.json_reading.tokens import STRING
from store.cells import Span
from store.records import FailReason

MAX_PARTS: Final = 100_000
"""Members of an object, or elements of a list, that are taken apart."""

_GAP: Final = re.compile(rb"[ \t\r\n]*+")
_NAME: Final = re.compile(rb"(" + STRING + rb")[ \t\r\n]*+:[ \t\r\n]*+")


def opened(piece: Slice, large: frozenset[str]) -> tuple[JsonObject, dict[str, Slice]]:
    """The record's small members as values, and those named ``large`` as slices.

    Raises:
        RecordFaultError: As ``strict_json.parse_object``, and with the fault of the slice.
    """
    if piece.fault is not None:
        raise RecordFaultError(piece.fault.reason, piece.fault.column)
    if _is_cut(piece):
        raise RecordFaultError(FailReason.CUT_SHORT, len(piece.raw))
    values: JsonObject = {}
    slices: dict[str, Slice] = {}
    for name, one in members(piece):
        if name in large:
            slices[name] = one
        else:
            values[name] = parsed(one, at=one.start - piece.start)
    return values, slices


def parsed(one: Slice, *, at: int = 0) -> object:
    """The value of a part; faults count bytes from the start of what the part was taken from.

    Raises:
        RecordFaultError: As ``strict_json.parse``.
    """
    try:
        return parse(one.raw)
    except RecordFaultError as fault:
        raise RecordFaultError(fault.failed.reason, at + fault.failed.column) from None


def members(piece: Slice) -> Iterator[tuple[str, Slice]]:
    """Each member of the object that the slice writes.

    Raises:
        RecordFaultError: ``WRONG_SHAPE`` if it is no object, ``DUPLICATE_KEYS``, ``NOT_JSON`` or,
            where the source ends with it, ``CUT_SHORT``.
    """
    seen: set[str] = set()
    place = _Places(piece)
    for begin, end, key in _parts(piece, b"{}"):
        name = parse(piece.raw[key.start : key.end])
        if not isinstance(name, str) or len(name.encode()) > MAX_KEY:
            raise RecordFaultError(FailReason.TOO_LONG, key.start)
        if name in seen:
            raise RecordFaultError(FailReason.DUPLICATE_KEYS, key.start)
        seen.add(name)
        yield name, place.of(begin, end)


def elements(piece: Slice) -> Iterator[Slice]:
    """Each element of the list that the slice writes.

    Raises:
        RecordFaultError: As ``members``, and ``WRONG_SHAPE`` if it is no list.
    """
    place = _Places(piece)
    for begin, end, _ in _parts(piece, b"[]"):
        yield place.of(begin, end)


def _parts(piece: Slice, pair: bytes) -> Iterator[tuple[int, int, Span]]:
    raw = piece.raw
    at = _after_gap(raw, 0)
    if raw[at : at + 1] != pair[:1]:
        raise RecordFaultError(_shape_fault(raw, at), at)
    at = _after_gap(raw, at + 1)
    first = True
    for _ in range(MAX_PARTS):
        if raw[at : at + 1] == pair[1:] and first:
            break
        key = Span(at, at)
        if pair == b"{}":
            name = _NAME.match(raw, at)
            if name is None:
                raise _broken(piece, at)
            key, at = Span(*name.span(1)), name.end()
        end = extent.end_of_value(raw, at) if at < len(raw) else -1
        if end <= at:
            raise _broken(piece, at)
        yield at, end, key
        first = False
        at = _after_gap(raw, end)
        mark = raw[at : at + 1]
        if mark == pair[1:]:
            break
        if mark != b",":
            raise _broken(piece, at)
        at = _after_gap(raw, at + 1)
    else:
        raise RecordFaultError(FailReason.TOO_MANY_KEYS, at)
    if _after_gap(raw, at + 1) != len(raw):
        raise _broken(piece, at + 1)


def _after_gap(raw: bytes, at: int) -> int:
    gap = _GAP.match(raw, at)
    return gap.end() if gap else at


def _shape_fault(raw: bytes, at: int) -> FailReason:
    try:
        parse(raw)
    except RecordFaultError as fault:
        return fault.failed.reason
    return FailReason.WRONG_SHAPE if at < len(raw) else FailReason.NOT_JSON


def _broken(piece: Slice, at: int) -> RecordFaultError:
    return RecordFaultError(FailReason.CUT_SHORT if _is_cut(piece) else FailReason.NOT_JSON, at)


def _is_cut(piece: Slice) -> bool:
    """Whether the source ends before the record does."""
    at = _after_gap(piece.raw, 0)
    if not piece.last or at == len(piece.raw):
        return False
    return extent.end_of_value(piece.raw, at) < 0


class _Places:
    """Parts of one record as slices of the source, taken in their order."""

    def __init__(self, piece: Slice) -> None:
        self._piece = piece
        self._line, self._counted = piece.line, 0

    def of(self, begin: int, end: int) -> Slice:
        piece = self._piece
        self._line += piece.raw.count(b"\n", self._counted, begin)
        self._counted = begin
        start = piece.start
        return Slice(self._line, start + begin, start + end, piece.raw[begin:end], piece.key)

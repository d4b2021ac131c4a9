"""What crosses from the process that reads a foreign file: typed frames, checked on arrival.

A frame is the length of its body, a byte that says what the body is, and the body in MessagePack.
Nothing that arrives can run: there is no pickle, and every value is decoded into one of our types
or refused. The reading process may have been taken over by the file it reads.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

import msgspec

from store.cells import Proposal
from store.records import (
    Barred,
    Failed,
    Nothing,
    Place,
    Read,
    Remark,
    RemarkCode,
)
from store.trajectories import Trajectory

HEADER: Final = struct.Struct(">IB")
FRAME_LIMIT: Final = 8 * 1024 * 1024
"""Bytes of one frame. A record that is longer does not cross."""

MOST_PARTS: Final = 200_000
"""Lists and objects in one frame, and values in its foreign ones: one byte may write a list."""

_MOST_VALUES: Final = 1_000_000

END: Final = ord("E")
REFUSED: Final = ord("X")
UNKNOWN: Final = ord("U")
ANSWER: Final = ord("A")
"""The one answer to a question that is not for records."""

RECORDS: Final = {
    Proposal: ord("P"),
    Trajectory: ord("T"),
    Nothing: ord("N"),
    Barred: ord("B"),
    Failed: ord("F"),
    Remark: ord("R"),
}
_T = TypeVar("_T")
_Found = Proposal | Trajectory | Nothing | Barred | Failed


class _Decoder(Protocol):
    def decode(self, body: bytes, /) -> Sequence[tuple[Place, bytes, _Found]]: ...


_NO_RECORD: Final = (b"\x90", b"\xdc\0\0", b"\xdd\0\0\0\0")
"""The empty list, in its three spellings."""

_OPENING: Final = bytes((*range(0x80, 0xA0), 0xDC, 0xDD, 0xDE, 0xDF))
"""Bytes that begin a list or an object, unless they stand inside of a text."""

_OTHERS: Final = bytes(sorted(set(range(256)) - set(_OPENING)))
_FIXED: Final = {
    **{first: first - 0xA0 for first in range(0xA0, 0xC0)},
    **dict(zip(range(0xCA, 0xD4), (4, 8, 1, 2, 4, 8, 1, 2, 4, 8), strict=True)),
    **dict(zip(range(0xD4, 0xD9), (2, 3, 5, 9, 17), strict=True)),
    **{0xDC: 2, 0xDD: 4, 0xDE: 2, 0xDF: 4},
}
"""Bytes between a first byte and the next value, where the first byte says how many."""

_COUNTED: Final = {
    **{0xC4: (1, 0), 0xC5: (2, 0), 0xC6: (4, 0), 0xC7: (1, 1), 0xC8: (2, 1), 0xC9: (4, 1)},
    **{0xD9: (1, 0), 0xDA: (2, 0), 0xDB: (4, 0)},
}
"""Where the next bytes say it: how many they are, and what comes beside the content."""

_WHOLE: Final = 2**53
_MEMBER: Final = 8_192
_DEPTH: Final = 64
_FIELD: Final = re.compile(r"[A-Za-z0-9_.:/\[\]-]{0,64}")
_PLAIN: Final = (str, bool, int, float)
_CODES: Final = frozenset(RemarkCode)
_ENCODER: Final = msgspec.msgpack.Encoder()
_REMARKS: Final = msgspec.msgpack.Decoder(list[Remark])
_DECODERS: Final[dict[int, _Decoder]] = {
    RECORDS[Proposal]: msgspec.msgpack.Decoder(list[tuple[Place, bytes, Proposal]]),
    RECORDS[Trajectory]: msgspec.msgpack.Decoder(list[tuple[Place, bytes, Trajectory]]),
    RECORDS[Nothing]: msgspec.msgpack.Decoder(list[tuple[Place, bytes, Nothing]]),
    RECORDS[Barred]: msgspec.msgpack.Decoder(list[tuple[Place, bytes, Barred]]),
    RECORDS[Failed]: msgspec.msgpack.Decoder(list[tuple[Place, bytes, Failed]]),
}


class FrameError(ValueError):
    """What arrived is no frame of ours."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the whole source was refused, as ``SourceRefusedError`` has it."""

    name: str
    why: str
    advice: str


@dataclass(frozen=True, slots=True)
class Unrecognised:
    """That no importer knows the source, as ``UnknownFormatError`` has it."""

    name: str
    looked_at: str


def encode(value: object) -> bytes:
    """``value`` as a body.

    Raises:
        ValueError, TypeError, OverflowError, RecursionError: If it has no form that can cross.
    """
    return _ENCODER.encode(value)


def framed(kind: int, body: bytes) -> bytes:
    """A whole frame.

    Raises:
        FrameError: If the body is over ``FRAME_LIMIT`` or ``MOST_PARTS``.
    """
    if len(body) > FRAME_LIMIT:
        msg = f"a frame of {len(body)} bytes"
        raise FrameError(msg)
    _check_parts(body)
    return HEADER.pack(len(body), kind) + body


def decode(body: bytes, into: type[_T]) -> _T:
    """The value of one of our types that ``body`` writes.

    Raises:
        FrameError: If it writes anything else.
    """
    _check_parts(body)
    try:
        return msgspec.msgpack.decode(body, type=into)
    except (msgspec.MsgspecError, ValueError, TypeError, RecursionError) as error:
        msg = "a body of another type"
        raise FrameError(msg) from error


def carries_records(kind: int, body: bytes) -> bool:
    """Whether a frame holds a record, which a remark is not."""
    return kind in _DECODERS and body not in _NO_RECORD


def records(kind: int, body: bytes) -> Iterator[Read | Remark]:
    """The records of a frame, each checked.

    Raises:
        FrameError: If the frame holds no records, or one that no importer could have made.
    """
    _expect(body not in _NO_RECORD)
    _check_parts(body)
    try:
        if kind == RECORDS[Remark]:
            for remark in _REMARKS.decode(body):
                _expect(0 <= remark.count < _WHOLE)
                yield remark
            return
        if kind not in _DECODERS:
            msg = f"a frame of kind {kind}"
            raise FrameError(msg)
        left = MOST_PARTS
        for place, raw, found in _DECODERS[kind].decode(body):
            _check_place(place)
            if isinstance(found, Proposal):
                left = _check_proposal(found, left)
            elif isinstance(found, Trajectory):
                left = _check_trajectory(found, left)
            elif isinstance(found, Failed):
                _expect(0 <= found.column < _WHOLE and bool(_FIELD.fullmatch(found.name)))
            yield Read(place, raw, found)
    except (msgspec.MsgspecError, ValueError, TypeError, RecursionError) as error:
        if isinstance(error, FrameError):
            raise
        msg = "records of another type"
        raise FrameError(msg) from error


def _expect(holds: bool) -> None:
    if not holds:
        msg = "a record that no importer makes"
        raise FrameError(msg)


def _check_place(place: Place) -> None:
    _expect(0 <= place.start <= place.end < _WHOLE)
    _expect(0 <= place.line < _WHOLE and len(place.member) <= _MEMBER)


def _check_proposal(found: Proposal, left: int) -> int:
    for span in found.evidence:
        _expect(0 <= span.start <= span.end < _WHOLE)
    for fact in found.facts:
        _expect(0 <= fact.span.start <= fact.span.end < _WHOLE)
    _expect(_CODES.issuperset(found.remarks))
    return _check_told(found.foreign, _DEPTH, left)


def _check_trajectory(found: Trajectory, left: int) -> int:
    for step in found.steps:
        _expect(0 <= step.start <= step.end < _WHOLE and 0 <= step.line < _WHOLE)
        if step.span is not None:
            _expect(0 <= step.span.start <= step.span.end < _WHOLE)
    for decision in found.decisions:
        _expect(-1 <= decision.step < len(found.steps))
    _expect(_CODES.issuperset(found.remarks))
    return _check_told(found.foreign, _DEPTH, left)


def _check_told(value: object, depth: int, left: int) -> int:
    """How many values may still come, if this is text, numbers, lists and objects only."""
    _expect(depth > 0)
    if isinstance(value, dict):
        left -= len(value)
        _expect(left >= 0)
        for key, inner in value.items():
            _expect(type(key) is str)
            if type(inner) is not str:
                left = _check_told(inner, depth - 1, left)
    elif isinstance(value, list):
        left -= len(value)
        _expect(left >= 0)
        for inner in value:
            if type(inner) is not str:
                left = _check_told(inner, depth - 1, left)
    else:
        _expect(value is None or type(value) in _PLAIN)
    return left


def _check_parts(body: bytes) -> None:
    """Count lists and objects before any is made."""
    if len(body) <= MOST_PARTS or len(body.translate(None, _OTHERS)) <= MOST_PARTS:
        return
    at = parts = values = 0
    while at < len(body):
        first = body[at]
        at += 1
        values += 1
        if first in _OPENING:
            parts += 1
        if parts > MOST_PARTS or values > _MOST_VALUES:
            msg = f"more than {parts - 1} lists and objects, or {values - 1} values"
            raise FrameError(msg)
        if first in _COUNTED:
            size, beside = _COUNTED[first]
            at += size + beside + int.from_bytes(body[at : at + size], "big")
        else:
            at += _FIXED.get(first, 0)

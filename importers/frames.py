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
FRAME_LIMIT: Final = 64 * 1024 * 1024
"""Bytes of one frame. A record that is longer does not cross."""

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
        FrameError: If the body is over ``FRAME_LIMIT``.
    """
    if len(body) > FRAME_LIMIT:
        msg = f"a frame of {len(body)} bytes"
        raise FrameError(msg)
    return HEADER.pack(len(body), kind) + body


def decode(body: bytes, into: type[_T]) -> _T:
    """The value of one of our types that ``body`` writes.

    Raises:
        FrameError: If it writes anything else.
    """
    try:
        return msgspec.msgpack.decode(body, type=into)
    except (msgspec.MsgspecError, ValueError, TypeError, RecursionError) as error:
        msg = "a body of another type"
        raise FrameError(msg) from error


def records(kind: int, body: bytes) -> Iterator[Read | Remark]:
    """The records of a frame, each checked.

    Raises:
        FrameError: If the frame holds no records, or one that no importer could have made.
    """
    try:
        if kind == RECORDS[Remark]:
            for remark in _REMARKS.decode(body):
                _expect(0 <= remark.count < _WHOLE)
                yield remark
            return
        if kind not in _DECODERS:
            msg = f"a frame of kind {kind}"
            raise FrameError(msg)
        for place, raw, found in _DECODERS[kind].decode(body):
            _check_place(place)
            if isinstance(found, Proposal):
                _check_proposal(found)
            elif isinstance(found, Trajectory):
                _check_trajectory(found)
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


def _check_proposal(found: Proposal) -> None:
    for span in found.evidence:
        _expect(0 <= span.start <= span.end < _WHOLE)
    for fact in found.facts:
        _expect(0 <= fact.span.start <= fact.span.end < _WHOLE)
    _expect(_CODES.issuperset(found.remarks))
    _check_told(found.foreign, _DEPTH)


def _check_trajectory(found: Trajectory) -> None:
    for step in found.steps:
        _expect(0 <= step.start <= step.end < _WHOLE and 0 <= step.line < _WHOLE)
        if step.span is not None:
            _expect(0 <= step.span.start <= step.span.end < _WHOLE)
    for decision in found.decisions:
        _expect(-1 <= decision.step < len(found.steps))
    _expect(_CODES.issuperset(found.remarks))
    _check_told(found.foreign, _DEPTH)


def _check_told(value: object, depth: int) -> None:
    """Whether a foreign value is made of text, numbers, lists and objects only."""
    _expect(depth > 0)
    if isinstance(value, dict):
        for key, inner in value.items():
            _expect(type(key) is str)
            if type(inner) is not str:
                _check_told(inner, depth - 1)
    elif isinstance(value, list):
        for inner in value:
            if type(inner) is not str:
                _check_told(inner, depth - 1)
    else:
        _expect(value is None or type(value) in _PLAIN)

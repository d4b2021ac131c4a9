"""Reads what an agent staged through its door: one memory on each line, under a header.

The header is written by the console from the door's own folder, not by the agent:
``{"at", "door", "format": "memory-console-door/1", "scope"}``. What a line says of its writer, its
tenant or its own standing is kept as its claim. A memory is known again by its words, so that an
agent that stages the same twice is told that it is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from importers import door_record, reads
from importers.door_record import DoorHeader
from importers.faults import RecordFaultError
from importers.json_reading import slices as json_slices
from importers.json_reading.strict import parse_object
from importers.source import Head, Source
from store.records import FailReason, Read, Remark, RemarkCode

VERSION: Final = "1"
FORMAT: Final = "memory-console-door/1"
CANNOT_TELL: Final[tuple[RemarkCode, ...]] = ()


def recognises(_head: Head) -> bool:
    """Never: a file that says it came through a door did not."""
    return False


def read(source: Source) -> Iterator[Read | Remark]:
    """One ``Read`` per line but the header, in order."""
    with source.open() as stream:
        yield from reads.with_tail(_reads(json_slices.lines(stream)))


def _reads(pieces: Iterator[json_slices.Slice]) -> Iterator[Read]:
    first = next(pieces, None)
    if first is None:
        return
    try:
        header = _header(first)
    except RecordFaultError as fault:
        yield Read(reads.place_of(first), first.raw, fault.failed)
        return
    for piece in pieces:
        if piece.raw:  # the last line ends with a line break too
            yield reads.read_one(piece, partial(door_record.proposal, header))


def _header(piece: json_slices.Slice) -> DoorHeader:
    told = parse_object(piece.raw, last=False) if piece.fault is None else {}
    if told.get("format") != FORMAT:
        raise RecordFaultError(FailReason.FIELD_INVALID, name="format")
    return door_record.header(told)

"""Turns a slice of a source into a ``Read``, whatever is wrong with it.

The one place where a record's fault becomes an outcome, so that no reader loses a record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from importers.faults import RecordFaultError
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject, parse_object
from store.cells import Proposal
from store.records import (
    Failed,
    FailReason,
    Nothing,
    NothingReason,
    Place,
    Read,
    Remark,
    RemarkCode,
)

Found = Proposal | Nothing | Failed


def read_one(
    piece: Slice, make: Callable[[JsonObject, bytes], Proposal | Nothing], *, member: str = ""
) -> Read:
    """One record: parsed strictly, handed to ``make``, and told as what came of it."""
    found: Found
    if piece.fault is not None:
        found = piece.fault
    elif not piece.raw or piece.raw.isspace():
        found = Nothing(NothingReason.BLANK_LINE)
    else:
        try:
            found = make(
                parse_object(piece.raw, last=piece.last, shallow=piece.shallow), piece.raw
            )
        except RecordFaultError as fault:
            found = fault.failed
    return Read(Place(piece.line, piece.start, piece.end, member), piece.raw, found)


def place_of(piece: Slice, member: str = "") -> Place:
    """Where a slice stands."""
    return Place(line=piece.line, start=piece.start, end=piece.end, member=member)


def broken_slice(reason: FailReason, head: bytes) -> Slice:
    """The first line of a source that is not what it was read as, as one failed slice."""
    begin = head[:1024].split(b"\n", 1)[0]
    return Slice(1, 0, len(begin), begin, fault=Failed(reason))


def broken_source(reason: FailReason, head: bytes) -> Read:
    """The one failed record of a source that is not what it was read as."""
    piece = broken_slice(reason, head)
    return Read(place_of(piece), piece.raw, Failed(reason))


def with_tail(reads: Iterable[Read | Remark]) -> Iterator[Read | Remark]:
    """The same stream, with ``TAIL_CUT`` at its end when a record was cut short."""
    cut = 0
    for one in reads:
        if type(one) is Read and type(one.found) is Failed:
            cut += one.found.reason is FailReason.CUT_SHORT
        yield one
    if cut:
        yield Remark(RemarkCode.TAIL_CUT, cut)


class Tally:
    """Counts what holds for many records, to be said once for the source."""

    def __init__(self) -> None:
        self._counts: Counter[RemarkCode] = Counter()

    def add(self, *codes: RemarkCode) -> None:
        """Count one more of each."""
        self._counts.update(codes)

    def remarks(self) -> Iterator[Remark]:
        """One remark per code that was counted, in the order of the closed list."""
        for code in RemarkCode:
            if self._counts[code]:
                yield Remark(code, self._counts[code])

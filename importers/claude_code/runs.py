"""One transcript, read twice: once for its index, once for its runs, one run at a time.

The lines of a run may lie far apart, with those of a subagent between them, so they are fetched
by their place. A run is told where its first line stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO, Final

from importers import fields, reads
from importers.claude_code.ids import Ids
from importers.claude_code.index import COPY, STEP, TWIN, Index
from importers.claude_code.lines import Sort, line, opened
from importers.claude_code.paths import Runs
from importers.claude_code.steps import Teller
from importers.faults import RecordFaultError
from importers.json_reading import slices as json_slices
from importers.json_reading.slices import Beside, Slice
from importers.runs import RunBuilder
from importers.source import Source
from store.records import Nothing, NothingReason, Read, RemarkCode

SYSTEM: Final = "claude-code:"
LISTS: Final = frozenset({"loglines"})
Beyond = Callable[[Teller], Iterator[Read]]


class Transcript:
    """The lines of one file."""

    def __init__(self, source: Source, tally: reads.Tally, *, form: str, member: str) -> None:
        """``form`` is how its lines stand in it: ``lines``, ``list`` or ``object``."""
        self._source, self._tally, self._form, self._member = source, tally, form, member
        self._index = Index(Ids())
        self._ids: dict[int, str] = {}

    def reads(self, ids: Ids, base: int, beyond: Beyond) -> Iterator[Read]:
        """A read for each run, and for each line that belongs to none.

        Args:
            ids: Ids of the lines of the files before this one.
            base: How many lines those have.
            beyond: What a run gives beside itself.
        """
        self._index = Index(ids, base)
        self._index.fill(self._pieces())
        runs = Runs(self._index)
        with _Ranges(self._source) as ranges:
            for at in range(len(self._index)):
                if not self._index.flags[at] & STEP:
                    yield self._alone(at, self._index.piece(at, ranges.read))
                elif runs.first[run := runs.run[at]] == at:
                    yield from self._run(runs, run, ranges, beyond)
        self._count(runs)

    def __len__(self) -> int:
        return len(self._index)

    def _pieces(self) -> Iterator[Slice]:
        with self._source.open() as stream:
            if self._form == "lines":
                yield from json_slices.lines(stream)
                return
            for one in json_slices.elements(stream, LISTS):
                if not isinstance(one, Beside):
                    yield one

    def _alone(self, at: int, piece: Slice) -> Read:
        """A line that is no step: bookkeeping, a copy, a type that is not known, or broken."""
        place = reads.place_of(piece, self._member)
        if piece.fault is None and (not piece.raw or piece.raw.isspace()):
            return Read(place, piece.raw, Nothing(NothingReason.BLANK_LINE))
        if self._index.flags[at] & COPY:
            self._tally.add(RemarkCode.COPIED_LINES)
            return Read(place, piece.raw, Nothing(NothingReason.COPIED_LINE))
        try:
            found = line(opened(piece).record)
        except RecordFaultError as fault:
            return Read(place, piece.raw, fault.failed)
        if found.fault is not None:
            return Read(place, piece.raw, found.fault)
        if found.sort is Sort.UNKNOWN:
            self._tally.add(RemarkCode.UNKNOWN_TYPES)
            return Read(place, piece.raw, Nothing(NothingReason.UNKNOWN_TYPE))
        return Read(place, piece.raw, Nothing(NothingReason.BOOKKEEPING))

    def _run(self, runs: Runs, run: int, ranges: _Ranges, beyond: Beyond) -> Iterator[Read]:
        builder = RunBuilder(member=self._member)
        teller = Teller(builder, self._tally)
        at = runs.first[run]
        broken: list[Read] = []
        while at >= 0:
            piece = self._index.piece(at, ranges.read)
            try:
                teller.tell(opened(piece), piece)
            except RecordFaultError as fault:
                place = reads.place_of(piece, self._member)
                broken.append(Read(place, piece.raw, fault.failed))
            at = runs.following[at]
        teller.finish()
        beside = runs.beside(run)
        if beside >= 0:
            builder.branch_of = self._identity(runs, beside, ranges)
        yield builder.read(self._identity(runs, run, ranges))
        yield from broken
        yield from beyond(teller)

    def _identity(self, runs: Runs, run: int, ranges: _Ranges) -> str:
        """The session and the id of the run's first line; without an id, its digest and number."""
        at = runs.first[run]
        piece = self._index.piece(at, ranges.read)
        record = opened(piece).record
        found = line(record)
        own = found.uuid
        if not own or self._index.flags[at] & TWIN:
            mark = fields.fingerprint(fields.canonical(record).decode("utf-8", "replace"), str(at))
            own = f"{own}+{mark}" if own else mark
        return f"{SYSTEM}{found.session}/{own}"

    def _count(self, runs: Runs) -> None:
        index = self._index
        twins = sum(bool(flags & TWIN) for flags in index.flags)
        for code, count in (
            (RemarkCode.OTHER_BRANCHES, runs.branches),
            (RemarkCode.OTHER_SESSION, index.other_sessions),
            (RemarkCode.DANGLING_LINK, index.dangling),
            (RemarkCode.IDS_REPEATED, twins),
        ):
            self._tally.add(*[code] * count)


class _Ranges:
    """Byte ranges of a source, in any order; one that cannot be moved in is opened again."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._stream: BinaryIO = source.open()
        self._at = 0

    def __enter__(self) -> _Ranges:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    def read(self, start: int, end: int) -> bytes:
        """The bytes ``[start, end)``."""
        if start != self._at:
            if self._stream.seekable():
                self._stream.seek(start)
            else:
                if start < self._at:
                    self._stream.close()
                    self._stream, self._at = self._source.open(), 0
                self._skip(start - self._at)
        data = self._stream.read(end - start)
        self._at = start + len(data)
        return data

    def _skip(self, count: int) -> None:
        while count > 0 and (passed := len(self._stream.read(min(count, 1 << 20)))):
            count -= passed

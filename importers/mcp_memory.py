"""Reads the MCP memory server's ``memory.jsonl``, its ``read_graph`` JSON, and forks of both.

One ``Read`` per observation and per relation. What a stranger gets wrong: several reads can stand
on one line. For a line of up to ``LINE_KEPT`` bytes with few observations, ``raw`` is the line and
``evidence`` the observation's string in it; for others, ``raw`` is that string alone. The format
has no writer and, but for forks, no times.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from importers import mcp_graph, reads, shape
from importers.faults import RecordFaultError
from importers.json_reading import slices as json_slices
from importers.json_reading.slices import Slice
from importers.json_reading.strict import parse_object
from importers.mcp_graph import Piece, shows_its_line
from importers.source import Head, Source
from store.cells import Proposal
from store.records import (
    FailReason,
    Nothing,
    NothingReason,
    Place,
    Read,
    Remark,
    RemarkCode,
)

VERSION: Final = "1"
CANNOT_TELL: Final = (RemarkCode.NO_WRITER, RemarkCode.NO_IDS, RemarkCode.NO_TIMES)
_LISTS: Final = frozenset({"entities", "relations"})
_RELATIONS: Final = frozenset({"relationType", "relation_type"})


def recognises(head: Head) -> bool:
    """Whether the first records are entities with observations, or typed relations."""
    if head.is_folder:
        return False
    seen = shape.of(head.data, _LISTS)
    if seen.form == "object" and not seen.records:
        return seen.keys == _LISTS
    return any(
        ("observations" in keys and keys & {"name", "entityName", "id"}) or keys & _RELATIONS
        for keys in seen.records
    )


def read(source: Source) -> Iterator[Read | Remark]:
    """All observations and relations in file order, then what holds for the whole file."""
    head = source.head()
    seen = shape.of(head.data, _LISTS)
    if not seen.form:
        yield reads.broken_source(FailReason.NOT_JSON, head.data)
        return
    yield from (Remark(code) for code in CANNOT_TELL if code is not RemarkCode.NO_TIMES)
    yield from reads.with_tail(_Reader(source, seen.form).reads())


class _Reader:
    def __init__(self, source: Source, form: str) -> None:
        self._source, self._form = source, form
        self._graph = mcp_graph.Graph(modified_at=source.modified_at)

    def reads(self) -> Iterator[Read | Remark]:
        for piece in self._pieces():
            yield from self._read(piece)
        yield from self._graph.remarks()

    def _pieces(self) -> Iterator[Slice]:
        with self._source.open() as stream:
            if self._form == "lines":
                yield from json_slices.lines(stream)
                return
            for one in json_slices.elements(stream, _LISTS):
                if isinstance(one, Slice):
                    yield one
                elif one.key in _LISTS and one.raw:
                    yield reads.broken_slice(FailReason.WRONG_SHAPE, self._source.head().data)

    def _read(self, piece: Slice) -> Iterator[Read]:
        place = reads.place_of(piece)
        if piece.fault is not None:
            yield Read(place, piece.raw, piece.fault)
        elif not piece.raw or piece.raw.isspace():
            yield Read(place, piece.raw, Nothing(NothingReason.BLANK_LINE))
        else:
            try:
                record = parse_object(piece.raw, last=piece.last, shallow=piece.shallow)
                found = self._graph.pieces(record, piece.raw)
            except RecordFaultError as fault:
                yield Read(place, piece.raw, fault.failed)
                return
            whole = shows_its_line(len(piece.raw), len(found))
            for one in found:
                yield _placed(piece, one, whole=whole)


def _placed(piece: Slice, one: Piece, *, whole: bool) -> Read:
    """The whole line, or only the span of a claim in a long line."""
    if one.span is None or not isinstance(one.found, Proposal) or whole:
        line_of_it = Place(line=piece.line, start=piece.start, end=piece.end)
        return Read(line_of_it, piece.raw, one.found)
    start, end = one.span.start, one.span.end
    line = piece.line + piece.raw.count(b"\n", 0, start)
    part = Place(line=line, start=piece.start + start, end=piece.start + end)
    return Read(part, piece.raw[start:end], one.found)

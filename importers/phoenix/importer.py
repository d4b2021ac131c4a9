"""Reads Phoenix: spans of OpenInference, nested or flat, and annotations on them.

Spans come as a list, as JSON Lines, as a page of the API, or as lists under names of one's own
(cases); one run per trace. What a stranger gets wrong: only ``annotator_kind`` HUMAN is a person,
and an accepted tool call is one only where the program says so, as Phoenix's assistant does with
``pxi.approval.decision``. Annotations without their spans become a run of notes,
``phoenix:annotations/<span>``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from importers.faults import RecordFaultError
from importers.json_reading.slices import Slice
from importers.phoenix import spans as phoenix_spans
from importers.phoenix.spans import ANNOTATION, SPAN
from importers.reads import place_of
from importers.source import Head, Source
from importers.traces import runs, units
from importers.traces.index import Glance, Piece
from importers.traces.json import Opener
from importers.traces.places import Inside
from importers.traces.spans import Parts, assumed
from store.cells import Span
from store.records import FailReason, Nothing, NothingReason, Read, Remark, RemarkCode

VERSION: Final = "1"
CANNOT_TELL: Final = (RemarkCode.EVIDENCE_ONLY,)
_LISTS: Final = units.AllBut({"events", "links", "annotations", "span_annotations"})
_PLAIN: Final = frozenset({"data", "spans", "annotations", "traces", "span_annotations", ""})
"""Names of lists that are no names of cases."""

_MARKS: Final = (b'"span_kind"', b'span_id"', b'trace_id"', b'"parent_id"')
_DEEP: Final = 4


def recognises(head: Head) -> bool:
    """Whether the first records are spans of OpenInference or annotations on them."""
    if head.is_folder:
        return False
    if any(phoenix_spans.sort_of(keys) for keys in units.glimpse(head, _LISTS)):
        return True
    return all(one in head.data for one in _MARKS)


def read(source: Source) -> Iterator[Read | Remark]:
    """Every trace as a run.

    Raises:
        SourceRefusedError: If it is a Parquet file.
    """
    yield from (Remark(code) for code in CANNOT_TELL)
    yield from runs.read(source, _Phoenix())


class _Phoenix:
    system = "phoenix"
    lists: frozenset[str] = _LISTS

    def __init__(self) -> None:
        self.beside: dict[str, bytes] = {}

    def pieces(self, unit: Slice) -> Iterator[Piece | Read]:
        inside = Inside(unit)
        case = "" if unit.key in _PLAIN else unit.key
        yield from self._found(inside, inside.all(), case, 0)

    def _found(self, inside: Inside, at: Span, case: str, deep: int) -> Iterator[Piece | Read]:
        if inside.begins(at) == b"[" and deep < _DEEP:
            for one in inside.elements(at):
                yield from self._found(inside, one, case, deep + 1)
            return
        if inside.begins(at) != b"{":
            whole = inside.cut(at)
            fault = RecordFaultError(FailReason.WRONG_SHAPE)
            yield Read(place_of(whole), whole.raw, fault.failed)
            return
        members = inside.members(at)
        if sort := phoenix_spans.sort_of(members):
            yield Piece(inside.cut(at), sort, case)
            return
        held = [key for key, span in members.items() if inside.begins(span) == b"["]
        if not held or deep >= _DEEP:
            whole = inside.cut(at)
            yield Read(place_of(whole), whole.raw, Nothing(NothingReason.UNKNOWN_TYPE))
            return
        for key, span in members.items():
            if key in held:
                named = case if key in _PLAIN else key
                yield from self._found(inside, span, named, deep + 1)
            elif not deep:
                self.beside[key] = inside.raw[span.start : span.end]

    def glance(self, piece: Piece) -> Glance | Nothing:
        return phoenix_spans.glance(piece)

    def assemble(self, trace: str, pieces: list[Piece]) -> Parts:
        parts, opener = Parts(), Opener()
        add = {SPAN: phoenix_spans.span, ANNOTATION: phoenix_spans.annotation}
        for piece in pieces:
            try:
                add[piece.sort](piece, parts, opener)
            except RecordFaultError as fault:
                parts.faults.append(Read(place_of(piece.slice), piece.slice.raw, fault.failed))
        for span in parts.spans:
            assumed(parts, span.start, span.end)
        if opener.twice:
            parts.remarks[RemarkCode.ENCODED_TWICE] = None
        if not parts.spans:
            parts.prefix = "annotations/"
        return parts

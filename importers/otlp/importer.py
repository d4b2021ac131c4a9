"""Reads OpenTelemetry traces of agents: OTLP/JSON, one object or JSON Lines of the collector.

One run per trace, wherever in the file its spans stand. What a stranger gets wrong: the
conventions leave content out unless a program asks for it, so runs with empty steps are normal.
Spans of other programs in the same trace give no steps. Metrics, and log records of no trace, are
no memory. Nothing in the conventions records a decision of a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from importers.faults import RecordFaultError
from importers.json_reading.slices import Slice
from importers.otlp import spans as otlp_spans
from importers.reads import place_of
from importers.source import Head, Source
from importers.traces import runs, units
from importers.traces.index import Glance, Piece
from importers.traces.json import Opener
from importers.traces.places import Inside
from importers.traces.spans import Parts, assumed
from store.records import FailReason, Nothing, NothingReason, Read, Remark, RemarkCode

VERSION: Final = "1"
CANNOT_TELL: Final = (
    RemarkCode.EVIDENCE_ONLY,
    RemarkCode.NO_DECISIONS,
    RemarkCode.CONTENT_ABSENT,
)
_KNOWN: Final = otlp_spans.HOLDERS | {"scopeMetrics", "scope_metrics"}
_LISTS: Final = otlp_spans.SIGNALS | {"data", "spans"}
_SCOPED: Final = re.compile(
    rb'"(?:scope_?(?:Spans|spans|Logs|logs)|instrumentation(?:LibraryS|_library_s)pans)"\s*+:\s*+\['
)
_RESOURCES: Final = re.compile(rb'"(?:resource_?(?:Spans|spans|Logs|logs)|batches)"\s*+:\s*+\[')


def recognises(head: Head) -> bool:
    """Whether the first records are resources with scopes of spans, or bare spans of OTLP."""
    if head.is_folder:
        return False
    seen = units.glimpse(head, _LISTS)
    if any(otlp_spans.is_span(keys) for keys in seen):
        return True
    data = head.data
    begins = any(keys & (_LISTS | {"trace", "resource"}) for keys in seen) or (
        _RESOURCES.search(data, 0, 256) is not None
    )
    return begins and bool(_RESOURCES.search(data)) and bool(_SCOPED.search(data))


def read(source: Source) -> Iterator[Read | Remark]:
    """Every trace as a run; spans that cannot be read as failures of their own.

    Raises:
        SourceRefusedError: If it is a Parquet file.
    """
    yield from (Remark(code) for code in CANNOT_TELL)
    yield from runs.read(source, _Otlp())


class _Otlp:
    system = "otlp"
    lists = _LISTS

    def __init__(self) -> None:
        self.beside: dict[str, bytes] = {}

    def pieces(self, unit: Slice) -> Iterator[Piece | Read]:
        inside = Inside(unit)
        at = inside.all()
        if inside.begins(at) not in (b"{", b"["):
            raise RecordFaultError(FailReason.WRONG_SHAPE)
        found = list(otlp_spans.cut(inside, at))
        if not found and inside.begins(at) == b"{":
            known = inside.members(at).keys() & _KNOWN
            reason = NothingReason.NOT_A_MEMORY if known else NothingReason.UNKNOWN_TYPE
            yield Read(place_of(unit), unit.raw, Nothing(reason))
        yield from found

    def glance(self, piece: Piece) -> Glance | Nothing:
        return otlp_spans.glance(piece)

    def assemble(self, trace: str, pieces: list[Piece]) -> Parts:
        parts, opener = Parts(), Opener()
        for piece in pieces:
            try:
                otlp_spans.add(piece, parts, opener)
            except RecordFaultError as fault:
                parts.faults.append(Read(place_of(piece.slice), piece.slice.raw, fault.failed))
        for span in parts.spans:
            assumed(parts, span.start, span.end)
        if opener.twice:
            parts.remarks[RemarkCode.ENCODED_TWICE] = None
        return parts

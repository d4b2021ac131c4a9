"""Reads a Mem0 platform export: an object in the caller's own shape, filled in by a model.

It has no ids, no times and no provenance, and its shape can be anything, so it cannot be told from
other JSON: it is never detected, only chosen by name. Every string in it becomes an insight, which
may be looked at and can support nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from importers import fields, reads
from importers.faults import RecordFaultError
from importers.json_reading import tokens as json_tokens
from importers.json_reading.strict import parse
from importers.source import Head, Source
from store.cells import Kind, Proposal, SourceType, Span
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

VERSION: Final = "1"
CANNOT_TELL: Final = (
    RemarkCode.NO_TIMES,
    RemarkCode.NO_OWNER,
    RemarkCode.MODEL_MADE,
    RemarkCode.NO_IDS,
)
MAX_BYTES: Final = 16 * 1024 * 1024
_REMARKS: Final = (RemarkCode.MODEL_MADE, RemarkCode.NO_IDS, RemarkCode.NO_OWNER)


def recognises(head: Head) -> bool:
    """Never: see above."""
    del head
    return False


def read(source: Source) -> Iterator[Read | Remark]:
    """One ``Read`` per string value, in file order.

    Raises:
        SourceRefusedError: If the file is over ``MAX_BYTES``.
    """
    data = source.whole(MAX_BYTES)
    start = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    try:
        value = parse(data[start:], last=True)
    except RecordFaultError as fault:
        failed = Failed(fault.failed.reason, fault.failed.column + start)
        line = data[:1024].split(b"\n", 1)[0]
        yield Read(Place(line=1, start=0, end=len(line)), line, failed)
        return
    if not isinstance(value, dict | list):
        yield reads.broken_source(FailReason.WRONG_SHAPE, data)
        return
    yield from (Remark(code) for code in CANNOT_TELL)
    for path, text, span in json_tokens.texts(data, start):
        place = Place(data.count(b"\n", 0, span.start) + 1, span.start, span.end)
        raw = data[span.start : span.end]
        yield Read(place, raw, _insight(path, text.strip(), len(raw), source.modified_at))


def _insight(path: str, text: str, size: int, modified_at: str | None) -> Proposal | Nothing:
    if not text:
        return Nothing(NothingReason.EMPTY_TEXT)
    assumed = (RemarkCode.WRITTEN_AT_ASSUMED,) if modified_at else ()
    return Proposal(
        claim=f"{path}: {text}" if path else text,
        kind=Kind.INSIGHT,
        source_type=SourceType.MODEL_EXTRACTION,
        source_id=f"mem0-export:{fields.fingerprint(path, text)}",
        written_at=modified_at,
        evidence=(Span(0, size),),
        remarks=(*_REMARKS, *assumed),
    )

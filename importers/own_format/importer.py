"""Reads our own JSONL, ``memory-console/1``: one fully described memory on each line.

``docs/formats.md`` is the description. A first line that is only
``{"format": "memory-console/1"}`` is a header and no record. What a stranger gets wrong: ``claim``
is taken exactly as written, spans of facts count its characters, spans of evidence count bytes of
the line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from importers import reads, shape
from importers.json_reading import slices as json_slices
from importers.own_format import proposal as own_proposal
from importers.source import Head, Source
from store.records import Failed, FailReason, Read, Remark, RemarkCode

VERSION: Final = "1"
FORMAT: Final = "memory-console/1"
CANNOT_TELL: Final[tuple[RemarkCode, ...]] = ()


def recognises(head: Head) -> bool:
    """Whether the first lines carry our format's name, or a ``claim`` each."""
    if head.is_folder:
        return False
    seen = shape.of(head.data, frozenset())
    if seen.form != "lines":
        return False
    if seen.any_record("format") and f'"{FORMAT}"'.encode() in head.data[:1024]:
        return True
    return seen.any_record("claim", "kind") or seen.any_record("claim", "source_id")


def read(source: Source) -> Iterator[Read | Remark]:
    """One ``Read`` per line but the header, in file order."""
    with source.open() as stream:
        pieces = json_slices.lines(stream)
        yield from reads.with_tail(_reads(pieces))


def _reads(pieces: Iterator[json_slices.Slice]) -> Iterator[Read]:
    first = True
    for piece in pieces:
        if first and piece.raw.strip():
            first = False
            version = _header(piece.raw)
            if version == FORMAT:
                continue
            if version is not None:
                failed = Failed(FailReason.FIELD_INVALID, name="format")
                yield Read(reads.place_of(piece), piece.raw, failed)
                continue
        yield reads.read_one(piece, own_proposal.proposal)


def _header(raw: bytes) -> str | None:
    """The format a header line names, or ``None`` if the line is a record."""
    if b'"format"' not in raw or b'"claim"' in raw:
        return None
    try:
        found = json.loads(raw)
    except ValueError:
        return None
    return str(found["format"]) if isinstance(found, dict) and set(found) == {"format"} else None

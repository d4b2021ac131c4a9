"""Pieces of a document that stands inside a JSON string, with their places in the record's bytes.

A short record is shown whole, with the piece marked in it; of a long one only the piece's own
bytes are shown, as the JSON writes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from importers import runs
from importers.json_reading import tokens as json_tokens
from importers.json_reading.slices import Slice
from importers.memory_documents import Piece
from store.cells import Span
from store.records import Place

KEPT = 8 * 1024
"""Up to this size a piece is shown in its whole record."""

Shown = tuple[Place, bytes, tuple[Span, ...]]


def shown(
    record: Slice, inside: Span, pieces: Iterable[Piece], member: str = ""
) -> Iterator[tuple[Piece, Shown]]:
    """Each piece with its place, the bytes shown for it, and where it stands in those.

    Args:
        record: The record that holds the string.
        inside: Where the string stands in the record.
        pieces: Pieces of the string's text, in order.
        member: The file inside a folder.
    """
    cursor = inside.start
    for piece in pieces:
        span = runs.text_in(record.raw, piece.raw.decode("utf-8", "replace"), cursor)
        if span is None or span.end > inside.end:
            span = inside
        else:
            cursor = span.end
        yield piece, place(record, span, member)


def place(record: Slice, span: Span, member: str = "") -> Shown:
    """The place of ``span``, the bytes shown for it, and the evidence in them."""
    if len(record.raw) <= KEPT:
        whole = Place(record.line, record.start, record.end, member)
        return whole, record.raw, (span,)
    start = record.start + span.start
    line = record.line + record.raw.count(b"\n", 0, span.start)
    raw = record.raw[span.start : span.end]
    return Place(line, start, start + len(raw), member), raw, (Span(0, len(raw)),)


def member_span(record: Slice, *names: str) -> Span:
    """Where the value under the names, one inside the other, stands; else the whole record."""
    start, raw = 0, record.raw
    for name in names:
        found = json_tokens.members(raw).get(name)
        if found is None:
            return Span(0, len(record.raw))
        start, raw = start + found.start, raw[found.start : found.end]
    return Span(start, start + len(raw))

"""Cuts a CSV file into rows with exact places, in flat memory.

Quotes may hold delimiters, line ends and doubled quotes. A quote that never closes costs its own
line and not the file. What stands in a cell is text and nothing else: a formula is its letters.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from itertools import islice, pairwise
from typing import BinaryIO, Final

from importers.json_reading import slices as json_slices
from importers.json_reading.slices import Slice
from store.cells import Span
from store.records import Failed, FailReason

DELIMITERS: Final = (",", ";", "\t", "|")
MAX_ROW: Final = 1 << 20
MAX_CELL: Final = 64 * 1024
MAX_COLUMNS: Final = 1_000
_LOOKED_AT: Final = 40
_SEPARATOR: Final = re.compile(rb"sep=([,;|\t])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Row:
    """The bytes of one row, and where its cells are in them."""

    piece: Slice
    cells: tuple[bytes, ...] = ()
    spans: tuple[Span, ...] = ()
    """Of each cell's text in the row's bytes, without the quotes around it."""

    fault: Failed | None = field(default=None)


def separator(line: bytes) -> str | None:
    """The delimiter that a first line ``sep=;`` names, as Excel writes it."""
    found = _SEPARATOR.fullmatch(line.strip())
    return found[1].decode() if found else None


def delimiter(head: bytes) -> str:
    """The delimiter that cuts the first rows into the same number of cells, of two at least."""
    first = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0]
    if told := separator(first):
        return told
    best, most = ",", 0.0
    for one in DELIMITERS:
        found = [row for row in islice(rows(BytesIO(head), one), _LOOKED_AT) if row.cells]
        widths = [len(row.cells) for row in found[: max(len(found) - 1, 1)]]  # the last may be cut
        if not widths or widths[0] < 2:
            continue
        score = sum(width == widths[0] for width in widths) / len(widths) + widths[0] / 10_000
        if score > most:
            best, most = one, score
    return best


def rows(stream: BinaryIO, delimiter: str) -> Iterator[Row]:
    """Every row, blank ones too. A leading BOM is skipped."""
    mark = re.escape(delimiter.encode())
    cell = re.compile(rb'(?:"((?:[^"]++|"")*+)"|((?!")[^' + mark + rb"]*+))(" + mark + rb"|\Z)")
    opened = re.compile(rb"(?:\A|" + mark + rb')"')
    lines = json_slices.lines(stream)
    back: deque[Slice] = deque()
    while (piece := back.popleft() if back else next(lines, None)) is not None:
        taken = [piece]
        row = _row(piece, cell)
        if row.fault is not None and opened.search(piece.raw) and piece.raw.count(b'"') % 2:
            whole = _joined(taken, back, lines)
            row = _row(whole, cell) if whole is not None else row
            if row.fault is not None:
                back.extendleft(reversed(taken[1:]))
                row = Row(piece, fault=Failed(FailReason.WRONG_SHAPE))
        yield row


def _joined(taken: list[Slice], back: deque[Slice], lines: Iterator[Slice]) -> Slice | None:
    """The lines until the quotes are balanced, as one; ``None`` if that is never, or too far."""
    size, quotes = len(taken[0].raw), 1
    while quotes % 2:
        piece = back.popleft() if back else next(lines, None)
        if piece is None:
            return None
        taken.append(piece)
        size += len(piece.raw) + 2
        quotes += piece.raw.count(b'"')
        if size > MAX_ROW or piece.fault is not None:
            return None
    raw = bytearray(taken[0].raw)
    for before, after in pairwise(taken):
        raw += b"\r\n" if after.start - before.end == 2 else b"\n"
        raw += after.raw
    first, last = taken[0], taken[-1]
    return Slice(first.line, first.start, last.end, bytes(raw), last=last.last)


def _row(piece: Slice, cell: re.Pattern[bytes]) -> Row:
    if piece.fault is not None:
        return Row(piece, fault=piece.fault)
    if len(piece.raw) > MAX_ROW:
        return Row(piece, fault=Failed(FailReason.TOO_LONG))
    if not piece.raw.strip():
        return Row(piece)
    cells: list[bytes] = []
    spans: list[Span] = []
    at, raw = 0, piece.raw
    while True:
        found = cell.match(raw, at)
        if found is None:
            return Row(piece, fault=Failed(FailReason.WRONG_SHAPE, at))
        which = 1 if found[1] is not None else 2
        text = found[which]
        if len(text) > MAX_CELL:
            return Row(piece, fault=Failed(FailReason.TOO_LONG, at))
        cells.append(text.replace(b'""', b'"') if which == 1 else text)
        spans.append(Span(*found.span(which)))
        if len(cells) > MAX_COLUMNS:
            return Row(piece, fault=Failed(FailReason.TOO_MANY_KEYS, at))
        at = found.end()
        if not found[3]:
            return Row(piece, tuple(cells), tuple(spans))

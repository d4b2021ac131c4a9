"""Rows of a Langfuse table exported as CSV, each with its own bytes.

A row ends at a line feed outside quotes, so a row can span many lines. The first row names the
columns. A cell that is empty is absent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from importers.faults import RecordFaultError
from importers.json_reading.slices import KEPT, RECORD_LIMIT, Slice
from importers.json_reading.strict import JsonObject
from importers.source import Source
from store.records import Failed, FailReason

_CELL: Final = re.compile(r'(?:"((?:[^"]|"")*+)"|([^",\r\n]*+))(,|$)')
_BOM: Final = b"\xef\xbb\xbf"
_MAX_CELLS: Final = 1_000


def header(data: bytes) -> list[str]:
    """The names of the columns; empty if the first line is none of a CSV file."""
    line = data.removeprefix(_BOM).split(b"\n", 1)[0].rstrip(b"\r")
    if line[:1] in (b"{", b"[", b"") or len(line) > 16_384:
        return []
    try:
        return cells(line)
    except RecordFaultError:
        return []


def rows(source: Source) -> Iterator[Slice]:
    """Every row after the first, with its place."""
    first = True
    with source.open() as stream:
        start, line, held = 0, 1, b""
        begin = stream.read(len(_BOM))
        if begin == _BOM:
            start, begin = len(_BOM), b""
        while True:
            more = stream.readline(RECORD_LIMIT)
            held, begin = held + begin + more, b""
            odd = held.count(b'"') % 2
            if more and (odd or not more.endswith(b"\n")) and len(held) <= RECORD_LIMIT:
                continue
            if not held:
                return
            raw = held.rstrip(b"\r\n")
            fault = None
            if len(held) > RECORD_LIMIT:
                raw, fault = held[:KEPT], Failed(FailReason.TOO_LONG)
            elif odd:
                fault = Failed(FailReason.CUT_SHORT)
            if not first:
                yield Slice(line, start, start + len(raw), raw, last=not more, fault=fault)
            first = False
            start, line, held = start + len(held), line + held.count(b"\n"), b""


def record(raw: bytes, names: list[str]) -> JsonObject:
    """A row as an object. Cells that are empty are left out.

    Raises:
        RecordFaultError: ``NOT_UTF8``, or ``WRONG_SHAPE`` if its cells are not as many as names.
    """
    found = cells(raw)
    if len(found) != len(names):
        raise RecordFaultError(FailReason.WRONG_SHAPE)
    return {name: cell for name, cell in zip(names, found, strict=True) if cell != ""}


def cells(raw: bytes) -> list[str]:
    """The cells of one row.

    Raises:
        RecordFaultError: ``NOT_UTF8``, or ``WRONG_SHAPE`` if quotes do not close.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RecordFaultError(FailReason.NOT_UTF8, error.start) from None
    found: list[str] = []
    pos = 0
    while len(found) <= _MAX_CELLS:
        cell = _CELL.match(text, pos)
        if cell is None:
            raise RecordFaultError(FailReason.WRONG_SHAPE, len(text[:pos].encode()))
        found.append(cell[2] if cell[1] is None else cell[1].replace('""', '"'))
        if not cell[3]:
            if cell.end() != len(text):
                raise RecordFaultError(FailReason.WRONG_SHAPE, len(text[:pos].encode()))
            return found
        pos = cell.end()
    raise RecordFaultError(FailReason.TOO_MANY_KEYS)

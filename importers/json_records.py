"""The records of a JSON file whatever its outer form: lines, a list, a wrapper, or one object.

An object that is the whole file and spans lines is one record; formats that print a single
record in a readable way need no reader of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final

from importers import shape
from importers.json_reading import slices as json_slices
from importers.json_reading import tokens as json_tokens
from importers.json_reading.slices import RECORD_LIMIT, Beside, Slice
from importers.source import Source
from store.records import Failed, FailReason

_BOM: Final = b"\xef\xbb\xbf"


def pieces(source: Source, form: str, lists: frozenset[str]) -> Iterator[Slice | Beside]:
    """Every record of ``source``, and what stands beside its lists.

    Args:
        source: The file.
        form: ``shape.Shape.form`` of its head, or ``one`` for an object that is a record itself.
        lists: Keys of a top-level object under which records stand.
    """
    if form == "one" or (form == "lines" and _is_one(source.head().data)):
        with source.open() as stream:
            yield whole(stream)
        return
    with source.open() as stream:
        if form == "lines":
            yield from json_slices.lines(stream)
        else:
            yield from json_slices.elements(stream, lists)


def keys(data: bytes, lists: frozenset[str]) -> shape.Shape:
    """The shape of ``data``; the keys of an object that is the whole file are one record's."""
    seen = shape.of(data, lists)
    if seen.form == "lines" and _is_one(data):
        return shape.Shape("lines", seen.keys, (seen.keys,), seen.beside)
    return seen


def whole(stream: BinaryIO) -> Slice:
    """All of a stream as one record, without white space around it."""
    data = stream.read(RECORD_LIMIT + 1)
    begin = len(_BOM) if data.startswith(_BOM) else 0
    start = begin + len(data[begin:]) - len(data[begin:].lstrip())
    line = data.count(b"\n", 0, start) + 1
    raw = data[start:].rstrip()
    if len(data) > RECORD_LIMIT:
        kept = raw[: json_slices.KEPT]
        return Slice(line, start, start + len(kept), kept, fault=Failed(FailReason.TOO_LONG))
    return Slice(line, start, start + len(raw), raw, last=True)


def _is_one(data: bytes) -> bool:
    """Whether an object begins on one line and goes on in the next."""
    first, _, rest = data.removeprefix(_BOM).lstrip().partition(b"\n")
    return bool(rest.strip()) and json_tokens.is_open(first) and rest.lstrip()[:1] != b"{"

"""The top-level records of a trace file: lines, elements of a list, or one object.

An object that holds lists, such as a page of an API, gives the elements of those lists; which
lists those are is for each format to say. Any other object is one record.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from typing import Final

from importers import reads
from importers.faults import RecordFaultError
from importers.json_reading import extent
from importers.json_reading import slices as json_slices
from importers.json_reading import tokens as json_tokens
from importers.json_reading.slices import KEPT, RECORD_LIMIT, Beside, Slice
from importers.source import Head, Source
from importers.traces import json
from store.records import Failed, FailReason

_BOM: Final = b"\xef\xbb\xbf"
_LOOKED_AT: Final = 8
_OBJECT_LINE: Final = re.compile(rb'\n\{[ \t]*"')
_SPACE: Final = re.compile(rb"[ \t\r\n]*+")


class AllBut(frozenset[str]):
    """Holds every name but its own, for lists under names of the file's own choice."""

    def __contains__(self, name: object) -> bool:
        return not super().__contains__(name)


EVERY: Final = AllBut()


def form_of(data: bytes, *, whole: bool) -> str:
    """``list``, ``lines`` or ``object``; empty when the bytes do not begin like JSON.

    Args:
        data: The beginning of the source.
        whole: Whether it is all of the source.
    """
    begin = data.removeprefix(_BOM).lstrip()
    if begin.startswith(b"["):
        return "list"
    if not begin.startswith(b"{"):
        return ""
    line, found, _ = begin.partition(b"\n")
    line = line.rstrip()
    if found or whole:
        try:
            if extent.end_of_value(line, 0) == len(line):
                return "lines"
        except IndexError:
            return "object"
    return "lines" if _OBJECT_LINE.search(begin) else "object"


def units(source: Source, lists: frozenset[str], beside: dict[str, bytes]) -> Iterator[Slice]:
    """Every top-level record. Small members beside the lists of an object go to ``beside``."""
    with source.open() as stream:
        data = stream.read(RECORD_LIMIT + 1)
    whole = len(data) <= RECORD_LIMIT
    form = form_of(data, whole=whole)
    if not form:
        yield reads.broken_slice(FailReason.NOT_JSON, data)
        return
    if form == "object" and not _lists_in(data, lists):
        yield _one(data, whole=whole)
        return
    del data
    with source.open() as stream:
        if form == "lines":
            yield from json_slices.lines(stream)
            return
        for one in json_slices.elements(stream, lists):
            if isinstance(one, Slice):
                end = one.end if one.fault else one.start + len(one.raw)
                yield one._replace(end=end)
            else:
                beside[one.key] = one.raw


def _one(data: bytes, *, whole: bool) -> Slice:
    start = len(_BOM) if data.startswith(_BOM) else 0
    space = _SPACE.match(data, start)
    start = space.end() if space else start
    line = data.count(b"\n", 0, start) + 1
    if not whole:
        fault = Failed(FailReason.TOO_LONG)
        return Slice(line, start, start + KEPT, data[start : start + KEPT], fault=fault)
    raw = data[start:].rstrip(b" \t\r\n")
    return Slice(line, start, start + len(raw), raw, last=True)


def _lists_in(data: bytes, lists: frozenset[str]) -> bool:
    found = islice(json_slices.elements(BytesIO(data), lists), 2_000)
    return any(isinstance(one, Beside) and not one.raw and one.key in lists for one in found)


def names_next_page(beside: dict[str, bytes]) -> bool:
    """Whether what stands beside a list names a page after this one."""
    found: dict[str, object] = {}
    for key, raw in beside.items():
        try:
            found[key] = json.parse(raw) if raw else None
        except RecordFaultError:
            continue
    for key in ("meta", "cursors"):
        if isinstance(inner := found.get(key), dict):
            found |= inner
    if any(found.get(key) not in (None, "") for key in ("next_cursor", "cursor", "next")):
        return True
    page, pages = found.get("page"), found.get("totalPages")
    return isinstance(page, int) and isinstance(pages, int) and page < pages


def glimpse(head: Head, lists: frozenset[str] = EVERY) -> list[frozenset[str]]:
    """Keys of the first few records, for recognising a format; of lists in an object, too.

    An object comes before the elements of its lists. Never raises.
    """
    data = head.data
    form = "" if head.is_folder else form_of(data, whole=len(data) < 64 * 1024)
    if form == "lines":
        rows = (row.raw for row in json_slices.lines(BytesIO(data)) if row.raw.strip())
        return [keys for row in islice(rows, _LOOKED_AT) for keys in _seen(row, lists)]
    return _seen(data, lists) if form else []


def _seen(data: bytes, lists: frozenset[str]) -> list[frozenset[str]]:
    own: set[str] = set()
    found: list[frozenset[str]] = []
    for one in islice(json_slices.elements(BytesIO(data), lists), 400):
        if isinstance(one, Beside):
            own.add(one.key)
        elif len(found) < _LOOKED_AT and not one.fault:
            found.append(_keys(one.raw))
    return [frozenset(own), *found]


def _keys(raw: bytes) -> frozenset[str]:
    return frozenset(json_tokens.members(raw)) if raw.lstrip()[:1] == b"{" else frozenset()

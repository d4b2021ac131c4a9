"""JSON records whatever stands around them: a list, lines, one object, a list inside an answer.

Not tied to one system: MemOS, A-Mem, EverMemOS and LightMem are all met in each of these wrappers.
A caller names the keys of lists that hold records and of objects that hold such lists. A list at
the top, or right under a key of the top-level object, is read as a stream; an answer with its list
deeper inside is held whole, up to ``RECORD_LIMIT``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import Final, NamedTuple

from importers import reads, shape
from importers.json_reading import extent
from importers.json_reading import slices as json_slices
from importers.json_reading.slices import Beside, Slice
from importers.json_reading.tokens import STRING
from importers.source import Source
from store.cells import Span
from store.records import FailReason

_TOKEN: Final = re.compile(rb"(" + STRING + rb")(\s*+:)?|[{}\[\]]|\"[^\n]*+")
_BLANK: Final = re.compile(rb"[ \t\r\n,]*+")
_BOM: Final = b"\xef\xbb\xbf"
_LOOKED_AT: Final = 12
_INSIDE: Final = 2
"""How many levels of nested objects tell their keys beside a record's own."""

_WRAPPERS: Final = 6
"""Wrappers inside each other, beyond which one is taken as a record."""

_DEEPEST: Final = 40
"""Brackets open at once, beyond which a value is no longer looked into."""


@dataclass(frozen=True, slots=True)
class Around:
    """The keys that may stand around records."""

    lists: frozenset[str]
    """Of lists whose elements are records."""

    wrappers: frozenset[str] = frozenset()
    """Of objects, and of lists of objects, that hold such lists."""

    grouped: bool = False
    """Whether an object of lists under keys of any name is a wrapper, too."""

    @property
    def keys(self) -> frozenset[str]:
        """All of them."""
        return self.lists | self.wrappers


class Seen(NamedTuple):
    """One object near the top of a file: its keys, also when it is cut short."""

    keys: frozenset[str]
    inside: frozenset[str]
    """Keys of the objects in it, two levels down."""

    under: str
    """The last key on the way to it; empty at the top."""


@dataclass(slots=True)
class _Frame:
    """One bracket while it is open, or once it has closed."""

    is_list: bool
    path: tuple[str, ...]
    start: int
    end: int = 0
    keys: set[str] = field(default_factory=set)
    inside: set[str] = field(default_factory=set)
    pending: str = ""


def objects(data: bytes, around: Around) -> tuple[Seen, ...]:
    """The first objects of ``data`` that stand at the top or under the keys of ``around``.

    Never fails; a value that the data's end cuts tells what it has.
    """
    if b"\0" in data[:1024] or data.removeprefix(_BOM).lstrip()[:1] not in (b"{", b"["):
        return ()
    found: list[tuple[int, Seen]] = []
    for frame in _frames(data):
        if not frame.is_list and _is_near(frame.path, around):
            under = frame.path[-1] if frame.path else ""
            seen = Seen(frozenset(frame.keys), frozenset(frame.inside), under)
            found.append((frame.start, seen))
            if len(found) > _LOOKED_AT:
                break
    return tuple(seen for _, seen in sorted(found, key=lambda one: one[0]))


def pieces(
    source: Source, around: Around, is_record: Callable[[frozenset[str]], bool]
) -> Iterator[Slice | Beside]:
    """Every record of a source, and the small members beside a list at its top.

    Args:
        source: One file.
        around: What may stand around its records.
        is_record: Whether an object with these keys is a record, and not a wrapper.

    Raises:
        SourceRefusedError: If an object that must be held whole is over ``RECORD_LIMIT``.
    """
    data = source.head().data
    begin = data.removeprefix(_BOM).lstrip()
    if not begin.startswith((b"[", b"{")):
        if begin:
            yield reads.broken_slice(FailReason.NOT_JSON, data)
        return
    streamed = begin.startswith(b"[") or shape.of(data, around.lists).form == "object"
    if streamed:
        with source.open() as stream:
            for one in json_slices.elements(stream, around.lists):
                if isinstance(one, Slice):
                    yield from _unwrapped(one, around, is_record)
                    continue
                yield one
                if one.key in around.lists and one.raw not in (b"", b"null"):
                    yield reads.broken_slice(FailReason.WRONG_SHAPE, data)
    elif _is_lines(data):
        with source.open() as stream:
            for line in json_slices.lines(stream):
                yield from _unwrapped(line, around, is_record)
    else:
        for whole in _values(source.whole(json_slices.RECORD_LIMIT)):
            yield from _unwrapped(whole, around, is_record)


def _is_lines(data: bytes) -> bool:
    """Whether the first value stands on one line, or the second line begins one of its own."""
    start = len(data) - len(data.removeprefix(_BOM).lstrip())
    end = extent.end_of_value(data, start)
    newline = data.find(b"\n", start, end if end >= 0 else len(data))
    return newline < 0 or data[newline:].lstrip(b"\r\n").startswith(b"{")


def _values(data: bytes) -> Iterator[Slice]:
    """Values one after another, each over as many lines as it likes."""
    pos = len(_BOM) if data.startswith(_BOM) else 0
    while True:
        gap = _BLANK.match(data, pos)
        pos = gap.end() if gap else pos
        if pos >= len(data):
            return
        line = data.count(b"\n", 0, pos) + 1
        end = extent.end_of_value(data, pos)
        if end <= pos:
            yield Slice(line, pos, len(data), data[pos:], last=True)
            return
        yield Slice(line, pos, end, data[pos:end])
        pos = end


def _unwrapped(
    piece: Slice, around: Around, is_record: Callable[[frozenset[str]], bool], depth: int = 0
) -> Iterator[Slice]:
    """The records inside a piece, or the piece itself if it wraps none."""
    lists: list[tuple[str, Span]] = []
    if piece.fault is None and depth < _WRAPPERS:
        if piece.raw.startswith(b"["):
            lists = [(piece.key, Span(0, len(piece.raw)))]
        else:
            lists = _lists(piece.raw, around, is_record)
    if not lists:
        yield piece
        return
    for key, span in lists:
        inner = piece.raw[span.start : span.end]
        line = piece.line + piece.raw.count(b"\n", 0, span.start)
        for one in json_slices.elements(BytesIO(inner), frozenset()):
            if isinstance(one, Slice):
                start = piece.start + span.start
                moved = one._replace(
                    line=line + one.line - 1, start=start + one.start, end=start + one.end, key=key
                )
                yield from _unwrapped(moved, around, is_record, depth + 1)


def _lists(
    raw: bytes, around: Around, is_record: Callable[[frozenset[str]], bool]
) -> list[tuple[str, Span]]:
    """Lists of records in a wrapper, in order; none if it is a record or wraps nothing."""
    named = any(b'"' + key.encode() + b'"' in raw for key in around.keys)
    if not named and not (around.grouped and raw[-2:].rstrip()[-1:] == b"}" and b"[" in raw):
        return []
    found: list[tuple[str, Span]] = []
    top: _Frame | None = None
    straight = 0
    for frame in _frames(raw):
        if not frame.path:
            top = None if frame.is_list else frame
        elif frame.is_list and len(frame.path) == 1:
            straight += 1
        if frame.is_list and frame.path and _leads(frame.path, around):
            found.append((frame.path[-1], Span(frame.start, frame.end)))
    if top is None or is_record(frozenset(top.keys)):
        return []
    if not found and around.grouped and top.keys and straight == len(top.keys):
        found = [
            (frame.path[0], Span(frame.start, frame.end))
            for frame in _frames(raw)
            if frame.is_list and len(frame.path) == 1
        ]
    return _outermost(found)


def _is_near(path: tuple[str, ...], around: Around) -> bool:
    return len(set(path) - around.keys) <= around.grouped


def _leads(path: tuple[str, ...], around: Around) -> bool:
    return path[-1] in around.keys and around.keys.issuperset(path[:-1])


def _outermost(found: list[tuple[str, Span]]) -> list[tuple[str, Span]]:
    """Without lists that stand inside another of them: those are met when it is read."""
    kept: list[tuple[str, Span]] = []
    for key, span in sorted(found, key=lambda one: (one[1].start, -one[1].end)):
        if not kept or span.start >= kept[-1][1].end:
            kept.append((key, span))
    return kept


def _frames(raw: bytes) -> Iterator[_Frame]:
    """Every bracket as it closes, inner ones first; those that never close, at the end.

    What lies deeper than ``_DEEPEST`` ends the walk: such a record is refused when it is parsed.
    """
    stack: list[_Frame] = []
    for match in _TOKEN.finditer(raw):
        token = match[0]
        if match[1] is not None:
            if match[2] is not None and stack and not stack[-1].is_list:
                name = match[1][1:-1].decode("utf-8", "replace")
                stack[-1].keys.add(name)
                stack[-1].pending = name
                for outer in _objects_above(stack[:-1]):
                    outer.inside.add(name)
        elif token in (b"{", b"["):
            if len(stack) > _DEEPEST:
                break
            stack.append(_Frame(token == b"[", _path(stack), match.start()))
        elif stack:
            closed = stack.pop()
            closed.end = match.end()
            yield closed
    while stack:
        cut = stack.pop()
        cut.end = len(raw)
        yield cut


def _path(stack: list[_Frame]) -> tuple[str, ...]:
    if not stack:
        return ()
    above = stack[-1]
    return above.path if above.is_list else (*above.path, above.pending)


def _objects_above(stack: list[_Frame]) -> list[_Frame]:
    return [frame for frame in reversed(stack) if not frame.is_list][:_INSIDE]

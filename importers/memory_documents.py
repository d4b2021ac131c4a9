"""Cuts a document that an agent keeps as memory into pieces, each a claim with its own bytes.

Agents keep notes in any text format. Markdown is cut into its blocks; lines of ``name: value``
stand alone; of XML the text of each element is a piece, of JSON each member or element. Headings
and tags are no pieces: they name the section.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from importers import markdown_blocks
from importers.faults import RecordFaultError
from importers.json_reading import strict
from importers.json_reading import tokens as json_tokens
from importers.markdown_blocks import Block, Sort
from store.cells import Span
from store.records import Failed, FailReason

MAX_TEXT: Final = 64 * 1024
_PAIR: Final = re.compile(rb"[^\s:=#<>|`\-*][^:=\n]{0,60}[:=][ \t]*\S[^\n]*")
_TAG: Final = re.compile(rb"<!--|<[^<>]*+>")
_COMMENT: Final = (b"<!--", b"-->")
_DEEPEST: Final = 32
"""Elements inside each other whose names are kept; deeper ones are read without a section."""

_ELEMENT: Final = re.compile(rb"<(/?)([A-Za-z_][\w.:-]*)[^<>]*?(/?)>")
_OPENING: Final = re.compile(rb"<(?:[A-Za-z_][\w.:-]*[\s>/]|\?xml|!--)")


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a document. ``fault`` is set when it cannot be read."""

    claim: str
    """Empty for comments and the like, which are no memories."""

    raw: bytes
    start: int
    line: int
    section: str = ""
    verbatim: bool = False
    fault: Failed | None = None

    @property
    def end(self) -> int:
        """The byte after the piece."""
        return self.start + len(self.raw)


class Lines:
    """Numbers of lines by byte, 1-based."""

    def __init__(self, data: bytes) -> None:
        """Count once; every question after that is a search."""
        self.data = data
        self._ends = [found.start() for found in re.finditer(rb"\n", data)]

    def of(self, at: int) -> int:
        """The line in which byte ``at`` stands."""
        return bisect_left(self._ends, at) + 1


def split(data: bytes) -> Iterator[Piece]:
    """The pieces of ``data``, in order. A byte order mark at its beginning is skipped."""
    begin = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    first = data[begin:].lstrip()[:1]
    if first in (b"{", b"["):
        members = _of_json(data, begin)
        if members is not None:
            yield from members
            return
    if _OPENING.match(data[begin:].lstrip()):
        yield from _of_xml(data, begin)
    else:
        yield from _of_markdown(data, markdown_blocks.front_matter(_decodable(data))[1])


def _decodable(data: bytes) -> bytes:
    """``data`` if its front matter is text; otherwise without it, so that its lines are read."""
    try:
        markdown_blocks.front_matter(data)
    except RecordFaultError:
        return b""
    return data


def _of_markdown(data: bytes, start: int, above: tuple[bytes, ...] = ()) -> Iterator[Piece]:
    for block in markdown_blocks.blocks(data, start):
        if block.sort is Sort.HEADING:
            continue
        within = replace(block, section=(*above, *block.section))
        for one in _lines(within):
            yield _piece(one)


def _lines(block: Block) -> Iterator[Block]:
    """The lines of a paragraph that is nothing but ``name: value`` lines; else the block."""
    lines = block.raw.split(b"\n")
    if block.sort is not Sort.PARAGRAPH or not all(_PAIR.match(one) for one in lines):
        yield block
        return
    start = block.start
    for number, raw in enumerate(lines):
        yield replace(block, raw=raw.rstrip(b"\r"), line=block.line + number, start=start)
        start += len(raw) + 1


def _piece(block: Block) -> Piece:
    section = block.heading_path()
    if len(block.raw) > MAX_TEXT:
        fault = Failed(FailReason.TOO_LONG)
        return Piece("", block.raw, block.start, block.line, section, fault=fault)
    try:
        text = block.text()
    except RecordFaultError as broken:
        return Piece("", block.raw, block.start, block.line, section, fault=broken.failed)
    if block.sort in (Sort.COMMENT, Sort.IMPORT):
        text = ""
    return Piece(text, block.raw, block.start, block.line, section, block.sort is Sort.CODE)


def _of_xml(data: bytes, begin: int) -> Iterator[Piece]:
    """The text of each element; a text of several lines is cut as Markdown is."""
    path: list[bytes] = []
    lines = Lines(data)
    at, opened = begin, -1
    while at < len(data):
        tag = _TAG.search(data, at)
        start, end = (tag.start(), tag.end()) if tag else (len(data), len(data))
        if tag and tag[0] == _COMMENT[0]:
            end = data.find(_COMMENT[1], end) + len(_COMMENT[1])
            end = end if end >= len(_COMMENT[1]) else len(data)
        element = _ELEMENT.fullmatch(data, start, end)
        closes = bool(element and element[1] and path and element[2] == path[-1])
        around = (opened, end) if opened >= 0 and closes else (at, start)
        yield from _text_of(data[at:start], at, around, lines, tuple(path))
        opened = -1
        if element and not element[1] and not element[3] and len(path) < _DEEPEST:
            path.append(element[2])
            opened = start
        elif element and element[1] and element[2] in path:
            while path.pop() != element[2]:
                pass
        at = end


def _text_of(
    text: bytes, at: int, around: tuple[int, int], lines: Lines, path: tuple[bytes, ...]
) -> Iterator[Piece]:
    """The pieces of a text between two tags; ``around`` is its element when it is all of it."""
    raw = text.strip()
    if not raw:
        return
    if b"\n" in raw or not path:
        for one in _of_markdown(text, 0, path):
            start = at + one.start
            yield replace(one, start=start, line=lines.of(start))
        return
    one = _piece(Block(Sort.PARAGRAPH, raw, 0, 0, path[:-1]))
    start, end = around
    if one.claim:
        claim = f"{path[-1].decode('utf-8', 'replace')}: {one.claim}"
        one = replace(one, claim=claim)
    whole = lines.data[start:end]
    start += len(whole) - len(whole.lstrip())
    yield replace(one, raw=whole.strip(), start=start, line=lines.of(start))


def _of_json(data: bytes, begin: int) -> Iterator[Piece] | None:
    """One piece for each member or element; ``None`` if it is no JSON that can be read."""
    try:
        value = strict.parse(data[begin:].strip())
    except RecordFaultError:
        return None
    if isinstance(value, dict):
        return _members(data, begin)
    return _elements(data, begin) if isinstance(value, list) else None


def _members(data: bytes, begin: int) -> Iterator[Piece]:
    lines = Lines(data)
    for name, span in json_tokens.members(data[begin:]).items():
        raw = data[begin + span.start : begin + span.end]
        text = _written(raw)
        line = lines.of(begin + span.start)
        yield Piece(f"{name}: {text}" if text else "", raw, begin + span.start, line)


def _elements(data: bytes, begin: int) -> Iterator[Piece]:
    lines, whole = Lines(data), Span(begin, len(data))
    for span in json_tokens.elements(data, whole):
        raw = data[span.start : span.end]
        yield Piece(_written(raw), raw, span.start, lines.of(span.start))


def _written(raw: bytes) -> str:
    """A JSON value as text: a string's own words, anything else as it is written."""
    value = strict.parse(raw)
    if value is None or value == [] or value == {}:
        return ""
    return value.strip() if isinstance(value, str) else raw.decode("utf-8")

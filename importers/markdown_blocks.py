"""Cuts Markdown bytes into blocks with exact places, and reads simple front matter.

Not a Markdown renderer: it tells headings, list items, paragraphs, tables, code, comments and
``@imports`` apart, because each means something else in a memory file. A nested list item stays
with its parent. Front matter is read as ``key: value`` lines with one level of nesting; what YAML
could do beyond that is not tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from importers.faults import RecordFaultError
from store.records import FailReason

_HEADING: Final = re.compile(rb"#{1,6}[ \t]+(.*)$")
_ITEM: Final = re.compile(rb"(?:[-*+]|\d{1,9}[.)])[ \t]+")
_FENCE: Final = re.compile(rb" {0,3}(```+|~~~+)")
_RULE: Final = re.compile(rb" {0,3}(?:-[ \t]*){3,}$|(?:\*[ \t]*){3,}$|(?:_[ \t]*){3,}$")
_LABEL: Final = re.compile(rb"\*\*[^*\n]{1,40}:\*\*")
_IMPORT: Final = re.compile(rb"@\S+$")
_PAIR: Final = re.compile(r"([A-Za-z_][\w-]{0,60})[ \t]*:[ \t]*(.*)")


class Sort(Enum):
    """What a block is."""

    HEADING = "heading"
    ITEM = "item"
    PARAGRAPH = "paragraph"
    TABLE = "table"
    CODE = "code"
    COMMENT = "comment"
    IMPORT = "import"


@dataclass(frozen=True, slots=True)
class Block:
    """One block: its own bytes, where they begin, and the headings above it."""

    sort: Sort
    raw: bytes
    line: int
    start: int
    section: tuple[bytes, ...] = ()

    @property
    def end(self) -> int:
        """The byte after the block."""
        return self.start + len(self.raw)

    def text(self) -> str:
        """The words without list marks and line breaks; tables and code as written.

        Raises:
            RecordFaultError: ``NOT_UTF8``.
        """
        try:
            written = self.raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise RecordFaultError(FailReason.NOT_UTF8, error.start) from None
        if self.sort in (Sort.TABLE, Sort.CODE):
            return written.strip()
        found = _ITEM.match(self.raw) if self.sort is Sort.ITEM else None
        words = self.raw[found.end() :].decode("utf-8") if found else written
        return " ".join(words.split())

    def heading_path(self) -> str:
        """The headings above, outermost first, ``" > "`` between them."""
        return " > ".join(one.decode("utf-8", "replace") for one in self.section)


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    start: int
    raw: bytes
    """Without its line ending."""


def _lines(data: bytes, start: int) -> list[_Line]:
    found: list[_Line] = []
    number = data.count(b"\n", 0, start) + 1
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        raw = data[start:end]
        found.append(_Line(number, start, raw[:-1] if raw.endswith(b"\r") else raw))
        start, number = end + 1, number + 1
    return found


def blocks(data: bytes, start: int = 0) -> Iterator[Block]:
    """Blocks of ``data`` from byte ``start`` on, in order; blank lines and rules are none."""
    lines = _lines(data, start)
    section: list[tuple[int, bytes]] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.raw.strip() or _RULE.match(line.raw):
            at += 1
            continue
        if heading := _HEADING.match(line.raw):
            level = len(line.raw) - len(line.raw.lstrip(b"#"))
            section = [one for one in section if one[0] < level] + [
                (level, heading[1].rstrip(b" \t#"))
            ]
        sort, after = _extent(lines, at)
        last = lines[after - 1]
        raw = data[line.start : last.start + len(last.raw)]
        yield Block(sort, raw, line.number, line.start, tuple(one[1] for one in section))
        at = after


def _extent(lines: list[_Line], at: int) -> tuple[Sort, int]:
    """What begins on line ``at``, and the index of the line after it."""
    raw = lines[at].raw
    if fence := _FENCE.match(raw):
        closed = (
            n for n in range(at + 1, len(lines)) if lines[n].raw.strip().startswith(fence[1])
        )
        return Sort.CODE, next(closed, len(lines) - 1) + 1
    if raw.lstrip().startswith(b"<!--"):
        closed = (n for n in range(at, len(lines)) if b"-->" in lines[n].raw)
        return Sort.COMMENT, next(closed, len(lines) - 1) + 1
    if _HEADING.match(raw):
        return Sort.HEADING, at + 1
    if _IMPORT.match(raw.strip()):
        return Sort.IMPORT, at + 1
    item = _ITEM.match(raw)
    table = raw.lstrip().startswith(b"|")
    after = at + 1
    while after < len(lines) and not _starts_anew(lines[after].raw, table=table):
        after += 1
    return Sort.ITEM if item else Sort.TABLE if table else Sort.PARAGRAPH, after


def _starts_anew(raw: bytes, *, table: bool) -> bool:
    return bool(
        not raw.strip()
        or _HEADING.match(raw)
        or _ITEM.match(raw)
        or _FENCE.match(raw)
        or _RULE.match(raw)
        or _LABEL.match(raw)
        or raw.lstrip().startswith(b"<!--")
        or raw.lstrip().startswith(b"|") != table
    )


def front_matter(data: bytes) -> tuple[dict[str, str], int]:
    """The pairs between the ``---`` lines at the top, and the byte where the body begins.

    A nested key is named with a dot: ``metadata.type``. A list becomes its items, comma between.

    Raises:
        RecordFaultError: ``NOT_UTF8``.
    """
    begin = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    lines = _lines(data[: begin + 64 * 1024], begin)
    if not lines or lines[0].raw.rstrip() != b"---":
        return {}, begin
    close = next((n for n in range(1, len(lines)) if lines[n].raw.rstrip() == b"---"), None)
    if close is None:
        return {}, begin
    pairs: dict[str, str] = {}
    parent = ""
    for line in lines[1:close]:
        try:
            text = line.raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise RecordFaultError(FailReason.NOT_UTF8, line.start + error.start) from None
        parent = _pair(text, parent, pairs)
    ends = lines[close]
    return pairs, min(ends.start + len(data[ends.start :].split(b"\n", 1)[0]) + 1, len(data))


def _pair(text: str, parent: str, pairs: dict[str, str]) -> str:
    """Take one line into ``pairs``; the key that deeper lines after it belong to."""
    stripped = text.strip()
    if stripped.startswith("- ") and parent:
        before = pairs.get(parent, "")
        pairs[parent] = f"{before}, {_bare(stripped[2:])}" if before else _bare(stripped[2:])
        return parent
    found = _PAIR.fullmatch(stripped)
    if found is None:
        return parent
    nested = text[:1] in (" ", "\t") and parent
    key = f"{parent}.{found[1]}" if nested else found[1]
    pairs[key] = _bare(found[2])
    return parent if nested else key


def _bare(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value.strip("[]") if value.startswith("[") else value

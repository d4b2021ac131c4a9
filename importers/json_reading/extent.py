"""Where one JSON value ends in a buffer of bytes, found without building it.

Brackets are told from those inside strings; whether they match is for the parser to say. Values
nested up to four levels are found by one pattern, at C speed; deeper ones by counting.
"""

from __future__ import annotations

import re
from typing import Final

from importers.json_reading.tokens import STRING

_SCALAR: Final = re.compile(STRING + rb'|[^\s,\[\]{}"]++')
_BRACKET: Final = re.compile(STRING + rb'|[{}\[\]]|"[^\n]*+\n?')


def _balanced(levels: int) -> bytes:
    """A pattern for one bracketed value, nested at most ``levels`` deep; runs at C speed."""
    plain = rb'[^{}\[\]"]*+'
    inner = rb"[{\[]" + plain + rb"(?:" + STRING + plain + rb")*+[}\]]"
    for _ in range(levels - 1):
        inner = (
            rb"[{\[]" + plain + rb"(?:(?:" + STRING + rb"|" + inner + rb")" + plain + rb")*+[}\]]"
        )
    return inner


WHOLE: Final = re.compile(_balanced(4))
"""One whole value in brackets, nested at most four levels deep."""


def end_of_value(data: bytes, pos: int) -> int:
    """The index after the value at ``pos``, or -1 while it is not complete."""
    if data[pos] not in b"{[":
        scalar = _SCALAR.match(data, pos)
        if scalar:
            return scalar.end()
        newline = data.find(b"\n", pos)
        return newline if newline >= 0 else -1
    whole = WHOLE.match(data, pos)
    if whole:
        return whole.end()
    depth = 0
    for match in _BRACKET.finditer(data, pos):
        token = match[0]
        if token[:1] == b'"':
            if token[-1:] == b"\n":
                return _next_record(data, pos, match.end() - 1)
            if token[-1:] != b'"':
                return -1
            continue
        depth += 1 if token in (b"{", b"[") else -1
        if depth == 0:
            return match.end()
    return -1


def _next_record(data: bytes, pos: int, broken: int) -> int:
    """Where to give up the record at ``pos``, whose string breaks off; -1 if that is unknown.

    Brackets cannot be counted past a quote that is never closed. The next line that opens an
    object, indented as this record is, begins the next record.
    """
    begin = data.rfind(b"\n", 0, pos) + 1
    indent = data[begin:pos]
    known = begin > 0 and not indent.strip()
    before = re.escape(indent) if known else rb"[ \t]*+"
    found = re.compile(rb"\n" + before + rb"\{").search(data, broken)
    return found.start() if found else -1

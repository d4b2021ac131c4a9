"""Cuts a stream of bytes into JSON records with exact places, in flat memory.

Two shapes: lines (JSONL), and elements of a list that is the whole file or stands under a named
key of a top-level object. Lines end at LF only, because U+2028 and U+0085 may stand inside
strings. Nothing is parsed here but the small values beside a list. A record over ``RECORD_LIMIT``
is passed over without being held; its ``raw`` is then only its first ``KEPT`` bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO, Final, NamedTuple

from importers.json_reading import extent
from store.records import Failed, FailReason

RECORD_LIMIT: Final = 16 * 1024 * 1024
KEPT: Final = 1_024
_CHUNK: Final = 1 << 18
_FIELD_LIMIT: Final = 64 * 1024
_BOM: Final = b"\xef\xbb\xbf"

_SPACE: Final = re.compile(rb"[ \t\r\n]*+")
_GAP: Final = re.compile(rb"[ \t\r\n,]*+")
_MARK: Final = re.compile(rb'[^{}\[\]"]*+([{}\[\]"])')
_QUOTED: Final = re.compile(rb'(?:[^"\\\n]++|\\[^\n])*+(["\n])')


class Slice(NamedTuple):
    """The bytes of one record. ``fault`` is set when they cannot be a whole record."""

    line: int
    start: int
    end: int
    raw: bytes
    key: str = ""
    """The list it stands in; empty for lines and for a list that is the whole file."""

    last: bool = False
    """Whether the source ends with this record, unclosed or without a line ending."""

    fault: Failed | None = None
    shallow: bool = False
    """Whether it is known to nest at most four levels deep."""


class Beside(NamedTuple):
    """A member of the top-level object, told when it is met."""

    key: str
    raw: bytes
    """The value as written, cut to 64 KiB; empty for a list whose elements follow as slices."""


def lines(stream: BinaryIO) -> Iterator[Slice]:
    """Every line, blank ones too, without its LF or CR LF. A leading BOM is skipped."""
    tail = stream.read(_CHUNK)
    offset = len(_BOM) if tail.startswith(_BOM) else 0
    tail = tail[offset:]
    line, dropped = 1, 0
    while True:
        parts = tail.split(b"\n")
        tail = parts.pop()
        for part in parts:
            end = offset + dropped + len(part)
            if dropped:
                yield _too_long(line, offset, end, part, "")
            else:
                raw = part[:-1] if part.endswith(b"\r") else part
                yield Slice(line, offset, offset + len(raw), raw)
            offset, line, dropped = end + 1, line + 1, 0
        if len(tail) > RECORD_LIMIT:
            dropped += len(tail) - KEPT
            tail = tail[:KEPT]
        chunk = stream.read(_CHUNK)
        if not chunk:
            break
        tail += chunk
        if dropped and b"\n" not in chunk:
            dropped += len(tail) - KEPT
            tail = tail[:KEPT]
    if dropped:
        yield _too_long(line, offset, offset + dropped + len(tail), tail, "")
    elif tail:
        raw = tail[:-1] if tail.endswith(b"\r") else tail
        yield Slice(line, offset, offset + len(raw), raw, last=True)


def _too_long(line: int, start: int, end: int, begin: bytes, key: str) -> Slice:
    return Slice(line, start, end, begin[:KEPT], key, fault=Failed(FailReason.TOO_LONG))


def elements(stream: BinaryIO, keys: frozenset[str]) -> Iterator[Slice | Beside]:
    """Elements of the top-level list, or of the lists under ``keys`` of a top-level object.

    Commas are not judged: two records without one between them are two records. A file that
    ends before its brackets close gives a last, empty slice with ``CUT_SHORT``.
    """
    return iter(_Walk(stream, keys))


class _Walk:
    """A window over the stream; ``pos`` moves forward and what lies behind is dropped."""

    def __init__(self, stream: BinaryIO, keys: frozenset[str]) -> None:
        self._stream, self._keys = stream, keys
        self._buffer = stream.read(_CHUNK)
        self._pos = len(_BOM) if self._buffer.startswith(_BOM) else 0
        self._base = 0
        self._line, self._counted = 1, 0
        self._cut = False

    def __iter__(self) -> Iterator[Slice | Beside]:
        opening = self._next(_SPACE)
        if opening == b"[":
            self._pos += 1
            yield from self._list("")
        elif opening == b"{":
            self._pos += 1
            yield from self._members()
        elif opening:
            yield self._junk(FailReason.NOT_JSON)
            return
        if self._next(_SPACE):
            yield self._junk(FailReason.NOT_JSON)

    def _list(self, key: str) -> Iterator[Slice]:
        gap, record = _GAP.match, extent.WHOLE.match
        while True:
            found = gap(self._buffer, self._pos)
            self._pos = found.end() if found else self._pos
            whole = record(self._buffer, self._pos)
            if whole is not None:
                yield self._slice(whole.end(), key, shallow=True)
                continue
            first = self._next(_GAP)
            if first == b"]":
                self._pos += 1
                return
            if not first or first == b"}":
                yield self._unclosed(key)
                return
            if (end := self._value_end()) is None:
                yield self._unfinished(key)
                if self._cut:
                    return
            else:
                yield self._slice(end, key)

    def _members(self) -> Iterator[Slice | Beside]:
        while True:
            first = self._next(_GAP)
            if first == b"}":
                self._pos += 1
                return
            end = self._value_end() if first == b'"' else None
            if end is None:
                yield self._junk(FailReason.NOT_JSON) if first else self._unclosed("")
                return
            key = self._buffer[self._pos + 1 : end - 1].decode("utf-8", "replace")
            self._pos = end
            if self._next(_SPACE) == b":":
                self._pos += 1
            first = self._next(_SPACE)
            if first == b"[" and key in self._keys:
                self._pos += 1
                yield Beside(key, b"")
                yield from self._list(key)
                if self._cut:
                    return
            elif not first or (end := self._value_end()) is None:
                yield self._unclosed("")
                return
            else:
                yield Beside(key, self._buffer[self._pos : min(end, self._pos + _FIELD_LIMIT)])
                self._pos = end

    def _next(self, gap: re.Pattern[bytes]) -> bytes:
        """The byte after the gap, without taking it; empty at the end of the stream."""
        while True:
            if found := gap.match(self._buffer, self._pos):
                self._pos = found.end()
            if self._pos < len(self._buffer):
                return self._buffer[self._pos : self._pos + 1]
            if not self._fill():
                return b""

    def _fill(self) -> bool:
        self._count_lines()
        rest = self._buffer[self._pos :]
        chunk = self._stream.read(max(_CHUNK, len(rest)))
        self._base += self._pos
        self._buffer, self._pos, self._counted = rest + chunk, 0, 0
        return bool(chunk)

    def _count_lines(self) -> int:
        self._line += self._buffer.count(b"\n", self._counted, self._pos)
        self._counted = self._pos
        return self._line

    def _slice(self, end: int, key: str, *, shallow: bool = False) -> Slice:
        start, base = self._pos, self._base
        line = self._count_lines()
        self._pos = end
        return Slice(
            line, base + start, base + end, self._buffer[start:end], key, False, None, shallow
        )

    def _value_end(self) -> int | None:
        """Where the value at ``pos`` ends in the buffer; ``None`` if never, or too late."""
        while True:
            end = extent.end_of_value(self._buffer, self._pos)
            if 0 <= end < len(self._buffer) or (end >= 0 and self._buffer[end - 1] in b'}]"'):
                return end
            if len(self._buffer) - self._pos > RECORD_LIMIT:
                return None
            before = self._pos
            if not self._fill():
                return end - before if end >= 0 else None

    def _unfinished(self, key: str) -> Slice:
        if len(self._buffer) - self._pos > RECORD_LIMIT:
            return self._pass_over(key)
        line, start = self._count_lines(), self._base + self._pos
        raw = self._buffer[self._pos :]
        self._pos, self._cut = len(self._buffer), True
        return Slice(line, start, start + len(raw), raw, key, last=True)

    def _pass_over(self, key: str) -> Slice:
        """Drop a record that is too long, counting brackets, until it closes or the file ends."""
        line, start = self._count_lines(), self._base + self._pos
        begin, depth, quoted = self._buffer[self._pos : self._pos + KEPT], 0, False
        while True:
            mark = (_QUOTED if quoted else _MARK).match(self._buffer, self._pos)
            half = len(self._buffer) - len(self._buffer.rstrip(b"\\"))  # an escape may be cut
            self._pos = mark.end() if mark else len(self._buffer) - half % 2
            if mark is not None:
                token = mark[1]
                depth += (token in (b"{", b"[")) - (token in (b"}", b"]"))
                quoted = token == b'"' and not quoted
                if depth > 0 or quoted:
                    continue
                break
            if not self._fill():
                break
        return _too_long(line, start, self._base + self._pos, begin, key)

    def _unclosed(self, key: str) -> Slice:
        at = self._base + self._pos
        self._cut = True
        fault = Failed(FailReason.CUT_SHORT)
        return Slice(self._count_lines(), at, at, b"", key, last=True, fault=fault)

    def _junk(self, reason: FailReason) -> Slice:
        """What is not JSON at all: its first bytes, and no attempt to read on."""
        line, start = self._count_lines(), self._base + self._pos
        raw = self._buffer[self._pos : self._pos + KEPT]
        self._pos = len(self._buffer)
        while self._fill():
            self._pos = len(self._buffer)
        return Slice(line, start, start + len(raw), raw, fault=Failed(reason))

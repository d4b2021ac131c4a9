"""Where the parts of one JSON record stand, so that each part is read on its own.

A trace is a tree of lists in lists. Each span, run or observation is cut out here with its exact
place, and one that is broken does not take its neighbours with it. Where the source breaks off,
the parts before that are whole, and the last one is not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from importers.faults import RecordFaultError
from importers.json_reading import extent
from importers.json_reading import tokens as json_tokens
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject
from importers.traces import json as traces_json
from store.cells import Span
from store.records import FailReason

_TOKEN: Final = re.compile(json_tokens.STRING + rb'|[{}\[\]]|(?P<cut>"[^\n]*+)')
_LEVELS: Final = 16
_GAP: Final = re.compile(rb"[ \t\r\n,]*+")
_SPACE: Final = re.compile(rb"[ \t\r\n]*+")


class Inside:
    """The inside of one record. Parts must be cut in the order in which they stand."""

    def __init__(self, whole: Slice) -> None:
        self.whole = whole
        self.raw = whole.raw
        self._line, self._counted = whole.line, 0
        self._closed: dict[int, int] | None = None

    def all(self) -> Span:
        """The value of the whole record.

        Raises:
            RecordFaultError: ``NOT_JSON`` if it does not end, or something stands after it.
        """
        start = _skip(_SPACE, self.raw, 0)
        end = self._end(start)
        if end < len(self.raw) and _skip(_SPACE, self.raw, end) != len(self.raw):
            raise RecordFaultError(FailReason.NOT_JSON, end)
        return Span(start, end)

    def members(self, at: Span) -> dict[str, Span]:
        """Spans of the values of the object at ``at``, by key; empty if it is no object.

        Raises:
            RecordFaultError: ``NOT_JSON`` or ``DUPLICATE_KEYS``.
        """
        found: dict[str, Span] = {}
        raw, pos = self.raw, at.start
        if raw[pos : pos + 1] != b"{":
            return found
        pos = _skip(_GAP, raw, pos + 1)
        while raw[pos : pos + 1] != b"}" and not self._ends(pos):
            end = self._end(pos)
            key = _text(raw[pos:end])
            if raw[pos : pos + 1] != b'"':
                raise RecordFaultError(FailReason.NOT_JSON, pos)
            pos = _skip(_SPACE, raw, end)
            if self._ends(pos):
                break
            if raw[pos : pos + 1] != b":":
                raise RecordFaultError(FailReason.NOT_JSON, pos)
            pos = _skip(_SPACE, raw, pos + 1)
            if self._ends(pos):
                break
            if key in found:
                raise RecordFaultError(FailReason.DUPLICATE_KEYS, pos)
            end = self._end(pos)
            found[key] = Span(pos, end)
            pos = _skip(_GAP, raw, end)
        return found

    def elements(self, at: Span) -> Iterator[Span]:
        """Spans of the elements of the list at ``at``; none if it is no list.

        Raises:
            RecordFaultError: ``NOT_JSON``.
        """
        raw, pos = self.raw, at.start
        if raw[pos : pos + 1] != b"[":
            return
        pos = _skip(_GAP, raw, pos + 1)
        while raw[pos : pos + 1] != b"]" and not self._ends(pos):
            end = self._end(pos)
            yield Span(pos, end)
            pos = _skip(_GAP, raw, end)

    def begins(self, at: Span) -> bytes:
        """The first byte of the value at ``at``."""
        return self.raw[at.start : at.start + 1]

    def value(self, at: Span) -> object:
        """The value at ``at``, parsed.

        Raises:
            RecordFaultError: As ``traces_json.parse``.
        """
        return traces_json.parse(self.raw[at.start : at.end], last=self.whole.last)

    def cut(self, at: Span) -> Slice:
        """The bytes at ``at`` with their place in the source."""
        if at.start < self._counted:
            self._line, self._counted = self.whole.line, 0
        self._line += self.raw.count(b"\n", self._counted, at.start)
        self._counted = at.start
        base = self.whole.start
        last = self.whole.last and at.end == len(self.raw)
        raw = self.raw[at.start : at.end]
        return Slice(self._line, base + at.start, base + at.end, raw, self.whole.key, last)

    def _ends(self, pos: int) -> bool:
        """Whether the source breaks off here.

        Raises:
            RecordFaultError: ``NOT_JSON`` if the record does so, and the source goes on.
        """
        if pos < len(self.raw):
            return False
        if self.whole.last:
            return True
        raise RecordFaultError(FailReason.NOT_JSON, pos)

    def _end(self, pos: int) -> int:
        """Where the value at ``pos`` ends; where the source breaks off inside it, its end."""
        if pos < len(self.raw) and self.raw[pos : pos + 1] in (b"}", b"]", b":", b","):
            raise RecordFaultError(FailReason.NOT_JSON, pos)
        end = -1 if self._ends(pos) else self._value_end(pos)
        if end < 0:
            if not self.whole.last:
                raise RecordFaultError(FailReason.NOT_JSON, pos)
            return len(self.raw)
        return end

    def _value_end(self, pos: int) -> int:
        if self.raw[pos] not in b"{[":
            return extent.end_of_value(self.raw, pos)
        if self._closed is None:
            self._closed = _closed(self.raw)
        end = self._closed.get(pos)
        return extent.end_of_value(self.raw, pos) if end is None else end


def _closed(raw: bytes) -> dict[int, int]:
    """Where each bracket of the upper levels is closed, in one pass over the record."""
    found: dict[int, int] = {}
    open_at: list[int] = []
    for match in _TOKEN.finditer(raw):
        first = match[0][:1]
        if first in (b"{", b"["):
            open_at.append(match.start())
        elif first in (b"}", b"]"):
            if not open_at:
                break
            start = open_at.pop()
            if len(open_at) < _LEVELS:
                found[start] = match.end()
        elif first == b'"' and match.lastgroup == "cut":
            break  # a string that is not closed: what follows is for the slow way to say
    return found


def without(piece: Slice, *left_out: str) -> tuple[JsonObject, dict[str, Span]]:
    """An object without some of its members, and where all its members stand.

    Raises:
        RecordFaultError: As ``Inside`` and ``traces_json.parse``; ``WRONG_SHAPE`` if it is none.
    """
    inside = Inside(piece)
    at = inside.all()
    if inside.begins(at) != b"{":
        raise RecordFaultError(FailReason.WRONG_SHAPE)
    spans = inside.members(at)
    record = {key: inside.value(span) for key, span in spans.items() if key not in left_out}
    return record, spans


def _skip(gap: re.Pattern[bytes], raw: bytes, pos: int) -> int:
    found = gap.match(raw, pos)
    return found.end() if found else pos


def _text(literal: bytes) -> str:
    if b"\\" in literal:
        try:
            return str(json.loads(literal))
        except ValueError:
            pass
    return literal[1:-1].decode("utf-8", "replace")

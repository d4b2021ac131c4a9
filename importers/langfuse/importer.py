"""Reads Langfuse: traces of its API and of its pages, sessions, and its exported tables.

One run per trace. Tables are read row by row, as JSON, JSON Lines or CSV: rows of traces and of
observations become runs, all rows of one trace together; rows of scores become a run of notes,
``langfuse:scores/<trace>``, that carries the decisions in it and names its trace. What a stranger
gets wrong: only an annotation with its author's id is a person's; a score over the API may come
from anywhere. Parquet is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from importers import fields
from importers.faults import RecordFaultError
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject
from importers.langfuse import csv
from importers.langfuse import rows as langfuse_rows
from importers.langfuse.rows import CORRECTION, OBSERVATION, ROOT, SCORE, TRACE
from importers.reads import place_of
from importers.source import Head, Source
from importers.traces import json, places, runs, units
from importers.traces.index import Glance, Piece
from importers.traces.json import Opener
from importers.traces.places import Inside
from importers.traces.spans import Parts, assumed
from store.cells import Span
from store.records import FailReason, Nothing, NothingReason, Read, Remark, RemarkCode

VERSION: Final = "1"
CANNOT_TELL: Final = (RemarkCode.EVIDENCE_ONLY,)
_LISTS: Final = frozenset({"data", "traces"})
_INSIDE: Final = {"observations": OBSERVATION, "scores": SCORE, "corrections": CORRECTION}
_WRAPPED: Final = re.compile(rb'\s*\{\s*"trace"\s*:\s*\{')
_DEEP: Final = 4


def recognises(head: Head) -> bool:
    """Whether the first records are Langfuse's traces, observations or scores."""
    if head.is_folder:
        return False
    data = head.data.removeprefix(b"\xef\xbb\xbf")
    if _WRAPPED.match(data):
        return b'"observations"' in data or b'"bookmarked"' in data
    seen = units.glimpse(head, _LISTS)
    if any(keys >= {"trace", "observations"} or langfuse_rows.sort_of(keys) for keys in seen):
        return True
    names = csv.header(data)
    return len(names) > 3 and bool(langfuse_rows.sort_of(names))


def read(source: Source) -> Iterator[Read | Remark]:
    """Every trace as a run.

    Raises:
        SourceRefusedError: If it is a Parquet file.
    """
    yield from (Remark(code) for code in CANNOT_TELL)
    names = csv.header(source.head().data)
    if len(names) > 1:
        rows = csv.rows(source)
        yield from runs.read(source, _Langfuse(names), rows)
    else:
        yield from runs.read(source, _Langfuse([]))


class _Langfuse:
    system = "langfuse"
    lists = _LISTS

    def __init__(self, names: list[str]) -> None:
        self.beside: dict[str, bytes] = {}
        self._names = [langfuse_rows.camel(one) for one in names]

    def pieces(self, unit: Slice) -> Iterator[Piece | Read]:
        if self._names:
            sort = langfuse_rows.sort_of(self._names)
            yield Piece(unit, sort) if sort else _unknown(unit)
            return
        inside = Inside(unit)
        yield from self._found(inside, inside.all(), 0)

    def _found(self, inside: Inside, at: Span, deep: int) -> Iterator[Piece | Read]:
        if inside.begins(at) == b"[" and deep < _DEEP:
            for one in inside.elements(at):
                yield from self._found(inside, one, deep + 1)
            return
        if inside.begins(at) != b"{":
            raise RecordFaultError(FailReason.WRONG_SHAPE)
        members = inside.members(at)
        sort = langfuse_rows.sort_of(members)
        if "trace" in members and inside.begins(members["trace"]) == b"{":
            yield from self._wrapped(inside, members)
        elif sort == TRACE:
            yield from self._trace(inside, at, members)
        elif sort:
            yield Piece(inside.cut(at), sort)
        elif deep < _DEEP and (held := [one for one in members if one in _LISTS]):
            if not deep:
                self._keep_beside(inside, members)
            for key in held:
                yield from self._found(inside, members[key], deep + 1)
        else:
            yield _unknown(inside.cut(at))

    def _wrapped(self, inside: Inside, members: dict[str, Span]) -> Iterator[Piece | Read]:
        """A trace in a wrapper, whose lists may stand inside it, beside it, or both.

        Then one of the two has the content and the other not, so the longer entry is read.
        """
        at = members["trace"]
        yield from self._trace(inside, at, inside.members(at), members)

    def _trace(
        self,
        inside: Inside,
        at: Span,
        members: dict[str, Span],
        beside: dict[str, Span] | None = None,
    ) -> Iterator[Piece | Read]:
        own = inside.value(members["id"]) if "id" in members else None
        trace = own if isinstance(own, str) else ""
        found = [Piece(inside.cut(at), TRACE)]
        for key, sort in _INSIDE.items():
            longest: dict[bytes, Span] = {}
            for lists in (members, beside or {}):
                for one in inside.elements(lists[key]) if key in lists else ():
                    if inside.begins(one) == b'"':  # ids of what is in another answer
                        continue
                    name = _id_in(inside, one)
                    before = longest.get(name) if lists is beside else None
                    if name in longest and lists is members:
                        name += b"+%d" % one.start
                    if before is None or _size(one) > _size(before):
                        longest[name] = one
            found += [Piece(inside.cut(one), sort, trace) for one in longest.values()]
        yield from sorted(found, key=lambda one: (one.slice.start, -one.slice.end))

    def _keep_beside(self, inside: Inside, members: dict[str, Span]) -> None:
        for key, span in members.items():
            if key not in _LISTS:
                self.beside[key] = inside.raw[span.start : span.end]

    def _record(self, piece: Piece) -> JsonObject:
        if self._names:
            return csv.record(piece.slice.raw, self._names)
        if piece.sort == TRACE:
            return langfuse_rows.named(places.without(piece.slice, *_INSIDE)[0])
        return langfuse_rows.named(json.parse_object(piece.slice.raw, last=piece.slice.last))

    def glance(self, piece: Piece) -> Glance | Nothing:
        record = self._record(piece)
        own = fields.identity(record, "id") or ""
        if piece.sort == TRACE:
            if not own:
                raise RecordFaultError(FailReason.FIELD_MISSING, name="id")
            return Glance(own)
        trace = fields.identity(record, "traceId") or piece.context
        if piece.sort == OBSERVATION:
            parent = fields.identity(record, "parentObservationId") or ""
            if not trace and not own:
                raise RecordFaultError(FailReason.FIELD_MISSING, name="traceId")
            return Glance(trace, (own,) if own else (), parent)
        target = fields.identity(record, "observationId") or ""
        session = fields.identity(record, "sessionId") or ""
        if not trace and not target and not session:
            return Nothing(NothingReason.NOT_A_MEMORY)
        return Glance(trace or ("" if target else session), parent=target)

    def assemble(self, trace: str, pieces: list[Piece]) -> Parts:
        parts, opener = Parts(), Opener()
        add = {
            TRACE: langfuse_rows.trace,
            OBSERVATION: langfuse_rows.observation,
            SCORE: langfuse_rows.score,
            CORRECTION: langfuse_rows.correction,
        }
        for piece in pieces:
            try:
                add[piece.sort](self._record(piece), piece.slice, parts, opener)
            except RecordFaultError as fault:
                parts.faults.append(Read(place_of(piece.slice), piece.slice.raw, fault.failed))
        _under_the_trace(parts)
        for span in parts.spans:
            assumed(parts, span.start, span.end)
        if opener.twice:
            parts.remarks[RemarkCode.ENCODED_TWICE] = None
        if not parts.spans:
            parts.prefix = "scores/"
        return parts


def _id_in(inside: Inside, at: Span) -> bytes:
    """The id of an entry as written; its place where it has none."""
    span = inside.members(at).get("id")
    return inside.raw[span.start : span.end] if span else b"at %d" % at.start


def _size(span: Span) -> int:
    return span.end - span.start


def _under_the_trace(parts: Parts) -> None:
    """Put what has no parent below the trace, which ends as its first root does."""
    trace = next((one for one in parts.spans if one.id == ROOT), None)
    known = {one.id for one in parts.spans}
    for span in parts.spans:
        if trace is not None and span is not trace and span.parent not in known:
            span.parent = ROOT
            trace.failed = trace.failed or span.failed


def _unknown(piece: Slice) -> Read:
    return Read(place_of(piece), piece.raw, Nothing(NothingReason.UNKNOWN_TYPE))

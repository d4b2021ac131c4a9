"""Reads LangSmith: lists of runs, runs with ``child_runs``, JSON Lines, ``{post, patch}`` batches.

One run here per trace there. What was posted and what was patched later is put together by id;
times without a zone are UTC. What a stranger gets wrong: feedback is a person's only if it came
through the app from a named user. Host and runtime are not kept beside the run's own bytes. The
bulk export is Parquet, which is not read: list the runs as JSON.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from importers import fields, langsmith_runs
from importers.faults import RecordFaultError
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject
from importers.langsmith_runs import CHILDREN, FEEDBACK, PATCH, POST, RUN
from importers.reads import place_of
from importers.source import Head, Source
from importers.traces import json, places, units
from importers.traces import runs as traces_runs
from importers.traces.index import Glance, Piece
from importers.traces.json import Opener
from importers.traces.places import Inside
from importers.traces.spans import Parts, assumed
from store.cells import Span
from store.records import FailReason, Nothing, NothingReason, Read, Remark, RemarkCode

VERSION: Final = "1"
CANNOT_TELL: Final = (RemarkCode.EVIDENCE_ONLY,)
_LISTS: Final = frozenset({"post", "patch", "runs", "data", "items", "feedback", "feedbacks"})
_DEEP: Final = 32


def recognises(head: Head) -> bool:
    """Whether the first records are runs with a ``run_type``, batches of them, or feedback."""
    if head.is_folder:
        return False
    seen = units.glimpse(head, _LISTS)
    if any(langsmith_runs.sort_of(keys) for keys in seen):
        return True
    batch = any(keys and keys <= {"post", "patch"} for keys in seen)
    return batch and (b'"dotted_order"' in head.data or b'"run_type"' in head.data)


def read(source: Source) -> Iterator[Read | Remark]:
    """Every trace as a run.

    Raises:
        SourceRefusedError: If it is a Parquet file.
    """
    yield from (Remark(code) for code in CANNOT_TELL)
    yield from traces_runs.read(source, _LangSmith())


class _LangSmith:
    system = "langsmith"
    lists = _LISTS

    def __init__(self) -> None:
        self.beside: dict[str, bytes] = {}

    def pieces(self, unit: Slice) -> Iterator[Piece | Read]:
        inside = Inside(unit)
        yield from self._found(inside, inside.all(), unit.key, "", 0)

    def _found(
        self, inside: Inside, at: Span, key: str, above: str, deep: int
    ) -> Iterator[Piece | Read]:
        whole = inside.cut(at)
        if inside.begins(at) == b"[" and not deep:
            for one in inside.elements(at):
                yield from self._found(inside, one, key, above, deep + 1)
            return
        if inside.begins(at) != b"{":
            fault = RecordFaultError(FailReason.WRONG_SHAPE)
            yield Read(place_of(whole), whole.raw, fault.failed)
            return
        members = inside.members(at)
        sort = langsmith_runs.sort_of(members)
        if sort == RUN or (key in (POST, PATCH) and "id" in members):
            yield from self._run(inside, at, key, above, deep)
        elif sort == FEEDBACK:
            yield Piece(whole, FEEDBACK, above)
        elif deep < 2 and _LISTS & members.keys():
            yield from self._lists(inside, members, above)
        else:
            yield Read(place_of(whole), whole.raw, Nothing(NothingReason.UNKNOWN_TYPE))

    def _lists(
        self, inside: Inside, members: dict[str, Span], above: str
    ) -> Iterator[Piece | Read]:
        for name, span in members.items():
            if name in _LISTS:
                for one in inside.elements(span):
                    yield from self._found(inside, one, name, above, 2)
            else:
                self.beside[name] = inside.raw[span.start : span.end]

    def _run(
        self, inside: Inside, at: Span, key: str, above: str, deep: int
    ) -> Iterator[Piece | Read]:
        """A run and the runs below it; ``above`` is told to those that do not say so."""
        members = inside.members(at)
        yield Piece(inside.cut(at), key if key in (POST, PATCH) else RUN, above)
        own = inside.value(members["id"]) if "id" in members else ""
        name = own if isinstance(own, str) else ""
        for listed in (CHILDREN, "feedback", "feedbacks"):
            if listed in members and deep < _DEEP:
                for one in inside.elements(members[listed]):
                    if inside.begins(one) == b"{":
                        yield from self._found(inside, one, "", name, deep + 3)

    def _record(self, piece: Piece) -> JsonObject:
        if piece.sort == FEEDBACK:
            return json.parse_object(piece.slice.raw, last=piece.slice.last)
        return places.without(piece.slice, CHILDREN, "feedback", "feedbacks")[0]

    def glance(self, piece: Piece) -> Glance | Nothing:
        record = self._record(piece)
        if piece.sort == FEEDBACK:
            target = fields.identity(record, "run_id") or piece.context
            trace = fields.identity(record, "trace_id") or ""
            if not target and not trace:
                return Nothing(NothingReason.NOT_A_MEMORY)
            return Glance(trace, parent=target)
        own = fields.identity(record, "id")
        if not own:
            raise RecordFaultError(FailReason.FIELD_MISSING, name="id")
        parent = langsmith_runs.parent_of(record) or piece.context
        trace = langsmith_runs.trace_of(record)
        if (piece.context or piece.sort == PATCH) and trace == own and not record.get("trace_id"):
            trace = ""
        return Glance(trace, (own,), parent)

    def assemble(self, trace: str, pieces: list[Piece]) -> Parts:
        parts, opener = Parts(), Opener()
        runs: dict[str, list[tuple[JsonObject, Piece]]] = {}
        for number, piece in enumerate(pieces):
            try:
                record = self._record(piece)
                if piece.sort == FEEDBACK:
                    langsmith_runs.feedback(record, piece.slice, piece.context, parts)
                    continue
                own = fields.identity(record, "id") or ""
                same = runs.setdefault(own, [])
                whole = piece.sort == RUN and same and not langsmith_runs.is_unfinished(same[0][0])
                (runs.setdefault(f"{own}\0{number}", []) if whole else same).append(
                    (record, piece)
                )
            except RecordFaultError as fault:
                parts.faults.append(Read(place_of(piece.slice), piece.slice.raw, fault.failed))
        for told in runs.values():
            _add(told, parts, opener)
        for span in parts.spans:
            assumed(parts, span.start, span.end)
        if opener.twice:
            parts.remarks[RemarkCode.ENCODED_TWICE] = None
        if not parts.spans:
            parts.prefix = "feedback/"
        return parts


def _add(told: list[tuple[JsonObject, Piece]], parts: Parts, opener: Opener) -> None:
    """A run from all that was written of it: what was posted first, then the patches."""
    told = sorted(told, key=lambda one: one[1].sort == PATCH)
    record, first = told[0]
    for later, _ in told[1:]:
        record = langsmith_runs.merged(record, later)
    last = told[-1][1].slice if len(told) > 1 else None
    try:
        langsmith_runs.run(record, first.slice, last, first.context, parts, opener)
    except RecordFaultError as fault:
        parts.faults += [
            Read(place_of(piece.slice), piece.slice.raw, fault.failed) for _, piece in told
        ]

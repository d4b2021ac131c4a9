"""Reads LongMemEval: questions, each with the chat sessions in which its answer lies or does not.

Each session of a haystack is a trajectory with its own bytes; questions are no memories. A record
is taken apart session by session, so files of any size are read in flat memory; one record over
16 MiB fails as ``too_long`` (those of the largest published file have about 6). Lists of sessions,
ids and dates that differ in length are not put together: which date is whose cannot be told. A
record of columns, several questions over one haystack, is read as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from importers import fields, long_texts, reads, record_forms
from importers.faults import RecordFaultError
from importers.json_reading import parts as json_parts
from importers.json_reading.slices import KEPT, Slice
from importers.json_reading.strict import JsonObject
from importers.runs import MAX_ELEMENT, RunBuilder
from importers.source import Head, Source
from store.records import (
    FailReason,
    Nothing,
    NothingReason,
    Read,
    Remark,
    RemarkCode,
)
from store.trajectories import Omitted, StepKind

VERSION: Final = "1"
CANNOT_TELL: Final = (RemarkCode.EVIDENCE_ONLY, RemarkCode.NO_DECISIONS)
_SESSIONS: Final = "haystack_sessions"
_WRAPPERS: Final = frozenset({"data", "questions"})
_LARGE: Final = frozenset({_SESSIONS, "question"})
_KINDS: Final = {
    "user": StepKind.INPUT,
    "assistant": StepKind.SAID,
    "system": StepKind.INSTRUCTION,
}


def recognises(head: Head) -> bool:
    """Whether the first records are questions over a haystack of sessions."""
    if head.is_folder:
        return False
    return any(
        "question_id" in keys and any(one.startswith("haystack_") for one in keys)
        for keys in record_forms.of(head.data, _WRAPPERS).records
    )


def read(source: Source) -> Iterator[Read | Remark]:
    """For each question its own ``Read`` and its sessions, then what holds for the file."""
    head = source.head()
    form = record_forms.of(head.data, _WRAPPERS)
    if not form.name:
        yield reads.broken_source(FailReason.NOT_JSON, head.data)
        return
    yield from (Remark(code) for code in CANNOT_TELL)
    tally = reads.Tally()
    found = (one for piece in record_forms.slices(source, form) for one in _record(piece, tally))
    yield from reads.with_tail(found)
    yield from tally.remarks()


def _record(piece: Slice, tally: reads.Tally) -> Iterator[Read]:
    if piece.fault is None and not piece.raw.strip():
        yield Read(reads.place_of(piece), piece.raw, Nothing(NothingReason.BLANK_LINE))
        return
    try:
        record, large = json_parts.opened(piece, _LARGE)
        haystack = _Haystack(record, large.get(_SESSIONS), tally)
        asked = _questions(large.get("question"))
    except RecordFaultError as fault:
        yield Read(reads.place_of(piece), piece.raw[:KEPT], fault.failed)
        return
    for one in asked:
        yield Read(reads.place_of(one), one.raw, Nothing(NothingReason.NOT_A_MEMORY))
    yield from haystack.reads()


def _questions(part: Slice | None) -> list[Slice]:
    """The question; of a record of columns, each of them."""
    if part is None or part.raw == b"null":
        raise RecordFaultError(FailReason.FIELD_MISSING, name="question")
    return list(json_parts.elements(part)) if part.raw.startswith(b"[") else [part]


class _Session(NamedTuple):
    part: Slice
    native: str | None
    date: object


class _Haystack:
    """The sessions of one record."""

    def __init__(self, record: JsonObject, part: Slice | None, tally: reads.Tally) -> None:
        """Find the sessions, and put their ids and dates to them.

        Raises:
            RecordFaultError: If the record names no question, or a list is none.
        """
        if part is None or part.raw == b"null":
            raise RecordFaultError(FailReason.FIELD_MISSING, name=_SESSIONS)
        if not part.raw.startswith(b"["):
            raise RecordFaultError(FailReason.FIELD_INVALID, name=_SESSIONS)
        self._tally = tally
        self._foreign: dict[str, object] = {}
        self._differs = False
        self._seen: Counter[str] = Counter()
        self._own = self._identity(record)
        parts = [inner for one in json_parts.elements(part) for inner in _sessions(one)]
        ids = self._beside(record, "haystack_session_ids", len(parts))
        dates = self._beside(record, "haystack_dates", len(parts))
        self._sessions = [
            _Session(one, ids[n] if isinstance(ids[n], str) else None, dates[n])  # type: ignore[arg-type]
            for n, one in enumerate(parts)
        ]
        self._answers = set(_strings(record.get("answer_session_ids")))
        if self._differs:
            tally.add(RemarkCode.COUNTS_DIFFER)
        if any(isinstance(one, str) for one in ids):
            lost = self._answers - {one for one in ids if isinstance(one, str)}
            tally.add(*[RemarkCode.REFERENCES_MALFORMED] * len(lost))

    def reads(self) -> Iterator[Read]:
        """One ``Read`` per session, in file order, and one for every turn that cannot be read."""
        for number, session in enumerate(self._sessions):
            yield from self._session(number, session)

    def _identity(self, record: JsonObject) -> str:
        named = record.get("question_id")
        if isinstance(named, list):
            ids = list(_strings(named))
            self._foreign["question_ids"] = ids
            return fields.fingerprint(*ids)[:16]
        native = fields.identity(record, "question_id")
        if native is None:
            raise RecordFaultError(FailReason.FIELD_MISSING, name="question_id")
        self._foreign["question_id"] = native
        if sort := fields.text(record, "question_type"):
            self._foreign["question_type"] = sort
        if native.endswith("_abs"):
            self._foreign["abstention"] = True
        return native

    def _beside(self, record: JsonObject, name: str, count: int) -> list[object]:
        """A list beside the sessions; all ``None`` where it is absent or of another length."""
        value = record.get(name)
        if value is None:
            return [None] * count
        if not isinstance(value, list):
            raise RecordFaultError(FailReason.FIELD_INVALID, name=name)
        flat = [inner for one in value for inner in (one if isinstance(one, list) else [one])]
        if len(flat) != count:
            self._differs = True
            return [None] * count
        return flat

    def _session(self, number: int, session: _Session) -> Iterator[Read]:
        part = session.part
        try:
            turns = list(json_parts.elements(part)) if part.raw != b"null" else []
            at = fields.instant({"haystack_dates": session.date}, "haystack_dates")
        except RecordFaultError as fault:
            yield Read(reads.place_of(part), part.raw, fault.failed)
            return
        builder = RunBuilder(element=part) if len(part.raw) <= MAX_ELEMENT else RunBuilder()
        for turn in turns:
            try:
                value, cut = long_texts.parsed(turn)
                self._turn(builder, value, turn, cut)
            except RecordFaultError as fault:
                yield Read(reads.place_of(turn), turn.raw, fault.failed)
        if not builder.steps:
            yield Read(reads.place_of(part), part.raw, Nothing(NothingReason.EMPTY_RUN))
            return
        native = session.native or f"session-{number + 1}"
        builder.run["session"] = session.native or f"{self._own}/{native}"
        builder.foreign.update(self._foreign)
        if session.native in self._answers:
            builder.foreign["answer_session"] = True
        if at is not None and at.tz_assumed:
            builder.remarks[RemarkCode.TIME_ZONE_ASSUMED] = None
        if self._differs:
            builder.remarks[RemarkCode.COUNTS_DIFFER] = None
        own = fields.numbered(f"longmemeval:{self._own}/{native}", self._seen)
        yield builder.read(own, started_at=at.text if at else None)

    def _turn(
        self, builder: RunBuilder, value: JsonObject, turn: Slice, cut: dict[str, Omitted]
    ) -> None:
        role = fields.needed(value, "role")
        text = value.get("content")
        if not isinstance(text, str):
            reason = FailReason.FIELD_MISSING if text is None else FailReason.FIELD_INVALID
            raise RecordFaultError(reason, name="content")
        if not text.strip():
            return
        if role not in _KINDS:
            self._tally.add(RemarkCode.UNKNOWN_TYPES)
            builder.remarks[RemarkCode.UNKNOWN_TYPES] = None
        kind = _KINDS.get(role, StepKind.NOTE)
        step = builder.add(kind, text, turn, who=role, omitted=cut.get(text))
        if cut:
            builder.remarks[RemarkCode.STEPS_CUT] = None
        answers = builder.foreign.setdefault("has_answer", []) if value.get("has_answer") else None
        if isinstance(answers, list):
            answers.append(step)


def _sessions(part: Slice) -> Iterator[Slice]:
    """The session that a part is, or those of one question where each has a list of its own."""
    if part.raw[1:].lstrip().startswith(b"[") and part.raw.startswith(b"["):
        yield from json_parts.elements(part)
    else:
        yield part


def _strings(value: object) -> Iterator[str]:
    """Every string in lists, however they are nested."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)

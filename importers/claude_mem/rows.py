"""Rows of claude-mem, from an export or from its database: what each sort of row comes to.

A model wrote observations and summaries. Each fact of an observation is a claim; one without facts
has its old ``text`` or its title as claim. What a summary learned is an insight. A person's prompt
is a run of one step, and a session is one only where no prompt of it is in the source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from importers import fields, reads, runs
from importers.claude_mem import values
from importers.faults import RecordFaultError
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject
from importers.runs import RunBuilder
from store.cells import Kind, Proposal, SourceType, Span
from store.records import Failed, FailReason, Nothing, NothingReason, Place, Read, RemarkCode
from store.trajectories import RunStatus, StepKind

SYSTEM: Final = "claude-mem:"
RAW_KEPT: Final = 8 * 1024
"""Up to this size a claim is shown in its whole row; beyond it, its own bytes stand alone."""

_SESSION: Final = ("content_session_id", "claude_session_id")
_MEMORY: Final = ("memory_session_id", "sdk_session_id")
_FILES: Final = ("files_read", "files_modified", "files_edited")
_TAKEN: Final = frozenset({"id", "project", "facts", "concepts", *_FILES, *_MEMORY})


class Sort(Enum):
    """What a row is."""

    OBSERVATION = "observation"
    SUMMARY = "summary"
    PROMPT = "prompt"
    SESSION = "session"


def sort_of(record: JsonObject) -> Sort | None:
    """What a row is, by its own keys: a search's ``sessions`` are summaries."""
    if "prompt_text" in record:
        return Sort.PROMPT
    if record.keys() & {"learned", "investigated"}:
        return Sort.SUMMARY
    if record.keys() & {"facts", "narrative"} or ("text" in record and "type" in record):
        return Sort.OBSERVATION
    return Sort.SESSION if record.keys() & {*_SESSION, *_MEMORY} else None


@dataclass(slots=True)
class Sessions:
    """Which session of the person's each of the model's belongs to, from a first pass."""

    content: dict[str, str] = field(default_factory=dict)
    prompted: set[str] = field(default_factory=set)

    def meet(self, record: JsonObject) -> None:
        """Take what a session or a prompt tells; a broken one tells nothing."""
        try:
            sort, own = sort_of(record), _either(record, _SESSION)
            if sort is Sort.SESSION and own and (memory := _either(record, _MEMORY)):
                self.content[memory] = own
            elif sort is Sort.PROMPT and own:
                self.prompted.add(own)
        except RecordFaultError:
            return


class Rows:
    """Makes reads of rows; ``tally`` counts what is to be said once for the source."""

    def __init__(self, sessions: Sessions, *, modified_at: str | None) -> None:
        """``modified_at`` is the file's own time, used when a row has none."""
        self._sessions, self._modified_at = sessions, modified_at
        self._seen: Counter[str] = Counter()
        self.tally = reads.Tally()

    def reads(self, record: JsonObject, piece: Slice, member: str = "") -> Iterator[Read]:
        """The reads of one row; one failed read if it cannot be read."""
        place = reads.place_of(piece, member)
        sort = sort_of(record)
        try:
            if sort is Sort.OBSERVATION:
                yield from self._observation(record, piece, member)
            elif sort is Sort.SUMMARY:
                yield Read(place, piece.raw, self._summary(record, piece.raw))
            elif sort is Sort.PROMPT:
                yield self._prompt(record, piece, member)
            elif sort is Sort.SESSION:
                yield self._session(record, piece, member)
            else:
                self.tally.add(RemarkCode.UNKNOWN_TYPES)
                yield Read(place, piece.raw, Nothing(NothingReason.UNKNOWN_TYPE))
        except RecordFaultError as fault:
            yield Read(place, piece.raw, fault.failed)

    def _observation(self, record: JsonObject, piece: Slice, member: str) -> Iterator[Read]:
        facts, twice = values.listed(record, "facts", lines=True)
        if not facts:
            facts = [fields.text(record, "text") or fields.text(record, "title") or ""]
        narrative = fields.text(record, "narrative")
        base = self._base(record, twice=twice)
        kind = Kind.DECISION if fields.text(record, "type") == "decision" else Kind.FACT
        own = base.own(record, facts)
        for fact in facts:
            if not isinstance(fact, str):
                fault = Failed(FailReason.FIELD_INVALID, name="facts")
                yield Read(reads.place_of(piece, member), piece.raw, fault)
                continue
            place, raw, evidence = _shown(piece, member, fact.strip(), narrative)
            mark = fields.fingerprint(fact.strip())[:16]
            source_id = fields.numbered(f"{SYSTEM}{own}#{mark}", self._seen)
            yield Read(place, raw, base.proposal(fact.strip(), kind, source_id, evidence))

    def _summary(self, record: JsonObject, raw: bytes) -> Proposal | Nothing:
        base = self._base(record)
        claim = fields.text(record, "learned") or ""
        found = _span(raw, "learned", claim)
        own = fields.numbered(f"{SYSTEM}summary/{base.own(record, claim)}", self._seen)
        base.foreign.pop("learned", None)
        spans = (found,) if found else ()
        return base.proposal(claim, Kind.INSIGHT, own, spans, SourceType.AGENT_SUMMARY)

    def _base(self, record: JsonObject, *, twice: bool = False) -> _Base:
        concepts, one = values.words(record, "concepts")
        files: list[str] = []
        for name in _FILES:
            told, other = values.words(record, name)
            files += told
            twice = twice or other
        if twice or one:
            self.tally.add(RemarkCode.ENCODED_TWICE)
        written, apart = values.written(record, "created_at")
        if apart:
            self.tally.add(RemarkCode.COUNTS_DIFFER)
        remarks: list[RemarkCode] = [RemarkCode.MODEL_MADE]
        if written is None and self._modified_at:
            remarks.append(RemarkCode.WRITTEN_AT_ASSUMED)
        elif written is not None and written.tz_assumed:
            remarks.append(RemarkCode.TIME_ZONE_ASSUMED)
        memory = _either(record, _MEMORY) or ""
        foreign = {
            name: fields.told(value)
            for name, value in record.items()
            if value is not None and name not in _TAKEN
        }
        run = {"session": self._sessions.content.get(memory), "memory_session": memory}
        foreign |= {name: value for name, value in run.items() if value}
        if writer := record.get("generated_by_model") or record.get("agent_type"):
            foreign["claimed_writer"] = fields.told(writer)
        scope = {
            "project": fields.text(record, "project") or "",
            "concepts": ", ".join(dict.fromkeys(concepts)),
        }
        return _Base(
            written_at=written.text if written else self._modified_at,
            scope={name: value for name, value in scope.items() if value},
            entities=tuple(dict.fromkeys(files)),
            foreign=foreign,
            remarks=tuple(remarks),
        )

    def _prompt(self, record: JsonObject, piece: Slice, member: str) -> Read:
        session = _either(record, _SESSION) or ""
        number = fields.identity(record, "prompt_number") or ""
        at, _ = values.written(record, "created_at")
        run = RunBuilder(piece, member=member)
        if text := fields.text(record, "prompt_text"):
            run.add(StepKind.INPUT, text, at=at.text if at else None)
        run.run = {"session": session, "prompt": number}
        run.foreign = _kept(record, {"prompt_text"})
        own = f"{session}/{number}" if session else fields.identity(record, "id") or ""
        return run.read(fields.numbered(f"{SYSTEM}prompt/{own}", self._seen))

    def _session(self, record: JsonObject, piece: Slice, member: str) -> Read:
        session = _either(record, _SESSION) or ""
        text = fields.text(record, "user_prompt")
        if not text or session in self._sessions.prompted:
            reason = NothingReason.DISTILLED_ELSEWHERE if text else NothingReason.BOOKKEEPING
            return Read(reads.place_of(piece, member), piece.raw, Nothing(reason))
        began, _ = values.written(record, "started_at")
        ended, _ = values.written(record, "completed_at")
        run = RunBuilder(piece, member=member)
        run.add(StepKind.INPUT, text, at=began.text if began else None)
        run.run = {"session": session, "memory_session": _either(record, _MEMORY) or ""}
        run.foreign = _kept(record, {"user_prompt"})
        run.status = RunStatus.FAILED if record.get("status") == "failed" else RunStatus.UNKNOWN
        own = session or fields.identity(record, "id") or ""
        return run.read(
            fields.numbered(f"{SYSTEM}session/{own}", self._seen),
            started_at=began.text if began else None,
            ended_at=ended.text if ended else None,
        )


@dataclass(frozen=True, slots=True)
class _Base:
    """What a row says of all the claims in it."""

    written_at: str | None
    scope: dict[str, str]
    entities: tuple[str, ...]
    foreign: dict[str, object]
    remarks: tuple[RemarkCode, ...]

    def own(self, record: JsonObject, content: object) -> str:
        """The row's identity: its session and number, which are unique to one database."""
        native = fields.identity(record, "id")
        session = str(self.foreign.get("memory_session", ""))
        if native is None:
            return fields.fingerprint(session, fields.canonical(content).decode())
        return f"{session}/{native}" if session else native

    def proposal(
        self,
        claim: str,
        kind: Kind,
        source_id: str,
        evidence: tuple[Span, ...],
        source_type: SourceType = SourceType.MODEL_EXTRACTION,
    ) -> Proposal | Nothing:
        if not claim:
            return Nothing(NothingReason.EMPTY_TEXT)
        return Proposal(
            claim=claim,
            kind=kind,
            source_type=source_type,
            source_id=source_id,
            written_at=self.written_at,
            scope=self.scope,
            entities=self.entities,
            evidence=evidence,
            foreign=self.foreign,
            remarks=self.remarks,
        )


def _either(record: JsonObject, names: tuple[str, ...]) -> str | None:
    found = (fields.identity(record, name, called=names[0]) for name in names)
    return next((one for one in found if one), None)


def _kept(record: JsonObject, left_out: set[str]) -> dict[str, object]:
    return {
        name: fields.told(value)
        for name, value in record.items()
        if value is not None and name not in left_out
    }


def _shown(
    piece: Slice, member: str, fact: str, narrative: str | None
) -> tuple[Place, bytes, tuple[Span, ...]]:
    """The whole row with the fact and its narrative in it, or the fact alone in a long row."""
    own = _span(piece.raw, "facts", fact)
    if own is not None and len(piece.raw) > RAW_KEPT:
        raw = piece.raw[own.start : own.end]
        if member:  # a row of a database, whose range is the whole file
            return reads.place_of(piece, member), raw, (Span(0, len(raw)),)
        line = piece.line + piece.raw.count(b"\n", 0, own.start)
        start = piece.start + own.start
        return Place(line, start, start + len(raw), member), raw, (Span(0, len(raw)),)
    told = _span(piece.raw, "narrative", narrative) if narrative else None
    return reads.place_of(piece, member), piece.raw, tuple(one for one in (own, told) if one)


def _span(raw: bytes, name: str, text: str) -> Span | None:
    """Where ``text`` stands, looked for behind the field's name first."""
    start = max(raw.find(b'"' + name.encode() + b'"'), 0)
    return runs.text_in(raw, text, start) or runs.text_in(raw, text)

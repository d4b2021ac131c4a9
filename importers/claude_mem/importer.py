"""Reads a claude-mem export: observations, summaries, sessions and prompts in one JSON object.

It is the result of a search and no full dump. Field mapping (their word to ours): each of
``facts`` is a claim, ``type`` the kind, ``narrative`` evidence; ``project`` and ``concepts`` are
scope; files are entities; ``created_at`` is ``written_at``. Bare lists and lines are read too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from importers import fields, json_records, reads
from importers.claude_mem.rows import Rows, Sessions
from importers.faults import RecordFaultError
from importers.json_reading import strict
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject
from importers.source import Head, Source
from store.records import FailReason, Nothing, NothingReason, Read, Remark, RemarkCode

VERSION: Final = "1"
CANNOT_TELL: Final = (
    RemarkCode.SEARCH_RESULT,
    RemarkCode.NO_OWNER,
    RemarkCode.MODEL_MADE,
    RemarkCode.NO_DECISIONS,
)
_LISTS: Final = frozenset({"observations", "sessions", "summaries", "prompts"})
_TOTALS: Final = {
    "totalObservations": "observations",
    "totalSessions": "sessions",
    "totalSummaries": "summaries",
    "totalPrompts": "prompts",
}
_IDS: Final = frozenset(
    {"memory_session_id", "sdk_session_id", "content_session_id", "claude_session_id"}
)
_OWN: Final = (
    frozenset({"facts", "concepts"}),
    frozenset({"narrative", "type"}),
    frozenset({"learned", "request"}),
    frozenset({"prompt_text", "prompt_number"}),
    frozenset({"user_prompt", "started_at_epoch"}),
    frozenset({"text", "type", "created_at_epoch"}),
)


def recognises(head: Head) -> bool:
    """Whether the lists are counted by an export, or the first rows have claude-mem's fields."""
    if head.is_folder:
        return False
    seen = json_records.keys(head.data, _LISTS)
    if seen.form == "object" and seen.keys >= {"observations", "totalObservations", "prompts"}:
        return True
    return any(
        keys & _IDS and any(keys >= some for some in _OWN) and "claim" not in keys
        for keys in seen.records
    )


def read(source: Source) -> Iterator[Read | Remark]:
    """Every fact, summary, prompt and session in file order, then what holds for the file."""
    head = source.head()
    seen = json_records.keys(head.data, _LISTS)
    if not seen.form:
        yield reads.broken_source(FailReason.NOT_JSON, head.data)
        return
    yield from (Remark(code) for code in CANNOT_TELL)
    yield from reads.with_tail(_Reader(source, seen.form).reads())


class _Reader:
    def __init__(self, source: Source, form: str) -> None:
        self._source, self._form = source, form
        self._rows = Rows(self._sessions(), modified_at=source.modified_at)

    def reads(self) -> Iterator[Read | Remark]:
        counted: Counter[str] = Counter()
        said: dict[str, int] = {}
        for piece in self._pieces(said):
            counted[piece.key] += piece.fault is None
            record = _record(piece)
            if isinstance(record, Read):
                yield record
            else:
                yield from self._rows.reads(record, piece)
        differ = sum(counted[_TOTALS[name]] != total for name, total in said.items())
        self._rows.tally.add(*[RemarkCode.COUNTS_DIFFER] * differ)
        yield from self._rows.tally.remarks()

    def _sessions(self) -> Sessions:
        sessions = Sessions()
        for piece in self._pieces({}):
            if b"session_id" in piece.raw and not isinstance(record := _record(piece), Read):
                sessions.meet(record)
        return sessions

    def _pieces(self, said: dict[str, int]) -> Iterator[Slice]:
        """The rows; ``said`` is told how many the file says there are of each sort."""
        for one in json_records.pieces(self._source, self._form, _LISTS):
            if isinstance(one, Slice):
                yield one
            elif one.key in _LISTS and one.raw.strip() not in (b"", b"null"):
                yield reads.broken_slice(FailReason.WRONG_SHAPE, self._source.head().data)
            elif one.key in _TOTALS and (number := fields.decimal(_value(one.raw))):
                said[one.key] = int(number) if number.isdigit() else -1


def _value(raw: bytes) -> object:
    try:
        return strict.parse(raw)
    except RecordFaultError:
        return None


def _record(piece: Slice) -> JsonObject | Read:
    """The row, or the read of one that is blank or broken."""
    if piece.fault is not None:
        return Read(reads.place_of(piece), piece.raw, piece.fault)
    if not piece.raw.strip():
        return Read(reads.place_of(piece), piece.raw, Nothing(NothingReason.BLANK_LINE))
    try:
        return strict.parse_object(piece.raw, last=piece.last, shallow=piece.shallow)
    except RecordFaultError as fault:
        return Read(reads.place_of(piece), piece.raw, fault.failed)

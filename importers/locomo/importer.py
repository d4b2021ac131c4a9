"""Reads LoCoMo's ``locomo10.json``: long talks of two people, with questions about them.

Each session of a talk is a trajectory; both speakers are people, so all that they say is input.
``observation`` rows are claims that a model drew from a session, with references to its lines:
they come as proposals. Questions are no memories, and summaries tell again what sessions tell.
What a stranger gets wrong: sessions stand in no order, dates stand there without a session, and
references may name nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from importers import fields, reads, record_forms
from importers.faults import RecordFaultError
from importers.json_reading import parts as json_parts
from importers.json_reading.slices import KEPT, Slice
from importers.json_reading.strict import JsonObject
from importers.locomo import observations
from importers.locomo.sessions import Talk, broken
from importers.source import Head, Source
from store.records import FailReason, Nothing, NothingReason, Read, Remark, RemarkCode

VERSION: Final = "1"
CANNOT_TELL: Final = (RemarkCode.NO_DECISIONS,)
_PARTS: Final = frozenset(
    {"conversation", "qa", "observation", "event_summary", "session_summary"}
)
_WRAPPERS: Final = frozenset({"data", "samples"})
_REFERENCE: Final = re.compile(rb'"D\d+:\d+')


def recognises(head: Head) -> bool:
    """Whether the first records are talks with ``dia_id`` lines, or questions about them."""
    if head.is_folder:
        return False
    keys = record_forms.of(head.data, _WRAPPERS).records
    if any("conversation" in one for one in keys) and b'"dia_id"' in head.data:
        return True
    asked = any("qa" in one for one in keys) and _REFERENCE.search(head.data)
    return bool(asked) and b'"evidence"' in head.data and b'"question"' in head.data


def read(source: Source) -> Iterator[Read | Remark]:
    """The sessions of each talk, then what was drawn from it, then what holds for the file."""
    head = source.head()
    form = record_forms.of(head.data, _WRAPPERS)
    if not form.name:
        yield reads.broken_source(FailReason.NOT_JSON, head.data)
        return
    yield from (Remark(code) for code in CANNOT_TELL)
    tally = reads.Tally()
    found = (
        one
        for piece in record_forms.slices(source, form)
        for one in _sample(piece, source.modified_at, tally)
    )
    yield from reads.with_tail(found)
    yield from tally.remarks()


def _sample(piece: Slice, modified_at: str | None, tally: reads.Tally) -> Iterator[Read]:
    if piece.fault is None and not piece.raw.strip():
        yield Read(reads.place_of(piece), piece.raw, Nothing(NothingReason.BLANK_LINE))
        return
    try:
        record, parts = json_parts.opened(piece, _PARTS)
        sample = fields.identity(record, "sample_id") or fields.fingerprint(
            piece.raw.decode("utf-8", "replace")
        )
        talk = Talk(sample, _needed(parts), tally)
    except RecordFaultError as fault:
        yield Read(reads.place_of(piece), piece.raw[:KEPT], fault.failed)
        return
    yield from talk.reads()
    if "observation" in parts:
        told = observations.Observations(talk, modified_at, tally)
        yield from told.reads(parts["observation"])
    if "qa" in parts:
        yield from _questions(parts["qa"], talk, tally)
    for name in ("event_summary", "session_summary"):
        if name in parts:
            yield from _summaries(parts[name], name)
    yield from _unknown(record, piece, tally)


def _needed(parts: dict[str, Slice]) -> Slice:
    found = parts.get("conversation")
    if found is None or found.raw == b"null":
        raise RecordFaultError(FailReason.FIELD_MISSING, name="conversation")
    return found


def _questions(part: Slice, talk: Talk, tally: reads.Tally) -> Iterator[Read]:
    try:
        rows = list(json_parts.elements(part)) if part.raw != b"null" else []
    except RecordFaultError:
        yield broken(part, "qa")
        return
    for row in rows:
        one = reads.read_one(row, lambda record, _: _question(record, talk, tally))
        yield one


def _question(record: JsonObject, talk: Talk, tally: reads.Tally) -> Nothing:
    _, malformed = talk.references(record.get("evidence"))
    for _ in malformed:
        tally.add(RemarkCode.REFERENCES_MALFORMED)
    return Nothing(NothingReason.NOT_A_MEMORY)


def _summaries(part: Slice, name: str) -> Iterator[Read]:
    try:
        rows = list(json_parts.members(part)) if part.raw != b"null" else []
    except RecordFaultError:
        yield broken(part, name)
        return
    for _, row in rows:
        nothing = Nothing(NothingReason.DISTILLED_ELSEWHERE)
        yield Read(reads.place_of(row), row.raw, nothing)


def _unknown(record: JsonObject, piece: Slice, tally: reads.Tally) -> Iterator[Read]:
    """Lists and objects under keys that are not known here."""
    unknown = {name for name, value in record.items() if isinstance(value, list | dict)}
    for name, part in json_parts.members(piece) if unknown else ():
        if name in unknown:
            tally.add(RemarkCode.UNKNOWN_TYPES)
            yield Read(reads.place_of(part), part.raw, Nothing(NothingReason.UNKNOWN_TYPE))

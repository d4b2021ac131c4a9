"""One EverMemOS memory as proposals: episode, atomic facts, foresight, case, skill, or a note.

What a stranger gets wrong: a foresight is a prediction with an interval, not a fact of today;
``time`` of an atomic fact is when it was said, so it is no world time. A case and a skill are
conclusions of a model and come as insights.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from importers import fields, times
from importers.evermemos import origins
from importers.evermemos.origins import SYSTEM
from importers.evermemos.sorts import Sort
from importers.faults import RecordFaultError
from importers.json_reading import tokens as json_tokens
from importers.json_reading.strict import JsonObject
from store.cells import Interval, Kind, Proposal, SourceType, Span
from store.records import Failed, FailReason, Nothing, NothingReason, RemarkCode

Found = Proposal | Nothing | Failed
Piece = tuple[Found, Span | None]
"""A claim of a record, and the span of its own JSON where the record has several."""


class _Mapping(NamedTuple):
    texts: tuple[str, ...]
    kind: Kind
    source_type: SourceType
    concluded: bool = False
    """Whether a model concluded it, and did not take it from what was said."""


_MAPPINGS: Final = {
    Sort.EPISODE: _Mapping(("episode", "summary"), Kind.SESSION_SUMMARY, SourceType.AGENT_SUMMARY),
    Sort.FACT: _Mapping(("atomic_fact",), Kind.FACT, SourceType.MODEL_EXTRACTION),
    Sort.FORESIGHT: _Mapping(
        ("foresight", "content"), Kind.FACT, SourceType.MODEL_EXTRACTION, concluded=True
    ),
    Sort.CASE: _Mapping(
        ("key_insight", "approach"), Kind.INSIGHT, SourceType.AGENT_SUMMARY, concluded=True
    ),
    Sort.SKILL: _Mapping(
        ("content", "description"), Kind.INSIGHT, SourceType.AGENT_SUMMARY, concluded=True
    ),
    Sort.NOTE: _Mapping(("text",), Kind.FACT, SourceType.FOREIGN_MEMORY),
}


def pieces(record: JsonObject, raw: bytes, sort: Sort, *, modified_at: str | None) -> list[Piece]:
    """What a record claims: one claim, or one for each fact of a list.

    Args:
        record: The record, without MongoDB's wrappers.
        raw: The bytes it was parsed from.
        sort: What it is; any but a profile and a cell of messages.
        modified_at: The file's own time, used when the record has none.

    Raises:
        RecordFaultError: ``FIELD_MISSING``, ``FIELD_INVALID`` or ``TIME_INVALID``.
    """
    mapping = _MAPPINGS[sort]
    key = next((name for name in mapping.texts if record.get(name)), mapping.texts[0])
    if record.get(key) is None:
        raise RecordFaultError(FailReason.FIELD_MISSING, name=mapping.texts[0])
    made = _maker(record, mapping, key, sort, modified_at)
    value = record[key]
    if sort is Sort.FACT and isinstance(value, list):
        return _several(value, raw, key, made)
    claim = fields.text(record, key)
    if not claim:
        return [(Nothing(NothingReason.EMPTY_TEXT), None)]
    return [(made(claim, "", json_tokens.text_span(raw, key, claim)), None)]


def _several(
    values: list[object], raw: bytes, key: str, made: Callable[[str, str, Span | None], Proposal]
) -> list[Piece]:
    if not values:
        return [(Nothing(NothingReason.NO_OBSERVATIONS), None)]
    spans = json_tokens.elements(raw, json_tokens.members(raw)[key])
    found: list[Piece] = []
    for number, (value, span) in enumerate(zip(values, spans, strict=True), start=1):
        if not isinstance(value, str):
            found.append((Failed(FailReason.FIELD_INVALID, span.start, key), None))
        elif not value.strip():
            found.append((Nothing(NothingReason.EMPTY_TEXT), None))
        else:
            found.append((made(value.strip(), f"#{number}", span), span))
    return found


def _maker(
    record: JsonObject, mapping: _Mapping, key: str, sort: Sort, modified_at: str | None
) -> Callable[[str, str, Span | None], Proposal]:
    origin = origins.of(
        record,
        frozenset({key}),
        modified_at=modified_at,
        rewritten=sort is Sort.SKILL,
    )
    valid, assumed = _valid(record) if sort is Sort.FORESIGHT else (Interval(), False)
    remarks = list(origin.remarks)
    if assumed and RemarkCode.TIME_ZONE_ASSUMED not in remarks:
        remarks.append(RemarkCode.TIME_ZONE_ASSUMED)
    if mapping.concluded:
        remarks.append(RemarkCode.MODEL_MADE)
    scope = origin.scope
    if sort is Sort.CASE and (task := fields.text(record, "task_intent")):
        scope = scope | {"task": task}

    def made(claim: str, part: str, span: Span | None) -> Proposal:
        own = origin.native or fields.fingerprint(sort.value, claim, origin.written_at or "")
        return Proposal(
            claim=claim,
            kind=mapping.kind,
            source_type=mapping.source_type,
            source_id=f"{SYSTEM}{own}{part if origin.native else ''}",
            written_at=origin.written_at,
            valid=valid,
            scope=scope,
            entities=origin.entities,
            edges=origin.edges,
            evidence=(span,) if span else (),
            foreign=origin.foreign,
            remarks=tuple(remarks),
        )

    return made


def _valid(record: JsonObject) -> tuple[Interval, bool]:
    """When a foresight is to hold."""
    ends: list[times.Bound | None] = []
    for name in ("start_time", "end_time"):
        value = record.get(name)
        found = None if value in (None, "") else times.bound(value)
        if found is None and value not in (None, ""):
            raise RecordFaultError(FailReason.TIME_INVALID, name=name)
        ends.append(found)
    start, end = ends
    if start and end and times.earliest(end.text) < times.earliest(start.text):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="end_time")
    given = [one for one in ends if one]
    if not given:
        return Interval(), False
    interval = Interval(
        start=start.text if start else None,
        end=end.text if end else None,
        precision=given[0].precision,
    )
    return interval, any(one.tz_assumed for one in given)

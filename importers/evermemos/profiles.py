"""The items of an EverMemOS profile: what was said, and the traits that a model infers from it.

A trait is an insight, never a fact about a person. Each item names its sources as
``2026-02-15|evt-1`` or ``evt-1``; that date is the conversation's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from importers import fields
from importers.evermemos import origins
from importers.evermemos.origins import SYSTEM, Origin
from importers.faults import RecordFaultError
from importers.json_reading import tokens as json_tokens
from importers.json_reading.strict import JsonObject
from store.cells import Kind, Proposal, SourceType, Span
from store.records import Failed, FailReason, Nothing, NothingReason, RemarkCode

Piece = tuple[Proposal | Nothing | Failed, Span | None]
"""A claim of a profile, and the span of its own JSON."""

EXPLICIT: Final = "explicit_info"
IMPLICIT: Final = "implicit_traits"
_INNER: Final = "profile_data"
_TAKEN: Final = frozenset({EXPLICIT, IMPLICIT, _INNER})
_SAID: Final = frozenset({"description", "trait", "content", "text"})


def pieces(record: JsonObject, raw: bytes, *, modified_at: str | None) -> list[Piece]:
    """Every item of a profile, in the order of its two lists.

    Args:
        record: The record, without MongoDB's wrappers.
        raw: The bytes it was parsed from.
        modified_at: The file's own time, used when the record has none.

    Raises:
        RecordFaultError: ``FIELD_INVALID`` or ``TIME_INVALID``.
    """
    origin = origins.of(record, _TAKEN, modified_at=modified_at, rewritten=True)
    holder, base = record, Span(0, len(raw))
    inner = record.get(_INNER)
    if isinstance(inner, dict):
        holder, base = inner, json_tokens.members(raw)[_INNER]
    own = raw[base.start : base.end]
    found: list[Piece] = []
    for name in (EXPLICIT, IMPLICIT):
        items = holder.get(name)
        if items is None:
            continue
        if not isinstance(items, list):
            raise RecordFaultError(FailReason.FIELD_INVALID, name=name)
        spans = json_tokens.elements(own, json_tokens.members(own)[name])
        for item, span in zip(items, spans, strict=True):
            moved = Span(base.start + span.start, base.start + span.end)
            found.append(_piece(item, name, origin, raw, moved))
    if found:
        return found
    known = {EXPLICIT, IMPLICIT} & holder.keys()
    reason = NothingReason.NO_OBSERVATIONS if known else NothingReason.UNKNOWN_TYPE
    return [(Nothing(reason), None)]


def _piece(item: object, name: str, origin: Origin, raw: bytes, span: Span) -> Piece:
    try:
        found = _proposal(item, name, origin)
    except RecordFaultError as fault:
        return Failed(fault.failed.reason, span.start, fault.failed.name), None
    if isinstance(found, Proposal):
        return replace(found, evidence=_evidence(item, raw, span)), span
    return found, None


def _proposal(item: object, name: str, origin: Origin) -> Proposal | Nothing:
    own: JsonObject = {"description": item} if isinstance(item, str) else {}
    if isinstance(item, dict):
        own = item
    elif not own:
        raise RecordFaultError(FailReason.FIELD_INVALID, name=name)
    implicit = name == IMPLICIT
    words = [fields.text(own, "trait", called=name) if implicit else None, _text(own, name)]
    claim = ": ".join(word for word in words if word)
    if not claim:
        return Nothing(NothingReason.EMPTY_TEXT)
    scope = origin.scope
    person = origin.native or "profile:" + "/".join(
        scope.get(key, "") for key in ("user", "group")
    )
    told = {key: fields.told(value) for key, value in own.items() if key not in _SAID and value}
    if lineage := _lineage(own):
        told["lineage"] = lineage
    if trait := own.get("trait"):
        told["trait"] = fields.told(trait)
    made = (RemarkCode.MODEL_MADE,) if implicit else ()
    return Proposal(
        claim=claim,
        kind=Kind.INSIGHT if implicit else _kind(own),
        source_type=SourceType.MODEL_EXTRACTION,
        source_id=f"{SYSTEM}{person}#{fields.fingerprint(name, claim)[:16]}",
        written_at=origin.written_at,
        scope=scope,
        entities=origin.entities,
        edges=origin.edges,
        foreign=origin.foreign | told,
        remarks=(*origin.remarks, *made),
    )


def _evidence(item: object, raw: bytes, span: Span) -> tuple[Span, ...]:
    """The strings of an item that make its claim; the item itself if it is a string."""
    if not isinstance(item, dict):
        return (span,)
    own = raw[span.start : span.end]
    found = [
        json_tokens.text_span(own, key, value)
        for key, value in item.items()
        if key in _SAID and isinstance(value, str) and value.strip()
    ]
    moved = [Span(span.start + one.start, span.start + one.end) for one in found if one]
    return tuple(moved) or (span,)


def _text(own: JsonObject, name: str) -> str:
    for key in ("description", "content", "text"):
        if found := fields.text(own, key, called=name):
            return found
    return ""


def _kind(own: JsonObject) -> Kind:
    category = own.get("category")
    named = isinstance(category, str) and "preference" in category.lower()
    return Kind.PROFILE_PREFERENCE if named else Kind.FACT


def _lineage(own: JsonObject) -> list[str]:
    """The ids of the conversations that an item names, without their dates."""
    sources = own.get("sources")
    if not isinstance(sources, list):
        return []
    return [one.rpartition("|")[2] for one in sources if isinstance(one, str) and one]

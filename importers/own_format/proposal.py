"""One record of our own JSONL as a ``Proposal``. Field names are those of ``store.cells``.

The file may describe a memory fully, but it cannot vouch for it: tenant, writer, validation state,
stage and approvals are kept as the file's claims, and an edge is asserted by ``source`` only.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import StrEnum
from typing import Final, TypeVar

from importers import fields
from importers.faults import RecordFaultError
from importers.json_reading import tokens as json_tokens
from importers.json_reading.strict import JsonObject
from importers.own_format import facts as own_facts
from store.cells import Edge, EdgeKind, Kind, Proposal, SourceType, Span
from store.records import FailReason, Nothing, NothingReason, RemarkCode

_MOST_SPANS: Final = 100
"""Spans of evidence that are kept of one record."""

CLAIMED: Final = {
    "tenant": "claimed_tenant",
    "tenant_id": "claimed_tenant",
    "writer": "claimed_writer",
    "writer_identity": "claimed_writer",
    "validation_state": "claimed_validation_state",
    "stage": "claimed_stage",
    "status": "claimed_status",
    "approved": "claimed_approved",
    "approved_by": "claimed_approved_by",
    "decision": "claimed_decision",
    "signature": "claimed_signature",
    "trusted": "claimed_trusted",
}
"""What a file says about its own standing, and the name under which that is shown."""

_READ: Final = frozenset(
    {
        "format",
        "claim",
        "kind",
        "source_type",
        "source_id",
        "written_at",
        "valid",
        "scope",
        "entities",
        "facts",
        "conclusion",
        "edges",
        "verbatim",
        "immutable",
        "expires_at",
        "polarity",
        "review_id",
        "confidence",
        "evidence",
        "quote",
        "foreign",
    }
)
_Member = TypeVar("_Member", bound=StrEnum)


def proposal(record: JsonObject, raw: bytes) -> Proposal | Nothing:
    """The record as a proposal; ``Nothing`` when its claim is an empty string.

    Raises:
        RecordFaultError: ``FIELD_MISSING``, ``FIELD_INVALID`` or ``TIME_INVALID`` with the name of
            the first field at fault.
    """
    claim = fields.text(record, "claim")
    if claim is None:
        raise RecordFaultError(FailReason.FIELD_MISSING, name="claim")
    if not claim:
        return Nothing(NothingReason.EMPTY_TEXT)
    claim = str(record["claim"])
    kind = _member(Kind, fields.needed(record, "kind"), "kind")
    source_type = _member(SourceType, fields.needed(record, "source_type"), "source_type")
    source_id = fields.needed(record, "source_id")
    written_at = fields.instant(record, "written_at")
    if written_at is None:
        raise RecordFaultError(FailReason.FIELD_MISSING, name="written_at")
    valid, valid_assumed = own_facts.interval(record.get("valid"), "valid")
    expires_at = own_facts.end_of_life(record.get("expires_at"))
    assumed = written_at.tz_assumed or valid_assumed
    return Proposal(
        claim=claim,
        kind=kind,
        source_type=source_type,
        source_id=source_id,
        written_at=written_at.text,
        valid=valid,
        scope=_scope(record.get("scope")),
        entities=_texts(record.get("entities"), "entities"),
        facts=own_facts.facts(record.get("facts"), claim, "facts"),
        conclusion=own_facts.conclusion(record.get("conclusion"), claim),
        edges=_edges(record.get("edges")),
        verbatim=_verbatim(record.get("verbatim")),
        immutable=_checked(record, "immutable", _names_an_owner),
        expires_at=expires_at,
        polarity=_checked(record, "polarity", {"do", "avoid"}.__contains__),
        review_id=fields.identity(record, "review_id"),
        confidence=_confidence(record.get("confidence")),
        evidence=_evidence(record, raw),
        foreign=_foreign(record),
        remarks=(RemarkCode.TIME_ZONE_ASSUMED,) if assumed else (),
    )


def _invalid(name: str) -> RecordFaultError:
    return RecordFaultError(FailReason.FIELD_INVALID, name=name)


def _member(closed: type[_Member], word: str, name: str) -> _Member:
    try:
        return closed(word)
    except ValueError:
        raise _invalid(name) from None


def _scope(value: object) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(isinstance(one, str) for one in value.values()):
        raise _invalid(name="scope")
    return value


def _texts(value: object, name: str) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
        raise _invalid(name)
    return tuple(value)


def _verbatim(value: object) -> bool:
    if value is None or isinstance(value, bool):
        return bool(value)
    raise _invalid(name="verbatim")


def _names_an_owner(text: str) -> bool:
    sort, _, who = text.partition(":")
    return sort in {"owner", "procedure"} and bool(who.strip())


def _checked(record: JsonObject, name: str, holds: Callable[[str], bool]) -> str | None:
    found = fields.text(record, name)
    if found is not None and not holds(found):
        raise _invalid(name)
    return found


def _confidence(value: object) -> str | None:
    found = fields.decimal(value)
    if value is not None and (found is None or found.startswith("-")):
        raise _invalid(name="confidence")
    return found


def _edges(value: object) -> tuple[Edge, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise _invalid(name="edges")
    return tuple(map(_edge, value))


def _edge(value: object) -> Edge:
    if not isinstance(value, dict) or value.get("asserter", "source") != "source":
        raise _invalid(name="edges")
    try:
        kind = EdgeKind(str(value.get("kind")))
    except ValueError:
        raise _invalid(name="edges") from None
    target = fields.identity(value, "target", called="edges")
    strength = fields.decimal(value.get("strength", "1"))
    if not target or strength is None or not 0 <= float(strength) <= 1:
        raise _invalid(name="edges")
    return Edge(kind=kind, target=target, strength=strength)


def _evidence(record: JsonObject, raw: bytes) -> tuple[Span, ...]:
    """Spans as given, the place of the quote, or the claim's own string when neither is given."""
    value, quote = record.get("evidence"), fields.text(record, "quote")
    spans: list[Span] = []
    if value is not None:
        if not isinstance(value, list):
            raise _invalid(name="evidence")
        spans = [_span(one, len(raw)) for one in value][:_MOST_SPANS]
    if quote:
        spans.append(_place_of(quote, raw))
    if not spans and (own := json_tokens.text_span(raw, "claim", str(record["claim"]).strip())):
        spans.append(own)
    return tuple(spans)


def _span(value: object, size: int) -> Span:
    pair = [value.get("start"), value.get("end")] if isinstance(value, dict) else value
    if isinstance(pair, list) and len(pair) == 2:
        start, end = pair
        if type(start) is int and type(end) is int and 0 <= start < end <= size:
            return Span(start, end)
    raise _invalid(name="evidence")


def _place_of(quote: str, raw: bytes) -> Span:
    """Where the quote stands in the record's bytes, outside the field ``quote`` itself."""
    own = json_tokens.members(raw)["quote"]
    for escaped in (False, True):
        written = json.dumps(quote, ensure_ascii=escaped)[1:-1].encode()
        start = raw.find(written)
        if start >= own.start and start < own.end:
            start = raw.find(written, own.end)
        if start >= 0:
            return Span(start, start + len(written))
    raise _invalid(name="quote")


def _foreign(record: JsonObject) -> dict[str, object]:
    given = record.get("foreign")
    if given is not None and not isinstance(given, dict):
        raise _invalid(name="foreign")
    kept: dict[str, object] = {key: fields.told(value) for key, value in (given or {}).items()}
    unknown: dict[str, object] = {}
    for key, value in record.items():
        if key in CLAIMED:
            kept[CLAIMED[key]] = fields.told(value)
        elif key not in _READ:
            unknown[key] = fields.told(value)
    if unknown:
        kept["unknown"] = unknown
    return kept

"""One memory that an agent staged, as a ``Proposal``.

Everything that says who writes, for whom and how far it may be trusted comes from the header; a
line can only say what it claims, what it is about, and what it concluded from what.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Final

from importers import fields
from importers.faults import RecordFaultError
from importers.json_reading import tokens as json_tokens
from importers.json_reading.strict import JsonObject
from importers.own_format import facts
from store.cells import Conclusion, Fact, Kind, Proposal, SourceType, Span
from store.records import FailReason, Nothing, NothingReason

_READ: Final = frozenset(
    {
        "claim",
        "kind",
        "valid_from",
        "valid_to",
        "task",
        "conclusion",
        "support",
        "about",
    }
)
_MOST_SUPPORT: Final = 50


@dataclass(frozen=True, slots=True)
class DoorHeader:
    """What the console says of a whole batch."""

    door: str
    at: str
    scope: dict[str, str]


def header(told: JsonObject) -> DoorHeader:
    """The header of a batch.

    Raises:
        RecordFaultError: Naming the field at fault.
    """
    at = fields.instant(told, "at")
    if at is None:
        raise RecordFaultError(FailReason.FIELD_MISSING, name="at")
    scope = told.get("scope", {})
    if not isinstance(scope, dict) or not all(isinstance(one, str) for one in scope.values()):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="scope")
    return DoorHeader(fields.needed(told, "door"), at.text, scope)


def proposal(above: DoorHeader, record: JsonObject, raw: bytes) -> Proposal | Nothing:
    """The record as a proposal; ``Nothing`` when its claim is an empty string.

    Raises:
        RecordFaultError: Naming the first field at fault.
    """
    claim = fields.text(record, "claim")
    if claim is None:
        raise RecordFaultError(FailReason.FIELD_MISSING, name="claim")
    if not claim:
        return Nothing(NothingReason.EMPTY_TEXT)
    claim = str(record["claim"])
    begun = {"start": record.get("valid_from"), "end": record.get("valid_to")}
    valid, _ = facts.interval(begun, "valid_from")
    unknown = {key: fields.told(value) for key, value in record.items() if key not in _READ}
    span = json_tokens.text_span(raw, "claim", claim.strip())
    return Proposal(
        claim=claim,
        kind=_kind(record.get("kind")),
        source_type=SourceType.AGENT_SUMMARY,
        source_id=f"door:{above.door}:{_digest(record)}",
        written_at=above.at,
        valid=valid,
        scope=above.scope,
        entities=_about(record.get("about")),
        conclusion=_conclusion(record, claim),
        evidence=(span,) if span is not None else (),
        foreign={"unknown": unknown} if unknown else {},
    )


def _invalid(name: str) -> RecordFaultError:
    return RecordFaultError(FailReason.FIELD_INVALID, name=name)


def _digest(record: JsonObject) -> str:
    """The same words are the same memory, whatever job they come with."""
    told = {key: record[key] for key in sorted(_READ & record.keys())}
    spelled = json.dumps(told, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(spelled.encode("ascii")).hexdigest()[:24]


def _kind(value: object) -> Kind:
    try:
        return Kind.FACT if value is None else Kind(str(value))
    except ValueError:
        raise _invalid(name="kind") from None


def _about(value: object) -> tuple[str, ...]:
    told = [value] if isinstance(value, str) else [] if value is None else value
    if not isinstance(told, list) or not all(isinstance(one, str) and one for one in told):
        raise _invalid(name="about")
    return tuple(told)


def _conclusion(record: JsonObject, claim: str) -> Conclusion | None:
    text, task = (fields.text(record, name) for name in ("conclusion", "task"))
    if not text and not task and record.get("support") is None:
        return None
    if not text or not task:
        raise RecordFaultError(FailReason.FIELD_MISSING, name="conclusion" if task else "task")
    return Conclusion(text, task, _support(record.get("support"), claim))


def _support(value: object, claim: str) -> tuple[Fact, ...]:
    """What a conclusion rests on: values that stand in the claim, each where it stands first."""
    told = [] if value is None else value
    if not isinstance(told, list) or len(told) > _MOST_SUPPORT:
        raise _invalid(name="support")
    return tuple(_fact(one, claim) for one in told)


def _fact(value: object, claim: str) -> Fact:
    if not isinstance(value, dict):
        raise _invalid(name="support")
    parameter, said, subject = (
        fields.text(value, name, called="support") or ""
        for name in ("parameter", "value", "subject")
    )
    start = claim.find(said) if said else -1
    if not parameter or start < 0:
        raise _invalid(name="support")
    return Fact(subject, parameter, said, Span(start, start + len(said)))

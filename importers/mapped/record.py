"""One record of a mapped table as a proposal. What no field takes is kept as the file's words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from importers import fields
from importers.faults import RecordFaultError
from importers.mapped import times
from importers.mapped.choice import Mapping
from store.cells import Interval, Kind, Precision, Proposal, Span
from store.records import FailReason, Nothing, NothingReason, RemarkCode

_SPLIT: Final = re.compile(r"[;|]")
_KINDS: Final[dict[str, Kind]] = {
    **{str(kind): kind for kind in Kind if kind is not Kind.VALIDATED_FACT},
    "preference": Kind.PROFILE_PREFERENCE,
    "profile": Kind.PROFILE_PREFERENCE,
    "summary": Kind.SESSION_SUMMARY,
    "rule": Kind.REFERENCE,
    "факт": Kind.FACT,
    "событие": Kind.EVENT,
    "решение": Kind.DECISION,
    "процедура": Kind.PROCEDURE,
    "порядок": Kind.PROCEDURE,
    "предпочтение": Kind.PROFILE_PREFERENCE,
    "вывод": Kind.INSIGHT,
    "ссылка": Kind.REFERENCE,
}

Values = dict[str, object]
Locate = Callable[[str], Span | None]


class Maker:
    """Makes proposals from records, as one person mapped one source."""

    def __init__(self, mapping: Mapping, source_name: str, modified_at: str | None) -> None:
        """Prepare; ``modified_at`` stands in where a record has no time of its own."""
        self._mapping = mapping
        name = source_name.rsplit("/", 1)[-1]
        self._system = mapping.system or f"table/{name}"
        self._modified_at = modified_at
        self._seen: Counter[str] = Counter()

    def found(self, values: Values, claim_at: Locate) -> Proposal | Nothing:
        """The record as a proposal.

        Args:
            values: By column.
            claim_at: Says where the claim stands in the record's bytes.

        Raises:
            RecordFaultError: With the name of the first of our fields that is at fault.
        """
        mapping = self._mapping
        claim = _text(values, mapping.claim, "claim")
        if not claim:
            return Nothing(NothingReason.EMPTY_TEXT)
        remarks: list[RemarkCode] = []
        written = self._written_at(values, remarks)
        kind, kind_told = self._kind(values)
        foreign = self._foreign(values)
        if kind_told:
            foreign["kind"] = kind_told
        own = _text(values, mapping.source_id, "source_id")
        if not own:
            remarks.append(RemarkCode.NO_IDS)
            own = fields.fingerprint(claim)
        span = claim_at(claim)
        return Proposal(
            claim=claim,
            kind=kind,
            source_type=mapping.source_type,
            source_id=f"{self._system}:{fields.numbered(own, self._seen)}",
            written_at=written,
            valid=_interval(values, mapping),
            scope={name: told for name in mapping.scope if (told := _text(values, name, "scope"))},
            entities=tuple(dict.fromkeys(_entities(values, mapping.entities))),
            review_id=_text(values, mapping.review_id, "review_id") or None,
            confidence=_confidence(values, mapping.confidence),
            evidence=(span,) if span else (),
            foreign=foreign,
            remarks=tuple(remarks),
        )

    def _written_at(self, values: Values, remarks: list[RemarkCode]) -> str | None:
        told = _value(values, self._mapping.written_at)
        if told in (None, ""):
            if self._modified_at:
                remarks.append(RemarkCode.WRITTEN_AT_ASSUMED)
            return self._modified_at
        found = times.moment(told)
        if found is None:
            raise RecordFaultError(FailReason.TIME_INVALID, name="written_at")
        if found.tz_assumed:
            remarks.append(RemarkCode.TIME_ZONE_ASSUMED)
        return found.text

    def _kind(self, values: Values) -> tuple[Kind, str]:
        """The kind, and what the file says where that is none of ours."""
        told = _text(values, self._mapping.kind, "kind")
        found = _KINDS.get(told.casefold())
        return (found, "") if found else (self._mapping.kind_always, told)

    def _foreign(self, values: Values) -> Values:
        mapping = self._mapping
        taken = {
            *(mapping.claim, mapping.kind, mapping.source_id, mapping.written_at),
            *(mapping.valid_from, mapping.valid_until, mapping.confidence, mapping.review_id),
            *mapping.entities,
            *mapping.scope,
        }
        return {
            name: fields.told(value)
            for name, value in values.items()
            if name not in taken and value not in (None, "")
        }


def _value(values: Values, name: str) -> object:
    """What stands in the column ``name``; a name with dots also leads into objects."""
    if not name:
        return None
    if name in values:
        return values[name]
    head, _, rest = name.partition(".")
    inner = values.get(head)
    return _value(inner, rest) if rest and isinstance(inner, dict) else None


def _text(values: Values, name: str, field: str) -> str:
    """The text in a column; a whole number is its digits.

    Raises:
        RecordFaultError: ``FIELD_INVALID`` if it is neither.
    """
    value = _value(values, name)
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise RecordFaultError(FailReason.FIELD_INVALID, name=field)
    return value.strip()


def _entities(values: Values, names: Iterable[str]) -> Iterable[str]:
    for name in names:
        value = _value(values, name)
        if isinstance(value, list):
            if not all(isinstance(one, str) for one in value):
                raise RecordFaultError(FailReason.FIELD_INVALID, name="entities")
            told = [str(one) for one in value]
        else:
            told = _SPLIT.split(_text(values, name, "entities"))
        yield from (one.strip() for one in told if one.strip())


def _interval(values: Values, mapping: Mapping) -> Interval:
    ends: list[str | None] = []
    precision = Precision.UNKNOWN
    for name, field in ((mapping.valid_from, "valid_from"), (mapping.valid_until, "valid_until")):
        told = _value(values, name)
        if told in (None, ""):
            ends.append(None)
            continue
        found = times.bound(told)
        if found is None:
            raise RecordFaultError(FailReason.TIME_INVALID, name=field)
        ends.append(found.text)
        precision = found.precision
    return Interval(ends[0], ends[1], precision)


def _confidence(values: Values, name: str) -> str | None:
    value = _value(values, name)
    if isinstance(value, str):
        value = value.strip().replace(",", ".")
    return fields.decimal(value)

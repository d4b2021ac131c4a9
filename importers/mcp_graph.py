"""What the lines of an MCP memory graph say: observations, relations, and how they hang together.

Names are the keys of this graph. It keeps a fingerprint of each name and each relation's ends, to
tell repeated entities and dangling relations; so memory grows slowly with the graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from importers import fields, times
from importers.faults import RecordFaultError
from importers.json_reading import tokens as json_tokens
from importers.json_reading.strict import JsonObject
from store.cells import Interval, Kind, Proposal, SourceType, Span
from store.records import Failed, FailReason, Nothing, NothingReason, Remark, RemarkCode

SYSTEM: Final = "mcp:"
_NAMES: Final = ("name", "entityName", "id")
_FROM: Final = ("from", "from_id", "source")
_TO: Final = ("to", "to_id", "target")
_RELATION: Final = ("relationType", "relation_type")
_TEXTS: Final = ("text", "content", "observation")
_TIMES: Final = ("timestamp", "updatedAt", "updated_at", "createdAt", "created_at", "_savedAt")
_SAID: Final = frozenset(
    {"observations", "type", "_type", "validFrom", "validTo", "valid_from", "valid_to"}
    | {*_NAMES, *_FROM, *_TO, *_RELATION, *_TEXTS}
)


_OF_TIME: Final = (RemarkCode.WRITTEN_AT_ASSUMED, RemarkCode.TIME_ZONE_ASSUMED)
LINE_KEPT: Final = 8 * 1024
"""Up to this size a claim is shown in its whole line; beyond it, its own JSON stands alone."""

LINES_KEPT: Final = 64 * 1024
"""Bytes that the claims of one line show of it together: each of hundreds does not show it all."""


def shows_its_line(size: int, claims: int) -> bool:
    """Whether each of so many claims of a line of ``size`` bytes is shown in the whole of it."""
    return size <= LINE_KEPT and size * claims <= LINES_KEPT


@dataclass(frozen=True, slots=True)
class Piece:
    """One claim of a line, and the span of its own JSON inside the line."""

    found: Proposal | Nothing | Failed
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class _Entity:
    """What an entity's line says of all its observations."""

    name: str
    kept: dict[str, object]
    written_at: str | None
    remarks: tuple[str, ...]
    whole_line: bool

    def evidence(self, span: Span) -> tuple[Span, ...]:
        return (span if self.whole_line else Span(0, span.end - span.start),)


class Graph:
    """Reads records one by one and remembers which names and links went by."""

    def __init__(self, *, modified_at: str | None) -> None:
        """``modified_at`` is the file's own time, the only one most of these files have."""
        self._modified_at = modified_at
        self._names: set[str] = set()
        self._repeated = 0
        self._untimed = 0
        self._ends: list[tuple[str, str]] = []

    def pieces(self, record: JsonObject, raw: bytes) -> list[Piece]:
        """The claims of one record: each observation of an entity, or its one relation.

        Raises:
            RecordFaultError: If it is neither, or a field is wrong.
        """
        sort = record.get("type", record.get("_type"))
        if any(name in record for name in _RELATION) or sort == "relation":
            return [self._relation(record, raw)]
        if "observations" in record or sort == "entity":
            return self._entity(record, raw)
        raise RecordFaultError(FailReason.WRONG_SHAPE)

    def remarks(self) -> Iterator[Remark]:
        """What is known once every record has gone by."""
        dangling = sum(not self._names.issuperset(ends) for ends in self._ends)
        for code, count in (
            (RemarkCode.NO_TIMES, self._untimed),
            (RemarkCode.DANGLING_LINK, dangling),
            (RemarkCode.ENTITY_REPEATED, self._repeated),
        ):
            if count:
                yield Remark(code, count)

    def _entity(self, record: JsonObject, raw: bytes) -> list[Piece]:
        name = _either(record, _NAMES, "name")
        observations = record.get("observations")
        if observations is None:
            observations = []
        if not isinstance(observations, list):
            raise RecordFaultError(FailReason.FIELD_INVALID, name="observations")
        repeated = self._meet(name)
        if not observations:
            return [Piece(Nothing(NothingReason.NO_OBSERVATIONS))]
        written_at, remarks = self._written_at(record)
        if repeated:
            remarks.append(RemarkCode.ENTITY_REPEATED)
        shown = shows_its_line(len(raw), len(observations))
        entity = _Entity(name, _kept(record), written_at, tuple(remarks), shown)
        spans = json_tokens.elements(raw, json_tokens.members(raw)["observations"])
        found: list[Piece] = []
        for observation, span in zip(observations, spans, strict=True):
            try:
                found.append(Piece(_observation(entity, observation, span), span))
            except RecordFaultError as fault:
                found.append(Piece(replace(fault.failed, column=span.start)))
        return found

    def _relation(self, record: JsonObject, raw: bytes) -> Piece:
        start = _either(record, _FROM, "from")
        end = _either(record, _TO, "to")
        relation = _either(record, _RELATION, "relationType")
        self._ends.append((fields.fingerprint(start), fields.fingerprint(end)))
        written_at, remarks = self._written_at(record)
        valid, assumed = _valid(record)
        if assumed:
            remarks.append(RemarkCode.TIME_ZONE_ASSUMED)
        proposal = Proposal(
            claim=f"{start} {relation.replace('_', ' ')} {end}",
            kind=Kind.FACT,
            source_type=SourceType.FOREIGN_MEMORY,
            source_id=SYSTEM + fields.fingerprint(start, relation, end),
            written_at=written_at,
            valid=valid,
            entities=(start, end),
            evidence=(Span(0, len(raw)),),
            foreign={"relation_type": relation} | _kept(record),
            remarks=tuple(remarks),
        )
        return Piece(proposal, Span(0, len(raw)))

    def _meet(self, name: str) -> bool:
        mark = fields.fingerprint(name)
        repeated = mark in self._names
        self._names.add(mark)
        self._repeated += repeated
        return repeated

    def _written_at(self, record: JsonObject) -> tuple[str | None, list[str]]:
        found = _time(record)
        if found is not None:
            return found.text, [RemarkCode.TIME_ZONE_ASSUMED] if found.tz_assumed else []
        self._untimed += 1
        return self._modified_at, [RemarkCode.WRITTEN_AT_ASSUMED] if self._modified_at else []


def _observation(entity: _Entity, value: object, span: Span) -> Proposal | Nothing:
    own: JsonObject = value if isinstance(value, dict) else {"text": value}
    key = next((one for one in _TEXTS if one in own), "text")
    text = fields.text(own, key, called="observations")
    if not text:
        return Nothing(NothingReason.EMPTY_TEXT)
    foreign, written_at, remarks = entity.kept, entity.written_at, entity.remarks
    if len(own) > 1:
        foreign = foreign | {f"observation_{name}": one for name, one in _kept(own).items()}
        if time := _time(own):
            written_at = time.text
            remarks = tuple(one for one in remarks if one not in _OF_TIME)
            remarks += (RemarkCode.TIME_ZONE_ASSUMED,) if time.tz_assumed else ()
    return Proposal(
        claim=f"{entity.name}: {text}",
        kind=Kind.FACT,
        source_type=SourceType.FOREIGN_MEMORY,
        source_id=SYSTEM + fields.fingerprint(entity.name, text),
        written_at=written_at,
        entities=(entity.name,),
        evidence=entity.evidence(span),
        foreign=foreign,
        remarks=remarks,
    )


def _either(record: JsonObject, names: tuple[str, ...], called: str) -> str:
    for name in names:
        if name in record and (found := fields.identity(record, name, called=called)):
            return found
    raise RecordFaultError(FailReason.FIELD_MISSING, name=called)


def _time(record: JsonObject) -> times.Moment | None:
    return next(
        (found for key in _TIMES if (found := fields.instant(record, key, called="updatedAt"))),
        None,
    )


def _valid(record: JsonObject) -> tuple[Interval, bool]:
    ends: list[times.Bound | None] = []
    for names in (("validFrom", "valid_from"), ("validTo", "valid_to")):
        value = next((record[name] for name in names if record.get(name) is not None), None)
        found = times.bound(value)
        if value is not None and found is None:
            raise RecordFaultError(FailReason.TIME_INVALID, name=names[0])
        ends.append(found)
    start, end = ends
    given = [one for one in ends if one]
    if start and end and times.earliest(end.text) < times.earliest(start.text):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="validTo")
    if not given:
        return Interval(), False
    found_interval = Interval(
        start=start.text if start else None,
        end=end.text if end else None,
        precision=given[0].precision,
    )
    return found_interval, any(one.tz_assumed for one in given)


def _kept(record: JsonObject) -> dict[str, object]:
    """Members with no place of their own, and who the file says wrote it."""
    kept = {
        name: fields.told(value)
        for name, value in record.items()
        if value is not None and name not in _SAID
    }
    writer = record.get("updatedBy") or record.get("createdBy") or record.get("author")
    if writer:
        kept["claimed_writer"] = fields.told(writer)
    return kept

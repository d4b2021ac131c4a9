"""One item of a LangGraph store as claims: where it stands, when it was written, what it says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from importers import fields, times
from importers.faults import RecordFaultError
from importers.json_reading.strict import JsonObject, parse
from importers.langgraph import values
from importers.langgraph.values import Leaf
from importers.reads import Tally
from importers.runs import text_in
from store.cells import Interval, Proposal, SourceType
from store.records import FailReason, Nothing, NothingReason, RemarkCode

SYSTEM: Final = "langgraph:"
_UPDATED: Final = ("updated_at", "updatedAt")
_CREATED: Final = ("created_at", "createdAt")
_EXPIRES: Final = ("expires_at", "expiresAt")
_TAKEN: Final = frozenset({"namespace", "prefix", "key", "value", *_UPDATED, *_CREATED, *_EXPIRES})


def is_item(keys: frozenset[str]) -> bool:
    """Whether a record with these keys is an item, as the API or the table gives it."""
    return {"key", "value"} <= keys and (
        "namespace" in keys or ("prefix" in keys and bool(keys & {"created_at", "updated_at"}))
    )


def claims(
    record: JsonObject, raw: bytes, *, modified_at: str | None, tally: Tally
) -> Iterator[Proposal | Nothing]:
    """A claim for each leaf of the item's value; ``Nothing`` if it has none.

    Raises:
        RecordFaultError: If a field is wrong.
    """
    namespace = _namespace(record)
    key = fields.identity(record, "key")
    if key is None:
        raise RecordFaultError(FailReason.FIELD_MISSING, name="key")
    if "value" not in record:
        raise RecordFaultError(FailReason.FIELD_MISSING, name="value")
    value, twice = _value(record["value"])
    told = values.read(value)
    written_at, remarks = _written_at(record, modified_at)
    expires = _expires(record)
    if twice:
        remarks.append(RemarkCode.ENCODED_TWICE)
    for _ in range(told.vectors):
        tally.add(RemarkCode.VECTORS_DROPPED)
    if record.get("score") is not None:
        tally.add(RemarkCode.SEARCH_RESULT)
    foreign = _foreign(record, told.beside, namespace)
    if not told.leaves:
        yield Nothing(NothingReason.EMPTY_TEXT)
    cursor = max(raw.find(b'"value"'), 0)
    for leaf in told.leaves:
        at = max(raw.find(f'"{leaf.name}"'.encode(), cursor), cursor) if leaf.name else cursor
        span = text_in(raw, leaf.written, at) or text_in(raw, leaf.written, cursor)
        cursor = span.end if span else cursor
        yield Proposal(
            claim=leaf.claim,
            kind=told.kind,
            source_type=SourceType.FOREIGN_MEMORY,
            source_id=f"{SYSTEM}{namespace}/{key}{_mark(leaf)}",
            written_at=written_at,
            valid=expires or Interval(),
            scope={"namespace": namespace} if namespace else {},
            entities=leaf.entities,
            expires_at=expires.end if expires else None,
            evidence=(span,) if span else (),
            foreign=foreign | ({"path": leaf.path} if leaf.path else {}),
            remarks=tuple(remarks),
        )


def _mark(leaf: Leaf) -> str:
    return f"#{leaf.path}" if leaf.path else ""


def _namespace(record: JsonObject) -> str:
    """The labels joined by dots, as the store's own table writes them; no label holds one."""
    value = record.get("namespace", record.get("prefix"))
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ".".join(str(one) for one in value)
    raise RecordFaultError(FailReason.FIELD_INVALID, name="namespace")


def _value(value: object) -> tuple[object, bool]:
    """The value; opened when it is JSON in a string, as a dump of the table has it."""
    if isinstance(value, str) and value.strip()[:1] in ("{", "["):
        try:
            return parse(value.encode()), True
        except RecordFaultError:
            return value, False
    return value, False


def _written_at(record: JsonObject, modified_at: str | None) -> tuple[str | None, list[str]]:
    told = (fields.instant(record, one, called=_UPDATED[0]) for one in _UPDATED)
    first = (fields.instant(record, one, called=_CREATED[0]) for one in _CREATED)
    found = next((one for one in (*told, *first) if one), None)
    if found is None:
        return modified_at, [RemarkCode.WRITTEN_AT_ASSUMED] if modified_at else []
    return found.text, [RemarkCode.TIME_ZONE_ASSUMED] if found.tz_assumed else []


def _expires(record: JsonObject) -> Interval | None:
    value = next((record[one] for one in _EXPIRES if record.get(one) is not None), None)
    if value is None or value == "":
        return None
    found = times.bound(value)
    if found is None:
        raise RecordFaultError(FailReason.TIME_INVALID, name="expires_at")
    return Interval(end=found.text, precision=found.precision)


def _foreign(record: JsonObject, beside: dict[str, object], namespace: str) -> dict[str, object]:
    kept = {
        name: fields.told(one)
        for name, one in [*beside.items(), *record.items()]
        if name not in _TAKEN and one is not None
    }
    embedding = kept.pop("embedding", None)
    if isinstance(embedding, list):
        kept["vector_dimensions"] = len(embedding)
    if namespace:
        kept["claimed_tenant"] = namespace
    return kept

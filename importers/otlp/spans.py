"""One span or log record of OTLP/JSON as part of a trace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from importers import fields
from importers.faults import RecordFaultError
from importers.json_reading.strict import JsonObject
from importers.otlp import content, events, values
from importers.traces import attributes as traces_attributes
from importers.traces import json, openinference
from importers.traces import spans as traces_spans
from importers.traces.index import Glance, Piece
from importers.traces.json import Opener
from importers.traces.places import Inside
from importers.traces.spans import Parts, Sort, TraceSpan, keep
from store.cells import Span
from store.records import FailReason, Nothing, NothingReason

SPAN: Final = "span"
LOG: Final = "log"
OTHER: Final = "other"
RESOURCES: Final = frozenset({"resourceSpans", "resource_spans", "batches"})
LOGS: Final = frozenset({"resourceLogs", "resource_logs"})
SIGNALS: Final = RESOURCES | LOGS | {"resourceMetrics", "resource_metrics"}
_SCOPES: Final = frozenset(
    {"scopeSpans", "scope_spans", "scopeLogs", "scope_logs"}
    | {"instrumentationLibrarySpans", "instrumentation_library_spans"}
)
HOLDERS: Final = _SCOPES | SIGNALS | {"trace", "data"}
_LEAVES: Final = {
    "spans": SPAN,
    "logRecords": LOG,
    "log_records": LOG,
}
_DEEP: Final = 8
_SERVICE: Final = ("service.name", "service.version", "telemetry.sdk.name")
"""What is kept of a resource. Its host, process and user names are not."""


def cut(inside: Inside, at: Span, deep: int = 0) -> Iterator[Piece]:
    """The spans and log records below the value at ``at``.

    Raises:
        RecordFaultError: If the brackets around them are broken.
    """
    if deep > _DEEP:
        return
    if inside.begins(at) == b"[":
        for one in inside.elements(at):
            yield from cut(inside, one, deep + 1)
        return
    members = inside.members(at)
    if is_span(members):
        yield Piece(inside.cut(at), SPAN)
        return
    service = _service(inside, members)
    for name, span in members.items():
        if name in _LEAVES:
            for one in inside.elements(span):
                yield Piece(inside.cut(one), _LEAVES[name], service)
        elif name in HOLDERS:
            for piece in cut(inside, span, deep + 1):
                yield piece._replace(context=piece.context or service)


def is_span(names: Iterable[str]) -> bool:
    """Whether an object with these keys is a span without a resource around it."""
    keys = {values.snake(one) for one in names}
    return keys >= {"trace_id", "span_id", "start_time_unix_nano"}


def _service(inside: Inside, members: dict[str, Span]) -> str:
    if "resource" not in members:
        return ""
    try:
        resource = inside.value(members["resource"])
        listed = resource.get("attributes") if isinstance(resource, dict) else None
        found = values.attributes(listed)
    except RecordFaultError:
        return ""
    told = [f"{key}={found[key]}" for key in _SERVICE if isinstance(found.get(key), str)]
    return "\n".join(told)


def glance(piece: Piece) -> Glance | Nothing:
    """Which trace a span belongs to.

    Raises:
        RecordFaultError: If it is no object, or names no trace.
    """
    record = json.parse_object(piece.slice.raw, last=piece.slice.last)
    trace, own = values.identity(record, "traceId"), values.identity(record, "spanId")
    if piece.sort == LOG:
        return Glance(trace, parent=own) if trace else Nothing(NothingReason.NOT_A_MEMORY)
    if not trace:
        raise RecordFaultError(FailReason.FIELD_MISSING, name="traceId")
    return Glance(trace, (own,) if own else ())


def add(piece: Piece, parts: Parts, opener: Opener) -> None:
    """Add a piece to what is known of its trace.

    Raises:
        RecordFaultError: If a field of it is of a wrong type or a time is none.
    """
    record = json.parse_object(piece.slice.raw, last=piece.slice.last)
    if piece.sort == LOG:
        _log(record, piece, parts, opener)
        return
    attributes = values.attributes(record.get("attributes"))
    name = fields.text(record, "name") or ""
    span = TraceSpan(
        id=values.identity(record, "spanId"),
        piece=piece.slice,
        sort=Sort.OTHER,
        parent=values.identity(record, "parentSpanId"),
        name=name,
        start=traces_spans.when(record, "startTimeUnixNano", "start_time_unix_nano"),
        end=traces_spans.when(record, "endTimeUnixNano", "end_time_unix_nano"),
    )
    _status(span, record)
    kind = attributes.get("openinference.span.kind")
    before = len(parts.judgements), parts.unknown
    try:
        if isinstance(kind, str):
            span.sort = openinference.SORTS.get(kind.upper(), Sort.CHAIN)
            parts.unknown += kind.upper() not in openinference.SORTS
            events.read(span, record, parts, opener)
            tree = traces_attributes.nested(attributes)
            openinference.fill(span, tree, parts, opener)
        else:
            unknown = _own(span, record, attributes, parts, opener)
            parts.unknown += unknown
    except RecordFaultError:
        del parts.judgements[before[0] :]
        parts.unknown = before[1]
        raise
    parts.spans.append(span)
    _about(piece, span, attributes, parts)


def _own(
    span: TraceSpan, record: JsonObject, attributes: JsonObject, parts: Parts, opener: Opener
) -> bool:
    beside = events.read(span, record, parts, opener)
    span.sort, unknown = content.sort_of({**beside, **attributes}, span.name)
    if span.sort is Sort.OTHER and events.names(record):
        span.sort = Sort.MODEL if span.input or span.output else Sort.CHAIN
    if span.sort is Sort.OTHER:
        span.notes.clear()
    content.fill(span, {**beside, **attributes}, opener)
    return unknown


def _status(span: TraceSpan, record: JsonObject) -> None:
    status = record.get("status")
    if status is None:
        return
    if not isinstance(status, dict):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="status")
    code = str(status.get("code", "")).upper().removeprefix("STATUS_CODE_")
    span.failed, span.ok = code in ("2", "ERROR"), code in ("1", "OK")
    message = status.get("message")
    if span.failed and isinstance(message, str):
        span.error = message


def _log(record: JsonObject, piece: Piece, parts: Parts, opener: Opener) -> None:
    """A log record as the event of its span that it is."""
    start = traces_spans.when(record, "timeUnixNano", "observedTimeUnixNano")
    span = TraceSpan(
        id="",
        piece=piece.slice,
        sort=Sort.OTHER,
        parent=values.identity(record, "spanId"),
        start=start,
    )
    beside = events.event(span, record, parts, opener)
    if beside or span.input or span.output:
        span.sort = Sort.MODEL
        content.fill(span, beside, opener)
    parts.spans.append(span)


def _about(piece: Piece, span: TraceSpan, attributes: JsonObject, parts: Parts) -> None:
    if span.sort is Sort.OTHER:
        return
    for name, keys in (
        ("conversation", ("gen_ai.conversation.id",)),
        ("session", ("session.id", "langfuse.session.id", "traceloop.association.session_id")),
        ("agent", ("gen_ai.agent.name", "agent_name")),
    ):
        for key in keys:
            if isinstance(value := attributes.get(key), str) and value:
                parts.run.setdefault(name, value)
    for line in piece.context.split("\n"):
        name, found, value = line.partition("=")
        if found:
            keep(parts, name.replace(".", "_"), value)
    for name, key in (
        ("provider", "gen_ai.provider.name"),
        ("provider", "gen_ai.system"),
        ("model", "gen_ai.request.model"),
        ("agent_id", "gen_ai.agent.id"),
        ("claimed_user", "user.id"),
    ):
        keep(parts, name, attributes.get(key))

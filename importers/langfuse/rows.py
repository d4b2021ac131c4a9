"""Traces, observations and scores of Langfuse, as objects of its API or rows of its tables."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from importers import fields
from importers.faults import RecordFaultError
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject
from importers.traces import documents, message_parts, openinference
from importers.traces import judgements as traces_judgements
from importers.traces import spans as traces_spans
from importers.traces.json import Opener, written
from importers.traces.messages import Messages
from importers.traces.spans import Judgement, Parts, Sort, TraceSpan, Utterance, keep
from store.records import FailReason
from store.trajectories import StepKind, Verdict

TRACE: Final = "trace"
OBSERVATION: Final = "observation"
SCORE: Final = "score"
CORRECTION: Final = "correction"
ROOT: Final = "\0trace"
"""Id of the trace itself among its spans."""

_SORTS: Final = {
    "SPAN": Sort.CHAIN,
    "EVENT": Sort.CHAIN,
    "GENERATION": Sort.MODEL,
    "AGENT": Sort.AGENT,
    "TOOL": Sort.TOOL,
    "CHAIN": Sort.CHAIN,
    "RETRIEVER": Sort.RETRIEVER,
    "EVALUATOR": Sort.CHECK,
    "GUARDRAIL": Sort.CHECK,
    "EMBEDDING": Sort.EMBEDDING,
}
_OF_TRACES: Final = frozenset(
    {"sessionId", "userId", "bookmarked", "public", "release", "environment", "htmlPath"}
    | {"projectId", "tags", "scores", "observations", "totalCost", "latency", "corrections"}
    | {"observationCount"}
)
_OF_SCORES: Final = frozenset({"dataType", "authorUserId", "observationId", "configId", "queueId"})
_KEPT: Final = ("name", "tags", "environment", "release", "version", "bookmarked", "public")
_UNDERLINE: Final = re.compile(r"_([a-z])")


def camel(name: str) -> str:
    """``trace_id`` as ``traceId``: exports of tables write underscores."""
    return _UNDERLINE.sub(lambda found: found[1].upper(), name)


def sort_of(names: Iterable[str]) -> str:
    """What an object with these keys is; empty if it is nothing of Langfuse."""
    keys = {camel(one) for one in names}
    if "traceId" in keys or "observationId" in keys:
        valued = bool(keys & {"value", "stringValue", "longStringValue"})
        if valued and {"name", "source"} <= keys and keys & _OF_SCORES:
            return SCORE
        if {"id", "type"} <= keys and keys & {"startTime", "parentObservationId"}:
            return OBSERVATION
        return ""
    if "id" in keys and keys & {"timestamp", "createdAt", "observations"}:
        return TRACE if len(keys & _OF_TRACES) >= 3 else ""
    return ""


def named(record: JsonObject) -> JsonObject:
    """The record with its names in camel case."""
    return {camel(key): value for key, value in record.items()}


def trace(record: JsonObject, piece: Slice, parts: Parts, opener: Opener) -> None:
    """Add the trace itself: its input and output, and what holds for all of it.

    Raises:
        RecordFaultError: If a field is of a wrong type or its time is none.
    """
    messages = Messages(opener)
    span = TraceSpan(
        id=ROOT,
        piece=piece,
        sort=Sort.AGENT,
        name=fields.text(record, "name") or "",
        start=traces_spans.when(record, "timestamp", "createdAt"),
    )
    span.input = messages.of(record.get("input"), "user")
    span.output = messages.of(record.get("output"), "assistant")
    parts.spans.append(span)
    for name, key in (("session", "sessionId"),):
        if value := fields.identity(record, key):
            parts.run[name] = value
    keep(parts, "claimed_user", record.get("userId"))
    keep(parts, "claimed_tenant", record.get("projectId"))
    for key in _KEPT:
        keep(parts, key, opener.open(record.get(key)))
    keep(parts, "metadata", opener.open(record.get("metadata")))


def observation(record: JsonObject, piece: Slice, parts: Parts, opener: Opener) -> None:
    """Add one observation.

    Raises:
        RecordFaultError: If a field is of a wrong type or a time is none.
    """
    word = (fields.text(record, "type") or "SPAN").upper()
    span = TraceSpan(
        id=fields.identity(record, "id") or "",
        piece=piece,
        sort=_SORTS.get(word, Sort.CHAIN),
        parent=fields.identity(record, "parentObservationId") or "",
        name=fields.text(record, "name") or "",
        start=traces_spans.when(record, "startTime", "createdAt"),
        end=traces_spans.when(record, "endTime"),
        model=fields.text(record, "model", called="model") or "",
        failed=record.get("level") == "ERROR",
        error=fields.text(record, "statusMessage") or "",
    )
    parts.unknown += word not in _SORTS
    if word in ("SPAN", "EVENT"):
        span.sort = _by_metadata(opener.open(record.get("metadata")), span.sort)
    _content(span, record, opener)
    parts.spans.append(span)


def _by_metadata(metadata: object, otherwise: Sort) -> Sort:
    """The sort that instrumentation wrote before Langfuse had types of its own."""
    inner = metadata.get("attributes") if isinstance(metadata, dict) else None
    if not isinstance(inner, dict):
        return otherwise
    if inner.get("gen_ai.operation.name") == "execute_tool":
        return Sort.TOOL
    word = str(inner.get("openinference.span.kind", "")).upper()
    return openinference.SORTS.get(word, otherwise)


def _content(span: TraceSpan, record: JsonObject, opener: Opener) -> None:
    given, gave = record.get("input"), record.get("output")
    if span.sort is Sort.TOOL:
        span.tool = span.name
        text = message_parts.arguments(given, opener)
        span.input = [Utterance(StepKind.ACTION, text, name=span.name)]
        if gave is not None:
            result = message_parts.result_text(gave, opener)
            span.output = [Utterance(StepKind.RESULT, result, name=span.name)]
            span.call = _call_of(opener.open(gave))
    elif span.sort is Sort.RETRIEVER:
        text = message_parts.query(given, opener)
        span.input = [Utterance(StepKind.ACTION, text)] if text else []
        span.output = documents.of(gave, opener, name=span.name)
        if not span.output and isinstance(gave, str) and gave.strip():
            span.output = [Utterance(StepKind.RECALLED, gave, name=span.name)]
    else:
        messages = Messages(opener)
        span.input = messages.of(given, "user")
        span.output = messages.of(gave, "assistant")
        if span.sort is Sort.MODEL:
            span.output += _calls(record, span.output, opener)


def _call_of(value: object) -> str:
    call = value.get("tool_call_id") if isinstance(value, dict) else None
    return call if isinstance(call, str) else ""


def _calls(record: JsonObject, said: list[Utterance], opener: Opener) -> list[Utterance]:
    """Calls that stand beside an answer, where the answer itself does not tell them."""
    calls, names = opener.open(record.get("toolCalls")), opener.open(record.get("toolCallNames"))
    if any(one.kind is StepKind.ACTION for one in said) or not isinstance(calls, list):
        return []
    told: list[Utterance] = []
    for number, one in enumerate(calls):
        opened = opener.open(one)
        if isinstance(opened, dict):
            call = message_parts.action(opened)
            if not call.name and isinstance(names, list) and number < len(names):
                call.name = str(names[number])
            told.append(call)
    return told


def score(record: JsonObject, piece: Slice, parts: Parts, opener: Opener) -> None:
    """Add one score. Only an annotation with its author's id is a person's.

    Raises:
        RecordFaultError: If a field is of a wrong type or its time is none.
    """
    sort, source = fields.text(record, "dataType") or "", fields.text(record, "source") or ""
    author = fields.identity(record, "authorUserId") or ""
    if sort.upper() == "CORRECTION":
        correction(record, piece, parts, opener)
        return
    name = fields.text(record, "name") or ""
    label = fields.text(record, "stringValue") or fields.text(record, "longStringValue")
    value, comment = record.get("value"), fields.text(record, "comment")
    if isinstance(value, str) and not label and fields.decimal(value) is None:
        label = value
    human = source.upper() == "ANNOTATION" and bool(author)
    shown = None if sort.upper() == "CATEGORICAL" and label else value
    judged = _judgement(record, piece, name, traces_judgements.words(name, label, shown, comment))
    judged.human, judged.by = human, author or source
    if human and sort.upper() != "TEXT":
        judged.verdict = traces_judgements.verdict(name, label, value)
        judged.weak = traces_judgements.is_weak(name, label)
        judged.reason = comment or None
    parts.judgements.append(judged)


def correction(record: JsonObject, piece: Slice, parts: Parts, _: Opener) -> None:
    """Add a correction: the text that a person put in place of an output.

    Raises:
        RecordFaultError: ``FIELD_MISSING`` if it has no text.
    """
    keys = ("longStringValue", "stringValue", "correctedOutput", "output", "content", "value")
    text = next((record[key] for key in keys if record.get(key) not in (None, "", 0)), None)
    if text is None:
        raise RecordFaultError(FailReason.FIELD_MISSING, name="stringValue")
    source = (fields.text(record, "source") or "ANNOTATION").upper()
    author = fields.identity(record, "authorUserId") or ""
    judged = _judgement(record, piece, fields.text(record, "name") or "correction", written(text))
    judged.human, judged.by = source != "EVAL", author or source
    judged.verdict, judged.edit = Verdict.EDIT, written(text)
    judged.reason = fields.text(record, "comment") or None
    judged.weak = source != "ANNOTATION" or not author
    parts.judgements.append(judged)


def _judgement(record: JsonObject, piece: Slice, name: str, text: str) -> Judgement:
    own = fields.identity(record, "id")
    at = traces_spans.when(record, "timestamp", "createdAt", "updatedAt")
    return Judgement(
        piece=piece,
        text=text,
        name=name,
        target=fields.identity(record, "observationId") or "",
        at=at.text if at else None,
        review_id=f"langfuse:{own}" if own else "",
    )

"""Events of a span: messages as they stood there before 1.37, verdicts of machines, exceptions."""

from __future__ import annotations

from typing import Final

from importers.faults import RecordFaultError
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject
from importers.otlp import values
from importers.traces import spans
from importers.traces.json import Opener, written
from importers.traces.messages import Messages
from importers.traces.spans import Judgement, Parts, TraceSpan, Utterance
from store.records import FailReason
from store.trajectories import StepKind

_ROLES: Final = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
_CHOICE: Final = "gen_ai.choice"
_WHOLE: Final = {
    "gen_ai.content.prompt": ("gen_ai.prompt", "user"),
    "gen_ai.content.completion": ("gen_ai.completion", "assistant"),
}
DETAILS: Final = "gen_ai.client.inference.operation.details"
_VERDICT: Final = "gen_ai.evaluation.result"
_BODIES: Final = ("gen_ai.event.content", "message", "event.body", "body")


def names(record: JsonObject) -> bool:
    """Whether some event of the span is of GenAI."""
    return any(
        isinstance(one, dict) and str(one.get("name", "")).startswith("gen_ai.")
        for one in _listed(record)
    )


def read(span: TraceSpan, record: JsonObject, parts: Parts, opener: Opener) -> JsonObject:
    """Add what the events of a span say, and give the attributes that stand in an event.

    Raises:
        RecordFaultError: ``FIELD_INVALID`` or ``TIME_INVALID``.
    """
    beside: JsonObject = {}
    for one in _listed(record):
        if not isinstance(one, dict):
            raise RecordFaultError(FailReason.FIELD_INVALID, name="events")
        beside |= event(span, one, parts, opener)
    return beside


def event(span: TraceSpan, one: JsonObject, parts: Parts, opener: Opener) -> JsonObject:
    """Add what one event says; the attributes of an event that holds a span's own.

    Raises:
        RecordFaultError: ``FIELD_INVALID`` or ``TIME_INVALID``.
    """
    attributes = values.attributes(one.get("attributes"))
    name = str(values.field(one, "eventName") or one.get("name") or "")
    name = name or str(attributes.get("event.name") or "")
    body = values.plain(one.get("body"))
    messages = Messages(opener)
    if name in _ROLES:
        span.input += _message(attributes, body, _ROLES[name], messages, opener)
    elif name == _CHOICE:
        span.output += _message(attributes, body, "assistant", messages, opener)
    elif name in _WHOLE:
        key, role = _WHOLE[name]
        into = span.input if role == "user" else span.output
        into += messages.of(attributes.get(key), role)
    elif name == DETAILS:
        inner = body if isinstance(body, dict) else {}
        return {**inner, **attributes}
    elif name == _VERDICT:
        judged = _judgement(span.piece, span.id, one, attributes)
        parts.judgements.append(judged)
    elif name == "exception":
        text = str(attributes.get("exception.message") or attributes.get("exception.type") or "")
        span.error = span.error or text
        if text:
            span.notes.append(Utterance(StepKind.NOTE, text, name="exception", failed=True))
    elif name.startswith("gen_ai."):
        parts.unknown += 1
        span.notes.append(Utterance(StepKind.NOTE, written(attributes or body), name=name))
    return {}


def _listed(record: JsonObject) -> list[object]:
    events = record.get("events")
    if events is None:
        return []
    if not isinstance(events, list):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="events")
    return events


def _message(
    attributes: JsonObject, body: object, role: str, messages: Messages, opener: Opener
) -> list[Utterance]:
    """The message of an event: in its body, in one attribute as JSON, or spread over several."""
    item = {key.removeprefix("gen_ai."): value for key, value in attributes.items()}
    if isinstance(body, dict):
        item |= body
    for key in _BODIES:
        inner = opener.open(attributes.get(key))
        if isinstance(inner, dict):
            item |= inner
    if isinstance(inner := opener.open(item.get("message")), dict):
        item |= inner
    elif isinstance(inner, str):
        item.setdefault("content", inner)
    item.pop("message", None)
    if role == "tool" and isinstance(item.get("id"), str):
        item.setdefault("tool_call_id", item["id"])
    if not item.keys() & {"content", "parts", "tool_calls", "function_call"}:
        return []
    for key in ("content", "tool_calls"):
        if isinstance(opened := opener.open(item.get(key)), list):
            item[key] = opened
    own = item.get("role")
    return messages.only([{**item, "role": own if isinstance(own, str) and own else role}], role)


def _judgement(piece: Slice, target: str, one: JsonObject, attributes: JsonObject) -> Judgement:
    name = str(attributes.get("gen_ai.evaluation.name") or "evaluation")
    label = attributes.get("gen_ai.evaluation.score.label")
    score = attributes.get("gen_ai.evaluation.score.value")
    comment = attributes.get("gen_ai.evaluation.explanation")
    shown = " ".join(written(value) for value in (label, score) if value not in (None, ""))
    at = spans.when(one, "timeUnixNano", "time_unix_nano")
    text = f"{name}: {shown}" if shown else name
    return Judgement(
        piece=piece,
        text=f"{text}\n{comment}" if comment else text,
        name=name,
        target=target,
        at=at.text if at else None,
    )

"""One run of LangSmith, put together from what was posted and patched, and feedback on it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from importers import fields
from importers.faults import RecordFaultError
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject
from importers.traces import documents, message_parts
from importers.traces import judgements as traces_judgements
from importers.traces import spans as traces_spans
from importers.traces.json import Opener, written
from importers.traces.messages import Messages
from importers.traces.spans import Judgement, Parts, Sort, TraceSpan, Utterance, keep
from store.records import FailReason
from store.trajectories import StepKind, Verdict

RUN: Final = "run"
POST: Final = "post"
PATCH: Final = "patch"
FEEDBACK: Final = "feedback"
CHILDREN: Final = "child_runs"
_SORTS: Final = {
    "llm": Sort.MODEL,
    "chain": Sort.CHAIN,
    "tool": Sort.TOOL,
    "retriever": Sort.RETRIEVER,
    "embedding": Sort.EMBEDDING,
    "prompt": Sort.CHAIN,
    "parser": Sort.CHAIN,
    "agent": Sort.AGENT,
}
_THREADS: Final = ("thread_id", "session_id", "conversation_id")
_MACHINE_MADE: Final = ("LANGCHAIN_", "LANGSMITH_", "LANGGRAPH_")
_EMPTY: Final[tuple[object, ...]] = (None, "", [], {})


def sort_of(names: Iterable[str]) -> str:
    """What an object with these keys is; empty if it is nothing of LangSmith."""
    keys = set(names)
    if "run_type" in keys and keys & {"id", "trace_id", "dotted_order", "inputs", "start_time"}:
        return RUN
    if {"dotted_order", "trace_id"} <= keys and "id" in keys:
        return RUN
    if {"run_id", "key"} <= keys and keys & {"feedback_source", "score", "value", "correction"}:
        return FEEDBACK
    return ""


def trace_of(record: JsonObject) -> str:
    """The trace that a run says it is of; empty if it only names its parent.

    Raises:
        RecordFaultError: ``FIELD_INVALID`` if an id is of a wrong type.
    """
    if found := fields.identity(record, "trace_id"):
        return found
    order = fields.text(record, "dotted_order") or ""
    if "Z" in order:
        return order.split(".")[0].partition("Z")[2]
    return "" if record.get("parent_run_id") else fields.identity(record, "id") or ""


def parent_of(record: JsonObject) -> str:
    """The run above it."""
    if found := fields.identity(record, "parent_run_id"):
        return found
    listed = record.get("parent_run_ids")
    if isinstance(listed, list) and listed and isinstance(listed[-1], str):
        return listed[-1]
    above = (fields.text(record, "dotted_order") or "").split(".")[:-1]
    return above[-1].partition("Z")[2] if above else ""


def merged(record: JsonObject, later: JsonObject) -> JsonObject:
    """A run with what was written of it later; what the later one leaves empty stays."""
    found = record | {key: value for key, value in later.items() if value not in _EMPTY}
    for key in ("extra",):
        one, other = record.get(key), later.get(key)
        if isinstance(one, dict) and isinstance(other, dict):
            found[key] = one | other
    return found


def is_unfinished(record: JsonObject) -> bool:
    """Whether it is only the beginning of a run."""
    return all(record.get(key) in _EMPTY for key in ("outputs", "end_time", "error"))


def run(
    record: JsonObject,
    piece: Slice,
    last: Slice | None,
    context: str,
    parts: Parts,
    opener: Opener,
) -> None:
    """Add one run.

    Raises:
        RecordFaultError: If a field is of a wrong type or a time is none.
    """
    word = (fields.text(record, "run_type") or "chain").lower()
    status = (fields.text(record, "status") or "").lower()
    error = record.get("error")
    span = TraceSpan(
        id=fields.identity(record, "id") or "",
        piece=piece,
        last=last,
        sort=_SORTS.get(word, Sort.CHAIN),
        parent=parent_of(record) or context,
        name=fields.text(record, "name") or "",
        start=traces_spans.when(record, "start_time"),
        end=traces_spans.when(record, "end_time"),
        order=fields.text(record, "dotted_order") or "",
        failed=status == "error" or error not in _EMPTY,
        ok=status == "success",
        error=error.strip() if isinstance(error, str) else "",
    )
    for key in ("inputs", "outputs"):
        if not isinstance(record.get(key), dict | list | str | None):
            raise RecordFaultError(FailReason.FIELD_INVALID, name=key)
    parts.unknown += word not in _SORTS
    _content(span, record, opener)
    parts.spans.append(span)
    _about(span, record, parts)


def _content(span: TraceSpan, record: JsonObject, opener: Opener) -> None:
    given, gave = record.get("inputs"), record.get("outputs")
    if span.sort is Sort.TOOL:
        span.tool = span.name
        opened = opener.open(gave)
        span.call = _call_of(opened)
        text = message_parts.arguments(given, opener)
        span.input = [Utterance(StepKind.ACTION, text, name=span.name, call=span.call)]
        if gave not in _EMPTY:
            result = message_parts.result_text(gave, opener)
            span.output = [Utterance(StepKind.RESULT, result, name=span.name)]
    elif span.sort is Sort.RETRIEVER:
        text = message_parts.query(given, opener)
        span.input = [Utterance(StepKind.ACTION, text)] if text else []
        span.output = documents.of(gave, opener, name=span.name)
    else:
        messages = Messages(opener)
        span.input = messages.of(given, "user")
        span.output = messages.of(gave, "assistant")


def _call_of(value: object) -> str:
    """The id of the call that a result answers, where the result is a message."""
    for _ in range(3):
        if not isinstance(value, dict):
            return ""
        if isinstance(call := value.get("tool_call_id"), str):
            return call
        value = value.get("kwargs") or value.get("output")
    return ""


def _about(span: TraceSpan, record: JsonObject, parts: Parts) -> None:
    """What a run says of its project, its thread and its models. Its host is left out."""
    if value := fields.identity(record, "session_name") or fields.identity(record, "session_id"):
        parts.run.setdefault("project", value)
    extra = record.get("extra")
    metadata = extra.get("metadata") if isinstance(extra, dict) else None
    metadata = metadata if isinstance(metadata, dict) else {}
    for key in _THREADS:
        if isinstance(value := metadata.get(key), str) and value:
            parts.run.setdefault("session", value)
    model = metadata.get("ls_model_name")
    span.model = model if isinstance(model, str) else ""
    if span.parent:
        return
    own = {key: one for key, one in metadata.items() if not key.startswith(_MACHINE_MADE)}
    keep(parts, "name", span.name)
    keep(parts, "metadata", own)
    for key in ("tags", "feedback_stats", "reference_example_id"):
        keep(parts, key, record.get(key))


def feedback(record: JsonObject, piece: Slice, context: str, parts: Parts) -> None:
    """Add one feedback. A person's is one that came through the app from a named user.

    Raises:
        RecordFaultError: If a field is of a wrong type or its time is none.
    """
    inner = record.get("feedback_source")
    source = inner if isinstance(inner, dict) else {}
    user = fields.identity(source, "user_id") or fields.identity(source, "ls_user_id") or ""
    sort = (fields.text(source, "type") or "").lower()
    human = sort == "app" and bool(user)
    name, comment = fields.text(record, "key") or "", fields.text(record, "comment")
    value, score, correction = (record.get(key) for key in ("value", "score", "correction"))
    label = value if isinstance(value, str) else None
    moment = traces_spans.when(record, "created_at", "modified_at")
    own = fields.identity(record, "id")
    judged = Judgement(
        piece=piece,
        text=traces_judgements.words(name, value, score, comment),
        name=name,
        target=fields.identity(record, "run_id") or context,
        human=human,
        reason=comment or None,
        by=user or sort,
        at=moment.text if moment else None,
        review_id=f"langsmith:{own}" if own else "",
    )
    if correction not in _EMPTY:
        judged.edit = _corrected(correction)
        judged.text = f"{judged.text}\n{judged.edit}"
    if human:
        judged.weak = traces_judgements.is_weak(name, label)
        judged.verdict = traces_judgements.verdict(name, label, score)
        if judged.edit is not None:
            judged.verdict, judged.weak = Verdict.EDIT, False
    parts.judgements.append(judged)


def _corrected(correction: object) -> str:
    """The text of a correction: of an object with one text that text, else the object."""
    if isinstance(correction, dict) and len(correction) == 1:
        (value,) = correction.values()
        if isinstance(value, str):
            return value
    return written(correction)

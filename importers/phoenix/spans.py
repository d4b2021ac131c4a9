"""One span or one annotation of Phoenix, nested or flat, as part of a trace."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from importers import fields
from importers.faults import RecordFaultError
from importers.json_reading.slices import Slice
from importers.traces import attributes as traces_attributes
from importers.traces import json, openinference
from importers.traces import judgements as traces_judgements
from importers.traces import spans as traces_spans
from importers.traces.attributes import Tree, at, text_at
from importers.traces.index import Glance, Piece
from importers.traces.json import Opener
from importers.traces.spans import Judgement, Parts, Sort, TraceSpan, Utterance, keep
from store.records import FailReason
from store.trajectories import StepKind, Verdict

SPAN: Final = "span"
ANNOTATION: Final = "annotation"
APP: Final = "pxi"
"""Phoenix's own assistant, whose approvals stand on the spans of its tools."""

_APPROVALS: Final = {"accepted": Verdict.ACCEPT, "rejected": Verdict.REJECT}
_PERSON: Final = "user"


def sort_of(names: Iterable[str]) -> str:
    """What an object with these keys is; empty if it is nothing of Phoenix."""
    keys = set(names)
    if "annotator_kind" in keys and keys & {"result", "label", "score", "explanation", "name"}:
        return ANNOTATION
    in_context = "context" in keys or {"context.span_id", "context.trace_id"} & keys
    flat = {"span_id", "trace_id"} <= keys
    if "span_kind" in keys and (in_context or flat):
        return SPAN
    attributed = any(one == "attributes" or one.startswith("attributes.") for one in keys)
    if in_context and attributed and keys & {"parent_id", "start_time", "status_code"}:
        return SPAN
    return ""


def tree_of(piece: Slice) -> Tree:
    """The record with its dotted names taken apart.

    Raises:
        RecordFaultError: If it is no object or no strict JSON.
    """
    record = json.parse_object(piece.raw, last=piece.last)
    attributes = record.get("attributes")
    if isinstance(attributes, str):
        record["attributes"] = Opener().open(attributes)
    return traces_attributes.nested(record)


def glance(piece: Piece) -> Glance:
    """Which trace a piece belongs to.

    Raises:
        RecordFaultError: If it names neither a trace nor a span.
    """
    tree = tree_of(piece.slice)
    trace = text_at(tree, "context.trace_id", "trace_id")
    own = text_at(tree, "context.span_id", "span_id")
    if not trace and not own:
        raise RecordFaultError(FailReason.FIELD_MISSING, name="trace_id")
    if piece.sort == ANNOTATION:
        return Glance(trace, parent=own)
    return Glance(trace, (own,) if own else (), text_at(tree, "parent_id"))


def span(piece: Piece, parts: Parts, opener: Opener) -> None:
    """Add one span, with the decision on it if its program recorded one.

    Raises:
        RecordFaultError: If a field is of a wrong type or a time is none.
    """
    tree = tree_of(piece.slice)
    attributes = tree.get("attributes")
    if attributes is None:
        attributes = {}
    if not isinstance(attributes, dict):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="attributes")
    kind = text_at(tree, "span_kind") or text_at(attributes, "openinference.span.kind")
    status = text_at(tree, "status_code", "status.status_code").upper()
    made = TraceSpan(
        id=text_at(tree, "context.span_id", "span_id"),
        piece=piece.slice,
        sort=openinference.SORTS.get(kind.upper(), Sort.CHAIN),
        parent=fields.text(tree, "parent_id") or text_at(tree, "parent_span_id"),
        name=fields.text(tree, "name") or "",
        start=traces_spans.when(tree, "start_time"),
        end=traces_spans.when(tree, "end_time"),
        failed=status == "ERROR",
        ok=status == "OK",
        error=fields.text(tree, "status_message") or "",
    )
    events = _events(tree, made)
    parts.unknown += bool(kind) and kind.upper() not in openinference.SORTS
    openinference.fill(made, attributes, parts, opener)
    made.notes += events
    parts.spans.append(made)
    _approval(made, text_at(tree, "context.trace_id", "trace_id"), attributes, parts)
    for key in ("annotations", "span_annotations"):
        listed = tree.get(key)
        for one in listed if isinstance(listed, list) else []:
            if isinstance(one, dict):
                judged(one, f"@{piece.slice.start}", piece.slice, parts)
    if piece.context:
        keep(parts, "case", piece.context)


def annotation(piece: Piece, parts: Parts, _: Opener) -> None:
    """Add one annotation.

    Raises:
        RecordFaultError: If a field is of a wrong type or its time is none.
    """
    tree = tree_of(piece.slice)
    judged(tree, text_at(tree, "span_id"), piece.slice, parts)


def judged(tree: Tree, target: str, piece: Slice, parts: Parts) -> None:
    """Add a judgement. Only a human annotator's may decide.

    Raises:
        RecordFaultError: If a field is of a wrong type or its time is none.
    """
    inner = tree.get("result")
    result = inner if isinstance(inner, dict) else tree
    kind = (fields.text(tree, "annotator_kind") or "").upper()
    name = fields.text(tree, "name") or ""
    label, reason = fields.text(result, "label"), fields.text(result, "explanation")
    score = result.get("score")
    moment = traces_spans.when(tree, "created_at", "updated_at")
    own = fields.identity(tree, "id")
    human = kind == "HUMAN"
    parts.judgements.append(
        Judgement(
            piece=piece,
            text=traces_judgements.words(name, label, score, reason),
            name=name,
            target=target,
            verdict=traces_judgements.verdict(name, label, score) if human else None,
            human=human,
            reason=reason or None,
            by=fields.identity(tree, "user_id") or ("" if human else kind),
            at=moment.text if moment else None,
            review_id=f"phoenix:{own}" if own else "",
            weak=traces_judgements.is_weak(name, label),
        )
    )


def _approval(made: TraceSpan, trace: str, attributes: Tree, parts: Parts) -> None:
    """A person's answer to the assistant's question whether a tool may act."""
    word = text_at(attributes, f"{APP}.approval.decision")
    if not word:
        return
    source = text_at(attributes, f"{APP}.approval.source")
    parts.foreign["approval_app"] = APP
    human = source == _PERSON and word in _APPROVALS
    parts.judgements.append(
        Judgement(
            piece=made.piece,
            text=f"{APP}.approval.decision: {word}",
            name=f"{APP}.approval.decision",
            target=f"@{made.piece.start}",
            verdict=_APPROVALS.get(word) if human else None,
            human=human,
            by=source,
            at=made.end.text if made.end else None,
            review_id=f"{APP}:{trace}/{made.id}",
        )
    )


def _events(tree: Tree, made: TraceSpan) -> list[Utterance]:
    listed = tree.get("events")
    if listed is None:
        return []
    if not isinstance(listed, list):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="events")
    told: list[Utterance] = []
    for one in listed:
        text = text_at(one, "attributes.exception.message", "attributes.exception.type", "message")
        if at(one, "name") == "exception" and text and text != made.error:
            made.error = made.error or text
            told.append(Utterance(StepKind.NOTE, text, name="exception", failed=True))
    return told

"""What a message holds: text in parts, results of tools, and answers to requests for approval."""

from __future__ import annotations

import hashlib
from typing import Final, NamedTuple

from importers import fields
from importers.faults import RecordFaultError
from importers.json_reading.strict import JsonObject, parse
from store.records import FailReason
from store.trajectories import Omitted, StepKind

_REASONING: Final = frozenset(
    {"reasoning", "redacted_reasoning", "omitted_reasoning", "summarized_reasoning"}
)
_FAILED: Final = frozenset({"failed", "error", "failure"})


class Part(NamedTuple):
    """One piece of a message. ``kind`` is None where the role decides what it is."""

    text: str
    kind: StepKind | None = None
    name: str = ""
    call: str = ""
    failed: bool = False
    opened: bool = False
    """Whether it stood as JSON in a JSON string."""

    omitted: Omitted | None = None


class Approval(NamedTuple):
    """A person's answer to a request for approval."""

    approve: bool
    reason: str | None
    call: str = ""
    request: str = ""


def parts(record: JsonObject, role: str) -> list[Part]:
    """The parts of a message's content.

    Raises:
        RecordFaultError: ``FIELD_INVALID``, naming ``content``.
    """
    content = record.get("content", record.get("text"))
    if content is None:
        return []
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    if not isinstance(content, list):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="content")
    found = [_part(one, role) for one in content]
    return [one for one in found if one.text.strip() or one.omitted]


def _part(told: object, role: str) -> Part:
    if isinstance(told, str):
        told = {"type": "text", "text": told}
    if not isinstance(told, dict):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="content")
    sort = told.get("type", "text")
    if not isinstance(sort, str):
        return Part(_json(told), StepKind.NOTE)
    if sort == "text":
        text = fields.text(told, "text", called="content") or ""
        if role == "user":
            return _from_user(text)
        return Part(text, failed=role in ("tool", "function") and _says_failed(text))
    if sort in _REASONING:
        text = told.get("reasoning") or told.get("summary") or ""
        return Part(text if isinstance(text, str) else _json(text), StepKind.THOUGHT)
    if sort == "tool_call":
        name = fields.text(told, "name", called="content") or ""
        call = fields.identity(told, "id", called="content") or ""
        return Part(_json(told.get("input")), StepKind.ACTION, name, call)
    if sort == "tool_return":
        call = fields.identity(told, "tool_call_id", called="content") or ""
        text = _plain(told.get("content"))
        return Part(text, StepKind.RESULT, call=call, failed=told.get("is_error") is True)
    if sort == "image":
        return _image(told)
    return Part(_json(told), StepKind.NOTE)


def _from_user(text: str) -> Part:
    """A ``user`` text: a person's words, the same in an envelope, or a message of the machine."""
    if not text.startswith("{"):
        return Part(text)
    try:
        envelope = parse(text.encode())
    except RecordFaultError:
        return Part(text)
    if not isinstance(envelope, dict) or not isinstance(envelope.get("type"), str):
        return Part(text)
    said = envelope.get("message")
    if envelope["type"] == "user_message" and isinstance(said, str):
        return Part(said.strip(), opened=True)
    return Part(text, StepKind.NOTE)


def _image(told: JsonObject) -> Part:
    source = told.get("source")
    inner: JsonObject = source if isinstance(source, dict) else {}
    data = inner.get("data")
    media = fields.text(inner, "media_type", called="content") or ""
    if isinstance(data, dict):
        size, mark = data.get("bytes"), data.get("sha256")
        if isinstance(size, int) and isinstance(mark, str):
            return Part("", StepKind.NOTE, omitted=Omitted(size, mark, media))
    if isinstance(data, str):
        whole = data.encode()
        mark = hashlib.sha256(whole).hexdigest()
        return Part("", StepKind.NOTE, omitted=Omitted(len(whole), mark, media))
    return Part(_json(told), StepKind.NOTE)


def returns(record: JsonObject) -> list[Part]:
    """What tools gave back, where the message lists it.

    Raises:
        RecordFaultError: ``FIELD_INVALID``, naming ``tool_returns``.
    """
    told = record.get("tool_returns")
    if told is None:
        return []
    if not isinstance(told, list):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="tool_returns")
    return [_return(one) for one in told]


def given_back(record: JsonObject) -> list[Part]:
    """Results of tools that ran at the person's side, among the answers for approval."""
    told = record.get("approvals")
    return [
        _return(one)
        for one in (told if isinstance(told, list) else [])
        if isinstance(one, dict) and "approve" not in one
    ]


def _return(told: object) -> Part:
    if not isinstance(told, dict):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="tool_returns")
    text = _plain(told.get("func_response", told.get("tool_return")))
    for name in ("stdout", "stderr"):
        more = told.get(name)
        if isinstance(more, list):
            more = "\n".join(one for one in more if isinstance(one, str))
        if isinstance(more, str) and more.strip():
            text = f"{text}\n{more}" if text else more
    call = fields.identity(told, "tool_call_id", called="tool_returns") or ""
    status = told.get("status")
    failed = isinstance(status, str) and status.lower() in _FAILED
    return Part(text, StepKind.RESULT, call=call, failed=failed)


def approvals(record: JsonObject) -> list[Approval]:
    """What a person answered: the list of answers, or the one answer of the older form.

    Raises:
        RecordFaultError: ``FIELD_INVALID``, naming ``approvals`` or ``approve``.
    """
    told = record.get("approvals")
    if told is not None and not isinstance(told, list):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="approvals")
    found: list[Approval] = []
    for one in told or ():
        if not isinstance(one, dict):
            raise RecordFaultError(FailReason.FIELD_INVALID, name="approvals")
        if "approve" in one:
            reason = fields.text(one, "reason") or fields.text(one, "denial_reason")
            call = fields.identity(one, "tool_call_id", called="approvals") or ""
            found.append(Approval(_yes(one["approve"]), reason or None, call))
    if not found and record.get("approve") is not None:
        reason = fields.text(record, "denial_reason") or None
        request = fields.identity(record, "approval_request_id") or ""
        found.append(Approval(_yes(record["approve"]), reason, request=request))
    return found


def _yes(value: object) -> bool:
    if not isinstance(value, bool):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="approve")
    return value


def _says_failed(text: str) -> bool:
    if not text.startswith("{"):
        return False
    try:
        told = parse(text.encode())
    except RecordFaultError:
        return False
    status = told.get("status") if isinstance(told, dict) else None
    return isinstance(status, str) and status.lower() in _FAILED


def _plain(value: object) -> str:
    """A tool's answer as text: a string, text parts, or JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(
        isinstance(one, dict) and isinstance(one.get("text"), str) for one in value
    ):
        return "\n".join(str(one["text"]) for one in value)
    return _json(value)


def _json(value: object) -> str:
    return "" if value is None else fields.canonical(fields.told(value)).decode()

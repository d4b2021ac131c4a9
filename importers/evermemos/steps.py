"""One message of an EverMemOS conversation as steps: who spoke, what, and which tools were called.

A message names its sender, and the file may say elsewhere whether that is a person or an agent.
Where nothing does, a sender called ``robot_…``, ``assistant`` or the like is an agent, and anybody
else a person.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from importers import fields
from importers.faults import RecordFaultError
from importers.json_reading.strict import JsonObject
from store.records import FailReason
from store.trajectories import StepKind

_IDS: Final = ("message_id", "id")
_SENDERS: Final = ("sender", "sender_id", "speaker_id", "user_id", "created_by")
_SENDER_NAMES: Final = ("sender_name", "speaker_name", "user_name")
_TIMES: Final = ("create_time", "timestamp", "created_at")
_TEXTS: Final = ("content", "text")
_TYPES: Final = ("type", "content_type", "msg_type")
_KNOWN: Final = frozenset(
    {"", "text", "image", "video", "audio", "file", "files", "pdf", "html", "email", "link", "md"}
    | {"doc", "markdown", "conversation", "message", "1"}
)
_AGENT: Final = re.compile(r"(robot|assistant|bot|agent|ai|chatbot)(?:[\W_\d].*)?", re.DOTALL)
_ROLES: Final = {
    "agent": StepKind.SAID,
    "ai": StepKind.SAID,
    "assistant": StepKind.SAID,
    "bot": StepKind.SAID,
    "developer": StepKind.INSTRUCTION,
    "model": StepKind.SAID,
    "robot": StepKind.SAID,
    "system": StepKind.INSTRUCTION,
    "tool": StepKind.RESULT,
}
"""Any other role, such as a profession, is a person's."""


class Draft(NamedTuple):
    """A step before it stands in a run."""

    kind: StepKind
    text: str
    name: str = ""
    call: str = ""


class Message(NamedTuple):
    """What a message says."""

    drafts: tuple[Draft, ...]
    native: str
    who: str
    at: str | None
    zone_assumed: bool
    refers_to: tuple[str, ...]
    is_unknown: bool
    """Whether it is of a type that is not known here."""


def message(record: JsonObject, roles: Mapping[str, str]) -> Message:
    """The message as steps; without any when it has no text and calls no tool.

    Args:
        record: The parsed message.
        roles: The role of each sender, as the file says elsewhere.

    Raises:
        RecordFaultError: ``FIELD_MISSING``, ``FIELD_INVALID`` or ``TIME_INVALID``.
    """
    inner = record.get("message")
    own = inner if isinstance(inner, dict) else record
    sender, name = _first(own, _SENDERS, "sender"), _first(own, _SENDER_NAMES, "sender_name")
    if not any(key in own for key in (*_TEXTS, "tool_calls")):
        raise RecordFaultError(FailReason.FIELD_MISSING, name="content")
    kind = _kind(own, sender, name, roles)
    sort = _first(own, _TYPES, "type").lower()
    unknown = sort not in _KNOWN and kind is not StepKind.RESULT
    moment = next(
        (found for key in _TIMES if (found := fields.instant(own, key, called="create_time"))),
        None,
    )
    drafts: list[Draft] = []
    if text := _text(own):
        call = fields.identity(own, "tool_call_id") or ""
        drafts.append(Draft(StepKind.NOTE if unknown else kind, text, call=call))
    return Message(
        drafts=(*drafts, *_calls(own)),
        native=_first(own, _IDS, "message_id"),
        who=name or sender,
        at=moment.text if moment else None,
        zone_assumed=bool(moment and moment.tz_assumed),
        refers_to=_refers_to(own),
        is_unknown=unknown,
    )


def _first(own: JsonObject, names: tuple[str, ...], called: str) -> str:
    for name in names:
        if found := fields.identity(own, name, called=called):
            return found
    return ""


def _kind(own: JsonObject, sender: str, name: str, roles: Mapping[str, str]) -> StepKind:
    role = (fields.text(own, "role") or roles.get(sender, "")).lower()
    if role:
        return _ROLES.get(role, StepKind.INPUT)
    is_agent = any(_AGENT.fullmatch(one.lower()) for one in (sender, name) if one)
    return StepKind.SAID if is_agent else StepKind.INPUT


def _text(own: JsonObject) -> str:
    value = next((own[name] for name in _TEXTS if own.get(name) is not None), None)
    if isinstance(value, list):
        return "\n".join(part for one in value if (part := _part(one)))
    return _part(value)


def _part(value: object) -> str:
    if value is None or isinstance(value, str):
        return (value or "").strip()
    if not isinstance(value, dict):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="content")
    for name in ("text", "content"):
        inner = value.get(name)
        if isinstance(inner, str) and value.get("type", "text") in ("text", "", None):
            return inner.strip()
    return fields.canonical(value).decode()


def _calls(own: JsonObject) -> tuple[Draft, ...]:
    calls = own.get("tool_calls")
    if calls is None:
        return ()
    if not isinstance(calls, list):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="tool_calls")
    drafts: list[Draft] = []
    for call in calls:
        if not isinstance(call, dict):
            raise RecordFaultError(FailReason.FIELD_INVALID, name="tool_calls")
        inner = call.get("function")
        named = inner if isinstance(inner, dict) else call
        arguments = named.get("arguments")
        text = arguments if isinstance(arguments, str) else fields.canonical(arguments).decode()
        drafts.append(
            Draft(
                StepKind.ACTION,
                text,
                name=fields.identity(named, "name", called="tool_calls") or "",
                call=fields.identity(call, "id", called="tool_calls") or "",
            )
        )
    return tuple(drafts)


def _refers_to(own: JsonObject) -> tuple[str, ...]:
    """Ids of the messages that this one quotes; a quote may be an id or a whole message."""
    listed = own.get("refer_list", own.get("referList"))
    if listed is None:
        return ()
    if not isinstance(listed, list):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="refer_list")
    found: list[str] = []
    for one in listed:
        if isinstance(one, dict):
            found.append(_first(one, _IDS, "refer_list"))
        elif isinstance(one, str | int):
            found.append(str(one))
    return tuple(one for one in found if one)

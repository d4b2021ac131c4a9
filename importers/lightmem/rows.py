"""One LightMem entry as a ``Proposal``: from ``memory_entries.json`` or from a Qdrant payload.

What a stranger gets wrong: ``time_stamp`` is not when a message was sent. LightMem has one time
for a session and adds half a second for each message after the first.
"""

from __future__ import annotations

from typing import Final

from importers import fields, times
from importers.faults import RecordFaultError
from importers.json_reading import opened as memos_opened
from importers.json_reading import tokens as json_tokens
from importers.json_reading.strict import JsonObject
from store.cells import Kind, Proposal, SourceType
from store.records import FailReason, Nothing, NothingReason, RemarkCode

SYSTEM: Final = "lightmem:"
_NOBODY: Final = frozenset({"", "unknown", "none", "null"})
_VECTORS: Final = frozenset({"embedding", "vector"})
_TAKEN: Final = frozenset({"id", "memory", "original_memory", "payload"} | _VECTORS)
_KINDS: Final = {
    "decision": Kind.DECISION,
    "event": Kind.EVENT,
    "preference": Kind.PROFILE_PREFERENCE,
    "procedure": Kind.PROCEDURE,
}


def flat(record: JsonObject) -> JsonObject:
    """The entry's own fields, of a vector store's point with those of its ``payload``."""
    payload = record.get("payload")
    if payload is None:
        return record
    if not isinstance(payload, dict):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="payload")
    own = {key: value for key, value in record.items() if key != "payload" and value is not None}
    return payload | own


def proposal(entry: JsonObject, raw: bytes, *, modified_at: str | None) -> Proposal | Nothing:
    """The entry as a proposal; ``Nothing`` when its text is empty.

    Args:
        entry: Its fields, made flat.
        raw: The bytes it was parsed from.
        modified_at: The file's own time, used when the entry has none.

    Raises:
        RecordFaultError: ``FIELD_MISSING``, ``FIELD_INVALID`` or ``TIME_INVALID``.
    """
    if entry.get("memory") is None:
        raise RecordFaultError(FailReason.FIELD_MISSING, name="memory")
    claim = fields.text(entry, "memory")
    if not claim:
        return Nothing(NothingReason.EMPTY_TEXT)
    native = fields.identity(entry, "id")
    written_at, remarks = _written_at(entry, modified_at)
    if native is None:
        remarks.append(RemarkCode.NO_IDS)
    if _is_true(entry.get("consolidated")):
        remarks.append(RemarkCode.REWRITTEN_TEXT)
    foreign = _kept(entry)
    writer = _speaker(entry)
    if writer is None:
        remarks.append(RemarkCode.NO_OWNER)
    else:
        foreign["claimed_writer"] = writer
    original = fields.text(entry, "original_memory")
    spans = [
        json_tokens.text_span(raw, name, text)
        for name, text in (("original_memory", original), ("memory", claim))
        if text
    ]
    return Proposal(
        claim=claim,
        kind=_kind(entry),
        source_type=SourceType.MODEL_EXTRACTION,
        source_id=SYSTEM + (native or fields.fingerprint(fields.canonical(entry).decode())),
        written_at=written_at,
        evidence=tuple(span for span in spans if span),
        foreign=foreign | ({"original_memory": original} if original else {}),
        remarks=tuple(remarks),
    )


def _written_at(entry: JsonObject, modified_at: str | None) -> tuple[str | None, list[str]]:
    found = fields.instant(entry, "time_stamp")
    if found is not None:
        return found.text, [RemarkCode.TIME_ZONE_ASSUMED] if found.tz_assumed else []
    seconds = entry.get("float_time_stamp")
    if seconds:  # 0 is "none"; it was made of a time without a zone, in the writer's zone
        moment = times.moment(seconds)
        if moment is None:
            raise RecordFaultError(FailReason.TIME_INVALID, name="float_time_stamp")
        return moment.text, [RemarkCode.TIME_ZONE_ASSUMED]
    return modified_at, [RemarkCode.WRITTEN_AT_ASSUMED] if modified_at else []


def _speaker(entry: JsonObject) -> str | None:
    for name in ("speaker_name", "speaker_id"):
        found = fields.identity(entry, name)
        if found and found.lower() not in _NOBODY:
            return found
    return None


def _is_true(value: object) -> bool:
    return value is True or value in ("true", "True")


def _kind(entry: JsonObject) -> Kind:
    """A class or category that names a kind is followed; any other is a ``fact``."""
    for name in ("memory_class", "category", "subcategory"):
        hint = (fields.text(entry, name) or "").lower()
        for word, kind in _KINDS.items():
            if hint.removesuffix("s") == word or (word == "preference" and word in hint):
                return kind
    return Kind.FACT


def _kept(entry: JsonObject) -> dict[str, object]:
    """Everything else the entry says that is not empty, as the file's claims."""
    kept: dict[str, object] = {}
    for name, value in entry.items():
        if name in _VECTORS and isinstance(value, list):
            kept["vector_dimensions"] = len(value)
        elif value not in (None, "", []) and name not in _TAKEN:
            kept[name] = fields.told(memos_opened.opened(value)[0])
    return kept

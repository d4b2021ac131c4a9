"""A passage of archival memory, as the passage API gives it. An agent file never holds one."""

from __future__ import annotations

from typing import Final

from importers import fields
from importers.json_reading import tokens as json_tokens
from importers.json_reading.strict import JsonObject
from importers.letta.blocks import SYSTEM
from importers.reads import Tally
from store.cells import Kind, Proposal, SourceType
from store.records import Nothing, NothingReason, RemarkCode

TEXTS: Final = frozenset({"text", "content"})
_OWN: Final = frozenset({"archive_id", "embedding_config", "organization_id", "is_deleted"})
_TAKEN: Final = frozenset({"id", "text", "content", "embedding", "embedding_config"})


def is_passage(keys: frozenset[str]) -> bool:
    """Whether a record with these keys is a passage."""
    return "text" in keys and (
        "embedding_config" in keys
        or len(keys & {*_OWN, "embedding", "file_id", "source_id", "agent_id"}) >= 2
    )


def proposal(
    record: JsonObject, raw: bytes, *, modified_at: str | None, tally: Tally
) -> Proposal | Nothing:
    """The passage as a claim; a deleted or empty one is nothing.

    Raises:
        RecordFaultError: ``FIELD_INVALID`` or ``TIME_INVALID``.
    """
    key = "text" if "text" in record else "content"
    claim = fields.text(record, key, called="text")
    if record.get("is_deleted") is True:
        return Nothing(NothingReason.TOMBSTONE)
    if not claim:
        return Nothing(NothingReason.EMPTY_TEXT)
    written = fields.instant(record, "created_at") or fields.instant(record, "timestamp")
    remarks: list[str] = []
    if written is None and modified_at:
        remarks.append(RemarkCode.WRITTEN_AT_ASSUMED)
    elif written is not None and written.tz_assumed:
        remarks.append(RemarkCode.TIME_ZONE_ASSUMED)
    foreign = {
        name: fields.told(one)
        for name, one in record.items()
        if name not in _TAKEN and one not in (None, "", False, [], {})
    }
    vector = record.get("embedding")
    if isinstance(vector, list):
        foreign["vector_dimensions"] = len(vector)
        tally.add(RemarkCode.VECTORS_DROPPED)
    if tenant := fields.identity(record, "organization_id"):
        foreign["claimed_tenant"] = tenant
    if writer := record.get("created_by_id") or record.get("last_updated_by_id"):
        foreign["claimed_writer"] = fields.told(writer)
    native = fields.identity(record, "id")
    if native is None:
        remarks.append(RemarkCode.NO_IDS)
    from_file = bool(record.get("file_id") or record.get("source_id"))
    names = {"agent_id": "agent", "archive_id": "archive", "source_id": "source"}
    found = ((scope, fields.identity(record, name)) for name, scope in names.items())
    span = json_tokens.text_span(raw, key, claim)
    return Proposal(
        claim=claim,
        kind=Kind.REFERENCE if from_file else Kind.FACT,
        source_type=SourceType.DOCUMENT if from_file else SourceType.FOREIGN_MEMORY,
        source_id=SYSTEM + (native or fields.fingerprint(claim)),
        written_at=written.text if written else modified_at,
        scope={name: value for name, value in found if value},
        evidence=(span,) if span else (),
        foreign=foreign,
        remarks=tuple(remarks),
    )

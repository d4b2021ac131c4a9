"""Mem0's history of one memory or of all: each change as a proposal for the text it made.

Shared by the SQLite file and by the JSON that ``history()`` returns. The Python and the TypeScript
SDK name the columns differently; both are read. History has no user: it cannot say whose it is.
"""

from __future__ import annotations

from typing import Final

from importers import fields
from importers.faults import RecordFaultError
from importers.json_reading import tokens as json_tokens
from importers.json_reading.strict import JsonObject
from store.cells import Edge, EdgeKind, Kind, Proposal, SourceType, Span
from store.records import FailReason, Nothing, NothingReason, RemarkCode

_NEW: Final = ("new_memory", "new_value")
_OLD: Final = ("old_memory", "previous_value")
_EVENT: Final = ("event", "action")


def is_change(record: JsonObject) -> bool:
    """Whether a row is a change of a memory, and not a memory."""
    return "memory_id" in record and any(name in record for name in (*_NEW, *_OLD))


class Changes:
    """Follows the rows in order, so that an UPDATE can name the row whose text it replaced.

    It remembers, for each memory, the row that made its present text: a fingerprint, no text.
    """

    def __init__(self, *, modified_at: str | None) -> None:
        """``modified_at`` is the file's own time, used when a row has none."""
        self._modified_at = modified_at
        self._made: dict[str, tuple[str, str]] = {}

    def found(self, record: JsonObject, evidence: tuple[Span, ...] = ()) -> Proposal | Nothing:
        """What one row says.

        Raises:
            RecordFaultError: ``FIELD_MISSING``, ``FIELD_INVALID`` or ``TIME_INVALID``.
        """
        event = (_either(record, _EVENT, "event") or "").upper()
        memory_id = fields.identity(record, "memory_id")
        if not memory_id:
            raise RecordFaultError(FailReason.FIELD_MISSING, name="memory_id")
        if event == "DELETE" or record.get("is_deleted") in (1, True):
            self._made.pop(memory_id, None)
            return Nothing(NothingReason.TOMBSTONE)
        if event not in {"ADD", "UPDATE"}:
            reason = FailReason.FIELD_INVALID if event else FailReason.FIELD_MISSING
            raise RecordFaultError(reason, name="event")
        claim = _either(record, _NEW, "new_memory")
        if not claim:
            return Nothing(NothingReason.EMPTY_TEXT)
        row_id = fields.identity(record, "id")
        if row_id is None:
            raise RecordFaultError(FailReason.FIELD_MISSING, name="id")
        return self._proposal(record, claim, f"mem0:{memory_id}#{row_id}", evidence)

    def _proposal(
        self, record: JsonObject, claim: str, source_id: str, evidence: tuple[Span, ...]
    ) -> Proposal:
        written_at, remarks = self._written_at(record)
        edges: tuple[Edge, ...] = ()
        memory_id = source_id.partition("#")[0]
        if (old := _either(record, _OLD, "old_memory")) is not None:
            before = self._made.get(memory_id)
            if before and before[1] == fields.fingerprint(old):
                edges = (Edge(EdgeKind.SUPERSEDES, before[0]),)
            else:
                remarks.append(RemarkCode.EDGE_TARGET_UNKNOWN)
        self._made[memory_id] = (source_id, fields.fingerprint(claim))
        writer = record.get("actor_id") or record.get("role")
        if not writer:
            remarks.append(RemarkCode.NO_WRITER)
        foreign = {
            name: fields.told(value)
            for name, value in record.items()
            if value is not None and name not in {*_NEW, *_OLD, "id", "memory_id", "is_deleted"}
        }
        if writer:
            foreign["claimed_writer"] = fields.told(writer)
        return Proposal(
            claim=claim,
            kind=Kind.FACT,
            source_type=SourceType.FOREIGN_MEMORY,
            source_id=source_id,
            written_at=written_at,
            edges=edges,
            evidence=evidence,
            foreign=foreign,
            remarks=(*remarks, RemarkCode.NO_OWNER),
        )

    def _written_at(self, record: JsonObject) -> tuple[str | None, list[str]]:
        """The change's own time: ``updated_at``, which a batch ADD leaves empty."""
        found = fields.instant(record, "updated_at") or fields.instant(record, "created_at")
        if found is None:
            assumed: list[str] = [RemarkCode.WRITTEN_AT_ASSUMED] if self._modified_at else []
            return self._modified_at, assumed
        return found.text, [RemarkCode.TIME_ZONE_ASSUMED] if found.tz_assumed else []


def _either(record: JsonObject, names: tuple[str, ...], called: str) -> str | None:
    return next(
        (found for name in names if (found := fields.text(record, name, called=called))), None
    )


def span_of(record: JsonObject, raw: bytes) -> tuple[Span, ...]:
    """Where the new text of a change stands in the bytes of its record."""
    for name in ("new_memory", "new_value"):
        text = record.get(name)
        if isinstance(text, str) and (span := json_tokens.text_span(raw, name, text.strip())):
            return (span,)
    return ()

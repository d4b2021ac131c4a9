"""What every EverMemOS memory says of itself beside its text: whose it is, when, and from what.

``parent_id`` names the episode or the messages that a memory was taken from. Only an episode is
a memory, so only that becomes an edge.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from importers import fields
from importers.evermemos import values
from importers.json_reading import opened
from importers.json_reading.strict import JsonObject
from store.cells import Edge, EdgeKind
from store.records import RemarkCode

SYSTEM: Final = "evermemos:"
_SCOPES: Final = {
    "user_id": "user",
    "group_id": "group",
    "session_id": "session",
    "app_id": "app",
    "project_id": "project",
}
_VECTORS: Final = frozenset({"vector", "embedding", "fact_embeddings"})
_TAKEN: Final = frozenset({"id", "_id", "event_id", "original_data", *_VECTORS, *_SCOPES})


class Origin(NamedTuple):
    """What stands around the text of a memory."""

    native: str | None
    written_at: str | None
    scope: dict[str, str]
    entities: tuple[str, ...]
    edges: tuple[Edge, ...]
    foreign: dict[str, object]
    remarks: tuple[str, ...]


_TIMES: Final = ("created_at", "timestamp", "updated_at")
_LATEST: Final = ("last_updated", "updated_at", "created_at", "timestamp")


def of(
    record: JsonObject, taken: frozenset[str], *, modified_at: str | None, rewritten: bool = False
) -> Origin:
    """What a record says beside its text.

    Args:
        record: The record, without MongoDB's wrappers.
        taken: Its fields that are told elsewhere.
        modified_at: The file's own time, used when the record has none.
        rewritten: Whether such records are written anew, as profiles and skills are.

    Raises:
        RecordFaultError: ``FIELD_INVALID`` or ``TIME_INVALID``.
    """
    native = values.native_id(record)
    names = _LATEST if rewritten else _TIMES
    written_at, remarks = values.written_at(record, names, modified_at)
    if native is None:
        remarks.append(RemarkCode.NO_IDS)
    scope = {
        ours: value
        for name, ours in _SCOPES.items()
        if (value := fields.identity(record, name)) is not None
    }
    foreign = _kept(record, taken)
    if tenant := scope.get("user") or scope.get("group"):
        foreign["claimed_tenant"] = tenant
    linked = opened.words(record, "linked_entities")[0]
    return Origin(
        native=native,
        written_at=written_at,
        scope=scope,
        entities=linked or opened.words(record, "keywords")[0],
        edges=_edges(record),
        foreign=foreign,
        remarks=tuple(remarks),
    )


def _edges(record: JsonObject) -> tuple[Edge, ...]:
    parent = fields.identity(record, "parent_id")
    if parent and record.get("parent_type") == "episode":
        return (Edge(EdgeKind.DERIVED_FROM, SYSTEM + parent),)
    return ()


def _kept(record: JsonObject, taken: frozenset[str]) -> dict[str, object]:
    """Everything else that is not empty, as the file's claims."""
    kept: dict[str, object] = {}
    for name, value in record.items():
        if name in _VECTORS and isinstance(value, list) and value:
            first = value[0]
            kept["vector_dimensions"] = len(first) if isinstance(first, list) else len(value)
        elif name == "original_data" and isinstance(value, list):
            kept["original_messages"] = len(value)
        elif name not in _TAKEN and name not in taken and value not in (None, "", [], {}):
            kept[name] = fields.told(value)
    return kept

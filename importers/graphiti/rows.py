"""What a record of a temporal graph is, and the record without its database's wrapping.

The same edge comes plain from a model's dump, under ``properties`` from a database's export, and
under a column's name from a query.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from enum import Enum
from typing import Final

from importers import fields
from importers.json_reading.strict import JsonObject

EDGES: Final = frozenset({"edges", "facts", "entity_edges", "relationships", "relevant_facts"})
NODES: Final = frozenset(
    {"nodes", "entities", "entity_nodes", "communities", "community_nodes", "sagas", "saga_nodes"}
)
EPISODES: Final = frozenset({"episodes", "episodic_nodes", "episode_nodes"})
LINKS: Final = frozenset(
    {
        "mentions",
        "episodic_edges",
        "community_edges",
        "has_member_edges",
        "has_episode_edges",
        "next_episode_edges",
    }
)
LISTS: Final = EDGES | NODES | EPISODES | LINKS
_ENDS: Final = (("source_node_uuid", "start"), ("target_node_uuid", "end"))
_INNER: Final = ("properties", "_properties")


class Sort(Enum):
    """What a record is."""

    EDGE = "edge"
    NODE = "node"
    EPISODE = "episode"
    LINK = "link"
    """It says only that two things belong together."""

    UNKNOWN = "unknown"


def plain(record: JsonObject) -> JsonObject:
    """The record with what a database or a query put around it taken off."""
    if "uuid_" in record and "uuid" not in record:  # as Zep's Python client names it
        record = {"uuid" if name == "uuid_" else name: one for name, one in record.items()}
    if not _is_own(record):
        inner = [one for one in record.values() if isinstance(one, dict)]
        told = [found for one in inner if _is_own(found := _flat(one))]
        flat = _flat(record)
        if _is_own(flat):
            return flat
        with_fact = [one for one in told if "fact" in one]
        if len(with_fact) == 1 or len(told) == 1:
            return (with_fact or told)[0]
        return flat
    return record


def _is_own(record: JsonObject) -> bool:
    return "uuid" in record or "fact" in record


def _flat(record: JsonObject) -> JsonObject:
    for name in _INNER:
        inner = record.get(name)
        if isinstance(inner, dict):
            found: JsonObject = dict(inner)
            labels = record.get("labels", record.get("_labels"))
            if labels and "labels" not in found:
                found["labels"] = labels
            for own, theirs in _ENDS:
                end = record.get(theirs)
                ends = _flat(end) if isinstance(end, dict) else {}
                if own not in found and isinstance(ends.get("uuid"), str):
                    found[own] = ends["uuid"]
            return found
    return record


def sort_of(record: JsonObject, key: str) -> Sort:
    """What a plain record is: by what it says, and by the list it stands in."""
    if "fact" in record:
        return Sort.EDGE
    if key in LINKS or {"source_node_uuid", "target_node_uuid"} <= record.keys():
        return Sort.EDGE if key in EDGES else Sort.LINK
    if key in EPISODES or is_episode(record.keys()):
        return Sort.EPISODE
    if key in NODES or "summary" in record or "labels" in record:
        return Sort.NODE
    return Sort.EDGE if key in EDGES else Sort.UNKNOWN


def group_of(record: JsonObject) -> str | None:
    """The group or graph it belongs to, by which tenants are kept apart there.

    Raises:
        RecordFaultError: ``FIELD_INVALID`` if it is no id.
    """
    return fields.identity(record, "group_id") or fields.identity(record, "graph_id")


def is_episode(keys: AbstractSet[str]) -> bool:
    """Whether these are the keys of an episode."""
    return "content" in keys and bool(
        keys & {"source_description", "entity_edges", "episode_metadata", "valid_at"}
    )


def is_own(keys: AbstractSet[str]) -> bool:
    """Whether these keys are of an edge, a node or an episode of this system."""
    keys = {name.rstrip("_") for name in keys}
    if "fact" in keys:
        times = {"valid_at", "invalid_at", "expired_at", "source_node_uuid", "episodes"}
        return "uuid" in keys and bool(keys & times)
    if "uuid" not in keys:
        return False
    return is_episode(keys) or (
        "name" in keys and "summary" in keys and bool(keys & {"group_id", "labels", "graph_id"})
    )

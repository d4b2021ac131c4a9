"""Which of EverMemOS's records one is: told by its ``memory_type``, else by its own fields."""

from __future__ import annotations

from enum import Enum
from typing import Final

from importers.json_reading.strict import JsonObject


class Sort(Enum):
    """What a record is."""

    EPISODE = "episodic_memory"
    FACT = "atomic_fact"
    FORESIGHT = "foresight"
    CASE = "agent_case"
    SKILL = "agent_skill"
    PROFILE = "profile"
    CELL = "memcell"
    """The messages that a memory was made of: what happened, and no memory."""

    NOTE = "note"
    """A text with a time, as the Claude Code plugin's demonstration data have it."""


_NAMES: Final = {sort.value: sort for sort in Sort} | {
    "episode": Sort.EPISODE,
    "event_log": Sort.FACT,
    "agent_experience": Sort.CASE,
    "core": Sort.PROFILE,
    "user_profile": Sort.PROFILE,
}
_TELLING: Final = (
    (Sort.CELL, ({"original_data", "event_id"}, {"original_data", "user_id_list"})),
    (Sort.PROFILE, ({"explicit_info"}, {"implicit_traits"})),
    (Sort.CASE, ({"task_intent", "approach"}, {"task_intent", "key_insight"})),
    (
        Sort.SKILL,
        ({"content", "maturity_score"}, {"content", "cluster_id"}, {"description", "cluster_id"}),
    ),
    (
        Sort.FACT,
        ({"atomic_fact", "parent_id"}, {"atomic_fact", "user_id"}, {"atomic_fact", "time"}),
    ),
    (
        Sort.FORESIGHT,
        (
            {"foresight", "evidence"},
            {"foresight", "start_time"},
            {"content", "start_time", "end_time", "evidence"},
        ),
    ),
    (
        Sort.EPISODE,
        ({"episode", "subject"}, {"episode", "summary"}, {"episode", "parent_id"}),
    ),
)
_OWNERS: Final = frozenset({"user_id", "group_id", "parent_id", "participants", "timestamp"})


def by_keys(keys: frozenset[str]) -> Sort | None:
    """The sort that these keys alone tell."""
    for sort, sets in _TELLING:
        if any(keys.issuperset(one) for one in sets):
            return sort
    return None


def is_ours(keys: frozenset[str], under: str) -> bool:
    """Whether a record with these keys is one of EverMemOS's.

    Args:
        keys: Of the record.
        under: The key of the list that it stands in.
    """
    if by_keys(keys) is not None:
        return True
    if "memory_type" in keys and keys & _OWNERS and not keys & {"memory", "metadata"}:
        return True
    note = {"text", "timestamp"} <= keys and not keys & {"memory", "content", "role", "type"}
    return under == "memories" and note


def of(record: JsonObject) -> Sort | None:
    """What the record is; ``None`` when it names a type that is not known here."""
    named = record.get("memory_type")
    if isinstance(named, str) and named:
        return _NAMES.get(named.lower())
    keys = frozenset(name for name, value in record.items() if value is not None)
    found = by_keys(keys)
    return found or (Sort.NOTE if "text" in keys else None)

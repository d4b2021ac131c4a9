"""What the members of a MemCube folder are: memories, settings, and what is not opened.

Told by content. A cube's activation memory is a pickle, which runs code when it is read; its
parametric memory is a model's weights; its settings may hold keys of other services, so no byte
of them is kept.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from importers import wrapped_records
from importers.faults import RecordFaultError
from importers.json_reading.strict import parse_object
from importers.source import Head, Source, SourceRefusedError
from importers.wrapped_records import Around, Seen

AROUND: Final = Around(
    frozenset({"nodes", "edges", "memories", "explicit_preference", "implicit_preference"}),
    frozenset({"data", "result", "text_mem", "pref_mem"}),
)
_META: Final = frozenset(
    {
        "background",
        "covered_history",
        "file_ids",
        "is_fast",
        "key",
        "memory_time",
        "memory_type",
        "session_id",
        "sources",
        "status",
        "usage",
        "visibility",
    }
)
_ITEM: Final = frozenset({"id", "memory", "metadata", "score", "vector", "embedding"})
_CONFIG: Final = frozenset({"text_mem", "act_mem", "para_mem", "cube_id", "model_schema"})
_MAX_CONFIG: Final = 1 << 20
_PICKLES: Final = (".pickle", ".pkl")


class Sort(Enum):
    """What a member is for."""

    MEMORY = "memory"
    CONFIG = "config"
    PICKLE = "pickle"
    OTHER = "other"


def is_item(one: Seen) -> bool:
    """Whether an object is a memory of MemOS, or a list of them that is empty."""
    keys, inside = one.keys, one.inside
    if {"memory", "metadata"} <= keys <= _ITEM:
        return True
    if one.under.endswith("_preference") and keys & {"payload", "memory"}:
        return True
    if "payload" in keys and "memory" in inside | keys:
        return "metadata" in inside or len(inside & _META) >= 2
    return {"nodes", "edges", "total_nodes"} <= keys


def is_record(keys: frozenset[str]) -> bool:
    """Whether an object is a memory, and no wrapper of memories."""
    return bool(keys & {"memory", "payload"})


def is_config(data: bytes) -> bool:
    """Whether an object is the settings of a cube."""
    around = Around(frozenset())
    return any(
        "text_mem" in one.keys and len(one.keys & _CONFIG) >= 2 and not one.under
        for one in wrapped_records.objects(data, around)
    )


def is_pickle(data: bytes) -> bool:
    """Whether a pickle of protocol 2 or later begins."""
    return data[:1] == b"\x80" and b"\2" <= data[1:2] <= b"\5"


def sort_of(name: str, head: Head, *, in_cube: bool) -> Sort:
    """What a member is.

    Args:
        name: Its name. It can only keep a member shut, never open one.
        head: Its first bytes.
        in_cube: Whether it lies beside a cube's settings.
    """
    data = head.data
    if is_pickle(data) or name.lower().endswith(_PICKLES):
        return Sort.PICKLE
    if is_config(data):
        return Sort.CONFIG
    seen = wrapped_records.objects(data, AROUND)
    if any(is_item(one) for one in seen):
        return Sort.MEMORY
    cut = data.lstrip().startswith(b"[") and any("vector" in one.keys for one in seen)
    empty = data.strip() == b"[]"
    return Sort.MEMORY if in_cube and (cut or empty) else Sort.OTHER


def cubes(source: Source) -> dict[str, dict[str, str]]:
    """``cube`` and ``user`` as each folder's settings name them, by the folder's name."""
    found: dict[str, dict[str, str]] = {}
    for member in source.members:
        if not is_config(member.head().data):
            continue
        try:
            settings = parse_object(member.whole(_MAX_CONFIG))
        except (RecordFaultError, SourceRefusedError):
            settings = {}
        named = {"cube": settings.get("cube_id"), "user": settings.get("user_id")}
        found[folder_of(member.name)] = {
            name: value for name, value in named.items() if isinstance(value, str)
        }
    return found


def folder_of(name: str) -> str:
    """The folder that a member lies in; empty at the top."""
    return name.rpartition("/")[0]

"""One MemOS memory as a ``Proposal``: a vector store's point, a plain item or a node of a tree.

What a stranger gets wrong: ``confidence`` is documented as 0 to 100 and met as 0.99, so it is
shown as written. ``memory_time`` is world time, ``created_at`` is not. A memory with ``is_fast``
is the conversation's own text, which no model has read yet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from importers import fields, times
from importers.faults import RecordFaultError
from importers.json_reading import opened as memos_opened
from importers.json_reading import tokens as json_tokens
from importers.json_reading.strict import JsonObject
from importers.memos import links, sorts
from store.cells import Edge, Interval, Proposal
from store.records import FailReason, Nothing, NothingReason, RemarkCode

SYSTEM: Final = links.SYSTEM
_VECTORS: Final = ("vector", "embedding")
_TEXTS: Final = ("memory", "preference")
_TAKEN: Final = frozenset(
    {"id", "memory", "metadata", "payload", "entities", "tags", "sources", "status", "visibility"}
    | {"evolve_to", *_VECTORS}
)


def flat(record: JsonObject) -> JsonObject:
    """All that a record says, on one level: its own fields, its payload's, its metadata's.

    Raises:
        RecordFaultError: ``FIELD_INVALID`` if a level is no object.
    """
    found = _given(record)
    for level in ("payload", "metadata"):
        inner, _ = memos_opened.opened(found.pop(level, None))
        if inner is None:
            continue
        if not isinstance(inner, dict):
            raise RecordFaultError(FailReason.FIELD_INVALID, name=level)
        found = _given(inner) | found
    return found


def _given(record: JsonObject) -> JsonObject:
    return {name: value for name, value in record.items() if value is not None}


def proposal(
    item: JsonObject,
    raw: bytes,
    *,
    modified_at: str | None,
    cube: Mapping[str, str],
    edges: tuple[Edge, ...] = (),
    under: str = "",
) -> Proposal | Nothing:
    """The memory as a proposal; ``Nothing`` when its text is empty or it was deleted.

    Args:
        item: Its fields, made flat.
        raw: The bytes it was parsed from.
        modified_at: The file's own time, used when the memory has none.
        cube: What the settings of its cube say: ``cube`` and ``user``. Claims, like the rest.
        edges: Edges of the file that stand on it.
        under: The key of the list that it stands in.

    Raises:
        RecordFaultError: ``FIELD_MISSING``, ``FIELD_INVALID`` or ``TIME_INVALID``.
    """
    key = next((name for name in _TEXTS if name in item), "")
    if not key:
        raise RecordFaultError(FailReason.FIELD_MISSING, name="memory")
    claim = fields.text(item, key, called="memory")
    status = fields.text(item, "status") or ""
    if not claim:
        return Nothing(NothingReason.EMPTY_TEXT)
    if status == "deleted":
        return Nothing(NothingReason.TOMBSTONE)
    native = fields.identity(item, "id")
    sources, encoded = _sources(item)
    valid, remarks = _valid(item)
    written_at, more = _written_at(item, modified_at)
    remarks = list(dict.fromkeys([*remarks, *more]))
    fast = item.get("is_fast") in (True, "true", "True")
    later = memos_opened.words(item, "evolve_to")[0]
    for code, holds in (
        (RemarkCode.NO_IDS, native is None),
        (RemarkCode.ENCODED_TWICE, encoded),
        (RemarkCode.EVIDENCE_ONLY, fast),
        (RemarkCode.MARKED_SUPERSEDED, status == "archived"),
        (RemarkCode.LATER_VERSION_EXISTS, bool(later)),
    ):
        if holds:
            remarks.append(code)
    span = json_tokens.text_span(raw, key, claim)
    foreign = _kept(item) | _claimed(item, cube, status)
    if sources:
        foreign |= {"sources": fields.told(sources)} | _lineage(sources)
    if later:
        foreign["evolve_to"] = [SYSTEM + one for one in later]
    return Proposal(
        claim=claim,
        kind=sorts.kind(item, under=under),
        source_type=sorts.source_type(item, sources, fast=fast),
        source_id=SYSTEM + (native or fields.fingerprint(fields.canonical(item).decode())),
        written_at=written_at,
        valid=valid,
        scope=_scope(item, cube),
        entities=memos_opened.words(item, "entities")[0],
        edges=tuple(dict.fromkeys([*edges, *links.of_history(item)])),
        evidence=(span,) if span else (),
        foreign=foreign,
        remarks=tuple(remarks),
    )


def _sources(item: JsonObject) -> tuple[list[object], bool]:
    """The messages a memory was taken from, opened, and whether they had to be."""
    listed, was = memos_opened.listed(item, "sources")
    found = [memos_opened.opened(one) for one in listed]
    return [one for one, _ in found], was or any(inner for _, inner in found)


def _lineage(sources: list[object]) -> dict[str, object]:
    """The message, document or time that each source names."""
    named: list[str] = []
    for one in sources:
        if isinstance(one, dict):
            names = ("message_id", "doc_path", "url", "chat_time")
            found = next((str(one[name]) for name in names if one.get(name)), "")
            named.append(found)
    return {"lineage": list(dict.fromkeys(one for one in named if one))} if any(named) else {}


def _valid(item: JsonObject) -> tuple[Interval, list[str]]:
    value = item.get("memory_time")
    if value is None or value == "":
        return Interval(), []
    found = times.bound(value)
    if found is None:
        raise RecordFaultError(FailReason.TIME_INVALID, name="memory_time")
    assumed: list[str] = [RemarkCode.TIME_ZONE_ASSUMED] if found.tz_assumed else []
    return Interval(start=found.text, precision=found.precision), assumed


def _written_at(item: JsonObject, modified_at: str | None) -> tuple[str | None, list[str]]:
    """When it was last written: the later of the two times."""
    found = fields.instant(item, "created_at")
    updated = fields.instant(item, "updated_at")
    if updated is not None and (found is None or times.is_later(updated, found)):
        found = updated
    if found is None:
        return modified_at, [RemarkCode.WRITTEN_AT_ASSUMED] if modified_at else []
    return found.text, [RemarkCode.TIME_ZONE_ASSUMED] if found.tz_assumed else []


def _scope(item: JsonObject, cube: Mapping[str, str]) -> dict[str, str]:
    tags = ", ".join(memos_opened.words(item, "tags")[0])
    found = {
        "user": fields.identity(item, "user_id") or cube.get("user"),
        "session": fields.identity(item, "session_id"),
        "cube": fields.identity(item, "mem_cube_id")
        or fields.identity(item, "cube_id")
        or cube.get("cube"),
        "visibility": fields.text(item, "visibility"),
        "tags": tags,
    }
    return {name: value for name, value in found.items() if value}


def _claimed(item: JsonObject, cube: Mapping[str, str], status: str) -> dict[str, object]:
    found = {
        "claimed_tenant": fields.identity(item, "user_id") or cube.get("user"),
        "claimed_status": status,
    }
    return {name: value for name, value in found.items() if value}


def _kept(item: JsonObject) -> dict[str, object]:
    """Everything else the memory says that is not empty, as the file's claims."""
    kept: dict[str, object] = {}
    for name, value in item.items():
        if name in _VECTORS and isinstance(value, list) and value:
            kept["vector_dimensions"] = len(value)
        elif name not in _TAKEN and value not in ("", [], {}):
            kept[name] = fields.told(value)
    return kept

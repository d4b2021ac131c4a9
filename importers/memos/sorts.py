"""What sort of memory a MemOS item is, and where its text comes from, in our closed lists."""

from __future__ import annotations

from typing import Final

from importers import fields
from importers.json_reading.strict import JsonObject
from store.cells import Kind, SourceType

_BY_STORE: Final = {
    "PreferenceMemory": Kind.PROFILE_PREFERENCE,
    "RawFileMemory": Kind.REFERENCE,
    "SkillMemory": Kind.INSIGHT,
    "ToolSchemaMemory": Kind.REFERENCE,
    "ToolTrajectoryMemory": Kind.EVENT,
}
_BY_TYPE: Final = {
    "decision": Kind.DECISION,
    "event": Kind.EVENT,
    "opinion": Kind.PROFILE_PREFERENCE,
    "preference": Kind.PROFILE_PREFERENCE,
    "explicit_preference": Kind.PROFILE_PREFERENCE,
    "implicit_preference": Kind.INSIGHT,
    "procedure": Kind.PROCEDURE,
    "reasoning": Kind.INSIGHT,
    "skill": Kind.INSIGHT,
    "topic": Kind.INSIGHT,
}
"""``topic`` and ``reasoning`` are made by the reorganiser out of other memories."""

_STORES_OF_TEXT: Final = {
    "OuterMemory": SourceType.EXTERNAL_HTML,
    "RawFileMemory": SourceType.DOCUMENT,
    "ToolSchemaMemory": SourceType.DOCUMENT,
    "ToolTrajectoryMemory": SourceType.UNVALIDATED_TOOL_OUTPUT,
}
_SOURCES: Final = {
    "conversation": SourceType.MODEL_EXTRACTION,
    "file": SourceType.DOCUMENT,
    "retrieved": SourceType.EXTERNAL_HTML,
    "web": SourceType.EXTERNAL_HTML,
}


def kind(item: JsonObject, *, under: str) -> Kind:
    """The kind that its list, its store or its type names; a ``fact`` if none names one."""
    if under.endswith("_preference") and under in _BY_TYPE:
        return _BY_TYPE[under]
    for name, kinds in (
        ("preference_type", _BY_TYPE),
        ("memory_type", _BY_STORE),
        ("type", _BY_TYPE),
    ):
        found = kinds.get(fields.text(item, name) or "")
        if found is not None:
            return found
    return Kind.FACT


def source_type(item: JsonObject, sources: list[object], *, fast: bool) -> SourceType:
    """Where the text comes from, as far as the file says.

    Args:
        item: The memory's fields.
        sources: The messages it names.
        fast: Whether it is raw text. What a user said is a raw prompt; anything else, or what
            does not say who spoke, is unvalidated.
    """
    store = _STORES_OF_TEXT.get(fields.text(item, "memory_type") or "")
    if fast:
        roles = {str(one.get("role")) for one in sources if isinstance(one, dict)}
        return (
            SourceType.RAW_USER_PROMPT
            if roles == {"user"} and store is None
            else SourceType.UNVALIDATED_TOOL_OUTPUT
        )
    if store is not None:
        return store
    named = _SOURCES.get(fields.text(item, "source") or "")
    if named is not None:
        return named
    return SourceType.MODEL_EXTRACTION if sources else SourceType.FOREIGN_MEMORY

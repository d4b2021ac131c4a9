"""One A-Mem note as a ``Proposal``: a plain ``MemoryNote``, or its flat row in Chroma.

What a stranger gets wrong: only ``content`` is what was remembered. A model wrote keywords, tags
and context, and rewrites the tags and context of neighbours in place. ``retrieval_count`` counts
reads; it confirms nothing.
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

SYSTEM: Final = "a-mem:"
_POSITION: Final = 6
"""A link of at most so many digits is a position in the list, as the paper's code has them."""

_NO_CONTEXT: Final = frozenset({"", "General", "None"})
_NO_CATEGORY: Final = ("", "Uncategorized", "None")
_VECTORS: Final = frozenset({"embedding", "embeddings", "vector"})
_TAKEN: Final = frozenset(
    {"id", "content", "document", "context", "keywords", "links", "tags", "timestamp"} | _VECTORS
)


def flat(record: JsonObject) -> JsonObject:
    """The note's own fields, of a Chroma row with those of its ``metadata``."""
    metadata = record.get("metadata")
    if metadata is None:
        return record
    if not isinstance(metadata, dict):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="metadata")
    own = {key: value for key, value in record.items() if key != "metadata" and value is not None}
    return metadata | own


def links(note: JsonObject) -> tuple[list[str], list[int], bool]:
    """Linked ids, linked positions, and whether they stood in a string.

    Raises:
        RecordFaultError: ``FIELD_INVALID`` if the links are neither a list nor an object.
    """
    value, was = memos_opened.opened(note.get("links"))
    if isinstance(value, dict):
        value = list(value)
    if value is None or value in ("", "None"):
        value = []
    if not isinstance(value, list):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="links")
    ids: list[str] = []
    positions: list[int] = []
    for one in value:
        if isinstance(one, int) and not isinstance(one, bool):
            positions.append(one)
        elif isinstance(one, str) and one.isascii() and one.isdigit() and len(one) <= _POSITION:
            positions.append(int(one))
        elif isinstance(one, str):
            ids.append(one)
        else:
            raise RecordFaultError(FailReason.FIELD_INVALID, name="links")
    return ids, positions, was


def proposal(
    note: JsonObject, raw: bytes, *, modified_at: str | None, related: tuple[str, ...] = ()
) -> Proposal | Nothing:
    """The note as a proposal; ``Nothing`` when its text is empty.

    Args:
        note: Its fields, made flat.
        raw: The bytes it was parsed from.
        modified_at: The file's own time, used when the note has none.
        related: Native ids of the notes that it links to, positions resolved.

    Raises:
        RecordFaultError: ``FIELD_MISSING``, ``FIELD_INVALID`` or ``TIME_INVALID``.
    """
    key = "content" if note.get("content") is not None else "document"
    if note.get(key) is None:
        raise RecordFaultError(FailReason.FIELD_MISSING, name="content")
    claim = fields.text(note, key, called="content")
    if not claim:
        return Nothing(NothingReason.EMPTY_TEXT)
    native = fields.identity(note, "id")
    keywords, first = memos_opened.words(note, "keywords")
    tags, second = memos_opened.words(note, "tags")
    history, third = memos_opened.listed(note, "evolution_history")
    written_at, remarks = _written_at(note, modified_at)
    if native is None:
        remarks.append(RemarkCode.NO_IDS)
    if history:
        remarks.append(RemarkCode.REWRITTEN_TEXT)
    if first or second or third or links(note)[2]:
        remarks.append(RemarkCode.ENCODED_TWICE)
    foreign = _kept(note)
    if related:
        foreign["related"] = [SYSTEM + one for one in related]
    span = json_tokens.text_span(raw, key, claim)
    return Proposal(
        claim=claim,
        kind=_kind(note),
        source_type=SourceType.FOREIGN_MEMORY,
        source_id=SYSTEM + (native or fields.fingerprint(fields.canonical(note).decode())),
        written_at=written_at,
        scope=_scope(note, tags),
        entities=keywords,
        evidence=(span,) if span else (),
        foreign=foreign,
        remarks=tuple(remarks),
    )


def _written_at(note: JsonObject, modified_at: str | None) -> tuple[str | None, list[str]]:
    value = note.get("timestamp")
    if isinstance(value, int) and not isinstance(value, bool) and len(str(value)) == 12:
        value = str(value)  # a Chroma search gives digits back as a number; it is no epoch
    if value is None or value in ("", "None"):
        return modified_at, [RemarkCode.WRITTEN_AT_ASSUMED] if modified_at else []
    found = times.moment(value)
    if found is None:
        raise RecordFaultError(FailReason.TIME_INVALID, name="timestamp")
    return found.text, [RemarkCode.TIME_ZONE_ASSUMED] if found.tz_assumed else []


def _scope(note: JsonObject, tags: tuple[str, ...]) -> dict[str, str]:
    scope: dict[str, str] = {}
    context = fields.text(note, "context") or ""
    if context not in _NO_CONTEXT:
        scope["context"] = context
    if tags:
        scope["tags"] = ", ".join(tags)
    return scope


def _kind(note: JsonObject) -> Kind:
    """A category that names a kind is followed; any other is a ``fact``."""
    category = (fields.text(note, "category") or "").lower()
    if "preference" in category:
        return Kind.PROFILE_PREFERENCE
    return _KINDS.get(category, Kind.FACT)


_KINDS: Final = {
    "decision": Kind.DECISION,
    "decisions": Kind.DECISION,
    "event": Kind.EVENT,
    "events": Kind.EVENT,
    "procedure": Kind.PROCEDURE,
    "procedures": Kind.PROCEDURE,
}


def _kept(note: JsonObject) -> dict[str, object]:
    """Everything else the note says, as the file's claims."""
    kept: dict[str, object] = {}
    for name, value in note.items():
        if value is None:
            continue
        if name in _VECTORS and isinstance(value, list):
            kept["vector_dimensions"] = len(value)
        elif name not in _TAKEN and not (name == "category" and value in _NO_CATEGORY):
            kept[name] = fields.told(memos_opened.opened(value)[0])
    return kept

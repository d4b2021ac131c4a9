"""One Mem0 memory, as any Mem0 list or vector payload writes it, as a ``Proposal``.

``created_at`` is when Mem0 wrote the row, never when the claim holds. ``user_id``, ``actor_id``
and ``role`` are words of whoever called Mem0: shown as claims, never proof of who spoke.
"""

from __future__ import annotations

from typing import Final

from importers import fields, times
from importers.faults import RecordFaultError
from importers.json_reading import tokens as json_tokens
from importers.json_reading.strict import JsonObject
from store.cells import Edge, EdgeKind, Interval, Kind, Proposal, SourceType
from store.records import FailReason, Nothing, NothingReason, RemarkCode

TEXT_KEYS: Final = ("memory", "data", "content")
SYSTEM: Final = "mem0:"
_SCOPES: Final = {
    "user_id": "user",
    "agent_id": "agent",
    "app_id": "app",
    "run_id": "run",
    "session_id": "session",
}
_OPEN: Final = Interval()
_VECTORS: Final = frozenset({"vector", "embedding", "embeddings"})
_TAKEN: Final = frozenset(
    {"id", "memory", "data", "content", "expiration_date"}
    | {"source_payload", *_VECTORS, *_SCOPES}
)


def proposal(
    record: JsonObject, raw: bytes, *, modified_at: str | None, replaces: tuple[str, ...] = ()
) -> Proposal | Nothing:
    """The row as a proposal; ``Nothing`` when its text is empty.

    Args:
        record: The parsed row.
        raw: The bytes it was parsed from.
        modified_at: The file's own time, used when the row has none.
        replaces: Native ids of rows in the same file that name this one as their replacement.

    Raises:
        RecordFaultError: ``FIELD_MISSING``, ``FIELD_INVALID`` or ``TIME_INVALID``.
    """
    if "source_payload" in record:
        record = _with_payload(record)
    key = "memory" if "memory" in record else _other_text_key(record)
    claim = fields.text(record, key, called="memory")
    if not claim:
        return Nothing(NothingReason.EMPTY_TEXT)
    native = fields.identity(record, "id")
    written_at, remarks = _written_at(record, modified_at)
    if native is None:
        remarks.append(RemarkCode.NO_IDS)
    scope, foreign = _whose(record)
    if not scope and "claimed_writer" not in foreign:
        remarks.append(RemarkCode.NO_OWNER)
    expires = _expires(record)
    span = json_tokens.text_span(raw, key, claim)
    return Proposal(
        claim=claim,
        kind=_kind(record),
        source_type=_source_type(record),
        source_id=SYSTEM + (native or fields.fingerprint(fields.canonical(record).decode())),
        written_at=written_at,
        valid=expires or _OPEN,
        scope=scope,
        edges=_supersedes(replaces) if replaces else (),
        expires_at=expires.end if expires else None,
        evidence=(span,) if span else (),
        foreign=foreign,
        remarks=tuple(remarks),
    )


def _other_text_key(record: JsonObject) -> str:
    for name in TEXT_KEYS:
        if name in record:
            return name
    raise RecordFaultError(FailReason.FIELD_MISSING, name="memory")


def _supersedes(replaces: tuple[str, ...]) -> tuple[Edge, ...]:
    return tuple(Edge(EdgeKind.SUPERSEDES, SYSTEM + one) for one in replaces)


def relation(record: JsonObject, raw: bytes, *, modified_at: str | None) -> Proposal | Nothing:
    """A row of the old graph mode, ``{source, relationship, target}``, as a fact.

    Raises:
        RecordFaultError: If one of the three words is missing.
    """
    words = [fields.needed(record, name) for name in ("source", "relationship", "target")]
    assumed = (RemarkCode.WRITTEN_AT_ASSUMED,) if modified_at else ()
    spans = (
        json_tokens.text_span(raw, name, word) for name, word in zip(record, words, strict=False)
    )
    return Proposal(
        claim=" ".join(words).replace("_", " "),
        kind=Kind.FACT,
        source_type=SourceType.MODEL_EXTRACTION,
        source_id=f"{SYSTEM}relation:{fields.fingerprint(*words)}",
        written_at=modified_at,
        entities=(words[0], words[2]),
        evidence=tuple(span for span in spans if span),
        remarks=(*assumed, RemarkCode.MODEL_MADE, RemarkCode.NO_OWNER),
    )


def _with_payload(record: JsonObject) -> JsonObject:
    """The row with what only its vector payload tells; the row's own word wins."""
    payload = record["source_payload"]
    if not isinstance(payload, dict):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="source_payload")
    own = {key: value for key, value in record.items() if value is not None}
    metadata = own.get("metadata")
    known = metadata if isinstance(metadata, dict) else {}
    return {key: value for key, value in payload.items() if key not in known} | own


def _written_at(record: JsonObject, modified_at: str | None) -> tuple[str | None, list[str]]:
    found = fields.instant(record, "created_at")
    if (updated := record.get("updated_at")) and updated != record.get("created_at"):
        later = fields.instant(record, "updated_at")
        if found is None or (later and times.is_later(later, found)):
            found = later
    if found is not None:
        return found.text, [RemarkCode.TIME_ZONE_ASSUMED] if found.tz_assumed else []
    return modified_at, [RemarkCode.WRITTEN_AT_ASSUMED] if modified_at else []


def _expires(record: JsonObject) -> Interval | None:
    value = record.get("expiration_date")
    if value is None or value == "":
        return None
    found = times.bound(value)
    if found is None:
        raise RecordFaultError(FailReason.TIME_INVALID, name="expiration_date")
    return Interval(end=found.text, precision=found.precision)


def _whose(record: JsonObject) -> tuple[dict[str, str], dict[str, object]]:
    """Scope, and everything else the row says, as the file's claims."""
    scope: dict[str, str] = {}
    kept: dict[str, object] = {}
    for name, value in record.items():
        if value is None:
            continue
        if name not in _TAKEN:
            kept[name] = value if type(value) is str else fields.told(value)
        elif name in _SCOPES:
            if found := fields.identity(record, name):
                scope[_SCOPES[name]] = found
        elif name in _VECTORS and isinstance(value, list):
            kept["vector_dimensions"] = len(value)
    if tenant := scope.get("user") or scope.get("agent") or scope.get("app"):
        kept["claimed_tenant"] = tenant
    if writer := record.get("actor_id") or record.get("attributed_to") or record.get("role"):
        kept["claimed_writer"] = fields.told(writer)
    return scope, kept


def _source_type(record: JsonObject) -> SourceType:
    """``model_extraction`` only where the row says that a model made the text."""
    if record.get("synthesized") is True or record.get("attributed_to"):
        return SourceType.MODEL_EXTRACTION
    return SourceType.FOREIGN_MEMORY


def _kind(record: JsonObject) -> Kind:
    """A hint that names a preference or a decision is followed; any other is a ``fact``."""
    hints: list[object] = []
    metadata, categories = record.get("metadata"), record.get("categories")
    if isinstance(metadata, dict):
        hints = [metadata.get("type"), metadata.get("category")]
    if isinstance(categories, list):
        hints += categories
    for hint in hints:
        if isinstance(hint, str):
            if "preference" in hint.lower():
                return Kind.PROFILE_PREFERENCE
            if hint.lower() in {"decision", "decisions"}:
                return Kind.DECISION
    return Kind.FACT

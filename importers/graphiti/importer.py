"""Reads Graphiti and Zep graphs: dumps of their objects, query results, search results.

An edge is a fact with world time ``[valid_at, invalid_at)``; ``created_at`` is when the system
wrote it. What a stranger gets wrong: ``expired_at`` is when the system stopped believing the edge,
and never the end of its validity. A node's summary is a model's text and an insight. An episode is
what went in: a run, as evidence.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from importers import fields, json_records, reads
from importers.faults import RecordFaultError
from importers.graphiti import episodes as graphiti_episodes
from importers.graphiti import rows, times
from importers.graphiti.rows import LISTS, Sort
from importers.json_reading import tokens as json_tokens
from importers.json_reading.slices import Beside, Slice
from importers.json_reading.strict import JsonObject, parse_object
from importers.source import Head, Source
from store.cells import Edge, EdgeKind, Kind, Proposal, SourceType
from store.records import FailReason, Nothing, NothingReason, Read, Remark, RemarkCode

VERSION: Final = "1"
CANNOT_TELL: Final = (RemarkCode.NO_WRITER, RemarkCode.NO_DECISIONS)
SYSTEM: Final = "graphiti:"
_VECTORS: Final = frozenset({"fact_embedding", "name_embedding", "embedding", "summary_embedding"})
_TAKEN: Final = frozenset(
    {"uuid", "fact", "name", "summary", "created_at", "valid_at", "invalid_at", "episodes"}
    | _VECTORS
)
_SEARCHED: Final = (b"retrieved", b"found", b"search")


def recognises(head: Head) -> bool:
    """Whether the first records are edges, nodes or episodes of a temporal graph."""
    if head.is_folder:
        return False
    seen = json_records.keys(head.data, LISTS)
    if any(rows.is_own(keys) for keys in (seen.keys, *seen.records)):
        return True
    if seen.form == "object" and not seen.records:
        return {"episodes", "edges"} <= seen.keys or {"episodes", "entities"} <= seen.keys
    marks = (b'"uuid"', b'"group_id"')
    wrapped = any(not keys & {"uuid", "fact"} for keys in seen.records)
    facts = b'"fact"' in head.data or b'"source_description"' in head.data
    return wrapped and facts and all(mark in head.data for mark in marks)


def read(source: Source) -> Iterator[Read | Remark]:
    """One ``Read`` per edge, node, episode and link, in file order."""
    head = source.head()
    seen = json_records.keys(head.data, LISTS)
    if not seen.form:
        yield reads.broken_source(FailReason.NOT_JSON, head.data)
        return
    form = "one" if seen.form == "object" and rows.is_own(seen.keys) else seen.form
    yield from (Remark(code) for code in CANNOT_TELL)
    told = dict(seen.beside).get("message", b"").lower()
    if any(word in told for word in _SEARCHED):
        yield Remark(RemarkCode.SEARCH_RESULT)
    yield from reads.with_tail(_Reader(source, form).reads())


class _Reader:
    def __init__(self, source: Source, form: str) -> None:
        self._source, self._form = source, form
        self._tally = reads.Tally()
        self._names = self._named()

    def _named(self) -> dict[str, str]:
        """Names of nodes by id, gathered before the edges that mention them."""
        found: dict[str, str] = {}
        for one in json_records.pieces(self._source, self._form, LISTS):
            if isinstance(one, Beside) or one.fault is not None:
                continue
            try:
                record = rows.plain(parse_object(one.raw, shallow=one.shallow))
            except RecordFaultError:
                continue
            native, name = record.get("uuid"), record.get("name")
            is_node = rows.sort_of(record, one.key) is Sort.NODE
            if is_node and isinstance(native, str) and isinstance(name, str) and name.strip():
                found[native] = name.strip()
        return found

    def reads(self) -> Iterator[Read | Remark]:
        met = False
        for one in json_records.pieces(self._source, self._form, LISTS):
            if isinstance(one, Slice):
                met = True
                yield self._read(one)
            elif one.key in LISTS:
                met = True
                if one.raw and one.raw != b"null":
                    yield reads.broken_source(FailReason.WRONG_SHAPE, self._source.head().data)
        if not met:
            yield reads.broken_source(FailReason.WRONG_SHAPE, self._source.head().data)
        yield from self._tally.remarks()

    def _read(self, piece: Slice) -> Read:
        episode: Read | None = None

        def found(record: JsonObject, raw: bytes) -> Proposal | Nothing:
            nonlocal episode
            own = rows.plain(record)
            sort = rows.sort_of(own, piece.key)
            if sort is Sort.EDGE:
                return self._edge(own, raw)
            if sort is Sort.NODE:
                return self._node(own, raw)
            if sort is Sort.EPISODE:
                episode = graphiti_episodes.read(own, piece, SYSTEM)
            elif sort is Sort.UNKNOWN:
                self._tally.add(RemarkCode.UNKNOWN_TYPES)
                return Nothing(NothingReason.UNKNOWN_TYPE)
            return Nothing(NothingReason.NOT_A_MEMORY)

        plain = reads.read_one(piece, found)
        return episode or plain

    def _edge(self, record: JsonObject, raw: bytes) -> Proposal | Nothing:
        claim = fields.text(record, "fact")
        if not claim:
            return Nothing(NothingReason.EMPTY_TEXT)
        valid, assumed = times.valid(record)
        written_at, remarks = self._written_at(record, tz_assumed=assumed)
        episodes = _texts(record, "episodes")
        if not episodes:
            remarks.append(RemarkCode.SOURCE_LINK_ABSENT)
        if times.instant(record, "expired_at") is not None:
            remarks.append(RemarkCode.MARKED_SUPERSEDED)
        ends = [fields.identity(record, f"{one}_node_uuid") for one in ("source", "target")]
        names = [
            self._names.get(end or "") or fields.text(record, f"{one}_node_name")
            for one, end in zip(("source", "target"), ends, strict=True)
        ]
        if self._names and any(end and not name for end, name in zip(ends, names, strict=True)):
            remarks.append(RemarkCode.DANGLING_LINK)
            self._tally.add(RemarkCode.DANGLING_LINK)
        foreign = self._kept(record)
        if relation := fields.text(record, "name"):
            foreign["relation"] = relation
        if episodes:
            foreign["episodes"] = list(episodes)
        if record.get("score") is not None or record.get("relevance") is not None:
            self._tally.add(RemarkCode.SEARCH_RESULT)
        span = json_tokens.text_span(raw, "fact", claim)
        return Proposal(
            claim=claim,
            kind=Kind.FACT,
            source_type=SourceType.MODEL_EXTRACTION,
            source_id=SYSTEM + self._native(record, claim, remarks),
            written_at=written_at,
            valid=valid,
            scope=_scope(record),
            entities=tuple(dict.fromkeys(name for name in names if name)),
            edges=tuple(Edge(EdgeKind.DERIVED_FROM, SYSTEM + one) for one in episodes),
            evidence=(span,) if span else (),
            foreign=foreign,
            remarks=(*remarks, RemarkCode.MODEL_MADE),
        )

    def _node(self, record: JsonObject, raw: bytes) -> Proposal | Nothing:
        claim = fields.text(record, "summary")
        if not claim:
            return Nothing(NothingReason.NO_OBSERVATIONS)
        written_at, remarks = self._written_at(record, tz_assumed=False)
        name = fields.text(record, "name")
        span = json_tokens.text_span(raw, "summary", claim)
        return Proposal(
            claim=claim,
            kind=Kind.INSIGHT,
            source_type=SourceType.MODEL_EXTRACTION,
            source_id=SYSTEM + self._native(record, claim, remarks),
            written_at=written_at,
            scope=_scope(record),
            entities=(name,) if name else (),
            evidence=(span,) if span else (),
            foreign=self._kept(record),
            remarks=(*remarks, RemarkCode.MODEL_MADE, RemarkCode.SOURCE_LINK_ABSENT),
        )

    def _native(self, record: JsonObject, claim: str, remarks: list[str]) -> str:
        native = fields.identity(record, "uuid")
        if native is None:
            remarks.append(RemarkCode.NO_IDS)
        return native or fields.fingerprint(rows.group_of(record) or "", claim)

    def _written_at(self, record: JsonObject, *, tz_assumed: bool) -> tuple[str | None, list[str]]:
        found = times.instant(record, "created_at")
        remarks: list[str] = []
        if tz_assumed or (found and found.tz_assumed):
            remarks.append(RemarkCode.TIME_ZONE_ASSUMED)
        if found is not None:
            return found.text, remarks
        modified_at = self._source.modified_at
        return modified_at, remarks + ([RemarkCode.WRITTEN_AT_ASSUMED] if modified_at else [])

    def _kept(self, record: JsonObject) -> dict[str, object]:
        kept = {
            name: fields.told(one)
            for name, one in record.items()
            if name not in _TAKEN and one not in (None, "", [], {})
        }
        for name in _VECTORS:
            vector = record.get(name)
            if isinstance(vector, list) and vector:
                kept["vector_dimensions"] = len(vector)
                self._tally.add(RemarkCode.VECTORS_DROPPED)
        if tenant := rows.group_of(record):
            kept["claimed_tenant"] = tenant
        return kept


def _scope(record: JsonObject) -> dict[str, str]:
    group = rows.group_of(record)
    return {"group": group} if group else {}


def _texts(record: JsonObject, name: str) -> tuple[str, ...]:
    value = record.get(name)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise RecordFaultError(FailReason.FIELD_INVALID, name=name)
    return tuple(dict.fromkeys(one for one in value if one))

"""Reads EverMemOS memories: ``to_dict()`` output, MongoDB documents, answers of its service.

Field mapping (their word to ours): the text that each type has is the claim; ``id`` or ``_id``
gives ``evermemos:<id>``; ``created_at``, else ``timestamp``, is ``written_at``; ``user_id`` and
``group_id`` are scope; ``linked_entities``, else ``keywords``, are entities; a parent that is an
episode is an edge. One ``Read`` per memory, per fact of a list of facts, and per item of a
profile. A MemCell holds messages and gives a run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from importers import reads, wrapped_records
from importers.evermemos import cells as evermemos_cells
from importers.evermemos import memories, profiles, sorts, values
from importers.evermemos.sorts import Sort
from importers.faults import RecordFaultError
from importers.json_reading.slices import Beside, Slice
from importers.json_reading.strict import JsonObject, parse_object
from importers.native_ids import Ids
from importers.source import Head, Source
from importers.wrapped_records import Around
from store.cells import Proposal, Span
from store.records import (
    Nothing,
    NothingReason,
    Place,
    Read,
    Remark,
    RemarkCode,
)

VERSION: Final = "1"
CANNOT_TELL: Final = (RemarkCode.NO_WRITER,)
RECORD_KEPT: Final = 8 * 1024
"""Up to this size a claim is shown in its whole record; beyond it, its own JSON stands alone."""

_AROUND: Final = Around(
    frozenset(
        {
            "memories",
            "episodes",
            "episodic_memories",
            "atomic_facts",
            "event_logs",
            "agent_cases",
            "cases",
            "agent_skills",
            "skills",
            "profiles",
            "memcells",
        }
    ),
    frozenset({"result", "data", "agent_memory"}),
    grouped=True,
)
_LINKS: Final = (
    "parent_id",
    "ori_event_id_list",
    "memcell_event_id_list",
    "source_episodes",
    "processed_episode_ids",
    "lineage",
)


def recognises(head: Head) -> bool:
    """Whether the first records have the fields of one of EverMemOS's types."""
    if head.is_folder:
        return False
    return any(
        sorts.is_ours(one.keys, one.under) for one in wrapped_records.objects(head.data, _AROUND)
    )


def _is_record(keys: frozenset[str]) -> bool:
    named = {"memory_type", "text", "atomic_fact", "original_data"}
    return sorts.by_keys(keys) is not None or bool(keys & named)


def read(source: Source) -> Iterator[Read | Remark]:
    """Every memory, in file order, then what is to be said of the whole file."""
    yield from (Remark(code) for code in CANNOT_TELL)
    yield from reads.with_tail(_Reader(source).reads())


class _Reader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._ids = Ids()
        self._tally = reads.Tally()

    def reads(self) -> Iterator[Read | Remark]:
        for one in wrapped_records.pieces(self._source, _AROUND, _is_record):
            if isinstance(one, Beside):
                if one.key == "has_more" and one.raw.strip() == b"true":
                    self._tally.add(RemarkCode.NEXT_PAGE_EXISTS)
                continue
            for read in self._reads(one):
                self._count(read)
                yield read
        yield from self._tally.remarks()

    def _reads(self, piece: Slice) -> Iterator[Read]:
        place = reads.place_of(piece)
        if piece.fault is not None:
            yield Read(place, piece.raw, piece.fault)
            return
        if not piece.raw or piece.raw.isspace():
            yield Read(place, piece.raw, Nothing(NothingReason.BLANK_LINE))
            return
        try:
            parsed = parse_object(piece.raw, last=piece.last, shallow=piece.shallow)
            yield from self._record(parsed, piece)
        except RecordFaultError as fault:
            yield Read(place, piece.raw, fault.failed)

    def _record(self, parsed: JsonObject, piece: Slice) -> list[Read]:
        record = {key: values.plain(value) for key, value in parsed.items()}
        sort = sorts.of(record)
        modified_at = self._source.modified_at
        if sort is Sort.CELL:
            return [evermemos_cells.read(record, piece)]
        if sort is Sort.PROFILE:
            found = profiles.pieces(record, piece.raw, modified_at=modified_at)
        elif sort is None:
            found = [(Nothing(NothingReason.UNKNOWN_TYPE), None)]
        else:
            found = memories.pieces(record, piece.raw, sort, modified_at=modified_at)
        native = values.native_id(record)
        if native and self._ids.meet(native, piece.raw):
            self._tally.add(RemarkCode.IDS_REPEATED)
        return [_placed(piece, *one) for one in found]

    def _count(self, read: Read) -> None:
        found = read.found
        if found == Nothing(NothingReason.UNKNOWN_TYPE):
            self._tally.add(RemarkCode.UNKNOWN_TYPES)
        if not isinstance(found, Proposal):
            return
        told = found.foreign
        for code, holds in (
            (RemarkCode.VECTORS_DROPPED, "vector_dimensions" in told),
            (RemarkCode.SEARCH_RESULT, "score" in told),
            (RemarkCode.SOURCE_LINK_ABSENT, not any(name in told for name in _LINKS)),
            (RemarkCode.NO_OWNER, not found.scope),
        ):
            if holds:
                self._tally.add(code)


def _placed(piece: Slice, found: memories.Found, span: Span | None) -> Read:
    """The whole record, or only the span of a claim in a long record of several."""
    if span is None or not isinstance(found, Proposal) or len(piece.raw) <= RECORD_KEPT:
        return Read(reads.place_of(piece), piece.raw, found)
    line = piece.line + piece.raw.count(b"\n", 0, span.start)
    place = Place(line=line, start=piece.start + span.start, end=piece.start + span.end)
    own = piece.raw[span.start : span.end]
    return Read(place, own, replace(found, evidence=(Span(0, len(own)),)))

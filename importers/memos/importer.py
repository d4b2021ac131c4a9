"""Reads MemOS memories: a ``textual_memory.json`` of any backend, or a MemCube folder.

Field mapping (their word to ours): ``memory`` is the claim, ``id`` gives ``memos:<id>``, the
later of ``created_at`` and ``updated_at`` is ``written_at``, ``memory_time`` begins validity,
``entities`` are entities; user, session, cube, visibility and tags are scope. Of a folder,
pickles are refused unopened and settings and weights hold no memory. An edge of a tree is told by
the node it stands on, and is itself a record that holds nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from importers import reads, wrapped_records
from importers.faults import RecordFaultError
from importers.json_reading.slices import Beside, Slice
from importers.json_reading.strict import JsonObject, parse_object
from importers.memos import cube as memos_cube
from importers.memos import items
from importers.memos.cube import Sort
from importers.memos.links import EDGES, Links
from importers.native_ids import Ids
from importers.source import Head, Source, SourceRefusedError
from store.cells import Proposal
from store.records import (
    Barred,
    BarRule,
    Failed,
    FailReason,
    Nothing,
    NothingReason,
    Place,
    Read,
    Remark,
    RemarkCode,
)

VERSION: Final = "1"
CANNOT_TELL: Final = (RemarkCode.NO_WRITER,)
_TALLIED: Final = (
    RemarkCode.ENCODED_TWICE,
    RemarkCode.IDS_REPEATED,
    RemarkCode.EVIDENCE_ONLY,
    RemarkCode.LATER_VERSION_EXISTS,
    RemarkCode.MARKED_SUPERSEDED,
)


def recognises(head: Head) -> bool:
    """Whether the first records are MemOS memories, or the folder holds a cube."""
    if head.is_folder:
        return any(
            memos_cube.is_config(one.data)
            or memos_cube.sort_of(one.name, one, in_cube=False) is Sort.MEMORY
            for one in head.members
        )
    if memos_cube.is_pickle(head.data):
        return b"memos." in head.data
    return any(
        memos_cube.is_item(one) for one in wrapped_records.objects(head.data, memos_cube.AROUND)
    )


def read(source: Source) -> Iterator[Read | Remark]:
    """One ``Read`` per memory and per edge, in file order, and one per other member."""
    yield from (Remark(code) for code in CANNOT_TELL)
    tally = reads.Tally()
    if memos_cube.is_pickle(source.head().data):
        yield Read(Place(0, 0, 0), b"", Barred(BarRule.PICKLE))
    elif not source.is_folder:
        yield from reads.with_tail(_Reader(source, tally).reads())
    else:
        yield from reads.with_tail(_members(source, tally))
    yield from tally.remarks()


def _members(source: Source, tally: reads.Tally) -> Iterator[Read | Remark]:
    cubes = memos_cube.cubes(source)
    for member in source.members:
        nowhere = Place(line=0, start=0, end=0, member=member.name)
        folder = memos_cube.folder_of(member.name)
        sort = memos_cube.sort_of(member.name, member.head(), in_cube=folder in cubes)
        if sort is Sort.PICKLE:
            yield Read(nowhere, b"", Barred(BarRule.PICKLE))
        elif sort is Sort.MEMORY:
            reader = _Reader(member, tally, cubes.get(folder, {}), name=member.name)
            try:
                yield from reader.reads()
            except SourceRefusedError:
                yield Read(nowhere, b"", Failed(FailReason.TOO_LONG))
        else:
            tally.add(RemarkCode.MEMBERS_PASSED_OVER)
            yield Read(nowhere, b"", Nothing(NothingReason.NOT_A_MEMORY))


class _Reader:
    """One file of memories."""

    def __init__(
        self,
        source: Source,
        tally: reads.Tally,
        cube: Mapping[str, str] | None = None,
        *,
        name: str = "",
    ) -> None:
        self._source, self._tally, self._member = source, tally, name
        self._cube = cube or {}
        self._ids = Ids()
        self._links = Links()
        self._counted = {"nodes": 0, EDGES: 0}
        self._told: dict[str, bytes] = {}

    def reads(self) -> Iterator[Read | Remark]:
        if self._links.take(piece for piece in self._slices() if piece.key == EDGES):
            for piece in self._slices():
                if piece.key != EDGES and (native := _id_of(piece)):
                    self._links.know(native)
        for one in wrapped_records.pieces(self._source, memos_cube.AROUND, memos_cube.is_record):
            if isinstance(one, Beside):
                self._told[one.key] = one.raw
                continue
            if one.key in self._counted and one.raw:
                self._counted[one.key] += 1
            read = self._read(one)
            self._count(read)
            yield read
        self._remark()

    def _slices(self) -> Iterator[Slice]:
        for one in wrapped_records.pieces(self._source, memos_cube.AROUND, memos_cube.is_record):
            if isinstance(one, Slice):
                yield one

    def _read(self, piece: Slice) -> Read:
        if piece.key == EDGES:
            return reads.read_one(piece, self._links.read, member=self._member)
        return reads.read_one(
            piece, lambda record, raw: self._item(record, raw, piece.key), member=self._member
        )

    def _item(self, record: JsonObject, raw: bytes, under: str) -> Proposal | Nothing:
        item = items.flat(record)
        native = item.get("id")
        known = native if isinstance(native, str) else ""
        found = items.proposal(
            item,
            raw,
            modified_at=self._source.modified_at,
            cube=self._cube,
            edges=self._links.edges(known),
            under=under,
        )
        if not isinstance(found, Proposal):
            return found
        if related := self._links.related(known):
            found = replace(found, foreign={**found.foreign, "related": related})
        if known and self._ids.meet(known, raw):
            found = replace(found, remarks=(*found.remarks, RemarkCode.IDS_REPEATED))
        return found

    def _count(self, read: Read) -> None:
        if not isinstance(read.found, Proposal):
            return
        told = read.found.foreign
        self._tally.add(*(code for code in _TALLIED if code in read.found.remarks))
        for code, holds in (
            (RemarkCode.VECTORS_DROPPED, "vector_dimensions" in told),
            (RemarkCode.SOURCE_LINK_ABSENT, "sources" not in told),
            (RemarkCode.SEARCH_RESULT, "relativity" in told),
        ):
            if holds:
                self._tally.add(code)

    def _remark(self) -> None:
        self._tally.add(*[RemarkCode.DANGLING_LINK] * self._links.dangling)
        self._tally.add(*[RemarkCode.UNKNOWN_TYPES] * self._links.unknown)
        for key, name in (("nodes", "total_nodes"), (EDGES, "total_edges")):
            told = self._told.get(name, b"").strip()
            if told.isdigit() and int(told) != self._counted[key]:
                self._tally.add(RemarkCode.COUNTS_DIFFER)


def _id_of(piece: Slice) -> str:
    try:
        native = items.flat(parse_object(piece.raw)).get("id")
    except RecordFaultError:
        return ""
    return native if isinstance(native, str) else ""

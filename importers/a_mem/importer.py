"""Reads A-Mem notes: ``MemoryNote`` lists, maps and lines, and flat rows of its Chroma store.

Field mapping (their word to ours): ``content`` is the claim, ``id`` gives ``a-mem:<id>``,
``timestamp`` is ``written_at``, ``keywords`` are entities, ``tags`` and ``context`` scope. Links
are relations without a direction: they stand under ``foreign.related`` and are no edges. A-Mem's
research code keeps notes as a pickle; a pickle is refused and never opened.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from importers import reads, wrapped_records
from importers.a_mem import notes as a_mem_notes
from importers.faults import RecordFaultError
from importers.json_reading import extent
from importers.json_reading import tokens as json_tokens
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject, parse_object
from importers.native_ids import Ids
from importers.source import Head, Source
from importers.wrapped_records import Around, Seen
from store.cells import Proposal
from store.records import (
    Barred,
    BarRule,
    Failed,
    FailReason,
    Nothing,
    Place,
    Read,
    Remark,
    RemarkCode,
)

VERSION: Final = "1"
CANNOT_TELL: Final = (RemarkCode.NO_WRITER, RemarkCode.SOURCE_LINK_ABSENT)
_AROUND: Final = Around(
    frozenset({"memories", "notes", "memory_notes", "metadatas"}), frozenset({"data", "result"})
)
_OWN: Final = frozenset(
    {
        "keywords",
        "links",
        "retrieval_count",
        "last_accessed",
        "evolution_history",
        "context",
        "tags",
        "importance_score",
        "category",
    }
)
_NOT_OURS: Final = frozenset({"claim", "memory", "memory_type", "role", "messages", "namespace"})
_MAP: Final = re.compile(rb"\{\s*+" + json_tokens.STRING + rb"\s*+:\s*+\{")
_TALLIED: Final = (RemarkCode.IDS_REPEATED, RemarkCode.ENCODED_TWICE, RemarkCode.REWRITTEN_TEXT)
_OLD_PICKLES: Final = (b"(lp0\n", b"(dp0\n", b"ccopy_reg\n", b"]q\0", b"}q\0")
_PICKLED: Final = (b"MemoryNote", b"agentic_memory", b"memory_layer")


def recognises(head: Head) -> bool:
    """Whether the first records have a note's text among a note's own fields."""
    if head.is_folder:
        return False
    if _is_pickle(head.data):
        return any(word in head.data for word in _PICKLED)
    return any(_is_seen(one) for one in wrapped_records.objects(head.data, _AROUND)) or any(
        _is_note(frozenset(json_tokens.members(note.raw))) for note in _mapped(_begin(head.data))
    )


def _is_pickle(data: bytes) -> bool:
    """Whether the opcodes of a pickle begin it, of whatever protocol."""
    return (data[:1] == b"\x80" and b"\2" <= data[1:2] <= b"\5") or data.startswith(_OLD_PICKLES)


def _is_note(keys: frozenset[str]) -> bool:
    mine = keys & _OWN
    telling = mine & {"keywords", "evolution_history", "retrieval_count"}
    return "content" in keys and len(mine) >= 3 and bool(telling) and not keys & _NOT_OURS


def _is_seen(one: Seen) -> bool:
    row = {"metadata", "document"} <= one.keys or {"metadata", "id"} == one.keys
    return _is_note(one.keys) or (row and _is_note(one.inside | {"content"}))


def _is_record(keys: frozenset[str]) -> bool:
    return "content" in keys or "document" in keys


def read(source: Source) -> Iterator[Read | Remark]:
    """One ``Read`` per note, in file order, then what is to be said of the whole file."""
    if _is_pickle(source.head().data):
        yield Read(Place(0, 0, 0), b"", Barred(BarRule.PICKLE))
        return
    yield from (Remark(code) for code in CANNOT_TELL)
    yield from reads.with_tail(_Reader(source).reads())


class _Reader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._ids = Ids()
        self._tally = reads.Tally()
        self._positions: list[str] | None = None

    def reads(self) -> Iterator[Read | Remark]:
        for piece in self._pieces():
            yield reads.read_one(piece, self._note)
        if dangling := self._ids.dangling():
            yield Remark(RemarkCode.DANGLING_LINK, dangling)
        yield from self._tally.remarks()

    def _pieces(self) -> Iterator[Slice]:
        for piece in wrapped_records.pieces(self._source, _AROUND, _is_record):
            if isinstance(piece, Slice):
                notes = _mapped(piece) if piece.fault is None else []
                yield from notes or [piece]

    def _note(self, record: JsonObject, raw: bytes) -> Proposal | Nothing:
        note = a_mem_notes.flat(record)
        ids, positions, _ = a_mem_notes.links(note)
        related = dict.fromkeys([*ids, *self._at(positions)])
        found = a_mem_notes.proposal(
            note, raw, modified_at=self._source.modified_at, related=tuple(related)
        )
        if not isinstance(found, Proposal):
            return found
        for one in related:
            self._ids.name(one)
        if self._ids.meet(found.source_id.removeprefix(a_mem_notes.SYSTEM), raw):
            found = replace(found, remarks=(*found.remarks, RemarkCode.IDS_REPEATED))
        self._tally.add(*(code for code in _TALLIED if code in found.remarks))
        if "vector_dimensions" in found.foreign:
            self._tally.add(RemarkCode.VECTORS_DROPPED)
        return found

    def _at(self, positions: list[int]) -> list[str]:
        """Ids of the notes at these places of the list, as the paper's code counts them."""
        if positions and self._positions is None:
            self._positions = [_id_of(piece) for piece in self._pieces() if piece.raw.strip()]
        known = self._positions or []
        found = [known[one] if 0 <= one < len(known) else "" for one in positions]
        for one, native in zip(positions, found, strict=True):
            if not native:
                self._ids.name(f"#{one}")
        return [native for native in found if native]


def _id_of(piece: Slice) -> str:
    try:
        note = a_mem_notes.flat(parse_object(piece.raw))
    except RecordFaultError:
        return ""
    native = note.get("id")
    return str(native) if isinstance(native, str | int) else ""


def _begin(data: bytes) -> Slice:
    return Slice(1, 0, len(data), data.removeprefix(b"\xef\xbb\xbf").lstrip())


def _mapped(piece: Slice) -> list[Slice]:
    """The notes of a map from id to note, which is how A-Mem holds them in memory.

    A map that is cut short gives the notes before the cut, and the cut one as a failed slice.
    """
    raw = piece.raw
    if not _MAP.match(raw):
        return []
    spans = list(json_tokens.members(raw).values())
    if not spans or not all(raw.startswith(b"{", span.start) for span in spans):
        return []
    if not _is_record(frozenset(json_tokens.members(raw[spans[0].start : spans[0].end]))):
        return []
    found = [_part(piece, span.start, span.end) for span in spans]
    if extent.end_of_value(raw, 0) < 0:
        cut = Failed(FailReason.CUT_SHORT)
        found.append(_part(piece, spans[-1].end, len(raw))._replace(last=True, fault=cut))
    return found


def _part(piece: Slice, start: int, end: int) -> Slice:
    line = piece.line + piece.raw.count(b"\n", 0, start)
    return Slice(line, piece.start + start, piece.start + end, piece.raw[start:end])

"""Reads Mem0 JSON: ``get_all``, ``search``, a platform page, the Qdrant export, ``history``.

Field mapping (their word to ours): ``memory``, ``data`` or ``content`` is the claim; ``id`` gives
``mem0:<id>``; ``created_at``, or a later ``updated_at``, is ``written_at``; ``expiration_date``
ends validity; ``user_id``, ``agent_id``, ``app_id``, ``run_id`` and ``session_id`` are scope. All
else is kept under ``foreign``. Checked against fixtures in ``tests/data/mem0``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from importers import reads, shape
from importers.json_reading import slices as json_slices
from importers.json_reading.slices import Beside, Slice
from importers.json_reading.strict import JsonObject
from importers.mem0 import changes, rows, succession
from importers.mem0.changes import Changes, span_of
from importers.source import Head, Source
from store.cells import Proposal
from store.records import FailReason, Nothing, Read, Remark, RemarkCode

VERSION: Final = "1"
CANNOT_TELL: Final[tuple[RemarkCode, ...]] = ()
DEFAULT_PAGE: Final = 20
"""``get_all`` and ``search`` return at most this many rows unless told otherwise."""

_OWN: Final = frozenset(
    {
        "hash",
        "user_id",
        "agent_id",
        "run_id",
        "score",
        "created_at",
        "categories",
        "lifecycle_state",
    }
)
_LISTS: Final = frozenset({"results", "records", "relations"})


def recognises(head: Head) -> bool:
    """Whether the first records have Mem0's text field with one of its own fields beside it."""
    if head.is_folder:
        return False
    seen = shape.of(head.data, _LISTS)
    if ("kind", b'"mem0_oss_qdrant_export"') in seen.beside:
        return True
    if seen.form == "object" and not seen.records:
        return "results" in seen.keys and seen.keys <= {
            "results",
            "relations",
            "count",
            "next",
            "previous",
        }
    wrapped = seen.form == "object"
    return any(_is_row(keys, wrapped=wrapped) for keys in seen.records)


def _is_row(keys: frozenset[str], *, wrapped: bool) -> bool:
    """Whether a record is Mem0's. Inside Mem0's wrapper an id beside the text is enough."""
    if "claim" in keys:
        return False
    if "memory_id" in keys:
        return bool(keys & {"new_memory", "old_memory", "new_value", "previous_value"})
    if "memory" in keys:
        return bool(keys & _OWN) or (wrapped and "id" in keys)
    return {"data", "hash"} <= keys


def read(source: Source) -> Iterator[Read | Remark]:
    """One ``Read`` per row, in file order, then what is to be said of the whole file."""
    head = source.head()
    seen = shape.of(head.data, _LISTS)
    if not seen.form:
        yield reads.broken_source(FailReason.NOT_JSON, head.data)
        return
    yield from reads.with_tail(_Reader(source, seen).reads())


class _Reader:
    def __init__(self, source: Source, seen: shape.Shape) -> None:
        self._source, self._form = source, seen.form
        self._changes = Changes(modified_at=source.modified_at)
        self._tally = reads.Tally()
        self._beside: dict[str, bytes] = {}
        self._rows = 0
        linked = seen.form != "lines" and b'"replaced_by"' in source.head().data
        self._links = succession.of(self._pieces) if linked else succession.Succession()

    def reads(self) -> Iterator[Read | Remark]:
        """All rows, then the remarks."""
        for piece in self._pieces():
            yield reads.read_one(piece, self._relation if piece.key == "relations" else self._row)
        if self._beside.keys() & _LISTS:  # a member that should have been a list, and is not
            yield reads.broken_source(FailReason.WRONG_SHAPE, self._source.head().data)
        if self._rows == DEFAULT_PAGE and not self._beside.keys() & {"count", "kind"}:
            yield Remark(RemarkCode.TRUNCATED_AT_20, DEFAULT_PAGE)
        told = self._beside.get("record_count", b"").strip()
        if told.isdigit() and int(told) != self._rows:
            yield Remark(RemarkCode.COUNTS_DIFFER, 1)
        if self._beside.get("next", b"null").strip() not in (b"null", b'""'):
            yield Remark(RemarkCode.NEXT_PAGE_EXISTS)
        yield from self._tally.remarks()

    def _pieces(self) -> Iterator[Slice]:
        with self._source.open() as stream:
            if self._form == "lines":
                yield from json_slices.lines(stream)
                return
            for one in json_slices.elements(stream, _LISTS):
                if isinstance(one, Beside):
                    if one.raw:
                        self._beside[one.key] = one.raw
                else:
                    yield one

    def _relation(self, record: JsonObject, raw: bytes) -> Proposal | Nothing:
        return rows.relation(record, raw, modified_at=self._source.modified_at)

    def _row(self, record: JsonObject, raw: bytes) -> Proposal | Nothing:
        if changes.is_change(record):
            return self._changes.found(record, span_of(record, raw))
        self._rows += 1
        native = record.get("id")
        linked = self._links.replaces.get(native, ()) if isinstance(native, str) else ()
        found = rows.proposal(record, raw, modified_at=self._source.modified_at, replaces=linked)
        if isinstance(found, Proposal):
            later = record.get("replaced_by")
            if isinstance(later, str) and later and later not in self._links.present:
                self._tally.add(RemarkCode.LATER_VERSION_EXISTS)
                found = replace(found, remarks=(*found.remarks, RemarkCode.LATER_VERSION_EXISTS))
        return found

"""Reads the memory parts of a Claude.ai export: ``memories.json`` and projects.

A memory was written by a model, without dates and sources, so each of its paragraphs is an insight
of an account or of a project. Instructions and documents of a project were put there by people and
are references. A list of either, or one object alone, is read; so are the newer memory files. A
text that cannot be read fails alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from importers import fields, json_records, reads
from importers.claude_ai.memory_claims import Claims, Text
from importers.faults import RecordFaultError
from importers.json_reading import parts
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject
from importers.source import Head, Source
from importers.times import Moment
from store.records import Failed, FailReason, Nothing, NothingReason, Read, Remark, RemarkCode

VERSION: Final = "1"
CANNOT_TELL: Final = (
    RemarkCode.NO_TIMES,
    RemarkCode.NO_IDS,
    RemarkCode.INSIGHT_ONLY,
    RemarkCode.SOURCE_LINK_ABSENT,
)
"""Of memories. Projects have times and ids."""

SYSTEM: Final = "claude-ai:"
_LISTS: Final = frozenset({"memories", "projects"})
_MEMORY: Final = frozenset({"conversations_memory", "project_memories", "memory_files"})
_PROJECT: Final = frozenset({"docs", "prompt_template"})
_PATHS: Final = ("path", "file_path", "filename", "file_name", "name", "title", "uuid", "id")
_TEXTS: Final = ("content", "text", "body")
_TIMES: Final = ("updated_at", "created_at")
_ABSENT: Final = (b"null", b"[]", b"{}", b'""')


def recognises(head: Head) -> bool:
    """Whether the first records hold a memory of conversations, or are projects."""
    if head.is_folder:
        return False
    seen = json_records.keys(head.data, _LISTS).records
    return any(_is_memory(keys) or _is_project(keys) for keys in seen)


def _is_memory(keys: Iterable[str]) -> bool:
    return not {"conversations_memory", "project_memories"}.isdisjoint(keys)


def _is_project(keys: Iterable[str]) -> bool:
    told = frozenset(keys)
    return {"uuid", "name"} <= told and bool(told & _PROJECT) and "chat_messages" not in told


def read(source: Source) -> Iterator[Read | Remark]:
    """Every paragraph of every memory and document, in file order."""
    head = source.head()
    seen = json_records.keys(head.data, _LISTS)
    if not seen.form:
        yield reads.broken_source(FailReason.NOT_JSON, head.data)
        return
    if any(_is_memory(keys) for keys in seen.records):
        yield from (Remark(code) for code in CANNOT_TELL)
    yield from reads.with_tail(_Reader(source, seen.form).reads())


class _Reader:
    def __init__(self, source: Source, form: str) -> None:
        self._source, self._form = source, form
        self._claims = Claims(modified_at=source.modified_at)

    def reads(self) -> Iterator[Read | Remark]:
        for one in json_records.pieces(self._source, self._form, _LISTS):
            if isinstance(one, Slice):
                yield from self._record(one)
            elif one.key in _LISTS and one.raw:
                yield reads.broken_source(FailReason.WRONG_SHAPE, self._source.head().data)
        if self._claims.references:
            yield Remark(RemarkCode.REFERENCE_ONLY, self._claims.references)

    def _record(self, piece: Slice) -> Iterator[Read]:
        """The reads of one record; one empty read for a record without any text."""
        place = reads.place_of(piece)
        if piece.fault is None and not piece.raw.strip():
            yield Read(place, piece.raw, Nothing(NothingReason.BLANK_LINE))
            return
        try:
            record, large = parts.opened(piece, _MEMORY | _PROJECT)
            if not large and not _is_project(record):
                yield Read(place, piece.raw, Failed(FailReason.WRONG_SHAPE))
                return
            told = self._project if _is_project({**record, **large}) else self._memory
            none = True
            for one in told(record, large, piece):
                none = False
                yield one
            if none:
                yield Read(place, piece.raw, Nothing(NothingReason.EMPTY_TEXT))
        except RecordFaultError as fault:
            yield Read(place, piece.raw, fault.failed)

    def _memory(self, record: JsonObject, large: dict[str, Slice], piece: Slice) -> Iterator[Read]:
        account = fields.identity(record, "account_uuid") or ""
        scope = {"account": account} if account else {}
        foreign: dict[str, object] = {"claimed_tenant": account} if account else {}
        own = f"{SYSTEM}memory/{account}"
        for name, part in large.items():
            if part.raw in _ABSENT:
                continue
            if name == "conversations_memory":
                yield from self._claims.insights(Text(piece, part, own, scope, foreign))
                continue
            try:
                if name == "memory_files":
                    for number, one in enumerate(parts.elements(part)):
                        yield from self._file(one, f"{own}/file", scope, foreign, number)
                elif name == "project_memories":
                    for project, one in parts.members(part):
                        in_project = {"project": project}
                        text = Text(piece, one, f"{own}/{project}", in_project, foreign)
                        yield from self._claims.insights(text)
            except RecordFaultError as fault:
                yield Read(reads.place_of(part), part.raw, fault.failed)

    def _file(
        self,
        piece: Slice,
        own: str,
        scope: dict[str, str],
        foreign: dict[str, object],
        number: int,
    ) -> Iterator[Read]:
        """A newer export's memory file, an object with a path and a text, or a text alone."""
        if piece.raw.startswith(b'"'):
            yield from self._claims.insights(Text(piece, piece, f"{own}/{number}", scope, foreign))
            return
        try:
            record, large = parts.opened(piece, frozenset(_TEXTS))
            path = _first(record, _PATHS) or str(number)
            part = next((large[name] for name in _TEXTS if name in large), None)
            if part is None or part.raw in _ABSENT:
                yield Read(reads.place_of(piece), piece.raw, Nothing(NothingReason.EMPTY_TEXT))
                return
            told = foreign | {
                name: fields.told(value) for name, value in record.items() if value is not None
            }
            text = Text(piece, part, f"{own}/{path}", scope, told, _written(record))
            yield from self._claims.insights(text)
        except RecordFaultError as fault:
            yield Read(reads.place_of(piece), piece.raw, fault.failed)

    def _project(
        self, record: JsonObject, large: dict[str, Slice], piece: Slice
    ) -> Iterator[Read]:
        project = fields.needed(record, "uuid")
        scope = {"project": project}
        at = _written(record)
        foreign: dict[str, object] = {}
        for name in ("name", "description"):
            if told := fields.text(record, name):
                foreign[f"project_{name}"] = told
        own = f"{SYSTEM}project/{project}"
        for name, part in large.items():
            if part.raw in _ABSENT:
                continue
            if name == "prompt_template":
                text = Text(piece, part, f"{own}/instructions", scope, foreign, at)
                yield from self._claims.documents(text)
                continue
            try:
                if name == "docs":
                    for number, one in enumerate(parts.elements(part)):
                        yield from self._document(one, f"{own}/doc", scope, foreign, number)
            except RecordFaultError as fault:
                yield Read(reads.place_of(part), part.raw, fault.failed)

    def _document(
        self,
        piece: Slice,
        own: str,
        scope: dict[str, str],
        foreign: dict[str, object],
        number: int,
    ) -> Iterator[Read]:
        try:
            record, large = parts.opened(piece, frozenset(_TEXTS))
            native = fields.identity(record, "uuid") or _first(record, _PATHS) or str(number)
            part = next((large[name] for name in _TEXTS if name in large), None)
            if part is None or part.raw in _ABSENT:
                yield Read(reads.place_of(piece), piece.raw, Nothing(NothingReason.EMPTY_TEXT))
                return
            told = foreign | {
                name: fields.told(value) for name, value in record.items() if value is not None
            }
            text = Text(piece, part, f"{own}/{native}", scope, told, _written(record))
            yield from self._claims.documents(text)
        except RecordFaultError as fault:
            yield Read(reads.place_of(piece), piece.raw, fault.failed)


def _first(record: JsonObject, names: tuple[str, ...]) -> str | None:
    found = (fields.identity(record, name, called="path") for name in names)
    return next((one for one in found if one), None)


def _written(record: JsonObject) -> Moment | None:
    found = (fields.instant(record, name) for name in _TIMES)
    return next((one for one in found if one), None)

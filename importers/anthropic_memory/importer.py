"""Reads what Anthropic's memory tool keeps: the folder ``/memories``, or saved views of it.

The tool keeps plain files of any type, with no metadata, so any text in the folder is a document
that is cut into claims; hidden files are passed over, as the tool does. The text was written by a
model. In a saved view, headers and line numbers are the tool's and are taken off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from importers import claude_files, fields, memory_documents, reads
from importers.anthropic_memory import views as anthropic_memory_views
from importers.anthropic_memory.views import View
from importers.claude_files import FileSort
from importers.memory_documents import Lines, Piece
from importers.source import Head, Source, SourceRefusedError
from store.cells import Kind, Proposal, SourceType, Span
from store.records import (
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
CANNOT_TELL: Final = (
    RemarkCode.NO_TIMES,
    RemarkCode.NO_OWNER,
    RemarkCode.NO_IDS,
    RemarkCode.MODEL_MADE,
)
MAX_BYTES: Final = 4 * 1024 * 1024
FOLDER: Final = "memories"
_KEPT: Final = 8 * 1024
_OTHERS: Final = (b'"conversations_memory"', b'"chat_messages"', b'"memory_store_id"')
_SPECIFIC: Final = frozenset({FileSort.TOPIC, FileSort.INDEX})
_RULES: Final = frozenset({"claude.md", "agents.md", "claude.local.md", "memory.md"})


def recognises(head: Head) -> bool:
    """Whether a folder has ``memories`` in it and no other format's files, or a text is a view."""
    if not head.is_folder:
        return anthropic_memory_views.is_view(head.data)
    return any(_inside(one.name) for one in head.members) and not any(
        _is_another_s(one) for one in head.members
    )


def _is_another_s(head: Head) -> bool:
    if head.name.lower().rsplit("/", 1)[-1] in _RULES:
        return True
    if any(sign in head.data for sign in _OTHERS) or head.data.startswith(b"PK\x03\x04"):
        return True
    return claude_files.sort_of(head.name, head.data) in _SPECIFIC


def _inside(name: str) -> bool:
    return FOLDER in name.split("/")[:-1]


def read(source: Source) -> Iterator[Read | Remark]:
    """Every piece of every file, folder order, then what holds for the whole."""
    yield from (Remark(code) for code in CANNOT_TELL)
    reader = _Reader()
    members = source.members if source.is_folder else (source,)
    within = any(_inside(one.name) for one in members)
    for one in members:
        outside = within and not _inside(one.name)
        yield from reader.reads(one, one.name if source.is_folder else "", outside=outside)
    yield from reader.tally.remarks()


class _Reader:
    def __init__(self) -> None:
        self.tally = reads.Tally()
        self._seen: Counter[str] = Counter()

    def reads(self, source: Source, member: str, *, outside: bool) -> Iterator[Read]:
        nowhere = Place(line=0, start=0, end=0, member=member)
        if member and (outside or any(one.startswith(".") for one in member.split("/"))):
            self.tally.add(RemarkCode.MEMBERS_PASSED_OVER)
            yield Read(nowhere, b"", Nothing(NothingReason.NOT_A_MEMORY))
            return
        try:
            data = source.whole(MAX_BYTES)
        except SourceRefusedError:
            yield Read(nowhere, b"", Failed(FailReason.TOO_LONG))
            return
        if b"\0" in data:
            self.tally.add(RemarkCode.MEMBERS_PASSED_OVER)
            yield Read(nowhere, b"", Nothing(NothingReason.NOT_A_MEMORY))
            return
        document = _Document(source, data, member, self._seen)
        if anthropic_memory_views.is_view(data) or anthropic_memory_views.is_numbered(data):
            self.tally.add(RemarkCode.RENDERED_NUMBERS)
            yield from document.shown()
        else:
            yield from document.kept()


class _Document:
    """One file, as the tool keeps it or as the tool printed it."""

    def __init__(self, source: Source, data: bytes, member: str, seen: Counter[str]) -> None:
        self._data, self._member, self._seen = data, member, seen
        self._modified_at = source.modified_at
        self._path = _path(member or source.name)
        self._lines = Lines(data)

    def kept(self) -> Iterator[Read]:
        pieces = list(memory_documents.split(self._data))
        for one in pieces:
            place = Place(one.line, one.start, one.end, self._member)
            spans = (Span(0, len(one.raw)),)
            yield Read(place, one.raw, self._found(one, self._path, spans))
        if not pieces:
            yield self._empty(0, len(self._data))

    def shown(self) -> Iterator[Read]:
        none = True
        for view in anthropic_memory_views.views(self._data):
            none = False
            if view.is_folder:
                yield self._at(view.start, view.end, Nothing(NothingReason.INDEX_ONLY))
                continue
            pieces = list(memory_documents.split(view.text))
            for one in pieces:
                yield self._numbered(view, one)
            if not pieces:
                yield self._empty(view.start, view.end)
        if none:
            yield self._empty(0, len(self._data))

    def _numbered(self, view: View, one: Piece) -> Read:
        """A piece whose lines have numbers before them, which are no evidence."""
        start, end = view.place(one.start), view.place(one.end - 1) + 1
        spans: list[Span] = []
        for begin, stop in _line_spans(one):
            at = view.place(begin)
            spans.append(Span(at - start, at - start + stop - begin))
        found = self._found(one, _path(view.path) if view.path else self._path, tuple(spans))
        return self._at(start, end, found)

    def _at(self, start: int, end: int, found: Proposal | Nothing | Failed) -> Read:
        line = self._lines.of(start)
        return Read(Place(line, start, end, self._member), self._data[start:end], found)

    def _empty(self, start: int, end: int) -> Read:
        return self._at(start, min(end, start + _KEPT), Nothing(NothingReason.EMPTY_TEXT))

    def _found(
        self, one: Piece, path: str, evidence: tuple[Span, ...]
    ) -> Proposal | Nothing | Failed:
        if one.fault is not None:
            return one.fault
        if not one.claim:
            return Nothing(NothingReason.NOT_A_MEMORY)
        mark = fields.fingerprint(one.section, one.claim)[:16]
        foreign = {"path": path} | ({"section": one.section} if one.section else {})
        assumed = (RemarkCode.WRITTEN_AT_ASSUMED,) if self._modified_at else ()
        return Proposal(
            claim=one.claim,
            kind=Kind.FACT,
            source_type=SourceType.AGENT_SUMMARY,
            source_id=fields.numbered(f"memory-tool:{path}#{mark}", self._seen),
            written_at=self._modified_at,
            verbatim=one.verbatim,
            evidence=evidence,
            foreign=foreign,
            remarks=(RemarkCode.MODEL_MADE, *assumed),
        )


def _line_spans(one: Piece) -> Iterator[tuple[int, int]]:
    """The lines of a piece, as ranges of the text it was cut from."""
    start = one.start
    for line in one.raw.split(b"\n"):
        if line.strip():
            yield start, start + len(line)
        start += len(line) + 1


def _path(name: str) -> str:
    """The file's path as the tool names it, below ``/memories``."""
    parts = [one for one in name.split("/") if one]
    if FOLDER in parts[:-1]:
        parts = parts[parts.index(FOLDER) + 1 :]
    return "/".join(("", FOLDER, *parts))

"""Reads Claude Code's memory files: auto memory, CLAUDE.md, AGENTS.md and rules.

Alone or as a folder. Auto memory, an index and topics, was written by a model and comes as
proposals. Rules were written by people and are governed where they live, so each comes as a
reference that cannot be promoted. ``@imports`` are not followed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from importers import calm_marks, claude_files, fields, markdown_blocks
from importers.claude_files import FileSort
from importers.claude_topics import MAX_TEXT, Topic
from importers.faults import RecordFaultError
from importers.markdown_blocks import Block, Sort
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

VERSION: Final = "2"
CANNOT_TELL: Final = (RemarkCode.NO_IDS,)
MAX_BYTES: Final = 4 * 1024 * 1024


def recognises(head: Head) -> bool:
    """Whether the file, or some file of the folder, reads like one of Claude Code's."""
    if not head.is_folder:
        return claude_files.sort_of(head.name, head.data) is not None
    sorts = {
        claude_files.sort_of(one.name, one.data) for one in head.members if _markdown(one.name)
    }
    return bool(sorts - {None})


def _markdown(name: str) -> bool:
    return name.lower().endswith((".md", ".markdown"))


def read(source: Source) -> Iterator[Read | Remark]:
    """Reads of every file, folder order, then what holds for the whole."""
    yield from (Remark(code) for code in CANNOT_TELL)
    members = source.members if source.is_folder else (source,)
    folder = _Folder(source)
    for member in members:
        yield from folder.reads(member)
    yield from folder.remarks()


class _Folder:
    def __init__(self, source: Source) -> None:
        self._is_folder = source.is_folder
        self._indexed: set[str] = set()
        self._topics: set[str] = set()
        self._rules = 0
        names = [one.name.lower().rsplit("/", 1)[-1] for one in source.members]
        self._among_memory = "memory.md" in names

    def reads(self, source: Source) -> Iterator[Read]:
        member = source.name if self._is_folder else ""
        nowhere = Place(line=0, start=0, end=0, member=member)
        try:
            data = source.whole(MAX_BYTES)
        except SourceRefusedError:
            yield Read(nowhere, b"", Failed(FailReason.TOO_LONG))
            return
        looks_right = _markdown(source.name) or not self._is_folder
        sort = claude_files.sort_of(source.name, data, among_memory=self._among_memory)
        if not looks_right or (sort is None and self._is_folder):
            yield Read(nowhere, b"", Nothing(NothingReason.NOT_A_MEMORY))
        elif sort is None:
            yield self._unreadable(data, member)
        elif sort is FileSort.RULES:
            yield from self._rule_reads(source, data, member)
        elif sort is FileSort.INDEX:
            yield from self._index_reads(source, data, member)
        else:
            self._topics.add(source.name.rsplit("/", 1)[-1])
            yield from self._topic_reads(source, data, member)

    def remarks(self) -> Iterator[Remark]:
        """Where index and topics disagree, and how much is for reference only."""
        if self._is_folder and self._indexed:
            apart = len(self._indexed ^ self._topics)
            if apart:
                yield Remark(RemarkCode.DANGLING_LINK, apart)
        if self._rules:
            yield Remark(RemarkCode.REFERENCE_ONLY, self._rules)

    def _unreadable(self, data: bytes, member: str) -> Read:
        line = data[:1024].split(b"\n", 1)[0]
        place = Place(line=1, start=0, end=len(line), member=member)
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            return Read(place, line, Failed(FailReason.NOT_UTF8, error.start))
        return Read(place, line, Failed(FailReason.WRONG_SHAPE))

    def _topic_reads(self, source: Source, data: bytes, member: str) -> Iterator[Read]:
        topic = Topic(source.name, data, member=member, modified_at=source.modified_at)
        yield from topic.reads()

    def _index_reads(self, source: Source, data: bytes, member: str) -> Iterator[Read]:
        others = False
        for block in markdown_blocks.blocks(data):
            link = claude_files.INDEX_LINE.match(block.raw)
            if link:
                self._indexed.add(link[1].decode("utf-8", "replace").rsplit("/", 1)[-1])
                place = Place(block.line, block.start, block.end, member)
                yield Read(place, block.raw, Nothing(NothingReason.INDEX_ONLY))
            else:
                others = others or block.sort is not Sort.HEADING
        if others:
            topic = Topic(source.name, data, member=member, modified_at=source.modified_at)
            for one in topic.reads():
                if not claude_files.INDEX_LINE.match(one.raw):
                    yield one

    def _rule_reads(self, source: Source, data: bytes, member: str) -> Iterator[Read]:
        front, body = markdown_blocks.front_matter(data)
        seen: Counter[str] = Counter()
        for block in markdown_blocks.blocks(data, body):
            if block.sort is Sort.HEADING:
                continue
            place = Place(block.line, block.start, block.end, member)
            found = _rule(block, source, front, seen)
            self._rules += isinstance(found, Proposal)
            yield Read(place, block.raw, found)


def _rule(
    block: Block, source: Source, front: dict[str, str], seen: Counter[str]
) -> Proposal | Nothing | Failed:
    """One block of a rules file, for reference."""
    if block.sort in (Sort.COMMENT, Sort.IMPORT):
        return Nothing(NothingReason.NOT_A_MEMORY)
    if len(block.raw) > MAX_TEXT:
        return Failed(FailReason.TOO_LONG)
    try:
        marks = calm_marks.read(block.text())
    except RecordFaultError as fault:
        return fault.failed
    if not marks.text:
        return Nothing(NothingReason.EMPTY_TEXT)
    own = f"claude-rules:{source.name}#{fields.fingerprint(block.heading_path(), marks.text)[:16]}"
    own = fields.numbered(own, seen)
    assumed = (RemarkCode.WRITTEN_AT_ASSUMED,) if source.modified_at else ()
    scope = {"section": block.heading_path()} if block.section else {}
    if front.get("paths"):
        scope["paths"] = front["paths"]
    return Proposal(
        claim=marks.text,
        kind=Kind.REFERENCE,
        source_type=SourceType.DOCUMENT,
        source_id=own,
        written_at=source.modified_at,
        scope=scope,
        verbatim=block.sort is Sort.CODE,
        evidence=(Span(0, len(block.raw)),),
        foreign=marks.foreign,
        remarks=(RemarkCode.REFERENCE_ONLY, *assumed, *marks.remarks),
    )

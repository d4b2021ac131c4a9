"""Reads notes of basic-memory: Markdown with observations and relations; one note or a folder.

Field mapping (their word to ours): an observation's text is the claim and its category the kind;
title and wiki links are entities; project, folder and tags are scope; ``modified`` is
``written_at``; ``supersedes [[X]]`` is an edge to note X. ``status`` of a decision is the file's
claim. Its ``memory.json`` is the MCP memory server's, which ``mcp_memory`` reads.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from importers import markdown_blocks
from importers.basic_memory import lines
from importers.basic_memory.note import Note, slug
from importers.faults import RecordFaultError
from importers.source import Head, Source, SourceRefusedError
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
CANNOT_TELL: Final = (RemarkCode.NO_WRITER,)
MAX_BYTES: Final = 4 * 1024 * 1024
_ITEM: Final = re.compile(rb"^[ \t]*[-*+][ \t]+([^\r\n]+)", re.MULTILINE)
_HEADING: Final = re.compile(rb"^#{1,6}[ \t]+(?:Observations|Relations)[ \t]*\r?$", re.MULTILINE)
_OWN: Final = frozenset({"permalink", "type", "tags", "schema"})
_FOREIGN: Final = frozenset({"name", "description", "layout", "date", "draft", "paths"})
_LOOKED_AT: Final = 200


def recognises(head: Head) -> bool:
    """Whether the file, or some file of the folder, is a note by front matter or by bullets."""
    if head.is_folder:
        return any(_is_note(one.data) for one in head.members if _markdown(one.name))
    return _is_note(head.data)


def _markdown(name: str) -> bool:
    return name.lower().endswith((".md", ".markdown"))


def _is_note(data: bytes) -> bool:
    if b"\0" in data:
        return False
    try:
        front, body = markdown_blocks.front_matter(data)
    except RecordFaultError:
        return False
    if "title" in front and not _FOREIGN & front.keys():
        if front.keys() & {"permalink", "type"}:
            return True
        if _OWN & front.keys():
            return _speaks(data[body:]) > 0
    return not front and _speaks(data) > 1


def _speaks(body: bytes) -> int:
    """How many of three signs there are: observations, relations, their own headings."""
    observed = related = False
    for item in list(_ITEM.finditer(body))[:_LOOKED_AT]:
        words = item[1].decode("utf-8", "replace").strip()
        if lines.relation(words):
            related = True
        elif (said := lines.observation(words)) is not None:
            observed = observed or said.category != lines.NO_CATEGORY
    return observed + related + bool(_HEADING.search(body))


def read(source: Source) -> Iterator[Read | Remark]:
    """Every bullet and block of every note, in folder order, then what holds for the whole."""
    yield from (Remark(code) for code in CANNOT_TELL)
    if not source.is_folder:
        yield from _alone(source)
        return
    folder = _Folder(source)
    for member in source.members:
        yield from folder.reads(member)
    if folder.dangling:
        yield Remark(RemarkCode.DANGLING_LINK, folder.dangling)


def _alone(source: Source) -> Iterator[Read]:
    note = _opened(source, "")
    yield from (note,) if isinstance(note, Read) else note.reads(slug)


def _opened(source: Source, member: str) -> Note | Read:
    """The note, or the one failed record of a file that cannot be read as one."""
    try:
        data = source.whole(MAX_BYTES)
    except SourceRefusedError:
        place = Place(line=0, start=0, end=0, member=member)
        return Read(place, b"", Failed(FailReason.TOO_LONG))
    failed = Failed(FailReason.WRONG_SHAPE)
    if b"\0" not in data:
        try:
            return Note(source.name, data, member=member, modified_at=source.modified_at)
        except RecordFaultError as fault:
            failed = fault.failed
    line = data[:1024].split(b"\n", 1)[0]
    return Read(Place(line=1, start=0, end=len(line), member=member), line, failed)


class _Folder:
    """Notes that name each other. It keeps their keys, titles and permalinks."""

    def __init__(self, source: Source) -> None:
        self._keys: dict[str, str] = {}
        """Of notes by member name."""

        self._named: dict[str, str] = {}
        """Keys by title and by permalink, in lower case."""

        self.dangling = 0
        taken: Counter[str] = Counter()
        for member in source.members:
            note = _opened(member, member.name) if _is_read(member.name) else None
            if not isinstance(note, Note):
                continue
            taken[note.key] += 1
            stem = member.name.rsplit(".", 1)[0]
            key = note.key if taken[note.key] == 1 else slug(stem)
            self._keys[member.name] = key
            for name in (note.title, note.permalink, stem, key):
                self._named.setdefault(name.lower(), key)

    def reads(self, member: Source) -> Iterator[Read]:
        if not _is_read(member.name):
            place = Place(line=0, start=0, end=0, member=member.name)
            yield Read(place, b"", Nothing(NothingReason.NOT_A_MEMORY))
            return
        note = _opened(member, member.name)
        if isinstance(note, Read):
            yield note
            return
        note.key = self._keys[member.name]
        self.dangling += sum(one.lower() not in self._named for one in note.targets())
        yield from note.reads(lambda target: self._named.get(target.lower()) or slug(target))


def _is_read(name: str) -> bool:
    """Whether a member is a note; hidden files and folders are the programs' own."""
    return _markdown(name) and not any(one.startswith(".") for one in name.split("/"))

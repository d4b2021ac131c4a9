"""Reads Claude Code transcripts: session files, subagents' files, the web form, printed streams.

A run is a turn of a person with what follows until the next one, along the path that was followed;
other branches come as runs of their own that name the run beside them. A subagent's chain is a run
whose first words a model wrote. Files of one folder are read together, so that lines a resumed
session copied are told once. Explicit writes of memory come as proposals beside their run, see
``claude_code_memory``; nothing else in a transcript is a memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from typing import Final

from importers import reads, shape
from importers.claude_code import memory
from importers.claude_code.ids import Ids
from importers.claude_code.lines import BOOKKEEPING
from importers.claude_code.runs import LISTS, Transcript
from importers.claude_code.steps import Teller
from importers.faults import RecordFaultError
from importers.json_reading import slices as json_slices
from importers.json_reading.slices import Slice
from importers.json_reading.strict import parse_object
from importers.source import Head, Source
from store.cells import Proposal
from store.records import FailReason, Nothing, NothingReason, Place, Read, Remark, RemarkCode

VERSION: Final = "2"
CANNOT_TELL: Final = (RemarkCode.EVIDENCE_ONLY,)
_LOOKED_AT: Final = 40
_BROKEN: Final = re.compile(rb'"type"\s*:\s*"(?:user|assistant)".{0,600}?"message"\s*:\s*\{', re.S)
_PLACED: Final = re.compile(rb'"(?:sessionId|parentUuid|uuid|timestamp)"\s*:')
_TURNED: Final = re.compile(rb'"message"\s*:\s*\{.{0,200}?"role"\s*:\s*"(?:user|assistant)"', re.S)


def recognises(head: Head) -> bool:
    """Whether some of the first lines are messages or bookkeeping of Claude Code."""
    if head.is_folder:
        return any(recognises(one) for one in head.members)
    pieces = islice(_pieces(head.data), _LOOKED_AT)
    return any(_is_line(piece.raw) for piece in pieces)


def _pieces(data: bytes) -> Iterator[Slice]:
    if _form(data) == "lines":
        yield from json_slices.lines(BytesIO(data))
        return
    for one in json_slices.elements(BytesIO(data), LISTS):
        if isinstance(one, Slice):
            yield one


def _form(data: bytes) -> str:
    begin = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if begin.startswith(b"["):
        return "list"
    return "object" if shape.of(data, LISTS).form == "object" else "lines"


def _is_line(raw: bytes) -> bool:
    try:
        record = parse_object(raw)
    except RecordFaultError:  # cut by the end of the head, or broken
        if not raw.lstrip().startswith(b"{"):
            return False
        said = _BROKEN.search(raw[:4_096]) or _TURNED.search(raw[:4_096])
        return bool(said and _PLACED.search(raw[:4_096]) and b'"type"' in raw[:65_536])
    kind = record.get("type")
    if not isinstance(kind, str):
        return False
    if kind == "summary":
        return {"summary", "leafUuid"} <= record.keys()
    if kind in ("user", "assistant"):
        placed = {"sessionId", "session_id", "uuid", "parentUuid", "timestamp"} & record.keys()
        return bool("message" in record and placed)
    if kind in ("system", "attachment", "progress"):
        return "sessionId" in record and "uuid" in record
    return kind in BOOKKEEPING and bool({"sessionId", "messageId", "leafUuid"} & record.keys())


def read(source: Source) -> Iterator[Read | Remark]:
    """Every run and every line that is in none, file by file, then what holds for the whole."""
    yield from reads.with_tail(_Reader(source).reads())


class _Reader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._tally = reads.Tally()
        self._ids = Ids()
        self._lines = 0
        self._memories = 0

    def reads(self) -> Iterator[Read | Remark]:
        members = self._source.members if self._source.is_folder else (self._source,)
        for member in members:
            for one in self._member(member):
                self._memories += isinstance(one.found, Proposal)
                yield one
        if not self._memories:
            yield from (Remark(code) for code in CANNOT_TELL)
        yield from self._tally.remarks()

    def _member(self, source: Source) -> Iterator[Read]:
        head = source.head()
        name = source.name if self._source.is_folder else ""
        if name and not recognises(head):
            self._tally.add(RemarkCode.MEMBERS_PASSED_OVER)
            place = Place(line=0, start=0, end=0, member=name)
            yield Read(place, b"", Nothing(NothingReason.NOT_A_MEMORY))
            return
        form = _form(head.data)
        if form == "object" and not self._has_list(source):
            yield reads.broken_source(FailReason.WRONG_SHAPE, head.data)
            return
        transcript = Transcript(source, self._tally, form=form, member=name)

        def beyond(teller: Teller) -> Iterator[Read]:
            yield from memory.writes(teller, member=name, modified_at=source.modified_at)

        yield from transcript.reads(self._ids, self._lines, beyond)
        self._lines += len(transcript)

    def _has_list(self, source: Source) -> bool:
        """Whether what should be a list of lines is one."""
        with source.open() as stream:
            for one in json_slices.elements(stream, LISTS):
                if isinstance(one, Slice):
                    return True
                if one.key in LISTS:
                    return not one.raw
        return False

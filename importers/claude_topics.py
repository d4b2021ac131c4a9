"""A topic file of Claude Code's auto memory, and its older free form, as reads.

The text was written by a model. The first block is the claim; ``**Why:**`` is kept as its
rationale and ``**How to apply:**`` as its scope. Whatever else the file says is read block by
block, so nothing of it is lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from importers import calm_lines, calm_marks, claude_files, fields, markdown_blocks, times
from importers.faults import RecordFaultError
from importers.markdown_blocks import Block, Sort
from store.cells import Kind, Proposal, SourceType, Span
from store.records import (
    Failed,
    FailReason,
    Nothing,
    NothingReason,
    Place,
    Read,
    RemarkCode,
)

KINDS: Final = {
    "user": Kind.PROFILE_PREFERENCE,
    "feedback": Kind.INSIGHT,
    "project": Kind.FACT,
    "reference": Kind.REFERENCE,
}
FILE_KEPT: Final = 8 * 1024
MAX_TEXT: Final = 64 * 1024
_WHY: Final = "**why:**"
_HOW: Final = "**how to apply:**"


class Topic:
    """One file: its front matter read once, then its blocks."""

    def __init__(self, name: str, data: bytes, *, member: str, modified_at: str | None) -> None:
        """``name`` identifies the file; ``member`` is its place in a folder, empty if alone."""
        self._data, self._member, self._modified_at = data, member, modified_at
        self._front, self._body = markdown_blocks.front_matter(data)
        stem = name.rsplit("/", 1)[-1].removesuffix(".md")
        self._name = self._front.get("name") or stem
        self._seen: Counter[str] = Counter()

    def reads(self) -> Iterator[Read]:
        """The claim with what belongs to it, then the other blocks."""
        why: list[Block] = []
        how: list[Block] = []
        said: list[Block] = []
        for block in markdown_blocks.blocks(self._data, self._body):
            begin = block.raw.lstrip(b"-*+ \t").lower()
            if block.sort is Sort.HEADING:
                continue
            if begin.startswith(_WHY.lstrip("*").encode()):
                why.append(block)
            elif begin.startswith(_HOW.lstrip("*").encode()):
                how.append(block)
            else:
                said.append(block)
        claims = [one for one in said if one.sort not in (Sort.COMMENT, Sort.IMPORT)]
        first = claims[0] if claims else None
        if first is None:
            yield Read(self._place(0, len(self._data), 1), self._data, _NO_TEXT)
            return
        if self._front:
            yield self._first(first, why, how)
        else:
            said += [*why, *how]
            yield self._block(first, first=False)
        for block in sorted(said, key=lambda one: one.start):
            if block is not first:
                yield self._block(block, first=False)

    def _place(self, start: int, end: int, line: int) -> Place:
        return Place(line=line, start=start, end=end, member=self._member)

    def _first(self, block: Block, why: list[Block], how: list[Block]) -> Read:
        if len(self._data) > FILE_KEPT:
            return self._block(block, first=True, why=why, how=how)
        spans = tuple(Span(one.start, one.end) for one in [block, *why, *how])
        place = self._place(0, len(self._data), 1)
        return Read(place, self._data, self._found(block, spans, first=True, why=why, how=how))

    def _block(
        self,
        block: Block,
        *,
        first: bool,
        why: list[Block] | None = None,
        how: list[Block] | None = None,
    ) -> Read:
        place = self._place(block.start, block.end, block.line)
        if block.sort in (Sort.COMMENT, Sort.IMPORT):
            return Read(place, block.raw, Nothing(NothingReason.NOT_A_MEMORY))
        if calm_lines.is_one(block.raw):
            return Read(place, block.raw, _line(block.raw))
        spans = (Span(0, len(block.raw)),)
        return Read(place, block.raw, self._found(block, spans, first=first, why=why, how=how))

    def _found(
        self,
        block: Block,
        spans: tuple[Span, ...],
        *,
        first: bool,
        why: list[Block] | None,
        how: list[Block] | None,
    ) -> Proposal | Nothing | Failed:
        if len(block.raw) > MAX_TEXT:
            return Failed(FailReason.TOO_LONG)
        try:
            marks = calm_marks.read(block.text())
            if not marks.text:
                return _NO_TEXT
            foreign: dict[str, object] = {
                **{name: value for name, value in self._front.items() if value},
                **marks.foreign,
            }
            if block.section:
                foreign["section"] = block.heading_path()
            if rationale := _words(why or [], _WHY):
                foreign["rationale"] = rationale
            applies = _words(how or [], _HOW)
            written_at, remarks = self._written_at()
            return Proposal(
                claim=marks.text,
                kind=KINDS.get(claude_files.type_of(self._front), Kind.FACT),
                source_type=SourceType.AGENT_SUMMARY,
                source_id=self._identity(marks.text, first=first),
                written_at=written_at,
                scope={"applies": applies} if applies else {},
                evidence=spans,
                foreign=foreign,
                remarks=(*remarks, *marks.remarks, RemarkCode.MODEL_MADE),
            )
        except RecordFaultError as fault:
            return fault.failed

    def _written_at(self) -> tuple[str | None, list[str]]:
        value = self._front.get("modified") or self._front.get("metadata.modified")
        if not value:
            assumed: list[str] = [RemarkCode.WRITTEN_AT_ASSUMED] if self._modified_at else []
            return self._modified_at, assumed
        found = times.moment(value)
        if found is None:
            raise RecordFaultError(FailReason.TIME_INVALID, name="modified")
        return found.text, [RemarkCode.TIME_ZONE_ASSUMED] if found.tz_assumed else []

    def _identity(self, text: str, *, first: bool) -> str:
        """The topic's name; for a further block, with a fingerprint of its text."""
        own = f"claude-memory:{self._name}"
        if first:
            return own
        return fields.numbered(f"{own}#{fields.fingerprint(text)[:16]}", self._seen)


_NO_TEXT: Final = Nothing(NothingReason.EMPTY_TEXT)


def _line(raw: bytes) -> Proposal | Nothing | Failed:
    """A line that the console wrote: all of it is told, so nothing is assumed."""
    try:
        return calm_lines.read(raw)
    except RecordFaultError as fault:
        return fault.failed


def _words(blocks: list[Block], label: str) -> str:
    return "\n".join(one.text()[len(label) :].strip() for one in blocks)

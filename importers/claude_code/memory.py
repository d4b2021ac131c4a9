"""Explicit writes of memory inside a run of Claude Code, as proposals beside it.

Three kinds: a file of auto memory or of an agent's memory that was written or edited, a call of
the memory tool on ``/memories``, and what a person told the program to remember. A write without
a result, one that failed and one that a person rejected give none. CLAUDE.md and rules are
governed where they lie, so edits of them stay steps of the run and nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from importers import claude_files
from importers.claude_code import words as claude_code_words
from importers.claude_code.calls import Call
from importers.claude_code.steps import Teller
from importers.claude_code.telling import Telling
from importers.claude_code.writes import Written
from importers.claude_files import FileSort
from importers.claude_topics import Topic
from importers.json_reading.slices import Slice
from importers.runs import text_in
from store.cells import Kind, Proposal, SourceType, Span
from store.records import Place, Read, RemarkCode

LINE_KEPT: Final = 8 * 1024


def writes(teller: Teller, *, member: str, modified_at: str | None) -> Iterator[Read]:
    """One read for each memory that was written in the run."""
    for own, call in teller.calls.made.items():
        if call.refused or call.doubtful or not call.answered or call.piece is None:
            continue
        count = 0
        for written in call.writes:
            for found in _proposals(_as_edited(written, call), call.at or modified_at):
                number = f"#{count}" if count else ""
                count += 1
                foreign = dict(found.foreign) | {"path": written.path, "claimed_writer": "model"}
                if written.replaces:
                    foreign["replaces_text"] = written.replaces
                made = replace(
                    found,
                    source_id=f"claude-code:{call.session}/{own}{number}",
                    foreign=foreign,
                    remarks=_remarks(found.remarks, call.at, modified_at),
                )
                yield _read(call.piece, made, member)
    yield from _remembered(teller, member, modified_at)


def _as_edited(written: Written, call: Call) -> Written:
    """With the text that a person left in place of the model's."""
    alone = len(call.writes) == 1 and call.edit is not None
    return replace(written, text=call.edit or "") if alone else written


def _proposals(written: Written, at: str | None) -> Iterator[Proposal]:
    data = written.text.encode("utf-8", "replace")
    if not written.text.strip():
        return
    if written.whole and written.path.endswith(".md"):
        if claude_files.sort_of(written.path, data) is FileSort.INDEX:
            return
        for read in Topic(written.path, data, member="", modified_at=None).reads():
            if isinstance(read.found, Proposal):
                yield replace(read.found, written_at=read.found.written_at or at)
        return
    yield Proposal(
        claim=written.text.strip(),
        kind=Kind.FACT,
        source_type=SourceType.AGENT_SUMMARY,
        source_id="",
        written_at=at,
        remarks=(RemarkCode.MODEL_MADE,),
    )


def _remembered(teller: Teller, member: str, modified_at: str | None) -> Iterator[Read]:
    for number, (text, line) in enumerate(teller.remembered):
        made = Proposal(
            claim=text,
            kind=Kind.FACT,
            source_type=SourceType.FOREIGN_MEMORY,
            source_id=f"claude-code:{_session(line)}#{claude_code_words.MEMORY}-{number}",
            written_at=line.at or modified_at,
            foreign={"claimed_writer": "user"},
            remarks=_remarks((), line.at, modified_at),
        )
        yield _read(line.piece, made, member)


def _session(line: Telling) -> str:
    session, uuid = line.record.get("sessionId"), line.record.get("uuid")
    return f"{session if isinstance(session, str) else ''}/{uuid if isinstance(uuid, str) else ''}"


def _remarks(own: tuple[str, ...], at: str | None, modified_at: str | None) -> tuple[str, ...]:
    assumed = at is None and modified_at is not None
    return (*own, RemarkCode.WRITTEN_AT_ASSUMED) if assumed else own


def _read(piece: Slice, made: Proposal, member: str) -> Read:
    """The line, or of a long one only the bytes that write the claim."""
    span = text_in(piece.raw, made.claim)
    if span is None or len(piece.raw) <= LINE_KEPT:
        place = Place(piece.line, piece.start, piece.end, member)
        evidence = (span,) if span else ()
        return Read(place, piece.raw, replace(made, evidence=evidence))
    line = piece.line + piece.raw.count(b"\n", 0, span.start)
    place = Place(line, piece.start + span.start, piece.start + span.end, member)
    whole = (Span(0, span.end - span.start),)
    return Read(place, piece.raw[span.start : span.end], replace(made, evidence=whole))

"""Reads ChatGPT's saved memories as a person copied them from "Manage memories": lines of text.

The export has no such list. Each line is a memory; list marks, numbers and the dialog's own words
are none. Lines of words look like any text, so only lines that speak of a user in the third
person, or stand under the dialog's title, are recognised; any other list is chosen by name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from importers import fields, reads, times
from importers.json_reading import slices as json_slices
from importers.json_reading.slices import Slice
from importers.source import Head, Source
from store.cells import Kind, Proposal, SourceType, Span
from store.records import (
    Failed,
    FailReason,
    Nothing,
    NothingReason,
    Read,
    Remark,
    RemarkCode,
)

VERSION: Final = "1"
CANNOT_TELL: Final = (
    RemarkCode.NO_TIMES,
    RemarkCode.NO_IDS,
    RemarkCode.NO_OWNER,
    RemarkCode.MODEL_MADE,
    RemarkCode.SOURCE_LINK_ABSENT,
)
MAX_LINE: Final = 8 * 1024
_LONGEST: Final = 600
"""Bytes of a line that is still like a saved memory; longer lines are prose or data."""

_MARK: Final = re.compile(
    r"\s*(?:[-*•]\s+|\d{1,4}[.)]\s+)?(?:\[(\d{4}-\d\d-\d\d)\]\.?\s*)?", re.ASCII
)
_DIALOG: Final = re.compile(
    r"(?:saved memories|manage memories|memories|memory|model set context|search memories"
    r"|delete all|delete|manage|сохран[её]нные воспоминания|управление воспоминаниями"
    r"|воспоминания|память|удалить вс[её]|удалить)[:.]?",
    re.IGNORECASE,
)
_TITLE: Final = re.compile(
    r"(?:saved memories|manage memories|model set context|сохран[её]нные воспоминания"
    r"|управление воспоминаниями)[:.]?",
    re.IGNORECASE,
)
_OF_A_USER: Final = re.compile(
    r"(?:(?:the )?user(?:'s)?|lives|works|prefers|likes|dislikes|loves|wants|has|is|uses|enjoys"
    r"|owns|speaks|plans|studies|needs|does not|doesn't|пользователь|жив[её]т|работает"
    r"|предпочитает|любит|хочет|использует|имеет|изучает|планирует)\s",
    re.IGNORECASE,
)
_PREFERS: Final = re.compile(
    r"\b(?:prefers?|likes?|dislikes?|wants?|enjoys?|loves?|предпочита\w+|любит|хочет|просит)\b",
    re.IGNORECASE,
)
_LOOKED_AT: Final = 40
_FOREIGN: Final = re.compile(r"^\s*[{\[<#|]|^---|\t|```", re.MULTILINE)


def recognises(head: Head) -> bool:
    """Whether it is a list of short lines of which most speak of a user, or the dialog's text."""
    if head.is_folder or b"\0" in head.data:
        return False
    try:
        begin = head.data[:4_096]
        text = begin.decode("utf-8-sig") if len(begin) < 4_096 else begin.decode("utf-8", "ignore")
    except UnicodeDecodeError:
        return False
    if _FOREIGN.search(text):
        return False
    lines = [one.strip(" -*•\r") for one in text.split("\n") if one.strip()][:_LOOKED_AT]
    if len(lines) < 2 or any(len(one.encode()) > _LONGEST for one in lines):
        return False
    titled = _TITLE.fullmatch(lines[0]) is not None
    told = sum(_OF_A_USER.match(re.sub(r"^\d+[.)]\s+", "", one)) is not None for one in lines)
    return titled or (told >= 2 and told * 2 >= len(lines))


def read(source: Source) -> Iterator[Read | Remark]:
    """One ``Read`` per line."""
    yield from (Remark(code) for code in CANNOT_TELL)
    seen: Counter[str] = Counter()
    with source.open() as stream:
        for piece in json_slices.lines(stream):
            yield Read(reads.place_of(piece), piece.raw, _found(piece, source.modified_at, seen))


def _found(
    piece: Slice, modified_at: str | None, seen: Counter[str]
) -> Proposal | Nothing | Failed:
    if piece.fault is not None or len(piece.raw) > MAX_LINE:
        return piece.fault or Failed(FailReason.TOO_LONG)
    if not piece.raw.strip():
        return Nothing(NothingReason.BLANK_LINE)
    try:
        whole = piece.raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return Failed(FailReason.NOT_UTF8, error.start)
    mark = _MARK.match(whole)
    begin, day = (mark.end(), mark[1]) if mark else (0, None)
    claim = whole[begin:].strip()
    if not claim or _DIALOG.fullmatch(claim):
        return Nothing(NothingReason.NOT_A_MEMORY)
    at = times.moment(day)
    if day and at is None:
        return Failed(FailReason.TIME_INVALID, name="created_at")
    remarks: list[RemarkCode] = [RemarkCode.MODEL_MADE, RemarkCode.NO_OWNER]
    if at is not None:
        remarks.append(RemarkCode.TIME_ZONE_ASSUMED)
    elif modified_at:
        remarks.append(RemarkCode.WRITTEN_AT_ASSUMED)
    start = len(whole[:begin].encode("utf-8"))
    return Proposal(
        claim=claim,
        kind=Kind.PROFILE_PREFERENCE if _PREFERS.search(claim) else Kind.FACT,
        source_type=SourceType.FOREIGN_MEMORY,
        source_id=fields.numbered(f"chatgpt:memory/{fields.fingerprint(claim)}", seen),
        written_at=at.text if at else modified_at,
        evidence=(Span(start, start + len(claim.encode("utf-8"))),),
        remarks=tuple(remarks),
    )

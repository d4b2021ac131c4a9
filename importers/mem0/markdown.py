"""Reads ``mem0-export-<project>-<date>.md`` of the Mem0 plugin: a header, then the text, repeated.

The header looks like YAML and is not: the first colon splits, lists are commas. A memory's own
text may hold a ``---`` line, so a new record begins only where ``---`` is followed by a header
with an ``id:``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from importers import fields, times
from importers.faults import RecordFaultError
from importers.source import Head, Source
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
CANNOT_TELL: Final = (RemarkCode.NO_OWNER, RemarkCode.MODEL_MADE)
MAX_BYTES: Final = 20 * 1024 * 1024
MAX_TEXT: Final = 64 * 1024
_BEGIN: Final = re.compile(
    rb"^---[ \t]*\r?\n(?=(?:[a-z_]{1,40}[ \t]*:[^\n]*\n){0,20}?id[ \t]*:)", re.MULTILINE
)
_CLOSE: Final = re.compile(rb"^---[ \t]*\r?$", re.MULTILINE)
_OWN: Final = re.compile(rb"^(?:confidence|categories|branch|files)[ \t]*:", re.MULTILINE)


def recognises(head: Head) -> bool:
    """Whether it begins with a header that has an id and one of the plugin's own fields."""
    data = head.data.removeprefix(b"\xef\xbb\xbf").lstrip()
    begin = _BEGIN.match(data)
    if head.is_folder or begin is None:
        return False
    close = _CLOSE.search(data, begin.end())
    return bool(close and _OWN.search(data, 0, close.start()))


def read(source: Source) -> Iterator[Read | Remark]:
    """One ``Read`` per header with its text.

    Raises:
        SourceRefusedError: If the file is over ``MAX_BYTES``.
    """
    data = source.whole(MAX_BYTES)
    begins = [found.start() for found in _BEGIN.finditer(data)]
    if not begins:
        line = data[:1024].split(b"\n", 1)[0]
        yield Read(Place(line=1, start=0, end=len(line)), line, Failed(FailReason.WRONG_SHAPE))
        return
    yield from (Remark(code) for code in CANNOT_TELL)
    for start, after in zip(begins, [*begins[1:], len(data)], strict=True):
        raw = data[start:after].rstrip()
        place = Place(line=data.count(b"\n", 0, start) + 1, start=start, end=start + len(raw))
        try:
            yield Read(place, raw, _found(raw, source.modified_at))
        except RecordFaultError as fault:
            yield Read(place, raw, fault.failed)


def _found(raw: bytes, modified_at: str | None) -> Proposal | Nothing:
    close = _CLOSE.search(raw, raw.index(b"\n") + 1)
    if close is None:
        raise RecordFaultError(FailReason.CUT_SHORT, len(raw))
    try:
        header, text = raw[: close.start()].decode("utf-8"), raw[close.end() :].decode("utf-8")
    except UnicodeDecodeError as error:
        raise RecordFaultError(FailReason.NOT_UTF8, error.start) from None
    claim = text.strip()
    if not claim:
        return Nothing(NothingReason.EMPTY_TEXT)
    if len(claim.encode()) > MAX_TEXT:
        raise RecordFaultError(FailReason.TOO_LONG, close.end())
    pairs = _pairs(header)
    if "id" not in pairs:
        raise RecordFaultError(FailReason.FIELD_MISSING, name="id")
    created = pairs.get("created_at")
    written_at = times.moment(created) if created else None
    if created and written_at is None:
        raise RecordFaultError(FailReason.TIME_INVALID, name="created_at")
    remarks: tuple[RemarkCode, ...] = (RemarkCode.NO_OWNER,)
    if written_at is None and modified_at:
        remarks += (RemarkCode.WRITTEN_AT_ASSUMED,)
    elif written_at is not None and written_at.tz_assumed:
        remarks += (RemarkCode.TIME_ZONE_ASSUMED,)
    begin = raw.index(claim.encode(), close.end())
    return Proposal(
        claim=claim,
        kind=_kind(pairs),
        source_type=SourceType.MODEL_EXTRACTION,
        source_id=f"mem0:{pairs['id']}",
        written_at=written_at.text if written_at else modified_at,
        scope={"branch": pairs["branch"]} if "branch" in pairs else {},
        confidence=fields.decimal(pairs.get("confidence")),
        evidence=(Span(begin, begin + len(claim.encode())),),
        foreign={name: value for name, value in pairs.items() if name != "id"},
        remarks=remarks,
    )


def _pairs(header: str) -> dict[str, str]:
    """What the header says; a field without a value is not said."""
    split = (line.partition(":") for line in header.split("\n") if ":" in line)
    return {name.strip(): value.strip() for name, _, value in split if value.strip()}


def _kind(pairs: dict[str, str]) -> Kind:
    hint = pairs.get("type", "").lower()
    if "preference" in hint:
        return Kind.PROFILE_PREFERENCE
    return Kind.DECISION if hint in {"decision", "decisions"} else Kind.FACT

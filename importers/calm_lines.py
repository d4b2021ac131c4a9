r"""One memory on one line of a ``MEMORY.md`` that the console wrote, read back without loss.

``- [#ID] [STABLE | since 2026-03] [unverified] claim <!-- {"kind":"fact",…} -->``. The claim is
read as it stands: a backslash before a character gives that character, ``\n``, ``\r``, ``\t`` a
line break or tab, ``\u{A0}`` any other. The comment holds the fields of our own JSONL but for the
claim. What a line says of its own standing is a claim of the file, as everywhere.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Final

from importers import calm_marks
from importers.faults import RecordFaultError
from importers.json_reading import strict
from importers.own_format import proposal as own_proposal
from store.cells import Proposal, Span
from store.records import FailReason, Nothing

MOST: Final = 256 * 1024
"""Bytes of a line."""

_LINE: Final = re.compile(
    rf"- \[#([^\]\s]{{1,200}})\] ({calm_marks.MARK.pattern}) \[unverified\] "
    r"(.*?) <!-- (\{.*\}) -->"
)
_ESCAPE: Final = re.compile(r"\\(?:u\{([0-9A-F]{1,6})\}|(.))", re.DOTALL)
_CONTROLS: Final = {"n": "\n", "r": "\r", "t": "\t"}


def is_one(raw: bytes) -> bool:
    """Whether a block is such a line."""
    return raw.startswith(b"- [#") and b"] [unverified] " in raw and raw.endswith(b"} -->")


def read(raw: bytes) -> Proposal | Nothing:
    """The memory that a line spells.

    Raises:
        RecordFaultError: ``WRONG_SHAPE`` for a line that only looks like one, and whatever
            ``importers.own_format.proposal`` says of its fields.
    """
    if len(raw) > MOST:
        raise RecordFaultError(FailReason.TOO_LONG)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RecordFaultError(FailReason.NOT_UTF8, error.start) from None
    found = _LINE.fullmatch(text)
    if found is None:
        raise RecordFaultError(FailReason.WRONG_SHAPE)
    mark = calm_marks.MARK.fullmatch(found[2])
    assert mark is not None, "the line holds a mark"
    spelled, data = found[found.re.groups - 1], found[found.re.groups]
    fields = strict.parse(data.encode("utf-8"))
    if not isinstance(fields, dict) or "claim" in fields:
        raise RecordFaultError(FailReason.WRONG_SHAPE)
    made = json.dumps({"claim": _plain(spelled)}).encode("ascii")
    proposal = own_proposal.proposal({**fields, "claim": _plain(spelled)}, made)
    if isinstance(proposal, Nothing):
        return proposal
    foreign, remarks = calm_marks.told([mark])
    start = len(text[: found.start(found.re.groups - 1)].encode("utf-8"))
    return replace(
        proposal,
        evidence=(Span(start, start + len(spelled.encode("utf-8"))),),
        foreign={**proposal.foreign, "line": found[1], **foreign},
        remarks=(*proposal.remarks, *remarks),
    )


def _plain(spelled: str) -> str:
    def one(escape: re.Match[str]) -> str:
        if escape[1]:
            code = int(escape[1], 16)
            if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
                raise RecordFaultError(FailReason.WRONG_SHAPE)
            return chr(code)
        return _CONTROLS.get(escape[2], escape[2])

    return _ESCAPE.sub(one, spelled)

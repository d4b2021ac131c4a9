r"""One durable memory as one line of a ``MEMORY.md``, in CALM's grammar, English or Russian.

``- [#ID] [STABLE | since 2026-03] [unverified] claim <!-- {"kind":"fact",…} -->``. What a person
reads comes first; the comment holds the fields of our own JSONL but for the claim, so that
nothing is lost when the file is read again. A claim cannot end its line, open a comment or forge a
mark: such characters stand behind a backslash.

Source: the three marks are those of the CALM protocol for ``MEMORY.md``; ``ACTIVE``, for what one
source says, is ours in the same form.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from review.memory.validity import Status
from review.text.visible import escape
from store.cells import VALIDATION_STATE

LANGUAGES: Final = ("en", "ru")
_SINCE: Final = {"en": "since", "ru": "с"}
_UNTIL: Final = {"en": "in force until", "ru": "действовало до"}
_CHECK: Final = {"en": "check the dependency on", "ru": "проверить зависимость от"}
_CONTROLS: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ACTS: Final = re.compile(r"[\\\[\]<>`@\n\r\t]")
"""Characters that end a line, or that Markdown or a reader of memory files could act on."""

_SPACES: Final = re.compile(r"(?<= ) |^ | $")
_IN_COMMENT: Final = re.compile(r"(?<=-)-|[<>]")


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """One durable cell, as it stands at a moment."""

    item: str
    claim: str
    status: Status
    since: str
    """From when it holds, ``2026-03-01``; where its source does not say, when it was written."""

    until: str | None = None
    """When it was superseded."""

    other: str = ""
    """Item that took its place, or that it rested on; blank when there is none to name."""

    fields: Mapping[str, Any] | None = None
    """Of our own JSONL, but for the claim."""


def spelled(line: MemoryLine, language: str) -> str:
    """The line, without its newline."""
    data = json.dumps(line.fields or {}, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    safe = _IN_COMMENT.sub(lambda found: f"\\u{ord(found[0]):04x}", data)
    if escape(safe) != safe:
        safe = "".join(_escaped(char) for char in safe)
    return (
        f"- [#{line.item}] {mark(line, language)} [{VALIDATION_STATE}] {claim_of(line.claim)}"
        f" <!-- {safe} -->"
    )


def mark(line: MemoryLine, language: str) -> str:
    """The mark of its status."""
    if line.status is Status.SUPERSEDED:
        by = f" by #{line.other}" if line.other else ""
        until = f" | {_UNTIL[language]} {_month(line.until)}" if line.until else ""
        return f"[SUPERCEDED{by}{until}]"
    if line.status is Status.STALE:
        return f"[STALE — {_CHECK[language]} #{line.other}]" if line.other else "[STALE]"
    return f"[{line.status} | {_SINCE[language]} {_month(line.since)}]"


def claim_of(claim: str) -> str:
    """The claim on one line; ``importers.calm_lines`` reads exactly the claim back."""
    found = _ACTS.sub(lambda one: _CONTROLS.get(one[0]) or f"\\{one[0]}", claim)
    if escape(found) != found:
        found = "".join(_hidden(char) for char in found)
    return _SPACES.sub("\\\\u{20}", found)


def _hidden(char: str) -> str:
    return char if char == " " or escape(char) == char else f"\\u{{{ord(char):X}}}"


def _escaped(char: str) -> str:
    """A character of the comment; what nobody can see is a JSON escape."""
    if char == " " or escape(char) == char:
        return char
    code = ord(char)
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def _month(bound: str) -> str:
    return bound[:7]

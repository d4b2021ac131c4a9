"""Lifecycle words that CALM leaves in a text: ``[STABLE]``, ``[STALE]``, ``[SUPERSEDED by x]``.

They are the file's opinion of itself. They are taken out of the claim, shown, and set nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from store.records import RemarkCode

_MARK: Final = re.compile(r"\[(STABLE|STALE|SUPERSEDED)(?: by ([^\]\s]{1,200}))?\]")
_REMARKS: Final = {
    "STABLE": RemarkCode.MARKED_STABLE,
    "STALE": RemarkCode.MARKED_STALE,
    "SUPERSEDED": RemarkCode.MARKED_SUPERSEDED,
}


@dataclass(frozen=True, slots=True)
class Marked:
    """A text without its marks, and what they said."""

    text: str
    foreign: dict[str, object] = field(default_factory=dict)
    remarks: tuple[RemarkCode, ...] = ()


def read(text: str) -> Marked:
    """``text`` with its marks taken out and told apart."""
    found = list(_MARK.finditer(text))
    if not found:
        return Marked(text)
    foreign: dict[str, object] = {"status": ", ".join(one[1] for one in found)}
    by = [one[2] for one in found if one[2]]
    if by:
        foreign["superseded_by"] = ", ".join(by)
    remarks = dict.fromkeys(_REMARKS[one[1]] for one in found)
    return Marked(" ".join(_MARK.sub(" ", text).split()), foreign, tuple(remarks))

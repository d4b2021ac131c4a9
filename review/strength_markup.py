"""Markdown as it is read: marks of lists and titles are no part of a sentence.

Characters are replaced by blanks, so that every word keeps its place.
"""

from __future__ import annotations

import re
from typing import Final

from review.facts.sentences import Reading
from review.strength_cues import marks

_ITEM: Final = re.compile(
    r"^[ \t]*(?:>[ \t]*)*(?:[-*+•][ \t]+|\d{1,3}[.)][ \t]+)(?:\[[ xX]\][ \t]+)?", re.M
)
_TITLE: Final = re.compile(r"^[ \t]*#{1,6}[ \t]+[^\n]*$", re.M)


def plain(text: str) -> str:
    """``text`` without marks of list items, and without titles that hold no cue."""
    if "#" in text:
        text = _TITLE.sub(_title, text)
    return _ITEM.sub(_blank, text)


def _title(found: re.Match[str]) -> str:
    return found[0] if marks(Reading(found[0])) else _blank(found)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])

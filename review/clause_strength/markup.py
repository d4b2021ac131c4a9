"""Markdown as it is read: marks of lists and titles are no part of a sentence.

Characters are replaced by blanks, so that every word keeps its place.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from review.clause_strength.cues import marks
from review.clause_strength.words import key
from review.facts.sentences import Reading

_ITEM: Final = re.compile(
    r"^[ \t]*(?:>[ \t]*)*(?:[-*+•][ \t]+|\d{1,3}[.)][ \t]+)(?:\[[ xX]\][ \t]+)?", re.M
)
_TITLE: Final = re.compile(r"^[ \t]*#{1,6}[ \t]+[^\n]*$", re.M)

_WRAP: Final = re.compile(
    r"^(?P<line>.*[^\s.!?…:;|])(?P<gap>[ \t]*\r?\n[ \t]{0,3})(?=[a-zа-яё])", re.M
)
"""A line that goes on in the next one: it ends no sentence, and a small letter follows."""


def plain(text: str, known: Collection[str] | None = None) -> str:
    """``text`` without marks of list items, titles that say nothing, and breaks inside sentences.

    Args:
        text: Any text.
        known: Keys of words; a title with another word or a number says something. None to
            look for cues alone.
    """

    def title(found: re.Match[str]) -> str:
        return found[0] if _says(found[0], known) else _blank(found)

    if "#" in text:
        text = _TITLE.sub(title, text)
    return _WRAP.sub(_joined, _ITEM.sub(_blank, text))


def keys(text: str) -> frozenset[str]:
    """Keys of all words of ``text`` that tell something, those of its titles too."""
    return frozenset(name for name, worth in map(key, Reading(text).forms) if worth)


def _says(title: str, known: Collection[str] | None) -> bool:
    """Whether a title holds a cue, or says something that nobody else said."""
    if marks(Reading(title)):
        return True
    return known is not None and not keys(title) <= set(known)


def _joined(found: re.Match[str]) -> str:
    line, gap = found["line"], found["gap"]
    return found[0] if line.lstrip().startswith("#") else line + " " * len(gap)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])

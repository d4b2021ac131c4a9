"""Tells whether words say that there is one: "her child is Ann" does, "plays the flute" does not.

A parameter that can have many values has one in the eyes of who says "the genre of the song is
jazz". Another value then is no second one: a person has to look, and what rests on it is checked.
"""

from __future__ import annotations

import re
from typing import Final

from review.facts.words import is_cyrillic, russian

_ENGLISH: Final = re.compile(
    r"(?:^|\W)(?:the|my|our|your|his|her|its|their|[^\W\d_]+['’]s?)\s[^,;:]*\b(?:is|was)"
    r"\s(?:the\s)?\W?$|\bthe\s[^\W\d_]+[^\W\d_s]\sof\s(?:the\s)?\W?$",
    re.IGNORECASE,
)
"""Either "the child of Ann is", or "in the field of": both name the one there is."""

_RUSSIAN: Final = re.compile(r"(?:\s[-–—]|\s?—|\bэто|\bявляется)\s\W?$", re.IGNORECASE)
_AMONG: Final = re.compile(
    r"\b(?:one of|another|other|also|among|first|second|third|next|new|newest|latest|oldest|"
    r"youngest|один из|одна из|одно из|друг\w+|втор\w+|перв\w+|трет\w+|также|еще|ещё|нов\w+|"
    r"старш\w+|младш\w+|среди)\b",
    re.IGNORECASE,
)


def only(before: str, parameter: str) -> bool:
    """Whether a sentence gives the one value of a parameter.

    Args:
        before: The sentence up to the value.
        parameter: The parameter's words as written; Russian nouns have to be singular.
    """
    if _AMONG.search(before):
        return False
    if is_cyrillic(parameter):
        return bool(_RUSSIAN.search(before)) and _singular(parameter.split()[0])
    return bool(_ENGLISH.search(before))


def _singular(word: str) -> bool:
    tag = russian().parse(word.lower())[0].tag
    return "sing" in tag and "nomn" in tag

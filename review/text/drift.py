"""How far a rewritten claim has moved from the original, counted in words.

A chain of small steps is never compared step by step: each step looks harmless, the sum does not.
What makes a text stronger is named: absolutes that the original does not hold, hedges and
negations that it held, numbers that are others. Style (case, punctuation, politeness, another form
of the same word) is no drift. English and Russian.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from review.text import edit_parts

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NUMBER: Final = re.compile(r"\d+(?:[.,:/-]\d+)*\s?%?")
_ABSOLUTES: Final = re.compile(
    r"(?i)\b(?:always|never|must|only|all|every|each|any|none|forever|completely|entirely"
    r"|absolutely|guaranteed|forbidden|permanently|exclusively|cannot|no one|nobody"
    r"|всегда|никогда|только|все|всё|кажд(?:ый|ая|ое|ые|ого|ой|ую)|люб(?:ой|ая|ое|ые)|никто"
    r"|обязан[аоы]?|обязательно|долж(?:ен|на|но|ны)|нельзя|запрещено|исключительно|полностью"
    r"|абсолютно|навсегда|безусловно)\b"
)
_HEDGES: Final = re.compile(
    r"(?i)\b(?:usually|sometimes|often|mostly|may|might|could|maybe|perhaps|probably|possibly"
    r"|seems?|seemed|appears?|appeared|about|around|roughly|approximately|nearly|almost|i think"
    r"|likely|for now|so far|at times|in some cases|once|temporarily|except|unless|until|if"
    r"|обычно|иногда|часто|как правило|может(?: быть)?|возможно|вероятно|наверное|кажется"
    r"|похоже|вроде|примерно|около|почти|пока(?: что)?|временно|порой|в некоторых случаях"
    r"|скорее|если|кроме|однажды)\b"
)
_NEGATIONS: Final = re.compile(r"(?i)\b(?:no|not|without|\w+n['’]t|не|нет|без|ни)\b")


@dataclass(frozen=True, slots=True)
class Drift:
    """What became of an original in a later text. Words are foreign and in lower case."""

    share: Fraction
    """Words that changed, of all words of both texts; 0 is the same, 1 nothing in common."""

    absolutes: tuple[str, ...] = ()
    """In the later text and not in the original."""

    hedges: tuple[str, ...] = ()
    """In the original and not in the later text."""

    negations: tuple[str, ...] = ()
    """In one of the two only."""

    lost_numbers: tuple[str, ...] = ()
    new_numbers: tuple[str, ...] = ()

    @property
    def percent(self) -> int:
        """``share`` in whole percent; what moved at all is at least 1."""
        return max(round(self.share * 100), int(self.share > 0))

    @property
    def stronger(self) -> bool:
        """Whether the later text says more than the original did."""
        return bool(self.absolutes or self.hedges)


def drift(original: str, later: str) -> Drift:
    """How far ``later`` is from ``original``."""
    changes = edit_parts.split(original, later).technical
    changed = sum(
        _words(original[one.before.start : one.before.end])
        + _words(later[one.after.start : one.after.end])
        for one in changes
    )
    whole = _words(original) + _words(later)
    return Drift(
        share=min(Fraction(changed, whole), Fraction(1)) if whole else Fraction(0),
        absolutes=_more(_ABSOLUTES, later, original),
        hedges=_more(_HEDGES, original, later),
        negations=_more(_NEGATIONS, later, original) + _more(_NEGATIONS, original, later),
        lost_numbers=_more(_NUMBER, original, later),
        new_numbers=_more(_NUMBER, later, original),
    )


def from_many(originals: Sequence[str], later: str) -> Drift:
    """How far a merge is from what was merged: what stands in any original is no news.

    The share is then that of the merge's own words which no original holds; what a merge leaves
    out of one of them is not counted.

    Raises:
        ValueError: If there is no original.
    """
    if not originals:
        msg = "a drift needs an original"
        raise ValueError(msg)
    whole = drift("\n".join(originals), later)
    if len(originals) == 1:
        return whole
    here, there = edit_parts.told(later), edit_parts.told("\n".join(originals))
    fresh = (here - there).total()
    share = Fraction(fresh, here.total()) if here else Fraction(0)
    return replace(whole, share=share, lost_numbers=())


def _words(text: str) -> int:
    return sum(1 for _ in _WORD.finditer(text)) + sum(1 for _ in _NUMBER.finditer(text))


def _more(pattern: re.Pattern[str], here: str, there: str) -> tuple[str, ...]:
    """What ``pattern`` finds more often ``here`` than ``there``."""
    left = _found(pattern, here) - _found(pattern, there)
    return tuple(left.elements())


def _found(pattern: re.Pattern[str], text: str) -> Counter[str]:
    return Counter(" ".join(one.casefold().split()) for one in pattern.findall(text))

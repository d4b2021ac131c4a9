"""Bare corrections: "Make that $75,000.", a new value without a word about what it is of.

Source: ours.
"""

from __future__ import annotations

import re
from typing import Final

from review.answer.kinds import AskedKind
from review.answer.told import Told
from review.answer.values import told
from review.answer.words import read

_CUE: Final = re.compile(
    r"\b(?:make (?:that|it)|change (?:that|it|this) to|no,? wait|wait,? no|scratch that"
    r"|correction|i mean(?:t)?|let's (?:say|make it|change)|actually|instead"
    r"|(?:push|move)(?:ed)? (?:it|that) to|sorry|rather|сделай(?:те)?|вернее|точнее"
    r"|исправь(?:те)?|поменяй(?:те)?|замени(?:те)?|пусть будет|нет,? давай(?:те)?|поправка"
    r"|перенес(?:и|ите|ём|ем) на)\b",
    re.IGNORECASE,
)
_SHORT: Final = 120
_FEW_WORDS: Final = 10


def correction(kind: AskedKind, claim: str) -> Told | None:
    """The value of a claim that is nothing but a correction, or ``None``.

    It has a correcting phrase, one value of the asked sort, at most ten words, and besides its
    value no more than one word that tells anything.
    """
    if len(claim) > _SHORT:
        return None
    reading = read(claim)
    if len(reading.words) > _FEW_WORDS:
        return None
    cue = _CUE.search(reading.text)
    found = list(told(kind, reading)) if cue else []
    if cue is None or len(found) != 1:
        return None
    (one,) = found
    others = [
        word
        for word in reading.words
        if word.weight
        and not one.span.start <= word.start < one.span.end
        and not cue.start() <= word.start < cue.end()
    ]
    return one if len(others) <= 1 else None

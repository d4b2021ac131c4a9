"""Nouns that are counted: which noun a number counts, in its dictionary form."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from review.facts.numbers import Token
from review.facts.tables import word_set
from review.facts.words import is_cyrillic, lemma, russian

NOT_DESCRIBING: Final = word_set(
    "ones a an the and or but of to in on at by for from with as is are was were be been"
    " has have had this that these those my your his her its our their i you he she it"
    " we they who which when where than then so if not no yes per each every ago more"
    " less most least other times last next years days и а но или в во на с со за к ко"
    " о об от до по у из что как это этот эта мой твой его ее их наш ваш я ты он она"
    " мы вы они который когда где чем не ни да нет назад более менее"
)
"""Words that never stand between a number and what it counts."""

_PLURALS: Final = {"people": "person", "children": "child", "men": "man", "women": "woman"} | {
    word: word for word in ("sheep", "fish", "series", "species")
}


def counted_noun(tokens: list[Token], at: int) -> tuple[str, int]:
    """The noun counted at token ``at``, behind at most two words that describe it.

    Returns:
        Its dictionary form and the token after it, or ``("", at)``.
    """
    for step in range(3):
        if at + step >= len(tokens):
            break
        token = tokens[at + step]
        if token.kind != "word" or token.low in NOT_DESCRIBING:
            break
        noun = counted(token.low)
        if noun:
            return noun, at + step + 1
        if not _describes(token.low):
            break
    return "", at


@lru_cache(maxsize=50_000)
def counted(low: str) -> str:
    """The dictionary form of a noun as a number takes it ("coins", "монет"), or nothing."""
    if low in _PLURALS:
        return _PLURALS[low]
    if is_cyrillic(low):
        part, case = _russian(low)
        return lemma(low) if part == "NOUN" and case in {"gent", "nomn", "accs"} else ""
    plural = len(low) > 3 and low.endswith("s") and not low.endswith(("ss", "us", "is", "'s"))
    singular = lemma(low)
    return singular if plural and singular != low else ""


@lru_cache(maxsize=50_000)
def _describes(low: str) -> bool:
    if is_cyrillic(low):
        return _russian(low)[0] in {"ADJF", "PRTF"}
    return len(low) > 2


def _russian(low: str) -> tuple[str, str]:
    tag = russian().parse(low)[0].tag
    return str(tag.POS), str(tag.case)

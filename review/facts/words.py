"""Words of a text: tokens with their places, lemmas to compare by, stems to search by.

English and Russian. Russian lemmas come from pymorphy3's dictionary, English ones from simplemma;
stems are Snowball's. Libraries are loaded at the first word that needs them.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

_WORD: Final = re.compile(
    r"(?<!\d)\d{1,3}(?:[.,\u00a0\u202f ]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)?"
    r"|[^\W\d_]+(?:['’][^\W\d_]+)?",
)
_CYRILLIC: Final = re.compile(r"[а-яё]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Token:
    """One word or number as written, at ``[start, end)`` in characters of the text."""

    text: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """The words and numbers of ``text``, in order. Grouped digits are one token."""
    return [Token(m.group(), m.start(), m.end()) for m in _WORD.finditer(text)]


def folded(text: str) -> str:
    """NFKC, case-folded, ``ё`` as ``е``, one apostrophe: how words are compared first."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", text).casefold().replace("ё", "е").replace("’", "'")


def is_cyrillic(text: str) -> bool:
    """Whether there is a Cyrillic letter in ``text``."""
    return not text.isascii() and _CYRILLIC.search(text) is not None


@lru_cache(maxsize=200_000)
def lemma(word: str) -> str:
    """The dictionary form of one word, folded: ``Электростали`` is ``электросталь``."""
    low = folded(word)
    if is_cyrillic(low):
        return str(russian().parse(low)[0].normal_form).replace("ё", "е")
    if low.endswith(("'s", "’s")):
        low = low[:-2]
    if not low.isalpha():
        return low
    return str(_english()(low, lang="en")).lower()


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The search stem of one word; English words are lemmatised first, so ``led`` is ``lead``."""
    low = folded(word)
    if is_cyrillic(low):
        return str(_stemmer("russian").stemWord(low))
    return str(_stemmer("english").stemWord(lemma(low)))


@lru_cache(maxsize=1)
def russian():  # type: ignore[no-untyped-def]  # noqa: ANN201 - the library has no types
    """The dictionary of Russian forms, loaded once for the process."""
    import pymorphy3

    return pymorphy3.MorphAnalyzer()


@lru_cache(maxsize=1)
def _english():  # type: ignore[no-untyped-def]  # noqa: ANN202 - loaded late
    import simplemma

    return simplemma.lemmatize


@lru_cache(maxsize=2)
def _stemmer(language: str):  # type: ignore[no-untyped-def]  # noqa: ANN202 - loaded late
    import Stemmer

    return Stemmer.Stemmer(language, 0)  # our own cache is larger

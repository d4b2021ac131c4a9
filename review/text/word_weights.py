"""How much a word tells: frozen background frequencies of English and Russian, by stem.

A weight depends on the word alone, never on what is stored, so a score made of weights does not
move when other records arrive. Function words and question words of both languages tell nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import log10
from typing import Final
from zlib import crc32

import yaml

from review.facts.words import folded, is_cyrillic, lemma
from review.facts.words import stem as stem_of

RAREST: Final = 500
"""Weight of what is met once in a million words or less, and of every unknown word."""

_MOST_WORDS: Final = 20_000
"""Words of a text that are looked at; so no text can make a sum too large or a search long."""

_LONGEST_WORD: Final = 64
"""Characters of a word that are looked at; what is longer is no word of a language."""

_LONGEST_NUMBER: Final = 4
"""Digits of a number, such as a year, that can be common; a longer one is as rare as a name."""

_WORD: Final = re.compile(
    r"(?<!\d)\d{1,3}(?:[.,\u00a0\u202f ]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)?"
    r"|[^\W\d_]+(?:['’][^\W\d_]+)?"
)
_GROUPED: Final = re.compile(r"\d{1,3}(?:[.,\u00a0\u202f ]\d{3})+")
_INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff]")
_WITHOUT_BLANKS: Final = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
)


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a text, as they are compared."""

    weights: dict[str, int]
    """The different stems that tell something, in order, each with its weight."""

    traces: int
    """64 bits, one set for each word as written, function words too; words may share a bit."""

    @property
    def total(self) -> int:
        """Sum of the weights; zero when no word tells anything."""
        return sum(self.weights.values())


def wording(text: str) -> Wording:
    """The words of ``text``.

    Numbers lose the marks between groups of digits. Scripts that put no blanks between words
    (Chinese, Japanese, Thai) are told by pairs of characters.
    """
    if not text.isascii():
        text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    words: list[str] = _WORD.findall(text)
    if not text.isascii() and _WITHOUT_BLANKS.search(text):
        words = [part for word in words for part in _parts(word)]
    weights: dict[str, int] = {}
    traces = 0
    for stem, worth, trace in map(_known, words[:_MOST_WORDS]):
        traces |= trace
        if worth:
            weights[stem] = worth
    return Wording(weights, traces)


def _parts(word: str) -> list[str]:
    if len(word) < 2 or not _WITHOUT_BLANKS.search(word):
        return [word]
    return [word[i : i + 2] for i in range(len(word) - 1)]


@lru_cache(maxsize=200_000)
def _known(word: str) -> tuple[str, int, int]:
    """The stem of ``word``, its weight (none for a function word), and its trace."""
    low = folded(word[:_LONGEST_WORD]).replace("’", "'")
    trace = 1 << crc32(low.encode()) % 64
    if low in _function_words():
        return low, 0, trace
    stem = _number(low) if low[0].isdigit() else _stem(low)
    return stem, weight(stem), trace


def _stem(low: str) -> str:
    # Snowball alone takes nouns for verbs: it leaves "ресторан" of "ресторане", not of "ресторан".
    return stem_of(lemma(low) if is_cyrillic(low) else low)


def _number(digits: str) -> str:
    grouped = _GROUPED.match(digits)
    end = grouped.end() if grouped else 0
    return re.sub(r"\D", "", digits[:end]) + digits[end:].replace(",", ".")


@lru_cache(maxsize=1)
def _function_words() -> frozenset[str]:
    text = files("review").joinpath("function_words.yaml").read_text(encoding="utf-8")
    return frozenset(word for words in yaml.safe_load(text).values() for word in words.split())


def weight(of_stem: str) -> int:
    """How much a stem tells, in hundredths of a power of ten of rarity.

    About 200 for ``go``, 260 for ``research``, 330 for a year, and 500 for most names and for
    whatever is met once in a million words or never.

    Args:
        of_stem: A stem as :class:`Wording` holds it.

    Returns:
        A whole number in [1, 500], so that sums of weights are exact in any order.

    Source:
        Ours: 8 minus the zipf frequency (log10 of occurrences in a billion words) of all words
        with this stem together, in wordfreq 3.1's small lists.
    """
    language = "ru" if is_cyrillic(of_stem) else "en"
    share = _shares(language).get(of_stem, 0.0)
    if of_stem[0].isdigit() and len(of_stem) <= _LONGEST_NUMBER:
        share = _share_of_number(of_stem)
    zipf = log10(share) + 9.0 if share > 0.0 else 0.0
    return min(RAREST, max(1, round(100 * (8.0 - zipf))))


def _share_of_number(digits: str) -> float:
    import wordfreq

    return float(wordfreq.word_frequency(digits, "en", wordlist="small"))


@lru_cache(maxsize=2)
def _shares(language: str) -> dict[str, float]:
    import wordfreq

    shares: dict[str, float] = defaultdict(float)
    for word, share in wordfreq.get_frequency_dict(language, "small").items():
        shares[stem_of(word)] += share
    return dict(shares)

"""The words of a sentence that say what it is about, and whether two of them are one word.

Another form of a word is the same word, and so are the two aspects of a Russian verb and the few
words that the table holds equal. Any other word is another word, whatever it means.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from review.clause_strength.cues import table
from review.facts.sentences import Reading
from review.facts.words import is_cyrillic, lemma, stem
from review.text.word_weights import wording

_SHORTEST: Final = 4
"""Letters that two stems share, at least, when one is the beginning of the other."""

_START: Final = 3
_LONGER: Final = 4
"""Letters by which one stem may be longer."""

_ASPECTS: Final = ("по", "вы", "на", "за", "с", "у", "о")
"""Prefixes that make a finished act of a Russian verb: "просить", "попросить"."""


class Word(NamedTuple):
    """A word that tells something, ``[start, end)`` in characters of its text."""

    at: int
    """Its place among the words of its text."""

    key: str
    weight: int
    start: int
    end: int


@lru_cache(maxsize=100_000)
def key(form: str) -> tuple[str, int]:
    """What a folded word is compared by, and how much it tells; 0 for a function word.

    Returns:
        The key, and a whole number in [0, 500] as ``review.text.word_weights.weight`` gives it.
    """
    weights = wording(form).weights
    if not weights:
        return form, 0
    told, worth = next(iter(weights.items()))
    same = table().equal.get(lemma(form)) or table().equal.get(form)
    return (next(iter(wording(same).weights), told), worth) if same else (told, worth)


@lru_cache(maxsize=200_000)
def same(one: str, other: str) -> bool:
    """Whether two keys stand for one word."""
    if one == other:
        return True
    if one[:1].isdigit() or other[:1].isdigit():
        return False
    short, long = sorted((one, other), key=len)
    if is_cyrillic(one) is not is_cyrillic(other):
        return False
    if long.startswith(short) and len(short) >= _SHORTEST and len(long) - len(short) <= _LONGER:
        return True
    return is_cyrillic(one) and (_one_verb(short, long) or _one_root(one, other))


_REPEATED: Final = ("ыва", "ива")
_VOWELS: Final = "аеийоуыьэюя"
_TURNS: Final = frozenset(
    {"жз", "дж", "тщ", "тч", "сш", "сщ", "гж", "кч", "вл", "мл", "пл", "бл", "кт"}
)
"""Last consonants of one Russian root, in the order of the alphabet: "отгрузить", "отгружать"."""


def _one_root(one: str, other: str) -> bool:
    """Whether two stems differ by the aspect alone: "записать", "записывать"."""
    first, second = _core(one), _core(other)
    if first == second:
        return len(first) >= _SHORTEST
    if len(first) != len(second) or len(first) < _SHORTEST or first[:-1] != second[:-1]:
        return False
    return "".join(sorted((first[-1], second[-1]))) in _TURNS


def _core(stem_: str) -> str:
    for ending in _REPEATED:
        stem_ = stem_.removesuffix(ending)
    return stem_.rstrip(_VOWELS)


def _one_verb(short: str, long: str) -> bool:
    for prefix in _ASPECTS:
        rest = long.removeprefix(prefix)
        if rest != long and len(rest) >= _SHORTEST - 1:
            low, high = sorted((rest, short), key=len)
            if high.startswith(low) and len(low) >= _SHORTEST - 1 and len(high) - len(low) <= 2:
                return True
    return False


@lru_cache(maxsize=200_000)
def beginnings(key: str) -> frozenset[str]:
    """What two keys have in common, at least one, when they stand for one word."""
    told = {key[:_START]}
    if is_cyrillic(key):
        told |= {key.removeprefix(prefix)[:_START] for prefix in _ASPECTS}
    return frozenset(told)


def root(form: str) -> str:
    """The stem of any word, for sets of words that the table holds in dictionary form."""
    return stem(lemma(form) if is_cyrillic(form) else form)


def words_at(reading: Reading, places: Sequence[int]) -> tuple[Word, ...]:
    """The words at these places that tell something."""
    told = ((i, *key(reading.forms[i])) for i in places)
    return tuple(
        Word(i, name, worth, reading.starts[i], reading.ends[i])
        for i, name, worth in told
        if worth
    )

"""What words are compared by, when a claim is held against a question.

A sense is a word's dictionary form, and of an English one the stem, so "collecting" and
"collection" are one; a few everyday words that say the same ("live", "stay", "reside") are one
sense too.

Source: ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from functools import cached_property, lru_cache
from typing import Final

from review.facts.words import folded, is_cyrillic, lemma, stem

_ALIKE: Final = (
    "live reside dwell stay",
    "buy purchase acquire",
    "keep store",
    "begin start",
    "finish complete",
    "therapist therapy",
    "show teach",
    "relocate move",
    "color colour",
    "price cost",
    "жить проживать",
    "купить приобрести покупать",
    "хранить держать храниться",
    "цена стоимость",
    "начать начинать начаться",
    "закончить завершить дочитать",
    "прочитать прочесть читать",
    "переехать переезжать",
    "посетить посещать ходить сходить",
    "пробовать попробовать",
    "написать писать",
    "потратить тратить",
    "собрать собирать",
    "посмотреть смотреть",
    "встретиться встречаться",
    "пользоваться использовать",
    "просыпаться проснуться вставать",
)
"""Words that count as one when a claim is held against a question. General language only."""


@lru_cache(maxsize=1)
def _alike() -> dict[str, str]:
    return {_plain(one): _plain(group.split()[0]) for group in _ALIKE for one in group.split()}


@lru_cache(maxsize=100_000)
def _plain(low: str) -> str:
    found = lemma(low)
    return found if is_cyrillic(found) else stem(found)


@lru_cache(maxsize=100_000)
def sense(word: str) -> str:
    """What a word is compared by: its dictionary form or stem, or that of its group's first."""
    found = _plain(folded(word).replace("’", "'"))
    return _alike().get(found, found)


class Senses(Set[str]):
    """The senses of blank-separated words, for tables; found out when they are first needed.

    So that importing a table does not load the dictionaries.
    """

    def __init__(self, words: str) -> None:
        self._words = words

    @cached_property
    def _found(self) -> frozenset[str]:
        return frozenset(sense(word) for word in self._words.split())

    def __contains__(self, one: object) -> bool:
        return one in self._found

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    @classmethod
    def _from_iterable(cls, found: Iterable[str]) -> frozenset[str]:  # type: ignore[override]
        return frozenset(found)

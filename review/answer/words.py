"""A text as words that can be held against a question: senses, weights, clauses, sentences."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from review.answer.senses import sense
from review.facts.tables import word_set
from review.facts.words import Token, folded, is_cyrillic, lemma, tokens
from review.text.word_weights import RAREST, wording

_ABBREVIATED: Final = word_set(
    "dr mr mrs ms prof st jr sr no vs etc approx fig vol г ул им руб тыс млн см тел"
)
_OPENS_CLAUSE: Final = word_set(
    """
    but because while though although whereas which who unless until considering
    но а однако хотя потому который которая которое которые пока чтобы
    """
)
_AND: Final = word_set("and so or и или")
_SUBJECTS: Final = word_set(
    """
    i i'm i've i'd i'll we we're we've he he's she she's they they're they've it it's my our you
    я мы он она они мой моя мои наш это ты вы
    """
)
_BREAK: Final = re.compile(r"[,;()\[\]…]|--|\s-+\s")
_DASH: Final = re.compile(r"[—–]")
"""A break in English; in Russian it stands for "is"."""

_STOP_MARK: Final = re.compile(r"[.!?…]+[\"'”»)*]*\s|[!?]|\n")
_SIGHT: Final = 40
_PAUSE: Final = re.compile(r"[.,;:!?()]|\s[-–—]\s")


class Word(NamedTuple):
    """One word of a text, ``[start, end)`` in characters."""

    text: str
    low: str
    sense: str
    weight: int
    """How much it tells, in [0, 500]; 0 for function words."""

    start: int
    end: int
    clause: int
    sentence: int

    @property
    def is_name(self) -> bool:
        """Whether it is written like a name: with a capital or a digit."""
        return self.text[:1].isdigit() or not self.text.islower()


class Where(NamedTuple):
    """Where a sense stands in a text."""

    words: tuple[int, ...]
    clauses: frozenset[int]
    sentences: frozenset[int]


@dataclass(frozen=True, slots=True)
class Reading:
    """A text and its words. Clauses and sentences are numbered from zero."""

    text: str
    words: tuple[Word, ...]
    places: Mapping[str, Where]
    """Where each telling sense stands; words by their index."""

    asking: frozenset[int]
    """Sentences that end with a question mark."""

    clauses: tuple[int, ...]
    """The first word of each clause, and the number of words."""

    sentences: tuple[int, ...]
    """The first word of each sentence, and the number of words."""

    def at(self, start: int) -> int:
        """The index of the word at or after character ``start``."""
        return bisect_right(self.words, start, key=lambda word: word.end)

    def between(self, i: int) -> str:
        """What is written between word ``i - 1`` and word ``i``."""
        begin = self.words[i - 1].end if i else 0
        end = self.words[i].start if i < len(self.words) else len(self.text)
        return self.text[begin:end]

    def pauses(self, i: int) -> bool:
        """Whether a punctuation mark stands before word ``i``, or the text ends there."""
        if i >= len(self.words):
            return True
        gap = self.between(i)
        if gap == " " or (gap == ". " and self.words[i].sentence == self.words[i - 1].sentence):
            return False  # "Dr. Smith"
        return _PAUSE.search(gap) is not None

    def opens(self, word: Word) -> bool:
        """Whether ``word`` is the first of its sentence, where a capital says nothing."""
        return self.words[self.sentences[word.sentence]].start == word.start

    def of_clause(self, clause: int) -> tuple[Word, ...]:
        """The words of one clause."""
        return self.words[self.clauses[clause] : self.clauses[clause + 1]]

    def clause(self, at: int) -> str:
        """The text of the clause in which word ``at`` stands, forty words either way at most."""
        return self._around(at, self.clauses, self.words[at].clause)

    def sentence(self, at: int) -> str:
        """The text of the sentence in which word ``at`` stands, forty words either way at most."""
        return self._around(at, self.sentences, self.words[at].sentence)

    def _around(self, at: int, starts: Sequence[int], which: int) -> str:
        begin, end = max(starts[which], at - _SIGHT), min(starts[which + 1], at + _SIGHT)
        return self.text_of(self.words[begin:end])

    def text_of(self, words: Sequence[Word]) -> str:
        """The text from the first of ``words`` to the last."""
        return self.text[words[0].start : words[-1].end]


@lru_cache(maxsize=100_000)
def _known(word: str) -> tuple[str, str, int]:
    """A word folded, its sense, and how much it tells. Capitals throughout are a name."""
    named = len(word) > 1 and word.isupper() and word.isalpha()
    return (
        folded(word).replace("’", "'"),
        sense(word),
        RAREST if named else wording(word).total,
    )


@lru_cache(maxsize=1_024)
def read(text: str) -> Reading:
    """The words of ``text`` with their clauses and sentences."""
    found: list[Word] = []
    clauses, sentences = [0], [0]
    asking: set[int] = set()
    listed = tokens(text)
    end, before = 0, ""
    for i, token in enumerate(listed):
        low, its_sense, worth = _known(token.text)
        gap = text[end : token.start]
        if i and gap != " " and _ends(gap, before):
            if "?" in gap:
                asking.add(len(sentences) - 1)
            sentences.append(i)
            clauses.append(i)
        elif i and ((gap != " " and _breaks(gap, low)) or _opens(low, listed, i)):
            clauses.append(i)
        place = (token.start, token.end, len(clauses) - 1, len(sentences) - 1)
        found.append(Word(token.text, low, its_sense, worth, *place))
        end, before = token.end, low
    if found and "?" in text[end:]:
        asking.add(len(sentences) - 1)
    return Reading(
        text,
        tuple(found),
        _placed(found),
        frozenset(asking),
        (*clauses, len(found)),
        (*sentences, len(found)),
    )


def _placed(words: Sequence[Word]) -> dict[str, Where]:
    places: dict[str, list[int]] = {}
    for i, word in enumerate(words):
        if word.weight:
            places.setdefault(word.sense, []).append(i)
    return {
        one: Where(
            tuple(where),
            frozenset(words[i].clause for i in where),
            frozenset(words[i].sentence for i in where),
        )
        for one, where in places.items()
    }


def _ends(gap: str, before: str) -> bool:
    """Whether a sentence ends in ``gap``; "Dr. Smith" and "A. Smith" go on."""
    if not _STOP_MARK.search(gap):
        return False
    initial = len(before) == 1 and before not in {"i", "я"} and not before.isdigit()
    shortened = gap.startswith(".") and (before in _ABBREVIATED or initial)
    return not shortened or "\n" in gap


def _breaks(gap: str, low: str) -> bool:
    if _DASH.search(gap) is not None and not is_cyrillic(low) and not low[0].isdigit():
        return True
    return _BREAK.search(gap) is not None


def _opens(low: str, listed: Sequence[Token], i: int) -> bool:
    if low in _OPENS_CLAUSE:
        return True
    if low not in _AND or i + 1 >= len(listed):
        return False
    return folded(listed[i + 1].text).replace("’", "'") in _SUBJECTS


_NOT_PLURAL: Final = word_set(
    "terms hours conditions pajamas glasses headphones news series species"
)


def is_plural(word: Word) -> bool:
    """Whether a noun is of several: "books", "книги"."""
    low = word.low
    if low in _NOT_PLURAL:
        return False
    if is_cyrillic(low):
        return low.endswith(("ы", "и", "ые", "ие", "ых", "их")) and lemma(low) != low
    return low.endswith("s") and not low.endswith(("ss", "us", "is", "'s")) and lemma(low) != low

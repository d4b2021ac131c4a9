"""What is said of the asked thing, and whether it is so: "is delayed", "finished it", "no".

Source: ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from review.answer.kinds import AskedKind
from review.answer.names import of_thing
from review.answer.senses import Senses
from review.answer.shapes import ATTRIBUTES
from review.answer.told import Told
from review.answer.words import Reading, Word
from review.facts import values
from review.facts.tables import word_set
from review.facts.words import lemma
from store.cells import Span

_COPULA: Final = word_set("is are was were be became becomes remains это теперь стал стала стало")
_TURNED: Final = word_set("now currently still actually officially теперь сейчас уже")
_STATUS: Final = Senses("status state статус состояние")

_SAYS_STATE: Final = word_set("done off on up down over out open")
_ENDS: Final = word_set("because since so")
_LONGEST: Final = 12
_MOST: Final = 60
"""Places of a word that are looked at in one claim."""
_NO: Final = re.compile(
    r"\b(?:not|never|no longer|no more|yet to|without|lost|ran out|не|нет)\b|n't\b", re.IGNORECASE
)
_NOT_DONE: Final = re.compile(
    r"\b(?:meaning to|planning|plan to|going to|want(?:ed)? to|hop(?:e|ing)|need to|will|i'll"
    r"|(?:have|has) to|must"
    r"|able to|should|would|might|trying to|try to|about to|put (?:it )?down|halfway"
    r"|in the middle|get(?:ting)? back to|can't wait|looking forward|if|before|when i|until"
    r"|собираюсь|хочу|планирую|надо|нужно|буду|хотел\w*|попробую|если|на середине"
    r"|отложил\w*)\b",
    re.IGNORECASE,
)
_HAVE: Final = word_set("have has got own i've we've есть")
_DONE_AFTER: Final = word_set("have has i've we've did")


def stated(kind: AskedKind, reading: Reading) -> Iterator[Told]:
    """What is said of the asked thing: "the project is delayed", "status: under review"."""
    head = kind.noun[-1] if kind.noun else ""
    unsaid = head in _STATUS or head in ATTRIBUTES  # "the project is delayed" tells its status
    thing = kind.content.keys() if unsaid else {head}
    for i in _where(reading, thing):
        word = reading.words[i]
        j = i + 1
        while j < min(i + _LONGEST, len(reading.words)) and of_thing(kind, reading, j):
            j += 1
        if j >= len(reading.words) or reading.words[j].sentence != word.sentence:
            continue
        gap = reading.between(j)
        copula = reading.words[j].low in _COPULA and not re.search(r"[,;.]", gap)
        if not copula and not re.search(r":|=|—|–|\s-\s", gap):
            continue
        words = _complement(reading, j + 1 if copula else j)
        if any(w.weight or w.low in _SAYS_STATE for w in words):
            span = Span(words[0].start, words[-1].end)
            text = reading.text_of(words)
            yield Told(
                values.name_key(text),
                text,
                span,
                i,
                "stated",
                implied=frozenset({head} if unsaid else ()),
            )


def _complement(reading: Reading, begin: int) -> list[Word]:
    kept: list[Word] = []
    for word in reading.words[begin : begin + _LONGEST]:
        if not kept and word.low in _TURNED:
            continue
        if kept and (word.clause != kept[-1].clause or word.low in _ENDS):
            break
        kept.append(word)
    while kept and kept[-1].low in _TURNED:
        kept.pop()
    return kept


def so_or_not(kind: AskedKind, reading: Reading) -> Iterator[Told]:
    """Whether the asked thing is done or had: "finished it" is yes, "meaning to" is no."""
    if kind.having:
        yield from _had(reading)
        return
    for i in _where(reading, kind.verbs):
        clause = reading.clause(i)
        denied = _NO.search(clause) is not None
        pending = _NOT_DONE.search(clause) is not None
        if _is_done(reading.words, i) and not denied and not pending:
            yield _answer("yes", reading, i)
        elif denied or pending:
            yield replace(_answer("no", reading, i), rank=1)


def _where(reading: Reading, asked: Iterable[str]) -> list[int]:
    found = (reading.places[one].words for one in asked if one in reading.places)
    return sorted(i for words in found for i in words)[:_MOST]


def _had(reading: Reading) -> Iterator[Told]:
    for i, word in enumerate(reading.words):
        if word.low in _HAVE or _NO.fullmatch(word.low):
            denied = _NO.search(reading.clause(i)) is not None
            yield _answer("no" if denied else "yes", reading, i)


def _answer(key: str, reading: Reading, i: int) -> Told:
    word = reading.words[i]
    return Told(key, word.text, Span(word.start, word.end), i, "done")


def _is_done(words: Sequence[Word], i: int) -> bool:
    low = words[i].low
    if low.endswith(("ed", "en", "л", "ла", "ло", "ли")):
        return True
    if low.isascii() and lemma(low) != low and not low.endswith(("s", "ing")):
        return True  # "paid", "went"
    return i > 0 and words[i - 1].low in _DONE_AFTER

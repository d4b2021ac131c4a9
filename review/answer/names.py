"""Names that fill the slot a question asks for: before the noun, after it, after the verb.

"the Heinz sauce", "my favourite sauce, Heinz", "the sauce is Heinz", "we switched to Heinz".

Source: ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from review.answer.kinds import AnswerSort, AskedKind
from review.answer.senses import Senses
from review.answer.told import Told
from review.answer.words import Reading, Word, is_plural
from review.facts import values
from review.facts.tables import word_set
from store.cells import Span

_EDGES: Final = word_set(
    """
    a an the my our your his her their its this that these those some any and or but with of for
    to in on at by from into about as than is are was were be been i we he she they you it i'm
    i've we're we've got get has have had new used using use love loving
    и или но а с со для в во на о об от до к по у за из это этот эта мой моя мое наш наша я мы
    он она они новый новая новое
    """
)
_GENERAL: Final = Senses(
    "new old favorite favourite current own other another same good great best nice different"
    " previous former recent latest late first second next last big small local amazing main"
    " новый старый любимый текущий нынешний свой другой хороший лучший прежний бывший последний"
    " первый главный основной"
)
_FRESH: Final = word_set("new новый новая новое новую новым новой")
_ACQUIRED: Final = Senses("buy get купить")
"""What "my new …" says by itself."""

_COPULA: Final = word_set(
    "is are was were be called named became becomes remains это теперь стал стала стало называется"
)
_TURNED: Final = word_set("now currently still actually officially теперь сейчас уже")
_CHOICE: Final = Senses(
    "use switch choose pick select opt prefer adopt settle decide proceed go pivot"
    " использовать выбрать перейти работать пользоваться предпочесть остановиться"
)
_STEPS: Final = word_set("with to on for over at as in back ahead forward на в с со через теперь")
_GOES_ON: Final = word_set("of for at in on with the our my на по в у")
_LINKING: Final = word_set("of the and de")
_LONGEST: Final = 8
_MOST: Final = 60
"""Places of a noun that are looked at in one claim."""


def named(kind: AskedKind, reading: Reading) -> Iterator[Told]:
    """The names that could answer, nearest frame first by rank."""
    yield from _before_noun(kind, reading)
    yield from after_noun(kind, reading)
    yield from _after_verb(kind, reading)
    if kind.sort is AnswerSort.PERSON:
        yield from _before_verb(kind, reading)
        yield from _by_whom(kind, reading)


def of_thing(kind: AskedKind, reading: Reading, j: int) -> bool:
    """Whether word ``j`` goes on naming the thing: "the lead developer of the payments team"."""
    word = reading.words[j]
    goes_on = word.low in _GOES_ON
    asked = word.weight > 0 and word.sense in kind.content
    return not reading.pauses(j) and (asked or (goes_on and j + 1 < len(reading.words)))


def after_noun(kind: AskedKind, reading: Reading) -> Iterator[Told]:
    """What stands behind the asked noun: "my sauce, Heinz", "the sauce is Heinz"."""
    for _, last in _heads(kind, reading):
        i = last + 1
        while i < min(last + _LONGEST, len(reading.words)) and of_thing(kind, reading, i):
            i += 1
        if i >= len(reading.words) or re.search(r"[.!?]", reading.between(i)):
            continue
        gap = reading.between(i)
        copula = reading.words[i].low in _COPULA and not gap.strip()
        beside = re.search(r"[,:(«\"—–]|\s-\s", gap) or (i == last + 1 and not gap.strip())
        if not copula and not beside:
            continue
        run = _run(reading, i + 1 if copula else i, any_word=copula)
        if "," in gap and run and not reading.pauses(reading.at(run[-1].end)):
            continue
        kept = _fitting(kind, run)
        if kept:
            yield replace(_made(reading, kept, last, 0), presupposed=True)


def _before_noun(kind: AskedKind, reading: Reading) -> Iterator[Told]:
    """What stands before the asked noun: "the Heinz sauce"."""
    for first, _ in _heads(kind, reading):
        words: list[Word] = []
        i = first
        bounded = False
        while i and len(words) < 6 and not bounded:
            bounded = reading.pauses(i) or reading.words[i - 1].low in _EDGES
            if not bounded:
                i -= 1
                words.insert(0, reading.words[i])
        while words and not bounded and not words[0].is_name:
            words.pop(0)
        kept = _fitting(kind, words)
        if any(word.is_name and not reading.opens(word) for word in kept):
            fresh = any(w.low in _FRESH for w in reading.words[max(0, i - 1) : first])
            one = _made(reading, kept, first, 1)
            yield replace(one, presupposed=True, implied=_ACQUIRED if fresh else frozenset())


def _after_verb(kind: AskedKind, reading: Reading) -> Iterator[Told]:
    """The object of the asked verb or of one of choosing: "we are going with Acme"."""
    wanted = kind.verbs | _CHOICE if kind.standing else kind.verbs
    for i, word in enumerate(reading.words):
        if word.sense not in wanted or not word.low.isalpha():
            continue
        j = i + 1
        while j < min(i + 3, len(reading.words)) and reading.words[j].low in _STEPS:
            j += 1
        chosen = word.sense in _CHOICE
        if (chosen and word.sense not in kind.verbs and j == i + 1) or j >= len(reading.words):
            continue
        kept = _fitting(kind, _run(reading, j)) if not reading.pauses(j) else []
        if kept:
            implied = _CHOICE if chosen else frozenset()
            yield replace(_made(reading, kept, j, 2), implied=implied)


def _before_verb(kind: AskedKind, reading: Reading) -> Iterator[Told]:
    """Who does what is asked: "Marco leads the team"."""
    for i, word in enumerate(reading.words):
        if i and word.sense in kind.verbs and not word.low.endswith("ing"):
            j = i
            while j and reading.words[j - 1].low in _TURNED:
                j -= 1
            words: list[Word] = []
            while j and reading.words[j - 1].text[:1].isupper() and not reading.pauses(j):
                j -= 1
                words.insert(0, reading.words[j])
            kept = _fitting(kind, words)
            if kept and kept[0].weight:
                yield _made(reading, kept, j, 1)


def _by_whom(kind: AskedKind, reading: Reading) -> Iterator[Told]:
    """Who does what is asked, in the passive: "taught by Lena"."""
    for i, word in enumerate(reading.words):
        if word.low == "by" and any(
            w.sense in kind.verbs for w in reading.words[max(0, i - 3) : i]
        ):
            kept = _fitting(kind, _run(reading, i + 1))
            if kept and not reading.pauses(i + 1):
                yield _made(reading, kept, i, 1)


def _made(reading: Reading, words: Sequence[Word], at: int, rank: int) -> Told:
    text = reading.text_of(words)
    span = Span(words[0].start, words[-1].end)
    return Told(values.name_key(text), text, span, at, "name", rank=rank)


def _heads(kind: AskedKind, reading: Reading) -> Iterator[tuple[int, int]]:
    """Where the asked noun stands: its first and last word, with the words it is asked with."""
    if not kind.noun:
        return
    where = reading.places.get(kind.noun[-1])
    for last in where.words[:_MOST] if where else ():
        if is_plural(reading.words[last]):
            continue
        first = last
        while first and reading.words[first - 1].sense in kind.noun and not reading.pauses(first):
            first -= 1
        yield first, last


def _fitting(kind: AskedKind, words: Sequence[Word]) -> list[Word]:
    """The words of a name, without general ones at its ends; empty when they cannot answer."""
    kept = [word for word in words if word.sense not in _GENERAL]
    while kept and not kept[0].weight:
        kept.pop(0)
    while kept and (not kept[-1].weight or kept[-1].low in _TURNED):
        kept.pop()
    if kind.sort is AnswerSort.PERSON and not any(w.text[:1].isupper() for w in kept):
        return []
    if all(word.sense in kind.content or not word.weight for word in kept):
        return []
    return kept


def _run(reading: Reading, begin: int, *, any_word: bool = False) -> list[Word]:
    """The words from ``begin`` that are written like one name, or any up to an edge."""
    i = begin
    while i < len(reading.words) and reading.words[i].low in {"a", "an", "the", *_TURNED}:
        i += 1
    run: list[Word] = []
    for j in range(i, min(i + _LONGEST, len(reading.words))):
        word = reading.words[j]
        if run and reading.pauses(j):
            break
        following = j + 1 < len(reading.words) and reading.words[j + 1].is_name
        links = bool(run) and word.low in _LINKING and following
        if not word.is_name and not links and (not any_word or word.low in _EDGES):
            break
        run.append(word)
    return run

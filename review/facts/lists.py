"""Notes that list facts: "Coffee shop in Kazan, budget 5000, summer, dine-in and takeaway".

The first item says whom the others are about. A season or a format may stand alone in such a list;
in running text it says nothing.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple

from review.facts.drafts import Draft, of
from review.facts.names import name
from review.facts.sayings import (
    AUXILIARIES,
    BARS,
    DOUBTS,
    FILLERS,
    I_AND_WE,
    LABELS,
    PREPOSITIONS,
    word_set,
)
from review.facts.sentences import COMMA, HARD, LINK, OPEN, Phrase, Sentence
from review.facts.slots import enum
from review.facts.subjects import Context, subject

_BEFORE = word_set("in with for during and but в на с со но и")
_LONG = 8


class Topic(NamedTuple):
    """Whom a list is about, and the fact that its first item states itself."""

    subject: Phrase | None
    draft: Draft | None


NOTHING: Final = Topic(None, None)
"""The topic of a sentence that is no list."""


def segments(context: Context, sentence: Sentence) -> list[tuple[int, int]]:
    """The items of a sentence between its commas and bars, in words."""
    gaps = context.reading.gaps
    cuts = [sentence.first]
    cuts += [i for i in range(sentence.first + 1, sentence.last) if gaps[i] in (COMMA, HARD)]
    cuts.append(sentence.last)
    return list(pairwise(cuts))


def topic(context: Context, sentence: Sentence, named: set[int]) -> Topic:
    """What the first item of a list names, such as "Coffee shop in Kazan" or "Acme: …".

    Args:
        context: The text and what is known beside it.
        sentence: The sentence that may be a list.
        named: Words that begin a parameter's name; an item with one is a fact, not a topic.
    """
    reading, forms = context.reading, context.reading.forms
    first = sentence.first
    if first + 1 < sentence.last and reading.gaps[first + 1] == LINK and forms[first] in LABELS:
        first += 1
    end = first
    while end < sentence.last and end - first <= _LONG:
        if end > first and reading.gaps[end] in (COMMA, HARD, LINK):
            break
        if end in named or forms[end] in AUXILIARIES or forms[end] in DOUBTS:
            return NOTHING
        end += 1
    if end >= sentence.last or end - first > _LONG or forms[first] in I_AND_WE:
        return NOTHING
    if reading.gaps[end] == LINK and end - first > 4:
        return NOTHING
    if forms[first] in BARS | LABELS | PREPOSITIONS:
        return NOTHING
    return _placed(context, sentence, first, end)


def _placed(context: Context, sentence: Sentence, first: int, end: int) -> Topic:
    """The topic in the words ``[first, end)``, and where it is if they say so."""
    reading, forms = context.reading, context.reading.forms
    stop = next((i for i in range(first + 1, end) if forms[i] in ("in", "в", "at", "на")), end)
    whom = subject(context, first, stop)
    if whom is None or not whom.key:
        return NOTHING
    if stop + 1 >= end:
        return Topic(whom, None)
    location = context.lexicon.table.parameters.get("location")
    place = location and name(context, sentence, location, stop + 1, end)
    if not location or not place or place.next != end:
        return Topic(whom, None)
    start, behind = reading.starts[stop], reading.ends[stop]
    draft = of(location, reading.text[start:behind], (start, behind), place)
    draft.subject = whom
    return Topic(whom, draft)


def standing(context: Context, sentence: Sentence, *, running: bool) -> list[Draft]:
    """Values that say their parameter alone.

    Args:
        context: The text and what is known beside it.
        sentence: A sentence that states other facts too, or a question.
        running: Whether they may also stand in running text, as in "the same shop, but in winter".
    """
    drafts = []
    for first, last in segments(context, sentence):
        drafts += _alone(context, first, last)
        if running and not drafts:
            for at in range(first, last):
                told = _at(context, at, last)
                if told and context.reading.forms[max(first, at - 1)] in _BEFORE | {"с"}:
                    drafts.append(told)
    return drafts


def _alone(context: Context, first: int, last: int) -> list[Draft]:
    forms, gaps = context.reading.forms, context.reading.gaps
    drafts: list[Draft] = []
    at = first
    while at < last and (forms[at] in FILLERS or forms[at] in _BEFORE):
        at += 1
    while at < last and gaps[at] <= OPEN:
        told = _at(context, at, last)
        if told is None:
            return []
        drafts.append(told)
        at = told.value.next
        while at < last and forms[at] in _BEFORE:
            at += 1
    return drafts


def _at(context: Context, at: int, last: int) -> Draft | None:
    entry = context.lexicon.entries.get(context.reading.forms[at])
    for told in entry.values if entry else ():
        if told.parameter.standalone:
            value = enum(context, told.parameter, at, last)
            if value:
                words = context.reading.text[value.start : value.end]
                return of(told.parameter, words, (value.start, value.end), value)
    return None

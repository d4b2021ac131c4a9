"""Whose parameter it is: the phrase before a verb or behind a name, and its normal form."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from review.facts import values
from review.facts.lexicon import Lexicon
from review.facts.protocol import Setting
from review.facts.sayings import (
    ARTICLES,
    AUXILIARIES,
    BARS,
    DROPPED,
    FILLERS,
    I_AND_WE,
    NEGATIONS,
    PERSONS,
    PREPOSITIONS,
    RELATIVES,
    THEY,
    THIS,
    word_set,
)
from review.facts.sentences import BLANK, COMMA, HARD, LINK, Phrase, Reading

JOINS: Final = word_set("of de la von van der den di da del du le el al bin ibn на")
"""Small words inside of names."""

BOTH: Final = word_set("and & и")
_TITLE: Final = JOINS | BOTH | word_set("the a an in on for with to at by or not from")
_NO_NOUN: Final = NEGATIONS | AUXILIARIES
_NO_TITLE: Final = PREPOSITIONS | BARS
_LONG: Final = 12


@dataclass(slots=True)
class Context:
    """What the rules share while one text is read."""

    reading: Reading
    lexicon: Lexicon
    setting: Setting
    subject: Phrase | None = None
    """The subject spoken of last, for "he" and "it" and for lists."""


@lru_cache(maxsize=50_000)
def key_of(text: str) -> str:
    """The normal form of a name as a subject or value."""
    return values.name_key(text)


def speaker(context: Context) -> str:
    """The normal form of whom "I" means; empty when nobody is named."""
    return key_of(context.setting.speaker) if context.setting.speaker else ""


def subject(context: Context, first: int, last: int, *, clause: bool = False) -> Phrase | None:
    """The phrase of the words ``[first, last)`` as a subject.

    "I" and "we" are the speaker, "he" and "it" the subject before. ``None`` when nobody can say
    whom the words mean, or when they are no phrase; an empty key when they name nobody.

    Args:
        context: The text and what is known beside it.
        first: The first word.
        last: The word behind the last one.
        clause: A whole clause may be the subject, as of a probability.
    """
    reading, forms = context.reading, context.reading.forms
    while first < last and (forms[first] in FILLERS or forms[first] in ARTICLES):
        first += 1
    while first < last and forms[last - 1] in FILLERS:
        last -= 1
    if first >= last:
        return None
    told = forms[first:last]
    if all(form in I_AND_WE or form in THEY or form in THIS or form in _NO_NOUN for form in told):
        return _pronoun(context, first, last)
    if not clause and any(form in PERSONS for form in told):
        # "I Feel Love" is a name, and "time flies when I …" is no phrase.
        return _as_said(reading, first, last) if is_title(reading, first, last) else None
    quoted = _quoted_name(reading, first, last)
    if quoted:
        return quoted
    start, end = cleaned(context, first, last)
    if start >= end:
        return Phrase(reading.starts[first], reading.ends[last - 1], "", last)
    if all(form in THEY for form in forms[start:end]):
        return None
    return _as_said(reading, start, end)._replace(next=last)


def _as_said(reading: Reading, first: int, last: int) -> Phrase:
    told = reading.words(first, last)
    return Phrase(reading.starts[first], reading.ends[last - 1], key_of(told), last)


def _pronoun(context: Context, first: int, last: int) -> Phrase | None:
    """Whom "we" and "she" mean; nobody when the words are "this", "not" or "is"."""
    reading = context.reading
    told = reading.forms[first:last]
    start, end = reading.starts[first], reading.ends[last - 1]
    if all(form in I_AND_WE for form in told):
        return Phrase(start, end, speaker(context), last)
    if all(form in THEY for form in told) and context.subject is not None:
        return Phrase(start, end, context.subject.key, last)
    return None


def _quoted_name(reading: Reading, first: int, last: int) -> Phrase | None:
    """The name in quotes that a phrase ends with: of «компании "Альфа"» it is "Альфа"."""
    for at in range(first, last):
        quoted = reading.quoted(at)
        if quoted and quoted[1] >= reading.ends[last - 1]:
            return Phrase(*quoted, key_of(reading.text[slice(*quoted)]), last)
    return None


def cleaned(context: Context, first: int, last: int) -> tuple[int, int]:
    """The words without "our", "all", "current", and without what only carries: "batch of"."""
    forms, lexicon = context.reading.forms, context.lexicon
    while first < last:
        form = forms[first]
        carries = form in lexicon.transparent and first + 1 < last
        dropped = form in DROPPED or form in I_AND_WE or form in FILLERS or form in PREPOSITIONS
        if not (dropped or carries or form in lexicon.neutral):
            break
        first += 1
    while first < last and (
        forms[last - 1] in FILLERS
        or forms[last - 1] in PREPOSITIONS
        or forms[last - 1] in AUXILIARIES
    ):
        last -= 1
    return first, last


def subject_before(context: Context, first: int, last: int) -> Phrase | None:
    """The subject that ends at word ``last``: what stands before the verb, back to a bar."""
    reading, forms = context.reading, context.reading.forms
    barred = last < len(reading.gaps) and reading.gaps[last] in (LINK, HARD)
    if barred and last > first and reading.text[reading.ends[last - 1]] != ")":
        # "Note: lives in Kazan" has no subject before its verb.
        return context.subject or elided(context, last)
    while first < last and (forms[last - 1] in FILLERS or forms[last - 1] in AUXILIARIES):
        last -= 1
    if first >= last:
        return context.subject or elided(context, last)
    final = forms[last - 1]
    if final in ("to", "чтобы") or final in RELATIVES:
        return None
    possessed = last - 2 >= first and not reading.gaps[last - 1] and forms[last - 2] in JOINS
    if final in THEY or (final in I_AND_WE and not possessed):
        return subject(context, last - 1, last)
    return _phrase_before(context, first, last)


def _phrase_before(context: Context, first: int, last: int) -> Phrase | None:
    forms = context.reading.forms
    start, last, titled = _bounds(context.reading, first, last)
    if start > first and forms[start - 1] in RELATIVES:
        return None
    if start > first and forms[start - 1] == "вместо":
        return context.subject or elided(context, last)
    while start < last and (forms[start] in FILLERS or forms[start] in BARS):
        start += 1
    if start >= last:
        return context.subject or elided(context, last)
    if last - start > _LONG or (forms[start] in PREPOSITIONS and not titled):
        return None
    return subject(context, start, last)


def _bounds(reading: Reading, first: int, last: int) -> tuple[int, int, bool]:
    """Where the phrase before ``last`` begins and ends, and whether it is one long name."""
    forms, gaps = reading.forms, reading.gaps
    titled = is_title(reading, first, last)
    if not titled and last < len(gaps) and gaps[last] == COMMA:
        # "Misery, a novel, was written by": what stands between the commas explains.
        comma = next((i for i in range(last - 1, first, -1) if gaps[i] == COMMA), None)
        if comma is not None and forms[comma] in ARTICLES:
            return _bounds(reading, first, comma)
    for place in range(last - 1, first - 1, -1):
        gap = reading.gaps[place]
        if (forms[place] in BARS and not titled) or forms[place] in AUXILIARIES:
            return place + 1, last, titled
        if place > first and (gap in (HARD, LINK) or (gap == COMMA and not titled)):
            return place, last, titled
    return first, last, titled


def elided(context: Context, at: int) -> Phrase:
    """Nobody is named, as in the note "Lives in Kazan": it is about the speaker."""
    start = context.reading.starts[at] if at < len(context.reading.starts) else 0
    return Phrase(start, start, speaker(context), at)


def is_title(reading: Reading, first: int, last: int) -> bool:
    """Whether the words look like one name: "The Lion, the Witch and the Wardrobe"."""
    if last - first > _LONG or not reading.capital(first) or not reading.capital(last - 1):
        return False
    if reading.forms[first] in _NO_TITLE or not reading.has_capitals:
        return False
    return all(
        (reading.capital(i) or reading.forms[i] in _TITLE or reading.forms[i][0].isdigit())
        and (i == first or reading.gaps[i] in (BLANK, COMMA))
        for i in range(first, last)
    )

"""Parameters that a question asks for by their names: "what is the budget of the project"."""

from __future__ import annotations

from typing import Final

from review.facts.asked_about import asking_for, clause_end, thing
from review.facts.lexicon import is_oblique, match
from review.facts.open_questions import FITS, WH, sort_of
from review.facts.owners import before, joined
from review.facts.parameters import Parameter
from review.facts.protocol import Asked
from review.facts.sayings import (
    ARTICLES,
    AUXILIARIES,
    FILLERS,
    I_AND_WE,
    OF_WHOM,
    PREPOSITIONS,
    word_set,
)
from review.facts.sentences import BLANK, OPEN, Phrase, Sentence
from review.facts.subjects import Context, cleaned, key_of
from review.facts.words import is_cyrillic

_CHANGE: Final = word_set(
    "change changed changing evolve evolved менялся менялась менялось менялись изменился "
    "изменилась изменилось изменились поменялся поменялась"
)
_REACH: Final = 8


def by_name(context: Context, sentence: Sentence) -> list[Asked]:
    """What is asked for by name; after the first, also what leads to it by a chain of names."""
    reading, entries = context.reading, context.lexicon.entries
    told: list[Asked] = []
    behind = sentence.first
    for at in range(sentence.first, sentence.last):
        entry = entries.get(reading.forms[at])
        if at < behind or entry is None:
            continue
        for known in entry.names:
            end = match(reading, known, at, sentence.last)
            if not end:
                continue
            behind = end
            if known.parameter.key == "name" and names_another(context, end, sentence.last):
                break
            one = _named(context, sentence, known.parameter, at, end, bool(told))
            if one is not None:
                told.append(one)
            break
    return told


def names_another(context: Context, at: int, last: int) -> bool:
    """Whether another parameter follows at once: "the name of the head of state"."""
    return any(
        match(context.reading, known, place, last)
        for place in range(at, min(last, at + 4))
        if (entry := context.lexicon.entries.get(context.reading.forms[place]))
        for known in entry.names
    )


def _named(
    context: Context,
    sentence: Sentence,
    parameter: Parameter,
    at: int,
    end: int,
    chained: bool,
) -> Asked | None:
    reading, forms = context.reading, context.reading.forms
    owner = before(context, sentence.first, at)
    if owner is None or owner.past:
        return None
    asks = _nearest(forms, sentence.first, at)
    start = owner.start
    if owner.possessor is not None and not owner.speaker:
        start = reading.word_at(owner.possessor.start, sentence.first, start)
    direct = asks is not None and (_leads(context, asks, start) or _about(forms, start))
    whom = _behind(context, sentence, end)
    if direct:
        sort = sort_of(forms, asks or 0)
        changing = any(form in _CHANGE for form in forms[at : sentence.last])
        if (
            sort in FITS
            and not (sort == "how" and changing)
            and parameter.value_type not in FITS[sort]
        ):
            return None
    elif (
        not chained
        or whom is None
        or not reading.capital(reading.word_at(whom.start, end, sentence.last))
    ):
        return None
    qualifier = owner.qualifier
    if qualifier is not None and qualifier.key and forms[owner.start] in WH:
        owner = owner._replace(qualifier=_without_wh(context, owner.start, at))
    if whom is None and not joined(None, owner):
        whom = _trailing(context, sentence, end)
    if asks is None:
        return None
    return asking_for(context, parameter, joined(whom, owner), at, end)


def _without_wh(context: Context, first: int, last: int) -> Phrase | None:
    while first < last and context.reading.forms[first] in WH:
        first += 1
    start, end = cleaned(context, first, last)
    if start >= end:
        return None
    reading = context.reading
    return Phrase(
        reading.starts[start], reading.ends[end - 1], key_of(reading.words(start, end)), end
    )


def _nearest(forms: list[str], first: int, at: int) -> int | None:
    for place in range(at - 1, first - 1, -1):
        if forms[place] in WH:
            return place
    return None


def _leads(context: Context, asks: int, start: int) -> bool:
    """Whether a question word asks for the phrase that begins at ``start``."""
    forms = context.reading.forms
    return all(
        form in AUXILIARIES
        or form in ARTICLES
        or form in FILLERS
        or form in I_AND_WE
        or form in context.lexicon.neutral
        or form in WH
        or form in ("у", "many", "much", "name", "of", "зовут")
        for form in forms[asks + 1 : start]
    )


def _about(forms: list[str], start: int) -> bool:
    """Whether the phrase is what one asks about: "what did we decide about the deadline"."""
    place = start - 1
    while place > 0 and forms[place] in ARTICLES | I_AND_WE:
        place -= 1
    return forms[place] in ("about", "regarding", "про", "насчет", "о", "об")


def _behind(context: Context, sentence: Sentence, end: int) -> Phrase | None:
    """The owner behind an asked name: "budget of the project"."""
    reading, forms = context.reading, context.reading.forms
    if end >= sentence.last or reading.gaps[end] not in (BLANK, OPEN):
        return None
    completes = is_oblique(forms[end]) or reading.quoted(end) or reading.capital(end)
    if forms[end] not in OF_WHOM and not (completes and is_cyrillic(forms[end])):
        return None
    first = end + 1 if forms[end] in PREPOSITIONS else end
    if first < sentence.last and forms[first] in I_AND_WE:
        return None
    last = clause_end(context, first, sentence.last)
    return thing(context, sentence, first, last)


def _trailing(context: Context, sentence: Sentence, end: int) -> Phrase | None:
    """Reads "Which carrier did we use for Koledino": the owner at the end of the question."""
    reading, forms = context.reading, context.reading.forms
    for at in range(end, min(sentence.last, end + _REACH) - 1):
        near = forms[at] in ("for", "для", "of") or (
            forms[at] in OF_WHOM and reading.capital(at + 1)
        )
        if near and forms[at + 1] not in I_AND_WE:
            return thing(context, sentence, at + 1, sentence.last)
    return None

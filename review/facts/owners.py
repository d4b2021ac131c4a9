"""Whom a parameter belongs to by the words around its name: "Acme's marketing budget"."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from review.facts.sayings import (
    ARTICLES,
    AUXILIARIES,
    BARS,
    DOUBTS,
    FILLERS,
    I_AND_WE,
    NEGATIONS,
    OF_WHOM,
    PREPOSITIONS,
    THEY,
    THIS,
    word_set,
)
from review.facts.sentences import BLANK, COMMA, HARD, LINK, OPEN, Phrase, Sentence
from review.facts.subjects import Context, cleaned, key_of, subject
from review.facts.words import is_cyrillic

_REACH: Final = 4
_ADJECTIVE: Final = re.compile(
    r"(?:ый|ий|ой|ая|яя|ое|ее|ые|ие|ого|его|ому|ему|ую|юю|ых|их|ым|им)$"
)
ORDINALS: Final = word_set(
    "first second third fourth fifth sixth seventh eighth ninth tenth vice deputy acting "
    "assistant первый первая первое второй вторая второе третий третья третье четвертый пятый "
    "шестой заместитель замглавы вице и.о"
)
"""With one of these before it a name means something else: the first president."""

_STOP_LEFT: Final = (
    ARTICLES | BARS | PREPOSITIONS | AUXILIARIES | FILLERS | NEGATIONS | DOUBTS | THEY | THIS
)


class Owner(NamedTuple):
    """Whom a name belongs to by what stands before it."""

    start: int
    """The first word of the phrase."""

    possessor: Phrase | None
    qualifier: Phrase | None
    past: bool
    speaker: bool = False
    """The possessor is "my" or "our", which says nothing beside another owner."""


def before(context: Context, first: int, at: int) -> Owner | None:
    """What stands before a name: "Ellie's", "our", "the marketing"; ``None`` for another thing."""
    reading, forms, lexicon = context.reading, context.reading.forms, context.lexicon
    place, past, speaker = at, False, False
    possessor = None
    while place > first and reading.gaps[place] in (BLANK, OPEN) and at - place < 4:
        form = forms[place - 1]
        if form in I_AND_WE and form not in ("user", "пользователь"):
            possessor, speaker = subject(context, place - 1, place), True
            break
        if form.endswith("'s") and form not in AUXILIARIES and form not in THEY:
            possessor = _possessor(context, first, place)
            break
        if form in ("his", "her", "its", "their", "его", "ее", "их"):
            possessor = context.subject
            if possessor is None:
                return None
            break
        if form in ORDINALS:
            return None
        if form in _STOP_LEFT or (is_cyrillic(form) and not _ADJECTIVE.search(form)):
            break
        past = past or form in lexicon.past
        place -= 1
    start, end = cleaned(context, place, at)
    qualifier = None
    if start < end:
        told = reading.words(start, end)
        qualifier = Phrase(reading.starts[start], reading.ends[end - 1], key_of(told), end)
    return Owner(place, possessor, qualifier, past, speaker)


def _possessor(context: Context, first: int, end: int) -> Phrase:
    reading = context.reading
    start = end - 1
    while not reading.capital(end - 1) and start > first and end - start < _REACH:
        # "My other cat's": what tells two cats apart belongs to the owner.
        if reading.gaps[start] or reading.forms[start - 1] in _STOP_LEFT | I_AND_WE:
            break
        start -= 1
    while (
        start > first
        and not reading.gaps[start]
        and (reading.capital(start - 1) or reading.forms[start - 1] in ("of", "the"))
    ):
        start -= 1
    while start < end - 1 and reading.forms[start] in FILLERS | ARTICLES:
        if reading.text[reading.ends[start]] == ".":  # "A. A. Milne" has no article
            break
        start += 1
    stop = reading.ends[end - 1] - 2
    return Phrase(
        reading.starts[start], stop, key_of(reading.text[reading.starts[start] : stop]), end
    )


def joined(whom: Phrase | None, owner: Owner) -> Phrase | None:
    """The owner before and behind a name as one: "Acme's marketing budget" is Acme's marketing."""
    parts = [p for p in (whom, owner.possessor, owner.qualifier) if p is not None]
    told = [p for p in parts if p.key]
    if len(told) > 1 and owner.speaker:
        told = [p for p in told if p is not owner.possessor]
    if not told:
        return parts[0] if parts else None
    key = " ".join(p.key for p in told)
    return Phrase(told[0].start, told[0].end, key, told[0].next)


def given(subject_: Phrase, condition: Phrase | None) -> Phrase:
    """The subject with the condition that its sentence opens with, as one."""
    if condition is None or not condition.key:
        return subject_
    key = f"{subject_.key} | {condition.key}"
    return Phrase(condition.start, subject_.end, key, subject_.next)


def stands_first(context: Context, sentence: Sentence, start: int) -> bool:
    """Whether a name opens its sentence or item, or is "the" one that everybody knows."""
    reading, forms = context.reading, context.reading.forms
    place = start
    while (
        place > sentence.first
        and not reading.gaps[place]
        and (forms[place - 1] in FILLERS or forms[place - 1] in BARS)
    ):
        place -= 1
    if place == sentence.first or reading.gaps[place] in (COMMA, HARD, LINK):
        return True
    return forms[place - 1] in ("the", "this", "our", "my", "этот", "эта", "наш", "наша")


def adjunct(
    context: Context, sentence: Sentence, last: int, *, clause: bool = False
) -> Phrase | None:
    """Whom a sentence opens with: "For shipping to Koledino we use …", "In Kazan, rent is …"."""
    reading, forms = context.reading, context.reading.forms
    first = sentence.first
    while first < last and (forms[first] in FILLERS or forms[first] in BARS):
        first += 1
    if first + 1 >= last or forms[first] not in OF_WHOM:
        return None
    for moment in sentence.moments(reading.text, context.setting.written_at):
        if sentence.start + moment.span.start <= reading.starts[first + 1]:
            return None
    end = first + 1
    while end < last and reading.gaps[end] not in (COMMA, LINK, HARD):
        if forms[end] in I_AND_WE and end > first + 1:
            break
        end += 1
    start, stop = cleaned(context, first, end)
    if start < stop and end == last and reading.capital(start):
        run = start + 1
        while run < stop and reading.capital(run) and not reading.gaps[run]:
            run += 1
        stop = run
    elif end == last:
        return None
    return subject(context, start, stop, clause=clause) if start < stop else None

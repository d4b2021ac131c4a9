"""The value as written: a name, a quantity, a date, one of an enum's values, or a few words.

What does not look like a value of the parameter is none, and nothing is read.
"""

from __future__ import annotations

import re
from typing import Final

from review.facts import dates, values
from review.facts.lexicon import match
from review.facts.names import name
from review.facts.parameters import Parameter
from review.facts.protocol import ValueType
from review.facts.sayings import (
    ARTICLES,
    AUXILIARIES,
    BARS,
    EVALUATIONS,
    FILLERS,
    NOT_FIRST,
    PREPOSITIONS,
)
from review.facts.sentences import BLANK, COMMA, HARD, LINK, OPEN, Phrase, Sentence
from review.facts.subjects import BOTH, Context, key_of
from review.facts.timing import before_moment

_MARKS: Final = {
    "instr": re.compile(r"(?:ом|ем|ой|ей|ью|им|ым|ами|ями)$"),
    "ing": re.compile(r"[a-z]{2}ing$"),
}
_CURRENCY: Final = "$€£₽¥"
_LONG: Final = 12
_SHORT: Final = 5


def value(
    context: Context,
    sentence: Sentence,
    parameter: Parameter,
    at: int,
    last: int,
    *,
    linked: bool = False,
    marked: str = "",
) -> Phrase | None:
    """The value of ``parameter`` that begins at word ``at`` or a few words behind it.

    Args:
        context: The text and what is known beside it.
        sentence: The sentence that holds the words.
        parameter: What is read; its type decides what counts as a value.
        at: The first word that may belong to it.
        last: The word behind the last one that may.
        linked: A colon, dash or "is" stands before it.
        marked: What the frame asks of its first word: ``instr`` for a Russian instrumental,
            ``ing`` for an English gerund.
    """
    reading, forms = context.reading, context.reading.forms
    while at < last and forms[at] in FILLERS and reading.gaps[at] != HARD:
        at += 1
    if at >= last or (marked and not _MARKS[marked].search(forms[at])):
        return None
    match parameter.value_type:
        case ValueType.ENUM:
            free = linked and parameter.predicative
            found = enum(context, parameter, at, last)
            return found or (text(context, sentence, at, last, linked=True) if free else None)
        case ValueType.NUMBER | ValueType.MONEY | ValueType.DURATION:
            return quantity(context, sentence, parameter, at, last)
        case ValueType.DATE:
            now = context.setting.written_at
            return dates.value(reading, sentence, at, last, now, lasting=parameter.lasting)
        case ValueType.TEXT:
            return text(context, sentence, at, last, linked=linked)
    return name(context, sentence, parameter, at, last, common=reading.gaps[at] == LINK)


def enum(context: Context, parameter: Parameter, at: int, last: int) -> Phrase | None:
    """One of the parameter's own values, or several joined when it takes several."""
    reading = context.reading
    found: list[str] = []
    first = at
    while first < last and reading.forms[first] in ARTICLES:
        first += 1
    end = at = first
    while at < last and (not found or reading.gaps[at] <= OPEN):
        told, behind = _listed(context, parameter, at, last)
        if not behind:
            break
        found.append(told)
        at = end = behind
        if not parameter.several:
            break
        while at < last and (reading.forms[at] in BOTH or reading.forms[at] in ("with", "с")):
            at += 1
    if not found:
        return None
    return Phrase(reading.starts[first], reading.ends[end - 1], "+".join(sorted(set(found))), end)


def _listed(context: Context, parameter: Parameter, at: int, last: int) -> tuple[str, int]:
    entry = context.lexicon.entries.get(context.reading.forms[at])
    for told in entry.values if entry else ():
        behind = match(context.reading, told, at, last) if told.parameter is parameter else 0
        if behind:
            return told.value, behind
    return "", 0


def quantity(
    context: Context, sentence: Sentence, parameter: Parameter, at: int, last: int
) -> Phrase | None:
    """The first quantity among the next few words."""
    reading = context.reading
    stop = min(last, at + _SHORT)
    for place in range(at + 1, stop):
        if reading.gaps[place] in (COMMA, HARD, LINK):
            stop = place
            break
    low, high = reading.starts[at], reading.ends[stop - 1]
    for found in sentence.quantities(reading.text):
        if found.span.start >= high:
            break
        if found.span.end <= low or not _fits(found.value_type, parameter.value_type):
            continue
        start = found.span.start
        if any(sign.isalnum() for sign in reading.text[start:low]):
            start = low
            while reading.text[start - 1] in _CURRENCY:
                start -= 1
        told = reading.text[start : found.span.end]
        key = found.key if start == found.span.start else values.key(told, found.value_type)
        return Phrase(start, found.span.end, key, reading.word_at(found.span.end, at, last))
    for place in range(at, stop):
        if reading.forms[place][:1].isdigit() and parameter.value_type is ValueType.NUMBER:
            told = reading.words(place, place + 1)
            key = values.key(told, ValueType.NUMBER)
            return Phrase(reading.starts[place], reading.ends[place], key, place + 1)
    return None


def _fits(found: ValueType, wanted: ValueType) -> bool:
    if found in (ValueType.DATE, ValueType.NAME):
        return False
    return not (wanted is ValueType.MONEY and found is ValueType.DURATION)


def text(
    context: Context, sentence: Sentence, at: int, last: int, *, linked: bool = False
) -> Phrase | None:
    """A few words of any sort, up to a comma, a bar, a preposition or a moment.

    ``linked`` says that "is" or a colon stands before, so that "under review" is a value and
    "great" is an opinion.
    """
    reading, forms = context.reading, context.reading.forms
    quoted = reading.quoted(at)
    if quoted:
        told = reading.text[slice(*quoted)]
        return Phrase(*quoted, key_of(told), reading.word_at(quoted[1], at, last))
    while at < last and forms[at] in ARTICLES and reading.gaps[at] != HARD:
        at += 1
    if at >= last or forms[at] in NOT_FIRST or forms[at] in AUXILIARIES:
        return None
    if forms[at] in PREPOSITIONS and not linked:
        return None
    end = _text_end(context, at, last)
    end = max(before_moment(reading, sentence, context.setting.written_at, at, end), at + 1)
    while end > at + 1 and (forms[end - 1] in FILLERS or forms[end - 1] in PREPOSITIONS):
        end -= 1
    if linked and (forms[at].endswith("ly") or _says_something_else(context, at)):
        return None
    start = reading.starts[at]
    if start and reading.text[start - 1] in "#@":
        start -= 1
    told = reading.text[start : reading.ends[end - 1]]
    return Phrase(start, reading.ends[end - 1], key_of(told), end)


def _says_something_else(context: Context, at: int) -> bool:
    """Whether the word is an opinion ("great") or a value of another sort ("approved")."""
    form = context.reading.forms[at]
    entry = context.lexicon.entries.get(form)
    told = entry.values if entry else ()
    return form in EVALUATIONS or any(v.parameter.predicative and not v.rest for v in told)


def _text_end(context: Context, at: int, last: int) -> int:
    reading, forms = context.reading, context.reading.forms
    for end in range(at + 1, min(last, at + _LONG)):
        if reading.gaps[end] not in (BLANK, OPEN):
            return end
        glued = reading.text[reading.starts[end] - 1] == "-"
        inner = forms[end] in ("of", "per", "до")
        if not glued and not inner and (forms[end] in BARS or forms[end] in PREPOSITIONS):
            return end
    return min(last, at + _LONG)

"""Facts said the other way round: "Koledino is our main warehouse", «Париж — столица Франции»."""

from __future__ import annotations

from review.facts import links
from review.facts.drafts import Draft, of
from review.facts.names import name, run
from review.facts.owners import Owner, before, joined
from review.facts.parameters import Parameter
from review.facts.protocol import ValueType
from review.facts.sayings import ARTICLES, BARS, FILLERS, I_AND_WE, OF_WHOM, PREPOSITIONS
from review.facts.sentences import BLANK, COMMA, HARD, LINK, OPEN, Phrase, Sentence
from review.facts.subjects import Context, key_of
from review.facts.words import is_cyrillic

_LONGEST_LINK = 3


def inverse(
    context: Context, sentence: Sentence, parameter: Parameter, at: int, end: int
) -> Draft | None:
    """The fact of a proper name before a link and the parameter's name ``[at, end)`` behind it."""
    if parameter.value_type not in (ValueType.NAME, ValueType.TEXT):
        return None
    reading = context.reading
    owner = before(context, sentence.first, at) if reading.has_capitals else None
    if owner is None or owner.past:
        return None
    stop = _link(context, sentence, owner)
    found = _named(context, sentence, stop) if stop else None
    if found is None:
        return None
    whom, closed = _whom(context, sentence, end)
    if not closed or (whom is None and owner.possessor is None):
        return None
    place = (reading.starts[owner.start], reading.ends[end - 1])
    draft = of(parameter, reading.words(at, end), place, found)
    draft.subject = joined(whom, owner)
    draft.changes = any(f in links.CHANGES for f in reading.forms[found.next : owner.start])
    return draft


def _link(context: Context, sentence: Sentence, owner: Owner) -> int:
    """The word behind the name that stands before the link; 0 when there is no link."""
    reading, forms = context.reading, context.reading.forms
    place = owner.start
    if owner.possessor is not None and owner.possessor.end > owner.possessor.start:
        place = reading.word_at(owner.possessor.start, sentence.first, place)
    while place > sentence.first and not reading.gaps[place] and forms[place - 1] in ARTICLES:
        place -= 1
    if reading.gaps[place] == LINK:
        sign = reading.text[reading.ends[place - 1] : reading.starts[place]]
        return 0 if ":" in sign else place
    for start in range(place - 1, max(sentence.first, place - _LONGEST_LINK - 1), -1):
        if reading.gaps[place] == BLANK and links.behind(forms, start, place) == place:
            return start
    return 0


def _named(context: Context, sentence: Sentence, stop: int) -> Phrase | None:
    """The proper name that fills its item up to word ``stop``."""
    reading, forms = context.reading, context.reading.forms
    first = stop - 1
    while first > sentence.first and reading.gaps[first] in (BLANK, OPEN):
        first -= 1
    while first < stop and (forms[first] in FILLERS or forms[first] in BARS):
        first += 1
    if first >= stop or not (reading.capital(first) or reading.quoted(first)):
        return None
    if forms[first] in ARTICLES | I_AND_WE | PREPOSITIONS or run(reading, first, stop) != stop:
        return None
    told = reading.words(first, stop)
    return Phrase(reading.starts[first], reading.ends[stop - 1], key_of(told), stop)


def _whom(context: Context, sentence: Sentence, end: int) -> tuple[Phrase | None, bool]:
    """The owner behind the parameter's name, and whether nothing else follows."""
    reading, forms = context.reading, context.reading.forms
    if end >= sentence.last or reading.gaps[end] in (COMMA, HARD) or forms[end] in BARS:
        return None, True
    genitive = is_cyrillic(forms[end])
    if (forms[end] not in OF_WHOM and not genitive) or reading.gaps[end] not in (BLANK, OPEN):
        return None, False
    first = end + 1 if forms[end] in PREPOSITIONS else end
    whom = name(context, sentence, None, first, sentence.last)
    return whom, whom is not None

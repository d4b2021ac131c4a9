"""What ends and what takes its place: moves, switches, replacements, cancellations.

A move or a change says that a value holds from now on; the value that it names as the old one
ends. "No longer" alone ends nothing: only a sentence whose verb the table knows says what ends.
"""

from __future__ import annotations

from typing import Final

from review.facts import moves
from review.facts.drafts import Draft
from review.facts.moves import clause_end
from review.facts.names import name
from review.facts.sayings import (
    AUXILIARIES,
    BARS,
    FILLERS,
    I_AND_WE,
    NEGATIONS,
    word_set,
)
from review.facts.sentences import COMMA, HARD, LINK, Sentence
from review.facts.subjects import Context, cleaned, subject
from review.facts.timing import before_moment
from store.cells import FactRole

_CANCELS: Final = word_set(
    "cancel cancels cancelled canceled cancelling scrap scrapped discontinue discontinued "
    "abandon abandoned terminate terminated отменили отменил отменила отменяем отменяется "
    "отменяются"
)
_CANCELLED: Final = word_set(
    "cancelled canceled discontinued terminated scrapped abandoned отменен отменена отменено "
    "отменены отменяется отменяются"
)
_CLOSES: Final = word_set(
    "close closes closed closing shut shuts shutting закрываем закрывает закрыли закрыл закрыта "
    "закрыт закрыто закрываются закрывается"
)
"""They end a place that is named, and open or close much else."""

_LONG: Final = 14
_MOST: Final = 8
"""Verbs of one sentence that are looked at."""

VERBS: Final = moves.VERBS | _CANCELS | _CANCELLED | _CLOSES | moves.INSTEAD
"""A sentence without any of these changes nothing."""


def drafts(
    context: Context, sentence: Sentence, names: moves.Names, told: list[Draft]
) -> list[Draft]:
    """What the sentence changes, replaces or cancels."""
    forms = context.reading.forms
    made: list[Draft] = []
    verbs = [at for at in range(sentence.first, sentence.last) if forms[at] in VERBS]
    for at in verbs[:_MOST]:
        form = forms[at]
        if form in moves.VERBS:
            if not _serious(context, sentence, at):
                continue
            made += moves.moved(context, sentence, at, names, told)
        elif form in _CANCELLED or form in _CANCELS:
            if _serious(context, sentence, at):
                made += _cancelled(context, sentence, at)
        elif form in _CLOSES and _serious(context, sentence, at):
            made += _closed(context, sentence, at, names)
        elif form in moves.INSTEAD:
            made += moves.instead(context, sentence, at, told)
    return made


def _serious(context: Context, sentence: Sentence, at: int) -> bool:
    forms = context.reading.forms
    if sentence.doubted(context.reading, at):
        return False
    return not any(f in NEGATIONS for f in forms[sentence.first : at])


def _cancelled(context: Context, sentence: Sentence, at: int) -> list[Draft]:
    """Reads "the event is cancelled", "we cancelled the event": what is named ends."""
    reading, forms = context.reading, context.reading.forms
    passive = at + 1 >= sentence.last or reading.gaps[at + 1] in (COMMA, HARD, LINK)
    passive = passive or (at > sentence.first and forms[at - 1] in AUXILIARIES)
    if forms[at] in _CANCELLED and passive:
        first, last = _item(context, sentence, at), at
        while last > first and (forms[last - 1] in AUXILIARIES or forms[last - 1] in FILLERS):
            last -= 1
        while first < last and (forms[first] in FILLERS or forms[first] in BARS):
            first += 1
    else:
        first, last = at + 1, clause_end(context, sentence, at)
    start, end = cleaned(context, first, last)
    end = before_moment(reading, sentence, context.setting.written_at, start, end)
    if start >= end or end - start > _LONG or any(f in I_AND_WE for f in forms[start:end]):
        return []
    gone = subject(context, start, end)
    if gone is None or not gone.key:
        return []
    place = (reading.starts[at], reading.ends[at])
    return [Draft("", reading.words(at, at + 1), place, None, gone, FactRole.ENDS, changes=True)]


def _closed(context: Context, sentence: Sentence, at: int, names: moves.Names) -> list[Draft]:
    """Reads "we close the warehouse in Koledino": the named place ends as what it is."""
    reading, forms = context.reading, context.reading.forms
    behind = at + 1 < sentence.last and reading.gaps[at + 1] not in (COMMA, HARD, LINK)
    if behind and forms[at + 1] not in BARS:
        first, last = at + 1, clause_end(context, sentence, at)
    else:
        first, last = _item(context, sentence, at), at
    parameter = None
    for start, end, known in names:
        if first <= start and end <= last and known.place:
            parameter, first = known, end
    first, last = cleaned(context, first, last)
    gone = name(context, sentence, parameter, first, last) if first < last else None
    if gone is None or not reading.capital(reading.word_at(gone.start, first, last)):
        return []
    rest = reading.forms[gone.next : last]
    if any(form not in FILLERS and form not in AUXILIARIES for form in rest):
        return []
    place = (reading.starts[at], reading.ends[at])
    key = parameter.key if parameter else ""
    return [Draft(key, reading.words(at, at + 1), place, None, gone, FactRole.ENDS, changes=True)]


def _item(context: Context, sentence: Sentence, at: int) -> int:
    """The first word of the item that holds word ``at``."""
    for place in range(at, sentence.first, -1):
        if context.reading.gaps[place] in (COMMA, HARD, LINK):
            return place
    return sentence.first

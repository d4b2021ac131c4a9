"""Proper names as values: a quotation, or a run of words with capitals."""

from __future__ import annotations

from typing import Final

from review.facts.lexicon import match
from review.facts.parameters import Parameter
from review.facts.sayings import (
    ARTICLES,
    AUXILIARIES,
    BARS,
    FILLERS,
    I_AND_WE,
    NOT_FIRST,
    PREPOSITIONS,
    word_set,
)
from review.facts.sentences import BLANK, COMMA, Phrase, Reading, Sentence
from review.facts.subjects import BOTH, JOINS, Context, key_of
from review.facts.timing import before_moment

_PLACES: Final = word_set(
    "city town village country state company firm university school club team band app mr mrs "
    "ms dr professor director город городе города страна стране компания компании компанию "
    "компанией фирма фирме университет университете г команда команду клуб склад складе"
)
"""Words before a name that say what it names."""

_LONG: Final = 12
_SHORT: Final = 5
_STATE: Final = 2
"""Letters of a state or of a "Jr." behind a comma."""


def name(
    context: Context,
    sentence: Sentence,
    parameter: Parameter | None,
    at: int,
    last: int,
    *,
    common: bool = False,
) -> Phrase | None:
    """The name that begins at word ``at``, or behind words that say what it names.

    Args:
        context: The text and what is known beside it.
        sentence: The sentence that holds the words.
        parameter: Whose value it is; its own nouns may stand before the name ("the warehouse X").
        at: The first word that may belong to it.
        last: The word behind the last one that may.
        common: Words without capitals may be a name too, as behind a colon. In a text that has
            no capitals at all they always may.
    """
    reading, forms = context.reading, context.reading.forms
    at = _at(context, parameter, at, last)
    if at >= last:
        return None
    quoted = reading.quoted(at)
    if quoted:
        told = reading.text[slice(*quoted)]
        return Phrase(*quoted, key_of(told), reading.word_at(quoted[1], at, last))
    if forms[at] in NOT_FIRST or forms[at] in PREPOSITIONS:
        return None
    now = context.setting.written_at
    if reading.capital(at):
        end = before_moment(reading, sentence, now, at, run(reading, at, last))
    elif forms[at][:1].isdigit() or (reading.has_capitals and not common):
        return None
    else:
        end = _small(reading, at, last)
        if reading.has_capitals and end < last and reading.gaps[end] == BLANK:
            return None
        end = before_moment(reading, sentence, now, at, end)
        if forms[at].endswith("ing"):
            return None
    if end <= at:
        return None
    end = _with_state(reading, end, last)
    stop = reading.ends[end - 1]
    if forms[end - 1].endswith("'s"):
        stop -= 2
    return Phrase(reading.starts[at], stop, key_of(reading.text[reading.starts[at] : stop]), end)


def _with_state(reading: Reading, end: int, last: int) -> int:
    """The word behind "D.C." or "TX" or "Jr." behind a comma: "Austin, TX"."""
    if end >= last or reading.gaps[end] != COMMA:
        return end
    place = end
    while place < last and reading.ends[place] - reading.starts[place] <= _STATE:
        if not reading.capital(place) or (place > end and reading.gaps[place]):
            break
        place += 1
    return place if place >= last or reading.gaps[place] != BLANK else end


def _at(context: Context, parameter: Parameter | None, at: int, last: int) -> int:
    """The word where the name begins, behind articles and what says what it names."""
    reading, forms = context.reading, context.reading.forms
    for _ in range(_SHORT):
        if at >= last or reading.quoted(at):
            break
        if at + 1 < last and reading.quoted(at + 1):
            at += 1
            break
        if reading.capital(at) and forms[at] not in ARTICLES:
            break
        own = _own_name(context, parameter, at, last) if parameter else 0
        if own:
            at = own
        elif (
            forms[at] in ARTICLES
            or forms[at] in _PLACES
            or forms[at] in FILLERS
            or (at > 0 and forms[at] == "of" and forms[at - 1] in _PLACES)
        ):
            at += 1
        else:
            break
    return at


def _own_name(context: Context, parameter: Parameter, at: int, last: int) -> int:
    entry = context.lexicon.entries.get(context.reading.forms[at])
    for told in entry.names if entry else ():
        if told.parameter is parameter:
            behind = match(context.reading, told, at, last)
            if behind and behind < last:
                return behind
    return 0


def run(reading: Reading, at: int, last: int) -> int:
    """The word behind a run of capitalised words that begins at ``at``."""
    end = at + 1
    while end < last and end - at < _LONG and reading.gaps[end] == BLANK:
        form = reading.forms[end]
        if reading.forms[end - 1].endswith("'s"):
            break
        if form in I_AND_WE and not (form == "i" and _numeral(reading, end, last)):
            break
        if (
            reading.capital(end)
            or reading.text[reading.starts[end] - 1] in "-'’.&/"
            or (form[0].isdigit() and _ends_name(reading, end + 1, last))
        ):
            end += 1
        elif form in JOINS or form in BOTH:
            behind = _joined(reading, end, last)
            if not behind:
                break
            end = behind
        else:
            break
    return end


def _joined(reading: Reading, at: int, last: int) -> int:
    """The word behind "of the X" or "and X" inside of a name; 0 when the name ends before it."""
    far = at + 1
    while far < min(last, at + 2) and reading.forms[far] in ("the", "la", "los"):
        far += 1
    if far >= last or not reading.capital(far) or reading.gaps[far] != BLANK:
        return 0
    if reading.forms[at] in BOTH and not _closes(reading, far, last):
        return 0
    return far + 1


def _numeral(reading: Reading, at: int, last: int) -> bool:
    """Whether an "I" is a numeral: "Vasily I of Moscow"."""
    behind = at + 1
    return behind >= last or reading.gaps[behind] != BLANK or reading.forms[behind] in JOINS


def _ends_name(reading: Reading, at: int, last: int) -> bool:
    """Whether a number before word ``at`` belongs to a name: "Formula 1", "iPhone 4S"."""
    return at == last or reading.gaps[at] != BLANK or reading.starts[at] == reading.ends[at - 1]


def _closes(reading: Reading, at: int, last: int) -> bool:
    """Whether the sentence or item ends with the name: "lives in Bosnia and Herzegovina"."""
    while at < last and reading.capital(at) and (at + 1 >= last or reading.gaps[at + 1] == BLANK):
        at += 1
    return at >= last or reading.gaps[at] != BLANK or reading.capital(at)


def _small(reading: Reading, at: int, last: int) -> int:
    end = at + 1
    while end < last and end - at < _SHORT:
        form = reading.forms[end]
        if reading.gaps[end] != BLANK or form in BARS or form in AUXILIARIES:
            break
        if form in PREPOSITIONS and form != "of":
            break
        end += 1
    return end

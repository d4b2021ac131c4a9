"""Facts whose parameter the table does not know: "The oldest bridge of Prague is …".

Their cardinality is not known, so two values are shown to a person and neither ends the other.
Only how many of something one has is known to be one number: "I have 3 cats".
"""

from __future__ import annotations

from typing import Final

from review.facts import open_parameters
from review.facts.drafts import Draft
from review.facts.names import name
from review.facts.naming import linked
from review.facts.open_questions import WH, count_key
from review.facts.parameters import Parameter
from review.facts.protocol import ValueType
from review.facts.sayings import (
    ARTICLES,
    AUXILIARIES,
    BARS,
    DOUBTS,
    FILLERS,
    LABELS,
    NEGATIONS,
    NOT_FIRST,
    PERSONS,
    PREPOSITIONS,
    word_set,
)
from review.facts.sentences import BLANK, COMMA, HARD, LINK, OPEN, Phrase, Sentence
from review.facts.slots import quantity, text
from review.facts.subjects import Context, key_of, subject, subject_before
from review.facts.superlatives import singles_out
from store.cells import Cardinality

_NAME: Final = Parameter("", ValueType.NAME)
_NUMBER: Final = Parameter("", ValueType.NUMBER)
_AT_WHOM: Final = frozenset({"у"})
HAVING: Final = _AT_WHOM | word_set("have has own owns possess possesses имею имеет имеем имеют")
"""A sentence without any of these counts nothing."""

_RESTING: Final = word_set("based according given due исходя согласно")
_NO_LABEL: Final = (
    (LABELS - {"a", "q"}) | DOUBTS | WH | PERSONS | AUXILIARIES | frozenset({"news", "plans"})
)
_LONG_NAME: Final = 6
_LONG_LABEL: Final = 14
_LONG_VALUE: Final = 12
_TO_COUNT: Final = word_set("to of for with")


def label(context: Context, sentence: Sentence) -> Draft | None:
    """Reads "Record for most goals in a season: 73": a phrase, a colon and a short value."""
    reading, forms = context.reading, context.reading.forms
    first, last = sentence.first, sentence.last
    if forms[first] in WH or forms[first] in LABELS:
        return None
    at = next((i for i in range(first + 1, last) if reading.gaps[i] == LINK), None)
    if at is None or not 1 < at - first <= _LONG_LABEL or last - at > _LONG_VALUE:
        return None
    sign = reading.text[reading.ends[at - 1] : reading.starts[at]].strip()
    if sign[:1] not in (":", "=") or forms[first] in PREPOSITIONS | _RESTING:
        return None
    if any(f in _NO_LABEL for f in forms[first:at]) or forms[at] in NOT_FIRST:
        return None
    if all(reading.capital(i) for i in range(first, at)):
        # "Alice Smith: hello" is who speaks.
        return None
    if any(reading.gaps[i] in (HARD, COMMA) for i in range(first + 1, at)):
        return None
    head = Sentence(first, at, reading.starts[first], reading.ends[at - 1], asks=False)
    key = open_parameters.key(open_parameters.timeless(reading, head, all_of_them=False))
    if " " not in key:
        return None
    single = singles_out(reading.words(first, at), forms[first:at])
    found = _whole(context, sentence, at)
    if found is None and single:
        told = (reading.starts[at], reading.ends[last - 1])
        found = Phrase(*told, key_of(reading.words(at, last)), last)
    if found is None:
        return None
    place = (reading.starts[first], reading.ends[at - 1])
    cardinality = Cardinality.ONE if single else Cardinality.UNKNOWN
    words = reading.words(first, at)
    return Draft(key, words, place, None, found, cardinality=cardinality, weight=1)


def numbered(context: Context, sentence: Sentence) -> Draft | None:
    """Reads "Option 2: we rent for a year": of several named by number, what one of them is."""
    reading, forms = context.reading, context.reading.forms
    first, at = sentence.first, sentence.first + 2
    if at >= sentence.last or reading.gaps[at] != LINK or not forms[first + 1].isdigit():
        return None
    sign = reading.text[reading.ends[at - 1] : reading.starts[at]].strip()
    if sign[:1] not in (":", "=") or not forms[first].isalpha():
        return None
    if forms[first] in _NO_LABEL | PREPOSITIONS:
        return None
    words = reading.words(first, at)
    told = reading.words(at, sentence.last)
    value = Phrase(
        reading.starts[at], reading.ends[sentence.last - 1], key_of(told), sentence.last
    )
    place = (reading.starts[first], reading.ends[at - 1])
    return Draft(open_parameters.key(words), words, place, None, value, weight=1)


def _whole(context: Context, sentence: Sentence, at: int) -> Phrase | None:
    """A value that the sentence ends with."""
    tries = (
        quantity(context, sentence, _NUMBER, at, sentence.last),
        name(context, sentence, _NAME, at, sentence.last, common=True),
        text(context, sentence, at, sentence.last, linked=True),
    )
    return next((t for t in tries if t is not None and t.next >= sentence.last), None)


def owned(context: Context, sentence: Sentence) -> Draft | None:
    """Reads "The P of S is V" with a name, a quotation or a quantity for V."""
    reading, forms = context.reading, context.reading.forms
    first, last = sentence.first, sentence.last
    while first < last and forms[first] in FILLERS:
        first += 1
    if first + 3 >= last or forms[first] not in ("the", "our", "my"):
        return None
    stop = min(last, first + _LONG_NAME)
    of = next((i for i in range(first + 2, stop) if forms[i] == "of"), None)
    end = (
        of
        if of is not None
        else next(
            (i for i in range(first + 2, stop) if forms[i] in ("is", "was", "are", "were")), None
        )
    )
    if end is None or any(f in BARS | PREPOSITIONS | AUXILIARIES for f in forms[first + 1 : end]):
        return None
    link = linked(context, sentence, end)
    if link is None or link[1] >= last or forms[link[1]] in NEGATIONS | BARS | DOUBTS:
        return None
    at, behind, whom = link
    if of is None and (at != end or end - first < 3):
        return None
    found = quantity(context, sentence, _NUMBER, behind, min(last, behind + 2))
    found = found or name(context, sentence, _NAME, behind, last)
    if found is None or not _closes(context, sentence, found):
        return None
    key = open_parameters.key(reading.words(first + 1, end))
    if not key:
        return None
    place = (reading.starts[first], reading.ends[end - 1])
    return Draft(key, reading.words(first + 1, end), place, whom, found, weight=1)


def _closes(context: Context, sentence: Sentence, found: Phrase) -> bool:
    reading = context.reading
    return (
        found.next >= sentence.last
        or reading.gaps[found.next] not in (BLANK, OPEN)
        or reading.forms[found.next] in BARS | PREPOSITIONS
    )


def counts(context: Context, sentence: Sentence) -> list[Draft]:
    """Reads "I have 25 coins", "у меня 25 монет": how many of something one has."""
    forms = context.reading.forms
    made = []
    for at in range(sentence.first, sentence.last):
        if forms[at] not in HAVING:
            continue
        if forms[at] not in _AT_WHOM:
            number = at + 1
            whom = subject_before(context, sentence.first, at)
        elif at + 2 < sentence.last:
            number = at + 2
            whom = subject(context, at + 1, at + 2)
            while number < sentence.last and forms[number] in ("есть", "сейчас", "теперь", "уже"):
                number += 1
        else:
            continue
        if whom is None or sentence.doubted(context.reading, at):
            continue
        if any(f in NEGATIONS for f in forms[sentence.first : at]):
            continue
        while number and number < sentence.last:
            draft, behind = _counted(context, sentence, whom, at, number)
            if draft is not None:
                made.append(draft)
            number = behind + 1 if draft and forms[behind : behind + 1] in (["and"], ["и"]) else 0
    return made


def _counted(
    context: Context, sentence: Sentence, whom: Phrase, at: int, number: int
) -> tuple[Draft | None, int]:
    reading, forms = context.reading, context.reading.forms
    while number < sentence.last and (
        forms[number] in FILLERS or forms[number] in ("about", "around")
    ):
        number += 1
    if number + 1 >= sentence.last or not _alone(context, number):
        return None, number
    found = quantity(context, sentence, _NUMBER, number, min(sentence.last, number + 1))
    if found is None or found.start > reading.starts[number]:
        return None, number
    first = number + 1
    end = first
    while end < sentence.last and end - first < _LONG_NAME:
        form = forms[end]
        if reading.gaps[end] in (COMMA, HARD, LINK) or form in BARS | AUXILIARIES | FILLERS:
            break
        if form in PREPOSITIONS and form not in _TO_COUNT:
            break
        end += 1
    if end == first or forms[first] in ARTICLES | PREPOSITIONS or forms[first] in ("years", "лет"):
        return None, number
    key = count_key(reading.words(first, end))
    value = Phrase(reading.starts[number], reading.ends[number], _number(found), number + 1)
    place = (reading.starts[at], reading.ends[end - 1])
    draft = Draft(
        key, reading.words(first, end), place, whom, value, cardinality=Cardinality.ONE, weight=1
    )
    return draft, end


def _alone(context: Context, number: int) -> bool:
    """Whether the number is no part of "$2", "30%" or "4-hour"."""
    text_, start, end = context.reading.text, *_place(context, number)
    return text_[end] not in "-–%‐°$€₽" and (not start or text_[start - 1] not in "$€£₽#")


def _place(context: Context, at: int) -> tuple[int, int]:
    return context.reading.starts[at], context.reading.ends[at]


def _number(found: Phrase) -> str:
    return found.key.partition(" ")[0].partition("/")[0]

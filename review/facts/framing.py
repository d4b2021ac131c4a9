"""Facts from sentences of the table: who is meant, what is said, and whether it is denied."""

from __future__ import annotations

from itertools import pairwise

from review.facts.drafts import Draft
from review.facts.frames import Filled, Frame, found
from review.facts.names import name
from review.facts.owners import adjunct
from review.facts.protocol import ValueType
from review.facts.sayings import ANY_MORE, NEGATIONS, NO_LONGER, PREPOSITIONS, word_set
from review.facts.sentences import Phrase, Sentence
from review.facts.slots import text, value
from review.facts.subjects import Context, subject, subject_before
from store.cells import Cardinality, FactRole

_PASSIVE = word_set("is are was were been be being был была было были")
_PAST_VERBS = word_set("was were used был была было были раньше")


def framed(context: Context, sentence: Sentence, frame: Frame, at: int) -> Draft | None:
    """The fact that ``frame`` states around its anchor word ``at``, if it does.

    Args:
        context: The text and what is known beside it.
        sentence: The sentence that holds the word.
        frame: The pattern.
        at: Where its anchor stands.
    """
    filled = found(context.reading, frame, at, sentence.first, sentence.last)
    if filled is None or filled.value is None:
        return None
    ends = _denied(context, sentence, filled)
    if ends is None:
        return None
    whom = _subject(context, sentence, filled)
    if whom is None and filled.subject is not None:
        return None
    told = _value(context, sentence, filled)
    if told is None or (whom is not None and told.key == whom.key):
        return None
    reading = context.reading
    role = FactRole.ENDS if ends else frame.role
    first, last = filled.first, max(filled.last, at + 1)
    past = any(form in _PAST_VERBS for form in reading.forms[first:last])
    cardinality = frame.parameter.cardinality
    if past and not frame.parameter.lasting and cardinality is Cardinality.ONE:
        cardinality = Cardinality.UNKNOWN
    return Draft(
        frame.parameter.key,
        reading.words(min(first, at), last),
        (reading.starts[min(first, at)], reading.ends[last - 1]),
        whom or adjunct(context, sentence, first),
        told,
        role=role,
        cardinality=cardinality,
        weight=frame.weight,
        changes=frame.changes,
        past=past and not frame.changes,
        reading=frame.parameter.reading,
    )


def _denied(context: Context, sentence: Sentence, filled: Filled) -> bool | None:
    """Whether the sentence ends what it names; ``None`` when it states nothing at all."""
    forms = context.reading.forms
    if sentence.doubted(context.reading, filled.first):
        return None
    low = max(sentence.first, filled.first - 3)
    told = forms[low : filled.last]
    pairs = list(pairwise(told))
    if any(pair in pairs for pair in NO_LONGER):
        return True
    if not any(form in NEGATIONS for form in told):
        return False
    rest = forms[filled.last : sentence.last]
    return True if any(form in ANY_MORE for form in rest) else None


def _subject(context: Context, sentence: Sentence, filled: Filled) -> Phrase | None:
    if filled.subject is None:
        return None
    first, last = filled.subject
    forms = context.reading.forms
    while last > first and (
        forms[last - 1] in NEGATIONS
        or forms[last - 1] in ("longer", "больше", "do", "does", "did")
    ):
        last -= 1
    if filled.subject_open:
        return subject_before(context, first, last)
    if last == sentence.last:
        if forms[first : first + 1] in (["a"], ["an"]):
            # "Anna owns a car" says nothing of the car of anybody else.
            return None
        parameter = filled.frame.parameter
        return name(context, sentence, parameter, first, last) or _common(
            context, sentence, first, last
        )
    return subject(context, first, last)


def _common(context: Context, sentence: Sentence, first: int, last: int) -> Phrase | None:
    told = text(context, sentence, first, last)
    if told is None or context.reading.forms[first] in PREPOSITIONS:
        return None
    return subject(context, context.reading.word_at(told.start, first, last), told.next)


def _value(context: Context, sentence: Sentence, filled: Filled) -> Phrase | None:
    if filled.value is None:
        return None
    parameter = filled.frame.parameter
    first, last = filled.value
    if filled.value[1] <= filled.first or not filled.value_open:
        open_left = first == sentence.first and last <= filled.first
        if open_left and last > first and context.reading.forms[last - 1] in _PASSIVE:
            return None
        if open_left and parameter.value_type is ValueType.NAME:
            told = subject_before(context, first, last)
            if told is None or not told.key or told is context.subject:
                return None
            first = context.reading.word_at(told.start, first, last)
    return value(context, sentence, parameter, first, last, marked=filled.value_marked)

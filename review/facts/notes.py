"""Notes that carry a question and its answer: "who is the head coach of X: Y"."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from review.facts import dates, values
from review.facts.open_questions import WH
from review.facts.protocol import Asked, Setting, ValueType
from review.facts.sayings import NOT_FIRST, PERSONS, word_set
from review.facts.sentences import COMMA, LINK, Phrase, Reading, Sentence
from review.facts.subjects import key_of

_LABEL: Final = re.compile(r"\s*(?:q(?:uestion)?|вопрос)\s*[:.]\s*", re.IGNORECASE)
_ANSWER: Final = re.compile(r"\s*(?:a(?:nswer)?|ответ)\s*[:.]\s*", re.IGNORECASE)
_ASKS: Final = word_set("which what how who when where сколько какой какая каком когда кто")
_LONG: Final = 200
_WORDS: Final = 40
_ANSWER_WORDS: Final = 15
_EARLY: Final = 8
"""A question word must be among the first words, or it joins two clauses."""


class Note(NamedTuple):
    """The question's words and the characters of the answer."""

    question: Sentence
    start: int
    end: int


def note(reading: Reading) -> Note | None:
    """The question and answer that a text is, if it is one of each."""
    if not reading.sentences:
        return None
    first = reading.sentences[0]
    label = _LABEL.match(reading.text)
    begin = reading.word_at(label.end() - 1, first.first, first.last) if label else first.first
    if label and reading.sentences[1:] and begin >= first.last:
        return None
    if begin >= first.last:
        return None
    early = reading.forms[begin : begin + _EARLY]
    if first.asks:
        if not (label or early[0] in WH) or len(reading.sentences) > (3 if label else 2):
            return None
        question = Sentence(begin, first.last, reading.starts[begin], first.end, asks=True)
        return _answered(reading, question, first.last)
    places = range(begin + 2, min(first.last, begin + _WORDS))
    # An answer can hold a colon; a question that is none by its first word ends at the last one.
    for at in places if early[0] in WH else reversed(places):
        if reading.gaps[at] == LINK and at - begin > 1 and _colon(reading, at):
            if early[0] not in WH and not _asks_inside(reading, begin, at):
                return None
            question = Sentence(begin, at, reading.starts[begin], reading.ends[at - 1], asks=True)
            return _answered(reading, question, at)
    return None


def _colon(reading: Reading, at: int) -> bool:
    return ":" in reading.text[reading.ends[at - 1] : reading.starts[at]]


def _asks_inside(reading: Reading, first: int, last: int) -> bool:
    """Whether it asks in another order: "1 bar equals how many psi", "in what year was …"."""
    forms = reading.forms[first:last]
    if any(form in PERSONS for form in forms):
        return False
    return any(
        form in _ASKS and (at == 0 or reading.gaps[first + at] != COMMA)
        for at, form in enumerate(forms)
    )


def _answered(reading: Reading, question: Sentence, at: int) -> Note | None:
    if at >= len(reading.starts):
        return None
    label = _ANSWER.match(reading.text, reading.ends[at - 1] + 1)
    start = reading.starts[at]
    if label and label.end() > start:
        at += 1
        if at >= len(reading.starts):
            return None
        start = reading.starts[at]
    while start > question.end and reading.text[start - 1] in "#$€£₽@+-~<≈":
        start -= 1
    home = next((s for s in reading.sentences if s.first <= at < s.last), None)
    if home is None or home.asks or home.last - at > _ANSWER_WORDS:
        return None
    if not label and reading.forms[at] in NOT_FIRST:
        return None
    end = min(home.end, start + _LONG)
    while end < len(reading.text) and reading.text[end] in "%°₽€$":
        end += 1
    return Note(question, start, end)


def answer(reading: Reading, note_: Note, one: Asked, setting: Setting) -> Phrase:
    """The answer as the value of what is asked."""
    told = reading.text[note_.start : note_.end]
    if one.value_type is ValueType.DATE:
        inner = Reading(told)
        if inner.sentences:
            sentence = inner.sentences[0]
            found = dates.value(
                inner, sentence, sentence.first, sentence.last, setting.written_at, lasting=True
            )
            if found is not None:
                return Phrase(note_.start, note_.end, found.key, 0)
    if one.value_type in (ValueType.NUMBER, ValueType.MONEY, ValueType.DURATION):
        found_key = values.key(told, one.value_type) or key_of(told)
        return Phrase(note_.start, note_.end, found_key, 0)
    return Phrase(note_.start, note_.end, key_of(told), 0)

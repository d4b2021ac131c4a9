"""Whom a question is about, and how what it asks for is told."""

from __future__ import annotations

from typing import Final

from review.facts.names import name
from review.facts.parameters import Parameter
from review.facts.protocol import Asked
from review.facts.sayings import AUXILIARIES, I_AND_WE, word_set
from review.facts.sentences import COMMA, HARD, LINK, Phrase, Sentence
from review.facts.slots import text
from review.facts.subjects import Context, is_title, subject
from review.facts.words import folded
from store.cells import Cardinality, Span

_WE: Final = word_set("we us our ours мы нам нас нами наш наша наше наши нашего нашей наших")
"""Asking, "we" names nobody: the store of a team is asked of the team."""


def thing(context: Context, sentence: Sentence, first: int, last: int) -> Phrase | None:
    """What a question is about: a name, or the words up to a bar."""
    if first >= last:
        return None
    if context.reading.forms[first] in I_AND_WE:
        titled = is_title(context.reading, first, last) and last > first + 1
        return subject(context, first, last if titled else first + 1)
    if is_title(context.reading, first, last):
        return subject(context, first, last)
    told = name(context, sentence, None, first, last)
    if told:
        return told
    words = text(context, sentence, first, last)
    if words is None:
        return None
    return subject(context, context.reading.word_at(words.start, first, last), words.next)


def clause_end(context: Context, first: int, last: int) -> int:
    """The word behind the phrase that begins at ``first``: before a bar or the next verb."""
    reading = context.reading
    for at in range(first, last):
        if reading.gaps[at] in (HARD, LINK) or (at > first and reading.gaps[at] == COMMA):
            return at
        if at > first and reading.forms[at] in AUXILIARIES:
            return at
    return last


def asking_for(
    context: Context, parameter: Parameter, whom: Phrase | None, first: int, last: int
) -> Asked:
    """The question for ``parameter``, asked in the words ``[first, last)``."""
    reading = context.reading
    if whom is not None and folded(reading.text[whom.start : whom.end]) in _WE:
        whom = None
    many = parameter.cardinality is Cardinality.MANY
    return Asked(
        parameter.key,
        subject_key=whom.key if whom else "",
        value_type=parameter.value_type,
        cardinality=Cardinality.MANY if many else Cardinality.ONE,
        span=Span(reading.starts[first], reading.ends[last - 1]),
        words=reading.words(first, last),
    )

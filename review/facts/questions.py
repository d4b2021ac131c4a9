"""A question taken apart: what it asks for, what it names, what is to be done."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from review.facts import open_parameters
from review.facts.asked import asked
from review.facts.lexicon import Lexicon
from review.facts.names import run
from review.facts.open_questions import WH, counted, open_one
from review.facts.protocol import Asked, Setting
from review.facts.sayings import ARTICLES, AUXILIARIES, BARS, I_AND_WE, LABELS, THEY, word_set
from review.facts.sentences import COMMA, HARD, LINK, Phrase, Reading, Sentence
from review.facts.subjects import Context, key_of
from review.facts.superlatives import superlative
from review.facts.words import tokens
from store.cells import Cardinality, Span

_MOST: Final = 32
_MARKER: Final = re.compile(r"(?:(?<=\s)|^)\d+[.)](?=\s)")
_REQUESTS: Final = word_set(
    "tell remind list show give name find choose suggest recommend explain confirm напомни "
    "скажи назови покажи найди выбери предложи посоветуй подскажи объясни перечисли"
)


def parts(reading: Reading) -> list[tuple[Sentence, bool]]:
    """The sentences of a message and whether each asks; of several without a sign, the last."""
    told = [(s, s.asks or _opens(reading, s)) for s in reading.sentences]
    if told and not any(asks for _, asks in told):
        told[-1] = (told[-1][0], True)
    return told


def _opens(reading: Reading, sentence: Sentence) -> bool:
    first = sentence.first
    while first < sentence.last - 1 and (
        reading.forms[first].isdigit() or reading.forms[first] in LABELS | BARS
    ):
        first += 1
    return reading.forms[first] in WH or reading.forms[first] in _REQUESTS


def cut(reading: Reading, sentence: Sentence) -> tuple[Sentence | None, Sentence]:
    """A question that begins with facts, as its facts and what it asks."""
    for at in range(sentence.first + 1, sentence.last):
        if reading.forms[at] in WH and reading.gaps[at] in (COMMA, HARD, LINK):
            asks = sentence.asks
            head = Sentence(sentence.first, at, sentence.start, reading.ends[at - 1], asks=False)
            return head, Sentence(at, sentence.last, reading.starts[at], sentence.end, asks=asks)
    return None, sentence


def asking(
    reading: Reading, sentence: Sentence, lexicon: Lexicon, setting: Setting
) -> list[Asked]:
    """What one question asks for; its own open form when the table knows nothing of it."""
    blank = open_parameters.timeless(reading, sentence, all_of_them=True)
    inner = Reading(blank)
    context = Context(inner, lexicon, setting)
    found: list[Asked] = []
    for part in inner.sentences:
        found += asked(context, part)
        count = counted(context, part)
        if count is not None:
            found.append(count)
    owners = {one.subject_key for one in found if one.subject_key}
    if len(owners) == 1:
        # "Where and by which carrier do we ship the jackets" asks both of the jackets.
        found = [replace(one, subject_key=one.subject_key or next(iter(owners))) for one in found]
    told = [_moved(one, sentence.start) for one in found]
    one = whole(reading, sentence, lexicon, setting)
    if not told or superlative(reading.forms[sentence.first : sentence.last]):
        # "Which university has the most students" asks for no university that anybody went to.
        return [one] if one else told
    if one and all(each.cardinality is Cardinality.MANY or not each.subject_key for each in told):
        return [*told, one]  # a note can hold the very question, with its whole answer
    return told


def whole(
    reading: Reading, sentence: Sentence, lexicon: Lexicon, setting: Setting
) -> Asked | None:
    """A question as a parameter of its own, whatever the table knows of it."""
    words = open_parameters.timeless(reading, sentence, all_of_them=False)
    return open_one(Context(reading, lexicon, setting), sentence, words)


def _moved(one: Asked, by: int) -> Asked:
    return replace(one, span=Span(one.span.start + by, one.span.end + by))


def entities(reading: Reading, sentence: Sentence) -> list[Phrase]:
    """What a sentence names: quoted words and runs of words with capitals."""
    found: list[Phrase] = []
    at = sentence.first
    covered: list[tuple[int, int]] = [
        (m.span.start + sentence.start, m.span.end + sentence.start)
        for m in sentence.moments(reading.text, None)
    ]
    while at < sentence.last:
        quoted = reading.quoted(at)
        if quoted:
            end = reading.word_at(quoted[1], at, sentence.last)
            found.append(Phrase(*quoted, key_of(reading.text[slice(*quoted)]), end))
            at = max(end, at + 1)
            continue
        if not _names(reading, sentence, at, covered):
            at += 1
            continue
        end = run(reading, at, sentence.last)
        told = reading.words(at, end)
        if told.endswith(("'s", "’s")):
            told = told[:-2]
        found.append(Phrase(reading.starts[at], reading.ends[end - 1], key_of(told), end))
        at = end
    return found[:_MOST]


def _names(reading: Reading, sentence: Sentence, at: int, covered: list[tuple[int, int]]) -> bool:
    form = reading.forms[at]
    if not reading.capital(at) or form in I_AND_WE | THEY | WH:
        return False
    if any(start <= reading.starts[at] < end for start, end in covered):
        return False
    if form in BARS | ARTICLES:
        return False
    if at > sentence.first:
        return True
    following = at + 1 < sentence.last and not reading.gaps[at + 1] and reading.capital(at + 1)
    return following and form not in AUXILIARIES | BARS


def task(reading: Reading) -> str:
    """What is to be done, in the words of the sentences that ask: no times, no marks.

    The task of a task is the task itself, so that a conclusion's is compared in the same way.
    """
    told = " ".join(
        open_parameters.timeless(reading, sentence, all_of_them=True)
        for sentence, asks in parts(reading)
        if asks
    )
    return " ".join(token.text for token in tokens(_MARKER.sub(" ", told)))

"""Parameters that the table does not know: a normal form of the words that name them.

"First president" and "president" have two forms, and so have any two phrases that differ in an
ordinal, a number or a qualifier. Words of time are left out, so that a question asked of 1986 and
of now is one question.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from review.facts.moments import Moment
from review.facts.sayings import word_set
from review.facts.sentences import Reading, Sentence
from review.facts.words import lemma, tokens
from store.cells import Precision

PREFIX: Final = "open:"
"""Before the key of a parameter that is not in the table."""

_EMPTY: Final = word_set(
    "the a an of in on at to for from by with is are was were am be been being do does did "
    "has have had will would shall can could may might it its this that these those there and "
    "or s t what which whose as than so please tell me know remind you your i my we our us в "
    "во на из с со за у к ко по до для от о об и или а но же ли бы это этот эта эти тот что "
    "какой быть есть являться мы я наш мой нам мне вы ваш пожалуйста скажи подскажи напомни "
    "себя свой now currently current present presently today nowadays right moment time-being "
    "сейчас теперь текущий нынешний настоящее ныне"
)
_MOST_WORDS: Final = 80
"""Words of a question that make its key; what is longer is no question."""

_YEAR: Final = re.compile(r"\d{4}")
_STATES: Final = word_set("is are was were am be been being 's what's who's where's")


def key(text: str) -> str:
    """The normal form of an unknown parameter: its content words, in alphabetical order."""
    told = content(text)
    return f"{PREFIX}{told}" if told else ""


@lru_cache(maxsize=20_000)
def content(text: str) -> str:
    """Lemmas of the words that carry meaning, each once, in alphabetical order."""
    kept: set[str] = set()
    for token in tokens(text)[:_MOST_WORDS]:
        word = lemma(token.text)
        if word not in _EMPTY and token.text.lower() not in _EMPTY:
            kept.add(word)
    return " ".join(sorted(kept))


def timeless(reading: Reading, sentence: Sentence, *, all_of_them: bool) -> str:
    """The sentence with its moments blanked out, at the same length.

    Args:
        reading: The text.
        sentence: The sentence of it.
        all_of_them: Blank out every moment. Otherwise a date stays where it says which event is
            meant ("who won the cup in 1998") and goes where it says as of when a state is asked
            for ("who was the coach in 2011").
    """
    text = reading.text[sentence.start : sentence.end]
    told = sentence.moments(reading.text, None)
    if not told:
        return text
    verb = next((f for f in reading.forms[sentence.first : sentence.last] if f in _STATES), "")
    event = not verb
    for moment in reversed(told):
        if event and not all_of_them and _says_which(moment):
            continue
        start = moment.span.start
        before = text[:start].rstrip(" (,")
        if moment.cue and before.lower().endswith(moment.cue):
            start = len(before) - len(moment.cue)
        text = text[:start] + " " * (moment.span.end - start) + text[moment.span.end :]
    return text


def _says_which(moment: Moment) -> bool:
    dated = bool(_YEAR.search(moment.text)) or moment.precision is Precision.DAY
    return dated and moment.kind in ("at", "during") and moment.cue != "as of"

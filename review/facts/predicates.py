"""Values that are said of a thing without naming the parameter: "the flag is removed".

A status, a switch, an approval. In running speech the same words mean much else ("it paid off", "I
am done"), so the thing must be named and the verb must be a form of "be".
"""

from __future__ import annotations

import re
from typing import Final

from review.facts.drafts import Draft, of
from review.facts.sayings import (
    AUXILIARIES,
    BARS,
    FILLERS,
    I_AND_WE,
    NEGATIONS,
    PREPOSITIONS,
    word_set,
)
from review.facts.sentences import BLANK, OPEN, Phrase, Sentence
from review.facts.slots import enum
from review.facts.subjects import Context, subject_before

_BE: Final = word_set(
    "is are was were been being remains stays 's был была было были остается стал стала стало"
)
_TO_COME: Final = word_set("must should shall will would can could may might to need needs")
_PARTICIPLE: Final = re.compile(
    r"(?:ed|en)$|(?:ен|ена|ено|ены|ан|ана|ано|аны|ят|ята|ято|яты|ыт|ыта|ыто)$"
)
_LONG: Final = 6


def predicated(context: Context, sentence: Sentence, at: int) -> Draft | None:
    """The value at word ``at`` as what is said of the phrase before it."""
    reading = context.reading
    entry = context.lexicon.entries.get(reading.forms[at])
    for told in entry.values if entry else ():
        found = (
            enum(context, told.parameter, at, sentence.last)
            if told.parameter.predicative
            else None
        )
        if found is None or at == sentence.first or reading.gaps[at] not in (BLANK, OPEN):
            continue
        verb = at
        while verb > sentence.first and (
            reading.forms[verb - 1] in AUXILIARIES or reading.forms[verb - 1] in FILLERS
        ):
            verb -= 1
        if not _says(context, sentence, verb, at, found):
            continue
        whom = subject_before(context, sentence.first, verb)
        if whom is None or not whom.key or whom.start == whom.end or _speaks(context, whom):
            continue
        place = (reading.starts[verb], reading.ends[at])
        draft = of(told.parameter, reading.words(verb, at + 1), place, found)
        draft.subject, draft.weight = whom, 2
        return draft
    return None


def _says(context: Context, sentence: Sentence, verb: int, at: int, found: Phrase) -> bool:
    """Whether the words say it of a thing, as a fact, and say nothing more."""
    reading, forms = context.reading, context.reading.forms
    rest = found.next
    closes = rest >= sentence.last or reading.gaps[rest] not in (BLANK, OPEN)
    if not closes and forms[rest] not in BARS and forms[rest] not in PREPOSITIONS:
        return False
    if sentence.doubted(reading, at):
        return False
    if any(f in NEGATIONS or f in _TO_COME for f in forms[sentence.first : at]):
        return False
    if any(f in _BE for f in forms[verb:at]):
        return True
    bare = all(f in FILLERS for f in forms[verb:at])
    plain = found.next - at > 1 or _PARTICIPLE.search(forms[at]) is not None
    return bare and plain and closes and verb - sentence.first <= _LONG


def _speaks(context: Context, whom: Phrase) -> bool:
    return all(
        form in I_AND_WE for form in context.reading.text[whom.start : whom.end].lower().split()
    )

"""Claims that hold on a condition: "as long as the warehouse is in Koledino, we ship on Tuesdays".

What the condition states is not stated but rested on: when it falls, the claim is to be checked.
"""

from __future__ import annotations

from typing import Final

from review.facts.drafts import Draft
from review.facts.sayings import phrase_list
from review.facts.sentences import COMMA, HARD, LINK, Sentence
from review.facts.subjects import Context
from store.cells import FactRole

_STARTS: Final[dict[str, list[tuple[str, ...]]]] = {}
for _words in phrase_list(
    "as long as|so long as|because|given that|based on|provided|provided that|in view "
    "of|due to|on the basis of|since we|since the|since our|пока|так как|поскольку|исходя "
    "из|потому что|при условии что|в связи с|ввиду|на основании"
):
    _STARTS.setdefault(_words[0], []).append(_words)
_SO_FAR: Final = ("пока",)
"""Before a comma it is "as long as", and in running speech "for now"."""


def rested(context: Context, sentence: Sentence, drafts: list[Draft]) -> list[Draft]:
    """The drafts, those inside of a condition as what the others rest on."""
    if not drafts:
        return drafts
    for start, end in _conditions(context, sentence):
        for draft in drafts:
            if draft.role is FactRole.STATES and start <= draft.value.start < end:
                draft.role = FactRole.RESTS_ON
    return drafts


def _conditions(context: Context, sentence: Sentence) -> list[tuple[int, int]]:
    """The conditions of a sentence in characters: from their word to a comma or the end."""
    reading = context.reading
    found = []
    for at in range(sentence.first, sentence.last):
        for cue in _STARTS.get(reading.forms[at], ()):
            if tuple(reading.forms[at : at + len(cue)]) == cue:
                first = at + len(cue)
                end = next(
                    (
                        i
                        for i in range(first, sentence.last)
                        if reading.gaps[i] in (COMMA, HARD, LINK) and i > first
                    ),
                    sentence.last,
                )
                if cue == _SO_FAR and (at > sentence.first or end == sentence.last):
                    continue
                stop = reading.starts[end] if end < sentence.last else sentence.end
                found.append((reading.starts[at], stop))
                break
    return found

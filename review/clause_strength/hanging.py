"""What a clause hangs on: where a condition begins and ends, and what it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from review.clause_strength.cues import Axis, Mark
from review.clause_strength.phrases import counted
from review.clause_strength.values import Sort, Value
from review.clause_strength.words import Word, key, words_at
from review.facts.sayings import I_AND_WE, THEY, YOU
from review.facts.sentences import COMMA, END, HARD, LINK, Reading
from review.facts.words import is_cyrillic, russian

_PREPOSITIONS: Final = frozenset(
    {"before", "after", "until", "till", "during", "because of", "due to", "in case of"}
    | {"in the event of", "in the case of", "при", "во время", "перед", "из за", "ввиду"}
    | {"в случае", "при наличии", "при отсутствии", "кроме", "за исключением", "помимо"}
)
"""Behind these a noun follows, and no clause."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What a clause hangs on; its cue, and its own words."""

    mark: Mark
    first: int
    last: int
    words: tuple[Word, ...]
    negated: bool

    @property
    def turned(self) -> bool:
        """Whether it holds in all cases but those that it names."""
        return (self.mark.sense == "not") is not self.negated


def condition(
    reading: Reading,
    mark: Mark,
    extent: tuple[int, int],
    own: Sequence[Mark],
    values: Sequence[Value],
    covered: set[int],
) -> Condition | None:
    """The condition that a cue begins, up to a comma or the end of its sentence.

    There is none when a date follows ("until May").

    Args:
        reading: The text.
        mark: The cue.
        extent: The words of the clause.
        own: All marks of the clause.
        values: Its values.
        covered: Words of the clause that cues take.
    """
    last = mark.last
    if mark.words == "once" and last < extent[1] and reading.gaps[last] in (HARD, LINK, END):
        return None  # "we saw it once: the gate jams"
    further = {one.first for one in own if one.axis is Axis.CONDITION}
    while last < extent[1] and (
        last <= mark.last
        or (
            reading.gaps[last] not in (COMMA, HARD, LINK, END)
            and last not in further
            and "(" not in reading.text[reading.ends[last - 1] : reading.starts[last]]
        )
    ):
        last += 1
    whole = last == extent[1] or reading.gaps[last] == END
    if whole and mark.first == extent[0] and mark.words in _PREPOSITIONS:
        last = _phrase(reading, mark.last, last)
    if last == mark.last:
        return None
    if mark.words == "пока" and whole and reading.gaps[mark.first] != COMMA:
        return None  # "for now", not "as long as"
    start = reading.starts[mark.last]
    if mark.rank == 1 and any(v.sort is Sort.DATE and v.start - start in range(8) for v in values):
        return None
    words = words_at(reading, [i for i in range(mark.last, last) if i not in covered])
    counts = [one for one in counted(reading, mark.last, last)]
    if counts and not any(all(low > w.at or w.at >= high for low, high in counts) for w in words):
        return None
    if not words and not any(mark.last <= one.first < last for one in own):
        return None
    turns = sum(
        one.axis is Axis.NEGATION or (one.sense == "not" and one is not mark)
        for one in own
        if mark.last <= one.first < last
    )
    return Condition(mark, mark.first, last, words, negated=turns % 2 == 1)


def _phrase(reading: Reading, at: int, last: int) -> int:
    """The word behind the first noun from word ``at``: "during storms | the ramp is closed"."""
    for i in range(at, last):
        form = reading.forms[i]
        if form in I_AND_WE or form in THEY or form in YOU:
            return last
        tells = key(form)[1] > 0
        if tells and not (is_cyrillic(form) and russian().parse(form)[0].tag.POS != "NOUN"):
            return i + 1
    return last

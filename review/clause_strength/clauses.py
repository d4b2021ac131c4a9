"""A text as clauses: each with its telling words, its cues, its values and its conditions.

A sentence is one clause, cut at a semicolon, before a word that takes something back, and between
two duties that "and" joins. A sentence that says nothing of its own ("We saw it twice.") belongs
to the clause before it, or after it when it comes first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Final

from review.clause_strength.cues import Axis, Mark, marks, table
from review.clause_strength.hanging import Condition, condition
from review.clause_strength.markup import plain
from review.clause_strength.phrases import counted, covered_by, is_time, speakers, whose
from review.clause_strength.values import Value, find
from review.clause_strength.words import Word, key, words_at
from review.facts.sentences import Reading
from review.facts.words import is_cyrillic, russian
from store.cells import Span

_MOST_WORDS: Final = 100
"""Words of a clause to which sentences that say nothing are still added."""

COMMON: Final = 350
"""Weight up to which a word with a capital is taken for a word, and not for a surname."""

_JOINS: Final = frozenset({"and", "и", "or", "или", "а"})
_LIGHT: Final = frozenset({Axis.PLAIN})
"""Marks that take no word away from what a clause is about."""


@dataclass(frozen=True)
class Clause:
    """One clause of a text, or a run of sentences that only together say something."""

    text: int
    """Which of the texts."""

    reading: Reading
    first: int
    last: int
    marks: tuple[Mark, ...]
    values: tuple[Value, ...]
    words: tuple[Word, ...]
    """Telling words outside of cues and conditions, values among them."""

    conditions: tuple[Condition, ...]
    asks: bool = False
    """Whether it is a question, or part of one."""

    @property
    def span(self) -> Span:
        """Where it stands, in characters."""
        return Span(self.reading.starts[self.first], self.reading.ends[self.last - 1])

    @property
    def told(self) -> str:
        """Its text as written."""
        span = self.span
        return self.reading.text[span.start : span.end]

    @cached_property
    def main(self) -> tuple[int, ...]:
        """Its words outside of conditions, by place."""
        held = {i for one in self.conditions for i in range(one.first, one.last)}
        return tuple(i for i in range(self.first, self.last) if i not in held)

    @cached_property
    def about(self) -> tuple[Word, ...]:
        """All telling words, those of conditions too."""
        held = [word for one in self.conditions for word in one.words]
        return tuple(sorted((*self.words, *held)))

    @cached_property
    def keys(self) -> frozenset[str]:
        """Keys of all its words that tell something, those of cues too."""
        forms = self.reading.forms[self.first : self.last]
        return frozenset(name for name, worth in map(key, forms) if worth)

    @cached_property
    def valued(self) -> frozenset[int]:
        """Its words that belong to a value."""
        return frozenset(
            i
            for i in range(self.first, self.last)
            for value in self.values
            if value.start < self.reading.ends[i] and self.reading.starts[i] < value.end
        )

    @cached_property
    def counts(self) -> bool:
        """Whether it counts cases; "we saw it twice" then tells nothing but how often."""
        told = any(mark.axis is Axis.CASES for mark in self.marks)
        return told or any(counted(self.reading, self.first, self.last))

    @cached_property
    def _free(self) -> tuple[Mark, ...]:
        inside = frozenset(self.main)
        return tuple(mark for mark in self.marks if mark.first in inside)

    def of(self, *axes: Axis) -> list[Mark]:
        """Its marks of these axes outside of conditions."""
        return [mark for mark in self._free if mark.axis in axes]

    def place(self, mark: Mark) -> Span:
        """Where a cue stands, in characters."""
        last = mark.first + 1 if "~" in mark.words else mark.last
        return Span(self.reading.starts[mark.first], self.reading.ends[last - 1])


def clauses(text: str, number: int = 0, known: Collection[str] | None = None) -> list[Clause]:
    """The clauses of ``text``, in order; none for a text without words.

    Args:
        text: Any text.
        number: Which of several texts it is.
        known: Keys of words; a title that has others is a sentence. None to pass titles over.
    """
    text = plain(text, known)
    reading = Reading(text)
    found = marks(reading)
    values = [
        _moved(value, sentence.start)
        for sentence in reading.sentences
        for value in find(text[sentence.start : sentence.end])
    ]
    values.sort(key=lambda value: value.start)
    asking = {i for one in reading.sentences if one.asks for i in range(one.first, one.last)}
    made: list[Clause] = []
    at = mark = 0
    for first, last in _whole(reading, found, _ranges(reading, found)):
        own: list[Mark] = []
        while mark < len(found) and found[mark].first < last:
            own.append(found[mark])
            mark += 1
        end = reading.ends[last - 1]
        held: list[Value] = []
        while at < len(values) and values[at].start < end:
            held.append(values[at])
            at += 1
        one = _clause(number, reading, (first, last), own, held)
        made.append(replace(one, asks=not asking.isdisjoint(range(first, last))))
    return made


def _moved(value: Value, by: int) -> Value:
    return value._replace(start=value.start + by, end=value.end + by)


def _ranges(reading: Reading, found: Sequence[Mark]) -> Iterator[tuple[int, int]]:
    share = {mark.first for mark in found if mark.axis is Axis.SHARE and mark.sense == "either"}
    contrasts = {
        mark.first
        for mark in found
        if mark.axis is Axis.CONTRAST and mark.last not in share  # "often, but not always"
    }
    duties = [mark for mark in found if mark.axis is Axis.FORCE]
    joints = {
        place
        for one, other in pairwise(duties)
        for place in range(one.last, other.first)
        if reading.forms[place] in _JOINS
    }
    for sentence in reading.sentences:
        first = sentence.first
        for i in range(sentence.first + 1, sentence.last):
            between = reading.text[reading.ends[i - 1] : reading.starts[i]]
            if ";" in between or i in contrasts or i in joints or _ends(reading, i, between):
                yield first, i
                first = i
        yield first, sentence.last


def _ends(reading: Reading, at: int, between: str) -> bool:
    """Whether a letter with a full stop ends a sentence: "in hall B. The ramp", not "J. Smith"."""
    before = reading.ends[at - 1] - reading.starts[at - 1]
    if "." not in between or before != 1 or not reading.capital(at) or between[-1:] == ".":
        return False
    form = reading.forms[at]
    if is_cyrillic(form):
        tag = str(russian().parse(form)[0].tag)
        return not any(mark in tag for mark in ("Name", "Surn", "Patr"))
    return key(form)[1] <= COMMON


def _whole(
    reading: Reading, found: Sequence[Mark], ranges: Iterator[tuple[int, int]]
) -> list[tuple[int, int]]:
    """The ranges, those that say nothing of their own joined to a neighbour."""
    covered = {i for mark in found if mark.axis not in _LIGHT for i in covered_by(mark)}
    covered.update(i for one in counted(reading, 0, len(reading.forms)) for i in range(*one))
    made: list[tuple[int, int]] = []
    waiting: int | None = None
    for first, last in ranges:
        says = any(i not in covered and _tells(reading.forms[i]) for i in range(first, last))
        if says or (waiting is not None and last - waiting > _MOST_WORDS):
            made.append((first if waiting is None else waiting, last))
            waiting = None
        elif made and waiting is None and last - made[-1][0] <= _MOST_WORDS:
            made[-1] = (made[-1][0], last)
        elif waiting is None:
            waiting = first
    if waiting is not None:
        made.append((waiting, len(reading.forms)))
    return made


def _tells(form: str) -> bool:
    return key(form)[1] > 0 and form not in table().seen


def _clause(
    number: int,
    reading: Reading,
    extent: tuple[int, int],
    own: Sequence[Mark],
    values: Sequence[Value],
) -> Clause:
    covered = {i for mark in own if mark.axis not in _LIGHT for i in covered_by(mark)}
    covered.update(i for mark in own for i in whose(reading, mark, *extent))
    covered.update(
        end - 1 for _, end in counted(reading, *extent) if is_time(reading.forms[end - 1])
    )
    values = [*values, *speakers(reading, own, values)]
    conditions: list[Condition] = []
    for mark in own:
        if mark.axis is Axis.CONDITION and (not conditions or conditions[-1].last <= mark.first):
            one = condition(reading, mark, extent, own, values, covered)
            if one is not None:
                conditions.append(one)
    held = {i for one in conditions for i in range(one.first, one.last)}
    words = words_at(reading, [i for i in range(*extent) if i not in held and i not in covered])
    return Clause(number, reading, *extent, tuple(own), tuple(values), words, tuple(conditions))

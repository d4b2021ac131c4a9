"""The parameter table made ready for reading: one look-up by a word's form tells all it may begin.

Russian words are spread out into their forms once, so that reading a text needs no morphology.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from review.facts import words
from review.facts.frames import Frame, compiled
from review.facts.parameters import Parameter, Table
from review.facts.sentences import Reading
from store.cells import FactRole

_OPEN_CLASSES: Final = ("NOUN", "ADJF", "ADJS", "PRTS", "PRTF", "VERB", "INFN")


@dataclass(frozen=True, slots=True)
class Name:
    """A parameter's name after its first word, or a word for one of its values."""

    rest: tuple[frozenset[str], ...]
    parameter: Parameter
    value: str = ""
    """The canonical value when the words are a value's."""


@dataclass(slots=True)
class Entry:
    """All that a word's form may begin or stand for; most words of a text have none."""

    names: list[Name] = field(default_factory=list)
    values: list[Name] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    asks: list[Frame] = field(default_factory=list)


class Lexicon:
    """A table, compiled."""

    def __init__(self, table: Table) -> None:
        """Compile ``table``; takes about a second when it holds Russian words."""
        self.table = table
        self.entries: dict[str, Entry] = defaultdict(Entry)
        self.neutral = _forms_of(table.neutral)
        self.past = _forms_of(table.past)
        self.transparent = _forms_of(table.transparent)
        for parameter in table.parameters.values():
            self._add(parameter)
        for entry in self.entries.values():
            entry.names.sort(key=lambda name: -len(name.rest))
            entry.values.sort(key=lambda name: -len(name.rest))
        self.entries = dict(self.entries)

    def _add(self, parameter: Parameter) -> None:
        for phrase in (*parameter.en, *parameter.ru):
            first, *rest = _phrase(phrase, inflect=True)
            for form in first:
                self.entries[form].names.append(Name(tuple(rest), parameter))
        told = [(value, p) for value, phrases in parameter.values.items() for p in phrases]
        for value, phrase in told:
            first, *rest = _phrase(phrase, inflect=words.is_cyrillic(phrase))
            for form in first:
                self.entries[form].values.append(Name(tuple(rest), parameter, value))
        self._add_frames(parameter)

    def _add_frames(self, parameter: Parameter) -> None:
        kinds = (
            (parameter.frames, FactRole.STATES, False),
            (parameter.changes, FactRole.STATES, True),
            (parameter.ends, FactRole.ENDS, False),
            (parameter.rests, FactRole.RESTS_ON, False),
        )
        for patterns, role, changes in kinds:
            for pattern in patterns:
                frame = compiled(pattern, parameter, role, inflected, changes=changes)
                for form in frame.anchors:
                    self.entries[form].frames.append(frame)
        for pattern in parameter.asks:
            frame = compiled(pattern, parameter, FactRole.STATES, inflected)
            for form in frame.anchors:
                self.entries[form].asks.append(frame)


def match(reading: Reading, name: Name, at: int, last: int) -> int:
    """The word behind ``name`` when its first word is ``at``; 0 when the rest does not follow."""
    end = at + 1 + len(name.rest)
    if end > last:
        return 0
    for place, forms in enumerate(name.rest, at + 1):
        if reading.gaps[place] or reading.forms[place] not in forms:
            return 0
    return end


def _phrase(phrase: str, *, inflect: bool) -> list[frozenset[str]]:
    told = Reading(phrase).forms
    if not told:
        return [frozenset({phrase})]
    made = []
    for place, form in enumerate(told):
        final = place == len(told) - 1
        if not inflect or not (final or words.is_cyrillic(form)):
            made.append(frozenset({form}))
        else:
            made.append(inflected(form))
    return made


def _forms_of(told: frozenset[str]) -> frozenset[str]:
    return frozenset().union(*(inflected(form) for word in told for form in Reading(word).forms))


@lru_cache(maxsize=10_000)
def inflected(word: str) -> frozenset[str]:
    """The forms of one folded word: plural in English, all cases and numbers in Russian."""
    if not words.is_cyrillic(word):
        if word.endswith(("s", "x", "ch", "sh")):
            return frozenset({word, f"{word}es"})
        if word.endswith("y") and word[-2:-1] not in "aeiou":
            return frozenset({word, f"{word[:-1]}ies"})
        return frozenset({word, f"{word}s"})
    analyser = words.russian()
    parses = [p for p in analyser.parse(word) if p.tag.POS in _OPEN_CLASSES]
    if not parses or len(word) < 3:
        return frozenset({word})
    exact = [p for p in parses if words.folded(p.normal_form) == word]
    # "отменен" is "cancelled" before it is the short form of "отменный".
    best = (exact or [p for p in parses if p.tag.POS == "PRTS"] or parses)[0]
    forms = {words.folded(p.word) for p in best.lexeme if p.tag.POS == best.tag.POS}
    return frozenset(forms | {word})


@lru_cache(maxsize=50_000)
def is_oblique(word: str) -> bool:
    """Whether a Russian noun only completes another one, as in "столица Франции"."""
    if not words.is_cyrillic(word):
        return False
    best = words.russian().parse(word)[0].tag
    return best.POS == "NOUN" and "Fixd" not in best and best.case not in ("nomn", "accs")

"""What a comparison of a rule with its source says: places, clauses, one verdict.

These values can be printed by a page and travel in a bundle. Spans count characters, in the
source text that is numbered beside them and in the rule. There is no verdict for "good": SAME
says only that no known word makes the rule say more than its source.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from store.cells import Span


class Verdict(StrEnum):
    """How a rule compares with its source. A closed list."""

    STRICTER = "stricter"
    """It says more than its source: each such place needs a restoration or a written reason."""

    UNKNOWN = "unknown"
    """Nothing can be said: a sentence without a source, or words that are not known. It may be
    stricter, so each such place needs an answer, too."""

    SOFTER = "softer"
    SAME = "same"


_WORST: Final = (Verdict.STRICTER, Verdict.UNKNOWN, Verdict.SOFTER)
ASKED: Final = frozenset({Verdict.STRICTER, Verdict.UNKNOWN})
"""Of a place with one of these a person has to say something before the rule leaves."""


class Drift(StrEnum):
    """In what a rule and its source differ at one place. A closed list."""

    DEONTIC = "deontic"
    CERTAINTY = "certainty"
    UNIVERSALITY = "universality"
    CONDITION_DROPPED = "condition_dropped"
    CONDITION_ADDED = "condition_added"
    NUMBER = "number"
    DATE = "date"
    NAME = "name"
    IDENTIFIER = "identifier"
    NEGATION = "negation"
    TENSE = "tense"
    CASES = "cases"
    SCOPE = "scope"
    """Words that say of whom or what it holds, dropped or added; "only"."""

    WORDING = "wording"
    """Other words than the source's, which may or may not say the same."""

    UNALIGNED = "unaligned"
    """No source for this sentence."""


class Change(StrEnum):
    """What became of a word or value of the source."""

    DROPPED = "dropped"
    CHANGED = "changed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a text with the cue in it. An empty span says where the cue is missing."""

    span: Span
    cue: str
    text: int = 0
    """Which of the source texts; 0 in the rule."""


@dataclass(frozen=True, slots=True)
class Place:
    """One place in which a rule differs from its source."""

    drift: Drift
    change: Change
    verdict: Verdict
    source: Passage | None
    """None only when no source sentence belongs to the place."""

    rule: Passage


@dataclass(frozen=True, slots=True)
class Aligned:
    """One clause of the rule with what it was compared with."""

    rule: Span
    sources: tuple[Passage, ...]
    """The source clauses; empty when there is no source for it."""

    shared: int
    """How much of its telling words the sources have, in hundredths of their weight."""

    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Strength:
    """A rule held against its source."""

    verdict: Verdict
    places: tuple[Place, ...]
    """In the order of the rule; what the source says and no clause takes up comes last."""

    clauses: tuple[Aligned, ...]
    cases: int
    """How many of the source texts the rule rests on."""

    @property
    def stricter(self) -> tuple[Place, ...]:
        """The places in which it says more than its source."""
        return tuple(one for one in self.places if one.verdict is Verdict.STRICTER)

    @property
    def asked(self) -> tuple[Place, ...]:
        """The places that need a restoration or a written reason."""
        return tuple(one for one in self.places if one.verdict in ASKED)

    def told(self) -> dict[str, Any]:
        """Plain values, the same for the same texts, for a file or a signature."""
        return {
            "verdict": self.verdict.value,
            "cases": self.cases,
            "places": [
                {
                    "drift": one.drift.value,
                    "change": one.change.value,
                    "verdict": one.verdict.value,
                    "source": None if one.source is None else _passage(one.source),
                    "rule": _passage(one.rule),
                }
                for one in self.places
            ],
            "clauses": [
                {
                    "rule": [one.rule.start, one.rule.end],
                    "sources": [_passage(source) for source in one.sources],
                    "shared": one.shared,
                    "verdict": one.verdict.value,
                }
                for one in self.clauses
            ],
        }


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict of several places together; SAME when there are none."""
    told = frozenset(verdicts)
    return next((one for one in _WORST if one in told), Verdict.SAME)


def _passage(told: Passage) -> dict[str, Any]:
    return {"text": told.text, "span": [told.span.start, told.span.end], "cue": told.cue}

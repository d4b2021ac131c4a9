"""Whether a rule says more than its source: clause by clause, by known words, without a model.

English and Russian, offline; the same texts give the same result. What is compared: force,
certainty, share of cases, conditions, numbers, dates, names, identifiers, negations, the step
from an event to a rule, and how many cases were seen. The check looks for known words and can
miss a stronger meaning; it has no verdict that lets a rule pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from review.clause_strength.alignment import Pair, Words, align
from review.clause_strength.clauses import Clause, clauses
from review.clause_strength.conditions import conditions
from review.clause_strength.counting import Case
from review.clause_strength.cues import Axis
from review.clause_strength.directions import directions
from review.clause_strength.distance import distance
from review.clause_strength.kept import Side, still_counted, values
from review.clause_strength.levels import Step, steps
from review.clause_strength.markup import keys
from review.clause_strength.orders import ordered
from review.clause_strength.places import (
    Aligned,
    Change,
    Drift,
    Passage,
    Place,
    Strength,
    Verdict,
    worst,
)
from review.clause_strength.scales import DUTY, PLAIN, Level, Scales, scales, together
from review.clause_strength.scope import scope
from review.clause_strength.small_words import small_words
from review.clause_strength.symbols import signs
from review.clause_strength.tenses import ahead, describes, happened
from review.clause_strength.values import Sort
from store.cells import Span

LONGEST: Final = 50_000
"""Characters of a text that are read; what lies behind is UNKNOWN."""

_NEAR: Final = 3
"""Clauses of the rule to either side that may go on telling what a clause began to tell."""

_AGAIN: Final = 60
"""Hundredths of a source clause's weight that the rule has, for it to be told again."""


def check(sources: Sequence[str], rule: str) -> Strength:
    """Hold ``rule`` against the texts it was made from.

    Args:
        sources: The source texts, one for each case, as they were written.
        rule: The rewritten text.

    Returns:
        The places in which the rule differs, with the cue and its characters on both sides. A
        rule without words is UNKNOWN. Never raises for any text.
    """
    return _Comparison(sources, rule).result()


class _Comparison:
    """One rule and its sources, read once."""

    def __init__(self, sources: Sequence[str], rule: str) -> None:
        self.sources = [text[:LONGEST] for text in sources]
        self.rule = rule[:LONGEST]
        self.cut = len(rule) > LONGEST or any(len(text) > LONGEST for text in sources)
        said = [keys(text) for text in self.sources]
        self.told = clauses(self.rule, known=frozenset[str]().union(*said))
        self.known = [one for n, text in enumerate(self.sources) for one in clauses(text, n)]
        self.scales: dict[int, Scales] = {}
        self.whole = Side(self.told)
        of_rule = self.whole.keys
        of_source = frozenset(key for clause in self.known for key in clause.keys)
        self.words = Words(of_rule, of_source)
        self.missing = frozenset(
            {key for key in of_source if not self.words.of_source.get(key)}
            | {key for key in of_rule if not self.words.of_rule.get(key)}
        )

    def result(self) -> Strength:
        """The comparison as a value."""
        pairs = align(self.told, self.known, self.words)
        places: list[Place] = []
        aligned: list[Aligned] = []
        for n, pair in enumerate(pairs):
            near = pairs[max(0, n - _NEAR) : n + _NEAR + 1]
            own = list(dict.fromkeys(self._places(pair, _beside(pair, near))))
            places += own
            sources = tuple(self._passage(one, one.span) for one in pair.sources)
            told = worst(place.verdict for place in own)
            aligned.append(Aligned(pair.rule.span, sources, pair.shared, told))
        used = {id(one) for pair in pairs for one in pair.sources}
        places += dict.fromkeys(self._left_out(used, pairs))
        places += self._signs()
        if self.cut or not self.told:
            end = Passage(Span(len(self.rule), len(self.rule)), "")
            places.append(Place(Drift.UNALIGNED, Change.ADDED, Verdict.UNKNOWN, None, end))
        rests_on = {one.text for pair in pairs for one in pair.sources}
        verdict = worst(place.verdict for place in places)
        return Strength(verdict, tuple(places), tuple(aligned), len(rests_on))

    def _signs(self) -> Iterator[Place]:
        """Signs that are no words, on one side alone."""
        told = dict(signs(self.rule))
        known = {char: (n, at) for n, text in enumerate(self.sources) for char, at in signs(text)}
        end = Span(len(self.rule), len(self.rule))
        for char, at in told.items():
            if char not in known:
                passage = Passage(Span(at, at + 1), char)
                yield Place(Drift.WORDING, Change.ADDED, Verdict.UNKNOWN, None, passage)
        for char, (n, at) in known.items():
            if char not in told:
                source = Passage(Span(at, at + 1), char, n)
                gone = Passage(end, "")
                yield Place(Drift.WORDING, Change.DROPPED, Verdict.UNKNOWN, source, gone)

    def _passage(self, clause: Clause, span: Span) -> Passage:
        return Passage(span, _cut(self.sources[clause.text], span), clause.text)

    def _of(self, clause: Clause) -> Scales:
        if id(clause) not in self.scales:
            self.scales[id(clause)] = scales(clause, self.missing)
        return self.scales[id(clause)]

    def _places(self, pair: Pair, beside: Sequence[Clause]) -> Iterator[Place]:
        rule = pair.rule
        if not pair.sources:
            passage = Passage(rule.span, _cut(self.rule, rule.span))
            yield Place(Drift.UNALIGNED, Change.ADDED, Verdict.UNKNOWN, None, passage)
            return
        levels = self._of(rule)
        verb = None if levels.force or levels.modal else ordered(rule, pair.sources)
        if verb is not None:
            levels = replace(levels, force=Level(DUTY, Span(*verb), ""))
        source = still_counted(together([self._of(one) for one in pair.sources]), rule, levels)
        source, levels = self._events(pair, source, levels)
        first = pair.sources[0].text
        found: list[tuple[int, Step]] = [(first, step) for step in steps(source, levels)]
        sides = (Side(pair.sources), Side([rule, *beside]))
        held = conditions(pair.sources, rule, self.words)
        found += held.steps
        hidden = (
            [*held.dropped, *((c.place.start, c.place.end) for c in self._counted(pair))],
            [*held.added, *((c.place.start, c.place.end) for c in levels.cases)],
        )
        found += values(pair.sources, rule, sides, hidden)
        bids = levels.force is not None and not levels.force.words and source.force is None
        shifted = bids or (source.event is not None and levels.event is None)
        cases = [(case.place.start, case.place.end) for case in self._counted(pair)]
        own = [(case.place.start, case.place.end) for case in levels.cases]
        found += scope(
            pair.sources,
            rule,
            self.words,
            told=sides[1].keys,
            hidden=(cases, own),
            shifted=shifted,
            act=levels.force.place if bids and levels.force is not None else None,
        )
        found += _still_to_come(pair.sources, rule)
        found += directions(pair.sources, rule)
        found += small_words(pair.sources, rule, hidden)
        found += distance(pair.sources, rule)
        for text, step in found:
            yield self._place(pair, text, step)

    def _events(self, pair: Pair, source: Scales, levels: Scales) -> tuple[Scales, Scales]:
        """Both sides without a past that only says which thing is meant, and so on either side."""
        rule, past = pair.rule, [one for one in pair.sources if self._of(one).event]
        if levels.event and not happened(rule) and any(map(happened, pair.sources)):
            levels = replace(levels, event=None)
        elif not levels.event and all(describes(one, rule) for one in past):
            source = replace(source, event=None)
        if not past and any(describes(rule, one) for one in pair.sources):
            levels = replace(levels, event=None)
        return source, levels

    def _counted(self, pair: Pair) -> list[Case]:
        return [case for one in pair.sources for case in self._of(one).cases]

    def _place(self, pair: Pair, text: int, step: Step) -> Place:
        """A step with its cues; a side without one is told by an empty span behind its clause."""
        clause = next((one for one in pair.sources if _holds(one, text, step.source)), None)
        clause = clause or pair.sources[0]
        end = clause.span.end
        source = step.source or Span(end, end)
        rule = step.rule or Span(pair.rule.span.end, pair.rule.span.end)
        return Place(
            step.drift,
            step.change,
            step.verdict,
            self._passage(clause, source),
            Passage(rule, _cut(self.rule, rule)),
        )

    def _left_out(self, used: set[int], pairs: Sequence[Pair]) -> Iterator[Place]:
        """Cautions, conditions, dates and people of source sentences that no clause took up."""
        if not pairs or not used:
            return
        end = pairs[-1].rule.span.end
        missing = Passage(Span(end, end), "")
        texts = {one.text for pair in pairs for one in pair.sources}
        doubted = any(level.doubt or level.told for level in map(self._of, self.told))
        counted = any(self._of(clause).cases for clause in self.told)
        for clause in self.known:
            if id(clause) in used:
                continue
            again = self._told_again(clause)
            for drift, verdict, span in self._cautions(clause):
                if again and (
                    (drift is Drift.CERTAINTY and doubted)
                    or (drift is Drift.CASES and counted)
                    or (drift in (Drift.DATE, Drift.NAME) and clause.text not in texts)
                ):
                    continue
                source = self._passage(clause, span)
                yield Place(drift, Change.DROPPED, verdict, source, missing)

    def _told_again(self, clause: Clause) -> bool:
        """Whether the rule has most of the words of a source clause that it does not rest on."""
        total = sum(word.weight for word in clause.about)
        held = sum(w.weight for w in clause.about if w.key not in self.missing)
        return 100 * held >= _AGAIN * total

    def _cautions(self, clause: Clause) -> Iterator[tuple[Drift, Verdict, Span]]:
        levels = self._of(clause)
        again = self._told_again(clause)
        if levels.doubt and levels.doubt.rank < PLAIN:
            yield Drift.CERTAINTY, Verdict.STRICTER, levels.doubt.place
        if levels.cases:
            yield Drift.CASES, Verdict.STRICTER, levels.cases[0].place
        for mark in clause.of(Axis.CONTRAST):
            if not again:
                yield Drift.CONDITION_DROPPED, Verdict.STRICTER, clause.place(mark)
        for one in clause.conditions:
            kept = one.words and all(word.key not in self.missing for word in one.words)
            if not one.mark.rank and not kept:
                yield Drift.CONDITION_DROPPED, Verdict.STRICTER, clause.place(one.mark)
        for value in clause.values:
            span = Span(value.start, value.end)
            inside = any(c.place.start <= span.start < c.place.end for c in levels.cases)
            if inside or self.whole.holds(value):
                continue
            dated = value.sort in (Sort.DATE, Sort.NAME)
            drift = Drift(value.sort.value) if dated else Drift.WORDING
            yield drift, Verdict.STRICTER if dated else Verdict.UNKNOWN, span


def _still_to_come(sources: Sequence[Clause], rule: Clause) -> Iterator[tuple[int, Step]]:
    """What was only announced, told as what holds: "the gate will close on Monday"."""
    first = next(((one.text, place) for one in sources if (place := ahead(one))), None)
    if first is not None and ahead(rule) is None:
        step = Step(Drift.TENSE, Change.CHANGED, Verdict.UNKNOWN, Span(*first[1]), None)
        yield first[0], step


def _beside(pair: Pair, pairs: Sequence[Pair]) -> list[Clause]:
    """Other clauses of the rule that go on telling the same source, and do not tell this again.

    "Weigh pallets at noon. Use ramp 4." together say what one sentence of the source said. But a
    condition that only another clause has, with all the words of this one, is not said here.
    """
    mine = {id(one) for one in pair.sources}
    total = sum(word.weight for word in pair.rule.about)
    return [
        other.rule
        for other in pairs
        if other is not pair
        and any(id(one) in mine for one in other.sources)
        and 2 * sum(w.weight for w in pair.rule.about if w.key in other.rule.keys) < total
    ]


def _holds(clause: Clause, text: int, span: Span | None) -> bool:
    if clause.text != text:
        return False
    return span is None or clause.span.start <= span.start <= clause.span.end


def _cut(text: str, span: Span) -> str:
    return text[span.start : span.end]

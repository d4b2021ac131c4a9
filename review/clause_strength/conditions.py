"""What became of a source's conditions in a clause of the rule.

Conditions are compared by their words, in any order and place: "if the test is flaky" is kept in
"a flaky test". A condition that is gone makes the rule hold more often than anybody observed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from review.clause_strength.alignment import Words
from review.clause_strength.clauses import Clause
from review.clause_strength.hanging import Condition
from review.clause_strength.levels import Step
from review.clause_strength.places import Change, Drift, Verdict
from store.cells import Span

_ENOUGH: Final = 60
"""Hundredths of a condition's weight that the other side has to have for it to be the same."""


@dataclass(frozen=True, slots=True)
class Found:
    """The differences, and the extents of conditions that have no counterpart."""

    steps: tuple[tuple[int, Step], ...]
    dropped: tuple[tuple[int, int], ...]
    added: tuple[tuple[int, int], ...]


def conditions(source: Sequence[Clause], rule: Clause, words: Words) -> Found:
    """The differences in conditions.

    Args:
        source: The source clauses.
        rule: The clause that tells them again.
        words: Which words are the same.
    """
    steps: list[tuple[int, Step]] = []
    dropped, added = list[tuple[int, int]](), list[tuple[int, int]]()
    taken: set[int] = set()
    for clause in source:
        for one in clause.conditions:
            other = _partner(one, rule, words, taken)
            if other is not None:
                taken.add(other)
                pair = (one, rule.conditions[other])
                steps += [(clause.text, step) for step in _compared(clause, rule, *pair)]
            elif not _within(clause, one, words, rule.keys):
                dropped.append(_extent(clause, one))
                step = Step(
                    Drift.CONDITION_DROPPED,
                    Change.DROPPED,
                    Verdict.STRICTER,
                    Span(*dropped[-1]),
                    None,
                )
                steps.append((clause.text, step))
    known = {word.key for clause in source for word in clause.about}
    for n, one in enumerate(rule.conditions):
        if n in taken or _known(one, words, known):
            continue
        added.append(_extent(rule, one))
        change = (Drift.CONDITION_ADDED, Change.ADDED, Verdict.SOFTER)
        steps.append((source[0].text, Step(*change, None, Span(*added[-1]))))
    return Found(tuple(steps), tuple(dropped), tuple(added))


def _partner(one: Condition, rule: Clause, words: Words, taken: set[int]) -> int | None:
    best, most = None, 0
    for n, other in enumerate(rule.conditions):
        keys = frozenset(word.key for word in other.words)
        shared = _shared(one, words, keys)
        if n not in taken and shared > most:
            best, most = n, shared
    return best if most >= _ENOUGH or (best is not None and not one.words) else None


def _shared(one: Condition, words: Words, keys: frozenset[str]) -> int:
    """Hundredths of the weight of a source condition's words that are among ``keys``."""
    total = sum(word.weight for word in one.words)
    if not total:
        return 100
    held = sum(w.weight for w in one.words if not keys.isdisjoint(words.of_source.get(w.key, ())))
    return 100 * held // total


def _within(clause: Clause, one: Condition, words: Words, told: frozenset[str]) -> bool:
    """Whether the rule says a condition without its word: "a flaky test", and not it alone."""
    if not one.words or _shared(one, words, told) < 100:
        return False
    own = {key for word in one.words for key in words.of_source.get(word.key, ())}
    rest = told - own
    return any(not rest.isdisjoint(words.of_source.get(w.key, ())) for w in clause.words)


def _known(one: Condition, words: Words, known: set[str]) -> bool:
    return bool(one.words) and all(
        not known.isdisjoint(words.of_rule.get(word.key, ())) for word in one.words
    )


def _compared(source: Clause, rule: Clause, before: Condition, after: Condition) -> Iterator[Step]:
    spans = (source.place(before.mark), rule.place(after.mark))
    if before.turned is not after.turned:
        yield Step(Drift.NEGATION, Change.CHANGED, Verdict.STRICTER, *spans)
    if {_when(before), _when(after)} == {"before", "after"}:
        yield Step(Drift.CONDITION_DROPPED, Change.CHANGED, Verdict.STRICTER, *spans)
    alone = (before.mark.sense == "only", after.mark.sense == "only")
    if alone == (False, True):
        yield Step(Drift.SCOPE, Change.ADDED, Verdict.STRICTER, *spans)
    if alone == (True, False):
        yield Step(Drift.SCOPE, Change.DROPPED, Verdict.SOFTER, *spans)


_WHEN: Final = {
    word: sort
    for sort, words in (
        ("before", "before|until|till|перед|перед тем как|прежде чем|до того как"),
        ("after", "after|as soon as|once the|once a|since|после того как|как только"),
    )
    for word in words.split("|")
}


def _when(one: Condition) -> str:
    """Whether a condition is a time before or after which something holds; else nothing."""
    return _WHEN.get(one.mark.words, "")


def _extent(clause: Clause, one: Condition) -> tuple[int, int]:
    return clause.reading.starts[one.first], clause.reading.ends[one.last - 1]

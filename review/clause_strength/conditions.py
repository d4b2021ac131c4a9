"""What became of a source's conditions in a clause of the rule.

Conditions are compared by their words, in any order and place: "if the test is flaky" is kept in
"a flaky test". A condition that is gone makes the rule hold more often than anybody observed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from review.clause_strength.alignment import Words
from review.clause_strength.clauses import Clause
from review.clause_strength.hanging import Condition
from review.clause_strength.levels import Step
from review.clause_strength.places import Change, Drift, Verdict
from review.clause_strength.words import Word
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
    known = {word.key for clause in source for word in clause.about}
    for clause in source:
        for one in clause.conditions:
            other = _partner(one, rule, words, taken)
            if other is not None:
                taken.add(other)
                pair = (one, rule.conditions[other])
                steps += [(clause.text, step) for step in _compared(clause, rule, *pair)]
                steps += [(clause.text, step) for step in _reworded(clause, rule, *pair, words)]
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
            elif free := _freed(rule, words, taken, known):
                spans = (Span(*_extent(clause, one)), Span(*_extent(rule, free)))
                steps.append(
                    (clause.text, Step(Drift.WORDING, Change.CHANGED, Verdict.UNKNOWN, *spans))
                )
            elif "as" in _forms(rule) and "as" not in _forms(clause):
                # "If the queue is stuck" is no "as the queue is stuck".
                span = Span(*_extent(clause, one))
                steps.append(
                    (clause.text, Step(Drift.WORDING, Change.CHANGED, Verdict.UNKNOWN, span, None))
                )
    steps += _void(source, rule)
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


def _freed(rule: Clause, words: Words, taken: set[int], known: set[str]) -> Condition | None:
    """A condition of the rule, in known words, that stands where the source has another one.

    "If it was opened" may be short for the source's; "if anybody asks" is not.
    """
    forms = rule.reading.forms
    free = (
        other
        for n, other in enumerate(rule.conditions)
        if n not in taken and _SHORT.isdisjoint(forms[other.first : other.last])
    )
    return next((other for other in free if _known(other, words, known)), None)


_SHORT: Final = frozenset(
    {"it", "its", "they", "them", "he", "she", "him", "her", "one", "this", "that"}
    | {"он", "она", "оно", "они", "его", "ее", "их", "ему", "ей", "им", "это"}
)


def _compared(source: Clause, rule: Clause, before: Condition, after: Condition) -> Iterator[Step]:
    spans = (source.place(before.mark), rule.place(after.mark))
    if before.turned is not after.turned:
        yield Step(Drift.NEGATION, Change.CHANGED, Verdict.STRICTER, *spans)
    if {_when(before), _when(after)} == {"before", "after"}:
        yield Step(Drift.CONDITION_DROPPED, Change.CHANGED, Verdict.STRICTER, *spans)
    elif _when(before) != _when(after) and "after" not in (_when(before), _when(after)):
        yield Step(Drift.WORDING, Change.CHANGED, Verdict.UNKNOWN, *spans)
    if _even(rule, after) and not _even(source, before):
        yield Step(Drift.WORDING, Change.CHANGED, Verdict.UNKNOWN, *spans)
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
        ("cause", "because|because of|due to|потому что|так как|поскольку|из за|ввиду|по причине"),
    )
    for word in words.split("|")
}


def _when(one: Condition) -> str:
    """Whether a condition is a time before or after, or a reason; else it is an "if"."""
    return _WHEN.get(one.mark.words, "")


_EVEN: Final = frozenset({"even", "especially", "particularly", "даже", "особенно"})
_OR: Final = frozenset({"or", "или", "либо"})
_VOID: Final = frozenset({"or not", "whether or not", "или нет", "или не", "независимо от того"})


def _even(clause: Clause, one: Condition) -> bool:
    """Whether a condition is only one case of several: "even when it is full"."""
    return one.first > clause.first and clause.reading.forms[one.first - 1] in _EVEN


def _void(source: Sequence[Clause], rule: Clause) -> Iterator[tuple[int, Step]]:
    """Where a rule takes a condition back: "when it is full or not"."""
    held = [clause for clause in source if clause.conditions]
    mark = next((one for one in rule.marks if one.words in _VOID), None)
    if not held or mark is None or any(m.words in _VOID for one in source for m in one.marks):
        return
    span = Span(*_extent(held[0], held[0].conditions[0]))
    step = Step(Drift.CONDITION_DROPPED, Change.CHANGED, Verdict.STRICTER, span, rule.place(mark))
    yield held[0].text, step


def _reworded(
    source: Clause, rule: Clause, before: Condition, after: Condition, words: Words
) -> Iterator[Step]:
    """Words that a kept condition lost, or has new: "full", "full or busy"."""
    gone = _beyond(source, before, after, words.of_source)
    come = _beyond(rule, after, before, words.of_rule)
    mains = [{word.key for word in clause.words} for clause in (source, rule)]
    lost = [
        word
        for word in gone
        if word.key in mains[0] or rule.keys.isdisjoint(words.of_source.get(word.key, ()))
    ]
    new = [
        word
        for word in come
        if word.key in mains[1] or source.keys.isdisjoint(words.of_rule.get(word.key, ()))
    ]
    if not lost and not new:
        if gone and come:  # what holds and what it hangs on have changed places
            turned = (_over(gone), _over(come))
            yield Step(Drift.WORDING, Change.CHANGED, Verdict.UNKNOWN, *turned)
        return
    spans = [_over(told) if told else None for told in (lost, new)]
    forms = rule.reading.forms
    wider = any(forms[word.at - 1] in _OR for word in new)
    change = Change.CHANGED if lost and new else Change.ADDED if new else Change.DROPPED
    if wider or (lost and not new):
        yield Step(Drift.CONDITION_DROPPED, change, Verdict.STRICTER, *spans)
    else:
        yield Step(Drift.WORDING, change, Verdict.UNKNOWN, *spans)


def _beyond(
    clause: Clause, one: Condition, other: Condition, of: Mapping[str, Collection[str]]
) -> list[Word]:
    """The words of a condition that its counterpart has not; values are told elsewhere."""
    held = {word.key for word in other.words}
    return [
        word
        for word in one.words
        if word.at not in clause.valued and held.isdisjoint(of.get(word.key, ()))
    ]


def _over(told: Sequence[Word]) -> Span:
    return Span(min(word.start for word in told), max(word.end for word in told))


def _forms(clause: Clause) -> Sequence[str]:
    return clause.reading.forms[clause.first : clause.last]


def _extent(clause: Clause, one: Condition) -> tuple[int, int]:
    return clause.reading.starts[one.first], clause.reading.ends[one.last - 1]

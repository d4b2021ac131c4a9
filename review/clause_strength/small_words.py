"""Small words that change what is said: "almost full", "twice a week", "at once", "you".

They tell nothing of what a sentence is about, so no comparison of its words finds them. What they
make of it is not read here: such a place is UNKNOWN and never SAME.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from review.clause_strength.clauses import Clause
from review.clause_strength.cues import Axis, table
from review.clause_strength.levels import Step
from review.clause_strength.places import Change, Drift, Verdict
from review.clause_strength.words import same
from review.facts.sentences import BLANK
from review.facts.words import is_cyrillic
from store.cells import Span


def small_words(
    source: Sequence[Clause],
    rule: Clause,
    hidden: tuple[Sequence[tuple[int, int]], Sequence[tuple[int, int]]],
) -> Iterator[tuple[int, Step]]:
    """Where one side has such a word and the other has not, or has another one.

    Args:
        source: The source clauses.
        rule: The clause that tells them again.
        hidden: Characters that are told of elsewhere: dropped conditions, added ones.
    """
    for clause in source:
        yield from _degrees(clause, rule, hidden)
        yield from _ends(clause, rule)
        yield from _moved(clause, rule)
        yield from _persons(clause, rule)
        yield from _urgent(clause, rule)
        yield from _paced(clause, rule)


def _degrees(
    source: Clause,
    rule: Clause,
    hidden: tuple[Sequence[tuple[int, int]], Sequence[tuple[int, int]]],
) -> Iterator[tuple[int, Step]]:
    """Another degree: "almost full", "full"."""
    before, after = _degree(source, hidden[0]), _degree(rule, hidden[1])
    gone = [span for form, span in before.items() if form not in after]
    new = [span for form, span in after.items() if form not in before]
    if gone or new:
        change = Change.DROPPED if not new else Change.CHANGED if gone else Change.ADDED
        spans = (gone[0] if gone else None, new[0] if new else None)
        yield source.text, Step(Drift.WORDING, change, Verdict.UNKNOWN, *spans)


def _degree(clause: Clause, hidden: Sequence[tuple[int, int]]) -> dict[str, Span]:
    reading = clause.reading
    taken = clause.valued | {i for mark in clause.marks for i in range(mark.first, mark.last)}
    return {
        reading.forms[i]: Span(reading.starts[i], reading.ends[i])
        for i in range(clause.first, clause.last)
        if reading.forms[i] in table().degree
        and i not in taken
        and not any(low <= reading.starts[i] < high for low, high in hidden)
    }


_TIMES: Final = frozenset({"before", "after", "earlier", "later", "sooner", "раньше", "позже"})


def _ends(source: Clause, rule: Clause) -> Iterator[tuple[int, Step]]:
    """A time that a clause ends with: "at ten, not before", "at ten, not after"."""
    before, after = _last(source), _last(rule)
    if (before and before[0]) != (after and after[0]) and (before or after):
        change = Change.ADDED if not before else Change.CHANGED if after else Change.DROPPED
        spans = (before[1] if before else None, after[1] if after else None)
        yield source.text, Step(Drift.WORDING, change, Verdict.UNKNOWN, *spans)


def _last(clause: Clause) -> tuple[str, Span] | None:
    reading = clause.reading
    for at in range(clause.first, clause.last):
        ends = at + 1 == clause.last or reading.gaps[at + 1] != BLANK
        if reading.forms[at] in _TIMES and ends:
            return reading.forms[at], Span(reading.starts[at], reading.ends[at])
    return None


_THAN: Final = frozenset({"than", "чем", "нежели"})


def _moved(source: Clause, rule: Clause) -> Iterator[tuple[int, Step]]:
    """A "never" or a "than" before another word: "on A, never on B", "on B, never on A"."""
    before, after = _before_words(source), _before_words(rule)
    for words in sorted(set(before) | set(after)):
        one, other = before.get(words), after.get(words)
        if one is not None and other is not None:
            kept = other[0] in source.keys and one[0] in rule.keys
            if not kept or same(one[0], other[0]):
                continue
            change = Change.CHANGED
        elif words in _THAN:
            change = Change.ADDED if one is None else Change.DROPPED
        else:
            continue  # a negation that came or went is told elsewhere
        spans = (one[1] if one else None, other[1] if other else None)
        yield source.text, Step(Drift.WORDING, change, Verdict.UNKNOWN, *spans)


def _binds(words: str) -> bool:
    """Whether a negation is said of the word behind it; a Russian "никто" stands anywhere."""
    return not is_cyrillic(words) or words == "не"


def _before_words(clause: Clause) -> dict[str, tuple[str, Span]]:
    """Each negation or "than" with the first telling word behind it."""
    reading = clause.reading
    marks = [
        (mark.words, mark.first, mark.last)
        for mark in clause.of(Axis.NEGATION, Axis.SHARE)
        if (mark.axis is Axis.NEGATION or mark.sense == "not") and _binds(mark.words)
    ]
    taken = {i for one in clause.marks for i in range(one.first, one.last)}
    marks += [
        (reading.forms[i], i, i + 1)
        for i in clause.main
        if reading.forms[i] in _THAN and i not in taken
    ]
    found: dict[str, tuple[str, Span]] = {}
    for words, first, last in marks:
        word = next((one for one in clause.about if one.at >= last), None)
        if word is not None:
            found.setdefault(words, (word.key, Span(reading.starts[first], word.end)))
    return found


_PERSONS: Final[Mapping[str, str]] = {
    word: who
    for who, words in (
        ("we", "we i our us мы я наш наша наши наше нас нам нами"),
        ("you", "you your вы ты ваш ваша ваши ваше вас вам вами"),
    )
    for word in words.split()
}


def _persons(source: Clause, rule: Clause) -> Iterator[tuple[int, Step]]:
    """What people told of themselves, told of others: "we usually ship", "you usually ship"."""
    before, after = _who(source), _who(rule)
    if set(before) == {"we"} and set(after) == {"you"}:
        spans = (before["we"], after["you"])
        yield source.text, Step(Drift.WORDING, Change.CHANGED, Verdict.UNKNOWN, *spans)


def _who(clause: Clause) -> dict[str, Span]:
    reading = clause.reading
    return {
        _PERSONS[reading.forms[i]]: Span(reading.starts[i], reading.ends[i])
        for i in range(clause.first, clause.last)
        if reading.forms[i] in _PERSONS
    }


_AT_ONCE: Final = re.compile(
    r"\b(?:at once|right away|straight away|as soon as possible|asap|on the spot|on sight)\b"
    r"|\b(?:сразу же|тут же|как можно скорее)\b",
    re.IGNORECASE,
)


def _urgent(source: Clause, rule: Clause) -> Iterator[tuple[int, Step]]:
    """That it is to be done at once, in words that tell nothing else."""
    before, after = (_AT_ONCE.search(one.told) for one in (source, rule))
    if after and not before:
        start = rule.span.start
        span = Span(start + after.start(), start + after.end())
        yield source.text, Step(Drift.WORDING, Change.ADDED, Verdict.UNKNOWN, None, span)


_PACE: Final = re.compile(
    r"\b(?:an?|per|each|every)\s+(?P<en>minute|hour|day|night|week|month|quarter|year)\b"
    r"|\b(?:в|за|кажд\w+)\s+(?P<ru>минуту|час|день|ночь|неделю|месяц|квартал|год|сутки)\b",
    re.IGNORECASE,
)


def _paced(source: Clause, rule: Clause) -> Iterator[tuple[int, Step]]:
    """How often in what time: "twice" is not "twice a week"."""
    before, after = (
        {(found["en"] or found["ru"]).casefold(): found for found in _PACE.finditer(one.told)}
        for one in (source, rule)
    )
    for unit in sorted(set(before) ^ set(after)):
        spans = [
            Span(one.span.start + side[unit].start(), one.span.start + side[unit].end())
            if unit in side
            else None
            for side, one in ((before, source), (after, rule))
        ]
        change = Change.DROPPED if unit in before else Change.ADDED
        yield source.text, Step(Drift.WORDING, change, Verdict.UNKNOWN, *spans)
        return

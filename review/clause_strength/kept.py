"""What became of a source's numbers, dates, names and identifiers in a clause of the rule.

Another value than the source's is STRICTER whichever way it goes: nobody observed it. A value
that the rule adds is STRICTER for a number and for a date that something must be done by, SOFTER
for a time that limits the rule, and UNKNOWN for a name, an identifier, or a time beside another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from review.clause_strength.clauses import Clause
from review.clause_strength.levels import Step
from review.clause_strength.places import Change, Drift, Verdict
from review.clause_strength.scales import Scales
from review.clause_strength.values import Sort, Value
from review.clause_strength.words import beginnings, same
from store.cells import Span

_DRIFT = {
    Sort.NUMBER: Drift.NUMBER,
    Sort.DATE: Drift.DATE,
    Sort.NAME: Drift.NAME,
    Sort.IDENTIFIER: Drift.IDENTIFIER,
}
_LIMITING = frozenset({"at", "from", "until", "during", "after", "before", ""})

Extent = tuple[int, int]


class Side:
    """What some clauses say: their values, their words and their text."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        """Read the values and words of ``clauses``, and their text for identifiers."""
        self.keys = frozenset(name for clause in clauses for name in clause.keys)
        self._text = "\n".join(map(_around, clauses)).casefold()
        values = (value for clause in clauses for value in clause.values)
        self._values: dict[tuple[Sort, str], set[str]] = defaultdict(set)
        self._near: dict[str, set[str]] = defaultdict(set)
        names = set()
        for value in values:
            self._values[value.sort, value.key].add(value.unit)
            if value.sort is Sort.NAME:
                names.add(value.key)
        for name in self.keys | names:
            for start in beginnings(name):
                self._near[start].add(name)

    def holds(self, value: Value) -> bool:
        """Whether a value of the other side is said here; a name may lack its capital."""
        if value.sort is Sort.IDENTIFIER:
            return value.key in self._text
        if value.sort is Sort.NAME:
            starts = beginnings(value.key)
            near = (name for start in starts for name in self._near.get(start, ()))
            return any(same(value.key, name) for name in near)
        units = self._values.get((value.sort, value.key))
        return units is not None and (not value.unit or bool(units & {"", value.unit}))


_MARKS: Final = 3
"""Characters before the first word that may belong to an identifier: ``--no-verify``."""


def _around(clause: Clause) -> str:
    span = clause.span
    return clause.reading.text[max(0, span.start - _MARKS) : span.end + _MARKS]


def _equal(one: Value, other: Value) -> bool:
    if one.key != other.key:
        return False
    return not (one.unit and other.unit) or one.unit == other.unit


def values(
    source: Sequence[Clause],
    rule: Clause,
    sides: tuple[Side, Side],
    hidden: tuple[Sequence[Extent], Sequence[Extent]],
) -> Iterator[tuple[int, Step]]:
    """Every difference in values, with the number of the source text it stands in.

    Args:
        source: The source clauses.
        rule: The clause that tells them again.
        sides: What these source clauses say, and what the rule says of them.
        hidden: Characters that are told of elsewhere: counted cases and dropped conditions of
            the source, of which only numbers are hidden; added conditions and cases of the rule.
    """
    gone = [
        (clause.text, value)
        for clause in source
        for value in clause.values
        if not sides[1].holds(value)
        and not (value.sort is Sort.NUMBER and _inside(value, hidden[0]))
    ]
    new = [
        value
        for value in rule.values
        if not sides[0].holds(value) and not _inside(value, hidden[1])
    ]
    for sort in Sort:
        before = [(text, value) for text, value in gone if value.sort is sort]
        after = [value for value in new if value.sort is sort]
        for n, (text, value) in enumerate(before):
            partner = after[n] if n < len(after) else None
            change = Change.DROPPED if partner is None else Change.CHANGED
            spans = (_span(value), None if partner is None else _span(partner))
            yield text, Step(_DRIFT[sort], change, Verdict.STRICTER, *spans)
        beside = any(value.sort is sort for clause in source for value in clause.values)
        for value in after[len(before) :]:
            verdict = _added(value)
            if beside and verdict is Verdict.SOFTER:
                verdict = Verdict.UNKNOWN  # "on Friday", "on Friday and Saturday"
            yield source[0].text, Step(_DRIFT[sort], Change.ADDED, verdict, None, _span(value))
    yield from _bounds(source, rule, hidden[0])


def _bounds(
    source: Sequence[Clause], rule: Clause, hidden: Sequence[Extent]
) -> Iterator[tuple[int, Step]]:
    """The same number as another limit: "at least two", "at most two", "two"."""
    for clause in source:
        for value in clause.values:
            if value.sort is not Sort.NUMBER or _inside(value, hidden):
                continue
            equal = [one for one in rule.values if one.sort is value.sort and _equal(one, value)]
            if not equal or any(one.bound == value.bound for one in equal):
                continue
            verdict = _bound(value.bound, equal[0].bound)
            spans = (_span(value), _span(equal[0]))
            yield clause.text, Step(Drift.NUMBER, Change.CHANGED, verdict, *spans)


def _bound(before: str, after: str) -> Verdict:
    """A number that is no longer rough, or another limit, is more than was said."""
    if before == "~" or (before and after and "~" not in (before, after)):
        return Verdict.STRICTER if before[:1] != after[:1] else Verdict.UNKNOWN
    return Verdict.SOFTER if after == "~" else Verdict.UNKNOWN


def still_counted(source: Scales, rule: Clause, levels: Scales) -> Scales:
    """The source's scales without the counts that the rule keeps as a number: "charged twice"."""
    if levels.cases:
        return source
    numbers = {value.key for value in rule.values if value.sort is Sort.NUMBER}
    cases = tuple(
        case
        for case in source.cases
        if case.of or case.number < 2 or str(case.number) not in numbers
    )
    return source if cases == source.cases else replace(source, cases=cases)


def _added(value: Value) -> Verdict:
    if value.sort is Sort.NUMBER:
        return Verdict.STRICTER
    if value.sort is Sort.DATE:
        return Verdict.SOFTER if value.kind in _LIMITING else Verdict.STRICTER
    return Verdict.UNKNOWN


def _inside(value: Value, extents: Sequence[Extent]) -> bool:
    return any(start < value.end and value.start < end for start, end in extents)


def _span(value: Value) -> Span:
    return Span(value.start, value.end)

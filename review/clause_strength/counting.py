"""How many cases a clause says were seen, and how often it says that something is to be done.

"Once" counts cases of an event ("was rejected once"); of a rule it says how often to do it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from review.clause_strength.clauses import Clause
from review.clause_strength.cues import Axis, is_number
from review.clause_strength.phrases import counted, is_time
from review.facts.numbers import SMALL
from review.facts.tables import word_set
from store.cells import Span

_BY_EVENT: Final = frozenset(
    {"once", "twice", "thrice", "дважды", "трижды", "четырежды", "one time"}
)
"""They count cases of an event; of a rule they say how often to do it."""

_BY_NUMBER: Final = frozenset({"in order #", "in ticket #", "в заказе #", "в заявке #"})
_COUNTS: Final = {"once": 1, "однажды": 1, "twice": 2, "дважды": 2, "thrice": 3, "трижды": 3}
_SEEN: Final = word_set(
    "see saw seen observe observed notice noticed happened видели видел видела наблюдали наблюдал "
    "заметили заметил заметила увидели отметили"
)


class Case(NamedTuple):
    """How many cases a cue counts; 0 when it does not say."""

    number: int
    place: Span
    of: int = 0
    """Out of how many, if it says so."""


def cases(clause: Clause, past: bool) -> tuple[Case, ...]:
    """The observations that the clause counts."""
    forms = clause.reading.forms
    seen = past or any(forms[i] in _SEEN for i in range(clause.first, clause.last))
    found: list[tuple[int, int, Case]] = []
    held = {one.mark.first for one in clause.conditions}
    for mark in clause.marks:
        if mark.words == "пока" and mark.first not in held:
            found.append((mark.first, mark.last, Case(1, clause.place(mark))))
    for mark in clause.marks:
        if mark.axis is not Axis.CASES or (mark.words in _BY_EVENT and not seen):
            continue
        numbers = [forms[i] for i in range(mark.first, mark.last) if is_number(forms[i])]
        count = _COUNTS.get(mark.words, _number(numbers[0]) if numbers else 1)
        if mark.words.startswith(("in ", "в ")):
            count = 1
        if mark.words in _BY_NUMBER and not past:
            continue
        of = _number(numbers[1]) if len(numbers) > 1 else 0
        found.append((mark.first, mark.last, Case(count, clause.place(mark), of)))
    for at, end in counted(clause.reading, clause.first, clause.last):
        if any(low <= at < high for low, high, _ in found) or not (
            seen or (is_time(forms[end - 1]) and forms[at - 1] in ("in", "в", "on"))
        ):
            continue
        starts, ends = clause.reading.starts, clause.reading.ends
        found.append((at, end, Case(_number(forms[at]), Span(starts[at], ends[end - 1]))))
    return tuple(case for _, _, case in sorted(found, key=lambda one: one[0]))


def once(clause: Clause, past: bool) -> Case | None:
    """Where the clause says to do something once, and counts no cases by it."""
    if cases(clause, past):
        return None
    for mark in clause.marks:
        if mark.axis is Axis.CASES and mark.words in (
            "once",
            "one time",
            "only once",
            "just once",
        ):
            return Case(1, clause.place(mark))
    for at, end in counted(clause.reading, clause.first, clause.last):
        if is_time(clause.reading.forms[end - 1]) and _number(clause.reading.forms[at]) == 1:
            place = Span(clause.reading.starts[at], clause.reading.ends[end - 1])
            return Case(1, place)
    return None


def _number(form: str) -> int:
    digits = "".join(char for char in form if char.isdigit())
    return int(digits[:9]) if digits else SMALL.get(form, 0)

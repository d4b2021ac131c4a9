"""Words that a writer keeps at a distance by quotation marks: we "always" weigh, a "fix".

Such marks may be irony, a name or a word that is only quoted; which it is, is not read here. Taken
from around a word that tells how strong a sentence is, the rule says outright what its source did
not, which is STRICTER. Around another word, or put where the source has none, it is UNKNOWN.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from review.clause_strength.clauses import COMMON, Clause
from review.clause_strength.cues import Axis, Mark
from review.clause_strength.levels import Step
from review.clause_strength.places import Change, Drift, Verdict
from review.clause_strength.words import key
from review.facts.sentences import BLANK, OPEN
from store.cells import Span

_MOST: Final = 3
"""Words between two marks, at most; more are somebody's sentence."""

_STRONG: Final = frozenset(
    {Axis.FORCE, Axis.DOUBT, Axis.TOLD, Axis.SHARE, Axis.NEGATION, Axis.CASES}
)
_FALLS: Final = frozenset({"`"})
"""What encloses code, and keeps nothing at a distance."""


class _Held(NamedTuple):
    """Words ``[first, last)`` of a clause between quotation marks."""

    first: int
    last: int


def distance(source: Sequence[Clause], rule: Clause) -> Iterator[tuple[int, Step]]:
    """Every word that one side has in quotation marks, and the other outright."""
    told = list(_held(rule))
    for clause in source:
        for held in _held(clause):
            at = _outright(clause, held, rule, told)
            if at is not None:
                strong = bool(_cues(clause, held))
                verdict = Verdict.STRICTER if strong else Verdict.UNKNOWN
                drift = Drift.CERTAINTY if strong else Drift.WORDING
                spans = (_span(clause, held), at)
                yield clause.text, Step(drift, Change.CHANGED, verdict, *spans)
    for held in told:
        for clause in source:
            at = _outright(rule, held, clause, list(_held(clause)))
            if at is not None:
                drift = Drift.CERTAINTY if _cues(rule, held) else Drift.WORDING
                spans = (at, _span(rule, held))
                yield clause.text, Step(drift, Change.CHANGED, Verdict.UNKNOWN, *spans)
                break


def _held(clause: Clause) -> Iterator[_Held]:
    """A few plain words between quotation marks; a name and a whole clause are none."""
    reading, at = clause.reading, clause.first
    while at < clause.last:
        inside = reading.quoted(at)
        if inside is None or reading.text[reading.starts[at] - 1] in _FALLS:
            at += 1
            continue
        end = next((i for i in range(at, clause.last) if reading.ends[i] > inside[1]), clause.last)
        plain = not any(
            (reading.capital(i) and not _begins(clause, i))
            or i in clause.valued
            or not reading.forms[i].isalpha()
            for i in range(at, end)
        )
        whole = end - at == clause.last - clause.first
        if plain and not whole and 0 < end - at <= _MOST:
            yield _Held(at, end)
        at = max(end, at + 1)


def _begins(clause: Clause, at: int) -> bool:
    """Whether a word has its capital because it begins a sentence, and is no name."""
    return at == clause.first and key(clause.reading.forms[at])[1] <= COMMON


def _cues(clause: Clause, held: _Held) -> list[Mark]:
    return [
        mark
        for mark in clause.marks
        if mark.axis in _STRONG and held.first <= mark.first and mark.last <= held.last
    ]


def _outright(clause: Clause, held: _Held, other: Clause, quoted: Sequence[_Held]) -> Span | None:
    """Where the other side says the same without quotation marks; None if it keeps them."""
    inside = {i for one in quoted for i in range(one.first, one.last)}
    cues = _cues(clause, held)
    if cues:
        kinds = {(mark.axis, mark.rank, mark.sense) for mark in cues}
        same = [m for m in other.marks if (m.axis, m.rank, m.sense) in kinds]
        if not same or any(mark.first in inside for mark in same):
            return None
        return other.place(same[0])
    words = [key(form)[0] for form in clause.reading.forms[held.first : held.last]]
    found = None
    for at in range(other.first, other.last - len(words) + 1):
        forms = other.reading.forms[at : at + len(words)]
        gaps = other.reading.gaps[at + 1 : at + len(words)]
        if [key(form)[0] for form in forms] != words or any(g not in (BLANK, OPEN) for g in gaps):
            continue
        if at in inside:
            return None
        found = found or _span(other, _Held(at, at + len(words)))
    return found


def _span(clause: Clause, held: _Held) -> Span:
    return Span(clause.reading.starts[held.first], clause.reading.ends[held.last - 1])

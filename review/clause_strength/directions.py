"""The same words turned round: "to Kazan", "from Kazan"; "A pays B", "B pays A".

Which word belongs to which is not read here, so such a place is UNKNOWN and never SAME.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from review.clause_strength.clauses import Clause
from review.clause_strength.levels import Step
from review.clause_strength.places import Change, Drift, Verdict
from review.clause_strength.values import Sort
from review.clause_strength.words import Word
from review.facts.sentences import BLANK
from review.facts.words import is_cyrillic, russian
from store.cells import Span

_SIDES: Final = (
    ("to into onto towards toward", "from"),
    ("above over", "below under beneath"),
    ("inside within", "outside beyond"),
    ("on", "off"),
    ("up", "down"),
    ("with", "without"),
    ("в во", "из изо"),
    ("на", "с со"),
    ("над", "под"),
    ("к ко", "от"),
    ("внутри", "снаружи вне"),
    ("за", "против"),
    ("с со", "без"),
)
_SIDE: Final[Mapping[str, frozenset[tuple[int, int]]]] = {
    word: frozenset(
        (n, place)
        for n, pair in enumerate(_SIDES)
        for place, words in enumerate(pair)
        if word in words.split()
    )
    for pair in _SIDES
    for words in pair
    for word in words.split()
}
_NEAR: Final = 2
_NEGATIVE: Final = frozenset({"without", "без"})
"""Told as a negation already."""


def directions(source: Sequence[Clause], rule: Clause) -> Iterator[tuple[int, Step]]:
    """Places where a kept word has the opposite preposition, or two names changed places."""
    after = _led(rule)
    for clause in source:
        for key, (form, span) in _led(clause).items():
            other = after.get(key)
            if other is not None and _opposite(form, other[0]):
                step = Step(Drift.WORDING, Change.CHANGED, Verdict.UNKNOWN, span, other[1])
                yield clause.text, step
        named = _named(clause) | _named(rule)
        before, now = _order(clause, named), _order(rule, named)
        if _swapped(clause, before, rule, now):
            spans = (_over(before), _over(now))
            yield clause.text, Step(Drift.WORDING, Change.CHANGED, Verdict.UNKNOWN, *spans)


def _led(clause: Clause) -> dict[str, tuple[str, Span]]:
    """The preposition before each telling word, or one word before it, with its place."""
    reading = clause.reading
    found: dict[str, tuple[str, Span]] = {}
    for word in clause.about:
        for at in range(word.at - 1, max(clause.first, word.at - _NEAR) - 1, -1):
            if reading.gaps[at + 1] != BLANK:
                break
            form = reading.forms[at]
            if form in _SIDE:
                found[word.key] = (form, Span(reading.starts[at], reading.ends[at]))
                break
    return found


def _opposite(one: str, other: str) -> bool:
    if one in _NEGATIVE or other in _NEGATIVE:
        return False
    turned = {(n, 1 - place) for n, place in _SIDE[one]}
    return bool(turned & _SIDE[other]) and not _SIDE[one] & _SIDE[other]


def _named(clause: Clause) -> frozenset[str]:
    return frozenset(value.key for value in clause.values if value.sort is Sort.NAME)


def _order(clause: Clause, named: frozenset[str]) -> list[Word]:
    """The words of a clause that are names on either side, in order."""
    return [word for word in clause.about if word.key in named]


def _swapped(source: Clause, before: Sequence[Word], rule: Clause, after: Sequence[Word]) -> bool:
    """Whether two names stand in the other order, or in each other's case, without a "by"."""
    keys = [word.key for word in before]
    order = [word.key for word in after if word.key in keys]
    if len(set(order)) < 2 or [key for key in keys if key in order] == order:
        return False
    if any("by" in side.reading.forms[side.first : side.last] for side in (source, rule)):
        return False
    return not all(
        _case(source, one) == _case(rule, other) != ""
        for one in before
        for other in after
        if one.key == other.key
    )


def _case(clause: Clause, word: Word) -> str:
    """The grammatical case of a Russian name; empty for others, whose order tells it."""
    form = clause.reading.forms[word.at]
    return str(russian().parse(form)[0].tag.case or "") if is_cyrillic(form) else ""


def _over(words: Sequence[Word]) -> Span:
    return Span(min(word.start for word in words), max(word.end for word in words))

"""In what two records that look alike differ: by name, so that a person can be told.

A difference in value, number, date, name, person, tenant, negation or kind of event makes two
records no duplicates. A difference in wording or in how much is said only keeps them from being
chosen beforehand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from review.duplicates.words import Said, excluding, turned_round
from store.cells import FactRole

TALK: Final = frozenset(
    {"run", "session", "conversation", "thread", "message", "turn", "trace", "agent", "batch"}
)
"""Keys of a scope that say where something was said, not of whom it holds."""

_TENANTS: Final = frozenset(
    {"tenant", "org", "organisation", "organization", "account", "workspace", "project", "app"}
)
_NOBODY: Final = frozenset({"", "user", "пользователь"})
"""Subjects that name nobody in particular: whoever the record is of."""

_MORE: Final = 0.25
"""Share of its weight that a record says beyond the other from which it says more."""

_APART: Final = 0.6
"""Share of its weight that a record says in other words and still states the same facts alone."""


class Difference(StrEnum):
    """How a record differs from the one it would be linked to. A closed list, worst first."""

    TENANT = "tenant"
    PERSON = "person"
    NEGATION = "negation"
    VALUE = "value"
    DATE = "date"
    NUMBER = "number"
    NAME = "name"
    EVENT = "event"
    TOLD = "told"
    """A person said that these two are different."""

    WORDING = "wording"
    MORE = "more"


SOFT: Final = frozenset({Difference.WORDING, Difference.MORE, Difference.TOLD})
"""Differences with which two records may still be one claim; a person has to look."""

Stated = tuple[str, str, str, str]
"""A fact by its keys: subject, parameter, value, role."""


@dataclass(frozen=True, slots=True)
class Member:
    """One record, as it is held against another."""

    said: Said
    facts: frozenset[Stated]
    scope: frozenset[tuple[str, str]]
    starts: int | None
    ends: int | None
    """When its source says that it holds, in world time; None for not said."""

    polarity: str = ""
    tenant: str = ""
    """What its file claims about whose it is."""


def between(one: Member, other: Member, *, same_look: bool) -> tuple[Difference, ...]:
    """Every difference between two records, worst first.

    Args:
        one: A record.
        other: Another.
        same_look: Whether their texts are equal but for case, marks and spacing.
    """
    told = _of_scope(one, other) | _of_facts(one, other) | _of_words(one, other)
    if not same_look and not told:
        told |= _of_wording(one, other)
    return tuple(kind for kind in Difference if kind in told)


def same_facts(one: frozenset[Stated], other: frozenset[Stated]) -> bool:
    """Whether both state the same, at least one fact; a subject that is not said fits any."""
    if not one or not other:
        return False
    if one == other:
        return True
    mine, theirs = ({fact[1:] for fact in facts} for facts in (one, other))
    return mine == theirs and not _subjects_differ(one, other)


def _of_scope(one: Member, other: Member) -> set[Difference]:
    told: set[Difference] = set()
    mine, theirs = dict(one.scope), dict(other.scope)
    for key in mine.keys() & theirs.keys() - TALK:
        if mine[key] != theirs[key]:
            told.add(Difference.TENANT if key in _TENANTS else Difference.PERSON)
    if one.tenant and other.tenant and one.tenant != other.tenant:
        told.add(Difference.TENANT)
    for bound, bound_too in ((one.starts, other.starts), (one.ends, other.ends)):
        if bound is not None and bound_too is not None and bound != bound_too:
            told.add(Difference.DATE)
    if one.polarity and other.polarity and one.polarity != other.polarity:
        told.add(Difference.NEGATION)
    return told


def _of_facts(one: Member, other: Member) -> set[Difference]:
    told: set[Difference] = set()
    if one.facts == other.facts:
        return told
    mine, theirs = _by_parameter(one.facts), _by_parameter(other.facts)
    for parameter in mine.keys() & theirs.keys():
        here, there = mine[parameter], theirs[parameter]
        values, values_too = {fact[2] for fact in here}, {fact[2] for fact in there}
        if not values & values_too:
            told.add(Difference.VALUE)
        elif {(f[2], f[3]) for f in here if f[2] in values_too}.isdisjoint(
            (f[2], f[3]) for f in there
        ):
            told.add(Difference.NEGATION)
        if _subjects_differ(here, there):
            told.add(Difference.NAME)
    return told


def _by_parameter(facts: frozenset[Stated]) -> dict[str, frozenset[Stated]]:
    told: dict[str, set[Stated]] = {}
    for fact in facts:
        if fact[1] and fact[2] and fact[3] != FactRole.RESTS_ON:
            told.setdefault(fact[1], set()).add(fact)
    return {parameter: frozenset(of) for parameter, of in told.items()}


def _subjects_differ(one: frozenset[Stated], other: frozenset[Stated]) -> bool:
    mine, theirs = ({fact[0] for fact in facts} - _NOBODY for facts in (one, other))
    return bool(mine) and bool(theirs) and not mine & theirs


def _of_words(one: Member, other: Member) -> set[Difference]:
    told: set[Difference] = set()
    here, there = one.said, other.said
    if here.dates != there.dates or excluding(here.times, there.times):
        told.add(Difference.DATE)
    if here.numbers != there.numbers:
        told.add(Difference.NUMBER)
    if here.negations != there.negations or _turned(here.weights, there.weights):
        told.add(Difference.NEGATION)
    if excluding(here.kinds, there.kinds):
        told.add(Difference.EVENT)
    if _names_differ(one, other):
        told.add(Difference.NAME)
    return told


def _names_differ(one: Member, other: Member) -> bool:
    """Whether each has a name that the other lacks, or they stand in another order.

    What one writes with a capital inside a sentence is a name at the beginning of the other too.
    """
    here, there = one.said, other.said
    known = {*here.names, *there.names}
    mine, theirs = ([x for x in told.capitals if x in known] for told in (here, there))
    if set(mine) != set(theirs):
        return not (set(mine) <= set(theirs) or set(theirs) <= set(mine))
    # "Pavel reports to Olga" is not "Olga reports to Pavel".
    return mine != theirs and not same_facts(one.facts, other.facts)


def _turned(here: Mapping[str, int], there: Mapping[str, int]) -> bool:
    mine, theirs = here.keys() - there.keys(), there.keys() - here.keys()
    return turned_round(mine, theirs) or turned_round(theirs, mine)


def _of_wording(one: Member, other: Member) -> set[Difference]:
    """How the words differ, where what they state does not say that it is the same."""
    here, there = one.said.weights, other.said.weights
    mine = here.keys() - there.keys() - one.said.counts
    theirs = there.keys() - here.keys() - other.said.counts
    if not mine and not theirs:
        turned = [*here] != [*there] and one.said.directed and other.said.directed
        return {Difference.WORDING} if turned else set()
    apart = max(_share(mine, here), _share(theirs, there))
    if same_facts(one.facts, other.facts) and apart <= _APART:
        return set()
    if mine and theirs:
        return {Difference.WORDING}
    return {Difference.MORE} if apart > _MORE else set()


def _share(stems: Iterable[str], whole: Mapping[str, int]) -> float:
    """Which share of its weight a claim says in these of its stems."""
    return sum(whole[stem] for stem in stems) / max(sum(whole.values()), 1)

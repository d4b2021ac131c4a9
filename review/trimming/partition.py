"""One remembered fact against what a question says: shared, conflicting, or memory alone.

Source: the gate's specification, section 4 (MemTrim); what counts as comparable is ours.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from store.cells import Cardinality, Fact, FactRole


class Group(StrEnum):
    """What a remembered fact is to a question."""

    SHARED = "shared"
    """The question says the same."""

    CONFLICTING = "conflicting"
    """The question gives the parameter another value."""

    MEMORY_ONLY = "memory_only"
    """The question does not mention the parameter, or one cannot tell."""


def compatible(one: Fact, other: Fact) -> bool:
    """Whether two facts can be about one subject: the same, or one of them does not say."""
    return not one.subject_key or not other.subject_key or (one.subject_key == other.subject_key)


def same_fact(one: Fact, other: Fact) -> bool:
    """Whether two facts say the same: parameter, value and role, of compatible subjects."""
    return (
        one.role is other.role
        and one.parameter_key == other.parameter_key
        and bool(one.parameter_key)
        and one.value_key == other.value_key
        and bool(one.value_key)
        and compatible(one, other)
    )


def group_of(fact: Fact, stated: Iterable[Fact]) -> tuple[Group, Fact | None]:
    """Where ``fact`` belongs, and the fact of the question that decides it.

    Facts of the same subject decide alone where there are any; those that do not say their subject
    come second. A parameter that can have many values is never in conflict by value. Where the
    cardinality is not known, another value is a conflict: here the question's own word wins, and
    it costs a remembered value at most. (Between two cells the specification is more careful.)

    A condition ("for shipping to Koledino …") is compared as a value is. The end of a value in
    memory is memory alone; the end of one in the question ("we no longer ship there") conflicts
    with a memory of that value. A fact without a parameter or a value key cannot be compared.

    Args:
        fact: A remembered fact.
        stated: What the question states.

    Returns:
        The group, and the fact that was compared with; ``None`` for memory alone.
    """
    if fact.role is FactRole.ENDS or not fact.parameter_key or not fact.value_key:
        return Group.MEMORY_ONLY, None
    told = [
        one
        for one in stated
        if one.parameter_key == fact.parameter_key and one.value_key and compatible(one, fact)
    ]
    exact = [one for one in told if one.subject_key == fact.subject_key]
    return _decided(fact, exact or told)


def _decided(fact: Fact, told: list[Fact]) -> tuple[Group, Fact | None]:
    same = [one for one in told if one.value_key == fact.value_key]
    for one in same:
        group = Group.CONFLICTING if one.role is FactRole.ENDS else Group.SHARED
        return group, one
    for one in told:
        many = Cardinality.MANY in (one.cardinality, fact.cardinality)
        if one.role is not FactRole.ENDS and not many:
            return Group.CONFLICTING, one
    return Group.MEMORY_ONLY, None

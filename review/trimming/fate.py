"""What becomes of an old conclusion when a new question is asked.

Source: the gate's specification, section 4 (MemTrim).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from review.question.rewording import reworded
from review.question.tasks import same_task
from review.trimming.partition import Group, group_of
from store.cells import Conclusion, Fact


class Fate(StrEnum):
    """How an old conclusion is handed over."""

    DROPPED = "dropped"
    """Not at all: something it rests on has changed."""

    KEPT = "kept"
    """As a past answer to the same question."""

    DEMOTED = "demoted"
    """As a reference: an answer to another question."""

    NONE = "none"
    """There is no conclusion."""


@dataclass(frozen=True, slots=True)
class Support:
    """One fact that a conclusion rests on, against the question."""

    fact: Fact
    group: Group
    against: Fact | None = None
    """The fact of the question that decided."""

    @property
    def unchecked(self) -> bool:
        """Whether the question does not mention it, so that nobody looked."""
        return self.group is Group.MEMORY_ONLY


@dataclass(frozen=True, slots=True)
class Judgement:
    """The fate of a conclusion, and everything that led to it."""

    fate: Fate
    support: tuple[Support, ...] = ()
    same_task: bool = False
    unsupported: bool = False
    """It names nothing that it rests on: a flag, and never kept."""

    strict: bool = False
    because: tuple[Fact, ...] = ()
    """Facts that dropped it: changed support, or what strict mode does not let pass."""

    @property
    def changed(self) -> tuple[Support, ...]:
        """Support facts that the question contradicts."""
        return tuple(one for one in self.support if one.group is Group.CONFLICTING)

    @property
    def unchecked(self) -> tuple[Support, ...]:
        """Support facts that count as intact only because the question does not mention them."""
        return tuple(one for one in self.support if one.unchecked)


def fate(
    conclusion: Conclusion | None,
    stated: Sequence[Fact],
    task: str,
    *,
    conflicting: Sequence[Fact] = (),
    strict: bool = False,
) -> Judgement:
    """What becomes of ``conclusion`` for a question that states facts and has a task.

    Dropped when a support fact conflicts with the question. Otherwise kept when the task is the
    same and demoted when it is another; without support facts demoted at best. In strict mode also
    dropped when a support fact is not mentioned, when there is none, or when any fact of its cell
    conflicts.

    Args:
        conclusion: The old answer, if the cell has one.
        stated: Facts that the question states.
        task: The question's task in words; an empty one is the same as no other.
        conflicting: Facts of the same cell that conflict with the question; for strict mode.
        strict: Drop whenever not everything is known to hold.

    Returns:
        The judgement; ``Fate.NONE`` without a conclusion.
    """
    if conclusion is None:
        return Judgement(Fate.NONE, strict=strict)
    support = tuple(Support(fact, *group_of(fact, stated)) for fact in conclusion.support)
    same = same_task(conclusion.task, task) or reworded(conclusion, task)
    dropping = [one.fact for one in support if one.group is Group.CONFLICTING]
    if strict:
        dropping += [fact for fact in conflicting if fact not in dropping]
        dropping += [one.fact for one in support if one.unchecked]
    if dropping or (strict and not support):
        verdict = Fate.DROPPED
    elif support and same:
        verdict = Fate.KEPT
    else:
        verdict = Fate.DEMOTED
    return Judgement(verdict, support, same, not support, strict, tuple(dropping))

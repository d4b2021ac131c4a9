"""Memory and question, apart: a stored conclusion, and a question that repeats or changes it.

What Q4, Q5 and Q11 share: the pair, how the product is asked about it, and what it said of each
fact and of the conclusion. Every pair has a scope of its own; pairs on one memory share it.

Of each stored fact the product says shared, conflicting or memory-only. Where it reads several
facts at one place, the worst is taken: conflicting, then shared, then memory-only. A memory that
the gate did not admit, or a fact that nothing was read from, counts as unread, which is never
right.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from bench.quality import gathered
from bench.quality.datasets import stamp
from bench.quality.public_path import Cell, World
from review.recall import Question, Recall

STORED_AT: Final = datetime(2024, 1, 1, tzinfo=UTC)
ASKED_AT: Final = datetime(2024, 6, 1, tzinfo=UTC)

SHARED: Final = "shared"
CONFLICTING: Final = "conflicting"
MEMORY_ONLY: Final = "memory_only"
UNREAD: Final = "unread"
_WORST_FIRST: Final = (CONFLICTING, SHARED, MEMORY_ONLY)

KEPT: Final = "kept"
DEMOTED: Final = "demoted"
DROPPED: Final = "dropped"
WITHHELD: Final = "withheld"
"""The gate did not admit the memory at all, so the trim never saw it."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """What a baseline's pattern reads at ``[start, end)`` of a text."""

    words: str
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Stored:
    """A memory with a conclusion, and where the value of each of its facts stands."""

    id: str
    claim: str
    places: tuple[tuple[int, int], ...]
    more: dict[str, Any]

    def cell(self) -> Cell:
        """The memory to import."""
        return Cell(
            self.id,
            self.claim,
            stamp(STORED_AT),
            {"run": self.id},
            kind="decision",
            more=self.more,
        )


@dataclass(frozen=True, slots=True)
class Pair:
    """A question on a memory; the rest is for scoring."""

    memory: str
    """Id of the ``Stored``."""

    text: str
    groups: tuple[str, ...]
    """Gold group of each fact of the memory, in order."""

    fate: str
    wrong: bool = False
    """Whether the stored answer is a wrong one to this question."""

    sort: str = ""

    @property
    def unrelated(self) -> bool:
        """Whether the question has nothing of the memory and is another question."""
        return self.fate == DEMOTED and set(self.groups) <= {MEMORY_ONLY}

    @property
    def overlap(self) -> float:
        """Shared facts among the memory's; 0 without facts."""
        return self.groups.count(SHARED) / len(self.groups) if self.groups else 0.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the product said of one pair."""

    groups: tuple[str, ...]
    fate: str
    why: str = ""
    """Why the gate kept the memory out, when it did."""


def gold_groups(
    memory: Iterable[tuple[Any, object]], stated: Mapping[Any, object]
) -> tuple[str, ...]:
    """The group of each (key, value) of a memory against the facts that a question states."""
    return tuple(
        MEMORY_ONLY if key not in stated else SHARED if stated[key] == value else CONFLICTING
        for key, value in memory
    )


def gold_fate(groups: Sequence[str], *, same_task: bool) -> str:
    """Dropped if a support fact conflicts, else kept for the same task, else demoted."""
    if CONFLICTING in groups:
        return DROPPED
    return KEPT if same_task else DEMOTED


def ask(world: World, stored: Stored, pair: Pair, baseline: str = "") -> Verdict:
    """Ask the product, or one of its baselines, and find what it said of the memory."""
    scope = {"run": stored.id}
    recall = world.ask(Question(pair.text, asked_at=ASKED_AT, scope=scope, baseline=baseline))
    return read(recall, stored)


def read(recall: Recall, stored: Stored) -> Verdict:
    """The groups of the memory's facts and the fate of its conclusion, over all sub-questions."""
    trims = [one for part in recall.parts for one in part.trim.cells if one.source_id == stored.id]
    if not trims:
        told = gathered.scored(recall).get(stored.id)
        why = "no candidate" if told is None else gathered.reasons(told)
        return Verdict((UNREAD,) * len(stored.places), WITHHELD, why)
    placed = [
        (sorted_fact.fact.span.start, sorted_fact.fact.span.end, str(sorted_fact.group))
        for one in trims
        for sorted_fact in one.facts
    ]
    groups = tuple(_group_at(placed, start, end) for start, end in stored.places)
    fates = [str(one.fate) for one in trims if one.fate is not None]
    order = (DROPPED, KEPT, DEMOTED)
    return Verdict(groups, min(fates, key=order.index) if fates else WITHHELD)


def _group_at(placed: list[tuple[int, int, str]], start: int, end: int) -> str:
    """The worst group of the facts whose value overlaps a place."""
    here = {group for begin, stop, group in placed if begin < end and stop > start}
    return next((group for group in _WORST_FIRST if group in here), UNREAD)

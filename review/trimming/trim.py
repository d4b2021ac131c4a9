"""Trims admitted memory against the question: what it repeats or contradicts is withheld.

Nothing is deleted: every fact keeps its place in the result with its group and, when it is not
handed over, the reason; the auditor sees all of it, the model what ``review.trimming.context``
makes of it.

Source: the gate's specification, section 4 (MemTrim). That other facts of a cell are held back
with its failed condition, and that facts are counted once for the overlap, is ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from review.facts.protocol import QuestionFacts
from review.trimming import agreement
from review.trimming.fate import Fate, Judgement, fate
from review.trimming.partition import Group, group_of, same_fact
from store.cells import Conclusion, Fact, FactRole, Interval

MIDDLE: Final = (0.3, 0.7)
"""Overlap at which familiar memory misleads most; ours."""


@dataclass(frozen=True, slots=True)
class Admitted:
    """A cell that passed the gate, as it is handed to the trim."""

    item: str
    kind: str
    claim: str
    """Foreign text."""

    facts: tuple[Fact, ...] = ()
    conclusion: Conclusion | None = None
    provenance: Mapping[str, str] = field(default_factory=dict)
    valid: Interval = Interval()
    relevance: float = 0.0
    """ζ, in [0, 1]."""

    ended: frozenset[int] = frozenset()
    """Places of facts that no longer hold at the asked time."""

    strict: bool = False
    """Whether the policy lets its old conclusion fall with any contradicted fact."""

    over: tuple[str, ...] = ()
    """Parts of the claim that it tells itself as over, and that the question does not ask for."""


class Held(StrEnum):
    """Why a fact is not handed over."""

    SHARED = "shared"
    """The question says it already."""

    CONFLICTING = "conflicting"
    """The question says otherwise."""

    CONDITION = "condition"
    """A condition of its cell conflicts with the question, so it does not apply."""

    CONCLUSION = "conclusion"
    """It was read from the words of a conclusion that is not kept."""

    REPEATED = "repeated"
    """A more relevant cell says it already."""

    DISAGREED = "disagreed"
    """Another admitted cell says otherwise."""

    ENDED = "ended"
    """It no longer holds at the asked time; the rest of its cell does."""


@dataclass(frozen=True, slots=True)
class Sorted:
    """One remembered fact with its group, and why it is held back, if it is."""

    fact: Fact
    group: Group
    against: Fact | None = None
    """The fact of the question that decided."""

    held: Held | None = None


@dataclass(frozen=True, slots=True)
class CellTrim:
    """What trimming made of one cell."""

    cell: Admitted
    facts: tuple[Sorted, ...]
    judged: Judgement
    shortened: str | None = None
    """What to hand over in place of the claim; only a baseline sets it."""

    @property
    def item(self) -> str:
        """The cell's id."""
        return self.cell.item

    @property
    def source_id(self) -> str:
        """The cell's identity in its source; empty when its provenance does not say."""
        return self.cell.provenance.get("source_id", "")

    @property
    def fate(self) -> Fate | None:
        """The fate of its conclusion; ``None`` when it has none."""
        return None if self.judged.fate is Fate.NONE else self.judged.fate

    @property
    def given(self) -> tuple[Fact, ...]:
        """The facts that are handed over."""
        return tuple(one.fact for one in self.facts if one.held is None)

    @property
    def withheld(self) -> tuple[Sorted, ...]:
        """The facts that are not."""
        return tuple(one for one in self.facts if one.held is not None)


class Zone(StrEnum):
    """Where an overlap lies."""

    LOW = "low"
    MIDDLE = "middle"
    """Familiar memory misleads most here."""

    HIGH = "high"


@dataclass(frozen=True, slots=True)
class Trim:
    """Admitted memory, trimmed for one question; cells in the order they came in."""

    cells: tuple[CellTrim, ...] = ()
    overlap: float | None = None
    """Shared facts among all, in [0, 1]; ``None`` when no cell has a fact."""

    zone: Zone | None = None
    disagreements: tuple[agreement.Disagreement, ...] = ()

    def of(self, group: Group) -> tuple[Fact, ...]:
        """The facts of one group, over all cells."""
        return tuple(one.fact for cell in self.cells for one in cell.facts if one.group is group)


@dataclass(frozen=True, slots=True)
class Parts:
    """Which parts of the trim are at work; each can be switched off to see what it does."""

    shared: bool = True
    """Facts that the question repeats are withheld."""

    conflicting: bool = True
    """Facts that the question contradicts are withheld, and what hangs on them."""

    fate: bool = True
    """Old conclusions are judged; without it each is handed over as a past answer."""

    across: bool = True
    """Equal facts are handed over once, disagreeing ones not at all."""


ALL_PARTS: Final = Parts()


def trim(
    admitted: Sequence[Admitted],
    question: QuestionFacts,
    *,
    strict: bool = False,
    middle: tuple[float, float] = MIDDLE,
    parts: Parts = ALL_PARTS,
) -> Trim:
    """Sort the facts of every admitted cell against the question, and judge old conclusions.

    Args:
        admitted: Cells that passed the gate, most relevant first; of equal facts the first cell's
            is handed over.
        question: What the question states, and its task in words.
        strict: Conclusions are dropped whenever not everything is known to hold.
        middle: Lower and upper bound of the zone where memory misleads most, both inside it.
        parts: Which parts are at work.

    Returns:
        The trimmed cells. The groups are the same whatever ``parts`` says.
    """
    cells = tuple(
        _cell(one, question, strict=strict or one.strict, parts=parts) for one in admitted
    )
    share = overlap(cells)
    zone = None if share is None else zone_of(share, middle)
    if not parts.across:
        return Trim(cells, share, zone)
    given = [(cell.item, cell.cell.valid, cell.given) for cell in cells]
    repeated, disagreed, told = agreement.across(given)
    held = dict.fromkeys(repeated, Held.REPEATED) | dict.fromkeys(disagreed, Held.DISAGREED)
    if held:
        cells = tuple(_held(cell, at, held) for at, cell in enumerate(cells))
    return Trim(cells, share, zone, told)


def overlap(cells: Sequence[CellTrim]) -> float | None:
    """How much of what is remembered the question repeats.

    0.0: nothing in common; 1.0: memory holds nothing but what was asked. In the middle, a task
    looks known and is not. A fact that several cells state counts once, so copies change nothing.

    Returns:
        Shared over shared, conflicting and memory-only facts, in [0, 1]; ``None`` without facts.

    Source:
        The gate's specification, section 4.
    """
    distinct: dict[tuple[str, ...], Group] = {}
    for cell in cells:
        for one in cell.facts:
            fact = one.fact
            distinct.setdefault(
                (
                    fact.role,
                    fact.subject_key or fact.subject,
                    fact.parameter_key or fact.parameter,
                    fact.value_key or fact.value,
                ),
                one.group,
            )
    if not distinct:
        return None
    return sum(group is Group.SHARED for group in distinct.values()) / len(distinct)


def zone_of(share: float, middle: tuple[float, float] = MIDDLE) -> Zone:
    """Where an overlap in [0, 1] lies; both bounds belong to the middle."""
    low, high = middle
    if share < low:
        return Zone.LOW
    return Zone.HIGH if share > high else Zone.MIDDLE


def _cell(cell: Admitted, question: QuestionFacts, *, strict: bool, parts: Parts) -> CellTrim:
    stated, task = question.facts, question.task
    groups = [(fact, *group_of(fact, stated)) for fact in cell.facts]
    conflicting = [fact for fact, group, _ in groups if group is Group.CONFLICTING]
    judged = fate(cell.conclusion, stated, task, conflicting=conflicting, strict=strict)
    if not parts.fate and cell.conclusion is not None:
        judged = replace(judged, fate=Fate.KEPT, because=())
    failed = parts.conflicting and any(fact.role is FactRole.RESTS_ON for fact in conflicting)
    found = []
    for place, (fact, group, against) in enumerate(groups):
        held: Held | None = None
        if place in cell.ended:
            held = Held.ENDED
        elif group is Group.SHARED and parts.shared:
            held = Held.SHARED
        elif group is Group.CONFLICTING and parts.conflicting:
            held = Held.CONFLICTING
        elif group is Group.MEMORY_ONLY and failed:
            held = Held.CONDITION
        elif _concluded(fact, cell, judged):
            held = Held.CONCLUSION
        found.append(Sorted(fact, group, against, held))
    return CellTrim(cell, tuple(found), judged)


def _concluded(fact: Fact, cell: Admitted, judged: Judgement) -> bool:
    """Whether a fact is only the words of a conclusion that is dropped or demoted."""
    conclusion = cell.conclusion
    if conclusion is None or judged.fate is Fate.KEPT or not conclusion.text:
        return False
    if any(same_fact(fact, one) for one in conclusion.support):
        return False
    at = cell.claim.rfind(conclusion.text)
    told = cell.claim.find(fact.value, fact.span.start, fact.span.end)
    return 0 <= at <= told < at + len(conclusion.text)


def _held(cell: CellTrim, at: int, held: Mapping[tuple[int, Fact], Held]) -> CellTrim:
    found = [held.get((at, one.fact)) if one.held is None else None for one in cell.facts]
    if not any(found):
        return cell
    pairs = zip(cell.facts, found, strict=True)
    return replace(
        cell,
        facts=tuple(one if why is None else replace(one, held=why) for one, why in pairs),
    )

"""Why a fact reached an answer, or did not: the recorded numbers, put so that people can read.

It reads what was recorded and computes no score. What was not recorded is said to be unknown. It
shows what was in the prompt; whether the model relied on it, nobody can show.

Source: the UX specification, section 6; the gate's specification, section 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from review import named_cells
from review.auditing.answers import Answer
from review.auditing.matching import Matching
from review.auditing.recorded import Recorded, RecordedPart, Score, Trimmed
from review.gate.scored import Reason
from review.named_cells import NamedCell, stands_in
from review.trimming.trim import Held
from store.cells import FactRole
from store.log import Store
from store.stages import Stage
from store.standing import Standing

PART_NAMES: Final = ("zeta", "validity", "psi", "safe")
"""The four numbers that F is the mean of, in the order in which they are always shown."""


class Verdict(StrEnum):
    """What became of a cell for one question."""

    IN = "in"
    """It was in the prompt."""

    SHARED = "shared"
    """Admitted, and removed because the question says it already."""

    CONFLICT = "conflict"
    """Admitted, and removed because the question says otherwise."""

    NOTHING_LEFT = "nothing_left"
    """Admitted, and nothing of it was left to hand over."""

    BELOW = "below"
    """Left out: F did not reach the threshold."""

    BLOCKED = "blocked"
    """Kept out by the hard filter, whatever its score."""

    READ = "read"
    """Somebody says that the agent had read it; nobody here saw it."""

    FETCHED = "fetched"
    """The agent asked for it by its id and got it: nothing was weighed."""

    NOT_RETRIEVED = "not_retrieved"
    """Durable then, and never a candidate."""

    NOT_DURABLE = "not_durable"
    """In the store then, and not approved."""

    NOT_THERE = "not_there"
    """It came into the store later."""

    UNKNOWN = "unknown"
    """No scores were recorded for this answer."""


@dataclass(frozen=True, slots=True)
class Row:
    """One candidate of one sub-question."""

    part: int
    score: Score
    verdict: Verdict
    cell: NamedCell | None
    """None when the store has no such cell any more."""

    trimmed: Trimmed | None = None

    @property
    def item(self) -> str:
        """The cell's id."""
        return self.score.item

    @property
    def margin(self) -> float:
        """F above θ; negative is below it."""
        return self.score.score - self.score.theta

    @property
    def strongest(self) -> tuple[str, float]:
        """The greatest of the four numbers; the first of equal ones."""
        return max(self.score.parts.items(), key=lambda one: one[1])

    @property
    def weakest(self) -> tuple[str, float]:
        """The smallest of the four numbers; the first of equal ones."""
        return min(self.score.parts.items(), key=lambda one: one[1])

    @property
    def barred_by(self) -> tuple[Reason, ...]:
        """Why it was kept out, part of the hard filter by part."""
        bars = {str(bar) for bar in self.score.bars}
        return tuple(reason for reason in self.score.reasons if reason.code in bars)

    @property
    def erased(self) -> bool:
        """Whether its words were erased; its numbers stay."""
        return self.cell is None or self.cell.claim is None


@dataclass(frozen=True, slots=True)
class Funnel:
    """How many cells were left after each step."""

    retrieved: int
    passed: int
    """Passed the hard filter."""

    admitted: int
    kept: int
    """Of which something was left after the question was held against them."""


@dataclass(frozen=True, slots=True)
class PartWhy:
    """The explanation of one sub-question."""

    recorded: RecordedPart
    rows: tuple[Row, ...]
    """Every candidate, best first."""

    funnel: Funnel


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of one answer, from what was recorded."""

    answer: Answer
    parts: tuple[PartWhy, ...]
    """Empty when no scores were recorded."""

    matching: Matching | None = None
    """What it is said to have read, against our cells; None where nothing is said."""

    focus: str = ""
    """The cell that the verdict is about: one whose value stands in the answer, else the best."""

    quoted: tuple[str, ...] = ()
    """Admitted cells of which a value stands in the words of the answer. It shows no cause."""

    @property
    def recorded(self) -> bool:
        """Whether there are recorded numbers."""
        return bool(self.parts)

    def row_of(self, item: str) -> Row | None:
        """The best row of a cell: one that was admitted, else the first."""
        rows = [row for part in self.parts for row in part.rows if row.item == item]
        return next((row for row in rows if row.score.admitted), rows[0] if rows else None)


def explain(
    answer: Answer,
    parts: tuple[PartWhy, ...],
    *,
    matching: Matching | None = None,
    fact: str = "",
) -> Explanation:
    """The explanation of an answer.

    Args:
        answer: The answer.
        parts: What was recorded of it, as rows; empty when nothing was.
        matching: What it is said to have read, against our cells.
        fact: The cell to look at first; the one that the answer's words point at by default.
    """
    rows = [row for part in parts for row in part.rows]
    quoted = tuple(
        dict.fromkeys(
            row.item for row in rows if row.score.admitted and _said(row.cell, answer.said)
        )
    )
    read = () if matching is None else matching.items
    fetched = () if answer.scores is None else answer.scores.fetched
    first = next((row.item for row in rows if row.score.admitted), rows[0].item if rows else "")
    focus = fact or next(iter((*quoted, *read)), first or next(iter(fetched), ""))
    return Explanation(answer, parts, matching, focus, quoted)


def cells_of(store: Store, *told: Recorded | None) -> dict[tuple[str, int], NamedCell]:
    """Every cell that recorded or recomputed numbers are about, read once."""
    parts = (part for one in told if one is not None for part in one.parts)
    return named_cells.cells(store, ((one.item, one.rev) for p in parts for one in p.scored))


def rows_of(
    told: Recorded | None, cells: Mapping[tuple[str, int], NamedCell]
) -> tuple[PartWhy, ...]:
    """Recorded or recomputed numbers as rows with their verdicts; none where there are none.

    Args:
        told: The numbers.
        cells: The cells they are about; see ``cells_of``.
    """
    parts = () if told is None else told.parts
    return tuple(_part(n, part, cells) for n, part in enumerate(parts))


def verdict_of(score: Score, trimmed: Trimmed | None, left_out: Sequence[str]) -> Verdict:
    """What the numbers of one candidate mean."""
    if not score.admitted:
        return Verdict.BLOCKED if not score.h else Verdict.BELOW
    if score.item not in left_out:
        return Verdict.IN
    held = {one.held for one in trimmed.facts} if trimmed is not None else set()
    if held & {Held.CONFLICTING, Held.CONDITION}:
        return Verdict.CONFLICT
    return Verdict.SHARED if Held.SHARED in held else Verdict.NOTHING_LEFT


def absent(
    item: str, explanation: Explanation, standing: Standing, size: int, cell: NamedCell | None
) -> Verdict:
    """What a cell was that is in no row of an answer.

    Args:
        item: The cell.
        explanation: Of the answer.
        standing: Which decisions stood when it was given.
        size: Position of the log at that moment.
        cell: The cell, if the store knows it.
    """
    if explanation.matching is not None and item in explanation.matching.items:
        return Verdict.READ
    scores = explanation.answer.scores
    if scores is not None and item in scores.fetched:
        return Verdict.FETCHED
    stands = standing.items.get(item)
    if stands is not None and stands.stage is Stage.DURABLE:
        return Verdict.NOT_RETRIEVED if explanation.recorded else Verdict.UNKNOWN
    if stands is not None or (cell is not None and cell.seq < size):
        return Verdict.NOT_DURABLE
    return Verdict.NOT_THERE


def _part(n: int, part: RecordedPart, cells: Mapping[tuple[str, int], NamedCell]) -> PartWhy:
    trims = {one.item: one for one in part.trimmed}
    rows = tuple(
        Row(
            part=n,
            score=one,
            verdict=verdict_of(one, trims.get(one.item), part.left_out),
            cell=cells.get((one.item, one.rev)),
            trimmed=trims.get(one.item),
        )
        for one in part.scored
    )
    admitted = sum(one.admitted for one in part.scored)
    funnel = Funnel(
        retrieved=len(part.scored),
        passed=sum(one.h for one in part.scored),
        admitted=admitted,
        kept=sum(row.verdict is Verdict.IN for row in rows),
    )
    return PartWhy(part, rows, funnel)


def _said(cell: NamedCell | None, said: str | None) -> bool:
    """Whether something that a cell states stands in an answer."""
    if cell is None or not said:
        return False
    stated = (fact.value for fact in cell.facts if fact.role is FactRole.STATES)
    return any(stands_in(value, said) for value in stated)

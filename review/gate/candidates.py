"""Who is a candidate for a question, and how relevant: ζ of every cell at once.

ζ is the greatest of: the likeness of question and claim; 1.0 for a cell that states what is asked,
of whom it is asked; 0.5 for a cell one step from such a cell: about the value it states, or
resting on it. The step leads from an answer to what elaborates on it, never back, and CHANGE takes
none. It depends on the question, the cell and the durable graph alone.

Source: the gate's specification, section 3 (ζ); the direction of the step is ours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from review.facts.protocol import Asked, QuestionFacts
from review.gate.numbers import Scores
from review.memory.columns import NOBODY, Bools, Columns, Ints
from review.memory.conflicts import STATES
from review.memory.knowing import Known
from review.memory.slots import Slots
from review.question.intents import IntentKind

STATED: Final = 1.0
ONE_STEP: Final = 0.5
_NO_FACTS: Final = np.empty(0, dtype=np.int64)
_FURTHER: Final = 50
"""Values of one answer that another answer can be about."""


@dataclass(frozen=True)
class Relevance:
    """ζ of all cells for one question."""

    rows: Ints
    """Cells that have any: those with ζ above zero, ascending."""

    zeta: Scores
    """Shape ``(cells,)``."""

    text: Scores
    """Its textual part alone; shape ``(cells,)``."""

    answers: tuple[Ints, ...]
    """For each thing asked, the facts that state it."""

    stated: Bools
    """Cells that state something asked; shape ``(cells,)``."""

    near: Bools
    """Cells one step from those; shape ``(cells,)``."""

    known_of: frozenset[int] = frozenset()
    """Numbers of the asked parameters that memory knows of the one who was named."""

    named: frozenset[int] = frozenset()
    """Numbers of the things that the question names."""

    beside: Bools | None = None
    """Cells that only their place in a conversation makes candidates; ``review.gate.beside``."""

    def of_another(self, row: int, cells: Columns) -> bool:
        """Whether a cell states what is asked, but of somebody else than the one who was named.

        Only where memory knows it of that one. A cell that also says something of a thing which
        the question names is not of another.
        """
        if not self.known_of or self.stated[row] or self.near[row]:
            return False
        facts = cells.facts
        mine = cells.facts_of(row)
        if any(int(facts.subject[fact]) in self.named for fact in mine):
            return False
        return any(
            facts.role[fact] == STATES
            and facts.subject[fact] != NOBODY
            and int(facts.parameter[fact]) in self.known_of
            for fact in mine
        )


def relevance(question: str, asked: QuestionFacts, kind: IntentKind, known: Known) -> Relevance:
    """ζ of all cells.

    Args:
        question: One sub-question.
        asked: What was read from it.
        kind: Its intent's.
        known: All cells, with look-ups over them and their words.
    """
    cells, slots = known.cells, known.slots
    text, zeta = np.zeros(len(cells)), np.zeros(len(cells))
    stated, near, about = (np.zeros(len(cells), dtype=bool) for _ in range(3))
    indexed, scores = known.index.similarity(question)
    which, alike = known.with_words(indexed)
    text[alike] = scores[which]
    answers = _of_answers(asked, tuple(_stating(slots, one) for one in asked.asked), cells, slots)
    facts = np.concatenate([*answers, _NO_FACTS])
    stated[cells.facts.cell[facts]] = True
    about[alike] = True
    about[cells.facts.cell[facts]] = True
    if kind is not IntentKind.CHANGE and len(facts):
        durable = facts[cells.durable[cells.facts.cell[facts]]]
        premises = np.unique(cells.facts.cell[durable])
        for beside in (slots.about(cells.facts.value[durable]), slots.dependents(premises)):
            near[beside] = about[beside] = True
    rows = np.flatnonzero(about)
    zeta[rows] = np.maximum(text[rows], np.where(near[rows], ONE_STEP, 0.0))
    zeta[cells.facts.cell[facts]] = STATED
    named = frozenset(cells.names[name] for name in asked.entities if name in cells.names)
    known_of = _known_of(asked, answers, cells)
    return Relevance(rows, zeta, text, answers, stated, near, known_of, named)


def _known_of(asked: QuestionFacts, answers: tuple[Ints, ...], cells: Columns) -> frozenset[int]:
    """Asked parameters that a durable cell states of the very one who was named.

    Of others the name may just be written otherwise, so nothing follows.
    """
    durable = cells.durable[cells.facts.cell[np.concatenate([*answers, _NO_FACTS])]]
    if not durable.any():
        return frozenset()
    return frozenset(
        cells.parameters[one.parameter_key]
        for one, facts in zip(asked.asked, answers, strict=True)
        if one.subject_key and cells.durable[cells.facts.cell[facts]].any()
    )


def _stating(slots: Slots, asked: Asked) -> Ints:
    if not asked.parameter_key:
        return np.empty(0, dtype=np.int64)
    return slots.stating(asked.parameter_key, asked.subject_key)


def _of_answers(
    asked: QuestionFacts, answers: tuple[Ints, ...], cells: Columns, slots: Slots
) -> tuple[Ints, ...]:
    """Answers about whom the question names, and about what its other answers say.

    "Where, and by which carrier, do we ship the jackets?": the carrier that memory knows of is the
    warehouse's, not the jackets'.
    """
    if len(asked.asked) < 2:
        return answers
    told: list[Ints] = []
    for n, one in enumerate(asked.asked):
        others = [facts for m, facts in enumerate(answers) if m != n]
        names = np.unique(cells.facts.value[np.concatenate(others)])
        further = [slots.of(one.parameter_key, int(name)) for name in names[:_FURTHER]]
        told.append(np.unique(np.concatenate([answers[n], *further])))
    return tuple(told)


def best(
    zeta: Scores, rows: Ints, ties: Callable[[Ints], tuple[Ints, Scores, Ints]], most: int
) -> Ints:
    """The ``most`` best of the candidates ``rows``, best first.

    Args:
        zeta: ζ of all cells.
        rows: Cells that may be candidates.
        ties: What orders rows of equal ζ, one after the other, greatest first; the earlier row
            where all are equal.
        most: How many at most.
    """
    if len(rows) > most:
        told = zeta[rows]
        rows = rows[told >= np.partition(told, len(rows) - most)[len(rows) - most]]
    first, second, third = ties(rows)
    return rows[np.lexsort((rows, -third, -second, -first, -zeta[rows]))[:most]]

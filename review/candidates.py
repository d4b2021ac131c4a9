"""Who is a candidate for a question, and how relevant: ζ of every cell at once.

ζ is the greatest of: the likeness of question and claim; 1.0 for a cell that states what is asked,
of whom it is asked; 0.5 for a cell one step from such a cell: about the value it states, or
resting on it. The step leads from an answer to what elaborates on it, never back, and CHANGE takes
none. It depends on the question, the cell and the durable graph alone.

Source: the gate's specification, section 3 (ζ); the direction of the step is ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from review.columns import Bools, Columns, Ints
from review.facts.protocol import Asked, QuestionFacts
from review.gate import Scores
from review.intents import IntentKind
from review.slots import Slots
from review.text_index import TextIndex

STATED: Final = 1.0
ONE_STEP: Final = 0.5
_FURTHER: Final = 50
"""Values of one answer that another answer can be about."""


@dataclass(frozen=True)
class Relevance:
    """ζ of all cells for one question."""

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

    beside: Bools | None = None
    """Cells that only their place in a conversation makes candidates; ``review.beside``."""


def relevance(
    question: str,
    asked: QuestionFacts,
    kind: IntentKind,
    *,
    cells: Columns,
    slots: Slots,
    index: TextIndex,
    place: Ints,
) -> Relevance:
    """ζ of all cells.

    Args:
        question: One sub-question.
        asked: What was read from it.
        kind: Its intent's.
        cells: All cells.
        slots: Look-ups over them.
        index: Texts of claims, in an order of its own.
        place: Row of the index for each cell; cells of the same words share one.
    """
    likeness = np.zeros(len(index))
    rows, scores = index.similarity(question)
    likeness[rows] = scores
    text = likeness[place]
    answers = _of_answers(asked, tuple(_stating(slots, one) for one in asked.asked), cells, slots)
    facts = np.concatenate([*answers, np.empty(0, dtype=np.int64)])
    stated = np.zeros(len(cells), dtype=bool)
    stated[cells.facts.cell[facts]] = True
    near = np.zeros(len(cells), dtype=bool)
    if kind is not IntentKind.CHANGE and len(facts):
        (premises,) = np.nonzero(stated & cells.durable)
        durable = facts[cells.durable[cells.facts.cell[facts]]]
        near[slots.about(cells.facts.value[durable])] = True
        near[slots.dependents(premises)] = True
    zeta = np.maximum(text, np.where(near, ONE_STEP, 0.0))
    zeta[stated] = STATED
    return Relevance(zeta, text, answers, stated, near)


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


def best(zeta: Scores, tie: Ints, allowed: Bools, most: int) -> Ints:
    """The rows of the ``most`` best candidates, best first; equal ones by ``tie``, newest first.

    Args:
        zeta: ζ of all cells.
        tie: What orders equal ζ, greatest first; shape ``(cells,)``.
        allowed: Cells that the reader may be told of at all.
        most: How many at most.
    """
    (rows,) = np.nonzero((zeta > 0.0) & allowed)
    if len(rows) > most:
        least = np.partition(zeta[rows], len(rows) - most)[len(rows) - most]
        rows = rows[zeta[rows] >= least]
    order = np.lexsort((rows, -tie[rows], -zeta[rows]))
    return rows[order[:most]]

"""What memory does not know: asked parameters that no admitted cell states, and changes due.

Handing over an old value instead of saying "not known" is how an agent ships to a closed
warehouse. So a gap is part of the context.

Source: the gate's specification, section 3 (gaps are said).
"""

from __future__ import annotations

import numpy as np

from review import instants
from review.facts.protocol import Asked, QuestionFacts
from review.gate.candidates import Relevance
from review.gate.numbers import asked_time
from review.gate.scored import Due, Gap
from review.gate.weighing import Weighed
from review.memory.columns import NOBODY
from review.memory.knowing import Known
from review.question.intents import Intent, IntentKind


def gaps(
    asked: QuestionFacts, found: Relevance, known: Known, weighed: Weighed
) -> tuple[Gap, ...]:
    """For each thing asked that no admitted cell states: what it is, for whom, who knew it.

    Args:
        asked: What was read from the question.
        found: Which facts state each thing asked.
        known: All cells.
        weighed: The verdicts.

    Returns:
        Nothing for a question whose asked parameters are not recognised.
    """
    rows = {row for row, one in zip(weighed.rows, weighed.scored, strict=True) if one.admitted}
    cells, over = known.cells, known.life.over
    told: list[Gap] = []
    for one, facts in zip(asked.asked, found.answers, strict=True):
        if not one.parameter_key or one.parameter_key not in cells.parameters:
            continue
        open_facts = facts[over[facts] > weighed.asked.start]
        if any(int(cells.facts.cell[fact]) in rows for fact in open_facts):
            continue
        knew = np.unique(cells.facts.cell[facts])
        items = tuple(str(cells.text("item")[int(row)]) for row in knew[:10])
        entity = _entity(one, asked, found, known, rows)
        told.append(Gap(one.parameter_key, one.words or one.parameter_key, entity, items))
    return tuple(told)


def _entity(
    one: Asked,
    asked: QuestionFacts,
    found: Relevance,
    known: Known,
    rows: set[int],
) -> str:
    """For whom it is not known, as a key.

    What another answer of the question says now, if what was known is about what that answer said
    before: no carrier is known for the new warehouse. Else who was named; else any other answer.
    """
    cells = known.cells.facts
    mine = found.answers[asked.asked.index(one)]
    subjects = set(cells.subject[mine].tolist()) - {NOBODY}
    present: list[int] = []
    for other, facts in zip(asked.asked, found.answers, strict=True):
        if other is one:
            continue
        values = [int(cells.value[fact]) for fact in facts if int(cells.cell[fact]) in rows]
        if values and subjects & set(cells.value[facts].tolist()):
            return known.cells.name_texts[values[0]]
        present += values
    if one.subject_key:
        return one.subject_key
    return known.cells.name_texts[present[0]] if present else ""


def due(intent: Intent, found: Relevance, known: Known) -> tuple[Due, ...]:
    """Changes of what is asked that begin inside the asked period, earliest first.

    Only for a question about the present or the future that names a period.
    """
    if intent.kind is not IntentKind.CURRENT or intent.start is None or intent.end is None:
        return ()
    start, end = asked_time(intent).start, instants.of(intent.end)
    cells = known.cells
    begins = known.life.begins
    rows = found.rows[(found.stated & cells.durable)[found.rows]]
    rows = rows[(begins[rows] > start) & (begins[rows] < end)]
    rows = rows[np.argsort(begins[rows], kind="stable")]
    items = cells.text("item")
    return tuple(Due(str(items[row]), instants.day(int(begins[row]))) for row in rows)

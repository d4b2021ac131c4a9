"""Where the asked scope is narrow, what was said for just that scope holds instead.

A price for Kazan does not supersede the price in general; asked about Kazan, it is the price. The
general cell keeps its status and is kept out of this question alone.

Source: the gate's specification, section 2 (a narrower scope does not supersede outside it).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from review.gate import weighing
from review.gate.framing import Frame
from review.gate.numbers import Bar, held
from review.gate.weighing import Weighed
from review.memory.conflicts import ONE, STATES
from review.memory.knowing import Known


def narrowed(weighed: Weighed, frame: Frame, known: Known) -> Weighed:
    """The verdicts without cells that a narrower one overrules in the asked scope."""
    if not frame.scope or len(known.cells.scopes) < 2:
        return weighed
    told = list(weighed.scored)
    for n, row in enumerate(weighed.rows):
        if not told[n].admitted:
            continue
        by = _overruled_by(row, weighed, frame, known)
        if by >= 0:
            item = str(known.cells.text("item")[by])
            told[n] = weighing.withheld(told[n], Bar.NARROWER_HOLDS, by=item)
    return replace(weighed, scored=tuple(told))


def _overruled_by(row: int, weighed: Weighed, frame: Frame, known: Known) -> int:
    """Row of the narrower cell that states the same otherwise and holds, -1 if there is none."""
    cells, facts, life = known.cells, known.cells.facts, known.life
    mine = cells.scopes[cells.scope[row]]
    own = np.array(cells.facts_of(row), dtype=np.int64)
    own = own[(facts.role[own] == STATES) & (facts.cardinality[own] == ONE)]
    which, others = known.slots.same_slot(own)
    for other in others[facts.value[others] != facts.value[own[which]]]:
        cell = int(facts.cell[other])
        theirs = cells.scopes[cells.scope[cell]]
        if not mine < theirs <= frame.scope or not cells.durable[cell]:
            continue
        if held(life.begins[[cell]], life.ends[[cell]], weighed.asked)[0]:
            return cell
    return -1

"""What is said beside an answer in a short conversation is about it too, if its words are not.

Asked inside a run of a dozen notes, "what blocks the approval?" is answered by "found two security
issues", which shares no word with it. Of a short conversation that the question's scope names, the
stretch that is most about the question counts as a whole; a digression does not. In a long one
words decide alone: there not everything is one matter.

Source: ours; the gate's specification, section 3 (one hop), for the idea. The durable graph and
the question alone decide, as there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import numpy as np

from review.gate.candidates import Relevance
from review.memory.conversations import talk
from review.memory.knowing import Known
from review.question.intents import IntentKind
from review.text.stretches import stretches

SHORT: Final = 12
"""Durable cells of a conversation that is one matter at most."""

BESIDE: Final = 0.2
"""ζ of a cell for where it stands: enough to be looked at, less than any word of its own."""


def widened(
    found: Relevance,
    kind: IntentKind,
    scope: Iterable[tuple[str, str]],
    known: Known,
    *,
    floor: float,
) -> Relevance:
    """ζ with the neighbours of what is about the question.

    Args:
        found: ζ by words and facts.
        kind: Of the question; CHANGE asks for a chain of versions and takes no neighbours.
        scope: The question's.
        known: All cells.
        floor: ζ from which a cell is about the question.
    """
    name = talk(scope)
    if not name or kind is IntentKind.CHANGE:
        return found
    rows = known.talks.get(name, np.empty(0, dtype=np.int64))
    rows = rows[known.cells.durable[rows]]
    if not 2 <= len(rows) <= SHORT:
        return found
    claims = known.cells.text("claim")
    part = np.array([one.number for one in stretches([str(claims[row]) for row in rows])])
    most = found.zeta[rows].max()
    if most < floor:
        return found
    near = rows[np.isin(part, part[found.zeta[rows] == most])]
    zeta = found.zeta.copy()
    zeta[near] = np.maximum(zeta[near], BESIDE)
    beside = np.zeros(len(zeta), dtype=bool)
    beside[near] = True
    rows = np.union1d(found.rows, near)
    return replace(found, rows=rows, zeta=zeta, beside=beside & (zeta > found.zeta))

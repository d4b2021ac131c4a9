"""What a person's denial takes from what is found: a closing, a premise, a footing.

A denied pair is passed over and the next one counts. Denials are few, so they are worked through
one by one, after everything else was computed over all cells at once.

Source: ours, ``docs/decisions/0024-edges-by-hand.md``.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from review.memory.columns import NOBODY, ROLES, Bools, Columns, Ints
from store.cells import FactRole

CLOSING: Final = ("supersedes", "conflicts_with", "contradicts")
"""Denied kinds that keep one cell's fact from closing another's: who does not conflict with a cell
does not take its place either."""

_RESTS_ON: Final = ROLES.index(FactRole.RESTS_ON)
_NOBODY_ROW: Final = -1


def closing(cells: Columns, newer: Ints, older: Ints) -> Bools:
    """Which pairs of cells a person said do not close each other in this direction."""
    return cells.denied.among(newer, older, *CLOSING)


def beyond(cells: Columns, fact: Ints, found: Ints, told: tuple[Ints, Ints, Bools]) -> Ints:
    """For each row the closer that was found, or the next one that no person denied.

    Args:
        cells: All cells.
        fact: The facts, sorted by group and moment.
        found: The place in ``fact`` of the closer of each, -1 for none.
        told: Of each place: its group, its value, and whether it closes.

    Returns:
        As ``found``.
    """
    if not len(cells.denied.of(*CLOSING)):
        return found
    group, value, closes = told
    cell = cells.facts.cell[fact]
    hit = np.flatnonzero(found >= 0)
    bad = hit[closing(cells, cell[found[hit]], cell[hit])]
    out = found.copy()
    for row in bad.tolist():
        out[row] = _NOBODY_ROW
        for at in range(int(found[row]) + 1, len(fact)):
            if group[at] != group[row]:
                break
            if not closes[at] or value[at] == value[row]:
                continue
            if not closing(cells, cell[[at]], cell[[row]])[0]:
                out[row] = at
                break
    return out


def void(cells: Columns) -> Bools:
    """Facts that a cell no longer rests on, because a person denied the dependency.

    Who says that M2 does not depend on M1 says that it does not rest on the value that M1 states
    or ends, whichever other cell states it. Shape ``(facts,)``.
    """
    facts = cells.facts
    told = np.zeros(len(facts), dtype=bool)
    for dependent, premise in cells.denied.of("depends_on").tolist():
        theirs = np.array(cells.facts_of(premise), dtype=np.int64)
        mine = np.array(cells.facts_of(dependent), dtype=np.int64)
        mine = mine[facts.role[mine] == _RESTS_ON]
        values = facts.value[theirs]
        same = np.isin(facts.value[mine], values[values != NOBODY])
        slots = set(
            zip(facts.subject[theirs].tolist(), facts.parameter[theirs].tolist(), strict=True)
        )
        pairs = zip(facts.subject[mine].tolist(), facts.parameter[mine].tolist(), strict=True)
        same |= np.array([pair in slots and pair[1] != NOBODY for pair in pairs], dtype=bool)
        told[mine[same]] = True
    return told


def groundless(cells: Columns, dependent: Ints, premise: Ints, value: Ints) -> Bools:
    """Which found premises are void: the pair itself, and all that stand for it.

    Premises that state the same value stand for each other, so a person who denies one of them
    denies the footing. All arguments and the result have the shape ``(links,)``.
    """
    bad = cells.denied.among(dependent, premise, "depends_on")
    if not bad.any():
        return bad
    footing = dependent * (len(cells.names) + 1) + value
    return np.isin(footing, footing[bad])

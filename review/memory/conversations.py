"""Which cells were said in one conversation: a run, a session or a conversation of the scope."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from review.memory.columns import Columns, Ints

TALKS: Final = ("run", "session", "conversation")
"""Keys of a scope that name a conversation, the first that is there."""


def talk(scope: Iterable[tuple[str, str]]) -> str:
    """The conversation that a scope names, as ``run:r-7``; empty when it names none."""
    told = dict(scope)
    return next((f"{key}:{told[key]}" for key in TALKS if key in told), "")


def talks(cells: Columns) -> dict[str, Ints]:
    """Rows of each conversation, in the order in which they were written."""
    named = np.array([talk(scope) for scope in cells.scopes] or [""], dtype=object)
    (rows,) = np.nonzero((named != "")[cells.scope])
    if not len(rows):
        return {}
    names, number = np.unique(named[cells.scope[rows]].astype(str), return_inverse=True)
    order = np.lexsort((rows, cells.written[rows], number))
    bounds = np.searchsorted(number[order], np.arange(1, len(names)))
    parts = np.split(rows[order], bounds)
    return {str(name): part for name, part in zip(names, parts, strict=True)}

"""What of a cell is searched: its claim, whom and what day it is about, and what was said before.

A turn of a conversation leans on the turns before it: "it opens in June" is about what the last
one named. The two preceding durable cells of the same conversation count, at a lower strength,
unless a digression begins or ends between them. A conversation is a run, a session or a
conversation of the scope, from one source system; cells of no conversation stand alone.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from review import instants
from review.memory.columns import Columns, Ints, Texts
from review.memory.conversations import TALKS, talk
from review.text.relevance import Passage, day_in_words
from review.text.stretches import stretches

_BEFORE: Final = 2
_LONGEST: Final = 4_000
"""Characters of a preceding claim that count."""


def passages(cells: Columns) -> list[Passage]:
    """The passage of every cell, in the order of cells."""
    claims = cells.text("claim")
    before = _before(cells)
    about = _about(cells)
    return [
        Passage(str(claim), about[row], tuple(str(claims[n])[:_LONGEST] for n in before[row]))
        for row, claim in enumerate(claims)
    ]


def _about(cells: Columns) -> list[str]:
    """Who is named beside the claim, and the day it tells of, in words."""
    named = [
        " ".join([*entities, *(value for key, value in sorted(scope) if key not in TALKS)])
        for scope, entities in zip(cells.scopes, cells.entities, strict=True)
    ]
    days: dict[int, str] = {}
    told = []
    for row in range(len(cells)):
        start = int(cells.start[row])
        day = start // 86_400_000_000
        if day not in days:
            moment = instants.moment_of(start)
            days[day] = "" if moment is None else day_in_words(moment.date())
        told.append(f"{named[cells.scope[row]]} {days[day]}".strip())
    return told


def _before(cells: Columns) -> list[tuple[int, ...]]:
    """Rows of the preceding cells of the same conversation, nearest first."""
    talks = [talk(scope) for scope in cells.scopes]
    named = np.array(talks or [""], dtype=object)[cells.scope]
    told: list[tuple[int, ...]] = [()] * len(cells)
    (talking,) = np.nonzero(named != "")
    if not len(talking):
        return told
    _, number = np.unique(named[talking].astype(str), return_inverse=True)
    order = np.lexsort((talking, cells.written[talking], cells.system[talking], number))
    rows = talking[order]
    stretch = _stretch(rows, number[order], cells.text("claim"))
    keys = (number[order], cells.system[rows], stretch)
    same = list(zip(*(key.tolist() for key in keys), strict=True))
    for n, row in enumerate(rows):
        back = [m for m in range(n - 1, n - 1 - _BEFORE, -1) if m >= 0 and same[m] == same[n]]
        told[row] = tuple(int(rows[m]) for m in back)
    return told


def _stretch(rows: Ints, number: Ints, claims: Texts) -> Ints:
    """The stretch of each of ``rows``, which are sorted by conversation and time."""
    told = np.zeros(len(rows), dtype=np.int64)
    bounds = np.flatnonzero(np.diff(number)) + 1
    for part in np.split(np.arange(len(rows)), bounds):
        told[part] = [one.number for one in stretches([str(claims[row]) for row in rows[part]])]
    return told

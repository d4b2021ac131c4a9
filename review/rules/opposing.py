"""What speaks against a candidate: durable cells, and rules that were exported earlier.

Values that cannot both hold and links that somebody stated come from the graph. Beside them, two
lessons oppose each other when they tell most of the same words of the same tool and one says to
do what the other says to avoid. That is found by known words only, and can miss a conflict.

Source: the gate's specification, section 2, for values; the comparison of lessons is ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from review.graphs.graphing import Moment
from review.graphs.open_conflicts import KINDS, conflicting_with
from review.question import tasks
from review.rules.export_told import Conflict, Opposes
from review.rules.learned import Learned

_SHARE: Final = 75
"""Hundredths of the shorter one's telling words that both must have."""

_LEAST: Final = 2
_TOOL: Final = "tool"
_NOT: Final = "not"


@dataclass(frozen=True, slots=True)
class Lesson:
    """A text that says to do or to avoid something."""

    text: str
    polarity: str
    tool: str

    @property
    def words(self) -> frozenset[str]:
        """Its telling words, negations aside."""
        return tasks.worded(self.text) - {_NOT}

    @property
    def negated(self) -> bool:
        """Whether it holds a negation."""
        return _NOT in tasks.worded(self.text)


def opposed(one: Lesson, other: Lesson) -> bool:
    """Whether two lessons say to do, and to avoid, what seems to be the same thing.

    A polarity belongs to the act that was judged and not to the words, so it counts only where
    both have the same words without a negation, or where it makes up for the negation.
    """
    if one.tool and other.tool and one.tool != other.tool:
        return False
    mine, theirs = one.words, other.words
    least = min(len(mine), len(theirs))
    if least < _LEAST or 100 * len(mine & theirs) < _SHARE * least:
        return False
    if one.negated == other.negated:
        return not one.negated and {one.polarity, other.polarity} == {"do", "avoid"}
    plain, negated = (other, one) if one.negated else (one, other)
    return not (plain.polarity == "avoid" and negated.polarity != "avoid")


def lesson(of: Learned) -> Lesson:
    """A durable insight as a lesson."""
    return Lesson(of.claim or "", of.polarity, of.scope.get(_TOOL, ""))


def conflicts(
    candidate: Learned,
    others: Iterable[Learned],
    exported: Mapping[str, tuple[str, Lesson]],
    moment: Moment,
) -> tuple[Conflict, ...]:
    """Everything that is known to speak against a candidate, each once.

    Args:
        candidate: The insight.
        others: All durable insights.
        exported: Rules that left and were not withdrawn: export id to item and lesson.
        moment: The graph as of now.
    """
    found: dict[tuple[Opposes, str], Conflict] = {}
    for item, words in _cells(candidate.item, moment):
        found.setdefault((Opposes.CELL, item), Conflict(Opposes.CELL, item, words))
    mine = lesson(candidate)
    for other in others:
        if other.item != candidate.item and other.claim and opposed(mine, lesson(other)):
            told = Conflict(Opposes.CELL, other.item, other.claim)
            found.setdefault((Opposes.CELL, other.item), told)
    against = {name for _, name in found}
    for export, (item, rule) in exported.items():
        if item in against or opposed(mine, rule):
            found[(Opposes.EXPORT, export)] = Conflict(Opposes.EXPORT, export, rule.text)
    return tuple(found.values())


def _cells(item: str, moment: Moment) -> Iterator[tuple[str, str]]:
    """Durable cells that the graph holds against one, with their claims."""
    cells, life = moment.known.cells, moment.known.life
    row = cells.row_of.get(item)
    if row is None:
        return
    items, claims = cells.text("item"), cells.text("claim")
    rows: list[int] = [other for other, _ in conflicting_with(row, moment.known, moment.at)]
    edges = cells.edges
    mine = np.isin(edges.kind, KINDS) & ((edges.source == row) | (edges.target == row))
    for edge in np.flatnonzero(mine).tolist():
        ends = (int(edges.source[edge]), int(edges.target[edge]))
        other = ends[0] if ends[1] == row else ends[1]
        if cells.durable[other] and life.ends[other] > moment.at:
            rows.append(other)
    for other in dict.fromkeys(rows):
        yield str(items[other]), str(claims[other])

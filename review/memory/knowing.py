"""What the gate works on at one moment: cells as columns, their life, slots and words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from review.memory import conversations
from review.memory.columns import Columns, Ints
from review.memory.lifecycle import Life
from review.memory.slots import Slots, spread
from review.text.text_index import TextIndex


@dataclass(frozen=True)
class Known:
    """Everything that one question is weighed against. It is never changed."""

    cells: Columns
    life: Life
    slots: Slots
    index: TextIndex
    place: Ints
    """Row of the index for each cell. Cells of the same words share one, such as what two users
    said alike; a text that does not count now is no cell's."""

    @cached_property
    def talks(self) -> dict[str, Ints]:
        """Rows of each conversation that a scope names, in the order of writing."""
        return conversations.talks(self.cells)

    @cached_property
    def asides(self) -> dict[str, object]:
        """What ``review.gate.caveats`` has read of each conversation, for the next question."""
        return {}

    def without(self, items: Iterable[str]) -> Known | None:
        """The same without some cells, if nothing else hangs on any of them; else None.

        A cell that states nothing, is linked to nothing and stands in no conversation changes the
        life of no other. It is enough that no word finds it: it gets a row that no index has.
        """
        row_of = self.cells.row_of
        rows = np.array([row_of[item] for item in items if item in row_of], dtype=np.int64)
        if not self._alone(rows):
            return None
        place = self.place.copy()
        place[rows] = len(self.index)
        return replace(self, place=place)

    def _alone(self, rows: Ints) -> bool:
        cells, links = self.cells, self.life.links
        if (cells.first_fact[rows] != cells.first_fact[rows + 1]).any():
            return False
        if any(conversations.talk(cells.scopes[scope]) for scope in cells.scope[rows].tolist()):
            return False
        tied = (cells.edges.source, cells.edges.target, links.premise, links.dependent)
        pairs = (part.ravel() for part in cells.denied.pairs.values())
        ends = np.concatenate([*tied, cells.gone, cells.waiting, *pairs])
        return not np.isin(rows, ends).any()

    @cached_property
    def _by_premise(self) -> tuple[Ints, Ints]:
        """Links sorted by premise, and their premises."""
        premise = self.life.links.premise
        order = np.argsort(premise, kind="stable")
        return order, premise[order]

    def links_from(self, premises: Ints) -> Ints:
        """The links whose premise is one of ``premises``."""
        order, keys = self._by_premise
        spans = np.searchsorted(keys, np.stack([premises, premises + 1]))
        told = [order[low:high] for low, high in spans.T]
        return np.concatenate([*told, np.empty(0, dtype=np.int64)])

    @cached_property
    def _by_place(self) -> tuple[Ints, Ints]:
        """Cells sorted by their row of the index, and where those of each row begin."""
        order = np.argsort(self.place, kind="stable")
        return order, np.searchsorted(self.place[order], np.arange(len(self.index) + 1))

    def with_words(self, rows: Ints) -> tuple[Ints, Ints]:
        """The cells of rows of the index: pairs of the place in ``rows`` and the cell."""
        order, begin = self._by_place
        which, place = spread(begin[rows], begin[rows + 1])
        return which, order[place]

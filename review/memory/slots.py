"""Finds the cells that speak of the same thing: facts sorted by parameter, subject and value.

Built once for all cells; each look-up is a search in sorted arrays, so that asking costs the same
whether there are ten cells or a million.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from review.memory.columns import NOBODY, Columns, Ints
from review.memory.conflicts import RESTS_ON, STATES

MOST: Final = 200
"""Cells of one slot that are compared with a candidate at most."""

_NONE: Final = np.empty(0, dtype=np.int64)


def spread(lows: Ints, highs: Ints) -> tuple[Ints, Ints]:
    """The places of many spans ``[low, high)`` in one array: of which span, and the place."""
    counts = np.maximum(highs - lows, 0)
    which = np.repeat(np.arange(len(lows), dtype=np.int64), counts)
    first = np.cumsum(counts) - counts
    return which, np.arange(len(which), dtype=np.int64) + (lows - first)[which]


@dataclass(frozen=True)
class Slots:
    """Look-ups over the facts of ``cells``. Answers are fact rows unless said otherwise."""

    cells: Columns

    @cached_property
    def _by_parameter(self) -> tuple[Ints, Ints]:
        """Stating facts sorted by parameter and subject, and their combined keys."""
        facts = self.cells.facts
        (rows,) = np.nonzero((facts.role == STATES) & (facts.parameter != NOBODY))
        keys = self._slot(facts.parameter[rows], facts.subject[rows])
        order = np.argsort(keys, kind="stable")
        return rows[order], keys[order]

    @cached_property
    def _by_subject(self) -> tuple[Ints, Ints]:
        """Facts sorted by what they are about: their subject, or the value they rest on."""
        facts = self.cells.facts
        (about,) = np.nonzero((facts.role == STATES) & (facts.subject != NOBODY))
        (rests,) = np.nonzero((facts.role == RESTS_ON) & (facts.value != NOBODY))
        rows = np.concatenate([about, rests])
        keys = np.concatenate([facts.subject[about], facts.value[rests]])
        order = np.argsort(keys, kind="stable")
        return rows[order], keys[order]

    @cached_property
    def _by_premise(self) -> tuple[Ints, Ints]:
        """Stated ``depends_on`` links sorted by premise: dependents and premises."""
        edges = self.cells.edges
        (rows,) = np.nonzero(edges.kind == "depends_on")
        order = np.argsort(edges.target[rows], kind="stable")
        return edges.source[rows][order], edges.target[rows][order]

    def stating(self, parameter: str, subject: str = "") -> Ints:
        """Facts that state a parameter: of a subject, of nobody in particular, or of anybody.

        Args:
            parameter: Canonical key.
            subject: Key; empty asks for every subject.
        """
        number = self.cells.parameters.get(parameter, NOBODY)
        if number == NOBODY:
            return _NONE
        rows, keys = self._by_parameter
        if not subject:
            low, high = np.searchsorted(keys, [self._key(number, 0), self._key(number + 1, 0)])
            return rows[low:high]
        told = [rows[slice(*self._range(keys, self._key(number, NOBODY)))]]
        known = self.cells.names.get(subject, NOBODY)
        if known != NOBODY:
            told.append(rows[slice(*self._range(keys, self._key(number, known)))])
        return np.concatenate(told)

    @cached_property
    def _by_value(self) -> tuple[Ints, Ints]:
        """Stating facts sorted by value."""
        facts = self.cells.facts
        (rows,) = np.nonzero((facts.role == STATES) & (facts.value != NOBODY))
        order = np.argsort(facts.value[rows], kind="stable")
        return rows[order], facts.value[rows][order]

    def with_value(self, value: int) -> Ints:
        """Facts that state the value with the number ``value``; at most ``MOST``."""
        if value == NOBODY:
            return _NONE
        rows, keys = self._by_value
        low, high = self._range(keys, value)
        return rows[max(low, high - MOST) : high]

    def members(self, parameter: str, subject: int) -> Ints:
        """Facts of one slot, of nobody in particular if ``subject`` is 0; at most ``MOST``."""
        number = self.cells.parameters.get(parameter, NOBODY)
        if number == NOBODY:
            return _NONE
        rows, keys = self._by_parameter
        low, high = self._range(keys, self._key(number, subject))
        return rows[max(low, high - MOST) : high]

    def of(self, parameter: str, subject: int) -> Ints:
        """Facts that state a parameter of the name with the number ``subject``."""
        number = self.cells.parameters.get(parameter, NOBODY)
        if NOBODY in (number, subject):
            return _NONE
        rows, keys = self._by_parameter
        return rows[slice(*self._range(keys, self._key(number, subject)))]

    def same_slot(self, asked: Ints) -> tuple[Ints, Ints]:
        """Facts about the same parameter of the same subject as each of ``asked``.

        Returns:
            Pairs: the place in ``asked``, and a fact; at most ``MOST`` for each.
        """
        facts = self.cells.facts
        rows, keys = self._by_parameter
        wanted = self._slot(facts.parameter[asked], facts.subject[asked])
        low, high = np.searchsorted(keys, wanted), np.searchsorted(keys, wanted + 1)
        low = np.where(facts.parameter[asked] == NOBODY, high, np.maximum(low, high - MOST))
        which, place = spread(low, high)
        return which, rows[place]

    @cached_property
    def conflicting(self) -> dict[int, list[int]]:
        """Stated conflicts: the links, in order, of every cell at either end of one."""
        edges = self.cells.edges
        told: dict[int, list[int]] = {}
        stated = (edges.kind == "conflicts_with") | (edges.kind == "contradicts")
        for edge in np.flatnonzero(stated).tolist():
            for row in {int(edges.source[edge]), int(edges.target[edge])}:
                told.setdefault(row, []).append(edge)
        return told

    def about(self, names: Ints) -> Ints:
        """Cells that are about one of ``names``, or rest on it."""
        rows, keys = self._by_subject
        names = np.unique(names[names != NOBODY])
        _, place = spread(np.searchsorted(keys, names), np.searchsorted(keys, names + 1))
        return np.unique(self.cells.facts.cell[rows[place]])

    def dependents(self, premises: Ints) -> Ints:
        """Cells with a stated link to one of the cells ``premises``."""
        dependents, targets = self._by_premise
        low, high = np.searchsorted(targets, premises), np.searchsorted(targets, premises + 1)
        return np.unique(dependents[spread(low, high)[1]])

    def _slot(self, parameter: Ints, subject: Ints) -> Ints:
        return parameter * (len(self.cells.names) + 1) + subject

    def _key(self, parameter: int, subject: int) -> int:
        return parameter * (len(self.cells.names) + 1) + subject

    @staticmethod
    def _range(keys: Ints, key: int) -> tuple[int, int]:
        low, high = np.searchsorted(keys, [key, key + 1])
        return int(low), int(high)

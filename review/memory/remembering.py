"""Reads cells from a store as columns, as of a moment of record time, and keeps the newest.

What is durable is told by verified signatures, never by a table. What was read once stays read:
a cell's words never change, so only cells that were decided since are fetched again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from review.leaves import leaves_of
from review.memory import columns, lifecycle, passages
from review.memory.columns import Columns, Ints
from review.memory.edge_columns import NAMES
from review.memory.knowing import Known
from review.memory.lifecycle import Life
from review.memory.signed_edges import by_words, signed
from review.memory.slots import Slots
from review.text.relevance import Passage
from review.text.text_index import TextIndex
from store import link_queries, queries
from store.cells import SourceType
from store.forget_standing import items_of
from store.log import Readable
from store.stages import Stage
from store.standing import Standing

_KEYS: Final = ["item", "rev", "digest", "durable"]
_KEPT: Final = 3
"""How many moments of record time are kept as columns."""


@dataclass(frozen=True)
class _Fetched:
    """Everything read so far, by cell."""

    cells: pd.DataFrame
    facts: pd.DataFrame
    edges: pd.DataFrame


class Memory:
    """The cells of one store as columns. One for each desk; not shared by tenants."""

    def __init__(self, store: Readable, places: frozenset[str] = frozenset()) -> None:
        """Nothing is read yet. ``places`` as in ``review.memory.lifecycle.live``."""
        self._store = store
        self._places_of = places
        self._fetched: _Fetched | None = None
        self._index = TextIndex()
        self._rows: dict[Passage, int] = {}
        self._made: dict[tuple[int, int, tuple[tuple[str, str], ...]], Known] = {}
        self._erased: frozenset[str] = frozenset()

    def standing(self, moment: str | None = None) -> Standing:
        """Which decisions stood at ``moment`` (RFC 3339, UTC); None is now."""
        if moment is None:
            return self._store.standing()
        size = int(self._store.rows(queries.SIZE_AT, moment=moment)[0]["size"])
        return self._store.standing_at(size)

    def at(
        self,
        standing: Standing,
        *,
        owners: Mapping[str, SourceType] | None = None,
        with_staged: bool = False,
        without: frozenset[str] = frozenset(),
    ) -> Known:
        """What is durable by ``standing``, ready to be weighed.

        Args:
            standing: Of this store, now or at an earlier moment.
            owners: From the policy: which source type owns the values of a parameter.
            with_staged: Also the cells that wait now, marked as not durable.
            without: Items to look away from, as if nobody had approved them yet.
        """
        # What changes the durable set, and what else is looked at.
        owned = tuple(sorted((name, str(source)) for name, source in (owners or {}).items()))
        key = (len(standing.used), self._size() if with_staged else -1, owned)
        self._drop_erased()
        whole = self._made.get(key)
        known = whole.without(without) if without and whole is not None else whole
        if known is not None:
            return known
        wanted = self._durable(standing)
        if without:
            wanted = wanted[~wanted["item"].isin(without)]
        if with_staged:
            waiting = self._store.frame(queries.OPEN_ITEMS)
            wanted = pd.concat([wanted, waiting[~waiting["item"].isin(wanted["item"])]])
        cells = self._columns(wanted, standing)
        life = lifecycle.live(cells, owners=owners, places=self._places_of)
        place = self._places(cells)
        made = Known(cells, life, Slots(cells), self._index, place)
        if without:
            return made  # a "what if" pushes nothing that is true out of the memory
        while len(self._made) >= _KEPT:
            del self._made[next(iter(self._made))]
        self._made[key] = made
        return made

    def lived(
        self, standing: Standing, *, owners: Mapping[str, SourceType] | None = None
    ) -> tuple[Columns, Life]:
        """Cells and their life if ``standing`` stood. It is only supposed, so it is not kept."""
        cells = self._columns(self._durable(standing), standing)
        return cells, lifecycle.live(cells, owners=owners, places=self._places_of)

    def is_at_hand(
        self, standing: Standing, *, owners: Mapping[str, SourceType] | None = None
    ) -> bool:
        """Whether ``at`` would answer without reading anything."""
        return self._key(standing, owners, -1) in self._made

    @staticmethod
    def _key(
        standing: Standing, owners: Mapping[str, SourceType] | None, size: int
    ) -> tuple[int, int, tuple[tuple[str, str], ...]]:
        """What changes the durable set and its life, and what else is looked at."""
        owned = tuple(sorted((name, str(source)) for name, source in (owners or {}).items()))
        return len(standing.used), size, owned

    def _durable(self, standing: Standing) -> pd.DataFrame:
        """What was durable by ``standing``, but for what has been erased since."""
        self._drop_erased()
        wanted = _durable(standing)
        return wanted[~wanted["item"].isin(self._erased)] if self._erased else wanted

    def _drop_erased(self) -> None:
        """Let go of everything that was read, once something of it was asked to be forgotten."""
        erased = items_of(self._store.standing().forgets)
        if erased != self._erased:
            self._erased, self._fetched, self._index = erased, None, TextIndex()
            self._rows, self._made = {}, {}

    def _size(self) -> int:
        """Position of the log, but for reads: asking changes nothing that waits."""
        return int(self._store.rows(queries.SIZE_WITHOUT_READS)[0]["size"])

    def _columns(self, wanted: pd.DataFrame, standing: Standing) -> Columns:
        before = self._fetched
        missing = wanted
        if before is not None:
            held = before.cells[["item", "rev", "digest"]]
            joined = wanted.merge(held, on=["item", "rev", "digest"], how="left", indicator=True)
            missing = wanted[(joined["_merge"] == "left_only").to_numpy()]
        if before is None or len(missing):
            before = self._fetch(missing, before)
            self._fetched = before
        cells = before.cells.merge(wanted, on=["item", "rev", "digest"], how="inner")
        cells = cells.sort_values(["seq", "n"], kind="stable")
        keep = wanted[["item", "rev"]]
        facts = before.facts.merge(keep, on=["item", "rev"], how="inner")
        edges = before.edges.merge(keep, on=["item", "rev"], how="inner")
        asserted, denied = signed(standing, wanted)
        denied = by_words(denied, standing, cells)
        edges = pd.concat([edges, asserted], ignore_index=True) if len(asserted) else edges
        told = ((item, standing.items.get(item)) for item in set(edges["target"]))
        stages = {item: (str(s.stage), s.signed_at) for item, s in told if s is not None}
        return columns.build(cells, facts, edges, stages, denied)

    def _places(self, cells: Columns) -> Ints:
        """Row of the index for each cell; passages that are new are indexed first.

        A passage is a claim with who it is about and what was said before it; cells that agree in
        all of it share a row. When a neighbour becomes durable or is taken out, the cell gets
        another passage.
        """
        fresh: dict[Passage, int] = {}
        place = np.empty(len(cells), dtype=np.int64)
        for row, one in enumerate(passages.passages(cells)):
            at = self._rows.get(one)
            if at is None:
                at = fresh.setdefault(one, len(self._rows) + len(fresh))
            place[row] = at
        self._index = self._index.extended(list(fresh))
        self._rows |= fresh
        return place

    def _fetch(self, missing: pd.DataFrame, before: _Fetched | None) -> _Fetched:
        tables = {"wanted": missing[_KEYS]}
        cells = self._store.frame(queries.REMEMBERED, tables).drop(columns="durable")
        facts = self._store.frame(queries.FACTS_REMEMBERED, tables)
        edges = self._edges(tables)
        if before is None:
            return _Fetched(cells, facts, edges)
        return _Fetched(
            pd.concat([before.cells, cells], ignore_index=True),
            pd.concat([before.facts, facts], ignore_index=True),
            pd.concat([before.edges, edges], ignore_index=True),
        )

    def _edges(self, tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
        """Links of cells as they were signed with them, from the log and not from a list of it."""
        rows = self._store.rows(link_queries.LINKED_REMEMBERED, tables)
        told = [
            (leaf["item"], leaf["rev"], *edge)
            for leaf in leaves_of(self._store, rows)
            for edge in leaf["artifact"]["edges"]
        ]
        return pd.DataFrame(told, columns=NAMES).astype({"rev": "int64"})


def _durable(standing: Standing) -> pd.DataFrame:
    rows = [
        (item, stands.rev, stands.artifact, True)
        for item, stands in standing.items.items()
        if stands.stage == Stage.DURABLE
    ]
    return pd.DataFrame(rows, columns=_KEYS).astype(
        {"item": "str", "rev": "int64", "digest": "str", "durable": "bool"}
    )

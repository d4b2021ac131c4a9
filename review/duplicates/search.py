"""Searches one store for look-alikes, and keeps what was found until other records are there.

What people have said of pairs before, signed or drafted, is known again by the keys of what the
records say, so it also holds for the same words from another import.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import pandas as pd

from review.duplicates import likeness
from review.duplicates.clusters import Clusters, Told, clusters
from review.duplicates.likeness import Alike, Marks
from review.editing import EDITOR
from review.leaves import leaves_of
from review.memory import columns
from review.memory.columns import Columns
from store import link_queries, queries
from store.cells import EdgeKind
from store.link_drafts import LinkDraft
from store.links import LinkVerdict
from store.log import Store
from store.stages import Stage
from store.standing import Standing

_NO_EDGES: Final = pd.DataFrame(columns=["item", "kind", "target", "strength", "asserter"])


@dataclass(frozen=True)
class Searched:
    """What a search found, and when."""

    mark: int
    """Tells which records were compared."""

    at: str
    alike: Alike
    edited: tuple[tuple[str, str], ...] = ()
    """Records that a person made of others, each with what it was made of."""


class Search:
    """Look-alikes of one store. Nothing is searched until it is asked for."""

    def __init__(self, store: Store) -> None:
        """Search ``store``."""
        self._store = store
        self._searched: Searched | None = None
        self._grouped: tuple[object, Clusters] | None = None

    @property
    def mark(self) -> int:
        """Tells which records were compared; 0 for none yet."""
        return self._searched.mark if self._searched is not None else 0

    def run(self, now: str) -> Searched:
        """Compare all records now."""
        wanted = self.wanted()
        cells, marks = self._read(wanted)
        alike, edited = likeness.find(cells, marks), self._edited(cells)
        self._searched = Searched(mark_of(wanted), now, alike, edited)
        self._grouped = None
        return self._searched

    def open(self, drafts: Sequence[LinkDraft], now: str) -> tuple[Searched, Clusters, Told]:
        """What was found, grouped by what people have said up to now; searched if it was not."""
        searched = self._searched or self.run(now)
        standing = self._store.standing()
        told = replace(self._told(standing, drafts), edited=searched.edited)
        key = (searched.mark, len(standing.used), tuple(one.nonce for one in drafts))
        if self._grouped is None or self._grouped[0] != key:
            self._grouped = (key, clusters(searched.alike, told))
        return searched, self._grouped[1], told

    def wanted(self) -> pd.DataFrame:
        """Which records there are: durable by verified signatures, and waiting."""
        standing = self._store.standing()
        durable = pd.DataFrame(
            [
                (item, stands.rev, stands.artifact, True)
                for item, stands in standing.items.items()
                if stands.stage == Stage.DURABLE
            ],
            columns=["item", "rev", "digest", "durable"],
        ).astype({"item": "str", "rev": "int64", "digest": "str", "durable": "bool"})
        waiting = self._store.frame(queries.OPEN_ITEMS)
        if not len(durable):
            return waiting
        return pd.concat([durable, waiting[~waiting["item"].isin(durable["item"])]])

    def _told(self, standing: Standing, drafts: Sequence[LinkDraft]) -> Told:
        now = {key: one.link for key, one in standing.links.items()}
        now |= {link.key: link for one in drafts for link in one.links}
        links = [link for key, link in now.items() if key[0] == EdgeKind.DUPLICATE_OF]
        apart = [link for link in links if link.verdict == LinkVerdict.DIFFERENT]
        ends = [(end.item, end.rev) for link in apart for end in (link.start, link.target)]
        wanted = pd.DataFrame(ends, columns=["item", "rev"]).drop_duplicates()
        wanted = wanted.astype({"item": "str", "rev": "int64"})
        found = self._store.rows(link_queries.LINK_KEYS, {"wanted": wanted}) if len(wanted) else []
        keys = {(one["item"], one["rev"]): one for one in found}
        looks, contents = set(), set()
        for link in apart:
            one, two = (keys.get((end.item, end.rev)) for end in (link.start, link.target))
            if one is None or two is None:
                continue
            if one["look_key"] != two["look_key"]:
                looks.add(frozenset((one["look_key"], two["look_key"])))
            else:
                contents.add(frozenset((one["content_key"], two["content_key"])))
        linked = [
            (link.start.item, link.target.item)
            for link in links
            if link.verdict == LinkVerdict.ASSERTED
        ]
        return Told(linked, looks, contents)

    def _edited(self, cells: Columns) -> tuple[tuple[str, str], ...]:
        """What people edited here, by the log. What a file says it was made of hides nothing."""
        mine = cells.frame[cells.frame["importer"] == EDITOR]
        if not len(mine):
            return ()
        tables = {"wanted": mine[["item", "rev"]]}
        rows = self._store.rows(link_queries.LINKED_REMEMBERED, tables)
        return tuple(
            (str(leaf["item"]), str(target))
            for leaf in leaves_of(self._store, rows)
            for kind, target, *_ in leaf["artifact"]["edges"]
            if kind == EdgeKind.DERIVED_FROM
        )

    def _read(self, wanted: pd.DataFrame) -> tuple[Columns, Marks]:
        tables = {"wanted": wanted}
        frame = self._store.frame(queries.REMEMBERED, tables)
        facts = self._store.frame(queries.FACTS_REMEMBERED, tables)
        cells = columns.build(frame, facts, _NO_EDGES, {})
        keys = self._store.frame(link_queries.LIKENESS, tables).set_index("item")
        keys = keys.reindex(cells.frame["item"])
        names = ("look_key", "content_key", "polarity", "tenant")
        return cells, Marks(*(keys[name].fillna("").tolist() for name in names))


def mark_of(wanted: pd.DataFrame) -> int:
    """A number for which records there are and which of them are durable, in any order."""
    hashed = pd.util.hash_pandas_object(wanted[["item", "rev", "durable"]], index=False)
    told = hashed.to_numpy(np.uint64)
    return 1 + len(told) + int(np.bitwise_xor.reduce(told) if len(told) else 0)

"""How much of what is handed over comes from each source, beside its part of the store.

A source that has little in the store and much of the answers may be a good one, or one that was
written to be found. It is flagged, never judged. Only observed contexts count; one use is one cell
in one context, so a question that is asked again and again counts again and again.

Source: Wilson (1927), score interval of a binomial share; the bounds of the flag are ours.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import sqrt
from typing import Final

import pandas as pd

from review import journal
from store import read_queries
from store.log import Store
from store.stages import Stage

LEAST_USES: Final = 20
"""Uses of all sources together under which nothing is flagged."""

RATIO: Final = 3.0
"""How many times its part of the store a source's share must be to be flagged."""

_Z: Final = 1.96
"""Two-sided 95 per cent."""


@dataclass(frozen=True, slots=True)
class Share:
    """One source: an import, or a source type."""

    name: str
    """The import's id, or the source type."""

    title: str
    """The file of an import. Foreign text; empty for a source type."""

    uses: int
    cells: int
    """Durable cells that came from it."""

    share: float
    """Of all uses, in [0, 1]."""

    low: float
    """Lower bound of the share, 95 per cent."""

    part: float
    """Of all durable cells, in [0, 1]."""

    flagged: bool
    """Share at least ``RATIO`` times the part, its lower bound above it, ``LEAST_USES`` uses."""

    @property
    def ratio(self) -> float | None:
        """Share over part; None where nothing of it is durable now."""
        return self.share / self.part if self.part else None


@dataclass(frozen=True, slots=True)
class Shares:
    """All sources that were used or have durable cells, most used first."""

    imports: tuple[Share, ...]
    source_types: tuple[Share, ...]
    uses: int
    cells: int


def shares(store: Store) -> Shares:
    """The share of every source in what was handed over."""
    standing = store.standing()
    approved = pd.DataFrame(
        [(i, s.rev) for i, s in standing.items.items() if s.stage is Stage.DURABLE],
        columns=["item", "rev"],
    ).astype({"item": "str", "rev": "int64"})
    held = store.rows(read_queries.HELD, {"approved": approved})
    used = store.rows(read_queries.USES)
    titles = {one.import_id: one.name for one in journal.imports(store, most=1_000)}
    told = {}
    for name in ("import", "source_type"):
        uses, cells = Counter[str](), Counter[str]()
        for row in used:
            uses[row[name]] += int(row["uses"])
        for row in held:
            cells[row[name]] += int(row["cells"])
        told[name] = _told(uses, cells, titles)
    return Shares(
        told["import"],
        told["source_type"],
        sum(int(row["uses"]) for row in used),
        sum(int(row["cells"]) for row in held),
    )


def lower_bound(hits: int, n: int) -> float:
    """The lower end of Wilson's interval of ``hits`` in ``n``, in [0, 1]; 0.0 without a case."""
    if not n:
        return 0.0
    share, z2 = hits / n, _Z * _Z
    middle = share + z2 / (2 * n)
    reach = _Z * sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return max((middle - reach) / (1 + z2 / n), 0.0)


def _told(uses: Counter[str], cells: Counter[str], titles: dict[str, str]) -> tuple[Share, ...]:
    all_uses, all_cells = uses.total(), cells.total()
    found = []
    for name in {*uses, *cells}:
        share = uses[name] / all_uses if all_uses else 0.0
        part = cells[name] / all_cells if all_cells else 0.0
        low = lower_bound(uses[name], all_uses)
        far = part > 0.0 and share >= RATIO * part and low > part
        found.append(
            Share(
                name=name,
                title=titles.get(name, ""),
                uses=uses[name],
                cells=cells[name],
                share=share,
                low=low,
                part=part,
                flagged=far and all_uses >= LEAST_USES,
            )
        )
    return tuple(sorted(found, key=lambda one: (-one.uses, one.name)))

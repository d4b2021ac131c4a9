"""The life of every cell: when it begins, is superseded, goes stale, and who confirms it.

Two clocks. The columns are what the store knew at a moment of record time; what is computed here
says for any moment of world time which cells hold. Nothing is stored: the same columns give the
same life.

Source: the gate's specification, section 2; CALM stage II.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from review import instants
from review.memory import conflicts, lineage, validity
from review.memory.columns import NOBODY, Bools, Columns, Ints
from review.memory.conflicts import NOBODY_ROW, STATES, SUPERSEDES_FROM, Closings
from review.memory.conversations import talk
from review.memory.lineage import Falls, Premises
from review.memory.validity import Status
from store.cells import SourceType


@dataclass(frozen=True)
class Life:
    """The life of cells. Arrays are ``(cells,)`` unless said otherwise; times are instants."""

    closings: Closings
    links: Premises
    begins: Ints
    """From when it holds: its start, or the beginning of a premise that begins later."""

    superseded_at: Ints
    superseded_by: Ints
    """Row of the cell that took its place, -1 for none."""

    falls: Falls
    ends: Ints
    """Until when it holds: the earliest of its own end, its superseding and its fall."""

    sources: Ints
    """Independent sources that say the same, itself included."""

    over: Ints
    """Until when each fact holds: its own end, or its closing; shape ``(facts,)``."""

    def superseded(self, at: int) -> Bools:
        """Which cells are superseded at a moment."""
        return self.superseded_at <= at

    def stale(self, at: int) -> Bools:
        """Which cells rest on something that has fallen by a moment."""
        return self.falls.at <= at

    def in_force(self, at: int) -> Bools:
        """Which cells hold at a moment."""
        return (self.begins <= at) & (at < self.ends)

    def validity(
        self, at: int, durable: Bools, rows: Ints | slice = slice(None)
    ) -> npt.NDArray[np.float64]:
        """V of cells at a moment of world time: of ``rows``, or of all."""
        return validity.validity(
            durable=durable[rows],
            sources=self.sources[rows],
            superseded=self.superseded_at[rows] <= at,
            stale=self.falls.at[rows] <= at,
        )

    def status(self, row: int, at: int, *, durable: bool) -> Status:
        """The word for one cell at a moment."""
        return validity.status(
            durable=durable,
            sources=int(self.sources[row]),
            superseded=bool(self.superseded_at[row] <= at),
            stale=bool(self.falls.at[row] <= at),
        )


def live(
    cells: Columns,
    *,
    owners: Mapping[str, SourceType] | None = None,
    places: frozenset[str] = frozenset(),
) -> Life:
    """The life of all cells.

    Args:
        cells: What the store knew at a moment of record time.
        owners: From the policy: which source type owns the values of a parameter.
        places: From the parameter table: parameters whose value is a place that goods are kept
            in, so that what is said of it holds while it is one.
    """
    named = {parameter: str(source) for parameter, source in (owners or {}).items()}
    told = conflicts.closings(cells, owners=named)
    links = lineage.premises(cells, places)
    superseded_at, superseded_by = _superseded(cells, told)
    begins = lineage.begins(cells, links)
    falls = lineage.falls(cells, links, superseded_at, told)
    ends = np.minimum(np.minimum(cells.end, superseded_at), falls.at)
    sources = _sources(cells, named)
    over = np.minimum(told.at, cells.facts.end)
    return Life(told, links, begins, superseded_at, superseded_by, falls, ends, sources, over)


def _superseded(cells: Columns, told: Closings) -> tuple[Ints, Ints]:
    """When each cell is superseded: all it states of single-valued parameters is closed.

    A cell that states two such facts and loses one is not superseded; what it lost is withheld
    from answers, fact by fact. A value that another cell ends takes its whole cell along.
    """
    facts = cells.facts
    at = np.full(len(cells), instants.ALWAYS, dtype=np.int64)
    by = np.full(len(cells), NOBODY_ROW, dtype=np.int64)
    single = (facts.role == STATES) & (facts.cardinality == conflicts.ONE)
    has = np.zeros(len(cells), dtype=bool)
    has[facts.cell[single]] = True
    np.maximum.at(at, facts.cell[single], told.at[single])
    at[~has] = instants.NEVER
    cancelled = told.cancelled & (facts.role == STATES)
    np.minimum.at(at, facts.cell[cancelled], told.at[cancelled])
    decides = (told.at == at[facts.cell]) & (told.at < instants.NEVER) & (facts.role == STATES)
    by[facts.cell[decides]] = told.by[decides]
    _by_links(cells, at, by)
    return at, by


def _by_links(cells: Columns, at: Ints, by: Ints) -> None:
    """Superseding that a source or a person states; it takes effect when the newer cell begins."""
    edges = cells.edges
    guarded = cells.guards != ""
    valid = (edges.kind == "supersedes") & (edges.strength >= SUPERSEDES_FROM)
    valid &= ~guarded[edges.target] | (edges.asserter == "person")
    newer, older = edges.source[valid], edges.target[valid]
    since = cells.start[newer]  # what is called off before it began never holds
    order = np.argsort(-since, kind="stable")
    for_older, when = older[order], since[order]
    earlier = when < at[for_older]
    at[for_older[earlier]] = when[earlier]
    by[for_older[earlier]] = newer[order][earlier]


def _sources(cells: Columns, owners: Mapping[str, str]) -> Ints:
    """Independent sources behind each cell, by its best confirmed fact; 1 where none confirms it.

    One conversation, one review and one imported file are one source each, however often they
    repeat themselves. A value from the owner of such values counts as two.
    """
    facts = cells.facts
    (stated,) = np.nonzero((facts.role == STATES) & (facts.value != NOBODY))
    counts = np.ones(len(cells), dtype=np.int64)
    if not len(stated):
        return counts
    cell = facts.cell[stated]
    origin = origins(cells)
    rows = pd.DataFrame(
        {
            "subject": facts.subject[stated],
            "parameter": facts.parameter[stated],
            "value": facts.value[stated],
            "scope": cells.scope[cell],
            "origin": origin[cell],
        }
    )
    keys = ["subject", "parameter", "value", "scope"]
    several = rows.drop_duplicates().groupby(keys, sort=False).size().rename("sources")
    if int(several.max()) > 1:
        best = rows.join(several, on=keys)["sources"].to_numpy()
        np.maximum.at(counts, cell, best)
    if owners:
        source = cells.text("source_type")
        owner = np.array([owners.get(name, "") for name in cells.parameter_names], dtype=object)
        owns = owner[facts.parameter[stated]] == source[cell]
        np.maximum.at(counts, cell[owns], 2)
    return counts


def origins(cells: Columns) -> Ints:
    """A number for what each cell was learned from: a review, else a conversation, else a file."""
    frame = cells.frame
    review = ("review:" + frame["review_id"].astype(object)).where(frame["review_id"].notna())
    runs = np.array([talk(scope) for scope in cells.scopes] or [""], dtype=object)
    run = pd.Series(runs[cells.scope], index=frame.index).replace("", None)
    told = review.fillna(run).fillna("file:" + frame["file"].astype(object))
    return pd.factorize(told)[0].astype(np.int64)

"""Runs that are kept as evidence: one in full, and pages of them. Reads only."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pandas as pd

from review import analysis
from review.analysis import Analysis
from review.staged import batches, run_spelling
from store import canonical, queries, run_queries
from store.events import LeafType
from store.log import DamagedStoreError, Store
from store.trajectories import Trajectory

PAGE: Final = 25
"""Runs on one page."""


class NoSuchRunError(LookupError):
    """There is no such run here, or it is not yours to see."""

    def __init__(self, item: str) -> None:
        """Keep the id; the sentence is the same for another tenant's run."""
        self.item = item
        super().__init__("No such run, or no access.")


@dataclass(frozen=True, slots=True)
class Kept:
    """One run as it is kept, with its last reading. Texts and names are foreign."""

    item: str
    run: Trajectory | None
    """None when it was erased."""

    analysis: Analysis | None
    raw: bytes | None
    """Bytes of its lines or element that are kept, secrets blanked."""

    source_name: str
    importer: str
    member: str
    line: int
    start: int
    end: int
    import_id: str
    recorded_at: str
    session_key: str


@dataclass(frozen=True, slots=True)
class RunsWanted:
    """Filters over runs. Blank means any; ``judged`` is ``1`` or ``0``."""

    ending: str = ""
    importer: str = ""
    batch: str = ""
    judged: str = ""
    q: str = ""

    def filters(self) -> tuple[list[str], dict[str, object]]:
        """Names of the filters in use, and their values."""
        names = ("ending", "importer", "batch", "judged")
        values: dict[str, object] = {n: getattr(self, n) for n in names if getattr(self, n)}
        if self.q.strip():
            values["q"] = queries.literal_search(self.q.strip())
        return list(values), values


@dataclass(frozen=True, slots=True)
class RunPage:
    """Runs of one page and how many there are in all."""

    runs: tuple[Kept, ...]
    total: int


def run_of(store: Store, item: str) -> Kept:
    """One run in full.

    Raises:
        NoSuchRunError: If there is no such run in this tenant.
        store.log.DamagedStoreError: If the list does not show what the log holds.
    """
    rows = store.rows(run_queries.RUN, item=item)
    if not rows:
        raise NoSuchRunError(item)
    return kept(store, rows)[0]


def runs_of(store: Store, items: Sequence[str]) -> tuple[Kept, ...]:
    """Several runs; unknown ids are absent."""
    if not items:
        return ()
    wanted = pd.DataFrame({"item": pd.Series(list(items), dtype="str")})
    return kept(store, store.rows(run_queries.RUNS, {"wanted": wanted}))


def page(store: Store, wanted: RunsWanted, number: int = 1) -> RunPage:
    """One page of runs, newest first, counted from 1."""
    names, values = wanted.filters()
    values |= {"limit": PAGE, "offset": (max(number, 1) - 1) * PAGE}
    rows = store.rows(run_queries.runs_page(names), None, **values)
    return RunPage(kept(store, rows), int(rows[0]["total"]) if rows else 0)


def everything(store: Store) -> tuple[Kept, ...]:
    """The latest record of every run, in the order in which they came."""
    return kept(store, store.rows(run_queries.ALL_RUNS))


def count_of(store: Store, import_id: str) -> int:
    """How many runs one import brought."""
    return int(store.rows(run_queries.RUNS_OF_IMPORT, batch=import_id)[0]["n"])


def endings(store: Store) -> dict[str, int]:
    """How many runs ended how, by ``review.analysis.Ending``."""
    return {str(row["ending"]): int(row["n"]) for row in store.rows(run_queries.ENDINGS)}


def kept(store: Store, rows: Sequence[Mapping[str, Any]]) -> tuple[Kept, ...]:
    """Rows of the list as runs, each compared with what the log holds at its place."""
    leaves = _leaves(store, rows)
    newer = _newer_readings(store, [leaf["item"] for leaf in leaves])
    batches_of = {seq: store.event(seq) for seq in dict.fromkeys(row["seq"] for row in rows)}
    source_of = {seq: batches.source_of(store, batch) for seq, batch in batches_of.items()}
    wanted = [*source_of.values()]
    for leaf in leaves:
        wanted += [c for c in (leaf["run"], leaf["raw"], leaf["place"]) if c]
        wanted.append(newer.get(leaf["item"], leaf["analysis"]))
    bodies = {c: p.body for c, p in store.payloads(dict.fromkeys(wanted)).items()}

    def one(row: Mapping[str, Any], leaf: Mapping[str, Any]) -> Kept:
        run = bodies.get(leaf["run"])
        reading = bodies.get(newer.get(leaf["item"], leaf["analysis"]))
        batch = batches_of[row["seq"]]
        source = json.loads(bodies.get(source_of[row["seq"]], b"{}"))
        return Kept(
            item=leaf["item"],
            run=None if run is None else run_spelling.read(run),
            analysis=None if reading is None else analysis.read(reading),
            raw=bodies.get(leaf["raw"]),
            source_name=source.get("name", ""),
            importer=str(batch.body["importer"]),
            member=bodies.get(leaf["place"] or "", b"").decode("utf-8"),
            line=leaf["line"],
            start=leaf["start"],
            end=leaf["end"],
            import_id=str(batch.body["import"]),
            recorded_at=batch.recorded_at,
            session_key=leaf["session"],
        )

    return tuple(one(row, leaf) for row, leaf in zip(rows, leaves, strict=True))


def _leaves(store: Store, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    found = store.leaves_at([(row["seq"], row["n"]) for row in rows]) if rows else {}
    leaves = []
    for row in rows:
        leaf: dict[str, Any] = {}
        try:
            leaf = canonical.decode(found[(row["seq"], row["n"])])
            fits = leaf["type"] == LeafType.RUN and leaf["item"] == row["item"]
        except (KeyError, ValueError, TypeError):
            fits = False
        if not fits:
            msg = (
                f"run {row['item']} in the list is not the one in the log. Nothing was changed. "
                "Run memory-console verify."
            )
            raise DamagedStoreError(msg)
        leaves.append(leaf)
    return leaves


def _newer_readings(store: Store, items: Sequence[str]) -> dict[str, str]:
    """Commitments of readings that were made after a run was imported, the last of each."""
    if not items:
        return {}
    wanted = pd.DataFrame({"item": pd.Series(list(items), dtype="str")})
    rows = store.rows(run_queries.NEWER_READINGS, {"wanted": wanted})
    return {str(row["item"]): str(row["analysis"]) for row in rows}

"""The queue of staged records: lanes, pages, and what comes next. Reads only."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

import pandas as pd

from review.leaves import flags_in, leaves_of
from review.staged.flags import Flag, worst
from store import import_queries, queries
from store.drafts import Draft
from store.log import Store

PAGE: Final = 50
"""Rows on one page: what a person can read."""


class Lane(StrEnum):
    """Where a record waits, by the work it needs. Lanes are exclusive, in this order."""

    NEEDS_EYES = "needs-eyes"
    DUPLICATES = "duplicates"
    ROUTINE = "routine"
    NOTHING = "nothing"
    FAILED = "failed"
    REFUSED = "refused"


OUTCOME_LANES: Final = {
    Lane.NOTHING: "nothing_extracted",
    Lane.FAILED: "parse_failed",
    Lane.REFUSED: "refused",
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the reviewer looks at: a lane, filters and a sort order. Blank means any."""

    lane: str = ""
    kind: str = ""
    source: str = ""
    flag: str = ""
    batch: str = ""
    q: str = ""
    sort: str = "risk"
    run: str = ""
    """A run's id as its records name it in their scope."""

    def filters(self) -> tuple[list[str], dict[str, object]]:
        """Names of the filters in use, and their values."""
        names = ("lane", "kind", "source", "flag", "batch", "run")
        values: dict[str, object] = {n: getattr(self, n) for n in names if getattr(self, n)}
        if self.q.strip():
            values["q"] = queries.literal_search(self.q.strip())
        return list(values), values


@dataclass(frozen=True, slots=True)
class Row:
    """One staged record in a list. ``claim`` is foreign text; None when it was erased."""

    item: str
    rev: int
    artifact: str
    claim: str | None
    kind: str
    source_type: str
    flags: tuple[Flag, ...]
    worst: int
    lane: str
    stage: str
    import_id: str
    recorded_at: str
    signed_at: str = ""
    """When it became durable; blank while it waits."""

    signed_by: str = ""
    """Id of the reviewer whose signature made it durable."""


@dataclass(frozen=True, slots=True)
class Page:
    """Rows of one page and how many there are in all."""

    rows: tuple[Row, ...]
    total: int


@dataclass(frozen=True, slots=True)
class RecordRow:
    """A record that was not staged: which, where in its source, and why. ``raw`` is foreign."""

    outcome: str
    reason: str
    field: str
    kind: str | None
    source_type: str | None
    source_name: str
    member: str
    line: int
    start: int
    end: int
    column: int
    raw: bytes | None
    recorded_at: str
    seq: int
    n: int


@dataclass(frozen=True, slots=True)
class Records:
    """A page of records that were not staged."""

    rows: tuple[RecordRow, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Counts:
    """How much waits, and what became of everything that was ever read."""

    lanes: Mapping[str, int]
    outcomes: Mapping[str, int]
    stages: Mapping[str, int]
    drafted: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)
    sources: Mapping[str, int] = field(default_factory=dict)
    flags: Mapping[str, int] = field(default_factory=dict)


def counts(store: Store, drafts: Sequence[Draft]) -> Counts:
    """Everything the lane tabs and facets show. Counted now."""
    tables = {"drafted": _drafted(drafts)}
    outcomes = store.rows(import_queries.OUTCOME_COUNTS)[0]
    facets = store.rows(queries.WAITING_FACETS, tables)
    by_lane = _counted(store.rows(queries.LANE_COUNTS, tables), "lane")
    for lane, outcome in OUTCOME_LANES.items():
        by_lane[str(lane)] = int(outcomes[outcome])
    return Counts(
        lanes={str(lane): int(by_lane.get(str(lane), 0)) for lane in Lane},
        outcomes={str(k): int(v) for k, v in outcomes.items()},
        stages=_counted(store.rows(queries.STAGES), "stage"),
        drafted=len(drafts),
        kinds=_counted(facets, "kind"),
        sources=_counted(facets, "source_type"),
        flags=_counted(store.rows(queries.FLAGS_IN_USE), "code"),
    )


def page(
    store: Store, drafts: Sequence[Draft], wanted: Wanted, number: int = 1, *, per: int = PAGE
) -> Page:
    """One page of staged records, ``per`` rows, counted from 1."""
    names, values = wanted.filters()
    found = store.rows(
        queries.waiting_page(names, wanted.sort),
        {"drafted": _drafted(drafts)},
        limit=per,
        offset=(max(number, 1) - 1) * per,
        **values,
    )
    return Page(rows_of(store, found), found[0]["total"] if found else 0)


def rows_of(store: Store, found: Sequence[Mapping[str, Any]]) -> tuple[Row, ...]:
    """Projection rows with their claims."""
    leaves = leaves_of(store, found)
    texts = store.payloads(leaf["artifact"]["text"] for leaf in leaves)
    rows = []
    for one, leaf in zip(found, leaves, strict=True):
        manifest = leaf["artifact"]
        text = texts.get(manifest["text"])
        claim = None if text is None else text.body.decode("utf-8")
        marks = flags_in(leaf, claim)
        rows.append(
            Row(
                item=one["item"],
                rev=int(one["rev"]),
                artifact=one["digest"],
                claim=claim,
                kind=manifest["kind"],
                source_type=manifest["source_type"],
                flags=marks,
                worst=worst(marks),
                lane=one.get("lane", ""),
                stage=one["stage"],
                import_id=one["import"],
                recorded_at=one["recorded_at"],
                signed_at=one.get("signed_at", ""),
                signed_by=one.get("reviewer", ""),
            )
        )
    return tuple(rows)


def claims_of(store: Store, items: Sequence[str]) -> dict[str, str | None]:
    """Claim of each item's latest revision, from the log; unknown items are absent."""
    if not items:
        return {}
    found = store.rows(queries.ITEMS, {"wanted": pd.DataFrame({"item": list(items)})})
    return {row.item: row.claim for row in rows_of(store, found)}


def following(store: Store, drafts: Sequence[Draft], wanted: Wanted, item: str) -> str | None:
    """The first undecided record after ``item``, wrapping round; None when all are decided."""
    return _step(store, drafts, wanted, item, queries.next_waiting)


def preceding(store: Store, drafts: Sequence[Draft], wanted: Wanted, item: str) -> str | None:
    """The undecided record before ``item``, if there is one."""
    return _step(store, drafts, wanted, item, queries.previous_waiting)


def records(store: Store, lane: Lane, number: int = 1) -> Records:
    """A page of the records that were not staged, newest first."""
    listed = store.rows(
        import_queries.RECORDS_PAGE,
        outcome=OUTCOME_LANES[lane],
        limit=PAGE,
        offset=(max(number, 1) - 1) * PAGE,
    )
    found = store.payloads(
        one[name] for one in listed for name in ("raw_c", "place_c", "source_c") if one[name]
    )

    def body(commitment: object) -> bytes | None:
        payload = found.get(str(commitment))
        return None if payload is None else payload.body

    rows = [
        RecordRow(
            outcome=one["outcome"],
            reason=one["reason"],
            field=one["field"] or "",
            kind=one["kind"],
            source_type=one["source_type"],
            source_name=json.loads(body(one["source_c"]) or b'{"name":""}')["name"],
            member=(body(one["place_c"]) or b"").decode("utf-8"),
            line=int(one["line"]),
            start=int(one["start_byte"]),
            end=int(one["end_byte"]),
            column=one["place_column"] or 0,
            raw=body(one["raw_c"]),
            recorded_at=one["recorded_at"],
            seq=int(one["seq"]),
            n=int(one["n"]),
        )
        for one in listed
    ]
    return Records(tuple(rows), listed[0]["total"] if listed else 0)


def _step(
    store: Store,
    drafts: Sequence[Draft],
    wanted: Wanted,
    item: str,
    ask: Callable[[list[str], str], str],
) -> str | None:
    names, values = wanted.filters()
    found = store.rows(ask(names, wanted.sort), {"drafted": _drafted(drafts)}, item=item, **values)
    return str(found[0]["item"]) if found else None


def _drafted(drafts: Sequence[Draft]) -> pd.DataFrame:
    told = [(draft.item, str(draft.decision)) for draft in drafts]
    return pd.DataFrame(told, columns=["item", "decision"], dtype="str")


def _counted(found: Sequence[Mapping[str, Any]], name: str) -> dict[str, int]:
    told: dict[str, int] = {}
    for one in found:
        told[str(one[name])] = told.get(str(one[name]), 0) + int(one["n"])
    return told

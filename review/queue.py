"""The queue of staged records: lanes, pages, and what comes next. Reads only."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import pandas as pd

from review.flags import Flag, read_flags
from store import queries
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

    def filters(self) -> tuple[list[str], dict[str, object]]:
        """Names of the filters in use, and their values."""
        names = ("lane", "kind", "source", "flag", "batch")
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
    lanes = store.frame(queries.LANE_COUNTS, tables)
    outcomes = store.frame(queries.OUTCOME_COUNTS).iloc[0].to_dict()
    stages = store.frame(queries.STAGES)
    facets = store.frame(queries.WAITING_FACETS, tables)
    marks = store.frame(queries.FLAGS_IN_USE)
    by_lane = dict(zip(lanes["lane"], lanes["n"].astype(int), strict=True))
    for lane, outcome in OUTCOME_LANES.items():
        by_lane[str(lane)] = int(outcomes[outcome])
    return Counts(
        lanes={str(lane): int(by_lane.get(str(lane), 0)) for lane in Lane},
        outcomes={str(k): int(v) for k, v in outcomes.items()},
        stages=dict(zip(stages["stage"], stages["n"].astype(int), strict=True)),
        drafted=len(drafts),
        kinds=_summed(facets, "kind"),
        sources=_summed(facets, "source_type"),
        flags=dict(zip(marks["code"], marks["n"].astype(int), strict=True)),
    )


def page(store: Store, drafts: Sequence[Draft], wanted: Wanted, number: int = 1) -> Page:
    """One page of staged records, 50 rows, counted from 1."""
    names, values = wanted.filters()
    frame = store.frame(
        queries.waiting_page(names, wanted.sort),
        {"drafted": _drafted(drafts)},
        limit=PAGE,
        offset=(max(number, 1) - 1) * PAGE,
        **values,
    )
    return Page(rows_of(store, frame), int(frame["total"][0]) if len(frame) else 0)


def rows_of(store: Store, frame: pd.DataFrame) -> tuple[Row, ...]:
    """Projection rows with their claims."""
    texts = store.payloads(frame["text_c"]) if len(frame) else {}
    rows = []
    for one in frame.to_dict("records"):
        text = texts.get(one["text_c"])
        rows.append(
            Row(
                item=one["item"],
                rev=int(one["rev"]),
                artifact=one["digest"],
                claim=None if text is None else text.body.decode("utf-8"),
                kind=one["kind"],
                source_type=one["source_type"],
                flags=read_flags(json.loads(one["flags"])),
                worst=int(one["worst"]),
                lane=one.get("lane", ""),
                stage=one["stage"],
                import_id=one["import"],
                recorded_at=one["recorded_at"],
            )
        )
    return tuple(rows)


def following(store: Store, drafts: Sequence[Draft], wanted: Wanted, item: str) -> str | None:
    """The first undecided record after ``item``, wrapping round; None when all are decided."""
    return _step(store, drafts, wanted, item, queries.next_waiting)


def preceding(store: Store, drafts: Sequence[Draft], wanted: Wanted, item: str) -> str | None:
    """The undecided record before ``item``, if there is one."""
    return _step(store, drafts, wanted, item, queries.previous_waiting)


def records(store: Store, lane: Lane, number: int = 1) -> Records:
    """A page of the records that were not staged, newest first."""
    frame = store.frame(
        queries.RECORDS_PAGE,
        outcome=OUTCOME_LANES[lane],
        limit=PAGE,
        offset=(max(number, 1) - 1) * PAGE,
    )
    if not len(frame):
        return Records((), 0)
    wanted = pd.concat([frame["raw_c"], frame["place_c"], frame["source_c"]]).dropna()
    found = store.payloads(wanted)

    def body(commitment: object) -> bytes | None:
        payload = found.get(str(commitment))
        return None if payload is None else payload.body

    rows = [
        RecordRow(
            outcome=one["outcome"],
            reason=one["reason"],
            field=_text(one["field"]),
            kind=one["kind"],
            source_type=one["source_type"],
            source_name=json.loads(body(one["source_c"]) or b'{"name":""}')["name"],
            member=(body(one["place_c"]) or b"").decode("utf-8"),
            line=int(one["line"]),
            start=int(one["start_byte"]),
            end=int(one["end_byte"]),
            column=_number(one["place_column"]),
            raw=body(one["raw_c"]),
            recorded_at=one["recorded_at"],
            seq=int(one["seq"]),
            n=int(one["n"]),
        )
        for one in frame.to_dict("records")
    ]
    return Records(tuple(rows), int(frame["total"][0]))


def _step(
    store: Store,
    drafts: Sequence[Draft],
    wanted: Wanted,
    item: str,
    ask: Callable[[list[str], str], str],
) -> str | None:
    names, values = wanted.filters()
    frame = store.frame(
        ask(names, wanted.sort), {"drafted": _drafted(drafts)}, item=item, **values
    )
    return str(frame["item"][0]) if len(frame) else None


def _drafted(drafts: Sequence[Draft]) -> pd.DataFrame:
    return pd.DataFrame({"item": pd.Series([draft.item for draft in drafts], dtype="str")})


def _summed(frame: pd.DataFrame, column: str) -> dict[str, int]:
    return {str(k): int(v) for k, v in frame.groupby(column)["n"].sum().items()}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> int:
    return int(value) if isinstance(value, int | float) and value == value else 0

"""The ledger as people read it: every event, newest first, and every import. Reads only."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from review.queue import PAGE
from store import import_queries, queries
from store.log import Store
from store.vault import Payload


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One event. ``body`` holds codes, counts and digests, never foreign text."""

    seq: int
    type: str
    recorded_at: str
    actor: str
    actor_kind: str
    process: str
    digest: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LedgerPage:
    """Events of one page and how many match in all."""

    rows: tuple[LedgerRow, ...]
    total: int


@dataclass(frozen=True, slots=True)
class ImportRow:
    """One import and what became of its records. ``name`` is foreign text."""

    import_id: str
    importer: str
    name: str
    counts: Mapping[str, int]
    finished: bool
    recorded_at: str

    @property
    def read(self) -> int:
        """Records read: the sum of the five outcomes."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class RecordOutcome:
    """What became of one record of an import."""

    line: int
    start: int
    end: int
    outcome: str
    reason: str
    field: str
    column: int
    member: str = ""
    """The file in a folder or archive, or the table and row. Foreign text."""


class Journal:
    """What happened in one store, to be read."""

    def __init__(self, store: Store) -> None:
        """Nothing is read yet."""
        self._store = store

    def page(
        self, *, number: int = 1, seq: int | None = None, kind: str = "", item: str = ""
    ) -> LedgerPage:
        """One page of the ledger. See ``page``."""
        return page(self._store, number=number, seq=seq, kind=kind, item=item)

    def imports(self) -> tuple[ImportRow, ...]:
        """The newest imports."""
        return imports(self._store)

    def outcomes_of(self, import_id: str) -> tuple[RecordOutcome, ...]:
        """Records of one import that were not staged."""
        return outcomes_of(self._store, import_id)

    def by_day(self, since: str) -> dict[str, dict[str, int]]:
        """Signed decisions of each day from ``since`` on."""
        return by_day(self._store, since)


def page(
    store: Store,
    *,
    number: int = 1,
    seq: int | None = None,
    kind: str = "",
    item: str = "",
) -> LedgerPage:
    """One page of the ledger, 50 events, counted from 1."""
    asked: dict[str, Any] = {"seq": seq, "type": kind, "object": item}
    values = {name: value for name, value in asked.items() if value not in (None, "")}
    found = store.rows(
        queries.ledger_page(list(values)),
        limit=PAGE,
        offset=(max(number, 1) - 1) * PAGE,
        **values,
    )
    rows = []
    for one in found:
        event = json.loads(one["canon"])
        rows.append(
            LedgerRow(
                seq=int(one["seq"]),
                type=event["type"],
                recorded_at=event["recorded_at"],
                actor=event["actor"],
                actor_kind=event["actor_kind"],
                process=event["process"],
                digest=one["digest"],
                body=event["body"],
            )
        )
    return LedgerPage(tuple(rows), found[0]["total"] if found else 0)


def imports(store: Store, *, most: int = 50) -> tuple[ImportRow, ...]:
    """The newest imports, newest first."""
    found = store.rows(import_queries.IMPORTS, limit=most)
    sources = store.payloads(one["source_c"] for one in found if one["source_c"])
    outcomes = ("written", "nothing_extracted", "already_known", "refused", "parse_failed")
    told = []
    for one in found:
        source = sources.get(one["source_c"] or "")
        told.append(
            ImportRow(
                import_id=one["import"],
                importer=one["importer"],
                name="" if source is None else json.loads(source.body)["name"],
                counts={name: int(one[name]) for name in outcomes},
                finished=bool(one["finished"]),
                recorded_at=one["recorded_at"],
            )
        )
    return tuple(told)


def outcomes_of(store: Store, import_id: str) -> tuple[RecordOutcome, ...]:
    """Records of one import that were not staged and not known before, in file order."""
    found = store.rows(import_queries.RECORDS_OF_IMPORT, batch=import_id)
    places = store.payloads(one["place_c"] for one in found if one["place_c"])
    return tuple(
        RecordOutcome(
            line=int(one["line"]),
            start=int(one["start_byte"]),
            end=int(one["end_byte"]),
            outcome=one["outcome"],
            reason=one["reason"] or "",
            field=one["field"] or "",
            column=one["place_column"] or 0,
            member=_member(places.get(one["place_c"] or "")),
        )
        for one in found
    )


def _member(place: Payload | None) -> str:
    return "" if place is None else place.body.decode("utf-8")


def by_day(store: Store, since: str) -> dict[str, dict[str, int]]:
    """Signed decisions since a day: day (``2026-03-10``) to decision to count."""
    told: dict[str, dict[str, int]] = {}
    for one in store.rows(queries.DECISIONS_BY_DAY, since=since):
        told.setdefault(str(one["day"]), {})[str(one["decision"])] = int(one["n"])
    return told

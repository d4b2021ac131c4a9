"""What is durable: the cells that verified signatures stand behind, and the life of each.

The list is joined to the set of signed artifacts, so a row that merely says so is not in it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import pandas as pd

from review.queue import PAGE, Page, Wanted, rows_of
from store import queries
from store.log import Store
from store.stages import Stage
from store.standing import Standing


@dataclass(frozen=True, slots=True)
class LifeEvent:
    """One signed decision in the life of a record. ``note`` is the reviewer's own text."""

    seq: int
    decision: str
    from_stage: str
    to_stage: str
    reason: str | None
    note: str | None
    reviewer: str
    signed_at: str
    mode: str
    statement: str


def page(
    store: Store,
    wanted: Wanted,
    number: int = 1,
    *,
    standing: Standing | None = None,
    only: Collection[str] | None = None,
) -> Page:
    """One page of durable cells, newest decision first; 50 rows, counted from 1.

    Args:
        store: Where they are.
        wanted: Filters.
        number: The page.
        standing: Which decisions stood at an earlier moment; now by default.
        only: Items to choose from; all by default.
    """
    standing = store.standing() if standing is None else standing
    approved = pd.DataFrame(
        [
            (item, s.rev, s.artifact, s.signed_at, s.by)
            for item, s in standing.items.items()
            if s.stage == Stage.DURABLE and (only is None or item in only)
        ],
        columns=["item", "rev", "artifact", "signed_at", "reviewer"],
    ).astype({"item": "str", "artifact": "str", "signed_at": "str", "reviewer": "str"})
    names, values = wanted.filters()
    names = [name for name in names if name != "lane"]
    values.pop("lane", None)
    found = store.rows(
        queries.durable_page(names),
        {"approved": approved},
        limit=PAGE,
        offset=(max(number, 1) - 1) * PAGE,
        **values,
    )
    return Page(rows_of(store, found), found[0]["total"] if found else 0)


def count(store: Store) -> int:
    """How many cells are durable, by verified signatures."""
    items = store.standing().items.values()
    return sum(stands.stage == Stage.DURABLE for stands in items)


def life(store: Store, item: str) -> tuple[LifeEvent, ...]:
    """The signed decisions about an item, oldest first."""
    found = store.rows(queries.DECISIONS_OF, item=item)
    notes = store.payloads(one["note_c"] for one in found if one["note_c"])
    told = []
    for one in found:
        note = notes.get(one["note_c"] or "")
        told.append(
            LifeEvent(
                seq=int(one["seq"]),
                decision=one["decision"],
                from_stage=one["from_stage"],
                to_stage=one["to_stage"],
                reason=one["reason"],
                note=None if note is None else note.body.decode("utf-8"),
                reviewer=one["reviewer"],
                signed_at=one["signed_at"],
                mode=one["mode"],
                statement=one["statement"],
            )
        )
    return tuple(told)

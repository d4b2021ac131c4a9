"""A record beside the originals it was rewritten from: how many steps away, how far, how old.

The age of what was merged or rewritten is that of its oldest support, whatever date the last
rewriting bears.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from review import descent, instants
from review.cards.card import Card
from review.leaves import leaves_of
from review.text import drift
from review.text.drift import Drift
from store import canonical, queries
from store.log import Store


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What a record comes to beside its originals."""

    steps: int
    """Rewrites between the farthest original and the record."""

    originals: tuple[str, ...]
    """Items, nearest first."""

    drift: Drift | None
    """None where the text of every original was erased, or the record's own."""

    oldest: str | None
    """When its oldest support was written, as the files say; None where none says."""


def rewritten(store: Store, shown: Card) -> Rewritten | None:
    """``shown`` beside its originals; None for a record that was made from no other record."""
    if not any(link.outgoing and link.kind in descent.REWRITES for link in shown.links):
        return None
    family = descent.ancestry(store, shown.item, descent.REWRITES)
    told = _told(store, [one.item for one in family.relatives])
    originals = [one for one in family.originals if one.item in told]
    if not originals:
        return None
    claims = [claim for one in originals if (claim := told[one.item][0]) is not None]
    made = descent.ancestry(store, shown.item).relatives
    moments = [told[one.item][1] for one in made if one.item in told]
    return Rewritten(
        steps=max(one.steps for one in originals),
        originals=tuple(one.item for one in originals),
        drift=drift.from_many(claims, shown.claim) if claims and shown.claim else None,
        oldest=_oldest(moments),
    )


def _told(store: Store, items: Sequence[str]) -> dict[str, tuple[str | None, str]]:
    """Claim and time of writing of each record, from the log; runs are no records."""
    wanted = pd.DataFrame({"item": pd.Series(list(items), dtype="str")})
    rows = store.rows(queries.ITEMS, {"wanted": wanted})
    parts = [leaf["artifact"] for leaf in leaves_of(store, rows)]
    names = [one[part] for one in parts for part in ("text", "provenance") if one[part]]
    bodies = {c: p.body for c, p in store.payloads(names).items()}
    told = {}
    for row, one in zip(rows, parts, strict=True):
        text, provenance = bodies.get(one["text"]), bodies.get(one["provenance"] or "")
        written = "" if provenance is None else canonical.decode(provenance).get("written_at", "")
        told[str(row["item"])] = (None if text is None else text.decode("utf-8"), str(written))
    return told


def _oldest(moments: Sequence[str]) -> str | None:
    read = [(at, one) for one in moments if (at := instants.read(one)) is not None]
    return min(read)[1] if read else None

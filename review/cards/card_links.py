"""Links between a record and others, as artifacts state them and as people signed them.

A list only finds the artifacts; what they say is read from the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from review.leaves import leaves_of
from store import queries
from store.cells import Asserter, EdgeKind
from store.links import EITHER_WAY, LinkVerdict
from store.log import Store
from store.standing import Standing


@dataclass(frozen=True, slots=True)
class Link:
    """An edge between this record and another."""

    kind: str
    other: str
    strength: str
    asserter: str
    outgoing: bool


def links_of(
    store: Store, item: str, edges: Sequence[Sequence[str]], standing: Standing
) -> tuple[Link, ...]:
    """Links out of the record and into it, and what people signed of it and another.

    What an artifact states and a person denied is not among them.
    """
    incoming = _incoming(store, item, standing.position)
    said = [one.link for one in standing.links.values() if one.holds]
    denied = _denied(standing)
    return (
        *(
            Link(kind, target, strength, asserter, outgoing=True)
            for kind, target, strength, asserter in edges
            if (kind, item, target) not in denied
        ),
        *(
            Link(kind, other, strength, asserter, outgoing=False)
            for other, kind, strength, asserter in incoming
            if (kind, other, item) not in denied
        ),
        *(
            Link(str(link.kind), other.item, link.strength, Asserter.PERSON, outgoing=outgoing)
            for link in said
            for end, other, outgoing in (
                (link.start, link.target, True),
                (link.target, link.start, False),
            )
            if end.item == item
        ),
    )


def made_from(item: str, edges: Sequence[Sequence[str]], standing: Standing) -> list[str]:
    """What a record says that it was derived from, by a file or a rule, and nobody denied."""
    denied = _denied(standing)
    return [
        target
        for kind, target, _strength, asserter in edges
        if kind == EdgeKind.DERIVED_FROM
        and asserter != Asserter.PERSON
        and (kind, item, target) not in denied
    ]


def _incoming(store: Store, item: str, size: int) -> list[tuple[str, str, str, str]]:
    """Links to the record, as the artifacts say that carry them; a list only finds those.

    Only what the first ``size`` events brought is told.
    """
    found = pd.DataFrame(
        {"item": [row["item"] for row in store.rows(queries.EDGES_TO, item=item)]}
    )
    if not len(found):
        return []
    rows = store.rows(queries.ITEMS, {"wanted": found.drop_duplicates()})
    return [
        (leaf["item"], kind, strength, asserter)
        for leaf in leaves_of(store, [row for row in rows if row["seq"] < size])
        for kind, target, strength, asserter in leaf["artifact"]["edges"]
        if target == item
    ]


def _denied(standing: Standing) -> set[tuple[str, str, str]]:
    """Links that a person denied: kind, from, to; those without a direction both ways."""
    told = set()
    for one in standing.links.values():
        if one.link.verdict is LinkVerdict.DENIED:
            kind, ends = one.link.kind, (one.link.start.item, one.link.target.item)
            told.add((str(kind), *ends))
            if kind in EITHER_WAY:
                told.add((str(kind), *ends[::-1]))
    return told

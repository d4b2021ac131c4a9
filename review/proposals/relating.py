"""Makes proposed edges of a reply: between records that were given, by words that stand in them.

A proposed edge is shown and has no effect. A person draws it by hand, or does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from review.proposals.places import place
from review.proposals.shapes import RelationsTold
from store.cells import EdgeKind, Span


@dataclass(frozen=True, slots=True)
class Relation:
    """An edge as a model proposes it. ``reason`` is the model's own, foreign text."""

    kind: EdgeKind
    """``conflicts_with`` or ``depends_on``."""

    source: str
    """Item; of a dependency the one that depends."""

    target: str
    source_span: Span
    """Characters of the source's claim that show it."""

    target_span: Span
    reason: str


def relations(
    told: RelationsTold, items: Sequence[str], texts: Sequence[str]
) -> tuple[tuple[Relation, ...], int]:
    """The relations that the texts bear out, each once, and how many were dropped.

    Args:
        told: The reply.
        items: The records that were given, in the order of their labels ``c1``, ``c2``, …
        texts: Their claims.
    """
    labels = {f"c{n}": n - 1 for n in range(1, len(items) + 1)}
    kept: dict[tuple[EdgeKind, str, str], Relation] = {}
    dropped = 0
    for one in told.relations:
        source, target = labels.get(one.source), labels.get(one.target)
        if source is None or target is None or source == target:
            dropped += 1
            continue
        here, there = (
            place(texts[source], one.source_quote),
            place(texts[target], one.target_quote),
        )
        kind = EdgeKind(one.kind)
        ends = (items[source], items[target])
        key = (kind, *(sorted(ends) if kind is EdgeKind.CONFLICTS_WITH else ends))
        if here is None or there is None or key in kept:
            dropped += 1
            continue
        kept[key[0], key[1], key[2]] = Relation(kind, *ends, here, there, one.reason)
    return tuple(kept.values()), dropped

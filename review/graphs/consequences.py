"""What making a record durable would do to others: by the links it carries and by what it states.

It is shown where a person decides, in the present tense, and is worked out from the same facts
that count once the record is durable.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from review import descent, instants
from review.auditing.uses import Used, used
from review.cards.bearing import Bearing, Newcomer, Relation, bearing
from review.cards.card import Card
from review.memory.knowing import Known
from store.cells import Asserter, EdgeKind
from store.log import Store
from store.stages import Stage


@dataclass(frozen=True, slots=True)
class Consequence:
    """What making a record durable would do. Items, each once."""

    superseded: tuple[str, ...]
    stale: tuple[str, ...]
    """Cells that would lose their footing."""

    waits_for: tuple[str, ...]
    """Cells this one depends on that are not durable."""

    since: str | None
    """From when, in world time; None is at once."""

    changed: tuple[str, ...] = ()
    """Cells that would lose one of several facts and keep the others."""

    outdated_by: tuple[str, ...] = ()
    """Cells that are later: this one would belong to the past from the start."""

    conflicts: tuple[str, ...] = ()
    """Cells that say otherwise, where nobody can tell which one holds."""

    duplicates: tuple[str, ...] = ()
    """Cells that state the same fact already."""

    descendants: tuple[str, ...] = ()
    """Records that were made from this one, nearest first: what is wrong here is wrong there."""

    used: Used = ()
    """Past answers that used a cell which would be superseded, changed or stale."""


def consequence(store: Store, shown: Card, known: Known) -> Consequence:
    """The consequence of approving ``shown``.

    Args:
        store: Where it is.
        shown: A record that is not durable, or is: then nothing more would follow.
        known: What is durable now.
    """
    standing = store.standing()

    def durable(other: str) -> bool:
        stands = standing.items.get(other)
        return stands is not None and stands.stage == Stage.DURABLE

    outgoing = [link for link in shown.links if link.outgoing]
    told = bearing(newcomer(shown), known)
    superseding = told.of(Relation.SUPERSEDES)
    whole = [one.item for one in superseding if one.whole]
    part = [one.item for one in superseding if not one.whole and one.item not in whole]
    waits = [
        link.other
        for link in outgoing
        if link.kind == EdgeKind.DEPENDS_ON and not durable(link.other)
    ]
    stale = tuple(one for one in told.stale if one != shown.item)
    return Consequence(
        superseded=_once(whole),
        stale=stale,
        waits_for=_once(waits),
        since=_since(shown, told),
        changed=_once(part),
        outdated_by=_once(one.item for one in told.of(Relation.SUPERSEDED_BY)),
        conflicts=_once(one.item for one in told.of(Relation.CONFLICTS_WITH)),
        duplicates=_once(one.item for one in told.of(Relation.DUPLICATE_OF)),
        descendants=descendants(store, shown),
        used=used(store, (*whole, *part, *stale)),
    )


def descendants(store: Store, shown: Card) -> tuple[str, ...]:
    """What was made from a record through any number of rewrites, nearest first."""
    if not any(link.kind == EdgeKind.DERIVED_FROM and not link.outgoing for link in shown.links):
        return ()
    return tuple(one.item for one in descent.descendants(store, shown.item))


def newcomer(shown: Card) -> Newcomer:
    """A card as the cell whose effect is asked for."""
    written = instants.read(str(shown.provenance.get("written_at") or "")) or instants.ALWAYS
    start = instants.read(shown.valid_from or "")
    superseding = [x for x in shown.links if x.outgoing and x.kind == EdgeKind.SUPERSEDES]
    return Newcomer(
        item=shown.item,
        facts=shown.facts,
        start=written if start is None else start,
        start_known=start is not None,
        written=written,
        scope=frozenset(shown.scope.items()),
        importer=shown.source.importer.partition("/")[0],
        supersedes=tuple(link.other for link in superseding),
        signed=tuple(link.other for link in superseding if link.asserter == Asserter.PERSON),
    )


def _since(shown: Card, told: Bearing) -> str | None:
    if shown.valid_from is not None:
        return shown.valid_from
    later = {one.since for one in told.of(Relation.SUPERSEDES) if one.parameter}
    written = instants.read(str(shown.provenance.get("written_at") or ""))
    at_once = "" if written is None else instants.day(written)
    later -= {at_once, ""}
    return min(later) if later else None


def _once(items: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(items))

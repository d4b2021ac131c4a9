"""What a record was made from, and what was made from it, through any number of rewrites.

Only what files and rules assert is followed. Where a person wrote the new record, the person
answers for it, and the old one was decided on by that very act.

What a record was made from is read from the log: a link that is missing from a list would take a
warning off a card. What was made from it is only ever found by a list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import pandas as pd

from review.leaves import leaves_of
from store import queries
from store.cells import Asserter, EdgeKind
from store.log import Store

MOST: Final = 1_000
"""Records that one search looks at; of a larger family the nearest."""

MADE_FROM: Final = frozenset({EdgeKind.DERIVED_FROM})
REWRITES: Final = frozenset({EdgeKind.DERIVED_FROM, EdgeKind.SUPERSEDES})


_Link = tuple[str, str, str, str]
"""The record that was made, the kind, what it was made from, and who says so."""


@dataclass(frozen=True, slots=True)
class Relative:
    """A record above or below another one."""

    item: str
    steps: int
    """How many links away, at least 1."""


@dataclass(frozen=True, slots=True)
class Ancestry:
    """What a record was made from, nearest first."""

    relatives: tuple[Relative, ...]
    originals: tuple[Relative, ...]
    """Those that name nothing they were made from."""


def ancestry(store: Store, item: str, kinds: frozenset[EdgeKind] = MADE_FROM) -> Ancestry:
    """Everything above ``item``. A run is no record and ends the search like an original."""
    found = _walk(store, item, kinds, up=True)
    made = {source for source, _ in found.links}
    relatives = tuple(Relative(one, steps) for one, steps in found.steps.items())
    originals = tuple(one for one in relatives if one.item not in made)
    return Ancestry(relatives, originals)


def descendants(
    store: Store, item: str, kinds: frozenset[EdgeKind] = MADE_FROM
) -> tuple[Relative, ...]:
    """Everything below ``item``, nearest first."""
    found = _walk(store, item, kinds, up=False)
    return tuple(Relative(one, steps) for one, steps in found.steps.items())


@dataclass(frozen=True, slots=True)
class _Found:
    steps: Mapping[str, int]
    links: tuple[tuple[str, str], ...]


def _walk(store: Store, item: str, kinds: frozenset[EdgeKind], *, up: bool) -> _Found:
    """Breadth first, so that a circle ends and the nearest way counts."""
    told = _stated if up else _listed
    steps: dict[str, int] = {}
    links: list[tuple[str, str]] = []
    edge: list[str] = [item]
    while edge and len(steps) < MOST:
        following: dict[str, None] = {}
        for below, kind, above, asserter in told(store, edge):
            if kind not in kinds or asserter == Asserter.PERSON:
                continue
            other = above if up else below
            links.append((below, above))
            if other != item and other not in steps:
                following[other] = None
        depth = 1 + max(steps.values(), default=0)
        steps |= dict.fromkeys(following, depth)
        edge = list(following)
    return _Found(steps, tuple(links))


def _stated(store: Store, items: Sequence[str]) -> Iterator[_Link]:
    """Links out of ``items``, as their artifacts state them."""
    rows = store.rows(queries.ITEMS, {"wanted": _named(items)})
    for leaf in sorted(leaves_of(store, rows), key=lambda one: str(one["item"])):
        for kind, target, _strength, asserter in leaf["artifact"]["edges"]:
            yield str(leaf["item"]), str(kind), str(target), str(asserter)


def _listed(store: Store, items: Sequence[str]) -> Iterator[_Link]:
    """Links into ``items``, as a list has them."""
    for row in store.rows(queries.EDGES_TO_EACH, {"wanted": _named(items)}):
        yield str(row["item"]), str(row["kind"]), str(row["target"]), str(row["asserter"])


def _named(items: Iterable[str]) -> pd.DataFrame:
    return pd.DataFrame({"item": pd.Series(list(items), dtype="str")})

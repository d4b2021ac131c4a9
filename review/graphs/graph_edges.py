"""How one cell bears on others at a moment: every edge, with who asserts it and since when.

Three asserters. A rule finds an edge in the facts of durable cells, a source states it in an
artifact, a person signs it. The same edge can have several; a person's denial takes away what a
rule or a source says, so what was denied is not among the edges.

Source: the gate's specification, section 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from review import instants
from review.graphs.open_conflicts import conflicting_with
from review.memory.columns import NOBODY, Ints
from review.memory.conflicts import CANCELLED, CLEARLY_LATER, STATES
from review.memory.knowing import Known
from store.cells import Asserter, EdgeKind
from store.link_standing import StandingLink
from store.links import EITHER_WAY
from store.standing import Standing

MOST: Final = 200
"""Edges of one kind that are looked at from one cell at most."""

SAME_FACT: Final = 1.0
"""Strength of an edge between cells that state the same fact."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """Who says that an edge holds."""

    asserter: Asserter
    strength: float
    """In [0, 1]."""

    since: str
    """Record time: when it was signed, or when the last of its two cells became durable."""

    by: str = ""
    """Id of the reviewer, of a person's."""

    note: str = ""
    """Commitment of the reviewer's reason; blank without one."""


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """One edge between two items with everybody who asserts it, the strongest first."""

    kind: EdgeKind
    source: str
    target: str
    assertions: tuple[Assertion, ...]
    effect: str = ""
    """World time from which a superseding counts: a date or an instant; blank for others."""

    @property
    def strength(self) -> float:
        """The strongest assertion, in [0, 1]."""
        return max(one.strength for one in self.assertions)

    @property
    def person(self) -> Assertion | None:
        """What a person signed, if somebody did."""
        return next((one for one in self.assertions if one.asserter is Asserter.PERSON), None)

    @property
    def found(self) -> bool:
        """Whether somebody else than a person says so: taking back a signature is not enough."""
        return any(one.asserter is not Asserter.PERSON for one in self.assertions)


@dataclass(frozen=True, slots=True)
class _Half:
    """One assertion of an edge between two rows, before it is joined with the others."""

    kind: EdgeKind
    source: int
    target: int
    asserter: Asserter
    strength: float
    effect: str = ""


class EdgesOf:
    """The edges of each cell of one moment. Look-ups are made once and searched after that."""

    def __init__(self, known: Known, standing: Standing, at: int) -> None:
        """For ``known``, which is what ``standing`` makes durable, as of the world time ``at``."""
        self._known, self._standing, self._at = known, standing, at
        self._items = known.cells.text("item")

    def edges(self, row: int) -> tuple[GraphEdge, ...]:
        """All edges of a cell, in the order of ``EdgeKind``, then by the other cell."""
        told: dict[tuple[EdgeKind, int, int], list[_Half]] = {}
        for half in self._halves(row):
            ends = (half.source, half.target)
            if half.kind in EITHER_WAY:
                ends = (min(ends), max(ends))
            told.setdefault((half.kind, *ends), []).append(half)
        edges = [self._joined(ends, halves) for (_, *ends), halves in told.items()]
        kinds = list(EdgeKind)
        return tuple(
            sorted(edges, key=lambda one: (kinds.index(one.kind), one.source, one.target))
        )

    def _halves(self, row: int) -> Iterator[_Half]:
        yield from self._closings(row)
        yield from self._premises(row)
        yield from self._in_slots(row)
        edges = self._known.cells.edges
        for order, keys in self._by_end:
            low, high = np.searchsorted(keys, [row, row + 1])
            for edge in order[low:high][:MOST].tolist():
                yield _Half(
                    EdgeKind(edges.kind[edge]),
                    int(edges.source[edge]),
                    int(edges.target[edge]),
                    Asserter(edges.asserter[edge]),
                    float(edges.strength[edge]),
                    self._starts(edges.source[edge]) if edges.kind[edge] == "supersedes" else "",
                )

    def _closings(self, row: int) -> Iterator[_Half]:
        """Facts of the cell that others close, and facts of others that it closes."""
        facts, told = self._known.cells.facts, self._known.life.closings
        mine = [fact for fact in self._known.cells.facts_of(row) if told.by[fact] >= 0]
        order, keys = self._by_closer
        low, high = np.searchsorted(keys, [row, row + 1])
        for fact in [*mine, *order[low:high][:MOST].tolist()]:
            if facts.role[fact] != STATES:
                continue  # what rests on a closed value is stale, not superseded
            strength = CANCELLED if told.cancelled[fact] else CLEARLY_LATER
            newer, older = int(told.by[fact]), int(facts.cell[fact])
            effect = instants.day(int(told.at[fact]))
            yield _Half(EdgeKind.SUPERSEDES, newer, older, Asserter.RULE, strength, effect)

    def _premises(self, row: int) -> Iterator[_Half]:
        """Dependencies that were found: stated ones come with the links."""
        links = self._known.life.links
        order, keys = self._by_dependent
        low, high = np.searchsorted(keys, [row, row + 1])
        both = [*order[low:high][:MOST], *self._known.links_from(np.array([row]))[:MOST]]
        for link in both:
            if link >= self._stated:
                one, two = int(links.dependent[link]), int(links.premise[link])
                yield _Half(EdgeKind.DEPENDS_ON, one, two, Asserter.RULE, 1.0)

    def _in_slots(self, row: int) -> Iterator[_Half]:
        """Cells that state another value, or the same one, of the same parameter."""
        cells, facts = self._known.cells, self._known.cells.facts
        for cell, strength in conflicting_with(row, self._known, self._at):
            yield _Half(EdgeKind.CONFLICTS_WITH, row, cell, Asserter.RULE, strength)
        mine = np.array(cells.facts_of(row), dtype=np.int64)
        mine = mine[(facts.role[mine] == STATES) & (facts.value[mine] != NOBODY)]
        if not len(mine):
            return
        which, other = self._known.slots.same_slot(mine)
        same = (facts.value[other] == facts.value[mine[which]]) & (facts.cell[other] != row)
        for cell in np.unique(facts.cell[other[same]])[:MOST].tolist():
            newer, older = (row, cell) if cells.written[row] > cells.written[cell] else (cell, row)
            yield _Half(EdgeKind.DUPLICATE_OF, newer, older, Asserter.RULE, SAME_FACT)

    def _joined(self, ends: list[int], halves: list[_Half]) -> GraphEdge:
        """One edge of all that assert it; ``ends`` are in order where it has no direction."""
        told: dict[Asserter, Assertion] = {}
        for half in sorted(halves, key=lambda one: -one.strength):
            told.setdefault(half.asserter, self._assertion(half))
        effects = sorted(half.effect for half in halves if half.effect)
        source, target = (str(self._items[row]) for row in ends)
        effect = effects[0] if effects else ""
        return GraphEdge(halves[0].kind, source, target, tuple(told.values()), effect)

    def _assertion(self, half: _Half) -> Assertion:
        source, target = str(self._items[half.source]), str(self._items[half.target])
        if half.asserter is Asserter.PERSON:
            for one in self._signed.get(source, ()):
                link = one.link
                ends = {link.start.item, link.target.item}
                if link.kind is half.kind and ends == {source, target}:
                    note = link.note or ""
                    return Assertion(half.asserter, half.strength, one.signed_at, one.by, note)
        stands = [self._standing.items.get(item) for item in (source, target)]
        since = [one.signed_at for one in stands if one is not None]
        if half.asserter is Asserter.SOURCE:
            since = since[:1]
        return Assertion(half.asserter, half.strength, max(since, default=""))

    def _starts(self, row: int) -> str:
        return instants.day(int(self._known.cells.start[row]))

    @cached_property
    def _signed(self) -> dict[str, list[StandingLink]]:
        """What people said, by each of its two items."""
        told: dict[str, list[StandingLink]] = {}
        for one in self._standing.links.values():
            for end in (one.link.start, one.link.target):
                told.setdefault(end.item, []).append(one)
        return told

    @cached_property
    def _stated(self) -> int:
        """How many of the dependencies are links of artifacts or people; they come first."""
        return int((self._known.cells.edges.kind == "depends_on").sum())

    @cached_property
    def _by_end(self) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints]]:
        edges = self._known.cells.edges
        return _sorted(edges.source), _sorted(edges.target)

    @cached_property
    def _by_closer(self) -> tuple[Ints, Ints]:
        return _sorted(self._known.life.closings.by)

    @cached_property
    def _by_dependent(self) -> tuple[Ints, Ints]:
        return _sorted(self._known.life.links.dependent)


def _sorted(keys: Ints) -> tuple[Ints, Ints]:
    order = np.argsort(keys, kind="stable")
    return order, keys[order]

"""The graph around chosen cells: who overrides, contradicts and carries whom, a few steps away.

It is read for one moment of record time and one of world time, and it is drawn by position: x is
the time from which a cell holds, y is the lane of its parameter. The same cells stand at the same
place on every visit.

Source: ux specification, section 7.2.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from review import instants
from review.graphs.graph_edges import EdgesOf, GraphEdge
from review.memory.conflicts import STATES
from review.memory.knowing import Known
from review.memory.validity import Status
from store.cells import EdgeKind
from store.standing import Standing

MOST_NODES: Final = 40
"""Cells in one picture: what a person can take in."""

MOST_STEPS: Final = 3
MOST_FOUND: Final = 400
"""Cells that are looked for around a focus; beyond it the count is "at least"."""

_NEAREST: Final = (
    EdgeKind.CONFLICTS_WITH,
    EdgeKind.CONTRADICTS,
    EdgeKind.SUPERSEDES,
    EdgeKind.DEPENDS_ON,
    EdgeKind.DERIVED_FROM,
    EdgeKind.SUPPORTS,
    EdgeKind.DUPLICATE_OF,
)
"""Of cells equally many steps away, those come first whose edge a person has to look at first."""


@dataclass(frozen=True, slots=True)
class Node:
    """One cell of a picture. Claim, parameter and value are foreign texts."""

    item: str
    claim: str
    kind: str
    parameter: str
    """Key of the first parameter it states; blank for none. It is the lane."""

    value: str
    status: Status
    validity: float
    start: int
    """From when it holds, an instant; the time of writing where the source gives none."""

    start_known: bool
    end: int
    """Until when it holds: its own end, its superseding or its fall; ``NEVER`` if open."""

    guard: str
    """Why nothing that is only found may supersede it; blank if nothing keeps it."""

    steps: int
    """Steps from the focus."""


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn around a focus."""

    focus: tuple[str, ...]
    nodes: tuple[Node, ...]
    """The nearest first."""

    edges: tuple[GraphEdge, ...]
    """All edges between the nodes, once each."""

    steps: int
    found: int
    """How many cells there are within the steps."""

    more: bool
    """Whether there are more than ``found``: nobody counted on."""

    ring: tuple[str, ...]
    """Cells that depend on each other in a circle; the order of dates is used for them."""

    @property
    def cut(self) -> int:
        """How many cells were left out of the picture."""
        return self.found - len(self.nodes)

    def node(self, item: str) -> Node | None:
        """A node by its item."""
        return next((one for one in self.nodes if one.item == item), None)

    def edges_of(self, item: str) -> tuple[GraphEdge, ...]:
        """The edges at one node."""
        return tuple(one for one in self.edges if item in (one.source, one.target))


class Graph:
    """The graph of one moment."""

    def __init__(self, known: Known, standing: Standing, at: int) -> None:
        """For ``known``, which ``standing`` makes durable, as of the world time ``at``."""
        self._known, self._at = known, at
        self._edges = EdgesOf(known, standing, at)

    def edges(self, item: str) -> tuple[GraphEdge, ...]:
        """All edges of one cell; none if it is not durable at this moment."""
        row = self._known.cells.row_of.get(item)
        return () if row is None else self._edges.edges(row)

    def node(self, item: str, steps: int = 0) -> Node | None:
        """One cell as it is at this moment; None if it is not durable then."""
        row = self._known.cells.row_of.get(item)
        return None if row is None else self._node(row, steps)

    def around(
        self,
        items: Collection[str],
        *,
        steps: int = 1,
        kinds: Iterable[EdgeKind] = EdgeKind,
        most: int = MOST_NODES,
    ) -> Picture:
        """The cells at most ``steps`` edges away from ``items``, the nearest first.

        Args:
            items: The focus. Items that are not durable at this moment are passed over.
            steps: 1 to 3.
            kinds: Edges that are followed and drawn.
            most: Cells in the picture at most; how many were cut is in it.
        """
        wanted = frozenset(kinds)
        rows = self._known.cells.row_of
        focus = tuple(item for item in dict.fromkeys(items) if item in rows)
        reached: dict[str, int] = dict.fromkeys(focus, 0)
        edges: dict[tuple[EdgeKind, str, str], GraphEdge] = {}
        front, looked, more = list(focus), set[str](), False
        for step in range(1, min(max(steps, 1), MOST_STEPS) + 1):
            near: dict[str, int] = {}
            for item in front:
                for edge in self._of(item, wanted, looked, edges):
                    other = edge.target if edge.source == item else edge.source
                    rank = _NEAREST.index(edge.kind)
                    if other not in reached:
                        near[other] = min(rank, near.get(other, rank))
            front = sorted(near, key=lambda item: (near[item], rows[item]))
            room = MOST_FOUND - len(reached)
            more = more or len(front) > room
            front = front[:room]
            reached |= dict.fromkeys(front, step)
        shown = list(reached)[:most]
        for item in shown:
            list(self._of(item, wanted, looked, edges))
        here = frozenset(shown)
        drawn = tuple(one for one in edges.values() if {one.source, one.target} <= here)
        return Picture(
            focus=focus,
            nodes=tuple(self._node(rows[item], reached[item]) for item in shown),
            edges=drawn,
            steps=steps,
            found=len(reached),
            more=more,
            ring=_ring(drawn),
        )

    def _of(
        self,
        item: str,
        wanted: frozenset[EdgeKind],
        looked: set[str],
        edges: dict[tuple[EdgeKind, str, str], GraphEdge],
    ) -> list[GraphEdge]:
        told = (
            [one for one in self.edges(item) if one.kind in wanted] if item not in looked else []
        )
        looked.add(item)
        edges |= {(one.kind, one.source, one.target): one for one in told}
        return told

    def _node(self, row: int, steps: int) -> Node:
        cells, life = self._known.cells, self._known.life
        parameter, value = self._lane(row)
        worth = life.validity(self._at, cells.durable, slice(row, row + 1))
        return Node(
            item=str(cells.text("item")[row]),
            claim=str(cells.text("claim")[row]),
            kind=str(cells.text("kind")[row]),
            parameter=parameter,
            value=value,
            status=life.status(row, self._at, durable=bool(cells.durable[row])),
            validity=float(worth[0]),
            start=int(cells.start[row]),
            start_known=bool(cells.start_known[row]),
            end=int(life.ends[row]),
            guard=str(cells.guards[row]),
            steps=steps,
        )

    def _lane(self, row: int) -> tuple[str, str]:
        """The parameter that a cell stands for in a picture, and its value."""
        cells, facts = self._known.cells, self._known.cells.facts
        for fact in cells.facts_of(row):
            if facts.role[fact] == STATES and facts.parameter[fact]:
                parameter = cells.parameter_names[int(facts.parameter[fact])]
                return parameter, cells.name_texts[int(facts.value[fact])]
        return "", ""


def _ring(edges: Iterable[GraphEdge]) -> tuple[str, ...]:
    """Items on a circle of dependencies, in order of their ids."""
    rests: dict[str, set[str]] = {}
    for edge in edges:
        if edge.kind is EdgeKind.DEPENDS_ON:
            rests.setdefault(edge.source, set()).add(edge.target)
    told = []
    for item in rests:
        seen, front = set[str](), set(rests[item])
        while front:
            seen |= front
            front = {far for near in front for far in rests.get(near, ())} - seen
        if item in seen:
            told.append(item)
    return tuple(sorted(told))


def held(node: Node) -> tuple[str, str]:
    """From when and until when a cell holds, as people read it; blank for open ends."""
    start = "" if node.start == instants.ALWAYS else instants.day(node.start)
    return start, "" if node.end == instants.NEVER else instants.day(node.end)

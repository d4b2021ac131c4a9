"""Where the cells of a picture stand: x is time, y is the lane of a parameter.

Nothing is drawn at random and nothing is simulated: the same picture has the same places on every
visit. Cells of one lane that would cover each other stand one row lower.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from review import instants
from review.graphs.graph import Node, Picture
from review.graphs.graph_edges import GraphEdge

CLOSE: Final = 0.2
"""Share of the shown time that a cell and its words take; nearer ones need a row of their own."""

POINTS: Final = 17
"""Points of an edge."""

_DAY: Final = 86_400_000_000
_ARM: Final = 0.35
"""How far an edge between cells of one row bends away from it, in rows."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A node with its place: ``x`` an instant, ``y`` a row from 0."""

    node: Node
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Lane:
    """A lane: its parameter (foreign text, blank for none) and its rows ``[first, last]``."""

    parameter: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Curve:
    """An edge as ``POINTS`` points from its source to its target, in instants and rows."""

    edge: GraphEdge
    points: tuple[tuple[int, float], ...]

    @property
    def middle(self) -> tuple[int, float]:
        """Where its words stand."""
        return self.points[POINTS // 2]


@dataclass(frozen=True, slots=True)
class Layout:
    """A picture with every place decided."""

    nodes: tuple[Placed, ...]
    lanes: tuple[Lane, ...]
    curves: tuple[Curve, ...]
    first: int
    last: int
    """The shown time, instants."""

    @property
    def rows(self) -> int:
        """How many rows there are; at least 1."""
        return max((lane.last for lane in self.lanes), default=0) + 1


def layout(picture: Picture) -> Layout:
    """The places of a picture's cells and edges."""
    known = [one.start for one in picture.nodes if abs(one.start) < instants.NEVER // 2]
    low, high = (min(known), max(known)) if known else (0, 0)
    span = max(high - low, 30 * _DAY)
    at = {one.item: _x(one, low) for one in picture.nodes}
    lanes, placed, top = [], [], 0
    for parameter in _lanes(picture):
        mine = [one for one in picture.nodes if one.parameter == parameter]
        rows = _rows(mine, at, int(span * CLOSE))
        placed += [Placed(one, at[one.item], top + rows[one.item]) for one in mine]
        last = top + max(rows.values())
        lanes.append(Lane(parameter, top, last))
        top = last + 1
    where = {one.node.item: one for one in placed}
    curves = [_curve(one, where, n, span) for n, one in enumerate(picture.edges)]
    return Layout(tuple(placed), tuple(lanes), tuple(curves), low, low + span)


def _x(node: Node, low: int) -> int:
    return low if abs(node.start) >= instants.NEVER // 2 else node.start


def _lanes(picture: Picture) -> list[str]:
    """Parameters: those of the focus first, then by name; cells without one come last."""
    focus = [one.parameter for one in picture.nodes if one.item in picture.focus]
    first = list(dict.fromkeys(focus))
    rest = sorted({one.parameter for one in picture.nodes} - set(first))
    told = [*first, *rest]
    return [one for one in told if one] + [one for one in told if not one]


def _rows(nodes: Sequence[Node], at: dict[str, int], close: int) -> dict[str, int]:
    """The row of each node in its lane: the first one where nothing is near."""
    taken: list[int] = []
    told: dict[str, int] = {}
    for one in sorted(nodes, key=lambda node: (at[node.item], node.item)):
        x = at[one.item]
        row = next((n for n, last in enumerate(taken) if x - last >= close), len(taken))
        if row == len(taken):
            taken.append(x)
        taken[row] = x
        told[one.item] = row
    return told


def _curve(edge: GraphEdge, where: dict[str, Placed], n: int, span: int) -> Curve:
    """A quadratic curve; edges of one row bend out of it, and every second one the other way."""
    one, two = where[edge.source], where[edge.target]
    bend = _ARM * (1 if n % 2 else -1)
    across = int(0.03 * span) * (1 if n % 2 else -1)
    middle_x, middle_y = (one.x + two.x) / 2, (one.y + two.y) / 2
    if one.y == two.y:
        middle_y += 2 * bend
    else:
        middle_x += 2 * across
    points = []
    for step in range(POINTS):
        t = step / (POINTS - 1)
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t**2
        points.append(
            (int(a * one.x + b * middle_x + c * two.x), a * one.y + b * middle_y + c * two.y)
        )
    return Curve(edge, tuple(points))

"""The edges of a picture: a dash, a colour and a word for each kind, and heads for the way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import altair as alt
import pandas as pd

from console.cards.inks import ink, paper
from console.cards.visit import Visit
from review import instants
from review.graphs.graph_layout import Curve, Layout
from store.cells import EdgeKind
from store.links import EITHER_WAY

DASHES: Final[dict[EdgeKind, tuple[list[float], str]]] = {
    EdgeKind.CONFLICTS_WITH: ([1, 0], "#D55E00"),
    EdgeKind.CONTRADICTS: ([12, 3], "#D55E00"),
    EdgeKind.SUPERSEDES: ([2, 4], "#B0568A"),
    EdgeKind.DEPENDS_ON: ([9, 5], "#0072B2"),
    EdgeKind.DERIVED_FROM: ([9, 3, 2, 3], "#007A5A"),
    EdgeKind.SUPPORTS: ([4, 3], "#007A5A"),
    EdgeKind.DUPLICATE_OF: ([1, 6], "#767676"),
}
"""Dash and colour of each kind of edge."""

_WORDED: Final = 16
"""Edges that have their words beside them; of more, the legend and the table tell."""

_WIDTH: Final = 760
"""Pixels for which the heads of arrows are turned."""

_APART: Final = 19.0
"""Pixels between the head of an arrow and the middle of its cell."""


def edges(
    visit: Visit, placed: Layout, x: alt.X, y: alt.Y, span: tuple[int, int], row: int
) -> list[Any]:
    """The layers that draw the edges; ``span`` is the shown time, ``row`` the pixels of a row."""
    if not placed.curves:
        return []
    points = pd.DataFrame(
        [
            {"edge": n, "step": step, "x": iso(px), "y": py, "kind": str(one.edge.kind)}
            for n, one in enumerate(placed.curves)
            for step, (px, py) in enumerate(one.points)
        ]
    )
    words = pd.DataFrame(
        [
            {
                "x": iso(one.middle[0]),
                "y": one.middle[1],
                "kind": str(one.edge.kind),
                "words": f"{visit.say.plain(f'edge.{one.edge.kind}')} {one.edge.strength:.2f}",
            }
            for one in placed.curves[:_WORDED]
            if len(placed.curves) <= _WORDED
        ],
        columns=["x", "y", "kind", "words"],
    )
    kinds = [str(kind) for kind in DASHES]
    colour = alt.Color(
        "kind:N", scale=scale(kinds, [told[1] for told in DASHES.values()]), legend=None
    )
    dash = alt.StrokeDash(
        "kind:N", scale=scale(kinds, [told[0] for told in DASHES.values()]), legend=None
    )
    lines = (
        alt.Chart(points)
        .mark_line(strokeWidth=2)
        .encode(x=x, y=y, color=colour, strokeDash=dash, detail="edge:N", order="step:Q")
    )
    halo: dict[str, Any] = {
        "align": "center",
        "baseline": "middle",
        "fontSize": 11,
        "fontWeight": 600,
    }
    base = alt.Chart(words).encode(x=x, y=y, text="words:N")
    under = base.mark_text(**halo, stroke=paper(), strokeWidth=4, strokeOpacity=0.85)
    told = [lines, under, base.mark_text(**halo, color=ink())]
    heads = _heads(placed.curves, span, row)
    if heads:
        arrows = (
            alt.Chart(pd.DataFrame(heads))
            .mark_point(shape="triangle", filled=True, size=110, opacity=1)
            .encode(x=x, y=y, color=colour, angle=alt.Angle("angle:Q", scale=None))
        )
        told.append(arrows)
    return told


def _heads(curves: Sequence[Curve], span: tuple[int, int], row: int) -> list[dict[str, Any]]:
    """Arrow heads beside the target; a conflict has no direction and so none."""
    (low, high), told = span, []
    for one in curves:
        if one.edge.kind in EITHER_WAY:
            continue
        places = [((x - low) / (high - low) * _WIDTH, y * row) for x, y in one.points]
        end = places[-1]
        apart = [math.dist(place, end) for place in places]
        n = next((n for n in range(len(places) - 2, 0, -1) if apart[n] >= _APART), 1)
        (x1, y1), (x2, y2) = places[n - 1], places[n]
        # Between two points: as near to the target as the sign of the cell allows.
        share = min(1.0, max(0.0, (apart[n] - _APART) / max(apart[n] - apart[n + 1], 1.0)))
        (px, py), (qx, qy) = one.points[n], one.points[n + 1]
        angle = math.degrees(math.atan2(x2 - x1, -(y2 - y1)))
        at = (int(px + (qx - px) * share), py + (qy - py) * share)
        told.append(
            {"x": iso(at[0]), "y": at[1], "kind": str(one.edge.kind), "angle": angle % 360}
        )
    return told


def sign(kind: EdgeKind) -> str:
    """A kind of edge as a sign in text."""
    return {
        EdgeKind.CONFLICTS_WITH: "───",
        EdgeKind.CONTRADICTS: "━ ━",
        EdgeKind.SUPERSEDES: "····›",
        EdgeKind.DEPENDS_ON: "─ ─›",
        EdgeKind.DERIVED_FROM: "─·─›",
        EdgeKind.SUPPORTS: "╌╌›",
        EdgeKind.DUPLICATE_OF: "· · ·",
    }[kind]


def scale(domain: Sequence[Any], told: Sequence[Any]) -> alt.Scale:
    """A scale from names to what they are drawn as."""
    return alt.Scale(domain=list(domain), range=list(told))


def iso(instant: int) -> str:
    """An instant as Vega reads it."""
    moment = instants.moment_of(instant)
    return "1970-01-01T00:00:00Z" if moment is None else moment.isoformat()

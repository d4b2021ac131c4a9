"""The picture of a conflict: x is time, y is the lane of a parameter, cells by shape and word.

Nothing is told by colour alone: a status has a shape and a word, an edge a dash and a word. The
colours are Okabe and Ito's. Foreign words are text marks, which Vega draws as they are.
"""

from __future__ import annotations

from typing import Any, Final

import altair as alt
import pandas as pd
import streamlit as st

from console.cards import untrusted
from console.cards.graph_lines import DASHES, edges, iso, scale, sign
from console.cards.inks import ink, paper
from console.cards.visit import Visit
from review.graphs.graph import Picture
from review.graphs.graph_layout import Layout, Placed, layout
from review.memory.validity import Status

SHAPES: Final = {
    Status.STABLE: ("circle", "●"),
    Status.ACTIVE: ("square", "■"),
    Status.CANDIDATE: ("triangle-up", "▲"),
    Status.STALE: ("diamond", "◆"),
    Status.SUPERSEDED: ("cross", "✚"),
}
"""The shape of each status in a chart, and as a sign in text."""

FILLS: Final = {
    Status.STABLE: "#0072B2",
    Status.ACTIVE: "#009E73",
    Status.CANDIDATE: "#56B4E9",
    Status.STALE: "#E69F00",
    Status.SUPERSEDED: "#8C8C8C",
}
DAYS: Final = "%Y-%m-%d"
"""How an axis writes time: Vega's own month names are English."""

RING: Final = "⟳ "
"""Before the name of a cell that depends on itself through others."""

_ROW: Final = 76
_LOWEST_ROW: Final = 34
_TALLEST: Final = 640
"""Pixels of a row, and of a picture before its rows get lower."""

_LABEL: Final = 30
_PICK: Final = "pick"


def draw(visit: Visit, picture: Picture, *, at: int, chosen: str, alt_text: str) -> str:
    """Draw a picture. Returns the item of the node that was clicked; blank if none was."""
    placed = layout(picture)
    told = st.altair_chart(
        _chart(visit, placed, at=at, chosen=chosen, ring=frozenset(picture.ring)),
        key=f"graph-{'-'.join(picture.focus)[:80]}-{picture.steps}",
        on_select="rerun",
        selection_mode=_PICK,
        width="stretch",
        alt=alt_text,
    )
    found: Any = dict(told).get("selection", {}).get(_PICK, [])
    return str(found[0].get("id", "")) if found else ""


def legend(visit: Visit, picture: Picture) -> None:
    """The signs that are in the picture, in words."""
    say = visit.say
    signs = [
        f"{SHAPES[one][1]} {say.plain(f'status.{one}')}"
        for one in SHAPES
        if any(node.status is one for node in picture.nodes)
    ]
    kinds = [one for one in DASHES if any(edge.kind is one for edge in picture.edges)]
    lines = [f"{sign(one)} {say.plain(f'edge.{one}')}" for one in kinds]
    open_ = [] if all(node.start_known for node in picture.nodes) else [say.plain("graph.since")]
    st.text("   ".join([*signs, *lines, *open_]))


def _chart(
    visit: Visit, placed: Layout, *, at: int, chosen: str, ring: frozenset[str]
) -> alt.LayerChart | alt.FacetChart:
    pad = (placed.last - placed.first) // 16
    low, high = placed.first - 3 * pad, placed.last + 5 * pad
    row = max(_LOWEST_ROW, min(_ROW, _TALLEST // placed.rows))
    height = row * placed.rows + 10
    x = alt.X(
        "x:T",
        title=None,
        scale=alt.Scale(type="utc", domain=[iso(low), iso(high)], nice=False),
        axis=alt.Axis(grid=True, gridOpacity=0.35, labelFontSize=11, tickCount=6, format=DAYS),
    )
    y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[placed.rows - 0.5, -0.5], zero=False))
    layers = [
        _lanes(visit, placed, y),
        *edges(visit, placed, x, y, (low, high), row),
        *_nodes(visit, placed, x, y, chosen, ring),
    ]
    if low < at < high:
        now = alt.Chart(pd.DataFrame({"x": [iso(at)]})).mark_rule(
            strokeDash=[1, 2], color=ink(), opacity=0.7
        )
        layers.insert(0, now.encode(x=x))
    return alt.layer(*layers).properties(height=height)


def _lanes(visit: Visit, placed: Layout, y: alt.Y) -> alt.LayerChart | alt.FacetChart:
    """A band for each parameter with its name at the left."""
    rows = [
        {
            "y": lane.first - 0.5,
            "y2": lane.last + 0.5,
            "name": untrusted.cell(lane.parameter, _LABEL) or visit.say.plain("graph.no_lane"),
            "even": n % 2,
        }
        for n, lane in enumerate(placed.lanes)
    ]
    base = alt.Chart(pd.DataFrame(rows))
    bands = base.mark_rect(color="#7F7F7F").encode(
        y=y,
        y2="y2:Q",
        opacity=alt.Opacity("even:N", scale=scale([0, 1], [0.05, 0.12]), legend=None),
    )
    names = base.mark_text(
        align="left", baseline="top", dx=6, dy=5, fontSize=12, fontWeight=600, color=ink()
    ).encode(y=y, x=alt.value(0), text="name:N")
    return alt.layer(bands, names)


def _nodes(
    visit: Visit, placed: Layout, x: alt.X, y: alt.Y, chosen: str, ring: frozenset[str]
) -> list[Any]:
    nodes = pd.DataFrame([_node(visit, one, chosen, ring) for one in placed.nodes])
    statuses = [str(one) for one in SHAPES]
    shape = alt.Shape(
        "status:N", scale=scale(statuses, [told[0] for told in SHAPES.values()]), legend=None
    )
    fill = alt.Fill("status:N", scale=scale(statuses, list(FILLS.values())), legend=None)
    pick = alt.selection_point(name=_PICK, fields=["id"], on="click", empty=False)
    base = alt.Chart(nodes).encode(x=x, y=y)
    ring = base.transform_filter("datum.chosen").mark_point(
        shape="circle", size=620, filled=False, stroke=ink(), strokeWidth=2
    )
    marks = (
        base.mark_point(size=230, filled=True, opacity=1, stroke=ink(), strokeWidth=1)
        .encode(shape=shape, fill=fill, tooltip=[alt.Tooltip("tip:N", title=None)])
        .add_params(pick)
    )
    text: dict[str, Any] = {
        "align": "left",
        "baseline": "middle",
        "dx": 13,
        "fontSize": 12,
        "color": ink(),
    }
    halo: dict[str, Any] = {"stroke": paper(), "strokeWidth": 4, "strokeOpacity": 0.85}
    name = base.encode(text="label:N")
    word = base.encode(text="word:N")
    return [
        ring,
        name.mark_text(**text, **halo, dy=-7),
        word.mark_text(**(text | {"fontSize": 11}), **halo, dy=8),
        name.mark_text(**text, dy=-7, fontWeight=600),
        word.mark_text(**(text | {"fontSize": 11}), dy=8),
        marks,
    ]


def _node(visit: Visit, one: Placed, chosen: str, ring: frozenset[str]) -> dict[str, Any]:
    node = one.node
    word = visit.say.plain(f"status.{node.status}")
    return {
        "id": node.item,
        "x": iso(one.x),
        "y": one.y,
        "status": str(node.status),
        "label": (RING if node.item in ring else "")
        + untrusted.cell(node.value or node.claim, _LABEL),
        "word": f"{word}" + ("" if node.start_known else " · ?"),
        "tip": untrusted.cell(node.claim, 120),
        "chosen": node.item == chosen,
    }

"""When a cell and its versions held: a bar for each, its status printed in it, and a text twin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import altair as alt
import pandas as pd
import streamlit as st

from console.cards import untrusted
from console.cards.graph_chart import DAYS, FILLS, SHAPES
from console.cards.inks import ink
from console.cards.times import moment
from console.cards.visit import Visit
from review import instants
from review.graphs.graph import Node
from review.graphs.timeline import Piece

Told = tuple[Node, tuple[Piece, ...]]
"""A cell and the stretches of its life."""

_LIGHT: Final = "#FFFFFF"
_DARK: Final = "#111111"
_OVER: Final = "#D9D9D9"
_INKS: Final = {"STABLE": _LIGHT}
_DAY: Final = 86_400_000_000


def draw(visit: Visit, told: Sequence[Told], *, at: int, item: str) -> None:
    """Draw the bars of ``item`` and its versions, and the same in words."""
    say = visit.say
    rows = [row for n, one in enumerate(told) for row in _rows(visit, one, n, at, item)]
    if rows:
        st.altair_chart(
            _chart(rows, told, at),
            key=f"timeline-{item}",
            width="stretch",
            alt=say("timeline.alt", n=len(told)),
        )
    mine = next((pieces for node, pieces in told if node.item == item), ())
    st.text("   ".join(_words(visit, one) for one in mine))


def _words(visit: Visit, one: Piece) -> str:
    start, end = (_day(bound) for bound in (one.start, one.end))
    return f"{_status(visit, one)} {start or '…'} – {end or '…'}"


def _status(visit: Visit, one: Piece) -> str:
    if one.status is None:
        return visit.say.plain("timeline.over")
    return f"{SHAPES[one.status][1]} {visit.say.plain(f'status.{one.status}')}"


def _rows(visit: Visit, told: Told, n: int, at: int, item: str) -> list[dict[str, Any]]:
    node, pieces = told
    name = untrusted.cell(node.value or node.claim, 26)
    return [
        {
            "y": n,
            "x": _iso(max(one.start, at - 200 * 365 * _DAY)),
            "x2": _iso(_end(told, one, at)),
            "status": str(one.status or "OVER"),
            "word": (f"{name} · " if one is pieces[0] else "") + _status(visit, one),
            "ink": _INKS.get(str(one.status), _DARK),
            "edge": 2 if node.item == item else 0,
        }
        for one in pieces
    ]


def _end(told: Told, one: Piece, at: int) -> int:
    """Where a bar stops: open ones go on a little beyond the moment that is looked at."""
    if one.end != instants.NEVER:
        return one.end
    begin = max(one.start, told[1][0].start)
    return max(at, begin) + max((max(at, begin) - begin) // 8, 20 * _DAY)


def _chart(
    rows: list[dict[str, Any]], told: Sequence[Told], at: int
) -> alt.LayerChart | alt.FacetChart:
    frame = pd.DataFrame(rows)
    statuses = [*(str(one) for one in FILLS), "OVER"]
    x = alt.X(
        "x:T",
        title=None,
        scale=alt.Scale(type="utc", nice=False),
        axis=alt.Axis(labelFontSize=11, tickCount=6, format=DAYS),
    )
    y = alt.Y("y:O", axis=None, sort=None)
    fill = alt.Fill(
        "status:N",
        scale=alt.Scale(domain=statuses, range=[*FILLS.values(), _OVER]),
        legend=None,
    )
    base = alt.Chart(frame)
    bars = base.mark_bar(height=20, stroke=ink()).encode(
        x=x, x2="x2:T", y=y, fill=fill, strokeWidth=alt.StrokeWidth("edge:Q", scale=None)
    )
    words = base.mark_text(align="left", dx=5, fontSize=11, fontWeight=600, clip=True).encode(
        x=x, y=y, text="word:N", color=alt.Color("ink:N", scale=None)
    )
    now = alt.Chart(pd.DataFrame({"x": [_iso(at)]})).mark_rule(strokeDash=[4, 3], color=ink())
    height = 34 * len(told) + 34
    return alt.layer(bars, words, now.encode(x=x)).properties(height=height)


def _day(instant: int) -> str:
    if abs(instant) >= instants.NEVER:
        return ""
    return moment(instants.day(instant))


def _iso(instant: int) -> str:
    found = instants.moment_of(instant)
    return "1970-01-01T00:00:00Z" if found is None else found.isoformat()

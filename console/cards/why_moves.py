"""Then and now side by side: a dumbbell for each cell that moved, and the same as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import altair as alt
import pandas as pd
import streamlit as st

from console.cards import why_gate, why_words
from console.cards.visit import Visit
from console.cards.why_gate import Shown
from console.words import Say
from review.auditing.audit import Why
from review.auditing.then_and_now import Movement
from review.auditing.why import Row
from review.identities import short

MOST: Final = 40
"""Cells that the chart shows at most, those that moved first."""

_THEN: Final = "#0072B2"
_NOW: Final = "#E69F00"


def draw(visit: Visit, told: Why, as_: Shown) -> None:
    """Draw what moved between then and now, as ``as_`` says."""
    say = visit.say
    st.caption(say("why.diff.sizes", then=told.size, now=told.head))
    if not told.movements:
        st.info(say("why.nothing_found"))
        return
    moved = [one for one in told.movements if one.moved]
    if not moved:
        st.info(say("why.diff.same", n=len(told.movements)))
    elif as_.form == "bars":
        shown = sorted(moved, key=lambda one: not one.turned)[:MOST]
        st.altair_chart(_chart(say, shown), key="dumbbell", alt=say("why.diff.alt", n=len(moved)))
    rows = sorted(told.movements, key=lambda one: (not one.turned, not one.moved))
    _table(say, rows, as_)


def _chart(say: Say, rows: Sequence[Movement]) -> Any:  # noqa: ANN401 - Altair's own
    points, lines = [], []
    labels = [_label(one, say) for one in rows]
    for name, one in zip(labels, rows, strict=True):
        for when, row in (("then", one.then), ("now", one.now)):
            if row is not None:
                points.append(
                    {
                        "cell": name,
                        "when": say.plain(f"why.as.{when}"),
                        "F": row.score.score,
                        "theta": row.score.theta,
                        "word": why_words.word(say, row.verdict),
                        "below": 16 if when == "now" else -12,
                    }
                )
        if one.then is not None and one.now is not None:
            lines.append({"cell": name, "from": one.then.score.score, "to": one.now.score.score})
    y = alt.Y("cell:N", sort=labels, title=None, axis=alt.Axis(labelLimit=330, labelFontSize=12))
    x = alt.X("F:Q", scale=alt.Scale(domain=[0, 1]), title="F")
    names = [say.plain("why.as.then"), say.plain("why.as.now")]
    frame = pd.DataFrame(points)
    marks = (
        alt.Chart(frame)
        .mark_point(size=140, filled=True, opacity=1)
        .encode(
            y=y,
            x=x,
            shape=alt.Shape(
                "when:N", title=None, scale=alt.Scale(domain=names, range=["circle", "square"])
            ),
            color=alt.Color(
                "when:N", title=None, scale=alt.Scale(domain=names, range=[_THEN, _NOW])
            ),
        )
    )
    words = [
        alt.Chart(frame[frame["below"] == offset])
        .mark_text(dy=offset, fontSize=11)
        .encode(y=y, x=x, text="word:N")
        for offset in (-12, 16)
        if len(frame[frame["below"] == offset])
    ]
    limit = (
        alt.Chart(frame).mark_tick(thickness=2, size=30, color="#000000").encode(y=y, x="theta:Q")
    )
    parts = [limit, marks, *words]
    if lines:
        between = alt.Chart(pd.DataFrame(lines)).mark_rule(strokeWidth=2, color="#767676")
        parts.insert(0, between.encode(y=y, x="from:Q", x2="to:Q"))
    return alt.layer(*parts).properties(height=90 + 58 * len(rows))


def _label(one: Movement, say: Say) -> str:
    row = one.then or one.now
    return why_gate.label(row) if row is not None else short(one.item)


def _table(say: Say, rows: Sequence[Movement], as_: Shown) -> None:
    cells = [
        (
            "▲" if one.turned else "△" if one.moved else "",
            short(one.item),
            why_gate.words(one.then or one.now, say, as_.erased_by),
            _verdict(one.then, say),
            _number(one.then),
            _verdict(one.now, say),
            _number(one.now),
        )
        for one in rows
    ]
    st.dataframe(
        pd.DataFrame(
            cells,
            columns=["moved", "id", "cell", "then", "F_then", "now", "F_now"],
            dtype="str",
        ),
        hide_index=True,
        key="moves",
        row_height=34,
        height=min(38 + 34 * len(cells), 420),
        column_config={
            "moved": st.column_config.TextColumn(
                say("why.diff.moved"), width=70, help=say("why.diff.moved.help")
            ),
            "id": st.column_config.TextColumn(say("list.id"), width=90),
            "cell": st.column_config.TextColumn(say("facts.claim"), width=420),
            "then": st.column_config.TextColumn(say("why.as.then"), width=130),
            "F_then": st.column_config.TextColumn(say("why.f"), width=70),
            "now": st.column_config.TextColumn(say("why.as.now"), width=130),
            "F_now": st.column_config.TextColumn(say("why.f"), width=70),
        },
        alt=say("why.table.alt", n=len(cells)),
    )


def _verdict(row: Row | None, say: Say) -> str:
    return say.plain("why.diff.none") if row is None else why_words.word(say, row.verdict)


def _number(row: Row | None) -> str:
    return "–" if row is None else f"{row.score.score:.3f}"

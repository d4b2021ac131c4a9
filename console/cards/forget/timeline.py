"""Until when residues stay: a bar from today to its last day for each, and the same in words."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd
import streamlit as st

from console.cards.forget import places
from console.cards.inks import ink
from console.cards.visit import Visit
from review.forget.locations import Location


def draw(visit: Visit, left: Sequence[Location], *, today: str) -> None:
    """Draw the bars of every place of ``left`` that has a last day.

    Args:
        visit: The visit.
        left: Places of a report.
        today: YYYY-MM-DD, UTC.
    """
    say = visit.say
    dated = sorted((one for one in left if one.delete_by), key=lambda one: one.delete_by)
    if not dated:
        return
    st.subheader(say("forget.timeline"), anchor=False)
    rows = [
        {
            "name": f"{say.plain(f'forget.place.{one.kind}')} {places.named(one)}"[-60:],
            "from": min(today, one.delete_by),
            "to": max(today, one.delete_by),
            "state": say.plain("forget.overdue" if one.delete_by < today else "forget.stays"),
        }
        for one in dated
    ]
    states = [say.plain("forget.stays"), say.plain("forget.overdue")]
    base = alt.Chart(pd.DataFrame(rows))
    y = alt.Y("name:N", title=None, sort=None, axis=alt.Axis(labelLimit=420))
    bars = base.mark_bar(height=16, stroke=ink()).encode(
        x=alt.X("from:T", title=None, axis=alt.Axis(format="%Y-%m-%d", tickCount=6)),
        x2="to:T",
        y=y,
        color=alt.Color(
            "state:N",
            title=None,
            scale=alt.Scale(domain=states, range=["#0072B2", "#D55E00"]),
            legend=alt.Legend(orient="top"),
        ),
    )
    words = base.mark_text(align="left", dx=4, color=ink()).encode(x="to:T", y=y, text="state:N")
    st.altair_chart(
        (bars + words).properties(height=34 * len(rows) + 50),
        key="forget-timeline",
        width="stretch",
        alt=say("forget.timeline.alt", n=len(rows)),
    )

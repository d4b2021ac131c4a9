"""What became of admitted facts beside the question, of old conclusions, and where it sits.

The curve is the one that the benchmark measured (Q11), with how many cases and when; where no
measurement is shipped, that is said and nothing is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, Final

import altair as alt
import pandas as pd
import streamlit as st

from console import measured
from console.cards import untrusted, why_words
from console.cards.visit import Visit
from console.measured import Curve
from console.words import Say
from review.auditing.why import PartWhy, Row
from review.trimming.partition import Group
from review.trimming.trim import MIDDLE, zone_of

SIGNS: Final = {Group.SHARED: "=", Group.CONFLICTING: "/", Group.MEMORY_ONLY: "+"}
_Z: Final = 1.96
_LONG: Final = 60


def draw(visit: Visit, part: PartWhy, *, n: int, key: str) -> None:
    """The trim of one sub-question, folded: its heading says how much was withheld."""
    say = visit.say
    rows = [row for row in part.rows if row.trimmed is not None and row.cell is not None]
    if not rows:
        st.caption(say("trim.none"))
        return
    facts = [told for row in rows if row.trimmed is not None for told in row.trimmed.facts]
    held = sum(told.held is not None for told in facts)
    with st.expander(say("trim.title", n=len(facts), held=held), key=f"trim-fold-{key}-{n}"):
        st.subheader(say("trim.facts"), anchor=False)
        _facts(say, rows, n)
        left, right = st.columns([2, 3])
        with left:
            st.subheader(say("trim.conclusions"), anchor=False)
            told = [_conclusion(say, row) for row in rows]
            if not any(told):
                st.caption(say("concl.none"))
        with right:
            st.subheader(say("trim.overlap"), anchor=False)
            _overlap(say, part.recorded.overlap, n)


def _facts(say: Say, rows: Sequence[Row], n: int) -> None:
    cells = []
    for row in rows:
        assert row.cell is not None
        assert row.trimmed is not None
        if len(row.cell.facts) != len(row.trimmed.facts):
            continue
        for fact, told in zip(row.cell.facts, row.trimmed.facts, strict=True):
            group = f"{SIGNS[told.group]} {say.plain(f'mem.{told.group}')}"
            kept = say.plain("trim.kept" if told.held is None else f"trim.held.{told.held}")
            cells.append(
                (
                    untrusted.cell(fact.parameter_key or fact.parameter),
                    untrusted.cell(told.against) if told.against else "–",
                    untrusted.cell(fact.value),
                    group,
                    kept,
                    untrusted.cell(row.cell.claim, _LONG),
                )
            )
    if not cells:
        st.caption(say("trim.no_facts"))
        return
    st.dataframe(
        pd.DataFrame(
            cells,
            columns=["parameter", "question", "memory", "group", "result", "cell"],
            dtype="str",
        ),
        hide_index=True,
        key=f"trim-{n}",
        row_height=34,
        height=min(38 + 34 * len(cells), 380),
        column_config={
            "parameter": st.column_config.TextColumn(say("trim.parameter"), width=120),
            "question": st.column_config.TextColumn(say("trim.question"), width=115),
            "memory": st.column_config.TextColumn(say("trim.memory"), width=125),
            "group": st.column_config.TextColumn(say("trim.group"), width=145),
            "result": st.column_config.TextColumn(say("trim.result"), width=225),
            "cell": st.column_config.TextColumn(say("facts.claim"), width=260),
        },
        alt=say("trim.alt", n=len(cells)),
    )


def _conclusion(say: Say, row: Row) -> bool:
    """What became of the old conclusion of a cell. Returns whether it had any to tell of."""
    trimmed = row.trimmed
    if trimmed is None or trimmed.fate is None:
        return False
    with st.container(border=True):
        st.text(say.plain(f"concl.{trimmed.fate}"))
        if row.cell is not None:
            untrusted.line(untrusted.cell(row.cell.claim, _LONG))
        fell = {one for one, _ in trimmed.because}
        asked = {name: new for name, _, new in why_words.otherwise(row)}
        rows = [
            (
                say.plain(f"mem.{one.group}") + ("  ◀" if one.parameter in fell else ""),
                untrusted.cell(f"{one.parameter} = {one.value}")
                + (f" → {untrusted.cell(asked[one.parameter])}" if one.parameter in asked else ""),
            )
            for one in trimmed.support
        ]
        if rows:
            untrusted.fields(rows)
        else:
            st.caption(say("concl.unsupported"))
    return True


def _overlap(say: Say, overlap: float | None, n: int) -> None:
    if overlap is None:
        st.caption(say("overlap.none"))
        return
    percent = round(overlap * 100)
    st.text(say.plain(f"overlap.{zone_of(overlap)}", percent=percent), help=say("overlap.help"))
    curve = measured.overlap_curve()
    if curve is None:
        st.caption(say("overlap.not_measured"))
        return
    st.altair_chart(
        _chart(say, curve, overlap), key=f"overlap-{n}", alt=say("overlap.alt", percent=percent)
    )
    st.caption(say("overlap.measured", n=curve.n, date=curve.date))


def _chart(say: Say, curve: Curve, overlap: float) -> Any:  # noqa: ANN401 - Altair's own
    points = []
    for one in curve.bins:
        for name, share in (("before", one.before), ("after", one.after)):
            if share is not None:
                low, high = band(share, one.n)
                told = {"low": low, "high": high, "n": f"n {one.n}"}
                told |= {"overlap": one.middle, "share": share}
                points.append(told | {"line": say.plain(f"overlap.{name}")})
    names = [say.plain("overlap.before"), say.plain("overlap.after")]
    frame = pd.DataFrame(points)
    x = alt.X("overlap:Q", scale=alt.Scale(domain=[0, 1]), title=say.plain("overlap.axis"))
    y = alt.Y("share:Q", scale=alt.Scale(domain=[0, 1.08]), title=say.plain("overlap.share"))
    colour = alt.Color(
        "line:N",
        scale=alt.Scale(domain=names, range=["#D55E00", "#0072B2"]),
        legend=alt.Legend(orient="bottom", title=None),
    )
    base = alt.Chart(frame)
    middle = (
        alt.Chart(pd.DataFrame([{"from": MIDDLE[0], "to": MIDDLE[1]}]))
        .mark_rect(opacity=0.12, color="#767676")
        .encode(x=alt.X("from:Q", scale=alt.Scale(domain=[0, 1])), x2="to:Q")
    )
    spread = base.mark_area(opacity=0.18).encode(x=x, y=alt.Y("low:Q"), y2="high:Q", color=colour)
    line = base.mark_line(point=True, strokeWidth=2).encode(
        x=x,
        y=y,
        color=colour,
        strokeDash=alt.StrokeDash(
            "line:N", scale=alt.Scale(domain=names, range=[[1, 0], [6, 4]]), legend=None
        ),
    )
    here = pd.DataFrame([{"overlap": overlap, "share": 0.04, "word": say.plain("overlap.here")}])
    mark = (
        alt.Chart(here)
        .mark_point(shape="triangle-up", size=160, filled=True, color="#000000", opacity=1)
        .encode(x=x, y=y)
    )
    word = alt.Chart(here).mark_text(dy=-14, fontSize=12).encode(x=x, y=y, text="word:N")
    return (middle + spread + line + mark + word).properties(height=240)


def band(share: float, n: int) -> tuple[float, float]:
    """Wilson's 95 per cent interval of a share in ``n`` cases, in [0, 1].

    Source: Wilson (1927).
    """
    if not n:
        return 0.0, 1.0
    z2 = _Z * _Z
    middle = share + z2 / (2 * n)
    reach = _Z * sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return (
        max((middle - reach) / (1 + z2 / n), 0.0),
        min((middle + reach) / (1 + z2 / n), 1.0),
    )

"""The gate of one sub-question: a bar for each cell, and the same as a table.

A bar is as long as F: each of its four pieces is a quarter of one number. The table has every
cell; the chart has the best ones and those near the threshold.

Source: the UX specification, section 10; colours by Okabe and Ito.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import altair as alt
import pandas as pd
import streamlit as st

from console.cards import address, untrusted, why_words
from console.cards.visit import Visit
from console.cards.why import erased, funnel
from console.words import Say
from review.auditing.why import PART_NAMES, PartWhy, Row, Verdict
from review.identities import short

BEST: Final = 20
"""Cells with the best scores that the chart shows."""

NEAR: Final = 0.10
"""Cells this close to the threshold are shown beside them."""

MOST: Final = 40
"""Bars that are drawn at most; the table has them all."""

COLOURS: Final = {"zeta": "#0072B2", "validity": "#E69F00", "psi": "#56B4E9", "safe": "#F0E442"}
_INK: Final = {"zeta": "#FFFFFF", "validity": "#000000", "psi": "#000000", "safe": "#000000"}
_NAMED: Final = 34
_LONG: Final = 60
_ROW: Final = 27
_TALL: Final = 520
_SHORT: Final = 242
"""Pixels of the table at most: alone, and below the bars."""

_LEGEND: Final = 80
"""Pixels of a bar and of what stands above all: Streamlit counts both into the height."""


@dataclass(frozen=True, slots=True)
class Shown:
    """How the rows of a page are shown."""

    step: str = funnel.RETRIEVED
    """Only rows that were left after this step of the funnel."""

    form: str = "bars"
    """``bars`` with their table, or the ``table`` alone."""

    erased_by: erased.By = field(default_factory=dict)
    """The forget request of each erased item."""


def draw(
    visit: Visit,
    n: int,
    part: PartWhy,
    *,
    focus: str,
    key: str,
    as_: Shown | None = None,
    happened: bool = False,
) -> str | None:
    """Draw one sub-question.

    Args:
        visit: The drawing of the page.
        n: Its number, from 0.
        part: Its rows.
        focus: The cell that is looked at.
        key: Sets the widgets of this view apart.
        as_: How the rows are shown.
        happened: Whether this is what was recorded.

    Returns:
        The item whose row was chosen in the table; None for none.
    """
    say, told = visit.say, as_ or Shown()
    if not part.rows:
        st.info(say("why.nothing_found"))
        return None
    funnel.draw(visit, part, told.step, key=f"{key}-{n}", happened=happened)
    if part.recorded.excluded:
        excluded = part.recorded.excluded
        names = ", ".join(
            f"{say.plain(f'why.excluded.{name}')} {n}" for name, n in excluded.items()
        )
        st.caption(say("why.excluded", names=names))
    left = funnel.left_after(part.rows, told.step)
    funnel.hidden_by(visit, part, told.step)
    if not left:
        st.info(say("why.funnel.nobody"))
        return None
    rows = shown(left)
    chart = st.container()
    tall = _TALL if told.form == "table" else _SHORT
    name = f"{key}-{n}-{told.step}"
    chosen = table(say, left, key=name, erased_by=told.erased_by, tall=tall)
    if told.form == "table":
        return chosen
    with chart:
        admitted = part.funnel.admitted
        st.altair_chart(
            bars(say, rows, focus),
            key=f"bars-{key}-{n}",
            alt=say("why.bars.alt", n=len(rows), admitted=admitted),
        )
        if len(rows) < len(left):
            with st.container(horizontal=True, vertical_alignment="center", key=f"all-{key}-{n}"):
                st.caption(say("why.bars.some", n=len(left), shown=len(rows)), width="content")
                st.button(
                    say("why.bars.all", n=len(left)),
                    key=f"act-all-{key}-{n}",
                    type="tertiary",
                    on_click=address.put,
                    kwargs={"view": "table"},
                )
    return chosen


def shown(rows: Sequence[Row]) -> list[Row]:
    """The rows of the chart: the best, and what lies near the threshold."""
    told = [row for place, row in enumerate(rows) if place < BEST or abs(row.margin) <= NEAR]
    return told[:MOST]


def bars(say: Say, rows: Sequence[Row], focus: str) -> Any:  # noqa: ANN401 - Altair's own
    """The bars, as an Altair chart. Every text of a cell in it is escaped."""
    labels = [label(row) for row in rows]
    pieces = pd.DataFrame(
        [
            {
                "cell": labels[place],
                "part": say.plain(f"why.part.{name}"),
                "order": n,
                "start": sum(list(row.score.parts.values())[:n]) / 4,
                "end": sum(list(row.score.parts.values())[: n + 1]) / 4,
                "number": f"{value:.2f}",
                "ink": _INK[name] if row.score.h else "#000000",
                "shade": 1.0 if row.score.h else 0.35,
            }
            for place, row in enumerate(rows)
            for n, (name, value) in enumerate(row.score.parts.items())
        ]
    )
    ends = pd.DataFrame(
        [
            {
                "cell": labels[place],
                "theta": row.score.theta,
                "word": f"{why_words.number(row.score.score)}  "
                f"{why_words.word(say, row.verdict)}{'  ◀' if row.item == focus else ''}",
            }
            for place, row in enumerate(rows)
        ]
    )
    y = alt.Y("cell:N", sort=labels, title=None, axis=alt.Axis(labelLimit=330, labelFontSize=12))
    x = alt.X("start:Q", scale=alt.Scale(domain=[0, 1.25]), axis=None)
    piece = alt.Chart(pieces).encode(y=y, x=x, x2="end:Q")
    drawn = piece.mark_bar(height=20, stroke="#FFFFFF", strokeWidth=1).encode(
        color=alt.Color(
            "part:N",
            sort=[say.plain(f"why.part.{name}") for name in PART_NAMES],
            scale=alt.Scale(
                domain=[say.plain(f"why.part.{name}") for name in PART_NAMES],
                range=list(COLOURS.values()),
            ),
            legend=alt.Legend(orient="top", title=None, labelFontSize=12),
        ),
        opacity=alt.Opacity("shade:Q", scale=None, legend=None),
        order="order:Q",
    )
    wide = "datum.end - datum.start > 0.045"
    numbers = (
        alt.Chart(pieces)
        .transform_filter(wide)
        .transform_calculate(middle="(datum.start + datum.end) / 2")
        .mark_text(fontSize=11)
        .encode(y=y, x=alt.X("middle:Q"), text="number:N", color=alt.Color("ink:N", scale=None))
    )
    line = (
        alt.Chart(ends)
        .mark_tick(thickness=2, size=26, color="#000000")
        .encode(y=y, x=alt.X("theta:Q"))
    )
    words = (
        alt.Chart(ends)
        .mark_text(align="left", fontSize=12)
        .encode(y=y, x=alt.value(0), text="word:N")
        .transform_calculate(place="1.01")
        .encode(x=alt.X("place:Q"))
    )
    return (drawn + numbers + line + words).properties(height=_LEGEND + _ROW * len(rows))


def label(row: Row) -> str:
    """A cell's name on an axis: the beginning of what it says, and its short id; escaped."""
    told = "" if row.cell is None or row.cell.claim is None else row.cell.headline
    return f"{untrusted.cell(told, _NAMED)}  {short(row.item)}".strip()


def named(rows: Iterable[Row], item: str) -> str:
    """A cell by what it says, for text that is drawn inert; its id where that is not known."""
    cell = next((row.cell for row in rows if row.item == item and row.cell is not None), None)
    return short(item) if cell is None or cell.claim is None else untrusted.cell(cell.claim, _LONG)


def table(
    say: Say, rows: Sequence[Row], *, key: str, erased_by: erased.By, tall: int
) -> str | None:
    """Every row with its numbers; the item of the one that was chosen."""
    names = ["verdict", "cell", "h", "zeta", "V", "psi", "safe", "F", "theta", "margin", "why"]
    cells = [
        (
            why_words.word(say, row.verdict),
            words(row, say, erased_by),
            "1" if row.score.h else "0",
            *(f"{value:.3f}" for value in row.score.parts.values()),
            f"{row.score.score:.3f}",
            f"{row.score.theta:.2f}",
            f"{row.margin:+.3f}",
            _why(row, say),
            short(row.item),
        )
        for row in rows
    ]
    chosen = st.dataframe(
        pd.DataFrame(cells, columns=[*names, "id"], dtype="str"),
        hide_index=True,
        key=f"table-{key}",
        on_select="rerun",
        selection_mode="single-row",
        row_height=34,
        height=min(38 + 34 * len(cells), tall),
        column_config={
            "verdict": st.column_config.TextColumn(say("why.table.verdict"), width=110),
            "cell": st.column_config.TextColumn(say("facts.claim"), width=360),
            "h": st.column_config.TextColumn(say("why.h"), width=40, help=say("why.h.help")),
            **{
                name: st.column_config.TextColumn(
                    say(f"why.short.{part}"), width=60, help=say(f"why.part.{part}.help")
                )
                for name, part in zip(("zeta", "V", "psi", "safe"), PART_NAMES, strict=True)
            },
            "F": st.column_config.TextColumn(say("why.f"), width=60, help=say("why.f.help")),
            "theta": st.column_config.TextColumn(
                say("why.theta"), width=60, help=say("why.theta.help")
            ),
            "margin": st.column_config.TextColumn(
                say("why.margin"), width=70, help=say("why.margin.help")
            ),
            "why": st.column_config.TextColumn(say("why.table.why"), width=330),
            "id": st.column_config.TextColumn(say("list.id"), width=90),
        },
        alt=say("why.table.alt", n=len(cells)),
    )
    places = chosen["selection"]["rows"]
    return rows[places[0]].item if places and places[0] < len(rows) else None


def words(row: Row | None, say: Say, erased_by: erased.By) -> str:
    """What a cell says, for a cell of a table; of an erased one by which request, if known."""
    if row is not None and row.cell is not None and row.cell.claim is not None:
        return untrusted.cell(row.cell.claim)
    return erased.text(say, erased_by, "" if row is None else row.item)


def _why(row: Row, say: Say) -> str:
    if row.verdict is Verdict.BLOCKED:
        return " ".join(why_words.bars(say, row))
    name, number = row.weakest
    return say.plain(
        "why.weakest", part=say.plain(f"why.part.{name}"), number=why_words.number(number)
    )

"""What was made of what, generation by generation, and the rows that a person has to decide on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pandas as pd
import streamlit as st

from console.cards import untrusted
from console.words import Say
from review.desk import Desk
from review.forget.plan import Foreseen, Plan, PlanRow, RowKind
from review.identities import short

SHOWN: Final = 200
"""Rows that are drawn; the download has them all."""

_ROW: Final = 35
_MADE: Final = 40
"""Characters of each record that a row was made from."""


def draw(desk: Desk, say: Say, plan: Plan) -> None:
    """The tree: each row below what it was made from, indented by its generation."""
    rows = ordered(plan.rows)
    if not rows:
        return
    st.subheader(say("forget.tree"), anchor=False)
    if len(rows) > SHOWN:
        st.caption(say("forget.tree.first", n=len(rows), shown=SHOWN))
    some = rows[:SHOWN]
    claims = _claims(desk, some)
    st.dataframe(
        pd.DataFrame([_told(say, row, claims, tree=True) for row in some], dtype="str"),
        hide_index=True,
        key="forget-tree",
        height=min(38 + _ROW * len(some), 420),
        column_order=("claim", "fate", "why", "made", "id"),
        column_config={
            "id": st.column_config.TextColumn(say("list.id"), width=110),
            "claim": st.column_config.TextColumn(say("list.claim"), width=390),
            "why": st.column_config.TextColumn(say("forget.col.why"), width=190),
            "fate": st.column_config.TextColumn(say("forget.col.fate"), width=310),
            "made": st.column_config.TextColumn(say("forget.col.made"), width=200),
        },
        alt=say("forget.tree"),
    )


def undecided(desk: Desk, say: Say, plan: Plan) -> tuple[str, ...]:
    """Rows with the same or nearly the same words: a person ticks those that go, too."""
    rows = plan.of(Foreseen.NEEDS_DECISION)[:SHOWN]
    if not rows:
        return ()
    st.subheader(say("forget.decide"), anchor=False)
    st.caption(say("forget.decide.help"))
    claims = _claims(desk, rows)
    chosen = st.dataframe(
        pd.DataFrame([_told(say, row, claims) for row in rows], dtype="str"),
        hide_index=True,
        key="forget-undecided",
        on_select="rerun",
        selection_mode="multi-row",
        height=min(38 + _ROW * len(rows), 260),
        column_order=("claim", "why", "id"),
        column_config={
            "id": st.column_config.TextColumn(say("list.id"), width=130),
            "claim": st.column_config.TextColumn(say("list.claim"), width=640),
            "why": st.column_config.TextColumn(say("forget.col.why"), width=230),
        },
        alt=say("forget.decide"),
    )
    places: Sequence[int] = chosen["selection"]["rows"]
    return tuple(rows[place].id for place in places if place < len(rows))


def ordered(rows: Sequence[PlanRow]) -> list[PlanRow]:
    """Rows with children behind their first parent; each row once, cycles too."""
    known = {row.id for row in rows}
    children: dict[str, list[PlanRow]] = {}
    tops = []
    for row in rows:
        parent = next((one for one in row.made_from if one in known and one != row.id), None)
        if parent is None or row.depth == 0:
            tops.append(row)
        else:
            children.setdefault(parent, []).append(row)
    told: dict[str, PlanRow] = {}
    waiting = [*reversed(tops)]
    while waiting:
        row = waiting.pop()
        if row.id not in told:
            told[row.id] = row
            waiting.extend(reversed(children.get(row.id, [])))
    return [*told.values(), *(row for row in rows if row.id not in told)]


def _claims(desk: Desk, rows: Sequence[PlanRow]) -> dict[str, Any]:
    with desk.held():
        claims = desk.claims_of([row.id for row in rows if row.kind is RowKind.ITEM])
        typed = desk.forget.questions(row.id for row in rows if row.kind is RowKind.CONTENT)
        return {**claims, **typed}


def _told(say: Say, row: PlanRow, claims: dict[str, Any], *, tree: bool = False) -> dict[str, str]:
    indent = "  " * row.depth + ("└ " if row.depth else "") if tree else ""
    fate = say.plain(f"forget.fate.{row.foreseen}")
    if row.foreseen is Foreseen.WITHDRAWN and row.other_sources:
        fate = f"{fate} ({say.plain('forget.others', n=row.other_sources)})"
    claim = claims.get(row.id)
    words = untrusted.cell(claim) if claim else ""
    if claim and row.kind is RowKind.CONTENT:
        words = f"{say.plain('forget.row.typed')}: {words}"
    what = say.plain(f"forget.row.{row.kind}", n=1) if row.kind is not RowKind.ITEM else ""
    return {
        "id": short(row.id),
        "claim": indent + (words or what),
        "why": say.plain(f"forget.why.{row.why}"),
        "fate": fate,
        "made": "; ".join(
            untrusted.cell(claims.get(one), _MADE) or short(one) for one in row.made_from[:3]
        ),
    }

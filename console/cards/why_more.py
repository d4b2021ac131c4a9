"""Beside the verdict: what was read elsewhere, what each cell did, and what people say of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import pandas as pd
import streamlit as st

from console.cards import refusals, untrusted, why_gate
from console.cards.refusals import Told
from console.cards.visit import Visit
from review.auditing.audit import Audit, Why
from review.auditing.matching import Matching
from review.desk import Desk
from review.identities import short
from review.named_cells import NamedCell

_LONG: Final = 60


def read(visit: Visit, matching: Matching) -> None:
    """What an agent is said to have read, and which of our cells it is."""
    say = visit.say
    cells = []
    for one in matching.read:
        found = "; ".join(
            f"{say.plain(f'match.{two.match}')}, {say.plain(f'then.{two.then}')}:"
            f" {_cell(two.cell)}"
            for two in one.matched
        )
        cells.append(
            (
                "●" if one.matched else "○",
                untrusted.cell(one.document.text or one.document.id, 300),
                found or say.plain("match.none"),
                untrusted.cell(one.document.id, 40),
                untrusted.cell(one.document.score, 20),
            )
        )
    st.caption(say("read.about", n=len(cells), unknown=len(matching.unknown)))
    st.dataframe(
        pd.DataFrame(cells, columns=["known", "text", "cells", "id", "score"], dtype="str"),
        hide_index=True,
        key="read",
        row_height=34,
        height=min(38 + 34 * len(cells), 380),
        column_config={
            "known": st.column_config.TextColumn(say("read.known"), width=70),
            "text": st.column_config.TextColumn(say("read.text"), width=430),
            "cells": st.column_config.TextColumn(say("read.cells"), width=330),
            "id": st.column_config.TextColumn(say("read.id"), width=130),
            "score": st.column_config.TextColumn(
                say("read.score"), width=90, help=say("read.score.help")
            ),
        },
        alt=say("read.alt", n=len(cells)),
    )
    if matching.left_out:
        st.caption(say("read.left_out", n=matching.left_out))


def left_out(visit: Visit, audit: Audit, told: Why) -> None:
    """What each admitted cell did for the context; worked out when it is asked for."""
    say, answer = visit.say, told.explanation.answer
    key = f"left-out-{answer.id}"
    st.caption(say("leave.about"))
    st.button(say("leave.try"), key="act-leave", on_click=_want, args=(key,))
    if not st.session_state.get(key):
        return
    found = audit.leave_one_out(answer)
    if found is None or not found.each:
        st.caption(say("leave.nothing"))
        return
    rows = [row for part in (*told.then, *told.now) for row in part.rows]

    def names(items: Iterable[str]) -> str:
        return "; ".join(why_gate.named(rows, item) for item in items)

    cells = [
        (
            "▲" if one.matters else "",
            names([one.item]),
            names(one.gained),
            names(one.lost),
            names(one.retold),
            str(one.gaps) if one.gaps else "",
        )
        for one in found.each
    ]
    st.dataframe(
        pd.DataFrame(
            cells, columns=["matters", "id", "gained", "lost", "retold", "gaps"], dtype="str"
        ),
        hide_index=True,
        key="leave",
        row_height=34,
        height=min(38 + 34 * len(cells), 380),
        column_config={
            "matters": st.column_config.TextColumn(say("leave.matters"), width=80),
            "id": st.column_config.TextColumn(say("leave.without"), width=260),
            "gained": st.column_config.TextColumn(say("leave.gained"), width=260),
            "lost": st.column_config.TextColumn(say("leave.lost"), width=260),
            "retold": st.column_config.TextColumn(say("leave.retold"), width=260),
            "gaps": st.column_config.TextColumn(say("leave.gaps"), width=110),
        },
        alt=say("leave.alt", n=len(cells)),
    )
    if found.not_tried:
        st.caption(say("leave.not_tried", n=found.not_tried))


def label(desk: Desk, visit: Visit, told: Why, item: str) -> None:
    """Two buttons by which a person says whether a recorded verdict was right."""
    say, row = visit.say, told.explanation.row_of(item)
    if row is None:
        return
    answer = told.explanation.answer
    before = next(
        (o for o in desk.audit.labels(answer.id) if (o.part, o.item) == (row.part, item)), None
    )
    with st.container(horizontal=True, vertical_alignment="center", width="content", key="labels"):
        for admit in (True, False):
            st.button(
                say("label.admit") if admit else say("label.keep_out"),
                key=f"act-label-{int(admit)}",
                disabled=bool(visit.why_read_only),
                help=say("label.help"),
                on_click=_label,
                args=(desk, answer.id, row.part, item, admit),
            )
        if before is not None:
            name = "admit" if before.admit else "keep_out"
            st.caption(say(f"label.said.{name}"), width="content")
    if visit.why_read_only:
        st.caption(say(f"readonly.{visit.why_read_only}"))


def _label(desk: Desk, answer: str, part: int, item: str, admit: bool) -> None:
    def act() -> Told:
        audit = desk.audit
        audit.label(audit.one(answer), part, item, admit=admit)
        return "label.done", {"item": short(item)}

    refusals.attempt(act)


def _want(key: str) -> None:
    st.session_state[key] = True


def _cell(cell: NamedCell) -> str:
    return short(cell.item) if cell.claim is None else untrusted.cell(cell.claim, _LONG)

"""Durable cells: a list to find one in. There is no edit here and nothing that changes trust."""

from __future__ import annotations

from typing import Final

import pandas as pd
import streamlit as st

from console.cards import address, as_of, heading, paging, row_choice, untrusted
from console.cards.address import ANY_WORDS, Address
from console.cards.graph_chart import SHAPES
from console.cards.times import moment
from console.cards.visit import Visit
from review.desk import Desk
from review.graphs.graphing import Moment
from review.identities import short
from review.memory.validity import Status
from review.queue import Page, Wanted
from store.cells import Kind

DEFAULTS: Final = {"q": "", "kind": "", "status": "", "p": "1"}
ALLOWED: Final = {
    "q": ANY_WORDS,
    "kind": [str(kind) for kind in Kind],
    "status": [str(status) for status in Status],
}
_COLUMNS: Final = ("claim", "status", "kind", "source", "trust", "since", "by", "id")
_FEW: Final = 5
"""Waiting records that are shown beside the durable ones; the Inbox has them all."""


def render(desk: Desk, visit: Visit) -> None:
    """Draw the page."""
    at = address.read(DEFAULTS, ALLOWED)
    with desk.held():
        title, right = st.columns([4, 3], vertical_alignment="bottom")
        with title:
            heading.draw(visit, "facts")
        with right, st.container(horizontal=True, horizontal_alignment="right"):
            past = as_of.control(visit, desk)
        as_of.banner(visit, past)
        address.note_unknown(at, visit.say)
        everything = desk.durable_count()
        told = desk.graph.at(past) if past is not None or desk.graph.is_light else None
        if told is not None:
            everything = len(told.known.cells)
        if not everything:
            st.info(visit.say("facts.empty" if past is None else "facts.empty_then"))
            visit.link("inbox", "facts.to_inbox")
            _staged(desk, visit, at)
            return
        _filters(visit, at, by_status=told is not None)
        wanted, only = Wanted(kind=at["kind"], q=at["q"]), None
        if told is not None and at["status"]:
            only = frozenset(told.having(Status(at["status"])))
        page = desk.graph.facts(wanted, at.page, moment=past, only=only)
        if not page.rows:
            st.info(visit.say("facts.no_match", n=everything))
        else:
            _table(visit, page, at, told)
        if past is None:
            _staged(desk, visit, at)


def _staged(desk: Desk, visit: Visit, at: Address) -> None:
    """What fits the search and only waits: accepted by an import is not yet in any answer."""
    if not at["q"].strip():
        return
    page = desk.waiting(Wanted(kind=at["kind"], q=at["q"]))
    if not page.rows:
        return
    say = visit.say
    st.caption(say("facts.staged", n=page.total))
    for row in page.rows[:_FEW]:
        st.badge(say("inbox.badge"), color="gray")
        untrusted.line(untrusted.cell(row.claim))
        to = {"lane": row.lane, "view": "focus", "item": row.item}
        visit.link("inbox", "facts.staged.open", to=to)


def _filters(visit: Visit, at: Address, *, by_status: bool) -> None:
    say = visit.say
    words, statuses, kinds = st.columns([3, 1, 1])
    with statuses:
        st.session_state["status"] = at["status"]
        st.selectbox(
            say("graph.status"),
            ["", *(str(one) for one in Status if one is not Status.CANDIDATE)],
            key="status",
            format_func=lambda one: say(f"status.{one}") if one else say("facts.status.any"),
            label_visibility="collapsed",
            disabled=not by_status,
            on_change=address.follow,
            args=("status", "", ("p",)),
        )
    with words:
        st.session_state["q"] = at["q"]
        st.text_input(
            say("inbox.search"),
            key="q",
            placeholder=say("facts.search"),
            label_visibility="collapsed",
            on_change=address.follow,
            args=("q", "", ("p",)),
        )
    with kinds:
        st.session_state["kind"] = at["kind"]
        st.selectbox(
            say("inbox.kind"),
            ["", *(str(kind) for kind in Kind)],
            key="kind",
            format_func=lambda kind: say(f"kind.{kind}") if kind else say("inbox.kind.any"),
            label_visibility="collapsed",
            on_change=address.follow,
            args=("kind", "", ("p",)),
        )


def _table(visit: Visit, page: Page, at: Address, told: Moment | None) -> None:
    say = visit.say
    statuses = {} if told is None else told.statuses(row.item for row in page.rows)
    rows = [
        (
            untrusted.cell(row.claim) if row.claim is not None else say.plain("stored.erased"),
            _status(visit, statuses.get(row.item)),
            say.plain(f"kind.{row.kind}"),
            say.plain(f"source.{row.source_type}"),
            say.plain("trust.word"),
            moment(row.signed_at),
            visit.who(row.signed_by),
            short(row.item),
            say.plain("list.open_row"),
        )
        for row in page.rows
    ]
    choice = row_choice.Choice("facts", [row.item for row in page.rows])
    st.dataframe(
        pd.DataFrame(
            rows,
            columns=[*_COLUMNS, row_choice.OPEN],
            dtype="str",
        ),
        hide_index=True,
        key=choice.key,
        on_select=choice.taken,
        selection_mode=row_choice.MODES,
        selection_default=choice.default,
        row_height=34,
        height=38 + 34 * len(rows),
        column_config={
            "claim": st.column_config.TextColumn(say("facts.claim"), width=350),
            "status": st.column_config.TextColumn(say("graph.status"), width=105),
            "kind": st.column_config.TextColumn(say("list.kind"), width=122),
            "source": st.column_config.TextColumn(say("list.source"), width=128),
            "trust": st.column_config.TextColumn(say("facts.trust"), width=98),
            "since": st.column_config.TextColumn(say("facts.since"), width=138),
            "by": st.column_config.TextColumn(say("facts.by"), width=155),
            "id": st.column_config.TextColumn(say("list.id"), width=90),
            row_choice.OPEN: choice.column(visit),
        },
        alt=say("facts.alt", n=page.total),
    )
    if opened := choice.bar(visit, lambda place: page.rows[place].claim or ""):
        visit.go("fact", {"id": opened, **as_of.kept()})
    paging.draw(page.total, at.page, say)


def _status(visit: Visit, status: Status | None) -> str:
    """A status as sign and word; blank where it was not worked out."""
    if status is None:
        return ""
    return f"{SHAPES[status][1]} {visit.say.plain(f'status.{status}')}"

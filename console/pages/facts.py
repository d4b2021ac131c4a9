"""Durable cells: a list to find one in. There is no edit here and nothing that changes trust."""

from __future__ import annotations

from typing import Final

import pandas as pd
import streamlit as st

from console.cards import address, heading, paging, untrusted
from console.cards.address import ANY_WORDS, Address
from console.cards.times import moment
from console.cards.visit import Visit
from review.desk import Desk
from review.identities import short
from review.queue import Page, Wanted
from store.cells import Kind

DEFAULTS: Final = {"q": "", "kind": "", "p": "1"}
ALLOWED: Final = {"q": ANY_WORDS, "kind": [str(kind) for kind in Kind]}
_FEW: Final = 5
"""Waiting records that are shown beside the durable ones; the Inbox has them all."""


def render(desk: Desk, visit: Visit) -> None:
    """Draw the page."""
    at = address.read(DEFAULTS, ALLOWED)
    heading.draw(visit, "facts")
    address.note_unknown(at, visit.say)
    with desk.held():
        everything = desk.durable_count()
        if not everything:
            st.info(visit.say("facts.empty"))
            visit.link("inbox", "facts.to_inbox")
            _staged(desk, visit, at)
            return
        _filters(visit, at)
        page = desk.facts(Wanted(kind=at["kind"], q=at["q"]), at.page)
        if not page.rows:
            st.info(visit.say("facts.no_match", n=everything))
        else:
            _table(visit, page, at)
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


def _filters(visit: Visit, at: Address) -> None:
    say = visit.say
    words, kinds = st.columns([3, 1])
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


def _table(visit: Visit, page: Page, at: Address) -> None:
    say = visit.say
    rows = [
        (
            untrusted.cell(row.claim) if row.claim is not None else say.plain("stored.erased"),
            say.plain(f"kind.{row.kind}"),
            say.plain(f"source.{row.source_type}"),
            say.plain("trust.word"),
            moment(row.signed_at),
            short(row.signed_by),
            short(row.item),
        )
        for row in page.rows
    ]
    chosen = st.dataframe(
        pd.DataFrame(
            rows, columns=["claim", "kind", "source", "trust", "since", "by", "id"], dtype="str"
        ),
        hide_index=True,
        key=f"facts-{at.page}-{page.total}",
        on_select="rerun",
        selection_mode="single-row",
        row_height=34,
        height=38 + 34 * len(rows),
        column_config={
            "claim": st.column_config.TextColumn(say("facts.claim"), width=470),
            "kind": st.column_config.TextColumn(say("list.kind"), width=120),
            "source": st.column_config.TextColumn(say("list.source"), width=150),
            "trust": st.column_config.TextColumn(say("facts.trust"), width=100),
            "since": st.column_config.TextColumn(say("facts.since"), width=150),
            "by": st.column_config.TextColumn(say("facts.by"), width=90),
            "id": st.column_config.TextColumn(say("list.id"), width=90),
        },
        alt=say("facts.alt", n=page.total),
    )
    places = chosen["selection"]["rows"]
    with st.container(horizontal=True, vertical_alignment="center"):
        row = page.rows[places[0]] if places else page.rows[0]
        key = "facts.open" if places else "facts.open_first"
        visit.link("fact", key, to={"id": row.item})
    paging.draw(page.total, at.page, say)

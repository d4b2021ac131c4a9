"""The lane of stale cells: what each rested on, what became of that, and how it is left."""

from __future__ import annotations

from typing import Final

import streamlit as st

from console.cards import (
    edge_dialog,
    edge_press,
    link_dialog,
    paging,
    press,
    signing_bar,
    untrusted,
)
from console.cards.times import moment
from console.cards.visit import Visit
from review.desk import Desk
from review.graphs.staleness import Stale
from review.identities import short
from store.cells import EdgeKind
from store.links import LinkVerdict

LANE: Final = "stale"
"""The lane's name in the URL. It is of durable cells, so it is none of the queue's lanes."""

DIALOGS: Final = ("sign-links", edge_press.DIALOG)


def tab(desk: Desk) -> tuple[str, int]:
    """The lane's name among the words of tabs, and its count where that costs little."""
    graph = desk.graph
    return (LANE, graph.stale().total) if graph.is_light else (f"{LANE}.uncounted", 0)


def draw(desk: Desk, visit: Visit, number: int) -> None:
    """One page of stale cells and the bar that signs what is drafted of them."""
    say = visit.say
    page = desk.graph.stale(number)
    if not page.total:
        st.info(say("stale.none"), icon=":material/done_all:")
    else:
        st.caption(say("stale.about"))
    items = list(dict.fromkeys(item for one in page.rows for item in one.path))
    claims = desk.claims_of(items)
    for n, one in enumerate(page.rows):
        with st.container(border=True, key=f"stale-{n}"):
            words, acts = st.columns([4, 1.1], vertical_alignment="center")
            with words:
                _told(visit, one, claims)
            with acts:
                _acts(visit, one, n)
    if page.total:
        paging.draw(page.total, number, say)
    _bar(desk, visit)


def _told(visit: Visit, one: Stale, claims: dict[str, str | None]) -> None:
    say = visit.say
    untrusted.line(untrusted.cell(one.claim, 300))
    rows = []
    for place, item in enumerate(one.path):
        claim = claims.get(item)
        told = say.plain("stored.erased") if claim is None else untrusted.cell(claim, 160)
        name = say.plain(f"stale.fate.{one.fate}") if place == 0 else say.plain("stale.because")
        rows.append((name, told))
    untrusted.fields([*rows, (say.plain("stale.since"), moment(one.since))])


def _acts(visit: Visit, one: Stale, n: int) -> None:
    say = visit.say
    st.button(
        say("stale.holds"),
        key=f"act-holds-{n}",
        disabled=bool(visit.why_read_only) or press.dialog_open() or not one.rests_on,
        help=say("stale.holds.help"),
        on_click=edge_press.ask,
        args=(EdgeKind.DEPENDS_ON, one.item, one.rests_on, LinkVerdict.DENIED),
    )
    visit.link("fact", "stale.replace", to={"id": one.item})
    visit.link("fact", "stale.open", to={"id": one.item}, item=short(one.item))
    visit.link("conflicts", "stale.graph", to={"focus": one.item})


def _bar(desk: Desk, visit: Visit) -> None:
    drafts = desk.duplicates.drafts()
    with st.bottom:
        signing_bar.said(visit)
        with st.container(horizontal=True, vertical_alignment="center", key="bar"):
            link_dialog.undo_button(visit, drafts, desk)
            link_dialog.buttons(desk, visit, drafts)
    link_dialog.signing(desk, visit)
    edge_dialog.draw(desk, visit, None, ())

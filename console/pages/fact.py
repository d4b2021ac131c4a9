"""The passport of one record: what it says, where it comes from, its whole life, and its uses."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import streamlit as st

from console.cards import (
    address,
    as_of,
    blast,
    edge_dialog,
    edit_form,
    happened,
    heading,
    link_dialog,
    made_here,
    notes,
    passport,
    press,
    provenance,
    refusals,
    signed,
    signing_bar,
    signing_dialog,
    stored,
)
from console.cards.address import Address
from console.cards.refusals import Told
from console.cards.visit import Visit
from review.cards.card import Card, NoSuchItemError
from review.deciding import Wish
from review.desk import Desk
from review.graphs.graphing import Moment
from review.identities import short
from store.cells import Kind
from store.stages import DecisionKind, Stage

TABS: Final = ("evidence", "life", "used")
"""The parts of a passport, by the word in the URL."""

DEFAULTS: Final = {"id": "", "tab": TABS[0]}
ALLOWED: Final = {"tab": list(TABS)}


def render(desk: Desk, visit: Visit) -> None:
    """Draw the page. Every write is one call on the desk, made by a button's callback."""
    at = address.read(DEFAULTS, ALLOWED)
    press.keep_dialog("sign", "withdraw", "edit", "sign-links", *edge_dialog.DIALOGS)
    say = visit.say
    with desk.held():
        title, right = st.columns([3, 4], vertical_alignment="center")
        title.title(say("fact.title"), anchor=False)
        with right, st.container(horizontal=True, horizontal_alignment="right"):
            past = as_of.control(visit, desk)
        heading.read_only(visit)
        as_of.banner(visit, past)
        try:
            card = desk.graph.card(at["id"], past)
        except NoSuchItemError as error:
            refusals.show(error, say)
            visit.link("facts", "fact.back", to=as_of.kept())
            return
        signed.receipt(visit)
        told = desk.graph.at(past)
        passport.head(visit, told, card)
        _tabs(desk, visit, at, card, told, past)
        if past is None:
            _bar(desk, visit, card)
            node = told.graph.node(card.item)
            near = () if node is None else told.graph.around((card.item,)).nodes
            edge_dialog.draw(desk, visit, node, near)


def _tabs(
    desk: Desk, visit: Visit, at: Address, card: Card, told: Moment, past: datetime | None
) -> None:
    say, tab = visit.say, at["tab"]
    st.session_state["tab"] = tab
    st.segmented_control(
        say("fact.parts"),
        list(TABS),
        required=True,
        format_func=lambda name: say(f"fact.tab.{name}"),
        key="tab",
        label_visibility="collapsed",
        disabled=press.dialog_open(),
        on_change=address.follow,
        args=("tab", TABS[0], ()),
    )
    if tab != TABS[0]:
        with st.expander(say("stored.provenance"), key="provenance-minimum"):
            provenance.minimum(card, say)
    if tab == "used":
        passport.used(visit, told, card, desk.graph.used_in(card.item))
        return
    left, right = st.columns([1, 1], border=True)
    if tab == "life":
        with left:
            passport.life(desk, visit, card, told)
        with right:
            passport.edges(desk, visit, card, told, past)
        return
    with left:
        st.subheader(say("fact.stored"), anchor=False)
        stored.whole(card, say)
    with right:
        st.subheader(say("focus.source"), anchor=False)
        provenance.source(card, say, tall=False)
        st.subheader(say("focus.happened"), anchor=False)
        happened.draw(visit, card, tall=False)
        st.subheader(say("focus.claims"), anchor=False)
        provenance.claims(card, say)
        provenance.confidence(card, say)


def _bar(desk: Desk, visit: Visit, card: Card) -> None:
    say, drafts, links = visit.say, desk.drafts(), desk.duplicates.drafts()
    mine = any(one.item == card.item for one in drafts)
    nonce = press.drawn(desk, card).nonce
    with st.bottom:
        signing_bar.said(visit)
        with st.container(horizontal=True, vertical_alignment="center", key="bar"):
            st.button(
                say("act.withdraw"),
                key="act-withdraw",
                disabled=bool(visit.why_read_only)
                or mine
                or press.dialog_open()
                or card.stage not in (Stage.DURABLE, Stage.REJECTED),
                help=say("act.withdraw.help"),
                on_click=press.open_dialog,
                args=("withdraw",),
            )
            st.button(
                say("fact.replace"),
                key="act-replace",
                disabled=bool(visit.why_read_only)
                or press.dialog_open()
                or card.stage is not Stage.DURABLE
                or card.claim is None,
                help=say("fact.replace.help"),
                on_click=press.open_dialog,
                args=("edit",),
            )
            visit.link("forget", "fact.forget", to={"item": card.item})
            if card.kind == Kind.INSIGHT and card.stage is Stage.DURABLE:
                visit.link("rules", "fact.rule", to={"candidate": card.item})
            if drafts or not links:
                st.caption(say("bar.drafted", n=len(drafts)))
                signing_bar.buttons(desk, visit, drafts)
            if links:
                if not drafts:
                    link_dialog.undo_button(visit, links, desk)
                link_dialog.buttons(desk, visit, links)
    signing_dialog.signing(desk, visit)
    link_dialog.signing(desk, visit)
    edit_form.replacing(desk, visit, card)

    def follows() -> None:
        if card.stage is Stage.DURABLE:
            st.caption(say("edge.follows"))
            blast.draw(desk, visit, desk.graph.if_withdrawn(card))

    notes.withdrawing(visit, card.item, lambda note: _withdraw(desk, card, nonce, note), follows)


def _withdraw(desk: Desk, card: Card, nonce: str, note: str) -> None:
    def act() -> Told:
        wish = Wish(DecisionKind.WITHDRAW, nonce=nonce, note=note or None)
        made_here.keep([desk.draft(card, wish)])
        st.session_state["drawn"] = None
        return "said.withdraw", {"item": short(card.item), "about": card.claim}

    press.once(desk, nonce, act)

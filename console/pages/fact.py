"""The passport of one record: what it says, where it comes from, and its whole life."""

from __future__ import annotations

from typing import Final

import streamlit as st

from console.cards import (
    address,
    happened,
    heading,
    made_here,
    notes,
    press,
    provenance,
    refusals,
    signed,
    signing_bar,
    signing_dialog,
    stored,
    untrusted,
)
from console.cards.refusals import Told
from console.cards.times import moment
from console.cards.visit import Visit
from review.card import Card, NoSuchItemError
from review.deciding import Wish
from review.desk import Desk
from review.identities import short
from store.stages import DecisionKind, Stage

DEFAULTS: Final = {"id": ""}
SHAPES: Final = {
    Stage.DURABLE: "●",
    Stage.STAGED: "○",
    Stage.DEFERRED: "◌",
    Stage.REJECTED: "✕",
    Stage.ERASED: "▢",
}


def render(desk: Desk, visit: Visit) -> None:
    """Draw the page."""
    at = address.read(DEFAULTS, {})
    press.keep_dialog("sign", "withdraw")
    say = visit.say
    st.title(say("fact.title"), anchor=False)
    heading.read_only(visit)
    with desk.held():
        try:
            card = desk.card_of(at["id"])
        except NoSuchItemError as error:
            refusals.show(error, say)
            visit.link("facts", "fact.back")
            return
        shape = SHAPES[card.stage]
        st.text(f"{shape} {say.plain(f'stage.{card.stage}')}   ·   {say.plain('trust.always')}")
        signed.receipt(visit)
        left, right = st.columns([1, 1], border=True)
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
        _life(desk, visit, card)
        _bar(desk, visit, card)


def _life(desk: Desk, visit: Visit, card: Card) -> None:
    say = visit.say
    st.subheader(say("fact.life"), anchor=False)
    st.text(f"{moment(card.recorded_at)}   {say.plain('fact.staged', rev=card.rev)}")
    for event in desk.life(card.item):
        reason = f" · {say.plain(f'reason.{event.reason}')}" if event.reason else ""
        mode = f" · {say.plain('fact.bulk')}" if event.mode == "bulk" else ""
        what = say.plain(f"decision.{event.decision}")
        st.text(f"{moment(event.signed_at)}   {what}{reason}{mode}")
        who = say.plain("fact.signed", who=event.reviewer, seq=event.seq)
        st.text(f"    {who} · {event.statement[:12]}")
        if event.note:
            untrusted.line(event.note)
    runs = {one.kept.item for one in card.beside}
    for link in card.links:
        page = "run" if link.other in runs else "fact"
        visit.link(page, f"edge.{link.kind}", to={"id": link.other})
        st.text(short(link.other))
    visit.link("ledger", "fact.ledger", to={"object": card.item})


def _bar(desk: Desk, visit: Visit, card: Card) -> None:
    say, drafts = visit.say, desk.drafts()
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
            st.caption(say("bar.drafted", n=len(drafts)))
            signing_bar.buttons(desk, visit, drafts)
    signing_dialog.signing(desk, visit)
    notes.withdrawing(visit, card.item, lambda note: _withdraw(desk, card, nonce, note))


def _withdraw(desk: Desk, card: Card, nonce: str, note: str) -> None:
    def act() -> Told:
        wish = Wish(DecisionKind.WITHDRAW, nonce=nonce, note=note or None)
        made_here.keep([desk.draft(card, wish)])
        st.session_state["drawn"] = None
        return "said.withdraw", {"item": short(card.item)}

    press.once(desk, nonce, act)

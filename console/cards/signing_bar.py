"""Drafts and their signature: how many, the last ten with Undo, and what a signing recorded."""

from __future__ import annotations

from typing import Final

import streamlit as st

from console.cards import press, result_line
from console.cards.keys import shortcut
from console.cards.times import moment
from console.cards.visit import Visit
from review.deciding import SigningReceipt
from review.desk import Desk
from review.identities import short
from store.drafts import Draft

LAST: Final = 10
_LETTERS: Final = {"approve": "A", "reject": "X", "defer": "S", "edit": "W", "withdraw": "↩"}


def said(visit: Visit) -> None:
    """The result of the last press, as text in a fixed line. See ``result_line``."""
    result_line.draw(visit)


def buttons(desk: Desk, visit: Visit, drafts: list[Draft]) -> None:
    """Undo and Sign, for a bar."""
    say = visit.say
    nothing = not drafts or press.dialog_open() or bool(visit.why_read_only)
    st.button(
        say("act.undo"),
        key="act-undo",
        shortcut=shortcut("U"),
        disabled=nothing,
        help=say("act.undo.help"),
        on_click=press.undo,
        args=(desk,),
    )
    st.button(
        say("act.sign", n=len(drafts)),
        key="act-sign",
        type="primary" if drafts else "secondary",
        icon=":material/signature:",
        disabled=nothing or visit.unlock is None,
        help=say("act.sign.help"),
        on_click=press.open_dialog,
        args=("sign",),
    )


def strip(visit: Visit, drafts: list[Draft]) -> None:
    """The newest drafts, newest first. They have no effect yet."""
    if not drafts:
        return
    shown = [
        f"{_LETTERS[one.decision]} {short(one.item)}"
        + (f" {visit.say.plain(f'reason.{one.reason}')}" if one.reason else "")
        for one in reversed(drafts[-LAST:])
    ]
    st.text(visit.say.plain("drafts.last", n=len(shown)) + "  " + "   ·   ".join(shown))


def receipt(visit: Visit) -> None:
    """What the last signing recorded and what it set aside, until it is closed."""
    told: SigningReceipt | None = st.session_state.get("receipt")
    if told is None:
        return
    say = visit.say
    tally = [f"{say.plain(f'decision.{kind}')} {n}" for kind, n in told.recorded.items()]
    with st.container(border=True, key="receipt"):
        with st.container(
            horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
        ):
            signed = say.plain("receipt.signed", n=sum(told.recorded.values()))
            st.text("   ·   ".join([signed, *tally]))
            st.button(
                say("receipt.close"), key="receipt-close", type="tertiary", on_click=_close_receipt
            )
        if told.set_aside:
            st.text(say.plain("receipt.aside", n=len(told.set_aside)))
        for aside in told.set_aside:
            why = say.plain(
                f"aside.{aside.why}",
                who=visit.who(aside.by) if aside.by else "",
                when=moment(aside.when),
                stage=say.plain(f"stage.{aside.stage or 'staged'}"),
            )
            st.text(f"{short(aside.item)}  {why}")


def _close_receipt() -> None:
    st.session_state["receipt"] = None

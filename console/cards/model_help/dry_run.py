"""What would be sent about one record, byte for byte, before anything is."""

from __future__ import annotations

import streamlit as st

from console.cards import press, untrusted
from console.words import Say
from review.cards.card import Card
from review.proposals.proposing import Proposing
from review.proposals.protocol import ModelError

_OPEN = "model-dry-run"


def draw(help_: Proposing, say: Say, card: Card) -> None:
    """A button that shows the bytes and one that puts them away. Nobody is called."""
    shown = st.session_state.get(_OPEN) == card.item
    st.button(
        say("model.dry.hide" if shown else "model.dry.show"),
        key="act-model-dry",
        type="tertiary",
        disabled=press.dialog_open(),
        on_click=_toggle,
        args=(card.item,),
        help=say("model.dry.help"),
    )
    if not shown:
        return
    try:
        body, masked = help_.shown(card)
    except ModelError as error:
        st.warning(say(f"model.failure.{error.failure}"))
        return
    with st.container(key="model-dry"):
        st.caption(say("model.dry.told", size=len(body), masked=masked))
        untrusted.show(body.decode("utf-8"), say, key=f"dry-{card.item}")


def _toggle(item: str) -> None:
    shown = st.session_state.get(_OPEN) == item
    st.session_state[_OPEN] = "" if shown else item

"""The waiting records of one run, together: a run that failed is looked at and rejected whole."""

from __future__ import annotations

import streamlit as st

from console.cards import address, press, untrusted
from console.cards.address import Address
from console.cards.visit import Visit
from review.cards.card import Card
from store.queries import RUN_KEYS
from store.stages import Stage


def told(visit: Visit, at: Address) -> None:
    """Which run the list is narrowed to."""
    if at["run"]:
        st.caption(visit.say("inbox.run"))
        untrusted.line(at["run"])


def offer(visit: Visit, card: Card, at: Address) -> None:
    """Say that the record waits, and offer the others of its run as a list."""
    if card.stage not in (Stage.STAGED, Stage.DEFERRED):
        return
    run = next((card.scope[key] for key in RUN_KEYS if card.scope.get(key)), "")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge(visit.say("inbox.badge"), color="gray")
        if run and len(run) <= address.LONGEST_SEARCH and not at["run"]:
            st.button(
                visit.say("inbox.run.all"),
                key="act-run",
                type="tertiary",
                disabled=press.dialog_open(),
                on_click=address.put,
                kwargs={"run": run, "view": "list", "item": "", "p": ""},
            )

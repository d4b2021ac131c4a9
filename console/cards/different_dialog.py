"""The question before pairs with the same words are told different."""

from __future__ import annotations

import streamlit as st

from console.cards import cluster_press, press, untrusted
from console.cards.visit import Visit
from review.desk import Desk
from review.duplicates.linking import OpenCluster

_SHOWN = 3
"""Words that are shown as an example."""


def asking(
    desk: Desk, visit: Visit, opened: OpenCluster, same: tuple[str, ...], nonce: str, after: str
) -> None:
    """The dialog, when it is open."""
    if st.session_state.get("dialog") != "different":
        return
    show = st.dialog(visit.say("dup.ask.title"), on_dismiss=press.close_dialog)
    show(_ask)(desk, visit, opened, same, nonce, after)


def _ask(
    desk: Desk, visit: Visit, opened: OpenCluster, same: tuple[str, ...], nonce: str, after: str
) -> None:
    say, found = visit.say, desk.duplicates.apart(opened, same)
    st.text(say.plain("dup.ask.about", n=len(found.worded_alike)))
    for words in list(dict.fromkeys(one.claim or "" for one, _ in found.worded_alike))[:_SHOWN]:
        untrusted.line(words)
    choices = [(len(found.pairs), False), (len(found.pairs) + len(found.worded_alike), True)]
    with st.container(horizontal=True):
        for n, alike in choices:
            if not n:
                continue
            st.button(
                say("dup.ask.all" if alike else "dup.ask.others", n=n),
                key=f"different-{'all' if alike else 'others'}",
                type="secondary" if alike else "primary",
                on_click=_answer,
                args=(desk, opened, same, nonce, after, alike),
            )


def _answer(
    desk: Desk,
    opened: OpenCluster,
    same: tuple[str, ...],
    nonce: str,
    after: str,
    worded_alike: bool,
) -> None:
    press.close_dialog()
    cluster_press.different(desk, opened, same, nonce, after, worded_alike=worded_alike)

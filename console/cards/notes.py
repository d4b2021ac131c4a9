"""The reviewer's own words about a decision: asked for in a dialog, shown on the card.

In a dialog the decision buttons are off, so a letter of the note cannot act as a decision key.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import streamlit as st

from console.cards import press, untrusted
from console.cards.visit import Visit

LONGEST: Final = 500
"""Characters of a note."""


def noting(visit: Visit, item: str) -> None:
    """The dialog that writes or changes the note of a card, when it is open."""

    def save(told: str) -> None:
        st.session_state[press.note_key(item)] = told

    _dialog(visit, item, "note", save)


def withdrawing(
    visit: Visit, item: str, act: Callable[[str], None], follows: Callable[[], None]
) -> None:
    """The dialog that asks why before a withdrawal is drafted, when it is open.

    ``follows`` draws what the withdrawal would change.
    """
    _dialog(visit, item, "withdraw", act, follows)


def draw(visit: Visit, item: str) -> None:
    """The saved note, if there is one."""
    told = press.note_of(item)
    if told:
        with st.container(key="noted"):
            st.caption(visit.say("note.yours"))
            untrusted.show(told, visit.say, key=f"noted-{item}")


def _dialog(
    visit: Visit,
    item: str,
    name: str,
    act: Callable[[str], None],
    follows: Callable[[], None] | None = None,
) -> None:
    if st.session_state.get("dialog") != name:
        return
    show = st.dialog(visit.say(f"{name}.title"), width="medium", on_dismiss=press.close_dialog)
    show(_form)(visit, item, name, act, follows)


def _form(
    visit: Visit,
    item: str,
    name: str,
    act: Callable[[str], None],
    follows: Callable[[], None] | None,
) -> None:
    say = visit.say
    st.caption(say(f"{name}.effect"))
    if follows is not None:
        follows()
    with st.form(name, border=False):
        told = st.text_input(
            say("note.label"),
            value=press.note_of(item) if name == "note" else "",
            key=f"{name}-text-{item}",
            max_chars=LONGEST,
            placeholder=say("note.placeholder"),
        )
        with st.container(horizontal=True):
            kept = st.form_submit_button(say(f"{name}.save"), type="primary", key=f"{name}-save")
            left = st.form_submit_button(say("act.cancel"), key=f"{name}-cancel")
    if kept or left:
        press.close_dialog()
        if kept:
            act((told or "").strip())
        st.rerun()

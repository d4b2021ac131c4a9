"""The fixed line that tells what the last press did, for as long as it is true of what is shown.

A result belongs to the page, the lane and the record at which it was first told. Anywhere else it
would speak of something that is not on the screen, so it is taken away.
"""

from __future__ import annotations

from typing import Final

import streamlit as st

from console.cards import untrusted
from console.cards.refusals import Told
from console.cards.visit import Visit

_NOTHING: Final[Told] = ("", {})
_WORDS: Final = 48
"""Characters of the record that a result is about."""


def on_page(name: str) -> None:
    """Take note that page ``name`` is drawn: what was told on another one is over."""
    if st.session_state.get("page_drawn") != name:
        before = st.session_state.get("said_at")
        if before is not None and before[0] is st.session_state.get("said"):
            _forget()
        st.session_state["page_drawn"] = name


def told() -> Told:
    """The result of the last press: a key of the catalogue, blank when there is none to tell."""
    said: Told | None = st.session_state.get("said")
    if not said or not said[0]:
        return _NOTHING
    here = tuple(sorted((name, st.query_params[name]) for name in st.query_params))
    before = st.session_state.get("said_at")
    if before is not None and before[0] is said and before[1] != here:
        _forget()
        return _NOTHING
    st.session_state["said_at"] = (said, here)
    return said


def draw(visit: Visit) -> None:
    """The line: what the record says and what became of it.

    It keeps its place when there is nothing to tell, so the bar does not jump.
    """
    key, found = told()
    params = {name: value for name, value in found.items() if name != "about"}
    if key == "refused.decided":
        params["who"] = visit.who(str(params["who"]))
    with st.container(
        key="said", horizontal=True, vertical_alignment="center", gap="small", width="content"
    ):
        if found.get("about"):
            untrusted.line(untrusted.cell(str(found["about"]), _WORDS))
        st.caption(visit.say(key or "said.nothing", **params), width="content")


def _forget() -> None:
    st.session_state["said"] = None
    st.session_state["said_at"] = None

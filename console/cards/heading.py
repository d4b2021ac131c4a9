"""The top of a page: its name, what it is for, and why nothing can be decided, if so."""

from __future__ import annotations

import streamlit as st

from console.cards.visit import Visit


def draw(visit: Visit, page: str) -> None:
    """The title and the one-line purpose of ``page``."""
    st.title(visit.say(f"{page}.title"), anchor=False)
    st.caption(visit.say(f"{page}.purpose"))


def read_only(visit: Visit) -> None:
    """Why nothing can be decided, with the exact command that changes it."""
    if not visit.why_read_only:
        return
    st.warning(visit.say(f"readonly.{visit.why_read_only}"), icon=":material/visibility:")
    if visit.why_read_only == "nobody":
        st.code("memory-console reviewer new", language=None)

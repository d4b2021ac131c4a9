"""Pages of a list, with the page in the URL."""

from __future__ import annotations

import streamlit as st

from console.cards import address
from console.words import Say
from review.queue import PAGE


def draw(total: int, number: int, say: Say, *, per: int = PAGE) -> None:
    """Which rows are shown, and the way to the others; ``per`` rows stand on a page."""
    pages = (total + per - 1) // per
    first, last = (number - 1) * per + 1, min(number * per, total)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(say("list.range", first=first, last=last, n=total))
        if pages > 1:
            key = f"page-{number}"
            st.pagination(pages, default=min(number, pages), key=key, on_change=_turn, args=(key,))


def _turn(key: str) -> None:
    number = st.session_state[key]
    address.put(p="" if number == 1 else str(number))

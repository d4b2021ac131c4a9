"""The filters of the inbox: what is in the URL, with counts of what waits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import streamlit as st

from console.cards import address
from console.cards.address import Address
from console.cards.visit import Visit
from review.queue import Counts
from store.queries import SORTS

NARROWING: Final = ("batch", "kind", "source", "flag", "q", "run")


def narrowed(at: Address) -> bool:
    """Whether any filter is set."""
    return any(at[name] for name in NARROWING)


def clear_button(visit: Visit) -> None:
    """Take every filter out of the URL."""
    st.button(
        visit.say("inbox.clear"),
        key="clear-filters",
        type="tertiary",
        on_click=address.put,
        kwargs=dict.fromkeys((*NARROWING, "p", "item"), ""),
    )


def draw(visit: Visit, at: Address, counts: Counts) -> None:
    """A field or a choice for each filter of a list."""
    say = visit.say
    facets = {"kind": counts.kinds, "source": counts.sources, "flag": counts.flags}
    columns = st.columns([3, 2, 2, 2, 2], vertical_alignment="center")
    with columns[0]:
        st.session_state["q"] = at["q"]
        st.text_input(
            say("inbox.search"),
            key="q",
            placeholder=say("inbox.search"),
            label_visibility="collapsed",
            on_change=address.follow,
            args=("q", ""),
        )
    for column, (name, facet) in zip(columns[1:4], facets.items(), strict=True):
        with column:
            options = list(dict.fromkeys(["", *facet, at[name]]))
            st.session_state[name] = at[name]
            st.selectbox(
                say(f"inbox.{name}"),
                options,
                key=name,
                format_func=_option(visit, name, facet),
                label_visibility="collapsed",
                on_change=address.follow,
                args=(name, ""),
            )
    with columns[4]:
        st.session_state["sort"] = at["sort"]
        st.selectbox(
            say("inbox.sort"),
            list(SORTS),
            key="sort",
            format_func=lambda sort: say(f"sort.{sort}"),
            label_visibility="collapsed",
            on_change=address.follow,
            args=("sort", "risk"),
        )


def _option(visit: Visit, name: str, facet: Mapping[str, int]) -> Callable[[str], str]:
    say = visit.say

    def told(code: str) -> str:
        if not code:
            return say(f"inbox.{name}.any")
        return say("inbox.facet", n=facet.get(code, 0), label=say.plain(f"{name}.{code}"))

    return told

"""Keys of the Why page: from fact to fact, from view to view, and to the source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import streamlit as st

from console.cards import address, press
from console.cards.keys import shortcut
from console.cards.page_link import copying
from console.cards.visit import Visit

KEYS: Final = ("J", "K", "T", "Q", "B", "S", "L", "H")
VIEWS: Final = ("then", "now", "diff")
SOURCE: Final = "why-source"
"""Key of the fold that holds the original bytes."""

_DIALOG: Final = "keys"


def top(visit: Visit) -> None:
    """The title with Copy link and Keys, and the list of keys when it is open."""
    say = visit.say
    title, right = st.columns([3, 2], vertical_alignment="center")
    title.title(say("why.title"), anchor=False)
    with (
        right,
        st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center"),
    ):
        copying.draw(visit)
        _button(visit, "H", "inbox.keys", press.open_dialog, _DIALOG, kind="tertiary")
    if st.session_state.get("dialog") == _DIALOG:
        st.dialog(say("keys.title"), on_dismiss=press.close_dialog)(_keys)(visit)


def facts(visit: Visit, items: Sequence[str], item: str) -> None:
    """Previous, next and the source of the fact that is looked at.

    Args:
        visit: The drawing of the page.
        items: The cells in the rows of the page, in their order.
        item: The one that is looked at.
    """
    say = visit.say
    place = items.index(item) if item in items else -1
    before = items[place - 1] if place > 0 else ""
    after = items[place + 1] if place + 1 < len(items) else ""
    with st.container(
        horizontal=True, vertical_alignment="center", width="content", key="facts-bar"
    ):
        _button(visit, "K", "why.fact.previous", _to, before, off=not before)
        _button(visit, "J", "why.fact.next", _to, after, off=not after)
        _button(visit, "S", "why.fact.source", _source)
        if place >= 0:
            st.caption(say("why.fact.place", place=place + 1, n=len(items)), width="content")


def next_view(visit: Visit, view: str) -> None:
    """A press on T goes to the next of then, now and difference."""
    after = VIEWS[(VIEWS.index(view) + 1) % len(VIEWS)]
    _button(visit, "T", "why.keys.view", _put, "as", after, "then", kind="tertiary")


def next_question(visit: Visit, about: str, kinds: Sequence[str]) -> None:
    """A press on Q asks about the next of ``kinds``, and after the last as it was asked."""
    offered = ("", *kinds)
    after = offered[(offered.index(about) + 1) % len(offered)]
    _button(visit, "Q", "why.keys.question", _put, "intent", after, "", kind="tertiary")


def other_form(visit: Visit, form: str) -> None:
    """A press on B changes between bars with their table, and the table alone."""
    after = "table" if form == "bars" else "bars"
    _button(visit, "B", f"why.form.{after}", _put, "view", after, "bars", kind="tertiary")


def _button(
    visit: Visit,
    key: str,
    words: str,
    act: Callable[..., None],
    *args: str,
    off: bool = False,
    kind: str = "secondary",
) -> None:
    st.button(
        visit.say(words),
        key=f"act-key-{key}",
        shortcut=shortcut(key),
        type="tertiary" if kind == "tertiary" else "secondary",
        disabled=off or press.dialog_open(),
        on_click=act,
        args=args,
    )


def _keys(visit: Visit) -> None:
    for key in KEYS:
        st.text(f"{key}    {visit.say.plain(f'why.keys.{key}')}")
    st.caption(visit.say("keys.off"))


def _to(item: str) -> None:
    if item and not press.dialog_open():
        address.put(fact=item)


def _source() -> None:
    st.session_state[SOURCE] = not st.session_state.get(SOURCE)


def _put(name: str, value: str, default: str) -> None:
    address.put(**{name: "" if value == default else value})

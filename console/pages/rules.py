"""Rules: accepted knowledge leaves memory here, as files for a pull request, and never otherwise.

The list of candidates and of what left; one candidate with the dialogue over its text; one export.
No cell changes by anything on this page.
"""

from __future__ import annotations

from typing import Final

import streamlit as st

from console.cards import address, heading, press, refusals, signing_bar
from console.cards.address import ANY_ID, ANY_WORDS, Address
from console.cards.keys import shortcut
from console.cards.rules import dialogue, exports, leaving, listing
from console.cards.visit import Visit
from review.desk import Desk
from review.rules.listed import Show
from review.rules.ruling import NoSuchCandidateError
from store.drafts import DraftsUnreadableError

DEFAULTS: Final = {"candidate": "", "export": "", "show": "all", "q": "", "p": "1"}
ALLOWED: Final = {
    "candidate": ANY_ID,
    "export": ANY_ID,
    "show": [str(one) for one in Show],
    "q": ANY_WORDS,
}


def render(desk: Desk, visit: Visit) -> None:
    """Draw the page. A signature is the only write, and it is made in a dialog."""
    at = address.read(DEFAULTS, ALLOWED)
    press.keep_dialog("keys", leaving.WITHDRAW, *dialogue.DIALOGS)
    with desk.held():
        _top(visit, at)
        address.note_unknown(at, visit.say)
        heading.read_only(visit)
        if at["candidate"]:
            _candidate(desk, visit, at["candidate"])
        elif at["export"]:
            _export(desk, visit, at["export"])
        else:
            _list(desk, visit, at)


def _top(visit: Visit, at: Address) -> None:
    say = visit.say
    title, right = st.columns([4, 3], vertical_alignment="center")
    with title:
        st.title(say("rules.title"), anchor=False)
        if not (at["candidate"] or at["export"]):
            st.caption(say("rules.purpose"))
    with right, st.container(horizontal=True, horizontal_alignment="right"):
        if at["candidate"] or at["export"]:
            st.button(
                say("rules.back"),
                key="act-list",
                type="tertiary",
                disabled=press.dialog_open(),
                on_click=address.put,
                kwargs={"candidate": "", "export": ""},
            )
        st.button(
            say("inbox.keys"),
            key="act-keys",
            shortcut=shortcut("H"),
            type="tertiary",
            disabled=press.dialog_open(),
            on_click=press.open_dialog,
            args=("keys",),
        )
    if st.session_state.get("dialog") == "keys":
        st.dialog(say("keys.title"), on_dismiss=press.close_dialog)(_keys)(visit)


def _keys(visit: Visit) -> None:
    for key in ("J", "K", "1", "2", "P", "H"):
        st.text(f"{key}    {visit.say.plain(f'rules.keys.{key}')}")
    st.caption(visit.say("keys.off"))


def _list(desk: Desk, visit: Visit, at: Address) -> None:
    page = desk.rules.page(Show(at["show"]), at["q"], at.page)
    left = desk.rules.exports()
    if page.reached + page.below:
        listing.filters(visit, at, page)
    if page.rows:
        listing.draw(visit, page, at.page, _drafted(desk, visit))
        if page.aside:
            st.caption(visit.say("rules.aside", n=page.aside))
    else:
        listing.none(visit, page)
    exports.draw(visit, left)


def _drafted(desk: Desk, visit: Visit) -> frozenset[str]:
    try:
        return desk.rules.drafts.items()
    except DraftsUnreadableError as error:
        refusals.show(error, visit.say)
        return frozenset()


def _candidate(desk: Desk, visit: Visit, item: str) -> None:
    try:
        opened = desk.rules.open(item)
    except NoSuchCandidateError as error:
        st.info(visit.say("rules.erased" if error.erased else "rules.gone"))
        return
    dialogue.draw(desk, visit, opened)


def _export(desk: Desk, visit: Visit, name: str) -> None:
    found = exports.one(visit, desk.rules.exports(), name)
    if found is None:
        return
    leaving.withdrawing(desk, visit, name)
    with st.bottom:
        signing_bar.said(visit)
        with st.container(horizontal=True, vertical_alignment="center", key="bar"):
            if not found.past.withdrawn:
                leaving.withdraw_button(visit)

"""Publish now: where agents read less than what is signed, a person publishes it from the page.

It is what ``memory-console publish`` does: under the same key, with the same deny list first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from console.cards import press, refusals, signing_dialog
from console.cards.times import moment
from console.cards.visit import Unlock, Visit
from review.publishing import Behind, NotPublishedError, Publishing
from store.statements import SignedStatement

DIALOG: Final = "publish"


def draw(visit: Visit) -> None:
    """Say in what agents are behind, with the button; nothing is drawn when they are not."""
    publishing = visit.publishing
    behind = None if publishing is None else publishing.behind()
    if publishing is None or behind is None:
        return
    say = visit.say
    with st.container(border=True, key="publish-now"):
        told, act = st.columns([4, 1], vertical_alignment="center")
        with told:
            st.text(_sentence(visit, behind))
            st.caption(say("publish.about"))
        with act:
            st.button(
                say("publish.open"),
                key="act-publish",
                icon=":material/publish:",
                disabled=visit.unlock is None or press.dialog_open(),
                help=say("publish.open.help"),
                on_click=press.open_dialog,
                args=(DIALOG,),
            )
    if st.session_state.get("dialog") == DIALOG and visit.unlock is not None:
        show = st.dialog(say("publish.title"), width="large", on_dismiss=press.close_dialog)
        show(_publish)(visit, publishing, visit.unlock, behind)


def _sentence(visit: Visit, behind: Behind) -> str:
    say = visit.say
    if not behind.published_at:
        return say.plain("publish.never")
    when = moment(behind.published_at)
    if behind.expired:
        return say.plain("publish.expired", when=when)
    return say.plain("publish.behind", n=behind.signed, when=when)


def _publish(visit: Visit, publishing: Publishing, unlock: Unlock, behind: Behind) -> None:
    say = visit.say
    st.text(_sentence(visit, behind))
    st.caption(say("publish.effect"))
    passphrase, pressed = signing_dialog.form(visit, 1, blocked=False, key="publish.button")
    st.caption(say("sign.banner"))
    if not pressed:
        return

    def sign(statements: Sequence[bytes]) -> Sequence[SignedStatement]:
        """Writing a large snapshot takes longer than a key may be open, so it is opened here."""
        with unlock(passphrase) as signer:
            return signer(statements)

    try:
        with unlock(passphrase):  # a wrong one is said at once, before a snapshot is written
            pass
        now = publishing.publish(sign)
    except NotPublishedError:
        st.error(say("publish.moved"))
        return
    except refusals.EXPLAINED as error:
        refusals.show(error, say)
        return
    st.session_state["said"] = "said.published", {"n": now.cells}
    press.close_dialog()
    st.rerun()

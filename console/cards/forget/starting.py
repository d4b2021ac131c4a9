"""The start of a run: the typed number, the passphrase, and a minute in which it can be cancelled.

Erasing has no undo, so none is offered. What can be taken back is the decision to begin: nothing
is signed or erased before the minute is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

import streamlit as st

from console.cards import refusals
from console.cards.visit import Visit
from review.deciding import Signer
from review.desk import Desk
from review.forget.plan import Plan
from store.statements import SignedStatement

WAIT: Final = timedelta(seconds=60)
_SECRET: Final = "forget-secret"
_UNTIL: Final = "forget-until-moment"
_TYPED: Final = "forget-typed"
_HELD: Final = (_SECRET, _UNTIL)


def form(desk: Desk, visit: Visit, plan: Plan) -> None:
    """Ask for the number of the preview and the passphrase; then the minute begins."""
    say = visit.say
    st.warning(say("forget.no_undo", n=plan.typed), icon=":material/delete_forever:")
    phrase = visit.facts.get("demo_passphrase")
    if phrase:
        st.info(say("sign.demo", phrase=phrase))
    with st.form("forget-start", border=True):
        number, secret = st.columns(2)
        typed = number.text_input(say("forget.type", n=plan.typed), key=_TYPED, autocomplete="off")
        passphrase = secret.text_input(
            say("sign.passphrase"), type="password", autocomplete="off", key="forget-passphrase"
        )
        begun = st.form_submit_button(
            say("forget.start"), type="primary", disabled=visit.unlock is None, key="forget-begin"
        )
    st.caption(say("sign.banner"))
    if not begun or visit.unlock is None:
        return
    if (typed or "").strip() != str(plan.typed):
        st.error(say("forget.wrong_count", n=plan.typed))
        return
    try:
        with visit.unlock(passphrase or ""):
            pass  # a wrong one is said now, not after a minute
    except refusals.EXPLAINED as error:
        refusals.show(error, say)
        return
    st.session_state[_SECRET] = passphrase
    st.session_state[_UNTIL] = (_now(desk) + WAIT).isoformat()
    st.rerun()


def begun() -> bool:
    """Whether the minute has begun."""
    return all(st.session_state.get(name) for name in _HELD)


def cancel() -> None:
    """Nothing is run, and the passphrase is let go."""
    for name in _HELD:
        st.session_state.pop(name, None)


def is_due(desk: Desk) -> bool:
    """Whether the minute is over."""
    return begun() and _left(desk) <= 0


@st.fragment(run_every=1.0)
def countdown(desk: Desk, visit: Visit) -> None:
    """Draw how long there is to cancel; at its end the page is drawn again."""
    if not begun():
        return
    say, left = visit.say, max(_left(desk), 0)
    with st.container(border=True, key="forget-countdown"):
        st.subheader(say("forget.starts_in", time=f"{left // 60}:{left % 60:02d}"), anchor=False)
        st.progress(1 - left / WAIT.total_seconds())
        st.caption(say("forget.nothing_yet"))
        if st.button(say("forget.cancel"), key="forget-cancel", type="primary"):
            cancel()
            st.rerun()
    if not left:
        st.rerun()


def signer(visit: Visit) -> Signer:
    """Signs with the passphrase of this run. The key is opened for each signing, and closed.

    A run on a large store takes longer than a key may stay open.
    """
    passphrase = str(st.session_state.get(_SECRET) or "")
    return signing_with(visit, passphrase)


def signing_with(visit: Visit, passphrase: str) -> Signer:
    """Signs with the key that ``passphrase`` opens, each time anew."""

    def sign(statements: Sequence[bytes]) -> Sequence[SignedStatement]:
        assert visit.unlock is not None
        with visit.unlock(passphrase) as signed:
            return signed(statements)

    return sign


def _left(desk: Desk) -> int:
    """Whole seconds until it begins."""
    until = datetime.fromisoformat(str(st.session_state[_UNTIL]))
    return int((until - _now(desk)).total_seconds())


def _now(desk: Desk) -> datetime:
    return datetime.fromisoformat(desk.now())

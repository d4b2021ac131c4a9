"""What would have been so otherwise: another moment, threshold or time frame, or one cell less.

Nothing of it is stored, and it is never drawn without saying that it did not happen.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

import streamlit as st

from console.cards import as_of, why_gate
from console.cards.visit import Visit
from review.audit import Audit, Why
from review.identities import short
from review.intents import IntentKind
from review.replay import WhatIf

_ANY: Final = ""
_THETAS: Final = tuple(f"{n / 100:.2f}" for n in range(50, 66))
"""The thresholds that a policy may set."""

_KEYS: Final = ("if_about", "if_at", "if_theta", "if_without", "if_now")


def draw(visit: Visit, audit: Audit, told: Why) -> None:
    """The controls, and what they give."""
    say, answer = visit.say, told.explanation.answer
    if audit.replay.question_of(answer) is None:
        st.caption(say("what_if.unknown"))
        return
    what = _asked(visit, told)
    if what is None:
        return
    if what == WhatIf():
        st.caption(say("what_if.idle"))
        return
    with st.container(border=True, key="what-if"):
        st.warning(say("what_if.banner"), icon=":material/science:")
        parts = audit.what_if(answer, what)
        for n, part in enumerate(parts):
            why_gate.draw(visit, n, part, focus=told.focus, key="if")
        st.button(say("what_if.reset"), key="act-reset", on_click=_reset)


def _asked(visit: Visit, told: Why) -> WhatIf | None:
    """What the controls say; None when the typed moment is none."""
    say = visit.say
    admitted = [row.item for part in told.then for row in part.rows if row.score.admitted]
    seen = [row.item for part in told.now for row in part.rows if row.score.admitted]
    items = list(dict.fromkeys((*admitted, *seen)))
    first, second, third, fourth = st.columns([2, 2, 2, 2])
    with first:
        about = st.segmented_control(
            say("what_if.about"),
            [str(kind) for kind in IntentKind],
            key="if_about",
            format_func=lambda kind: say(f"what_if.about.{kind}"),
        )
    with second:
        typed = st.text_input(say("what_if.at"), key="if_at", placeholder=say("asof.placeholder"))
    with third:
        theta = st.select_slider(
            say("what_if.theta"),
            [_ANY, *_THETAS],
            key="if_theta",
            format_func=lambda one: (
                say("what_if.theta.one", theta=one) if one else say("what_if.theta.own")
            ),
        )
    with fourth:
        without = st.selectbox(
            say("what_if.without"),
            [_ANY, *items],
            key="if_without",
            format_func=lambda item: (
                say("what_if.without.one", item=short(item))
                if item
                else say("what_if.without.none")
            ),
        )
    now = st.toggle(say("what_if.now"), key="if_now")
    moment = as_of.read(typed) if typed else None
    if typed and moment is None:
        st.caption(say("what_if.bad"))
        return None
    return _what(about, moment, theta, without, now=now)


def _what(
    about: str | None,
    moment: datetime | None,
    theta: str,
    without: str | None,
    *,
    now: bool,
) -> WhatIf:
    return WhatIf(
        asked_at=moment,
        theta=float(theta) if theta else None,
        without=without or "",
        about=IntentKind(about) if about else None,
        now=now,
    )


def _reset() -> None:
    for key in _KEYS:
        st.session_state.pop(key, None)

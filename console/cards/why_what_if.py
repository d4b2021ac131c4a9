"""What would have been so otherwise: another moment, threshold or time frame, or one cell less.

Nothing of it is stored, and it is never drawn without saying that it did not happen.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

import streamlit as st

from console.cards import address, as_of, refusals, untrusted, why_gate
from console.cards.visit import Visit
from console.cards.why_gate import Shown
from review.auditing.audit import Audit, Why
from review.auditing.replay import WhatIf
from review.policy import PolicyError
from review.question.intents import IntentKind

ABOUT: Final = {
    "current": IntentKind.CURRENT,
    "past": IntentKind.HISTORY,
    "change": IntentKind.CHANGE,
}
"""What a question can be asked about, by the word in the URL."""

_ANY: Final = ""
_THETAS: Final = tuple(f"{n / 100:.2f}" for n in range(50, 66))
"""The thresholds that a policy may set."""

_KEYS: Final = ("if_at", "if_theta", "if_without", "if_now")


def controls(visit: Visit, audit: Audit, told: Why, about: str) -> WhatIf | None:
    """The controls. What the question is about stands beside the views, the rest is folded.

    Args:
        visit: The drawing of the page.
        audit: Tells whether it is known what was asked.
        told: The answer.
        about: What the question is asked about instead: a key of ``ABOUT``; blank as it was asked.

    Returns:
        What is asked otherwise; None when nothing is, or the typed moment is none.
    """
    say, answer = visit.say, told.explanation.answer
    if audit.replay.question_of(answer) is None:
        st.caption(say("what_if.unknown"))
        return None
    with st.expander(say("what_if.title"), key="what-if-more", icon=":material/science:"):
        what = _asked(visit, told, about)
        if what == WhatIf():
            st.caption(say("what_if.idle"))
    return None if what == WhatIf() else what


def draw(visit: Visit, audit: Audit, told: Why, what: WhatIf, shown: Shown) -> bool:
    """What would have been so; False when it could not be worked out, which is said.

    Args:
        visit: The drawing of the page.
        audit: Works it out.
        told: The answer.
        what: What is asked otherwise.
        shown: How the rows are shown.
    """
    say = visit.say
    try:
        parts = audit.what_if(told.explanation.answer, what)
    except (*refusals.EXPLAINED, PolicyError) as error:
        if isinstance(error, PolicyError):
            st.error(say("state.policy"))
        else:
            refusals.show(error, say)
        st.caption(say("what_if.failed"))
        return False
    with st.container(border=True, key="what-if"):
        with st.container(horizontal=True, vertical_alignment="center", key="what-if-head"):
            st.warning(say("what_if.banner"), icon=":material/science:")
            st.button(say("what_if.reset"), key="act-reset", on_click=_reset)
        for n, part in enumerate(parts):
            why_gate.draw(visit, n, part, focus=told.focus, key="if", as_=shown)
    return True


def _asked(visit: Visit, told: Why, about: str) -> WhatIf | None:
    """What the controls say; None when the typed moment is none."""
    say = visit.say
    admitted = [row.item for part in told.then for row in part.rows if row.score.admitted]
    seen = [row.item for part in told.now for row in part.rows if row.score.admitted]
    items = list(dict.fromkeys((*admitted, *seen)))
    second, third, fourth = st.columns([2, 2, 2])
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
        rows = [row for part in (*told.then, *told.now) for row in part.rows]
        named = {item: why_gate.named(rows, item) for item in items}
        without = untrusted.pick(
            say, "what_if.without", "what_if.without.none", named, key="if_without"
        )
    now = st.toggle(say("what_if.now"), key="if_now")
    moment = as_of.read(typed) if typed else None
    if typed and moment is None:
        st.caption(say("what_if.bad"))
        return None
    return _what(ABOUT.get(about), moment, theta, without, now=now)


def question(visit: Visit, about: str) -> None:
    """What the question is asked about instead: its choice beside the views, in the URL."""
    say = visit.say
    st.session_state["intent"] = about or None
    st.segmented_control(
        say("what_if.about"),
        list(ABOUT),
        key="intent",
        format_func=lambda one: say(f"what_if.about.{ABOUT[one]}"),
        label_visibility="collapsed",
        on_change=address.follow,
        args=("intent", "", ()),
    )


def _what(
    about: IntentKind | None,
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
        about=about,
        now=now,
    )


def _reset() -> None:
    for key in _KEYS:
        st.session_state.pop(key, None)
    address.put(intent="")

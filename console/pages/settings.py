"""Settings: what a person may change for this session, and what is only shown."""

from __future__ import annotations

import streamlit as st

from console.cards import heading, untrusted
from console.cards.keys import MODES, mode
from console.cards.model_help import switch
from console.cards.times import moment
from console.cards.visit import Visit
from review.desk import Desk


def render(desk: Desk, visit: Visit) -> None:
    """Draw the page."""
    say = visit.say
    heading.draw(visit, "settings")
    with desk.held():
        left, right = st.columns(2, border=True)
        with left:
            _keys(visit)
            _identity(desk, visit)
            if visit.switch is not None:
                _trust(desk, visit)
        with right:
            if visit.switch is None:
                _trust(desk, visit)
            switch.draw(visit)
        _policy(desk, visit)
        told = None if visit.model is None else visit.model.spending()
        is_on = told is not None and told.on
        st.caption(say("settings.telemetry.model" if is_on else "settings.telemetry"))
        if "database" in visit.facts:
            st.caption(say("settings.elsewhere"))


def _keys(visit: Visit) -> None:
    say = visit.say
    st.subheader(say("settings.session"), anchor=False)
    st.caption(say("settings.language"))
    st.session_state["keys_choice"] = mode()
    st.segmented_control(
        say("settings.keys"),
        list(MODES),
        required=True,
        format_func=lambda name: say(f"settings.keys.{name}"),
        key="keys_choice",
        help=say("settings.keys.help"),
        on_change=_choose_keys,
    )


def _choose_keys() -> None:
    st.session_state["keys_mode"] = st.session_state["keys_choice"]


def _identity(desk: Desk, visit: Visit) -> None:
    say = visit.say
    st.subheader(say("settings.identity"), anchor=False)
    heading.read_only(visit)
    rows = []
    if desk.person is not None:
        rows += [
            (say.plain("settings.name"), desk.person.name),
            (say.plain("settings.reviewer"), desk.person.reviewer),
        ]
    rows += [(say.plain(f"settings.{name}"), value) for name, value in visit.facts.items()]
    untrusted.fields(rows)
    st.caption(say("settings.identity.help"))


def _trust(desk: Desk, visit: Visit) -> None:
    _reviewers(desk, visit)
    st.subheader(visit.say("settings.boundary"), anchor=False)
    st.caption(visit.say("sign.banner"))


def _reviewers(desk: Desk, visit: Visit) -> None:
    say, standing = visit.say, desk.standing()
    st.subheader(say("settings.reviewers"), anchor=False)
    if not standing.keys:
        st.caption(say("settings.reviewers.none"))
        return
    untrusted.fields([(visit.who(name), key.fingerprint) for name, key in standing.keys.items()])
    if len(standing.keys) == 1:
        st.caption(say("settings.alone"))


def _policy(desk: Desk, visit: Visit) -> None:
    say, policy = visit.say, desk.policy
    st.subheader(say("settings.policy"), anchor=False)
    st.caption(say("settings.policy.help"))
    untrusted.fields(
        [("sha256", policy.sha256), (say.plain("settings.policy.read"), moment(desk.now()))]
    )
    if policy.problem:
        st.error(say("settings.policy.problem"))
        untrusted.show(policy.problem, say, key="policy-problem")
    untrusted.show(policy.text.decode("utf-8", "replace"), say, key="policy")

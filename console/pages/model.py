"""Model help: whether it is on, what it spent, and how its proposals fared."""

from __future__ import annotations

import streamlit as st

from console.cards import heading, model_agreement, untrusted
from console.cards.model_help import backlog
from console.cards.visit import Visit
from console.words import Say
from review.desk import Desk
from review.proposals.protocol import Spending


def render(desk: Desk, visit: Visit) -> None:
    """Draw the page."""
    say, help_ = visit.say, visit.model
    heading.draw(visit, "model")
    if help_ is None:
        st.info(say("model.off"))
        return
    told = None if help_.model is None else help_.model.spending()
    with desk.held():
        counted = help_.tally()
    left, right = st.columns([2, 3], border=True)
    with left:
        _standing(say, told)
        if counted.records:
            model_agreement.replies(counted, say)
    with right:
        st.subheader(say("model.power"), anchor=False)
        st.caption(say("model.power.told"))
        st.caption(say("model.power.sent"))
        visit.link("settings", "model.to_settings")
    backlog.draw(desk, visit)
    if counted.records:
        model_agreement.people(counted, say)
        model_agreement.grammar(counted, say)


def _standing(say: Say, told: Spending | None) -> None:
    st.subheader(say("model.standing"), anchor=False)
    if told is None or not told.on:
        st.caption(say("model.off"))
        st.code("memory-console model set on=true name=MODEL", language=None)
    if told is None:
        return
    rows = [
        (say.plain("model.name"), told.model or "—"),
        (say.plain("model.key"), say.plain("model.key.yes" if told.has_key else "model.key.no")),
        (
            say.plain("model.tokens"),
            say.plain("model.of", some=told.tokens, whole=told.tokens_allowed),
        ),
        (say.plain("model.calls"), f"{told.calls:,}"),
    ]
    if told.cost_allowed_micros is not None:
        some, whole = (f"{one / 1e6:.4f}" for one in (told.cost_micros, told.cost_allowed_micros))
        money = say.plain("model.of", some=some, whole=f"{whole} {told.currency}")
        rows.append((say.plain("model.money"), money))
    untrusted.fields(rows)
    st.caption(say("model.today"))

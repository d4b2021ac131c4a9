"""What a request would do, in three columns: erased, left and known where, not to be known."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

import streamlit as st

from console.cards.forget import plan_words, tree
from console.cards.refusals import Told
from console.cards.visit import Visit
from review.desk import Desk
from review.forget.plan import Plan

_PARTS: Final = (
    ("forget.will.erase", plan_words.erased),
    ("forget.will.leave", plan_words.left),
    ("forget.will.unknown", plan_words.unknown),
)


def draw(desk: Desk, visit: Visit, plan: Plan, *, expires: str) -> tuple[str, ...]:
    """Draw a plan; ids of the rows left to a person that he ticked."""
    say = visit.say
    if plan.empty:
        st.warning(say("forget.nothing", n=plan.unlinked), icon=":material/search_off:")
    if plan.missing:
        st.warning(say("forget.missing", n=len(plan.missing)))
    st.caption(say("forget.valid_until", when=expires))
    columns = st.columns(3, border=True)
    for column, (key, lines) in zip(columns, _PARTS, strict=True):
        with column:
            st.subheader(say(key), anchor=False)
            for line in lines(say, plan):
                st.text(line)
    if found := list(plan_words.effects(say, plan)):
        with st.container(border=True, key="forget-effects"):
            st.subheader(say("forget.effects"), anchor=False)
            for line in found:
                st.text(line)
    ticked = tree.undecided(desk, say, plan)
    tree.draw(desk, say, plan)
    st.download_button(
        say("forget.download.plan"),
        json.dumps(plan.as_json(), ensure_ascii=False, indent=1),
        file_name=f"forget-plan-{plan.forget}.json",
        mime="application/json",
        key="forget-plan-json",
        on_click="ignore",
    )
    return ticked


def moved(visit: Visit, why: Sequence[Told]) -> None:
    """Why a preview does not hold any more, and that nothing was erased."""
    with st.container(border=True, key="forget-moved"):
        st.warning(visit.say("forget.moved"), icon=":material/update:")
        for key, params in why:
            st.text(visit.say.plain(key, **params))

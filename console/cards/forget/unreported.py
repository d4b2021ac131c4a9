"""Requests that were carried out and whose report is not here, as after a restore."""

from __future__ import annotations

import json

import streamlit as st

from console.cards import address, refusals
from console.cards.forget import told
from console.cards.times import moment
from console.cards.visit import Visit
from review.desk import Desk
from review.forget.report import BadReportError, Report, read_report
from review.forget.requests import Ended

_LOOKED = "forget-looked"
_SHOWN = 20
_NONE_OF_OURS = (ValueError, RecursionError, BadReportError)


def draw(desk: Desk, visit: Visit) -> None:
    """The list of them, and the way to bring a report back; nothing where there is none."""
    say, found = visit.say, desk.forget.unreported()
    if not found:
        return
    with st.expander(say("forget.unreported", n=len(found)), expanded=True):
        st.caption(say("forget.unreported.help"))
        for one in found[:_SHOWN]:
            with st.container(horizontal=True, vertical_alignment="center"):
                to = {"step": "report", "request": one.forget}
                visit.link("forget", "forget.unreported.open", to=to, when=moment(one.at))
                st.text(_counts(visit, one))
        if len(found) > _SHOWN:
            st.caption(say("forget.earlier.more", n=len(found) - _SHOWN))
        _bring(desk, visit)


def one(desk: Desk, visit: Visit, forget: str) -> bool:
    """What can be told of one of them; whether it is one."""
    say = visit.say
    found = next((one for one in desk.forget.unreported() if one.forget == forget), None)
    if found is None:
        return False
    with st.container(border=True, key="forget-unreported"):
        st.warning(say("forget.unreported.head", when=moment(found.at)))
        st.text(_counts(visit, found))
        _bring(desk, visit)
        if st.button(say("forget.look"), key="forget-look"):
            _look(desk, visit, forget)
    looked: Report | None = st.session_state.get(_LOOKED)
    if looked is not None and looked.head.forget_id == forget:
        told.draw(desk, visit, looked, kept=False)
    return True


def _counts(visit: Visit, one: Ended) -> str:
    say = visit.say
    return ", ".join(f"{say.plain(f'forget.status.{s}')}: {n}" for s, n in one.counts.items())


def _look(desk: Desk, visit: Visit, forget: str) -> None:
    try:
        with st.spinner(visit.say("forget.checking")):
            st.session_state[_LOOKED] = desk.forget.check_again(forget)
    except refusals.EXPLAINED as error:
        refusals.show(error, visit.say)


def _bring(desk: Desk, visit: Visit) -> None:
    """Keep a report here again that somebody has, if the log names it."""
    say = visit.say
    with st.container(key=f"upload-in-{say.lang}"):  # Streamlit's own words in it are English
        file = st.file_uploader(say("forget.bring"), type="json", key="forget-bring")
    if file is None:
        return
    try:
        report = desk.forget.bring(read_report(json.loads(file.getvalue())))
    except _NONE_OF_OURS:
        st.error(say("forget.bring.refused"))
        return
    except refusals.EXPLAINED as error:
        refusals.show(error, say)
        return
    address.put(step="report", request=report.head.forget_id)
    st.rerun()

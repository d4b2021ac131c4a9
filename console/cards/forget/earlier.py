"""Requests of before: those that were cut off, and the reports of the rest."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from console.cards import address, refusals
from console.cards.forget import unreported
from console.cards.forget.starting import signing_with
from console.cards.times import moment
from console.cards.visit import Visit
from review.desk import Desk
from review.forget.headline import headline as summed_up
from review.forget.report import Report
from review.forget.requests import Unsigned
from review.forget.running import NoSuchRequestError
from review.forget.scope import Scope
from review.identities import short

_SHOWN = 20


def draw(desk: Desk, visit: Visit) -> None:
    """What was begun and not ended, then the reports, newest first."""
    unfinished(desk, visit)
    say = visit.say
    for forget in desk.forget.strange():
        st.error(say("forget.strange", id=short(forget)))
    unreported.draw(desk, visit)
    found = desk.forget.reports()
    if not found:
        return
    st.subheader(say("forget.earlier"), anchor=False)
    for one in found[:_SHOWN]:
        _line(visit, one)
    if len(found) > _SHOWN:
        st.caption(say("forget.earlier.more", n=len(found) - _SHOWN))


def unfinished(desk: Desk, visit: Visit) -> None:
    """Requests that were cut off, and the way to go on, or to throw one away."""
    say = visit.say
    if desk.forget.at_work():
        st.info(say("forget.at_work"), icon=":material/hourglass_top:")
        return
    for one in desk.forget.unsigned():
        _unsigned(desk, visit, one)
    for forget in desk.forget.unfinished():
        with st.container(border=True, key=f"forget-open-{forget}"):
            st.warning(say("forget.unfinished", id=short(forget)), icon=":material/pause_circle:")
            if visit.unlock is None:
                continue
            with st.form(f"forget-resume-{forget}", border=False):
                passphrase = st.text_input(
                    say("sign.passphrase"),
                    type="password",
                    autocomplete="off",
                    key=f"resume-{forget}",
                )
                go = st.form_submit_button(say("forget.resume"), key=f"forget-go-on-{forget}")
            if go:
                _resume(desk, visit, forget, passphrase or "")


def _unsigned(desk: Desk, visit: Visit, one: Unsigned) -> None:
    """One that nobody signed: nothing was erased, so it is not gone on with."""
    say = visit.say
    with st.container(border=True, key=f"forget-unsigned-{one.forget}"):
        if one.started_at:
            st.info(say("forget.unsigned", when=moment(one.started_at), id=short(one.forget)))
        else:
            st.info(say("forget.unsigned.unreadable", id=short(one.forget)))
        if one.withdrawn:
            st.caption(say("forget.unsigned.withdrawn", n=one.withdrawn))
        if st.button(say("forget.discard"), key=f"forget-discard-{one.forget}"):
            try:
                desk.forget.discard(one.forget)
            except refusals.EXPLAINED as error:
                refusals.show(error, say)
                return
            except NoSuchRequestError:
                pass  # another session threw it away
            st.rerun()


def widened(scope: Scope, ticked: tuple[str, ...]) -> Scope:
    """The scope with rows that the plan had left to a person."""
    return replace(scope, also=tuple(dict.fromkeys((*scope.also, *ticked))))


def _resume(desk: Desk, visit: Visit, forget: str, passphrase: str) -> None:
    try:
        with st.spinner(visit.say("forget.running")):
            desk.forget.resume(forget, signing_with(visit, passphrase))
    except refusals.EXPLAINED as error:
        refusals.show(error, visit.say)
        return
    address.put(step="report", request=forget)
    st.rerun()


def _line(visit: Visit, one: Report) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        to = {"step": "report", "request": one.head.forget_id}
        key = "forget.open.case" if one.head.reference else "forget.open"
        visit.link(
            "forget", key, to=to, when=moment(one.head.started), reference=one.head.reference
        )
        st.text(summed_up(one, visit.say.lang))

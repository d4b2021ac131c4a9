"""What a person says was done about a copy elsewhere: signed, and shown as said."""

from __future__ import annotations

from typing import Final

import streamlit as st

from console.cards import refusals, untrusted
from console.cards.forget.starting import signing_with
from console.cards.times import moment
from console.cards.visit import Visit
from review.desk import Desk
from review.forget.confirming import BEYOND_USE, REMOVED, NotConfirmedError
from review.forget.locations import Location
from review.forget.report import Report
from review.forget.statuses import LocationKind, Status

CONDITIONS: Final = ("not_used", "access_blocked", "secured", "delete_by")
"""The four conditions under which a backup is beyond use. Source: trust.md, section 1 (ICO)."""


def said(visit: Visit, one: Location) -> None:
    """What people said of a place, by name and time."""
    for told in one.confirmed:
        when = moment(told.at)
        st.caption(visit.say(f"forget.said.{told.what}", when=when))
        untrusted.line(told.name or told.by)


def draw(desk: Desk, visit: Visit, report: Report, one: Location) -> None:
    """The forms of one place: that it was removed, and of a backup that it is beyond use."""
    say = visit.say
    if one.status not in (Status.OUTSIDE_CONTROL, Status.PUT_BEYOND_USE) or visit.unlock is None:
        return
    gone = any(told.what == REMOVED for told in one.confirmed)
    with st.container(horizontal=True, key=f"forget-acts-{one.location_id}"):
        if not gone:
            with st.popover(say("forget.removed"), key=f"forget-removed-{one.location_id}"):
                _form(desk, visit, report, one, REMOVED)
        if one.kind is LocationKind.BACKUP and one.status is not Status.PUT_BEYOND_USE:
            with st.popover(say("forget.beyond"), key=f"forget-beyond-{one.location_id}"):
                _form(desk, visit, report, one, BEYOND_USE)


def _form(desk: Desk, visit: Visit, report: Report, one: Location, what: str) -> None:
    say, key = visit.say, f"{what}-{one.location_id}"
    with st.form(f"forget-{key}", border=False):
        st.caption(say(f"forget.say.{what}"))
        ticks = [True]
        if what == BEYOND_USE:
            ticks = [
                st.checkbox(
                    say(f"forget.condition.{name}", day=one.delete_by), key=f"{key}-{name}"
                )
                for name in CONDITIONS
            ]
        evidence = st.text_input(say("forget.evidence"), key=f"evidence-{key}")
        passphrase = st.text_input(
            say("sign.passphrase"), type="password", autocomplete="off", key=f"secret-{key}"
        )
        sent = st.form_submit_button(say("forget.sign"), type="primary", key=f"sign-{key}")
    if not sent:
        return
    if not all(ticks):
        st.error(say("forget.four"))
        return
    try:
        desk.forget.confirm(
            report.head.forget_id,
            one.location_id,
            signing_with(visit, passphrase or ""),
            evidence=evidence or "",
            what=what,
        )
    except NotConfirmedError as error:
        st.error(say("forget.not_confirmed"))
        untrusted.line(str(error))
        return
    except refusals.EXPLAINED as error:
        refusals.show(error, say)
        return
    st.rerun()

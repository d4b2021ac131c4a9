"""What forgetting leaves for today: residues that are due, requests cut off, overdue backups."""

from __future__ import annotations

from datetime import date

import streamlit as st

from console.backup.kept import overdue
from console.cards.visit import Visit
from review.desk import Desk
from review.forget.report import BadReportError


def draw(desk: Desk, visit: Visit) -> None:
    """A line for each, with the way to it; nothing when nothing is due."""
    say = visit.say
    open_ = desk.forget.unfinished()
    try:
        due = desk.forget.due()
    except BadReportError:
        due = ()
        st.error(say("forget.bad_report"))
    late = () if visit.backups is None else overdue(visit.backups(), _today(desk))
    if not (open_ or due or late):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="forget-due"):
        if open_:
            visit.link("forget", "start.forget.open", n=len(open_))
        if due:
            to = {"step": "report", "request": due[0].forget}
            visit.link("forget", "start.forget.due", to=to, n=len(due))
        if late:
            st.text(say.plain("start.backups.due", n=len(late)))


def _today(desk: Desk) -> date:
    return date.fromisoformat(desk.now()[:10])

"""What forgetting leaves for today: residues that are due, requests cut off, overdue backups."""

from __future__ import annotations

from datetime import date

import streamlit as st

from console.backup.kept import overdue
from console.cards.visit import Visit
from review.desk import Desk
from review.identities import short


def draw(desk: Desk, visit: Visit) -> None:
    """A line for each, with the way to it; nothing when nothing is due."""
    say = visit.say
    forget, at_work = desk.forget, desk.forget.at_work()
    open_ = () if at_work else forget.unfinished()
    unsigned, without = forget.unsigned(), forget.unreported()
    strange, due = forget.strange(), forget.due()
    late = () if visit.backups is None else overdue(visit.backups(), _today(desk))
    for one in strange:
        st.error(say("forget.strange", id=short(one)))
    if not (open_ or unsigned or due or without or late):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="forget-due"):
        if open_:
            visit.link("forget", "start.forget.open", n=len(open_))
        if unsigned:
            visit.link("forget", "start.forget.unsigned", n=len(unsigned))
        if due:
            to = {"step": "report", "request": due[0].forget}
            visit.link("forget", "start.forget.due", to=to, n=len(due))
        if without:
            visit.link("forget", "start.forget.unreported", n=len(without))
        if late:
            st.text(say.plain("start.backups.due", n=len(late)))


def _today(desk: Desk) -> date:
    return date.fromisoformat(desk.now()[:10])

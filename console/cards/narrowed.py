"""Which part of a lane is on the screen: the filters by name, how many fit, and the way out.

A list narrowed to one import can be rejected whole from here.
"""

from __future__ import annotations

import streamlit as st

from console.cards import bulk, filters, press, untrusted
from console.cards.address import Address
from console.cards.visit import Visit
from review.desk import Desk
from review.frozen_lists import MOST_OF_IMPORT
from review.identities import short
from review.queue import Counts, Wanted


def draw(desk: Desk, visit: Visit, at: Address, counts: Counts, wanted: Wanted) -> int | None:
    """One line about the filters that are set.

    Returns:
        How many waiting records fit them; None if no filter is set.
    """
    if not filters.narrowed(at):
        return None
    say, n = visit.say, desk.waiting(wanted, per=1).total
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="narrowed"):
        lead = "inbox.narrowed" if wanted.lane else "inbox.narrowed.lanes"
        st.caption(say(lead, n=n, all=counts.lanes[at["lane"]]), width="content")
        for name in ("kind", "source", "flag"):
            if at[name]:
                st.text(say.plain(f"{name}.{at[name]}"))
        if at["q"]:
            st.caption(say("inbox.search") + ":", width="content")
            untrusted.line(at["q"])
        if at["batch"]:
            st.caption(say("inbox.narrowed.import"), width="content")
            untrusted.line(name_of(desk, at["batch"]))
        filters.clear_button(visit)
        if at["batch"]:
            _turn_down(desk, visit, at["batch"])
    return n


def name_of(desk: Desk, import_id: str) -> str:
    """The file of an import, foreign text; its short id when it is not among the newest."""
    named = (one.name for one in desk.journal.imports() if one.import_id == import_id)
    return next(named, "") or short(import_id)


def _turn_down(desk: Desk, visit: Visit, import_id: str) -> None:
    wanted = Wanted(batch=import_id)
    waiting = desk.waiting(wanted, per=1).total
    if waiting:
        st.button(
            visit.say("import.reject", n=waiting),
            key="act-reject-import",
            type="tertiary",
            disabled=bool(visit.why_read_only) or press.dialog_open(),
            help=visit.say("import.reject.help", most=MOST_OF_IMPORT),
            on_click=_freeze,
            args=(desk, wanted),
        )


def _freeze(desk: Desk, wanted: Wanted) -> None:
    rows = desk.waiting(wanted, per=MOST_OF_IMPORT).rows
    bulk.freeze_import(tuple(sorted(row.item for row in rows)), wanted.batch)

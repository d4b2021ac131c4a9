"""Which moment of record time a page shows: now, or a past one, with its moment in the URL.

The URL always holds a plain moment, so that a link says the same tomorrow. Times are typed and not
picked: Streamlit's own calendar speaks English only.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

import streamlit as st

from console.cards import address
from console.cards.times import moment as told_moment
from console.cards.visit import Visit
from review.desk import Desk
from review.identities import stamp

PARAMETER: Final = "asof"
NOW: Final = "now"
BEFORE: Final = "before"
DAY: Final = "day"
CHOSEN: Final = "chosen"
_TYPED: Final = "%Y-%m-%d %H:%M:%S"


def control(visit: Visit, desk: Desk | None = None) -> datetime | None:
    """Draw the choice of a moment, and a banner if it is a past one.

    Args:
        visit: The drawing of the page.
        desk: Gives the present moment and the last decision; without it only "now" and a typed
            moment are offered.

    Returns:
        The moment of record time that the page has to show, in UTC; None is now.
    """
    say, told = visit.say, st.query_params.get(PARAMETER) or ""
    found = read(told)
    if found is not None and desk is not None and stamp(found) >= desk.now():
        found = None
    offered = [NOW, *((BEFORE, DAY) if desk is not None else ()), CHOSEN]
    with st.container(
        horizontal=True, vertical_alignment="center", key="as-of", width="content", gap="small"
    ):
        st.session_state["as_of"] = _preset(told, found)
        st.selectbox(
            say("asof.label"),
            offered,
            key="as_of",
            format_func=lambda name: say(f"asof.{name}"),
            label_visibility="collapsed",
            width=240,
            on_change=_choose,
            args=(desk,),
        )
        if st.session_state["as_of"] == CHOSEN:
            typed = "" if found is None else found.strftime(_TYPED).removesuffix(":00")
            st.session_state["as_of_typed"] = typed
            st.text_input(
                say("asof.typed"),
                key="as_of_typed",
                placeholder=say("asof.placeholder"),
                label_visibility="collapsed",
                width=200,
                on_change=_type,
            )
    if st.session_state.pop("as_of_bad", False) or (told and found is None):
        st.caption(say("asof.bad"))
    return found


def banner(visit: Visit, moment: datetime | None) -> None:
    """Say that the page shows the past, and offer the way back. Nothing is drawn for now."""
    if moment is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="as-of-banner"):
        when = told_moment(stamp(moment))
        st.warning(visit.say("asof.banner", when=when), icon=":material/history:")
        st.button(visit.say("asof.back"), key="act-now", on_click=_put, args=(None,))


def kept() -> dict[str, str]:
    """The parameter to hand on in links to other pages, so that they show the same moment."""
    told = st.query_params.get(PARAMETER) or ""
    return {PARAMETER: told} if read(told) is not None else {}


def read(told: str) -> datetime | None:
    """A moment as the URL or a person writes it, in UTC; None if it is none.

    A moment without an offset is taken as UTC, as every time on the screen is.
    """
    try:
        found = datetime.fromisoformat(told.strip().removesuffix("UTC").strip())
        found = found if found.tzinfo is not None else found.replace(tzinfo=UTC)
        return found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _preset(told: str, found: datetime | None) -> str:
    """Which option is shown for the moment in the URL."""
    if found is None:
        return CHOSEN if st.session_state.get("as_of_asked") else NOW
    made, name = st.session_state.get("as_of_made") or ("", "")
    return str(name) if made == told else CHOSEN


def _choose(desk: Desk | None) -> None:
    name = st.session_state["as_of"]
    st.session_state["as_of_asked"] = name == CHOSEN
    if name == NOW or desk is None:
        _put(None)
        st.session_state["as_of_asked"] = name == CHOSEN
        return
    if name == CHOSEN:
        return
    now = read(desk.now())
    last = read(_last_decision(desk)) if name == BEFORE else None
    found = now - timedelta(days=1) if name == DAY and now is not None else None
    if last is not None:
        found = last - timedelta(microseconds=1)
    _put(found, name)


def _last_decision(desk: Desk) -> str:
    """When the newest signed decision or link was recorded; blank if there is none."""
    return desk.graph.last_decision()


def _type() -> None:
    typed = str(st.session_state.get("as_of_typed") or "")
    found = read(typed)
    if found is None and typed.strip():
        st.session_state["as_of_bad"] = True
        return
    _put(found)


def _put(found: datetime | None, name: str = CHOSEN) -> None:
    told = "" if found is None else stamp(found)
    st.session_state["as_of_made"] = (told, name)
    st.session_state["as_of_asked"] = False
    address.put(**{PARAMETER: told})

"""The inbox: lanes of staged records, as a list or one card at a time."""

from __future__ import annotations

from typing import Final

import streamlit as st

from console.cards import (
    address,
    bulk,
    choices,
    drift,
    filters,
    focus,
    heading,
    importing,
    job_strip,
    narrowed,
    press,
    queue_list,
    refusals,
    run_rows,
    signed,
    signing_bar,
    signing_dialog,
    stale,
    unstaged,
)
from console.cards.address import ANY_ID, ANY_WORDS, Address
from console.cards.keys import shortcut
from console.cards.visit import Visit
from review.cards.card import NoSuchItemError
from review.desk import Desk
from review.queue import OUTCOME_LANES, Counts, Lane, Page, Wanted
from review.staged.flags import FlagCode
from store.cells import Kind, SourceType
from store.queries import SORTS

DEFAULTS: Final = {
    "lane": str(Lane.NEEDS_EYES),
    "view": "focus",
    "item": "",
    "batch": "",
    "kind": "",
    "source": "",
    "flag": "",
    "q": "",
    "run": "",
    "sort": "risk",
    "p": "1",
}
ALLOWED: Final = {
    "lane": [*(str(lane) for lane in Lane), stale.LANE],
    "view": ["list", "focus"],
    "item": ANY_ID,
    "batch": ANY_ID,
    "kind": [str(kind) for kind in Kind],
    "source": [str(source) for source in SourceType],
    "flag": [str(code) for code in FlagCode],
    "q": ANY_WORDS,
    "run": ANY_WORDS,
    "sort": list(SORTS),
}


def render(desk: Desk, visit: Visit) -> None:
    """Draw the page. Every write is one call on the desk, made by a button's callback."""
    at = address.read(DEFAULTS, ALLOWED)
    on_the_card: tuple[str, ...] = ("edit", "note", *choices.DIALOGS)
    if at["lane"] == stale.LANE:
        on_the_card = stale.DIALOGS
    press.keep_dialog("keys", "sign", *(on_the_card if at["view"] == "focus" else ()))
    with desk.held():
        counts = desk.counts()
        _top(desk, visit, at, counts)
        address.note_unknown(at, visit.say)
        heading.read_only(visit)
        if bulk.frozen():
            bulk.draw(desk, visit)
            return
        if not sum(counts.outcomes.values()):
            _never(desk, visit)
            return
        job_strip.at_work(visit)
        if at["lane"] == stale.LANE:
            stale.draw(desk, visit, at.page)
            return
        lane = Lane(at["lane"])
        if lane in OUTCOME_LANES:
            _records(desk, visit, lane, at.page)
            return
        _queue(desk, visit, at, counts)


def wanted_of(at: Address) -> Wanted:
    """The filters of the URL as the queue takes them. A run is listed from every lane."""
    names = ("kind", "source", "flag", "batch", "q", "run", "sort")
    lane = "" if at["run"] else at["lane"]
    return Wanted(lane, **{name: at[name] for name in names})


def _top(desk: Desk, visit: Visit, at: Address, counts: Counts) -> None:
    say = visit.say
    title, lanes, views = st.columns([1.1, 6.6, 1.9], vertical_alignment="center")
    title.title(say("inbox.title"), anchor=False)

    words, n = stale.tab(desk)
    tally = {**counts.lanes, stale.LANE: n}
    with lanes:
        st.session_state["lane"] = at["lane"]
        st.segmented_control(
            say("inbox.lanes"),
            [*(str(lane) for lane in Lane), stale.LANE],
            required=True,
            format_func=lambda lane: say(
                f"lane.{words if lane == stale.LANE else lane}", n=tally.get(lane, 0)
            ),
            key="lane",
            label_visibility="collapsed",
            disabled=press.dialog_open(),
            on_change=address.follow,
            args=("lane", DEFAULTS["lane"], ("p", "item", "run")),
        )
    with views, st.container(horizontal=True, horizontal_alignment="right"):
        other = "list" if at["view"] == "focus" else "focus"
        listed = at["lane"] not in (*OUTCOME_LANES, stale.LANE)
        if not bulk.frozen() and listed and other == "list":
            st.button(
                say("inbox.to_list"),
                key="act-list",
                shortcut=shortcut("V"),
                disabled=press.dialog_open(),
                on_click=address.put,
                kwargs={"view": "list"},
            )
        st.button(
            say("inbox.keys"),
            key="act-keys",
            shortcut=shortcut("H"),
            type="tertiary",
            disabled=press.dialog_open(),
            on_click=press.open_dialog,
            args=("keys",),
        )
    if st.session_state.get("dialog") == "keys":
        st.dialog(say("keys.title"), on_dismiss=press.close_dialog)(_keys)(visit)


def _keys(visit: Visit) -> None:
    for key in ("A", "X", "S", "U", "J", "K", "E", "I", "W", "N", "V", "H"):
        st.text(f"{key}    {visit.say.plain(f'keys.{key}')}")
    st.caption(visit.say("keys.off"))


def _queue(desk: Desk, visit: Visit, at: Address, counts: Counts) -> None:
    wanted = wanted_of(at)
    if at["lane"] == Lane.DUPLICATES:
        visit.link("duplicates", "inbox.to_duplicates")
    if at["view"] == "list":
        filters.draw(visit, at, counts)
    fitting = narrowed.draw(desk, visit, at, counts, wanted)
    run_rows.told(visit, at)
    if at["view"] == "list":
        page = desk.waiting(wanted, at.page)
        if page.total == 0:
            _nothing(desk, visit, at, counts)
        elif not page.rows:
            address.put(p="")
            st.rerun()
        else:
            signed.receipt(visit)
            st.badge(visit.say("inbox.badge"), color="gray")
            queue_list.draw(desk, visit, page, at.page)
            _draft_bar(desk, visit, page)
        return
    named = press.arrived(at["item"], desk.now())
    item = named or desk.following(wanted)
    if not item:
        _nothing(desk, visit, at, counts)
        return
    try:
        card = desk.card_of(item)
    except NoSuchItemError as error:
        refusals.show(error, visit.say)
        st.button(visit.say("inbox.first"), on_click=address.put, kwargs={"item": ""})
        return
    if not named:
        address.put(item=item)
    left = counts.lanes[at["lane"]] if fitting is None else fitting
    run_rows.offer(visit, card, at)
    focus.draw(desk, visit, card, wanted, left)
    drift.draw(desk, visit, card)


def _draft_bar(desk: Desk, visit: Visit, page: Page | None = None) -> None:
    drafts = desk.drafts()
    with st.bottom:
        signing_bar.said(visit)
        with st.container(horizontal=True, vertical_alignment="center", key="bar"):
            if page is not None:
                queue_list.acts(page, visit)
            st.caption(visit.say("bar.drafted", n=len(drafts)))
            signing_bar.buttons(desk, visit, drafts)
    signing_dialog.signing(desk, visit)


def _records(desk: Desk, visit: Visit, lane: Lane, number: int) -> None:
    records = desk.records(lane, number)
    if not records.total:
        st.info(visit.say(f"lane.{lane}.empty"))
        return
    unstaged.draw(visit, lane, records, number)


def _never(desk: Desk, visit: Visit) -> None:
    st.info(visit.say("inbox.never"))
    importing.draw(desk, visit)


def _nothing(desk: Desk, visit: Visit, at: Address, counts: Counts) -> None:
    say, drafts = visit.say, desk.drafts()
    waiting = {
        lane: counts.lanes[lane]
        for lane in (Lane.NEEDS_EYES, Lane.DUPLICATES, Lane.ROUTINE)
        if counts.lanes[lane]
    }
    if filters.narrowed(at):
        st.info(say("inbox.no_match", n=counts.lanes[at["lane"]]))
    elif drafts:
        st.info(say("inbox.drafts_wait", n=len(drafts)), icon=":material/edit_note:")
    elif waiting:
        st.info(say("inbox.lane_clear"))
    else:
        today = desk.journal.by_day(desk.now()[:10])
        done = sum(sum(tally.values()) for tally in today.values())
        st.success(say("inbox.clear_all", n=done), icon=":material/done_all:")
    with st.container(horizontal=True):
        for lane, n in waiting.items():
            if str(lane) != at["lane"]:
                st.button(
                    say("inbox.open_lane") + " " + say(f"lane.{lane}", n=n),
                    key=f"open-{lane}",
                    on_click=address.put,
                    kwargs={"lane": str(lane), "item": "", "p": ""},
                )
    signed.receipt(visit)
    signing_bar.strip(visit, drafts)
    _draft_bar(desk, visit)

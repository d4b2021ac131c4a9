"""Conflicts: what overrides what, what is open for a person, and what breaks if something goes.

The list comes first, because it is what a person works through; the picture is of the chosen one.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

import streamlit as st

from console.cards import (
    address,
    as_of,
    conflict_list,
    edge_dialog,
    graph_chart,
    graph_panel,
    graph_table,
    heading,
    link_dialog,
    press,
    row_choice,
    signing_bar,
)
from console.cards.address import ANY_ID, Address
from console.cards.keys import shortcut
from console.cards.times import moment as told_moment
from console.cards.visit import Visit
from review import instants
from review.desk import Desk
from review.graphs.graph import MOST_FOUND, MOST_NODES, Picture
from review.graphs.graphing import Moment
from review.graphs.open_conflicts import OpenConflict, OpenConflicts
from review.identities import stamp
from review.queue import PAGE
from store.cells import EdgeKind

KINDS: Final = {
    "": tuple(EdgeKind),
    "conflicts": (EdgeKind.CONFLICTS_WITH, EdgeKind.CONTRADICTS),
    "depends": (EdgeKind.DEPENDS_ON,),
    "supersedes": (EdgeKind.SUPERSEDES,),
}
"""Which edges are drawn, by the word in the URL."""

DEFAULTS: Final = {"focus": "", "steps": "1", "edge": "", "view": "graph", "node": "", "p": "1"}
ALLOWED: Final = {
    "focus": ANY_ID,
    "steps": ["1", "2", "3"],
    "edge": list(KINDS),
    "view": ["graph", "table"],
    "node": ANY_ID,
}


def render(desk: Desk, visit: Visit) -> None:
    """Draw the page. Every write is one call on the desk, made by a button's callback."""
    at = address.read(DEFAULTS, ALLOWED)
    press.keep_dialog("keys", "sign-links", *edge_dialog.DIALOGS)
    with desk.held():
        moment = _top(desk, visit)
        address.note_unknown(at, visit.say)
        heading.read_only(visit)
        as_of.banner(visit, moment)
        told = desk.graph.at(moment)
        conflicts = told.conflicts
        if not len(conflicts) and not at["focus"]:
            when = _clock(told.at)
            st.info(visit.say("conflicts.none", n=len(told.known.cells), when=when))
            visit.link("facts", "conflicts.to_facts", to=as_of.kept())
            _bar(desk, visit, moment)
            return
        _open(desk, visit, at, told, conflicts, moment)
        link_dialog.signing(desk, visit)


def _top(desk: Desk, visit: Visit) -> datetime | None:
    say = visit.say
    title, right = st.columns([3, 4], vertical_alignment="center")
    title.title(say("conflicts.title"), anchor=False)
    with (
        right,
        st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center"),
    ):
        moment = as_of.control(visit, desk)
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
    return moment


def _keys(visit: Visit) -> None:
    for key in ("J", "K", "Enter", "1", "B", "E", "U", "H"):
        st.text(f"{key}    {visit.say.plain(f'conflicts.keys.{key}')}")
    st.caption(visit.say("keys.off"))


def _open(
    desk: Desk,
    visit: Visit,
    at: Address,
    told: Moment,
    conflicts: OpenConflicts,
    moment: datetime | None,
) -> None:
    place = conflicts.place_of(at["focus"]) if at["focus"] else 0
    number = at.page if at["focus"] else min(at.page, -(-len(conflicts) // PAGE) or 1)
    rows = conflicts.page(number, PAGE)
    chosen = conflicts[place] if place >= 0 else None
    if chosen is not None and not at["focus"]:
        chosen = rows[0] if rows else chosen
        place = (number - 1) * PAGE
    focus = chosen.items if chosen is not None else (at["focus"],)
    left, right = st.columns([1.05, 3], gap="medium")
    with left:
        conflict_list.draw(visit, told, rows, total=len(conflicts), number=number, place=place)
    with right:
        steps, kinds = int(at["steps"]), KINDS[at["edge"]]
        most = MOST_NODES if at["view"] == "graph" else MOST_FOUND
        picture = told.graph.around(focus, steps=steps, kinds=kinds, most=most)
        item = ""
        if not picture.nodes:
            st.info(visit.say("conflicts.gone"))
        else:
            item = _picture(desk, visit, at, told, picture, chosen, moment)
    before = conflicts[place - 1].items[0] if place > 0 else ""
    after = conflicts[place + 1].items[0] if -1 < place < len(conflicts) - 1 else ""
    _bar(desk, visit, moment, (before, after), at["view"], item)


def _picture(
    desk: Desk,
    visit: Visit,
    at: Address,
    told: Moment,
    picture: Picture,
    chosen: OpenConflict | None,
    moment: datetime | None,
) -> str:
    """The picture or its table, and the chosen cell below it. Returns that cell."""
    say = visit.say
    _controls(visit, at)
    if chosen is not None:
        st.caption(say(f"conflicts.because.{chosen.why}"))
    item = at["node"] if picture.node(at["node"]) else picture.focus[0]
    if at["view"] == "table":
        clicked = graph_table.nodes(visit, picture, item)
        graph_table.edges(visit, picture)
    else:
        words = say("graph.alt", n=len(picture.nodes), edges=len(picture.edges))
        clicked = graph_chart.draw(visit, picture, at=told.at, chosen=item, alt_text=words)
        graph_chart.legend(visit, picture)
    if clicked and clicked != item and picture.node(clicked):
        address.put(node=clicked)
        st.rerun()
    graph_panel.cut(visit, picture)
    graph_panel.draw(desk, visit, told, picture, item, moment)
    return item


def _controls(visit: Visit, at: Address) -> None:
    say = visit.say
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        for steps in ("1", "2", "3"):
            st.button(
                say("graph.steps.away", n=int(steps)),
                key=f"act-steps-{steps}",
                shortcut=shortcut(steps),
                type="primary" if steps == at["steps"] else "secondary",
                disabled=press.dialog_open(),
                on_click=address.put,
                kwargs={"steps": "" if steps == DEFAULTS["steps"] else steps},
            )
        st.session_state["edge"] = at["edge"]
        st.selectbox(
            say("graph.kinds"),
            list(KINDS),
            format_func=lambda one: say(f"graph.kinds.{one or 'all'}"),
            key="edge",
            label_visibility="collapsed",
            width=190,
            on_change=address.follow,
            args=("edge", "", ()),
        )
        st.session_state["view"] = at["view"]
        st.segmented_control(
            say("graph.views"),
            list(ALLOWED["view"]),
            required=True,
            key="view",
            format_func=lambda one: say(f"graph.view.{one}"),
            label_visibility="collapsed",
            disabled=press.dialog_open(),
            on_change=address.follow,
            args=("view", DEFAULTS["view"], ()),
        )


def _clock(at: int) -> str:
    """A moment of the present as people read it."""
    found = instants.moment_of(at)
    return "" if found is None else told_moment(stamp(found))


def _view(view: str) -> None:
    address.put(view="" if view == "graph" else view)


def _bar(
    desk: Desk,
    visit: Visit,
    moment: datetime | None,
    beside: tuple[str, str] = ("", ""),
    view: str = "",
    item: str = "",
) -> None:
    """The bar: from conflict to conflict, to the chosen record, and what waits for a signature."""
    say, drafts = visit.say, desk.duplicates.drafts()
    with st.bottom:
        signing_bar.said(visit)
        with st.container(horizontal=True, vertical_alignment="center", key="bar"):
            for key, name, to in (("K", "previous", beside[0]), ("J", "next", beside[1])):
                st.button(
                    say(f"act.{name}"),
                    key=f"act-{name}",
                    shortcut=shortcut(key),
                    type="tertiary",
                    disabled=press.dialog_open() or not to,
                    on_click=conflict_list.go,
                    args=(to,),
                )
            if view:
                other = "table" if view == "graph" else "graph"
                st.button(
                    say(f"graph.to.{other}"),
                    key="act-view",
                    shortcut=shortcut("B"),
                    type="tertiary",
                    disabled=press.dialog_open(),
                    on_click=_view,
                    args=(other,),
                )
                row_choice.passport(visit, item)
            link_dialog.undo_button(visit, drafts, desk)
            if moment is None:
                link_dialog.buttons(desk, visit, drafts)

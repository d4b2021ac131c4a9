"""Duplicates: clusters of records that may say the same, one decision for each.

A link keeps both records: nothing is merged, deleted or approved here.
"""

from __future__ import annotations

from typing import Final

import pandas as pd
import streamlit as st

from console.cards import (
    address,
    cluster,
    cluster_press,
    different_dialog,
    heading,
    link_dialog,
    paging,
    press,
    row_choice,
    signing_bar,
    untrusted,
)
from console.cards.address import ANY_ID, Address
from console.cards.keys import shortcut
from console.cards.times import moment
from console.cards.visit import Visit
from review.desk import Desk
from review.duplicates.clusters import Method
from review.duplicates.linking import ClusterPage, OpenCluster
from review.identities import short
from review.queue import PAGE
from store.statements import MOST_SUBJECTS

TOLD: Final = "told"
"""The view of what people said before, beside the ways of finding clusters."""

DEFAULTS: Final = {"method": "", "cluster": "", "p": "1"}
ALLOWED: Final = {"method": [*(str(way) for way in Method), TOLD], "cluster": ANY_ID}


def render(desk: Desk, visit: Visit) -> None:
    """Draw the page. Every write is one call on the desk, made by a button's callback."""
    at = address.read(DEFAULTS, ALLOWED)
    press.keep_dialog("keys", "sign-links", "different")
    with desk.held():
        waiting = desk.duplicates.refresh()
        if waiting:
            st.title(visit.say("duplicates.title"), anchor=False)
            _not_searched(desk, visit, waiting)
            return
        page = desk.duplicates.page("" if at["method"] == TOLD else at["method"], at.page)
        _top(visit, at, page)
        address.note_unknown(at, visit.say)
        heading.read_only(visit)
        _searched(desk, visit, page)
        if at["method"] == TOLD:
            _told(desk, visit, at.page)
        elif not page.total:
            st.info(visit.say("dup.none", n=page.records))
            _bar(desk, visit, None, ())
        else:
            _clusters(desk, visit, at, page)
        link_dialog.signing(desk, visit)


def _not_searched(desk: Desk, visit: Visit, waiting: int) -> None:
    st.info(visit.say("dup.not_searched", n=waiting))
    if st.button(visit.say("dup.search"), key="act-search", type="primary"):
        _search(desk, visit)


def _search(desk: Desk, visit: Visit) -> None:
    with st.spinner(visit.say("dup.searching")):
        desk.duplicates.search()
    st.rerun()


def _top(visit: Visit, at: Address, page: ClusterPage) -> None:
    say = visit.say
    title, ways, keys = st.columns([1.1, 6, 1], vertical_alignment="center")
    title.title(say("duplicates.title"), anchor=False)
    counts = {str(way): n for way, n in page.counts.items()}
    counts[""] = sum(counts.values())
    with ways:
        st.session_state["method"] = at["method"]
        st.segmented_control(
            say("dup.methods"),
            ["", *(str(way) for way in Method), TOLD],
            required=True,
            format_func=lambda way: say(f"dup.method.{way or 'all'}", n=counts.get(way, 0)),
            key="method",
            label_visibility="collapsed",
            disabled=press.dialog_open(),
            on_change=address.follow,
            args=("method", "", ("p", "cluster")),
        )
    with keys, st.container(horizontal=True, horizontal_alignment="right"):
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
    for key in ("A", "X", "S", "U", "J", "K", "Enter", "2", "H"):
        st.text(f"{key}    {visit.say.plain(f'dup.keys.{key}')}")
    st.caption(visit.say("keys.off"))


def _searched(desk: Desk, visit: Visit, page: ClusterPage) -> None:
    say = visit.say
    with st.container(horizontal=True, vertical_alignment="center"):
        when = moment(page.searched_at)
        st.caption(
            say("dup.searched", n=page.records, inside=page.inside, when=when), width="content"
        )
        if page.series:
            st.caption(say("dup.series", n=page.series), width="content")
        if page.newer:
            st.caption(say("dup.newer", n=page.newer), width="content")
            if st.button(say("dup.again"), key="act-search", type="tertiary"):
                _search(desk, visit)


def _clusters(desk: Desk, visit: Visit, at: Address, page: ClusterPage) -> None:
    if not page.rows:
        address.put(p="")
        st.rerun()
    name = at["cluster"]
    opened = desk.duplicates.cluster(name, cluster_press.kept(name)) if name else None
    if opened is None:
        name = page.rows[0].cluster.id
        opened = desk.duplicates.cluster(name, cluster_press.kept(name))
        address.put(cluster=name)
    left, right = st.columns([1.15, 3], gap="medium")
    with left:
        _list(visit, page, at, name)
    with right:
        if opened is None:
            st.info(visit.say("dup.gone"))
            _bar(desk, visit, None, ())
            return
        before, after, place, total = desk.duplicates.beside(name, at["method"])
        chosen = cluster.draw(visit, opened, place=(place, total))
    _bar(desk, visit, opened, chosen, (before, after))


def _list(visit: Visit, page: ClusterPage, at: Address, name: str) -> None:
    """The clusters of this page; the open one is the chosen row."""
    say = visit.say
    rows = [
        (
            untrusted.cell(row.claim, 80) if row.claim is not None else say.plain("stored.erased"),
            cluster.counted(say, row.cluster),
        )
        for row in page.rows
    ]
    names = [row.cluster.id for row in page.rows]
    key = f"clusters-{at['method'] or 'all'}-{at.page}-{page.total}-{name}"
    st.dataframe(
        pd.DataFrame(rows, columns=["claim", "n"], dtype="str"),
        hide_index=True,
        key=key,
        on_select=lambda: _pick(key, names),
        selection_mode=row_choice.MODES,
        selection_default={"selection": {"rows": [names.index(name)] if name in names else []}},
        row_height=34,
        height=min(38 + 34 * len(rows), 480),
        column_config={
            "claim": st.column_config.TextColumn(say("dup.list.claim"), width=190),
            "n": st.column_config.TextColumn(say("dup.list.n"), width=125),
        },
        alt=say("dup.list.alt", n=page.total),
    )
    paging.draw(page.total, at.page, say)


def _pick(key: str, names: list[str]) -> None:
    found = row_choice.place(st.session_state.get(key), len(names))
    if found is not None:
        cluster_press.go(names[found])


def _bar(
    desk: Desk,
    visit: Visit,
    opened: OpenCluster | None,
    chosen: tuple[str, ...],
    beside: tuple[str, str] = ("", ""),
) -> None:
    say, drafts = visit.say, desk.duplicates.drafts()
    with st.bottom:
        signing_bar.said(visit)
        with st.container(horizontal=True, vertical_alignment="center", key="bar"):
            if opened is not None:
                _acts(desk, visit, opened, chosen, beside)
            link_dialog.undo_button(visit, drafts, desk)
            link_dialog.buttons(desk, visit, drafts)
            if opened is not None and _pairs(desk, opened, chosen) > MOST_SUBJECTS:
                st.caption(say("dup.many_pairs"))


def _acts(
    desk: Desk,
    visit: Visit,
    opened: OpenCluster,
    chosen: tuple[str, ...],
    beside: tuple[str, str],
) -> None:
    say, (before, after), nonce = visit.say, beside, cluster_press.drawn(desk, opened).nonce
    blocked = bool(visit.why_read_only) or press.dialog_open()
    st.button(
        say("dup.link", n=len(chosen)),
        key="act-link",
        type="primary",
        shortcut=shortcut("A"),
        disabled=blocked or not chosen,
        help=say("dup.link.help"),
        on_click=cluster_press.link,
        args=(desk, opened, chosen, nonce, after),
    )
    n = _pairs(desk, opened, chosen)
    st.button(
        say("dup.different", n=n),
        key="act-different",
        shortcut=shortcut("X"),
        disabled=blocked or not 1 <= n <= MOST_SUBJECTS,
        help=say("dup.different.help"),
        on_click=cluster_press.ask_different,
        args=(desk, opened, chosen, nonce, after),
    )
    different_dialog.asking(desk, visit, opened, chosen, nonce, after)
    st.button(
        say("act.skip"),
        key="act-skip",
        shortcut=shortcut("S"),
        disabled=press.dialog_open() or not after,
        help=say("dup.skip.help"),
        on_click=cluster_press.go,
        args=(after,),
    )
    for key, name, to in (("K", "previous", before), ("J", "next", after)):
        st.button(
            say(f"act.{name}"),
            key=f"act-{name}",
            shortcut=shortcut(key),
            type="tertiary",
            disabled=press.dialog_open() or not to,
            on_click=cluster_press.go,
            args=(to,),
        )
    row_choice.passport(visit, opened.kept.row.item)


def _pairs(desk: Desk, opened: OpenCluster, chosen: tuple[str, ...]) -> int:
    """Pairs that can be told different beside what is chosen as the same."""
    found = desk.duplicates.apart(opened, chosen)
    return len(found.pairs) + len(found.worded_alike)


def _told(desk: Desk, visit: Visit, number: int) -> None:
    """What people said of two records and did not take back, newest first."""
    say, links = visit.say, desk.duplicates.standing()
    here = links[(number - 1) * PAGE : number * PAGE]
    if not here:
        st.info(say("dup.told.none"))
    items = list(dict.fromkeys(e.item for x in here for e in (x.link.start, x.link.target)))
    claims = desk.claims_of(items)
    for n, one in enumerate(here):
        with st.container(border=True, key=f"told-{n}"):
            words, about = st.columns([5, 1.6], vertical_alignment="center")
            with words:
                for end in (one.link.start, one.link.target):
                    told = claims.get(end.item)
                    erased = say.plain("stored.erased")
                    untrusted.line(erased if told is None else told)
            with about:
                st.text(say.plain(f"link.{one.link.verdict}") + "\n" + moment(one.signed_at))
                st.button(
                    say("dup.take_back"),
                    key=f"take-back-{short(one.link.start.item)}-{short(one.link.target.item)}",
                    help=say("dup.take_back.help"),
                    disabled=bool(visit.why_read_only) or press.dialog_open(),
                    on_click=cluster_press.take_back,
                    args=(desk, one),
                )
    if links:
        paging.draw(len(links), number, say)
    _bar(desk, visit, None, ())

"""One cluster: the record to link to, the others beside it, and in what each differs."""

from __future__ import annotations

from typing import Final

import streamlit as st

from console.cards import cluster_press, press, untrusted
from console.cards.keys import shortcut
from console.cards.visit import Visit
from console.words import Say
from review.duplicates.clusters import Cluster, Method
from review.duplicates.linking import OpenCluster, Shown
from review.duplicates.words import unshared
from review.identities import short

MOST: Final = 25
"""Records that are drawn on one page of a cluster; only what is drawn can be linked."""


def draw(visit: Visit, opened: OpenCluster, *, place: tuple[int, int]) -> tuple[str, ...]:
    """Draw an open cluster.

    Returns:
        The items that are chosen among those on the screen.
    """
    _head(visit, opened, place)
    shown, number, pages = _page(opened)
    chosen = []
    for n, one in enumerate(shown, start=1):
        with st.container(border=True, key=f"member-{n}"):
            if _member(visit, opened, one, n):
                chosen.append(one.row.item)
    if pages > 1:
        st.caption(visit.say("dup.members.range", n=len(opened.shown), page=number, pages=pages))
        st.pagination(pages, key="dup_members", default=number)
    return tuple(chosen)


def _head(visit: Visit, opened: OpenCluster, place: tuple[int, int]) -> None:
    say, cluster = visit.say, opened.cluster
    with st.container(horizontal=True, vertical_alignment="center", key="cluster-head"):
        st.subheader(say("dup.cluster", place=place[0], total=place[1]), anchor=False)
        st.text(counted(say, cluster), width="content")
        st.caption(say(f"dup.method.{cluster.method}.how"), width="content")
    n = len(cluster.rows)
    if cluster.method is Method.DIFFERS:
        st.info(say("dup.differs.all"), icon=":material/call_split:")
        return
    st.caption(say("dup.voices", n=n, voices=cluster.voices))
    if cluster.model_text:
        st.warning(say("dup.model_text", n=cluster.model_text, all=n), icon=":material/repeat:")


def counted(say: Say, cluster: Cluster) -> str:
    """How many records of a cluster are alike, and how many that differ stand beside them."""
    alike, odd = len(cluster.rows), len(cluster.odd)
    if cluster.method is Method.DIFFERS:
        return say.plain("dup.list.odd", n=alike + odd)
    told = [say.plain("dup.list.alike", n=alike)]
    return ", ".join([*told, say.plain("dup.list.odd", n=odd)] if odd else told)


def _page(opened: OpenCluster) -> tuple[tuple[Shown, ...], int, int]:
    """The kept record and some of the others, which page of them that is, and how many pages."""
    others = opened.shown[1:]
    pages = max((len(others) + MOST - 2) // (MOST - 1), 1)
    number = min(int(st.session_state.get("dup_members") or 1), pages)
    here = others[(number - 1) * (MOST - 1) : number * (MOST - 1)]
    return (opened.kept, *here), number, pages


def _member(visit: Visit, opened: OpenCluster, one: Shown, n: int) -> bool:
    """One record; whether it is chosen to be linked to the kept one."""
    say, kept = visit.say, one is opened.kept
    tick, words, about = st.columns([1.45, 3.9, 3.1], vertical_alignment="center")
    with tick, st.container(horizontal=True, vertical_alignment="center", gap="small"):
        chosen = False
        if kept:
            st.text(say.plain("dup.kept"))
        elif one.place.linked:
            st.text(say.plain("dup.linked"))
        else:
            chosen = st.checkbox(
                say("dup.same"),
                value=one.place.chosen,
                key=f"same-{opened.cluster.id}-{short(opened.kept.row.item)}-{one.row.item}",
                disabled=bool(visit.why_read_only) or press.dialog_open(),
            )
        if not kept and opened.cluster.method is not Method.DIFFERS:
            st.button(
                say("dup.keep"),
                key=f"keep-{n}",
                type="tertiary",
                shortcut=shortcut(str(n)) if n < 10 else None,
                disabled=press.dialog_open(),
                help=say("dup.keep.help"),
                on_click=cluster_press.keep,
                args=(opened.cluster.id, one.row.item),
            )
    with words, st.container(key=f"words-{n}"):
        _words(visit, opened, one)
    with about:
        _about(visit, one, kept=kept)
    return chosen


def _words(visit: Visit, opened: OpenCluster, one: Shown) -> None:
    """The claim with what the kept one lacks marked; of the kept one nothing is."""
    told, kept = one.row.claim, opened.kept.row.claim
    if told is None:
        st.info(visit.say("stored.erased"))
        return
    spans = [] if one is opened.kept or kept is None else unshared(told, kept)
    untrusted.marked(told.encode("utf-8", "replace"), spans)


def _about(visit: Visit, one: Shown, *, kept: bool) -> None:
    say, row = visit.say, one.row
    source, stage = say.plain(f"source.{row.source_type}"), say.plain(f"stage.{row.stage}")
    lines = [f"{source}   ·   {say.plain(f'kind.{row.kind}')}   ·   {stage}", short(row.item)]
    if kept:
        st.text("\n".join(lines))
        return
    share = round(100 * one.place.share)
    if share < 100 or not one.place.differences:  # "100 %" beside a difference reads as a mistake
        lines[1] += f"   ·   {say.plain('dup.share', share=share)}"
    if one.place.differences:
        told = ", ".join(say.plain(f"difference.{kind}") for kind in one.place.differences)
        lines.append(say.plain("dup.differs") + " " + told)
    else:
        lines.append(say.plain(f"dup.method.{one.place.method}.one"))
    st.text("\n".join(lines), help=say("dup.share.help"))

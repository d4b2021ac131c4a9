"""The chosen cell under the picture: what it says, how it stands, its edges, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import streamlit as st

from console.cards import address, as_of, edge_dialog, edge_press, press, untrusted
from console.cards.graph_chart import SHAPES
from console.cards.graph_table import when, who
from console.cards.keys import shortcut
from console.cards.times import moment
from console.cards.visit import Visit
from review.desk import Desk
from review.graphs.graph import Node, Picture
from review.graphs.graph_edges import GraphEdge
from review.graphs.graphing import Moment
from review.identities import short
from store.cells import EdgeKind
from store.link_standing import StandingLink
from store.links import EITHER_WAY, LinkVerdict

_SHOWN = 12
"""Edges of one cell that are listed."""


def draw(
    desk: Desk, visit: Visit, told: Moment, picture: Picture, item: str, past: datetime | None
) -> None:
    """The chosen cell, its edges, and the dialogs behind their buttons."""
    node = picture.node(item) or told.graph.node(item)
    if node is None:
        return
    left, right = st.columns([2, 3], gap="medium")
    with left:
        _cell(visit, node, picture)
    with right:
        edges(desk, visit, told, node, past)
    if past is None:
        edge_dialog.draw(desk, visit, node, picture.nodes)


def cut(visit: Visit, picture: Picture) -> None:
    """What a picture leaves out, with the way to all of it, and whether a circle is in it."""
    say = visit.say
    if picture.cut > 0:
        key = "graph.cut.more" if picture.more else "graph.cut"
        most = len(picture.nodes)
        with st.container(horizontal=True, vertical_alignment="center", key="cut"):
            st.caption(say(key, n=picture.found, steps=picture.steps, most=most), width="content")
            st.button(
                say("graph.cut.table"),
                key="act-cut",
                type="tertiary",
                on_click=address.put,
                kwargs={"view": "table"},
            )
    if picture.ring:
        st.caption(say("graph.ring", n=len(picture.ring)))


def _cell(visit: Visit, node: Node, picture: Picture) -> None:
    say = visit.say
    with st.container(key="claim-panel"):
        untrusted.show(node.claim, say, key=f"panel-{node.item}")
    word = f"{SHAPES[node.status][1]} {say.plain(f'status.{node.status}')}"
    rows = [
        (say.plain("graph.status"), f"{word} · V {node.validity:.2f} · {say.plain('trust.word')}"),
        (say.plain("graph.held"), when(node)),
    ]
    if node.parameter:
        rows.append((node.parameter, node.value))
    if node.guard:
        rows.append((say.plain("stored.immutable"), node.guard))
    untrusted.fields(rows)
    with st.container(horizontal=True, vertical_alignment="center"):
        visit.link("fact", "graph.passport", to={"id": node.item, **as_of.kept()})
        if node.item not in picture.focus:
            to = {"focus": node.item, **as_of.kept()}
            visit.link("conflicts", "graph.centre", to=to)


def edges(
    desk: Desk,
    visit: Visit,
    told: Moment,
    node: Node,
    past: datetime | None,
    *,
    further: int = 0,
) -> None:
    """The edges of one cell and what a person can say of each; past ones are only shown.

    ``further`` of its links lead to what is no durable cell, such as a run. Whoever draws them
    below says how many, so that they are counted above.
    """
    say, found = visit.say, told.graph.edges(node.item)
    may_act = past is None and not visit.why_read_only
    others = [one.target if one.source == node.item else one.source for one in found]
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        st.text(say.plain("graph.edges", n=len(found) + further))
        st.button(
            say("edge.new"),
            key="act-edge-new",
            shortcut=shortcut("E"),
            type="tertiary",
            disabled=not may_act or press.dialog_open(),
            help=say("edge.new.help"),
            on_click=press.open_dialog,
            args=(edge_dialog.NEW,),
        )
    for n, (edge, other) in enumerate(zip(found[:_SHOWN], others, strict=False)):
        with st.container(border=True, key=f"edge-{n}"):
            words, acts = st.columns([3, 1], vertical_alignment="center")
            with words:
                _edge(visit, told, node, edge, desk.graph.reason(edge))
            with st.container() if edge.kind in EITHER_WAY else acts:
                _acts(visit, node, edge, other, n, may_act=may_act)
    if len(found) > _SHOWN:
        st.caption(say("graph.more", n=len(found) - _SHOWN))
    denied = [one for one in desk.graph.by_hand.of(node.item) if not one.holds]
    if may_act and denied:
        _denied(visit, told, denied, "graph.denied", "restore")
    akin = desk.graph.denied_by_words(told, node.item)
    if may_act and akin:
        _denied(visit, told, akin, "graph.denied.words", "restore-words")


def _edge(visit: Visit, told: Moment, node: Node, edge: GraphEdge, reason: str | None) -> None:
    say = visit.say
    other = edge.target if edge.source == node.item else edge.source
    there = told.graph.node(other)
    claim = short(other) if there is None else untrusted.cell(there.claim, 110)
    out = edge.source == node.item or edge.kind in EITHER_WAY
    kind = say.plain(f"edge.{edge.kind}" if out else f"edge.by.{edge.kind}")
    untrusted.fields([(kind, claim)])
    since = (
        f" · {say.plain('graph.effect.from', since=moment(edge.effect))}" if edge.effect else ""
    )
    st.text(f"{edge.strength:.2f} · {who(edge, visit)}{since}")
    if reason is not None:
        untrusted.fields([(say.plain("graph.reason"), untrusted.cell(reason, 300))])


def _acts(visit: Visit, node: Node, edge: GraphEdge, other: str, n: int, *, may_act: bool) -> None:
    """What a person can say of an edge. A conflict is settled, anything else can be denied."""
    say, off = visit.say, not may_act or press.dialog_open()
    if edge.kind is EdgeKind.DUPLICATE_OF:
        return
    with st.container(horizontal=True, gap="small"):
        if edge.kind in EITHER_WAY:
            for name, ends in (("this", (node.item, other)), ("other", (other, node.item))):
                st.button(
                    say(f"edge.wins.{name}"),
                    key=f"act-wins-{name}-{n}",
                    disabled=off,
                    help=say("edge.wins.help"),
                    on_click=edge_press.ask,
                    args=(EdgeKind.SUPERSEDES, *ends, LinkVerdict.ASSERTED),
                )
        key = "edge.both" if edge.kind in EITHER_WAY else "edge.not"
        st.button(
            say(key),
            key=f"act-not-{n}",
            type="secondary" if edge.kind in EITHER_WAY else "tertiary",
            disabled=off,
            help=say(f"{key}.help"),
            on_click=edge_press.ask_refusal,
            args=(edge,),
        )


def _denied(
    visit: Visit, told: Moment, denied: Sequence[StandingLink], words: str, key: str
) -> None:
    """What a person said does not hold: it can be taken back, and what was found counts again."""
    say = visit.say

    def claim(item: str) -> str:
        node = told.graph.node(item)
        return short(item) if node is None else untrusted.cell(node.claim, 60)

    st.caption(say(words))
    for n, one in enumerate(denied[:_SHOWN]):
        link = one.link
        with st.container(horizontal=True, vertical_alignment="center"):
            kind = say.plain(f"edge.{link.kind}")
            said = say.plain(f"edge.says.{link.verdict}", kind=kind)
            ends = (claim(link.start.item), claim(link.target.item))
            st.text(f"{said} · {visit.who(one.by)}")
            untrusted.line(" → ".join(ends))
            st.button(
                say("edge.restore"),
                key=f"act-{key}-{n}",
                type="tertiary",
                disabled=press.dialog_open(),
                help=say("edge.restore.help"),
                on_click=edge_press.ask_restoring,
                args=(one,),
            )

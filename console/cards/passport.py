"""The parts of a passport: its life and versions, its edges, and the answers it was used in."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import streamlit as st

from console.cards import as_of, graph_panel, happened, timeline_chart, untrusted
from console.cards.graph_chart import SHAPES
from console.cards.graph_table import who
from console.cards.times import moment
from console.cards.visit import Visit
from review import instants
from review.auditing.answers import Answer
from review.cards.card import Card
from review.desk import Desk
from review.graphs.graph import Node
from review.graphs.graph_edges import GraphEdge
from review.graphs.graphing import Moment
from review.graphs.timeline import pieces
from review.identities import short
from review.versions import wording
from store.cells import EdgeKind
from store.stages import Stage

STAGES: Final = {
    Stage.DURABLE: "●",
    Stage.STAGED: "○",
    Stage.DEFERRED: "◌",
    Stage.REJECTED: "✕",
    Stage.ERASED: "▢",
}
"""The sign of each stage."""

_VERSIONS: Final = 6
"""Versions before and after that are drawn."""


def head(visit: Visit, told: Moment, card: Card) -> None:
    """What the cell says, its stage and status, and the bars of its life and of its versions."""
    say, node = visit.say, told.graph.node(card.item)
    untrusted.headline(card.claim if card.claim is not None else say.plain("stored.erased"))
    words = [f"{STAGES[card.stage]} {say.plain(f'stage.{card.stage}')}", say.plain("trust.always")]
    if node is not None:
        words.insert(0, f"{SHAPES[node.status][1]} {say.plain(f'status.{node.status}')}")
        words.append(f"V {node.validity:.2f}")
    st.text("   ·   ".join(words))
    if card.immutable is not None or (node is not None and node.guard):
        st.info(say("fact.immutable"), icon=":material/lock:")
    if node is None:
        return
    rows = [node, *(one for one, _ in versions(told, card.item)[:_VERSIONS])]
    ordered = sorted(rows, key=lambda one: (one.start, one.item))
    timeline_chart.draw(
        visit,
        [(one, pieces(told.known, one.item)) for one in ordered],
        at=told.at,
        item=card.item,
    )


def versions(told: Moment, item: str) -> list[tuple[Node, GraphEdge]]:
    """What the cell superseded and what supersedes it, with the edge that says so."""
    graph, found = told.graph, []
    for edge in graph.edges(item):
        if edge.kind is not EdgeKind.SUPERSEDES:
            continue
        node = graph.node(edge.target if edge.source == item else edge.source)
        if node is not None:
            found.append((node, edge))
    return sorted(found, key=lambda one: (one[0].start, one[0].item))


def life(desk: Desk, visit: Visit, card: Card, told: Moment) -> None:
    """The signed decisions about the record, up to the moment, and its versions."""
    say = visit.say
    st.subheader(say("fact.life"), anchor=False)
    st.text(f"{moment(card.recorded_at)}   {say.plain('fact.staged', rev=card.rev)}")
    for event in desk.life(card.item):
        if event.seq >= told.standing.position:
            continue
        reason = f" · {say.plain(f'reason.{event.reason}')}" if event.reason else ""
        mode = f" · {say.plain('fact.bulk')}" if event.mode == "bulk" else ""
        what = say.plain(f"decision.{event.decision}")
        st.text(f"{moment(event.signed_at)}   {what}{reason}{mode}")
        signed = say.plain("fact.signed", who=visit.who(event.reviewer), seq=event.seq)
        st.text(f"    {signed} · {event.statement[:12]}")
        if event.note:
            untrusted.line(event.note)
    visit.link("ledger", "fact.ledger", to={"object": card.item})
    found = versions(told, card.item)
    st.subheader(say("fact.versions"), anchor=False)
    if not found:
        st.caption(say("fact.versions.none"))
    for node, edge in found:
        newer = edge.source == card.item
        key = "edge.supersedes" if newer else "edge.by.supersedes"
        untrusted.fields([(say.plain(key), untrusted.cell(node.claim, 200))])
        mine = card.claim or ""
        before, after = (node.claim, mine) if newer else (mine, node.claim)
        if mine and before != after:
            st.caption(say("fact.version.differs"))
            runs = wording.changed(before, after)
            untrusted.changed((one.text, one.old, one.new) for one in runs)
        with st.container(horizontal=True, vertical_alignment="center"):
            when = say.plain("graph.effect.from", since=moment(edge.effect) or "…")
            st.text(f"{when} · {who(edge, visit)}")
            to = {"id": node.item, **as_of.kept()}
            visit.link("fact", "fact.version", to=to)


def edges(desk: Desk, visit: Visit, card: Card, told: Moment, past: datetime | None) -> None:
    """Everything it bears on and that bears on it; links that its own artifact states, too."""
    node = told.graph.node(card.item)
    near = {end for one in told.graph.edges(card.item) for end in (one.source, one.target)}
    further = [link for link in card.links if link.other not in near]
    if node is not None:
        graph_panel.edges(desk, visit, told, node, past, further=len(further))
        visit.link("conflicts", "stale.graph", to={"focus": card.item, **as_of.kept()})
    runs = {one.kept.item for one in card.beside}
    asked = {one.kept.item: happened.asked(one) for one in card.beside}
    words = {**asked, **desk.claims_of([link.other for link in further])}
    for link in further:
        page = "run" if link.other in runs else "fact"
        to = {"id": link.other} if page == "run" else {"id": link.other, **as_of.kept()}
        with st.container(horizontal=True, vertical_alignment="center"):
            visit.link(page, f"edge.{link.kind}", to=to)
            untrusted.line(untrusted.cell(words.get(link.other), 110) or short(link.other))


def used(visit: Visit, told: Moment, card: Card, found: tuple[Answer, ...]) -> None:
    """The answers whose context held the cell, the newest first."""
    say = visit.say
    here = [one for one in found if one.seq < told.standing.position]
    late = sum(_late(told, card.item, one) for one in here)
    if not here:
        st.info(say("fact.used.none"))
        return
    st.text(say.plain("fact.used", n=len(here)))
    if late:
        st.text(say.plain("fact.used.late", n=late))
    for one in here[:50]:
        with st.container(border=True, key=f"used-{one.id}"):
            untrusted.line(untrusted.cell(one.question or say.plain("stored.erased"), 200))
            with st.container(horizontal=True, vertical_alignment="center"):
                mark = say.plain("fact.used.observed" if one.observed else "fact.used.reported")
                late_mark = (
                    f" · {say.plain('fact.used.after')}" if _late(told, card.item, one) else ""
                )
                st.text(f"{moment(one.asked_at or one.recorded_at)} · {mark}{late_mark}")
                visit.link("why", "fact.used.why", to={"answer": one.id, "fact": card.item})


def _late(told: Moment, item: str, one: Answer) -> bool:
    """Whether an answer was asked for when the cell was superseded or stale already."""
    row = told.known.cells.row_of.get(item)
    asked = instants.read(one.asked_at or one.recorded_at)
    if row is None or asked is None:
        return False
    life = told.known.life
    return bool(min(int(life.superseded_at[row]), int(life.falls.at[row])) <= asked)

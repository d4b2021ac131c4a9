"""The twin of the picture: the same cells and edges as two tables."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from console.cards import untrusted
from console.cards.graph_chart import SHAPES
from console.cards.times import moment
from console.cards.visit import Visit
from review.graphs.graph import Node, Picture, held
from review.graphs.graph_edges import GraphEdge
from review.identities import short


def nodes(visit: Visit, picture: Picture, chosen: str) -> str:
    """The cells of a picture. Returns the item of the row that was chosen; blank if none was."""
    say = visit.say
    rows = []
    for one in picture.nodes:
        rows.append(
            (
                untrusted.cell(one.claim),
                untrusted.cell(one.parameter, 40),
                untrusted.cell(one.value, 40),
                f"{SHAPES[one.status][1]} {say.plain(f'status.{one.status}')}",
                when(one),
                str(one.steps),
                short(one.item),
            )
        )
    names = ["claim", "parameter", "value", "status", "held", "steps", "id"]
    told = st.dataframe(
        pd.DataFrame(rows, columns=names, dtype="str"),
        hide_index=True,
        key=f"graph-nodes-{chosen}-{len(rows)}",
        on_select="rerun",
        selection_mode="single-row",
        row_height=34,
        height=min(38 + 34 * max(len(rows), 1), 260),
        column_config={
            "claim": st.column_config.TextColumn(say("list.claim"), width=330),
            "parameter": st.column_config.TextColumn(say("graph.parameter"), width=120),
            "value": st.column_config.TextColumn(say("graph.value"), width=120),
            "status": st.column_config.TextColumn(say("graph.status"), width=120),
            "held": st.column_config.TextColumn(say("graph.held"), width=190),
            "steps": st.column_config.TextColumn(say("graph.steps"), width=60),
            "id": st.column_config.TextColumn(say("list.id"), width=90),
        },
        alt=say("graph.nodes.alt", n=len(rows)),
    )
    places = told["selection"]["rows"]
    return picture.nodes[places[0]].item if places and places[0] < len(picture.nodes) else ""


def edges(visit: Visit, picture: Picture) -> None:
    """The edges of a picture: what, between which, how strong, who says so and since when."""
    say = visit.say
    claims = {one.item: untrusted.cell(one.claim, 60) for one in picture.nodes}
    rows = [
        (
            claims.get(one.source, short(one.source)),
            say.plain(f"edge.{one.kind}"),
            claims.get(one.target, short(one.target)),
            f"{one.strength:.2f}",
            who(one, visit),
            one.effect,
        )
        for one in picture.edges
    ]
    st.dataframe(
        pd.DataFrame(
            rows, columns=["one", "kind", "other", "strength", "who", "effect"], dtype="str"
        ),
        hide_index=True,
        key=f"graph-edges-{len(rows)}",
        row_height=34,
        height=min(38 + 34 * max(len(rows), 1), 260),
        column_config={
            "one": st.column_config.TextColumn(say("graph.one"), width=260),
            "kind": st.column_config.TextColumn(say("graph.edge"), width=120),
            "other": st.column_config.TextColumn(say("graph.other"), width=260),
            "strength": st.column_config.TextColumn(say("graph.strength"), width=80),
            "who": st.column_config.TextColumn(say("graph.who"), width=260),
            "effect": st.column_config.TextColumn(say("graph.effect"), width=120),
        },
        alt=say("graph.edges.alt", n=len(rows)),
    )


def when(node: Node) -> str:
    """From when and until when a cell holds."""
    start, end = held(node)
    return f"{moment(start) or '…'} – {moment(end) or '…'}"


def who(edge: GraphEdge, visit: Visit) -> str:
    """Everybody who asserts an edge, and since when."""
    return "; ".join(
        visit.say.plain(f"asserter.{one.asserter}")
        + (f" {visit.who(one.by)}" if one.by else "")
        + (f", {moment(one.since)}" if one.since else "")
        for one in edge.assertions
    )

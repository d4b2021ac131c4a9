"""From a button to a drafted edge: which act is asked for, and the dialog that asks why."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from console.cards import made_here, press
from console.cards.refusals import attempt
from review.desk import Desk
from review.graphs.graph_edges import GraphEdge
from store.cells import EdgeKind
from store.link_drafts import LinkDraft
from store.link_standing import StandingLink
from store.links import LinkVerdict, SignedLink

DIALOG = "edge"


@dataclass(frozen=True, slots=True)
class Asked:
    """An act that waits for its reason: what would be said of two records."""

    kind: EdgeKind
    source: str
    target: str
    verdict: LinkVerdict


def ask(kind: EdgeKind, source: str, target: str, verdict: LinkVerdict) -> None:
    """Open the dialog for one act."""
    if not press.dialog_open():
        st.session_state["edge_asked"] = Asked(kind, source, target, verdict)
        press.open_dialog(DIALOG)


def ask_refusal(edge: GraphEdge) -> None:
    """Open the dialog in which an edge is denied, or a signature taken back."""
    verdict = LinkVerdict.DENIED if edge.found else LinkVerdict.RETRACTED
    ask(edge.kind, edge.source, edge.target, verdict)


def ask_restoring(told: StandingLink) -> None:
    """Open the dialog in which what was signed is taken back."""
    link = told.link
    ask(link.kind, link.start.item, link.target.item, LinkVerdict.RETRACTED)


def asked() -> Asked | None:
    """The act of the open dialog."""
    found: Asked | None = st.session_state.get("edge_asked")
    return found if st.session_state.get("dialog") == DIALOG else None


def link_of(desk: Desk, told: Asked) -> SignedLink:
    """What would be signed. Raises as ``review.graphs.edges_by_hand.EdgesByHand.said``."""
    return desk.graph.by_hand.said(told.kind, told.source, told.target, told.verdict)


def drafted(desk: Desk, told: Asked, why: str) -> None:
    """Draft it, and close the dialog."""

    def act() -> tuple[str, dict[str, object]]:
        draft: LinkDraft = desk.graph.by_hand.say(
            told.kind, told.source, told.target, told.verdict, why=why, nonce=desk.new_nonce()
        )
        made_here.keep([draft])
        return f"said.edge.{told.verdict}", {}

    attempt(act)
    press.close_dialog()

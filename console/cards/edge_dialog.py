"""The dialogs behind an edge drawn by hand: which two records, what follows, and why."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from console.cards import blast, edge_press, press, refusals, untrusted
from console.cards.edge_press import Asked
from console.cards.visit import Visit
from review.desk import Desk
from review.duplicates.link_signing import LONGEST_REASON
from review.graphs.edges_by_hand import BY_HAND, NotDrawnError
from review.graphs.graph import Node
from review.identities import short
from review.queue import Wanted
from store.cells import EdgeKind
from store.links import EITHER_WAY, LinkVerdict

NEW = "edge-new"
DIALOGS = (edge_press.DIALOG, NEW)
_FOUND = 20
"""Records of a search that can be chosen from."""


def draw(desk: Desk, visit: Visit, node: Node | None, near: Sequence[Node]) -> None:
    """Whichever dialog is open; ``node`` is the chosen cell, ``near`` those in the picture."""
    told = edge_press.asked()
    if told is not None:
        show = st.dialog(visit.say("edge.why.title"), width="large", on_dismiss=press.close_dialog)
        show(_why)(desk, visit, told)
    elif st.session_state.get("dialog") == NEW and node is not None:
        show = st.dialog(visit.say("edge.new.title"), width="large", on_dismiss=press.close_dialog)
        show(_new)(desk, visit, node, near)


def sentence(visit: Visit, told: Asked) -> str:
    """What would be signed, as the words between two records."""
    kind = visit.say.plain(f"edge.{told.kind}")
    return visit.say.plain(f"edge.says.{told.verdict}", kind=kind)


def _why(desk: Desk, visit: Visit, told: Asked) -> None:
    say = visit.say
    with desk.held():
        claims = desk.claims_of([told.source, told.target])
        _record(visit, claims.get(told.source), told.source)
        st.text(sentence(visit, told))
        _record(visit, claims.get(told.target), told.target)
        try:
            link = edge_press.link_of(desk, told)
        except NotDrawnError as error:
            refusals.show(error, say)
            return
        st.caption(say("edge.follows"))
        with st.container(border=True):
            blast.draw(desk, visit, desk.graph.if_linked([link]))
    with st.form("edge-form", border=False):
        why = st.text_input(
            say("edge.why"),
            key="edge-why",
            max_chars=LONGEST_REASON,
            placeholder=say("edge.why.eg"),
        )
        with st.container(horizontal=True):
            kept = st.form_submit_button(say("edge.draft"), type="primary", key="edge-draft")
            left = st.form_submit_button(say("act.cancel"), key="edge-cancel")
    st.caption(say("edge.effect"))
    if kept and not (why or "").strip():
        st.warning(say("refused.edge.reason"))
    elif kept:
        edge_press.drafted(desk, told, why or "")
        st.rerun()
    elif left:
        press.close_dialog()
        st.rerun()


def _record(visit: Visit, claim: str | None, item: str) -> None:
    told = visit.say.plain("stored.erased") if claim is None else untrusted.cell(claim, 400)
    untrusted.fields([(short(item), told)])


def _new(desk: Desk, visit: Visit, node: Node, near: Sequence[Node]) -> None:
    """Choose the kind, the other record and the direction."""
    say = visit.say
    _record(visit, node.claim, node.item)
    kind = st.selectbox(
        say("edge.kind"),
        list(BY_HAND),
        format_func=lambda one: say(f"edge.{one}"),
        key="edge-kind",
    )
    words = st.text_input(
        say("edge.search"), key="edge-search", placeholder=say("facts.search"), max_chars=200
    )
    others = _candidates(desk, node, near, words or "")
    names = [f"{short(item)} {claim}" for item, claim in others]
    name = untrusted.choice(say, "edge.other", names, "", key="edge-other")
    turned = False
    if kind not in EITHER_WAY:
        turned = bool(
            st.checkbox(say("edge.turned"), key="edge-turned", help=say("edge.turned.help"))
        )
    if st.button(say("edge.next"), key="edge-next", type="primary", disabled=name not in names):
        other = others[names.index(name)][0]
        ends = (other, node.item) if turned else (node.item, other)
        press.close_dialog()
        edge_press.ask(EdgeKind(kind), *ends, LinkVerdict.ASSERTED)
        st.rerun()


def _candidates(desk: Desk, node: Node, near: Sequence[Node], words: str) -> list[tuple[str, str]]:
    """Records of the picture, or what a search finds among durable ones."""
    if not words.strip():
        return [(one.item, one.claim) for one in near if one.item != node.item]
    with desk.held():
        rows = desk.facts(Wanted(q=words)).rows
    told = [(row.item, row.claim or "") for row in rows if row.item != node.item]
    return told[:_FOUND]

"""From a button on a cluster to drafted links, with the guards that a card's buttons have."""

from __future__ import annotations

import streamlit as st

from console.cards import address, made_here, press
from console.cards.press import Drawn
from console.cards.refusals import Told, attempt
from review.desk import Desk
from review.duplicates.linking import OpenCluster
from store.link_standing import StandingLink


def drawn(desk: Desk, opened: OpenCluster) -> Drawn:
    """The present drawing of a cluster; a new one if another was on the screen."""
    before: Drawn | None = st.session_state.get("drawn")
    name, kept = opened.cluster.id, opened.kept.row.artifact
    if before is None or (before.item, before.artifact) != (name, kept):
        before = Drawn(name, kept, desk.new_nonce(), desk.now())
        st.session_state["drawn"] = before
    return before


def link(desk: Desk, opened: OpenCluster, items: tuple[str, ...], nonce: str, after: str) -> None:
    """Draft links from the chosen records to the kept one, and go to the next cluster."""

    def act() -> Told:
        draft = desk.duplicates.link(opened, items, nonce)
        made_here.keep([draft])
        _leave(after)
        return "said.linked", {"n": len(draft.links)}

    press.once(desk, nonce, act)


def ask_different(
    desk: Desk, opened: OpenCluster, same: tuple[str, ...], nonce: str, after: str
) -> None:
    """Draft what is different, or ask first about pairs that have the same words."""
    if desk.duplicates.apart(opened, same).worded_alike and not press.dialog_open():
        press.open_dialog("different")
        return
    different(desk, opened, same, nonce, after)


def different(
    desk: Desk,
    opened: OpenCluster,
    same: tuple[str, ...],
    nonce: str,
    after: str,
    *,
    worded_alike: bool = False,
) -> None:
    """Draft that the records that are not ticked are different, and go to the next cluster."""

    def act() -> Told:
        draft = desk.duplicates.different(opened, nonce, same, worded_alike=worded_alike)
        made_here.keep([draft])
        _leave(after)
        return "said.different", {"n": len(draft.links)}

    press.once(desk, nonce, act)


def take_back(desk: Desk, told: StandingLink) -> None:
    """Draft that what was said of two records holds no more."""

    def act() -> Told:
        if press.dialog_open():
            return "said.again", {}
        made_here.keep([desk.duplicates.take_back(told, desk.new_nonce())])
        return "said.taken_back", {}

    attempt(act)


def undo(desk: Desk) -> None:
    """Take back the newest draft of links."""

    def act() -> Told:
        if press.dialog_open():
            return "said.again", {}
        taken = desk.duplicates.undo()
        if taken is None:
            return "said.no_undo", {}
        made_here.forget(taken)
        st.session_state["drawn"] = None
        return "said.links_undone", {"n": len(taken.links)}

    attempt(act)


def go(name: str) -> None:
    """Show another cluster."""
    if not press.dialog_open() and name:
        _leave(name)


def keep(cluster: str, item: str) -> None:
    """Choose what the others would be linked to."""
    if not press.dialog_open():
        st.session_state["dup_keep"] = (cluster, item)
        st.session_state["drawn"] = None


def kept(cluster: str) -> str:
    """The item that was chosen to be kept in a cluster; blank for the best one."""
    name, item = st.session_state.get("dup_keep") or ("", "")
    return str(item) if name == cluster else ""


def _leave(after: str) -> None:
    st.session_state["drawn"] = None
    st.session_state["dup_members"] = 1
    address.put(cluster=after)

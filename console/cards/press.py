"""From a button to a draft, with the guards against pressing by accident.

Each drawing of a card has a nonce that is spent by the first decision. A press in the first
400 ms of a card is not taken and starts the time again, so a held key decides once. The next card
comes from a question to the store, never from counting.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import streamlit as st

from console.cards import address, flags, made_here
from console.cards.refusals import Told, attempt
from console.cards.times import elapsed_ms
from review.cards.card import Card
from review.deciding import Wish
from review.desk import Desk
from review.identities import short
from review.queue import Wanted
from store.stages import DecisionKind

TOO_FAST_MS: Final = 400
LATE_MS: Final = 5_000
"""How long after a move a press may still bring the URL of the record before it."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """The card that is on the screen since ``at``, and the nonce of its buttons."""

    item: str
    artifact: str
    nonce: str
    at: str


def drawn(desk: Desk, shown: Card) -> Drawn:
    """The present drawing of ``shown``; a new one if another card was on the screen."""
    before: Drawn | None = st.session_state.get("drawn")
    if before is None or (before.item, before.artifact) != (shown.item, shown.artifact):
        before = Drawn(shown.item, shown.artifact, desk.new_nonce(), desk.now())
        st.session_state["drawn"] = before
    return before


def dialog_open() -> bool:
    """Whether something is open in front of the card; keys must not act behind it."""
    return bool(st.session_state.get("dialog"))


def open_dialog(name: str) -> None:
    """Open a dialog in this run and the following ones."""
    st.session_state["dialog"] = name


def close_dialog() -> None:
    """Close it."""
    st.session_state["dialog"] = ""


def keep_dialog(*names: str) -> None:
    """Close a dialog that another page left open: it would hold every button back unseen."""
    if st.session_state.get("dialog") not in names:
        close_dialog()


def decide(
    desk: Desk,
    shown: Card,
    wanted: Wanted,
    nonce: str,
    decision: DecisionKind,
    reason: str | None = None,
) -> None:
    """Draft one decision over the card that was shown, and go to the next one."""

    def act() -> Told:
        held_back = _elsewhere(shown) or _held_back(desk, nonce)
        if held_back is not None:
            return held_back
        wish = Wish(
            decision,
            reason=reason,
            note=note_of(shown.item) or None,
            acknowledged=flags.ticked(shown.item, shown.flags),
            nonce=nonce,
        )
        with desk.held():
            made_here.keep([desk.draft(shown, wish)])
            st.session_state["drawn"] = None
            st.session_state["rejecting"] = ""
            go(shown.item, desk.following(wanted, shown.item) or "", desk.now())
        return f"said.{decision}", {"item": short(shown.item), "about": shown.claim}

    attempt(act)


def once(desk: Desk, nonce: str, act: Callable[[], Told]) -> None:
    """Run another act of a card's button under the same guards."""

    def guarded() -> Told:
        held_back = _held_back(desk, nonce)
        if held_back is None:
            return act()
        return held_back

    attempt(guarded)


def undo(desk: Desk) -> None:
    """Take back the newest draft and show its record again."""

    def act() -> Told:
        if dialog_open():
            return "said.again", {}
        before = desk.drafts()
        taken = desk.undo()
        if taken is None:
            return "said.no_undo", {}
        left = {one.item for one in desk.drafts()}
        gone = [one for one in before if one.item not in left]
        for one in gone:
            made_here.forget(one)
        st.session_state["drawn"] = None
        st.session_state["rejecting"] = ""
        go("", taken.item, desk.now())
        if taken.list_sha256 is not None:
            return "said.list_undone", {"n": len(gone)}
        about = desk.claims_of([taken.item]).get(taken.item)
        return "said.undone", {"item": short(taken.item), "about": about}

    attempt(act)


def move(desk: Desk, wanted: Wanted, item: str, forward: bool) -> None:
    """Go to the next or the previous undecided record, without deciding."""

    def act() -> Told:
        if dialog_open():
            return "said.again", {}
        found = desk.following(wanted, item) if forward else desk.preceding(wanted, item)
        st.session_state["rejecting"] = ""
        if found is None or found == item:
            return "said.no_more" if forward else "said.first", {}
        st.session_state["drawn"] = None
        go(item, found, desk.now())
        return "", {}

    attempt(act)


def go(before: str, after: str, now: str) -> None:
    """Show another record, and remember from where and when."""
    st.session_state["went"] = (before, after, now)
    address.put(item=after)


def arrived(item: str, now: str) -> str:
    """The record to show, given the one in the URL.

    A press that comes before the browser has heard of the last move brings the old URL with it.
    There can be several of them, and none leads back to what was just decided.
    """
    before, after, at = st.session_state.get("went") or ("", "", "")
    if item and item == before and elapsed_ms(at, now) < LATE_MS:
        address.put(item=after)
        return str(after)
    return item


def ask_reason(item: str) -> None:
    """Show the reasons for a rejection; blank closes them."""
    if not dialog_open():
        st.session_state["rejecting"] = item


def note_key(item: str) -> str:
    """The key of a card's note."""
    return f"note-{item}"


def note_of(item: str) -> str:
    """What the reviewer noted for a card; blank when nothing."""
    return str(st.session_state.get(note_key(item)) or "").strip()


def _elsewhere(shown: Card) -> Told | None:
    """Hold back a press that was made before the browser showed the card: nobody saw it then."""
    named = st.query_params.get("item")
    return ("said.again", {}) if named and named != shown.item else None


def _held_back(desk: Desk, nonce: str) -> Told | None:
    present: Drawn | None = st.session_state.get("drawn")
    if present is None or present.nonce != nonce or dialog_open():
        return "said.again", {}
    now = desk.now()
    if elapsed_ms(present.at, now) < TOO_FAST_MS:
        st.session_state["drawn"] = replace(present, at=now)
        return "said.fast", {}
    return None

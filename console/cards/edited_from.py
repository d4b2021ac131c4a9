"""What a record was edited from: the source that the person had before them, above the edit's own.

The bytes of an edit are the person's own words. What they are to be held against stands in the
source of the record that was edited, or of the one before that.
"""

from __future__ import annotations

from typing import Final

import streamlit as st

from console.cards import provenance, untrusted
from console.cards.visit import Visit
from review.cards.card import Card, NoSuchItemError
from review.desk import Desk
from review.versions import wording
from store.cells import EdgeKind

IMPORTER: Final = "console_edit"
"""What an edit in the console is read by; no file is read under this name."""

_STEPS: Final = 8
"""Edits of edits that are followed."""

_NEAR: Final = 80
"""Characters of unchanged words that are shown on either side of a change."""


def replaced(card: Card) -> tuple[str, ...]:
    """Items that an edit was made from; none if the card is no edit."""
    if card.source.importer.partition("/")[0] != IMPORTER:
        return ()
    made = (one for one in card.links if one.outgoing and one.kind == EdgeKind.DERIVED_FROM)
    return tuple(one.other for one in made)


def draw(desk: Desk, visit: Visit, card: Card, *, tall: bool) -> None:
    """What an edit changed, and the source of what was edited; nothing if the card is no edit."""
    first = _first(desk, card)
    if first is None:
        return
    _changed(desk, visit, card)
    st.caption(visit.say("source.edited_from"))
    provenance.source(first, visit.say, tall=tall)
    st.caption(visit.say("source.the_edit"))


def _changed(desk: Desk, visit: Visit, card: Card) -> None:
    """The words that differ from the record it replaces; what is the same is cut short."""
    try:
        before = desk.card_of(replaced(card)[0]).claim or ""
    except NoSuchItemError:
        return
    after = card.claim or ""
    if before and after and before != after:
        runs = list(wording.changed(before, after))
        st.caption(visit.say("fact.version.differs"))
        untrusted.changed(
            (one.text if one.old != one.new else _short(one.text), one.old, one.new)
            for one in runs
        )


def _short(text: str) -> str:
    return text if len(text) <= 2 * _NEAR + 3 else f"{text[:_NEAR]} … {text[-_NEAR:]}"


def _first(desk: Desk, card: Card) -> Card | None:
    """The record that the first of the edits was made from."""
    found: Card | None = None
    for _ in range(_STEPS):
        before = replaced(found or card)
        if not before:
            return found
        try:
            found = desk.card_of(before[0])
        except NoSuchItemError:
            return found
    return found

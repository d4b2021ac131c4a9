"""From an answer to the bytes: every step of the chain with its link, and the record's own bytes.

The bytes are drawn where they are, so that nobody has to go looking for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from console.cards import happened, provenance, refusals, untrusted, why_words
from console.cards.visit import Visit
from review.auditing.origin import ChainLink, Step
from review.cards.card import NoSuchItemError
from review.desk import Desk
from store.log import DamagedStoreError

SHAPES: Final = {False: "●", True: "○"}


def draw(visit: Visit, links: Sequence[ChainLink]) -> None:
    """The steps, one line each; a gap has another shape and says what is missing."""
    say = visit.say
    for one in links:
        gap = one.gap is not None
        shape = f"{SHAPES[gap]} {say.plain(f'why.step.{one.step}')}"
        name = f"chain-{one.step}"
        with st.container(horizontal=True, vertical_alignment="center", key=name):
            st.text(f"{shape}:  {why_words.link(say, one, visit.who)}")
            if one.name:
                untrusted.line(one.name)
            _link(visit, one)


def source(desk: Desk, visit: Visit, item: str) -> None:
    """The record's own bytes with their evidence, and the run that belongs to it."""
    say = visit.say
    try:
        card = desk.card_of(item)
    except (NoSuchItemError, DamagedStoreError) as error:
        refusals.show(error, say)
        return
    provenance.source(card, say, tall=False)
    if card.beside:
        happened.draw(visit, card, tall=False)
    provenance.minimum(card, say)


def _link(visit: Visit, one: ChainLink) -> None:
    if one.gap is not None and one.step is not Step.CELL:
        return
    if one.step is Step.CELL:
        visit.link("fact", "why.to_passport", to={"id": one.id})
    elif one.step is Step.RUN:
        visit.link("run", "why.to_run", to={"id": one.id})
    elif one.seq >= 0:
        visit.link("ledger", "why.to_ledger", to={"seq": str(one.seq)}, n=one.seq)

"""Records that say nearly the same: what each says, and the way to it."""

from __future__ import annotations

from typing import Final

import streamlit as st

from console.cards import untrusted
from console.cards.visit import Visit
from review.card import Card
from review.desk import Desk
from review.identities import short

SHOWN: Final = 5


def draw(desk: Desk, visit: Visit, card: Card) -> None:
    """The look-alikes of a card, the first ones in full."""
    if not card.look_alikes:
        return
    say, decided = visit.say, desk.standing().items
    st.caption(say("focus.look_alikes", n=len(card.look_alikes)))
    for item, claim in desk.claims_of(card.look_alikes[:SHOWN]).items():
        if claim is None:
            st.info(say("stored.erased"))
        else:
            untrusted.show(claim, say, key=f"look-{item}")
        name = short(item)
        if item in decided:
            visit.link("fact", "focus.look_alike", to={"id": item}, item=name)
        else:
            to = {"lane": "duplicates", "view": "focus", "item": item}
            visit.link("inbox", "focus.look_alike", to=to, item=name)
    more = card.look_alikes[SHOWN:]
    if more:
        st.text("  ".join(short(one) for one in more))

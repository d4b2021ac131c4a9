"""Records that say nearly the same: what each says, and the way to it."""

from __future__ import annotations

from typing import Final

import streamlit as st

from console.cards import edited_from, untrusted
from console.cards.visit import Visit
from review.cards.card import Card
from review.desk import Desk
from review.identities import short

SHOWN: Final = 5


def draw(desk: Desk, visit: Visit, card: Card) -> None:
    """The look-alikes of a card, the first ones in full; not what it was edited from."""
    alike = tuple(one for one in card.look_alikes if one not in edited_from.replaced(card))
    if not alike:
        return
    say, decided = visit.say, desk.standing().items
    st.caption(say("focus.look_alikes", n=len(alike)))
    for item, claim in desk.claims_of(alike[:SHOWN]).items():
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
    more = alike[SHOWN:]
    if more:
        st.text("  ".join(short(one) for one in more))

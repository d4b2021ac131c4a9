"""What a record was made from, how far it has moved from there, and what was made from it."""

from __future__ import annotations

import streamlit as st

from console.cards import untrusted
from console.cards.times import moment
from console.cards.visit import Visit
from review import rewritten
from review.cards.card import Card
from review.desk import Desk
from review.graphs import consequences
from review.identities import short
from review.text.drift import Drift

SHOWN = 20


def draw(desk: Desk, visit: Visit, card: Card) -> None:
    """The distance to the originals, the age of the oldest support, and the descendants."""
    _above(desk, visit, card)
    _below(desk, visit, card)


def _above(desk: Desk, visit: Visit, card: Card) -> None:
    say, found = visit.say, rewritten.rewritten(desk.store, card)
    if found is None:
        return
    st.caption(say("drift.title", n=found.steps))
    if found.drift is None:
        st.info(say("drift.erased"))
    else:
        st.text(say.plain("drift.share", share=found.drift.percent))
        if found.drift.stronger:
            st.warning(say("drift.stronger"), icon=":material/warning:")
        rows = _rows(found.drift, visit)
        if rows:
            untrusted.fields(rows)
    if found.oldest is not None:
        st.text(say.plain("drift.oldest", when=moment(found.oldest)))
    for item in found.originals[:SHOWN]:
        visit.link("fact", "drift.original", to={"id": item}, item=short(item))


def _rows(told: Drift, visit: Visit) -> list[tuple[str, str]]:
    named = {
        "absolutes": told.absolutes,
        "hedges": told.hedges,
        "negations": told.negations,
        "lost_numbers": told.lost_numbers,
        "new_numbers": told.new_numbers,
    }
    return [
        (visit.say.plain(f"drift.{name}"), ", ".join(words))
        for name, words in named.items()
        if words
    ]


def _below(desk: Desk, visit: Visit, card: Card) -> None:
    say, items = visit.say, consequences.descendants(desk.store, card)
    if not items:
        return
    st.caption(say("drift.descendants", n=len(items)))
    st.text("  ".join(short(one) for one in items[:SHOWN]))
    for item in items[:SHOWN]:
        visit.link("fact", "drift.descendant", to={"id": item}, item=short(item))

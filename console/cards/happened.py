"""What happened: the runs beside a record, at the moment of the decision."""

from __future__ import annotations

from typing import Final

import streamlit as st

from console.cards import steps, untrusted
from console.cards.visit import Visit
from review.cards.card import Card
from review.evidence import Beside
from review.identities import short
from store.cells import Stance
from store.trajectories import StepKind

_ASKED: Final = 90
HEIGHT: Final = 330
"""Pixels of the steps beside a record, so that the card stays on one screen."""


def draw(visit: Visit, card: Card, *, tall: bool) -> None:
    """The strongest tied run with the steps that carry the record, and links to the others."""
    say = visit.say
    if card.cases:
        _cases(visit, card)
    if not card.beside:
        st.caption(say("happened.none"))
        return
    first, *others = card.beside
    _one(visit, first, tall=tall)
    for other in others:
        also = f"happened.also.{other.tie}"
        visit.link("run", also, to={"id": other.kept.item}, id=short(other.kept.item))
        untrusted.line(untrusted.cell(asked(other), _ASKED))


def asked(one: Beside) -> str:
    """What a run was asked first, which tells more of it than its id. Foreign text."""
    told = one.kept.run.steps if one.kept.run is not None else ()
    return next((step.text for step in told if step.kind is StepKind.INPUT), "")


def _one(visit: Visit, one: Beside, *, tall: bool) -> None:
    say, kept = visit.say, one.kept
    st.caption(say(f"happened.tie.{one.tie}"))
    if kept.run is None:
        st.info(say("happened.erased"))
        return
    ending = f" · {say.plain(f'ending.{kept.analysis.ending}')}" if kept.analysis else ""
    st.text(say.plain("happened.run", n=len(kept.run.steps)) + ending)
    if not one.carrying:
        st.caption(say("happened.not_carried"))
    wrong = kept.analysis.evidence if kept.analysis else ()
    judged = [decision.step for decision in kept.run.decisions]
    carrying = [each.step for each in one.carrying]
    places = steps.shown(kept.run, carrying, [*judged, *wrong], whole=tall)
    with st.container(height="content" if tall else HEIGHT, border=False):
        steps.draw(
            kept.run,
            kept.analysis,
            say,
            places=places[: steps.PAGE],
            marked={each.step: each.spans for each in one.carrying},
        )
    visit.link("run", "happened.open", to={"id": kept.item})


def _cases(visit: Visit, card: Card) -> None:
    """Independent cases for and against, never mixed with a model's confidence."""
    say, told = visit.say, card.support
    st.text(
        say.plain(
            "happened.support",
            supports=told.supporting,
            against=told.contradicting,
            events=told.events,
        )
    )
    if told.supporting == 1 and not told.contradicting:
        st.caption(say("happened.once"))
    if told.echoes:
        st.caption(say("happened.echoes", n=told.echoes))
    rows = [
        (say.plain(f"stance.{case.stance}"), " · ".join(filter(None, (case.run, case.by))))
        for case in sorted(card.cases, key=lambda case: case.stance is Stance.SUPPORTS)
    ]
    untrusted.fields(rows[:10])

"""The list of candidates: what each says, how many cases agree, which thresholds are reached."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import pandas as pd
import streamlit as st

from console.cards import address, paging, row_choice, untrusted
from console.cards.address import Address
from console.cards.visit import Visit
from review.identities import short
from review.rules.candidates import PAGE, Candidate, CandidatePage
from review.rules.export_told import ThresholdName
from review.rules.listed import Show

_COLUMNS: Final = ("claim", "for", "against", "confidence", "people", "days", "reached", "id")


def filters(visit: Visit, at: Address, page: CandidatePage) -> None:
    """Which candidates are listed, and literal words to look for."""
    say = visit.say
    counts = {
        Show.ALL: page.reached + page.below,
        Show.REACHED: page.reached,
        Show.BELOW: page.below,
    }
    left, right = st.columns([3, 2])
    with left:
        st.session_state["show"] = at["show"]
        st.segmented_control(
            say("rules.show"),
            [str(one) for one in Show],
            required=True,
            format_func=lambda one: say(f"rules.show.{one}", count=counts[Show(one)]),
            key="show",
            label_visibility="collapsed",
            on_change=address.follow,
            args=("show", str(Show.ALL), ("p",)),
        )
    with right:
        st.session_state["q"] = at["q"]
        st.text_input(
            say("inbox.search"),
            key="q",
            placeholder=say("rules.search"),
            label_visibility="collapsed",
            on_change=address.follow,
            args=("q", "", ("p",)),
        )


def draw(visit: Visit, page: CandidatePage, number: int, drafted: Collection[str] = ()) -> None:
    """The table, and the way into the chosen row; what this person drafts has a mark."""
    say = visit.say
    choice = row_choice.Choice("rules", [one.learned.item for one in page.rows])
    rows = [(*_row(visit, one, drafted), say.plain("list.open_row")) for one in page.rows]
    st.dataframe(
        pd.DataFrame(rows, columns=[*_COLUMNS, row_choice.OPEN], dtype="str"),
        hide_index=True,
        key=choice.key,
        on_select=choice.taken,
        selection_mode=row_choice.MODES,
        selection_default=choice.default,
        row_height=34,
        height=min(38 + 34 * len(rows), 420),
        column_config={
            "claim": st.column_config.TextColumn(say("rules.insight"), width=400),
            "for": st.column_config.TextColumn(say("rules.for"), width=70),
            "against": st.column_config.TextColumn(say("rules.against.short"), width=80),
            "confidence": st.column_config.TextColumn(say("rules.head.confidence"), width=110),
            "people": st.column_config.TextColumn(say("rules.head.people"), width=70),
            "days": st.column_config.TextColumn(say("rules.head.days"), width=70),
            "reached": st.column_config.TextColumn(say("rules.reached"), width=215),
            "id": st.column_config.TextColumn(say("list.id"), width=90),
            row_choice.OPEN: choice.column(visit),
        },
        alt=say("rules.alt", n=page.total),
    )
    if drafted:
        st.caption(say("rules.drafted", n=len(drafted)))
    if opened := choice.bar(visit, lambda place: page.rows[place].learned.claim or ""):
        address.put(candidate=opened)
        st.rerun()
    paging.draw(page.total, number, say, per=PAGE)


def _row(visit: Visit, one: Candidate, drafted: Collection[str]) -> tuple[str, ...]:
    say = visit.say
    by_name = {told.name: told for told in one.thresholds}

    def found(name: ThresholdName) -> str:
        return by_name[name].found or "–"

    below = [
        say.plain(f"rules.threshold.{told.name}.short")
        for told in one.thresholds
        if not told.passed
    ]
    reached = say.plain("rules.reached.all") if not below else say.plain("rules.reached.not")
    return (
        ("✎ " if one.learned.item in drafted else "") + untrusted.cell(one.learned.claim or ""),
        str(one.cases.count.supporting),
        str(one.cases.count.contradicting),
        found(ThresholdName.CONFIDENCE),
        found(ThresholdName.PEOPLE),
        found(ThresholdName.DAYS),
        f"{'✓' if not below else '✕'} {reached}{' ' if below else ''}{', '.join(below)}",
        short(one.learned.item),
    )


def none(visit: Visit, page: CandidatePage) -> None:
    """What is said when nothing is listed."""
    say = visit.say
    if page.reached + page.below:
        st.info(say("rules.no_match", n=page.reached + page.below))
        return
    st.info(say("rules.none"))
    if page.aside:
        st.caption(say("rules.aside", n=page.aside))
        visit.link("facts", "rules.to_insights", to={"kind": "insight"})
    visit.link("runs", "rules.to_runs")
    visit.link("inbox", "facts.to_inbox", to={"kind": "insight"})

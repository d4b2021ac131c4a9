"""Runs that are kept as evidence: a list, how they ended, and building insights from them."""

from __future__ import annotations

from collections import Counter
from typing import Final

import pandas as pd
import streamlit as st

from console.cards import address, heading, paging, press, refusals, row_choice, untrusted
from console.cards.address import ANY_WORDS, Address
from console.cards.refusals import Told
from console.cards.times import moment
from console.cards.visit import Visit
from review.analysis import Ending
from review.desk import Desk
from review.identities import short
from review.runs import PAGE, Kept, RunPage, RunsWanted
from store.records import Outcome
from store.trajectories import StepKind, Verdict

DEFAULTS: Final = {"q": "", "ending": "", "judged": "", "batch": "", "p": "1"}
ALLOWED: Final = {
    "q": ANY_WORDS,
    "ending": [str(ending) for ending in Ending],
    "judged": ["0", "1"],
}
_SHAPES: Final = {Verdict.ACCEPT: "✓", Verdict.REJECT: "✕", Verdict.EDIT: "✎"}


def render(desk: Desk, visit: Visit) -> None:
    """Draw the page."""
    at = address.read(DEFAULTS, ALLOWED)
    say = visit.say
    heading.draw(visit, "runs")
    address.note_unknown(at, say)
    with desk.held():
        endings = desk.experience.endings()
        if not endings:
            st.info(say("runs.empty"))
            st.code("memory-console import session.jsonl", language=None)
            visit.link("inbox", "facts.to_inbox")
            return
        told = [f"{say.plain(f'ending.{name}')} {n}" for name, n in sorted(endings.items())]
        st.text("   ·   ".join(told))
        _insights(desk, visit)
        _filters(visit, at)
        wanted = RunsWanted(at["ending"], "", at["batch"], at["judged"], at["q"])
        page = desk.experience.page(wanted, at.page)
        if not page.runs:
            st.info(say("runs.no_match", n=sum(endings.values())))
            return
        _table(visit, page, at)


def _insights(desk: Desk, visit: Visit) -> None:
    say = visit.say
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            say("runs.build"),
            key="build-insights",
            help=say("runs.build.help"),
            disabled=bool(visit.why_read_only) or press.dialog_open(),
            on_click=_build,
            args=(desk,),
        )
        told = st.session_state.get("built")
        if told:
            st.caption(say(told[0], **told[1]))
            visit.link("inbox", "runs.to_insights", to={"kind": "insight"})


def _build(desk: Desk) -> None:
    refusals.attempt(lambda: _built(desk))
    st.session_state["built"] = st.session_state.pop("said")


def _built(desk: Desk) -> Told:
    found = desk.experience.build()
    counts = found.receipt.counts if found.receipt else Counter[Outcome]()
    told: dict[str, object] = {
        "written": counts[Outcome.WRITTEN],
        "known": counts[Outcome.ALREADY_KNOWN],
        "decided": found.built.decided,
        "unexplained": found.built.unexplained,
        "style": found.built.style_only,
    }
    return "runs.built", told


def _filters(visit: Visit, at: Address) -> None:
    say = visit.say
    words, endings, judged = st.columns([3, 1, 1])
    with words:
        st.session_state["q"] = at["q"]
        st.text_input(
            say("inbox.search"),
            key="q",
            placeholder=say("runs.search"),
            label_visibility="collapsed",
            on_change=address.follow,
            args=("q", "", ("p",)),
        )
    with endings:
        st.session_state["ending"] = at["ending"]
        st.selectbox(
            say("run.ending"),
            ["", *(str(ending) for ending in Ending)],
            key="ending",
            format_func=lambda one: say(f"ending.{one}") if one else say("runs.any_ending"),
            label_visibility="collapsed",
            on_change=address.follow,
            args=("ending", "", ("p",)),
        )
    with judged:
        st.session_state["judged"] = at["judged"]
        st.selectbox(
            say("runs.judged"),
            ["", "1", "0"],
            key="judged",
            format_func=lambda one: say(f"runs.judged.{one or 'any'}"),
            label_visibility="collapsed",
            on_change=address.follow,
            args=("judged", "", ("p",)),
        )


def _table(visit: Visit, page: RunPage, at: Address) -> None:
    say = visit.say
    rows = [(*_row(kept, visit), say.plain("list.open_row")) for kept in page.runs]
    names = ["asked", "steps", "decided", "ending", "started", "source", "id", row_choice.OPEN]
    choice = row_choice.Choice("runs", [kept.item for kept in page.runs])
    st.dataframe(
        pd.DataFrame(rows, columns=names, dtype="str"),
        hide_index=True,
        key=choice.key,
        on_select=choice.taken,
        selection_mode=row_choice.MODES,
        selection_default=choice.default,
        row_height=34,
        height=38 + 34 * len(rows),
        column_config={
            "asked": st.column_config.TextColumn(say("runs.asked"), width=430),
            "steps": st.column_config.TextColumn(say("runs.steps"), width=60),
            "decided": st.column_config.TextColumn(say("runs.decided"), width=110),
            "ending": st.column_config.TextColumn(say("run.ending"), width=130),
            "started": st.column_config.TextColumn(say("run.started"), width=140),
            "source": st.column_config.TextColumn(say("list.source"), width=150),
            "id": st.column_config.TextColumn(say("list.id"), width=90),
            row_choice.OPEN: choice.column(visit),
        },
        alt=say("runs.alt", n=page.total),
    )
    if opened := choice.bar(visit, lambda place: rows[place][0]):
        visit.go("run", {"id": opened})
    paging.draw(page.total, at.page, say, per=PAGE)


def _row(kept: Kept, visit: Visit) -> tuple[str, ...]:
    say, run = visit.say, kept.run
    if run is None:
        return (say.plain("stored.erased"), "", "", "", "", kept.importer, short(kept.item))
    asked = next((step.text for step in run.steps if step.kind is StepKind.INPUT), "")
    judged = [one.verdict for one in run.decisions if not one.weak]
    told = " ".join(f"{_SHAPES[v]} {judged.count(v)}" for v in Verdict if v in judged)
    return (
        untrusted.cell(asked or (run.steps[0].text if run.steps else "")),
        str(len(run.steps)),
        told or say.plain("runs.undecided"),
        say.plain(f"ending.{kept.analysis.ending}") if kept.analysis else "",
        moment(run.started_at) if run.started_at else "–",
        say.plain(f"importer.{kept.importer}"),
        short(kept.item),
    )

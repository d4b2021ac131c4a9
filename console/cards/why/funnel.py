"""The funnel: how many cells were left after each step, and each number filters the rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from console.cards import address
from console.cards.visit import Visit
from review.auditing.why import PartWhy, Row, Verdict

RETRIEVED: Final = "retrieved"
STEPS: Final = (RETRIEVED, "passed", "admitted", "kept")
"""The steps, by their word in the URL: each lets through some of those before it."""

PARAMETER: Final = "rows"


def left_after(rows: Sequence[Row], step: str) -> list[Row]:
    """The rows that were left after a step of ``STEPS``."""
    return [row for row in rows if _left(row, step)]


def draw(visit: Visit, part: PartWhy, step: str, *, key: str, happened: bool) -> None:
    """The numbers of one sub-question; choosing one filters the rows of the page.

    Args:
        visit: The drawing of the page.
        part: The sub-question.
        step: The chosen step.
        key: Sets the control apart from those of other sub-questions.
        happened: Whether this is what was recorded.
    """
    say, told = visit.say, part.funnel
    numbers = dict(
        zip(STEPS, (told.retrieved, told.passed, told.admitted, told.kept), strict=True)
    )
    name = f"funnel-{key}"
    st.session_state[name] = step
    with st.container(horizontal=True, vertical_alignment="center", key=f"steps-{key}"):
        st.segmented_control(
            say("why.funnel.about"),
            list(STEPS),
            required=True,
            key=name,
            format_func=lambda one: say(
                "why.funnel.would_be" if one == "kept" and not happened else f"why.funnel.{one}",
                n=numbers[one],
            ),
            label_visibility="collapsed",
            on_change=_choose,
            args=(name,),
        )
        if happened:
            st.caption(say("why.funnel.quoted"), width="content")


def hidden_by(visit: Visit, part: PartWhy, step: str) -> None:
    """Say how many rows a chosen step takes away; nothing when it takes none."""
    gone = sum(not _left(row, step) for row in part.rows)
    if gone:
        st.caption(visit.say("why.funnel.hidden", n=gone))


def _left(row: Row, step: str) -> bool:
    if step == "passed":
        return row.score.h
    if step == "admitted":
        return row.score.admitted
    return row.verdict is Verdict.IN if step == "kept" else True


def _choose(name: str) -> None:
    step = str(st.session_state.get(name) or RETRIEVED)
    address.put(**{PARAMETER: "" if step == RETRIEVED else step})

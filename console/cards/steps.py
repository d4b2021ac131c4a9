"""The steps of a run: who did what, in order, with the places that carry a record marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st

from console.cards import untrusted
from console.cards.times import moment
from console.words import Say
from review.analysis import Analysis
from review.text import edit_parts
from store.cells import Span
from store.trajectories import HumanDecision, Step, Trajectory, Verdict

SHAPES: Final = {Verdict.ACCEPT: "✓", Verdict.REJECT: "✕", Verdict.EDIT: "✎"}
PAGE: Final = 40
"""Steps of a run on one page."""


def shown(
    run: Trajectory, carrying: Sequence[int], others: Sequence[int], *, whole: bool
) -> list[int]:
    """Which steps to draw: all, or the first, the carrying ones with their neighbours, and others.

    Args:
        run: The run.
        carrying: Steps that carry the record.
        others: Steps that were judged or went wrong.
        whole: Whether all are wanted.
    """
    if whole or not (carrying or others):
        return list(range(len(run.steps)))
    near = {0, *others}
    for place in carrying:
        near |= {place - 1, place, place + 1}
    return sorted(place for place in near if 0 <= place < len(run.steps))


def draw(
    run: Trajectory,
    reading: Analysis | None,
    say: Say,
    *,
    places: Sequence[int],
    marked: Mapping[int, Sequence[Span]],
) -> None:
    """Draw the steps at ``places``; a gap between two of them is said.

    Args:
        run: The run.
        reading: Which of its steps went wrong first.
        say: The language.
        places: Indexes into the steps, ascending.
        marked: Spans in characters by step.
    """
    judged: dict[int, list[HumanDecision]] = {}
    for one in run.decisions:
        judged.setdefault(one.step, []).append(one)
    at = 0
    for place in places:
        if place > at:
            st.caption(say("steps.left_out", n=place - at))
        _step(run, place, reading, say, marked.get(place, ()))
        for one in judged.get(place, ()):
            decision(one, run, say)
        at = place + 1
    if at < len(run.steps):
        st.caption(say("steps.left_out", n=len(run.steps) - at))
    for one in judged.get(-1, ()):
        decision(one, run, say)
    if not run.decisions:
        st.caption(say("steps.undecided"))


def _step(
    run: Trajectory, place: int, reading: Analysis | None, say: Say, spans: Sequence[Span]
) -> None:
    step = run.steps[place]
    head = [str(place + 1), say.plain(f"step.{step.kind}")]
    if step.failed:
        head.append(say.plain("step.failed"))
    if reading is not None and reading.first_wrong == place:
        head.append(say.plain("step.first_wrong"))
    if spans:
        head.append(say.plain("step.carries"))
    untrusted.step(" · ".join(head), _whose(step), step.text, spans)
    if step.omitted is not None:
        st.caption(say("step.omitted", n=step.omitted.size, sha=step.omitted.sha256[:16]))


def _whose(step: Step) -> str:
    told = [step.name, step.who, moment(step.at) if step.at else ""]
    return " · ".join(one for one in told if one)


def decision(one: HumanDecision, run: Trajectory, say: Say) -> None:
    """What a person decided, with the reason or that there is none, and the parts of an edit."""
    head = f"{SHAPES[one.verdict]} {say.plain(f'verdict.{one.verdict}')}"
    if one.weak:
        head += f" · {say.plain('steps.weak')}"
    whose = " · ".join(told for told in (one.by, moment(one.at) if one.at else "") if told)
    unknown = one.verdict is Verdict.REJECT and not one.reason
    reason = say.plain("steps.reason_unknown") if unknown else one.reason or ""
    untrusted.step(head, whose, reason, ())
    if one.edit is not None and 0 <= one.step < len(run.steps):
        _edit(run.steps[one.step].text, one.edit, say)


def _edit(before: str, after: str, say: Say) -> None:
    found = edit_parts.split(before, after)
    told = say.plain("steps.edit_parts", technical=len(found.technical), style=len(found.style))
    untrusted.step(told, "", after, [one.after for one in found.technical])
    if found.style_only:
        st.caption(say("steps.style_only"))

"""Simple ways to choose memory, to compare the gate with: in what-if and in the benchmark.

All choose among the same candidates with the same numbers; only who is admitted differs.

Source: the gate's specification, section 3 (baselines for CALM).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from review.gate.framing import Frame
from review.gate.numbers import Bar, asked_time
from review.gate.scored import Reason, Scored
from review.gate.weighing import Weighed
from review.memory.knowing import Known

SHOWN: Final = 3
"""Memories that a plain search hands over."""

_NEAR: Final = 0.9
"""Share of the best ζ at which candidates count as being about the same."""

_HALF_LIFE_DAYS: Final = 30.0
_MICROSECONDS_A_DAY: Final = 86_400_000_000

_Rows = Sequence[tuple[int, Scored]]


def _relevance_only(rows: _Rows, frame: Frame, known: Known) -> set[str]:
    """The three most relevant."""
    return {one.item for _, one in _by_relevance(rows)[:SHOWN]}


def _top_1(rows: _Rows, frame: Frame, known: Known) -> set[str]:
    """The most relevant alone."""
    return {one.item for _, one in _by_relevance(rows)[:1]}


def _latest_only(rows: _Rows, frame: Frame, known: Known) -> set[str]:
    """Of the candidates that are about the same as the best one, the newest."""
    if not rows:
        return set()
    best = max(one.zeta for _, one in rows)
    near = [(row, one) for row, one in rows if one.zeta >= _NEAR * best]
    return {max(near, key=lambda told: (int(known.cells.start[told[0]]), told[0]))[1].item}


def _time_filter(rows: _Rows, frame: Frame, known: Known) -> set[str]:
    """Relevant ones whose own interval meets the asked time; conflicts do not matter."""
    asked, cells = asked_time(frame.intent), known.cells
    return {
        one.item
        for row, one in _by_relevance(rows)[:SHOWN]
        if cells.start[row] < asked.end and cells.end[row] > asked.start
    }


def _recency(rows: _Rows, frame: Frame, known: Known) -> set[str]:
    """The three best by the mean of relevance and recency, which halves every 30 days."""

    def worth(told: tuple[int, Scored]) -> float:
        age = max(frame.asked_at - int(known.cells.start[told[0]]), 0) / _MICROSECONDS_A_DAY
        return float(told[1].zeta + 0.5 ** min(age / _HALF_LIFE_DAYS, 1000.0)) / 2.0

    return {one.item for _, one in sorted(rows, key=worth, reverse=True)[:SHOWN]}


def _no_h(rows: _Rows, frame: Frame, known: Known) -> set[str]:
    """F against θ, without the hard filter."""
    return {one.item for _, one in rows if one.score >= one.theta}


_RULES: Final[Mapping[str, Callable[[_Rows, Frame, Known], set[str]]]] = {
    "relevance_only": _relevance_only,
    "latest_only": _latest_only,
    "time_filter": _time_filter,
    "recency": _recency,
    "top_1": _top_1,
    "no_h": _no_h,
}

NAMES: Final = tuple(_RULES)
"""Names of the baselines."""


def applied(name: str, weighed: Weighed, frame: Frame, known: Known) -> Weighed:
    """The same candidates, admitted by a baseline; staged ones stay out, as everywhere.

    Raises:
        ValueError: If there is no baseline of that name.
    """
    if name not in _RULES:
        msg = f"no baseline named {name!r}. Known ones: {', '.join(NAMES)}."
        raise ValueError(msg)
    rows = [
        (row, one)
        for row, one in zip(weighed.rows, weighed.scored, strict=True)
        if not one.would_be
    ]
    chosen = _RULES[name](rows, frame, known)
    return replace(
        weighed, scored=tuple(_chosen(one, name, one.item in chosen) for one in weighed.scored)
    )


def _by_relevance(rows: _Rows) -> list[tuple[int, Scored]]:
    return sorted(rows, key=lambda told: (-told[1].zeta, told[0]))


def _chosen(one: Scored, name: str, admitted: bool) -> Scored:
    bars = (Bar.NOT_DURABLE,) if one.would_be else ()
    reasons = (*one.reasons, Reason("baseline", {"name": name}))
    return replace(one, admitted=admitted, bars=bars, h=not bars, reasons=reasons)

"""Simple ways to hand memory over, to compare the trim with: in what-if and in the benchmark.

All take and return what ``review.trimming.trim.trim`` does, so one measure fits them all. None of
them withholds a fact because of the question, unless its name says so.

Source: the gate's specification, section 3 (baselines for MemTrim).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Final

from review.facts.protocol import QuestionFacts
from review.trimming.fate import Fate
from review.trimming.trim import Admitted, Parts, Trim, trim

NOTHING: Final = Parts(shared=False, conflicting=False, fate=False, across=False)
"""No part is at work: memory is handed over as it is."""

THRESHOLD: Final = 0.5
"""ζ below which the similarity filter leaves a cell out, unless told otherwise."""

_LINE: Final = 120
"""Characters of a compressed cell."""

Baseline = Callable[[Sequence[Admitted], QuestionFacts], Trim]


def untrimmed(admitted: Sequence[Admitted], question: QuestionFacts) -> Trim:
    """Everything that was admitted, whole, with its conclusions as past answers."""
    return trim(admitted, question, parts=NOTHING)


def top_1(admitted: Sequence[Admitted], question: QuestionFacts) -> Trim:
    """The most relevant cell alone; of equal ones the first."""
    best = sorted(admitted, key=lambda cell: -cell.relevance)[:1]
    return untrimmed(best, question)


def similarity_filter(
    admitted: Sequence[Admitted], question: QuestionFacts, *, threshold: float = THRESHOLD
) -> Trim:
    """Cells whose relevance is at least ``threshold``, which is in [0, 1]."""
    return untrimmed([cell for cell in admitted if cell.relevance >= threshold], question)


def drop_conclusions(admitted: Sequence[Admitted], question: QuestionFacts) -> Trim:
    """Everything, but no stored conclusion."""
    told = untrimmed(admitted, question)
    return replace(
        told,
        cells=tuple(
            cell
            if cell.fate is None
            else replace(cell, judged=replace(cell.judged, fate=Fate.DROPPED))
            for cell in told.cells
        ),
    )


def compress(admitted: Sequence[Admitted], question: QuestionFacts) -> Trim:
    """One line of each cell, cut between words; its conclusion stays."""
    told = untrimmed(admitted, question)
    return replace(
        told,
        cells=tuple(replace(cell, shortened=_line(cell.cell.claim)) for cell in told.cells),
    )


def without(part: str, admitted: Sequence[Admitted], question: QuestionFacts) -> Trim:
    """The trim with one part switched off.

    Raises:
        ValueError: If there is no part of that name.
    """
    names = [field.name for field in fields(Parts)]
    if part not in names:
        msg = f"the trim has no part {part!r}. Known ones: {', '.join(names)}."
        raise ValueError(msg)
    return trim(admitted, question, parts=replace(Parts(), **{part: False}))


BASELINES: Final[Mapping[str, Baseline]] = {
    "untrimmed": untrimmed,
    "top_1": top_1,
    "similarity_filter": similarity_filter,
    "drop_conclusions": drop_conclusions,
    "compress": compress,
    **{f"without_{field.name}": partial(without, field.name) for field in fields(Parts)},
}
"""Every baseline by its name."""


def _line(claim: str) -> str:
    told = " ".join(claim.split())
    if len(told) <= _LINE:
        return told
    return told[: _LINE - 1].rsplit(" ", 1)[0] + "…"

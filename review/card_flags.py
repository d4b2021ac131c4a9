"""Flags that need other records: who said it in the run, and what it was made from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import pandas as pd

from review import authority, evidence
from review.evidence import Beside, Told
from review.flags import Flag, FlagCode
from store import queries
from store.log import Store
from store.trajectories import Step, StepKind

_MEMORY_TOOLS: Final = re.compile(r"(?i)memor|recall|remember|retriev")


def beyond(
    store: Store, told: Told, found: Sequence[Beside], made_from: Sequence[str]
) -> tuple[Flag, ...]:
    """The flags of one record that its own bytes cannot show.

    Args:
        store: Where the other records are.
        told: The record.
        found: The runs beside it.
        made_from: Items that it says it was derived from, by a file or a rule.
    """
    marks = []
    if evidence.speaker_mismatch(told, found):
        marks.append(FlagCode.SPEAKER_MISMATCH)
    if made_from and authority.above(told.source_type, _source_types(store, made_from)):
        marks.append(FlagCode.AUTHORITY_ABOVE_SOURCE)
    if any(_is_echo(one) for one in found):
        marks.append(FlagCode.RECALLED_AGAIN)
    return tuple(Flag(code) for code in marks)


def _source_types(store: Store, items: Sequence[str]) -> list[str]:
    wanted = pd.DataFrame({"item": pd.Series(list(items), dtype="str")})
    return [str(row["source_type"]) for row in store.rows(queries.ITEMS, {"wanted": wanted})]


def _is_echo(one: Beside) -> bool:
    """Whether the words stood in recalled memory before anybody else said them in the run."""
    steps = one.kept.run.steps if one.kept.run else ()
    for carried in one.carrying:
        if carried.whole:
            return _recalls(steps[carried.step])
    return False


def _recalls(step: Step) -> bool:
    if step.kind is StepKind.RECALLED:
        return True
    return step.kind is StepKind.RESULT and _MEMORY_TOOLS.search(step.name) is not None

"""Flags that need other records: who said it in the run, and what it was made from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import pandas as pd

from review import descent, evidence
from review.evidence import Beside, Told
from review.leaves import leaves_of
from review.staged import authority
from review.staged.flags import Flag, FlagCode
from store import queries
from store.log import Store
from store.stages import Stage
from store.trajectories import Step, StepKind

_MEMORY_TOOLS: Final = re.compile(r"(?i)memor|recall|remember|retriev")


def beyond(
    store: Store, item: str, told: Told, found: Sequence[Beside], made_from: Sequence[str]
) -> tuple[Flag, ...]:
    """The flags of one record that its own bytes cannot show.

    Args:
        store: Where the other records are.
        item: The record's id.
        told: The record.
        found: The runs beside it.
        made_from: Items that it says it was derived from, by a file or a rule.
    """
    above = [one.item for one in descent.ancestry(store, item).relatives] if made_from else []
    marks = []
    if evidence.speaker_mismatch(told, found):
        marks.append(Flag(FlagCode.SPEAKER_MISMATCH))
    said_by = [source for one in found for source in one.speaks_as]
    if (
        above and authority.above(told.source_type, _source_types(store, above))
    ) or authority.above_all(told.source_type, said_by):
        marks.append(Flag(FlagCode.AUTHORITY_ABOVE_SOURCE))
    if rejected := _rejected(store, above):
        marks.append(Flag(FlagCode.MADE_FROM_REJECTED, rejected))
    if any(_is_echo(one) for one in found):
        marks.append(Flag(FlagCode.RECALLED_AGAIN))
    return tuple(marks)


def _rejected(store: Store, items: Sequence[str]) -> int:
    """How many of ``items`` stand rejected by a person."""
    if not items:
        return 0
    standing = store.standing().items
    stages = (standing[one].stage for one in items if one in standing)
    return sum(stage == Stage.REJECTED for stage in stages)


def _source_types(store: Store, items: Sequence[str]) -> list[str]:
    wanted = pd.DataFrame({"item": pd.Series(list(items), dtype="str")})
    rows = store.rows(queries.ITEMS, {"wanted": wanted})
    return [str(leaf["artifact"]["source_type"]) for leaf in leaves_of(store, rows)]


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

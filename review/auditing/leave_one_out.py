"""Which single cell an answer hung on: what its context would have been without each of them.

A cell is looked away from as if nobody had approved it: what it superseded holds again, what rests
on it waits. One recall for each admitted cell; everything that was read of the store stays read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from review.auditing.answers import Answer
from review.auditing.recorded import Recorded, Trimmed
from review.auditing.replay import Replay, WhatIf
from review.policy import Policy

MOST: Final = 50
"""Cells that are left out in turn at most."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What would have changed without one cell."""

    item: str
    gained: tuple[str, ...]
    """Cells that would have been admitted in its place."""

    lost: tuple[str, ...]
    """Other cells that would not have been admitted."""

    retold: tuple[str, ...]
    """Cells of which other facts, or another conclusion, would have been handed over."""

    gaps: int
    """Things the question asks for that no admitted cell would state, beyond those of then."""

    @property
    def matters(self) -> bool:
        """Whether anything but the cell itself would be otherwise."""
        return bool(self.gained or self.lost or self.retold or self.gaps)


@dataclass(frozen=True, slots=True)
class LeftOutEach:
    """Every admitted cell left out in turn, in the order in which they were admitted."""

    each: tuple[LeftOut, ...]
    not_tried: int = 0


def leave_one_out(replay: Replay, answer: Answer, policy: Policy) -> LeftOutEach | None:
    """What each admitted cell did for the context of an answer; None when it cannot be asked.

    Both sides are recomputed as of then, so that nothing but the cell differs.

    Args:
        replay: Asks again.
        answer: The answer.
        policy: The present policy, for when the one of then is not known.
    """
    with replay.held():
        return _each(replay, answer, policy)


def _each(replay: Replay, answer: Answer, policy: Policy) -> LeftOutEach | None:
    whole = replay.what_if(answer, policy, WhatIf())
    if whole is None:
        return None
    items = _admitted(whole)
    each = []
    for item in items[:MOST]:
        without = replay.what_if(answer, policy, WhatIf(without=item))
        assert without is not None
        each.append(_compared(item, whole, without))
    return LeftOutEach(tuple(each), not_tried=max(len(items) - MOST, 0))


def _compared(item: str, whole: Recorded, without: Recorded) -> LeftOut:
    before, after = _admitted(whole), _admitted(without)
    told, other = _trims(whole), _trims(without)
    return LeftOut(
        item=item,
        gained=tuple(one for one in after if one not in before),
        lost=tuple(one for one in before if one not in after and one != item),
        retold=tuple(
            one for one in before if one in after and one != item and told[one] != other[one]
        ),
        gaps=max(_gaps(without) - _gaps(whole), 0),
    )


def _admitted(told: Recorded) -> Sequence[str]:
    scores = (one for part in told.parts for one in part.scored if one.admitted)
    return list(dict.fromkeys(one.item for one in scores))


def _trims(told: Recorded) -> dict[str, list[Trimmed]]:
    found: dict[str, list[Trimmed]] = {}
    for part in told.parts:
        for one in part.trimmed:
            found.setdefault(one.item, []).append(one)
    return found


def _gaps(told: Recorded) -> int:
    return sum(len(part.gaps) for part in told.parts)

"""An answer then and now: what each cell scored when it was used, and what it would score today.

Then is what was recorded; where nothing was, it is our recomputation, and is called so. What a
person decided in between is told, because that is mostly what moved a cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from review.auditing.recorded import Score
from review.auditing.why import PartWhy, Row, Verdict
from store import read_queries
from store.log import Store


@dataclass(frozen=True, slots=True)
class Movement:
    """One cell of one sub-question, then and now."""

    part: int
    item: str
    then: Row | None
    """None when it was no candidate."""

    now: Row | None

    @property
    def moved(self) -> bool:
        """Whether anything of it is otherwise now: a number, or the verdict."""
        if self.then is None or self.now is None:
            return self.then is not self.now
        return _numbers(self.then.score) != _numbers(self.now.score) or (
            self.then.verdict is not self.now.verdict
        )

    @property
    def turned(self) -> bool:
        """Whether it is in now and was not, or the reverse."""
        was, is_ = (row is not None and row.verdict is Verdict.IN for row in (self.then, self.now))
        return was is not is_


@dataclass(frozen=True, slots=True)
class Since:
    """One decision on a cell that was signed after an answer was given."""

    item: str
    decision: str
    signed_at: str
    reviewer: str
    seq: int


def movements(then: Sequence[PartWhy], now: Sequence[PartWhy]) -> tuple[Movement, ...]:
    """Every candidate of either side, in the order of then and then of now.

    Sub-questions are paired in order; where a question falls into others now, the rest stands
    alone.
    """
    told = []
    for n in range(max(len(then), len(now))):
        one = {row.item: row for row in (then[n].rows if n < len(then) else ())}
        other = {row.item: row for row in (now[n].rows if n < len(now) else ())}
        told += [
            Movement(n, item, one.get(item), other.get(item))
            for item in dict.fromkeys((*one, *other))
        ]
    return tuple(told)


def decided_since(store: Store, size: int, items: Iterable[str]) -> tuple[Since, ...]:
    """Decisions on cells that were signed after the first ``size`` events, oldest first."""
    names = pd.Series(list(dict.fromkeys(items)), dtype="str")
    rows: list[Mapping[str, Any]] = []
    if len(names):
        wanted = pd.DataFrame({"item": names})
        rows = list(store.rows(read_queries.DECIDED_SINCE, {"wanted": wanted}, size=size))
    return tuple(
        Since(row["item"], row["decision"], row["signed_at"], row["reviewer"], int(row["seq"]))
        for row in rows
    )


def behind(row: Row) -> tuple[str, ...]:
    """The cells that a verdict names: what superseded it, what it rests on or contradicts."""
    told = [reason.told for reason in row.score.reasons]
    named = [one[name] for one in told for name in ("by", "item") if one.get(name)]
    return tuple(dict.fromkeys((*named, *row.score.path)))


def _numbers(score: Score) -> tuple[object, ...]:
    return (*score.parts.values(), score.score, score.theta, score.admitted, score.h)

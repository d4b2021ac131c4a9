"""Figures that ``python -m bench`` measured and the screen shows: never typed or made up."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

_FILE: Final = "measured_data/overlap_curve.json"


@dataclass(frozen=True, slots=True)
class Bin:
    """One part of the scale: overlaps in ``[low, high)``. Shares are in [0, 1]."""

    low: float
    high: float
    n: int
    """Wrong old answers that were asked about."""

    before: float | None
    """Share carried over before the trim; None without a case."""

    after: float | None
    """Share carried over after it."""

    @property
    def middle(self) -> float:
        """The middle of the part."""
        return (self.low + self.high) / 2


@dataclass(frozen=True, slots=True)
class Curve:
    """How often a wrong old answer is carried over, by how much the question repeats of it."""

    date: str
    n: int
    bins: tuple[Bin, ...]


@cache
def overlap_curve() -> Curve | None:
    """The measured curve (Q11) that is shipped; None where none is."""
    file = resources.files("console").joinpath(_FILE)
    if not file.is_file():
        return None
    told = json.loads(file.read_text(encoding="utf-8"))
    return Curve(told["date"], int(told["n"]), tuple(Bin(**one) for one in told["bins"]))

"""Counting hits and kinds of misses, and turning the counts into rows.

A share over no cases is no figure: its value is None, and whether its target holds is unknown.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from bench.rows import Row

EXAMPLES: Final = 20
"""Examples kept of each kind of miss."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A target: at least, or at most, so much."""

    value: float
    at_least: bool = True

    def __str__(self) -> str:
        """As it is printed: ``>= 0.97``."""
        return f"{'>=' if self.at_least else '<='} {self.value:g}"

    def holds(self, value: float | None) -> bool | None:
        """Whether ``value`` meets it; None when nothing was measured."""
        if value is None:
            return None
        return value >= self.value if self.at_least else value <= self.value


@dataclass
class Tally:
    """Cases, how many of them hit, and what sort of miss the others were."""

    n: int = 0
    hits: int = 0
    misses: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, hit: bool, miss: str = "miss", example: str = "") -> None:
        """Count one case; ``miss`` and ``example`` say what went wrong, if it is no hit."""
        self.n += 1
        self.hits += hit
        if not hit:
            self.misses[miss] += 1
            if example and len(self.examples[miss]) < EXAMPLES:
                self.examples[miss].append(example)

    @property
    def share(self) -> float | None:
        """Hits among cases, 0 to 1; None without a case."""
        return self.hits / self.n if self.n else None


@dataclass
class Result:
    """What one measure found: its rows, its misses, and the cells that Q8 pools."""

    rows: list[Row] = field(default_factory=list)
    misses: dict[str, Tally] = field(default_factory=dict)
    blocked: dict[str, Tally] = field(default_factory=dict)
    """By variant: superseded or conflicting candidates of CURRENT questions; a hit is blocked."""


def mean(values: Iterable[float | None]) -> float | None:
    """The plain mean; None when a part was not measured or there is none."""
    told = list(values)
    known = [value for value in told if value is not None]
    return sum(known) / len(known) if told and len(known) == len(told) else None


def best(values: Iterable[float | None], *, highest: bool = True) -> float | None:
    """The best of several baselines; None when there is none."""
    known = [value for value in values if value is not None]
    return (max if highest else min)(known) if known else None


def row(
    name: tuple[str, str, str],
    value: float | None,
    *,
    n: int,
    baseline: float | None = None,
    limit: Limit | None = None,
) -> Row:
    """A row called (id, variant, measure); ``limit`` decides whether it holds."""
    return Row(
        id=name[0],
        variant=name[1],
        measure=name[2],
        value=None if value is None else round(value, 6),
        baseline=None if baseline is None else round(baseline, 6),
        target="" if limit is None else str(limit),
        holds=None if limit is None else limit.holds(value),
        n=n,
    )


def f1(*, found: int, wrong: int, missed: int) -> float | None:
    """Harmonic mean of precision and recall, 0 to 1; None when nothing was there to be found.

    Source: 2tp / (2tp + fp + fn).
    """
    total = 2 * found + wrong + missed
    return 2 * found / total if total else None

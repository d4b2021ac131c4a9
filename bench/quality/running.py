"""Runs the quality measures that are wanted, in order, and collects their rows and misses."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Mapping
from typing import Any, Final

from bench.quality import (
    blocked,
    cascades,
    intents,
    noise,
    overlap_curve,
    partitions,
    pointers,
    recall_at_ten,
    situated,
    substitution,
    timelines,
    updates,
)
from bench.quality.datasets import Wanted
from bench.quality.figures import Result
from bench.rows import Row

MEASURES: Final[Mapping[str, Callable[[Wanted], Result]]] = {
    "Q1": situated.measure,
    "Q2": updates.measure,
    "Q3": cascades.measure,
    "Q4": partitions.measure_edited,
    "Q5": partitions.measure_causal,
    "Q6": recall_at_ten.measure,
    "Q7": timelines.measure,
    "Q9": intents.measure,
    "Q10": noise.measure,
    "Q11": overlap_curve.measure,
    "Q12": substitution.measure,
    "Q13": pointers.measure,
}
"""Q8 pools what others counted, so it is computed from their results."""

NAMES: Final = tuple(sorted((*MEASURES, "Q8"), key=lambda name: int(name[1:])))


def run(wanted: Wanted, *, tell: Callable[[str], None] = lambda _: None) -> dict[str, Result]:
    """The results of the measures that are wanted, by name, in order.

    Args:
        wanted: Which ones (all, if none is named), on which data.
        tell: Called with a line after each.
    """
    chosen = wanted.only or frozenset(NAMES)
    needed = chosen | (set(blocked.POOLED) if "Q8" in chosen else set())
    results: dict[str, Result] = {}
    for name, measure in MEASURES.items():
        if name in needed:
            started = time.perf_counter()
            try:
                results[name] = measure(wanted)
            except Exception as error:
                tell(traceback.format_exc())
                results[name] = _failed(name, error)
            tell(f"{name}: {time.perf_counter() - started:.0f} s")
    if "Q8" in chosen:
        results["Q8"] = blocked.measure(results)
    return {name: results[name] for name in NAMES if name in chosen}


def _failed(name: str, error: Exception) -> Result:
    """A measure that stopped: a row that does not hold, so that the others are still told."""
    return Result([Row(name, "-", f"stopped: {type(error).__name__}", None, None, "", False)])


def rows(results: Mapping[str, Result]) -> list[Row]:
    """All rows, in the order of the measures."""
    return [row for result in results.values() for row in result.rows]


def misses(results: Mapping[str, Result], examples: int = 0) -> dict[str, Any]:
    """Kinds of misses with their counts, most frequent first, and examples if wanted."""
    told: dict[str, Any] = {}
    for result in results.values():
        for name, tally in result.misses.items():
            kinds: dict[str, Any] = {}
            for kind, count in tally.misses.most_common():
                shown = tally.examples.get(kind, [])[:examples]
                kinds[kind] = {"count": count, "examples": shown} if shown else count
            if kinds:
                told[name] = kinds
    return told

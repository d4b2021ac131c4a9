"""Q8: of superseded or conflicting memories that CURRENT questions found, the share kept out.

Pooled over Q1, Q2 and Q7: every superseded or conflicting cell that is among the candidates of a
CURRENT question is one case, and it is blocked when it is not admitted. Q1: the previous
version; Q2: older evidence; Q7: see ``bench.quality.timelines``. Without a gate every candidate
is handed over, so the baseline is 0. Links are found, not given; where Q7 has them given, that
is a row too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bench.quality.figures import Limit, Result, Tally, row

POOLED: Final = ("Q1", "Q2", "Q7")


def measure(results: Mapping[str, Result]) -> Result:
    """Rows of Q8, from what the other measures counted."""
    told = Result()
    pooled = Tally()
    for name in POOLED:
        for variant, one in (results[name].blocked if name in results else {}).items():
            measure_name = f"superseded cells blocked, of {name}"
            told.rows.append(
                row(("Q8", variant, measure_name), one.share, n=one.n, baseline=_none(one))
            )
            if variant == "found":
                pooled.n += one.n
                pooled.hits += one.hits
                pooled.misses.update({f"{name}: {miss}": n for miss, n in one.misses.items()})
                for miss, examples in one.examples.items():
                    pooled.examples[f"{name}: {miss}"] = examples
    name_of_all = ("Q8", "found", "superseded cells blocked, pooled")
    told.rows.insert(
        0,
        row(name_of_all, pooled.share, n=pooled.n, baseline=_none(pooled), limit=Limit(0.97)),
    )
    told.misses["Q8"] = pooled
    return told


def _none(tally: Tally) -> float | None:
    return 0.0 if tally.n else None

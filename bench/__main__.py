"""Runs one measure, or all of them, and prints a table; ``--json`` also writes the rows."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from bench import checking, speed, staging, startup
from bench.quality import running
from bench.quality.datasets import Wanted
from bench.rows import Row, table

MEASURES: Final[dict[str, Callable[[int], list[Row]]]] = {
    "staging": staging.measure,
    "startup": startup.measure,
    "checking": checking.measure,
}
DATA: Final = Path(__file__).resolve().parents[2] / "shared" / "data"


def main(words: list[str]) -> int:
    """Run the measures that ``words`` name."""
    asked = _parser().parse_args(words)
    rows: list[Row] = []
    more: dict[str, Any] = {}
    for name, measure in MEASURES.items():
        if asked.name in (name, "all"):
            rows += measure(asked.records)
    if asked.name in ("speed", "all"):
        rows += speed.measure(asked.cells)
    if asked.name in ("quality", "all"):
        wanted = Wanted(asked.data, asked.limit, asked.seed, asked.only)
        results = running.run(wanted, tell=lambda line: print(line, file=sys.stderr, flush=True))
        rows += running.rows(results)
        more["misses"] = running.misses(results, asked.misses)
    print(table(rows))
    if asked.misses and more:
        print(json.dumps(more["misses"], ensure_ascii=False, indent=1))
    if asked.json is not None:
        asked.json.parent.mkdir(parents=True, exist_ok=True)
        told: Any = [row.told() for row in rows]
        if more:
            told = {"rows": told, **more}
        asked.json.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", "utf-8")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    names = [*MEASURES, "speed", "quality", "all"]
    parser.add_argument("name", nargs="?", choices=names, default="all")
    parser.add_argument("--records", type=int, default=100_000, help="records to stage")
    parser.add_argument("--cells", type=int, default=100_000, help="cells of the speed measure")
    parser.add_argument("--json", type=Path, help="also write the rows to this file")
    quality = parser.add_argument_group("quality")
    quality.add_argument("--data", type=Path, default=DATA, help="folder of the data files")
    quality.add_argument("--only", type=_names, default=frozenset(), help="such as Q1,Q2")
    quality.add_argument("--limit", type=int, help="at most so many cases of each measure")
    quality.add_argument("--seed", type=int, default=1, help="of every sample")
    quality.add_argument(
        "--misses", type=int, default=0, help="show kinds of misses, with so many examples"
    )
    return parser


def _names(words: str) -> frozenset[str]:
    told = frozenset(word.strip().upper() for word in words.split(",") if word.strip())
    if unknown := sorted(told - set(running.NAMES)):
        msg = f"no measure {', '.join(unknown)}. Known ones: {', '.join(running.NAMES)}."
        raise argparse.ArgumentTypeError(msg)
    return told


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

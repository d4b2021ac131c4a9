"""Runs one measure, or all of them, and prints a table; ``--json`` also writes the rows."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

from bench import (
    checking,
    compare_forget,
    door,
    forgetting,
    speed,
    staging,
    startup,
    strength,
)
from bench.quality import model_baselines, model_reading, overlap_curve, running
from bench.quality.datasets import Wanted
from bench.quality.figures import Result
from bench.rows import Row, table

MEASURES: Final[dict[str, Callable[[int], list[Row]]]] = {
    "staging": staging.measure,
    "startup": startup.measure,
    "checking": checking.measure,
}
OVER_CELLS: Final[dict[str, Callable[[int], list[Row]]]] = {
    "speed": speed.measure,
}
DATA: Final = Path(__file__).resolve().parents[2] / "shared" / "data"


def main(words: list[str]) -> int:
    """Run the measures that ``words`` name."""
    asked = _parser().parse_args(words)
    rows: list[Row] = []
    more: dict[str, Any] = {}
    over_cells = OVER_CELLS | {"door": partial(door.measure, kept=asked.keep)}
    for measures, many in ((MEASURES, asked.records), (over_cells, asked.cells)):
        for name in measures:
            if asked.name in (name, "all"):
                rows += measures[name](many)
    rows += _forgetting(asked)
    if asked.name in ("strength", "all"):
        rows += _strength(asked, more)
    if asked.name in ("quality", "all"):
        wanted = Wanted(asked.data or DATA, asked.limit, asked.seed, asked.only)
        results, read = _quality(wanted, asked)
        rows += running.rows(results) + read
        more["misses"] = running.misses(results, asked.misses)
        if asked.curve is not None and "Q11" in results:
            _write(asked.curve, _curve(results["Q11"], asked.seed))
    print(table(rows))
    if asked.misses and more:
        print(json.dumps(more["misses"], ensure_ascii=False, indent=1))
    if asked.json is not None:
        told: Any = [row.told() for row in rows]
        if more:
            told = {"rows": told, **more}
        _write(asked.json, told)
    return 0


def _forgetting(asked: argparse.Namespace) -> list[Row]:
    """P6, the store on a server, the comparison with Mem0: only where they are named."""
    if asked.name == "postgres":
        from bench import team_store  # its library is there where somebody wants it

        return team_store.measure(asked.cells, asked.database)
    if asked.name == "forget":
        return forgetting.measure(asked.cells, asked.derivatives)
    if asked.name != "compare-forget":
        return []
    print(compare_forget.NOTE)
    return compare_forget.measure(asked.mem0_python)


def _quality(wanted: Wanted, asked: argparse.Namespace) -> tuple[dict[str, Result], list[Row]]:
    """The quality measures, read by the grammar or through a model; of the latter what it took."""

    def tell(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    if asked.parser != "model":
        return running.run(wanted, tell=tell), []
    chosen = model_reading.Chosen(asked.recorded, asked.live, asked.model, asked.tokens)
    with model_reading.through(chosen) as told:
        results = running.run(wanted, tell=tell)
        more = []
        if not wanted.only or "Q11" in wanted.only:
            more = model_baselines.rows(wanted, told)
        return results, [*more, *told.rows()]


def _strength(asked: argparse.Namespace, more: dict[str, Any]) -> list[Row]:
    """S1 over the pairs of this project, or over a file of pairs that is named."""
    alone = asked.name == "strength"
    files = (asked.data,) if alone and asked.data is not None else strength.FILES
    if alone and asked.misses:
        more["misses"] = strength.misses(files, asked.part, asked.misses)
    return strength.measure(files, asked.part)


def _curve(result: Result, seed: int) -> Any:  # noqa: ANN401 - JSON
    return overlap_curve.as_curve(result, seed=seed, day=f"{datetime.now(tz=UTC):%Y-%m-%d}")


def _write(path: Path, told: Any) -> None:  # noqa: ANN401 - JSON
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", "utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    alone = ("door", "postgres", "forget", "compare-forget", "strength", "quality", "all")
    names = [*MEASURES, *OVER_CELLS, *alone]
    parser.add_argument("name", nargs="?", choices=names, default="all")
    parser.add_argument("--records", type=int, default=100_000, help="records to stage")
    parser.add_argument("--cells", type=int, default=100_000, help="cells of the speed measure")
    kept = "folder for the store of the door measure, which stays and is measured again"
    parser.add_argument("--keep", type=Path, help=kept)
    derived = "records derived of the subject that is forgotten, of the forget measure"
    parser.add_argument("--derivatives", type=int, default=10_000, help=derived)
    other = "an interpreter that has mem0ai, for compare-forget; it is no part of this program"
    parser.add_argument("--mem0-python", type=Path, help=other)
    where = "how to connect to a PostgreSQL database, of the postgres measure"
    parser.add_argument("--database", default="service=memory", help=where)
    parser.add_argument("--json", type=Path, help="also write the rows to this file")
    quality = parser.add_argument_group("quality")
    told = "folder of the data files; of strength, a file of pairs"
    quality.add_argument("--data", type=Path, help=told)
    quality.add_argument(
        "--part", choices=strength.PARTS, default="all", help="of the pairs of strength"
    )
    quality.add_argument(
        "--parser", choices=("grammar", "model"), default="grammar", help="who reads facts"
    )
    recorded = "replies of the model, one a line; what is not in it is asked and added"
    quality.add_argument("--recorded", type=Path, help=recorded)
    quality.add_argument("--live", action="store_true", help="ask the real service, which costs")
    quality.add_argument("--model", default=model_reading.STUB_MODEL, help="of a live run")
    budget = "budget of a live run, input and output together"
    quality.add_argument("--tokens", type=int, default=1_000_000, help=budget)
    quality.add_argument("--only", type=_names, default=frozenset(), help="such as Q1,Q2")
    quality.add_argument("--limit", type=int, help="at most so many cases of each measure")
    quality.add_argument("--curve", type=Path, help="also write the curve of Q11 to this file")
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

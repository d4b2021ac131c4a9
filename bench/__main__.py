"""Runs one measure, or all of them, and prints a table; ``--json`` also writes the rows."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from bench import checking, staging, startup
from bench.rows import Row, table

MEASURES: Final[dict[str, Callable[[int], list[Row]]]] = {
    "staging": staging.measure,
    "startup": startup.measure,
    "checking": checking.measure,
}


def main(words: list[str]) -> int:
    """Run the measures that ``words`` name."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("name", nargs="?", choices=[*MEASURES, "all"], default="all")
    parser.add_argument("--records", type=int, default=100_000, help="records to stage")
    parser.add_argument("--json", type=Path, help="also write the rows to this file")
    asked = parser.parse_args(words)
    rows: list[Row] = []
    for name, measure in MEASURES.items():
        if asked.name in (name, "all"):
            rows += measure(asked.records)
    print(table(rows))
    if asked.json is not None:
        asked.json.parent.mkdir(parents=True, exist_ok=True)
        asked.json.write_text(json.dumps([row.told() for row in rows], indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

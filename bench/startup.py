"""P9: how long the command line takes to say what it can do, and to load the console."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

from bench.rows import Row


def measure(_records: int, runs: int = 5) -> list[Row]:
    """Medians over ``runs`` runs, in seconds; the baseline is an interpreter that does nothing."""
    command = str(Path(sys.executable).parent / "memory-console")
    empty = _median([sys.executable, "-c", "pass"], runs)
    helped = _median([command, "--help"], runs)
    console = _median([sys.executable, "-c", "import streamlit, console.wiring"], runs)
    return [
        Row("P9", "memory-console --help", "seconds", helped, empty, "<= 0.4", helped <= 0.4),
        Row("P9", "console import", "seconds", console, empty, "<= 2.5", console <= 2.5),
    ]


def _median(words: list[str], runs: int) -> float:
    taken = []
    for _ in range(runs):
        started = time.perf_counter()
        subprocess.run(words, capture_output=True, check=True)
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)

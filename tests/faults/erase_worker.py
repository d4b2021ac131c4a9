"""Carries out the forget requests of a store and dies at one named point of it.

Run as ``python -m tests.faults.erase_worker STORE POINT``; with a number in place of a point it
dies after that many milliseconds, wherever it is then.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path

from store import forgetting
from store.duckdb_store import DuckDbStore
from store.erase_points import Point
from tests.store.forgotten import olga


def main(store_path: str, end: str) -> None:
    path = Path(store_path)
    store = DuckDbStore(path, trust=olga().root)
    if end.isdigit():
        threading.Thread(target=_later, args=(int(end),), daemon=True).start()

    def reached(point: Point) -> None:
        if str(point) == end:
            os.kill(os.getpid(), signal.SIGKILL)

    forgetting.carry_out(store, forgetting.pending(store), path.parent, reached=reached)


def _later(milliseconds: int) -> None:
    time.sleep(milliseconds / 1_000)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main(*sys.argv[1:])

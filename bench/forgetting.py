"""P6: forget one subject with many derivatives, the rewrite and the search of bytes included.

Each size is a fresh process over a workspace that another one filled, so that peak memory is of
the forgetting alone. The baseline is what it takes to copy the store's file and read it once, on
the same disk: nobody erases by rewriting for less.
"""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Final

from bench import forget_acts, forget_world
from bench.rows import Row

LIMIT: Final = 30.0
"""Seconds at a million cells."""

_TARGETED: Final = 1_000_000

_ROOT: Final = Path(__file__).resolve().parents[1]
_PIECE: Final = 1 << 20
_LOOK: Final = 0.05


def measure(cells: int, derivatives: int) -> list[Row]:
    """Rows for ``cells`` cells, of which ``derivatives`` were derived of one subject's records."""
    with tempfile.TemporaryDirectory(prefix="memory-console-forget-") as folder:
        home = Path(folder) / "home"
        _apart("fill", home, cells, derivatives)
        (store,) = home.glob("stores/*/store.duckdb")
        size = store.stat().st_size / 2**20
        bare = _copied(store, Path(folder) / "copy")
        told = _apart("forget", home, cells, derivatives)
    name = f"{cells:,} cells, {derivatives:,} derivatives"
    seconds, at_limit = told["run"], cells == _TARGETED
    whole = told["rows"] >= told["records"] and told["status"] == "completed"
    clean = whole and told["left"] == 0
    target, holds = (f"<= {LIMIT:g}", seconds <= LIMIT) if at_limit else ("", None)
    steps = [
        Row("P6", name, f"of it {step}, s", took, None, "", None)
        for step, took in told["steps"].items()
    ]
    return [
        Row("P6", name, "forget, s", seconds, bare, target, holds, told["rows"]),
        Row("P6", name, "of it processor time, s", told["cpu"], None, "", None),
        *steps,
        Row("P6", name, "preview before it, s", told["preview"], None, "", None),
        Row("P6", name, "spellings looked for", told["patterns"], None, "", None),
        Row("P6", name, "canaries found afterwards", told["left"], None, "0", clean, told["rows"]),
        Row("P6", name, "store before, after, MiB", size, told["after"], "", None),
        Row("P6", name, "free disk needed, MiB", told["disk"], size, "", None),
        Row("P6", name, "peak memory, MiB", told["peak"], told["peak_before"], "", None),
    ]


def fill(home: Path, cells: int, derivatives: int) -> dict[str, Any]:
    """Fill a workspace for ``forget``."""
    forget_world.filled(home, cells, derivatives)
    return {}


def forget(home: Path, _cells: int, derivatives: int) -> dict[str, Any]:
    """Forget the subject of a filled workspace; figures of it."""
    world = forget_world.opened(home, derivatives)
    path = world.store.path
    assert path is not None
    before, cpu = _peak(), time.process_time()
    with _Watched(path.parent) as disk:
        done = forget_acts.forget(world)
    cpu = time.process_time() - cpu
    searched = done.report.location("store")
    return {
        "preview": done.preview,
        "run": done.run,
        "steps": done.steps,
        "cpu": cpu,
        "rows": done.rows,
        "records": len(world.items),
        "patterns": 0 if searched is None else searched.evidence.patterns,
        "status": done.report.outcome,
        "left": forget_acts.grep(world),
        "after": path.stat().st_size / 2**20,
        "disk": disk.most / 2**20,
        "peak": _peak(),
        "peak_before": before,
    }


class _Watched:
    """The most that a folder grew by, in bytes, as seen every few milliseconds."""

    def __init__(self, folder: Path) -> None:
        self.most = 0
        self._folder, self._end = folder, threading.Event()
        self._start = self._size()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> _Watched:
        self._thread.start()
        return self

    def __exit__(self, *_raised: object) -> None:
        self._end.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._end.wait(_LOOK):
            self.most = max(self.most, self._size() - self._start)

    def _size(self) -> int:
        size, seen = 0, set[int]()
        for path in self._folder.iterdir():
            try:
                found = path.stat()
            except OSError:
                continue
            if found.st_ino not in seen:  # the old file has two names for a moment
                seen.add(found.st_ino)
                size += found.st_blocks * 512
        return size


def _copied(source: Path, target: Path) -> float:
    """Seconds to copy a file and to read the copy once."""
    started = time.perf_counter()
    shutil.copyfile(source, target)
    with target.open("rb") as file:
        while file.read(_PIECE):
            pass
    took = time.perf_counter() - started
    target.unlink()
    return took


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _apart(what: str, home: Path, cells: int, derivatives: int) -> dict[str, Any]:
    words = [sys.executable, "-m", "bench.forgetting", what, str(home), str(cells)]
    found = subprocess.run(
        [*words, str(derivatives)], cwd=_ROOT, capture_output=True, text=True, check=False
    )
    if found.returncode:
        raise RuntimeError(found.stderr)
    told: dict[str, Any] = json.loads(found.stdout.splitlines()[-1])
    return told


if __name__ == "__main__":
    ACT, HOME, CELLS, DERIVATIVES = sys.argv[1:]
    work = {"fill": fill, "forget": forget}[ACT]
    print(json.dumps(work(Path(HOME), int(CELLS), int(DERIVATIVES))))

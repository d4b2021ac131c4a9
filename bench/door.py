"""P1 and P5 through the agent's door: publish, verify, recall and explain over many cells.

Cells are those of the speed measure; they come in by import, staging and signatures, are published
into a folder, and are read by the door's own code: in this process, and by a real MCP client over
standard input and output of the real process. A recall includes its record in the spool. P5 is the
explanation of a recorded recall, which reads what was recorded and computes nothing.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeVar

import anyio
from mcp import Client, StdioServerParameters

from bench.generated import made, questions
from bench.quality.public_path import PROCESS, REVIEWER, Cell, World
from bench.rows import Row
from console import doors
from console.agent_acts import Acts
from console.agent_wiring import acts_of
from console.doors import Door
from review.person import Person
from review.placing import Writer
from review.publishing import Publishing
from review.read_rules import Purpose
from store.shelf import Shelf
from store.snapshot_tables import PARAMETERS

_NOW: Final = datetime(2026, 3, 10, 12, tzinfo=UTC)
_LIMITS: Final = {10_000: 15.0, 100_000: 40.0, 1_000_000: 150.0}
_REPLAY: Final = 300.0
_Given = TypeVar("_Given")
_SLICE: Final = 10_000
"""Cells of one import."""


def measure(count: int) -> list[Row]:
    """Rows for ``count`` cells."""
    with tempfile.TemporaryDirectory(prefix="memory-console-door-") as folder:
        return _measured(Path(folder), count)


def _measured(home: Path, count: int) -> list[Row]:
    world = World()
    cells = [Cell(one.source_id, one.claim, one.written_at) for one in made(count)]
    for start in range(0, count, _SLICE):
        world.learn(cells[start : start + _SLICE], name=f"bench-{start}.jsonl")
    tenant, root = world.store.tenant_id, world.root()
    key = world.store.standing().keys[REVIEWER]
    door = Door(
        doors.folder_of(home, "bench"),
        id="d-bench",
        tenant=tenant,
        purpose=Purpose.TASK,
        root=key.fingerprint,
    )
    doors.make(door)
    shelf = Shelf(door.published, root=root, texts={PARAMETERS: b""})
    chance = random.Random(7).randbytes
    writer = Writer(PROCESS, lambda: _NOW, chance)
    publishing = Publishing(world.store, Person(REVIEWER, "Bench"), writer, shelf)
    took, _ = _timed(lambda: publishing.publish(world.sign))
    size = sum(path.stat().st_size for path in door.published.iterdir()) / 2**20
    name = f"{count:,} cells, through the door"
    rows = [
        Row("P1", name, "publish, s", took, None, "", None),
        Row("P1", name, "snapshot, MiB", size, None, "", None),
    ]
    acts = acts_of(door, clock=lambda: datetime.now(tz=UTC), chance=os.urandom)
    verify, _ = _timed(acts.snapshot.doorway)
    columns, _ = _timed(acts.warm)
    rows += [
        Row("P1", name, "open and verify, s", verify, None, "", None),
        Row("P1", name, "columns and words, s", columns, None, "", None),
    ]
    asked = questions(count)
    rows += _inside(acts, asked, name, _LIMITS.get(count))
    anyio.run(_over_stdio, home, asked, name, rows)
    return rows


def _inside(acts: Acts, asked: Sequence[str], name: str, limit: float | None) -> list[Row]:
    """The acts called in this process."""
    moment = _NOW.isoformat()
    recalls = [acts.recall(asked[0], moment)["recall"]]
    times, told = [], []
    for text in asked:
        took, recall = _timed(lambda text=text: acts.recall(text, moment))  # type: ignore[misc]
        times.append(1000 * took)
        recalls.append(recall["recall"])
    for one in recalls:
        took, _ = _timed(lambda one=one: acts.explain(one))  # type: ignore[misc]
        told.append(1000 * took)
    p95, target = _p95(times), "" if limit is None else f"<= {limit:g}"
    holds = None if limit is None else p95 <= limit
    replay = _p95(told)
    return [
        Row("P1", name, "recall and record, ms p95", p95, None, target, holds, len(times)),
        Row("P1", name, "recall, ms median", statistics.median(times), None, "", None, len(times)),
        Row("P5", name, "explain, ms p95", replay, None, "<= 300", replay <= _REPLAY, len(told)),
    ]


async def _over_stdio(home: Path, asked: Sequence[str], name: str, rows: list[Row]) -> None:
    """The same by a client of another process; the first recall waits until it is ready."""
    words = ["-c", "from console.cli import main; main()", "agent", "run", "bench"]
    told = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    environment = {**told, "MEMORY_CONSOLE_HOME": str(home)}
    server = StdioServerParameters(command=sys.executable, args=words, env=environment)
    moment = _NOW.isoformat()
    started, ready, times = time.perf_counter(), 0.0, []
    async with Client(server, read_timeout_seconds=600) as client:
        for n, text in enumerate([asked[0], *asked]):
            began = time.perf_counter()
            found = await client.call_tool("recall", {"question": text, "asked_at": moment})
            assert not found.is_error, found
            if n == 0:
                ready = time.perf_counter() - started
            else:
                times.append(1000 * (time.perf_counter() - began))
    rows += [
        Row("P1", name, "start to first recall over stdio, s", ready, None, "", None),
        Row("P1", name, "recall over stdio, ms p95", _p95(times), None, "", None, len(times)),
        Row("P1", name, "recall over stdio, ms median", statistics.median(times), None, "", None),
    ]


def _timed(work: Callable[[], _Given]) -> tuple[float, _Given]:
    """Seconds that ``work`` took, and what it gave."""
    started = time.perf_counter()
    found = work()
    return time.perf_counter() - started, found


def _p95(times: Sequence[float]) -> float:
    return statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0]

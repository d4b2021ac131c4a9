"""P1 and P5 through the agent's door: publish, verify, recall and explain over many cells.

Cells are made as ``bench.filling`` says, are published into a folder, and are read by the door's
own code: in this process, and by a real MCP client over standard input and output of the real
process, whose memory is told. A recall includes its record in the spool. P5 is the explanation of
a recorded recall, which reads what was recorded and computes nothing, and ``bench.replaying``.
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

from bench import filling, replaying
from bench.generated import questions
from bench.quality.public_path import PROCESS, REVIEWER
from bench.rows import Row
from console import doors
from console.agent_acts import Acts
from console.agent_wiring import acts_of
from console.doors import Door, NoSuchDoorError
from review.person import Person
from review.publishing import Publishing
from review.read_rules import Purpose
from review.staged.placing import Writer
from store.shelf import Shelf
from store.snapshot_tables import PARAMETERS

_NOW: Final = datetime(2026, 3, 10, 12, tzinfo=UTC)
_LIMITS: Final = {10_000: 15.0, 100_000: 40.0, 1_000_000: 150.0}
_REPLAY: Final = 300.0
_DOOR: Final = "bench"
_Given = TypeVar("_Given")


def measure(count: int, kept: Path | None = None) -> list[Row]:
    """Rows for ``count`` cells.

    Args:
        count: How many cells.
        kept: A folder for the store, which stays; one that is there is measured again.
    """
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        return _measured(kept, count)
    with tempfile.TemporaryDirectory(prefix="memory-console-door-") as folder:
        return _measured(Path(folder), count)


def _measured(home: Path, count: int) -> list[Row]:
    made = filling.filled(home, count)
    world, name = made.world, f"{made.durable:,} cells, through the door"
    rows = [
        Row("P1", f"{name}: {filling.HOW}", measure, value, None, "", None)
        for measure, value in (
            ("staging them, s", made.staging),
            ("signing them, s", made.signing),
            ("judging every signature again, s", made.standing),
        )
        if value is not None
    ]
    door = _door(home, world.store.tenant_id, world.store.standing().keys[REVIEWER].fingerprint)
    shelf = Shelf(door.published, root=world.root(), texts={PARAMETERS: b""})
    writer = Writer(PROCESS, lambda: _NOW, random.Random(7).randbytes)
    publishing = Publishing(world.store, Person(REVIEWER, "Bench"), writer, shelf)
    took, _ = _timed(lambda: publishing.publish(world.sign))
    size = sum(path.stat().st_size for path in door.published.iterdir()) / 2**20
    rows += [
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
    acts.snapshot.close()
    anyio.run(_over_stdio, home, asked, name, rows)
    rows += replaying.measured(world, asked, f"{made.durable:,} cells")
    return rows


def _door(home: Path, tenant: str, root: str) -> Door:
    try:
        return doors.read(home, _DOOR)
    except NoSuchDoorError:
        door = Door(
            doors.folder_of(home, _DOOR),
            id="d-bench",
            tenant=tenant,
            purpose=Purpose.TASK,
            root=root,
        )
        doors.make(door)
        return door


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
    words = ["-c", "from console.cli import main; main()", "agent", "run", _DOOR]
    told = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    environment = {**told, "MEMORY_CONSOLE_HOME": str(home)}
    server = StdioServerParameters(command=sys.executable, args=words, env=environment)
    moment = _NOW.isoformat()
    started, ready, times = time.perf_counter(), 0.0, []
    memory = 0.0
    async with Client(server, read_timeout_seconds=3600) as client:
        for n, text in enumerate([asked[0], *asked]):
            began = time.perf_counter()
            found = await client.call_tool("recall", {"question": text, "asked_at": moment})
            assert not found.is_error, found
            if n == 0:
                ready = time.perf_counter() - started
            else:
                times.append(1000 * (time.perf_counter() - began))
        memory = _peak_of_children()
    rows += [
        Row("P1", name, "peak memory of the door's process, MiB", memory, None, "", None),
        Row("P1", name, "start to first recall over stdio, s", ready, None, "", None),
        Row("P1", name, "recall over stdio, ms p95", _p95(times), None, "", None, len(times)),
        Row("P1", name, "recall over stdio, ms median", statistics.median(times), None, "", None),
    ]


def _peak_of_children() -> float:
    """MiB that the largest child of this process ever held, as Linux tells it; 0 elsewhere."""
    peaks = [0.0]
    for told in Path("/proc/self/task").glob("*/children"):
        for child in told.read_text("ascii").split():
            status = Path("/proc", child, "status").read_text("utf-8")
            peaks += [
                int(line.split()[1]) / 1024
                for line in status.splitlines()
                if line.startswith("VmHWM:")
            ]
    return max(peaks)


def _timed(work: Callable[[], _Given]) -> tuple[float, _Given]:
    """Seconds that ``work`` took, and what it gave."""
    started = time.perf_counter()
    found = work()
    return time.perf_counter() - started, found


def _p95(times: Sequence[float]) -> float:
    return statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0]

"""P3: stage a generated Mem0 export through importer, policy, secrets, digests and log.

The path is the command line's own. The baseline is the same bytes parsed with ``json`` and loaded
into a bare DuckDB table, with nothing judged, digested or chained. Each side is a fresh process,
so that peak memory is its own.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final
from uuid import UUID

from bench.rows import Row

WORDS: Final = (
    *("warehouse", "carrier", "Tuesday", "prefers", "limit", "budget", "report", "meeting"),
    *("jackets", "shop", "winter", "summer", "channel", "delivery", "client", "склад"),
    *("доставка", "клиент", "заказ", "оплата", "зима", "лето", "договор", "директор"),
)

_STAGE: Final = """
import resource, sys, time
from pathlib import Path
from console.wiring import new_workspace
from importers import catalogue, source
workspace = new_workspace(Path(sys.argv[2]))
desk = workspace.desk(workspace.settings.tenant())
started = time.perf_counter()
receipt = desk.stage(catalogue.open_reading(source.from_path(Path(sys.argv[1]))))
seconds = time.perf_counter() - started
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(receipt.read, seconds, peak)
"""

_BARE: Final = """
import json, resource, sys, time
import duckdb, pandas
started = time.perf_counter()
rows = json.load(open(sys.argv[1], encoding="utf-8"))["results"]
frame = pandas.DataFrame(rows)
frame["metadata"] = frame["metadata"].map(json.dumps)
with duckdb.connect(sys.argv[2] + ".bare") as connection:
    connection.register("frame", frame)
    connection.execute("create table memory as select * from frame")
seconds = time.perf_counter() - started
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(len(rows), seconds, peak)
"""


def export(path: Path, records: int, seed: int = 1) -> None:
    """Write a Mem0 ``get_all`` export with so many made-up records of 14 words."""
    rng = random.Random(seed)
    with path.open("w", encoding="utf-8") as file:
        file.write('{"results":[')
        for n in range(records):
            row = {
                "id": str(UUID(int=rng.getrandbits(128), version=4)),
                "memory": f"{' '.join(rng.choices(WORDS, k=14))} {n}",
                "hash": f"{rng.getrandbits(128):032x}",
                "metadata": {"category": "work"},
                "created_at": "2026-11-01T10:00:00.123456+00:00",
                "updated_at": "2026-11-02T10:00:00.123456+00:00",
                "user_id": f"user-{n % 50}",
                "role": "user",
            }
            file.write(("," if n else "") + json.dumps(row, ensure_ascii=False))
        file.write("]}")


def measure(records: int) -> list[Row]:
    """Records per second and peak memory in MiB, for ``records`` records and for a tenth."""
    rows: list[Row] = []
    peaks: dict[int, float] = {}
    for size in (records // 10, records):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "export.json"
            export(path, size)
            speed, peak = _run(_STAGE, path, Path(folder) / "home")
            bare, bare_peak = _run(_BARE, path, Path(folder) / "home")
        peaks[size] = peak
        name = f"{size} Mem0 records"
        rows += [
            Row("P3", name, "records/s", speed, bare, ">= 10000", speed >= 10_000),
            Row("P3", name, "ratio to baseline", speed / bare, 1.0, "", None),
            Row("P3", name, "peak MiB", peak, bare_peak, "<= 1536", peak <= 1536),
        ]
    growth = peaks[records] / peaks[records // 10]
    rows.append(
        Row("P3", "10x records", "peak memory growth", growth, None, "<= 1.5", growth <= 1.5)
    )
    return rows


def _run(script: str, path: Path, home: Path) -> tuple[float, float]:
    found = subprocess.run(
        [sys.executable, "-c", script, str(path), str(home)],
        capture_output=True,
        text=True,
        check=True,
    )
    read, seconds, peak = (float(word) for word in found.stdout.split()[-3:])
    return read / seconds, peak

"""P7: verify a whole store from its raw bytes."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from bench.rows import Row
from bench.staging import export
from console.wiring import new_workspace
from importers import catalogue, source
from store.verify import verify


def measure(records: int) -> list[Row]:
    """Records verified per second, against reading the same rows and doing nothing."""
    import duckdb

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "export.json"
        export(path, records)
        workspace = new_workspace(Path(folder) / "home")
        tenant = workspace.settings.tenant()
        workspace.desk(tenant).stage(catalogue.open_reading(source.from_path(path)))
        store = workspace.store_path(tenant)
        started = time.perf_counter()
        report = verify(store, root=None)
        seconds = time.perf_counter() - started
        started = time.perf_counter()
        with duckdb.connect(str(store), read_only=True) as connection:
            for table in ("log_leaf", "vault_payload"):
                rows = connection.execute(f"select * from {table}")
                while rows.fetchmany(5_000):
                    pass
        bare = time.perf_counter() - started
    whole = report.exit_code == 0
    return [
        Row("P7", f"{records} records", "records/s", records / seconds, records / bare, "", whole),
        Row("P7", f"{records} records", "seconds", seconds, bare, "", whole),
    ]

"""Exports one rule and dies at one named point of it.

Run as ``python -m tests.bundles.export_worker HOME POINT``. The key is made from a fixed seed.
"""

from __future__ import annotations

import os
import signal
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from console.bundles.exporting import Folders
from console.bundles.writing import Point
from console.signing import Unlocked
from store.duckdb_store import DuckDbStore
from tests.bundles.told import World, trust_of
from tests.conftest import Reviewer

UNTIL = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)


def olga() -> Reviewer:
    """The same reviewer in every process."""
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    return Reviewer("r-olga", Unlocked(key, now=UNTIL))


def opened(home: Path) -> tuple[Folders, Path]:
    """What a worker left: its folders, and the file of its store."""
    path = home / "stores" / "tenant-1" / "store.duckdb"
    store = DuckDbStore(path, trust=olga().root)
    return Folders(home, store, lambda: trust_of(olga())), path


def main(home: str, end: str) -> None:
    world = World(Path(home), olga(), on_disk=True)

    def reached(point: Point) -> None:
        if str(point) == end:
            os.kill(os.getpid(), signal.SIGKILL)

    world.export(world.told(exported_by="r-olga"), reached=reached)


if __name__ == "__main__":
    main(*sys.argv[1:])

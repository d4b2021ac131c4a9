"""Restores a backup, and is killed on the way.

Run as ``python -m tests.faults.restore_worker BACKUP STORE``; it says "ready" when it begins.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

from store import restoring
from store.restoring import Moment
from tests.store.forgotten import olga

NOON = datetime(2026, 3, 12, 12, 0, tzinfo=UTC)


def main(backup: str, store: str) -> None:
    trust = olga().root
    print("ready", flush=True)
    restoring.restore(Path(backup), Path(store), trust=trust, moment=Moment(NOON, "p-test"))


if __name__ == "__main__":
    main(*sys.argv[1:])

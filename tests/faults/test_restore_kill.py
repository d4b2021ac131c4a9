"""kill -9 at any moment of a restore: there is no store yet, or one that has forgotten again."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from store import backups, forget_listing, restoring
from store.duckdb_store import DuckDbStore
from store.restoring import Moment
from store.verify import Verdict, verify
from tests.faults.restore_worker import NOON
from tests.store.forgotten import a_store, contents_of, forget, olga

ROOT = Path(__file__).resolve().parents[2]


def killed(backup, store, seconds):
    command = [sys.executable, "-m", "tests.faults.restore_worker", str(backup), str(store)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as child:
        assert child.stdout.readline() == "ready\n"
        time.sleep(seconds)
        child.send_signal(signal.SIGKILL)
    return child.returncode == -signal.SIGKILL


@pytest.mark.faults
def test_a_killed_restore_leaves_no_store_or_one_that_has_forgotten(tmp_path, request):
    rounds = max(3, request.config.getoption("--fault-rounds") // 10)
    gone = {f"gone-{n}": f"canary {n} канарейка сидит тихо" for n in range(20)}
    stays = {f"stays-{n}": f"an ordinary sentence, number {n}" for n in range(200)}
    path = tmp_path / "t" / "store.duckdb"
    store = a_store(path, olga(), gone, stays)
    day = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
    backup = tmp_path / "b"
    backups.write(store, backup, backup="b", delete_by=date(2026, 4, 1), now=day, process="p-test")
    store.append(forget(store, olga(), *gone))
    forget_listing.keep(store)
    contents = contents_of(store, *gone)
    path.unlink()
    rng, cut = random.Random(4), 0
    for n in range(rounds):
        cut += killed(backup, path, rng.uniform(0.0, 0.6))
        if path.exists():
            fresh = DuckDbStore(path, trust=olga().root)
            assert fresh.payloads(contents) == {}, f"round {n}"
            assert not [text for text in gone.values() if text.encode() in path.read_bytes()]
            path.unlink()
    assert cut
    told = restoring.restore(backup, path, trust=olga().root, moment=Moment(NOON, "p-test"))
    assert (told.requests, told.contents) == (1, 60)
    assert {one.name for one in path.parent.iterdir()} == {"store.duckdb", "store.duckdb.forgets"}
    report = verify(path, root=olga().root)
    assert not [one for one in report.lines if one.verdict == Verdict.FAIL]

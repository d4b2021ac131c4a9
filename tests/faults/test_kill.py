"""kill -9 at any moment of an import or a signing: nothing acknowledged is lost or half."""

from __future__ import annotations

import random
import signal
import threading
import time
from pathlib import Path

import pytest

from store.drafts import DraftBook
from store.duckdb_store import DuckDbStore
from store.stages import Stage
from store.verify import Verdict, verify
from tests.conftest import created
from tests.faults import worker
from tests.faults.worker import reviewer
from tests.forked import Forked


def killed(path: Path, drafts: Path, seed: int) -> list[str]:
    """Run a worker, kill it at a random moment, and return what it was told.

    The moment is after it is ready, or after its first import or signing was acknowledged: on a
    slow machine it would otherwise be killed before there is anything to lose.
    """
    begun = ("ready", "ready", "staged", "decided")[seed % 4]
    ready = threading.Event()

    def heard(line: str) -> None:
        if line.startswith(begun):
            ready.set()

    child = Forked(worker.main, str(path), str(drafts), seed, heard=heard)
    assert ready.wait(120), child.lines
    time.sleep(random.Random(seed).uniform(0.05, 1.5))
    child.kill()
    assert child.ended() == -signal.SIGKILL, child.lines
    return [line for line in child.lines if line.endswith("\n")]


@pytest.mark.faults
def test_nothing_acknowledged_is_lost_by_kill_9(tmp_path, request):
    rounds, irina = request.config.getoption("--fault-rounds"), reviewer()
    path, drafts = tmp_path / "store.duckdb", tmp_path / "drafts" / "r-1.json"
    DuckDbStore.create(
        path, store_id="s", tenant_id="t", key=bytes(32), first=created(), trust=irina.root
    )
    staged: set[str] = set()
    decided: set[str] = set()
    for seed in range(rounds):
        for line in killed(path, drafts, seed):
            word, *items = line.split()
            if word == "staged":
                staged.update(items)
            elif word == "decided":
                decided.update(items)
        store = DuckDbStore(path, trust=irina.root)
        present = {row["item"] for row in store.rows("select item from proj_item")}
        standing = store.standing()
        assert staged <= present, f"seed {seed}: an acknowledged import is gone"
        for item in decided:
            assert standing.stage_of(item, 1) == Stage.DURABLE, f"seed {seed}: {item}"
        DraftBook(drafts).all()
        report = verify(path, root=irina.root)
        wrong = [line for line in report.lines if line.verdict == Verdict.FAIL]
        assert not wrong, f"seed {seed}: {wrong}"
    assert len(staged) > rounds
    assert decided
    print(
        f"{rounds} kills, {len(staged)} records and {len(decided)} decisions acknowledged, 0 lost"
    )

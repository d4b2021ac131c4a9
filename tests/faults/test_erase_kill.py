"""kill -9 at every named point of an erasure: it goes on, and nothing erased is ever served."""

from __future__ import annotations

import random
import shutil
import signal
from pathlib import Path

import pytest

from store import forgetting, scanning
from store.duckdb_store import DuckDbStore
from store.erase_points import Point
from store.events import EventType
from store.scans import ScanStatus
from store.stages import Stage
from store.verify import Verdict, verify
from tests.contract.staged import decide, verdict
from tests.faults import erase_worker
from tests.forked import Forked
from tests.store.forgotten import a_store, contents_of, ended, forget, olga

SEEDS = 3
FEW = (Point.BEGUN, Point.ATTACHED, Point.SYNCED, Point.REPLACED, Point.OVERWRITTEN)
"""Where it is killed alone by default, beside five in a row; everywhere with ``make faults``."""


class World:
    """A store with a signed request over some of its items, and the bytes that have to go."""

    def __init__(self, folder: Path, seed: int) -> None:
        rng = random.Random(seed)
        self.path = folder / "store.duckdb"
        texts = {f"gone-{n}": f"canary {rng.randbytes(8).hex()} сидит" for n in range(20)}
        others = {f"stays-{n}": f"a sentence {n} that stays {seed}" for n in range(60 + 90 * seed)}
        store = a_store(self.path, olga(), others, texts, seed=seed)
        store.append(decide(store, olga(), verdict(store, "gone-0"), verdict(store, "stays-0")))
        self.gone = contents_of(store, *texts)
        self.texts = self.gone[::3]  # of three contents of an item the first is its text
        self.kept = contents_of(store, *others)
        self.needles = forgetting.sought(list(store.payloads(self.gone).values()))
        self.items = tuple(texts)
        store.append(forget(store, olga(), *texts))


def pytest_generate_tests(metafunc):
    """One seed and a few points by default, three seeds and all points with ``make faults``."""
    many = metafunc.config.getoption("--fault-rounds") >= 100
    if "world" in metafunc.fixturenames:
        metafunc.parametrize("world", range(SEEDS if many else 1), indirect=True, scope="module")
    if "point" in metafunc.fixturenames:
        metafunc.parametrize("point", Point if many else FEW)


@pytest.fixture(scope="module")
def world(request, tmp_path_factory):
    return World(tmp_path_factory.mktemp(f"seed{request.param}"), request.param)


def killed(path, end):
    worker = Forked(erase_worker.main, str(path), str(end))
    code = worker.ended()
    assert code in (-signal.SIGKILL, 0), worker.lines
    return code


def served(store, world):
    """What any reader can still get of what was erased."""
    texts = store.rows("select commitment from vault_payload")
    standing = store.standing()
    return (
        set(store.payloads(world.gone))
        | ({row["commitment"] for row in texts} & set(world.gone))
        | {item for item in world.items if standing.stage_of(item, 1) != Stage.ERASED}
    )


def goes_on(world, path, where):
    """Open what was left, look at it, and carry it out to the end."""
    store = DuckDbStore(path, trust=olga().root)
    assert not served(store, world), f"{where}: something erased is served"
    assert store.standing().stage_of("stays-0", 1) == Stage.DURABLE
    assert len(store.payloads(world.kept)) == len(world.kept), where
    left = {one.name for one in path.parent.iterdir()}
    assert left <= {"store.duckdb", "store.duckdb.forgets"}, f"{where}: {left}"
    half = verify(path, root=olga().root)
    assert not [one for one in half.lines if one.verdict == Verdict.FAIL], where
    (request,) = forgetting.pending(store)
    done = forgetting.carry_out(store, [request], path.parent)
    scan = scanning.scan(
        path.parent,
        world.needles,
        controls={"store.duckdb": forgetting.staying(store)},
        kept=forgetting.kept(store),
    )
    assert (scan.status, scan.hits) == (ScanStatus.CLEAN, 0), where
    found = {done.scan.status_of(one) for one in world.texts}
    assert found in ({ScanStatus.CLEAN}, {ScanStatus.INCONCLUSIVE}), where
    store.append(ended(EventType.FORGET_COMPLETED, request.forget, erased=len(world.gone)))
    report = verify(path, root=olga().root)
    wrong = [one for one in report.lines if one.verdict in (Verdict.FAIL, Verdict.INCONCLUSIVE)]
    assert not wrong, f"{where}: {wrong}"
    assert not served(store, world), where
    assert len(list(path.parent.iterdir())) == 2, where
    return found


@pytest.mark.faults
def test_killed_at_a_named_point_it_goes_on_and_serves_nothing_erased(world, tmp_path, point):
    path = tmp_path / "store.duckdb"
    shutil.copyfile(world.path, path)
    assert killed(path, point) == -signal.SIGKILL
    found = goes_on(world, path, point)
    late = list(Point).index(point) >= list(Point).index(Point.REPLACED)
    # Once the old file is gone nobody knows their bytes any more, and nothing is claimed of them.
    assert found == {ScanStatus.INCONCLUSIVE if late else ScanStatus.CLEAN}


@pytest.mark.faults
def test_killed_at_any_moment_it_goes_on_and_serves_nothing_erased(world, tmp_path, request):
    rounds = max(2, request.config.getoption("--fault-rounds") // 6)
    rng, ends = random.Random(len(world.kept)), 0
    for n in range(rounds):
        path = tmp_path / f"{n}" / "store.duckdb"
        path.parent.mkdir()
        shutil.copyfile(world.path, path)
        ends += killed(path, rng.randint(1, 120)) != 0
        goes_on(world, path, f"round {n}")
    assert ends


@pytest.mark.faults
def test_killed_again_while_it_goes_on(world, tmp_path):
    path = tmp_path / "store.duckdb"
    shutil.copyfile(world.path, path)
    for point in (Point.COPIED, Point.REPLACED, Point.LINKED, Point.SETTLED, Point.CHECKED):
        assert killed(path, point) == -signal.SIGKILL
    goes_on(world, path, "five kills")

"""kill -9 at every named point of a forget run: it goes on, and nothing in scope is served."""

from __future__ import annotations

import random
import shutil
import signal
from pathlib import Path

import pytest

from console import signing
from console.forget.files import ground
from console.wiring import open_workspace
from review.forget.run_points import RunPoint
from review.forget.running import NothingToForgetError
from review.forget.scope import Scope
from store.stages import Stage
from store.verify import Verdict, verify
from tests.console.agents import Firm, cell
from tests.console.forget_worlds import bytes_with, made_from
from tests.faults import forget_worker
from tests.faults.forget_worker import PASSPHRASE
from tests.forked import Forked

FEW = (RunPoint.KEPT, RunPoint.PART_SIGNED, RunPoint.GUARDED, RunPoint.REPLACED, RunPoint.REPORTED)
"""Where it is killed by default; all fourteen points, over three seeds, with ``make faults``."""


class World:
    """A workspace with a subject to forget, a derivative with two sources, and a snapshot."""

    def __init__(self, folder: Path, seed: int) -> None:
        rng = random.Random(seed)
        self.mark = rng.randbytes(8).hex()
        (firm,) = Firm.founded(folder, "acme")
        told = [
            cell(f"canary {self.mark} sits on branch {n}", n, scope={"user": "ana"})
            for n in range(4 + seed)
        ]
        stays = cell("a sentence that stays where it is", 90)
        items = firm.learn(*told[:2], stays)
        items += firm.stage(*told[2:])
        mixed = firm.learn(cell("a thing said of both of them", 91, **made_from(0, 90)))
        firm.door("bot")
        firm.publish()
        self.home, self.mixed = folder, mixed[0]
        self.gone = [one for one in items if one != items[2]]
        self.stays = items[2]


def pytest_generate_tests(metafunc):
    many = metafunc.config.getoption("--fault-rounds") >= 100
    if "world" in metafunc.fixturenames:
        metafunc.parametrize("world", range(3 if many else 1), indirect=True, scope="module")
    if "point" in metafunc.fixturenames:
        metafunc.parametrize("point", RunPoint if many else FEW)


@pytest.fixture(scope="module")
def world(request, tmp_path_factory):
    return World(tmp_path_factory.mktemp(f"seed{request.param}") / "w", request.param)


def killed(home, end):
    worker = Forked(forget_worker.main, str(home), "ana", str(end))
    code = worker.ended()
    assert code in (-signal.SIGKILL, 0), worker.lines
    return code


def opened(home):
    place = open_workspace(home)
    tenant = place.settings.tenants[0]
    return place, tenant, ground(place, tenant, place.desk(tenant))


def served(desk, world):
    """What of the scope is still handed out."""
    rows = desk.store.rows("select body from vault_payload")
    texts = "\n".join(bytes(row["body"]).decode("utf-8", "replace") for row in rows)
    standing = desk.standing()
    durable = {item for item, _rev, _digest in standing.durable()}
    return world.mark in texts, durable & {*world.gone, world.mixed}


@pytest.mark.faults
def test_killed_at_a_named_point_it_goes_on_and_serves_nothing_in_scope(world, tmp_path, point):
    home = shutil.copytree(world.home, tmp_path / "w")
    assert killed(home, point) == -signal.SIGKILL
    place, tenant, desk = opened(home)
    begun = desk.forget.unfinished()
    if point in (RunPoint.KEPT, RunPoint.WITHDRAWN):
        assert begun == ()  # nothing was signed: the request is made again
        assert served(desk, world)[0]
    else:
        assert len(begun) == 1
        assert served(desk, world) == (False, set()), "in scope, and served"
    key = signing.unlock(place.key_path(place.settings.reviewer), PASSPHRASE, now=place.clock())

    def sign(statements):
        return key.sign(statements, now=key._until)

    if begun:
        report = desk.forget.resume(begun[0], sign)
    else:
        plan = desk.forget.plan(Scope(subject="ana"))
        report = desk.forget.run(
            Scope(subject="ana"), desk.forget.token(plan), sign, typed=plan.typed
        )
    assert report.outcome == "completed"
    assert {row.id for row in report.rows if row.bucket == "erased"} >= set(world.gone)
    assert all(row.gone == row.contents for row in report.rows)
    standing = desk.standing()
    assert {standing.stage_of(one, 1) for one in world.gone} == {Stage.ERASED}
    assert standing.stage_of(world.stays, 1) == Stage.DURABLE
    assert standing.stage_of(world.mixed, 1) == Stage.STAGED
    assert bytes_with(home, world.mark.encode()) == set()
    assert served(desk, world) == (False, set())
    assert desk.forget.unfinished() == ()
    told = verify(place.store_path(tenant), root=place.root)
    assert [line.name for line in told.lines if line.verdict == Verdict.FAIL] == []
    shown = desk.forget.token(desk.forget.plan(Scope(subject="ana")))
    with pytest.raises(NothingToForgetError):
        desk.forget.run(Scope(subject="ana"), shown, sign, typed=1)


@pytest.mark.faults
def test_killed_five_times_in_a_row_it_still_ends(world, tmp_path):
    home = shutil.copytree(world.home, tmp_path / "w")
    for point in (RunPoint.PART_SIGNED, RunPoint.GUARDED, RunPoint.COPIED, RunPoint.TAKEN_AWAY):
        assert killed(home, point) == -signal.SIGKILL
    assert killed(home, "none") == 0
    _place, _tenant, desk = opened(home)
    assert desk.forget.unfinished() == ()
    assert bytes_with(home, world.mark.encode()) == set()
    (report,) = desk.forget.reports()
    assert report.outcome == "completed"

"""One forget request in a bench's workspace, by the product's own path: preview, run, report.

What is timed is what a person waits for after the passphrase, step by step, and the preview before
it: the plan is made again when it is run, and counts there too.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bench.forget_world import MARK, SUBJECT, ForgetWorld
from console.forget.files import Files
from review.forget.report import Report
from review.forget.run_points import RunPoint
from review.forget.scope import Scope
from store.statements import SignedStatement

_PIECE: Final = 1 << 24
_STEPS: Final = {
    "planning": (None, RunPoint.KEPT),
    "signing": (RunPoint.KEPT, RunPoint.SIGNED),
    "guarding": (RunPoint.SIGNED, RunPoint.GUARDED),
    "rewriting": (RunPoint.GUARDED, RunPoint.REWRITTEN),
    "searching": (RunPoint.REWRITTEN, RunPoint.LOOKED),
    "reporting": (RunPoint.LOOKED, None),
}
"""Steps of a run, from one point to another; None is its beginning or its end."""


@dataclass(frozen=True, slots=True)
class Forgot:
    """What one request did, and how many seconds each step took."""

    preview: float
    run: float
    steps: dict[str, float]
    rows: int
    """Rows that were to be erased."""

    report: Report


def forget(world: ForgetWorld) -> Forgot:
    """Have the subject forgotten, with all that was derived of it."""
    desk = world.place.desk(world.tenant)
    reached: dict[RunPoint, float] = {}

    def watch(point: RunPoint) -> None:
        reached.setdefault(point, time.perf_counter())

    def sign(statements: Sequence[bytes]) -> Sequence[SignedStatement]:
        return world.key.sign(statements, now=world.place.clock())

    desk.forget.stand_on(Files(world.place, world.tenant, desk, world.store), watch)
    scope = Scope(subject=SUBJECT)
    begun = time.perf_counter()
    plan = desk.forget.plan(scope)
    token = desk.forget.token(plan)
    started = time.perf_counter()
    report = desk.forget.run(scope, token, sign, typed=plan.typed)
    ended = time.perf_counter()
    steps = {
        name: _at(reached, last, ended) - _at(reached, first, started)
        for name, (first, last) in _STEPS.items()
    }
    return Forgot(started - begun, ended - started, steps, plan.typed, report)


def _at(reached: dict[RunPoint, float], point: RunPoint | None, otherwise: float) -> float:
    return otherwise if point is None else reached[point]


def grep(world: ForgetWorld) -> int:
    """How often the mark of the canaries stands in all files, by a plain search."""
    mark, found = MARK.encode("ascii"), 0
    for path in sorted(world.place.home.rglob("*")):
        if path.is_file():
            tail = b""
            with path.open("rb") as file:
                while piece := file.read(_PIECE):
                    found += (tail + piece).count(mark)
                    tail = piece[-len(mark) + 1 :]
    return found

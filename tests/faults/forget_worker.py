"""Runs or goes on with a forget request of a workspace, and dies at one named point of it.

Run as ``python -m tests.faults.forget_worker HOME SUBJECT POINT``: with a request under way it
goes on with that. The key is opened with the passphrase of the test workspaces.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from console import signing
from console.forget.files import Files, ground
from console.wiring import open_workspace
from review.forget.run_points import RunPoint
from review.forget.scope import Scope

PASSPHRASE = "correct horse battery"


def main(home: str, subject: str, end: str) -> None:
    place = open_workspace(Path(home))
    tenant = place.settings.tenants[0]
    key = signing.unlock(
        place.key_path(place.settings.reviewer or ""), PASSPHRASE, now=place.clock()
    )

    def watch(point: RunPoint) -> None:
        if str(point) == end:
            os.kill(os.getpid(), signal.SIGKILL)

    def sign(statements):
        return key.sign(statements, now=key._until)

    desk = ground(place, tenant, place.desk(tenant))
    desk.forget.stand_on(Files(place, tenant, desk, desk.store), watch)
    unfinished = desk.forget.unfinished()
    if unfinished:
        desk.forget.resume(unfinished[0], sign)
        return
    scope = Scope(subject=subject)
    plan = desk.forget.plan(scope)
    desk.forget.run(scope, desk.forget.token(plan), sign, typed=plan.typed)


if __name__ == "__main__":
    main(*sys.argv[1:])

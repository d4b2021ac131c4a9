"""Jobs over throw-away workspaces: begun in processes of their own, or done in this one."""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
import time
from functools import cache
from pathlib import Path

from console import identity
from console.job_starting import Jobs
from console.jobs import Asked, Job
from console.wiring import new_workspace, open_workspace
from tests.console.test_cli import environment, quick
from tests.console.test_cli_import import MIXED, line, written

PATIENCE = 180
TENANTS = ("acme", "beta")


def jobs_in(home: Path, tenant: str = "acme") -> Jobs:
    return Jobs(
        home,
        open_workspace(home).settings.tenant(tenant).id,
        clock=identity.now,
        chance=identity.chance,
        environment=environment(home),
    )


def begun(jobs: Jobs, *paths: Path, verbatim: bool = False) -> Job:
    job = jobs.new([Asked(path.name, str(path)) for path in paths], verbatim=verbatim)
    jobs.start(job)
    return job


def ended(jobs: Jobs, job: Job) -> Job:
    until = time.monotonic() + PATIENCE
    while (now := jobs.read(job.id)).open:
        assert time.monotonic() < until, now
        time.sleep(0.1)
    return now


def done(home: Path, *paths: Path) -> Job:
    """The job of an import in front, which is done in this process. Each of them is the newest."""
    told = json.loads(quick(home, "import", *map(str, paths), "--json").stdout)
    return jobs_in(home).read(told["job"])


def desk_in(home: Path, tenant: str = "acme"):
    place = open_workspace(home)
    return place.desk(place.settings.tenant(tenant))


def big(
    folder: Path, count: int, name: str = "big.jsonl", *, first: int = 0, blank: int = 0
) -> Path:
    """``count`` records, and ``blank`` more that hold nothing and take half the time."""
    lines = [line(n) for n in range(first, first + count)]
    return written(folder, [*lines, *(line(n, claim="") for n in range(blank))], name)


@cache
def home_of_a_job() -> Path:
    """A workspace with one job over ``MIXED`` that has ended. Copy it to change it."""
    folder = Path(tempfile.mkdtemp(prefix="jobs-for-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    home = new_workspace(folder / "home", tenants=TENANTS).home
    jobs = jobs_in(home)
    ended(jobs, begun(jobs, written(folder, MIXED)))
    return home

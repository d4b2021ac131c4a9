"""Jobs over throw-away workspaces: begun in processes of their own, or done in this one."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time
from functools import cache
from pathlib import Path
from types import SimpleNamespace

from console import identity, job_starting
from console.entry import work
from console.job_files import JobFiles
from console.job_running import Running
from console.job_starting import Jobs
from console.job_stopping import Stop
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


class WorkHere:
    """Takes the place of new processes: what they would do is done here, when it is waited for.

    Starting Python takes longer than a small import. That a job has a process of its own, which
    can be stopped and killed, is tried in ``test_jobs``, and from a page in
    ``test_pages_importing``.
    """

    def __init__(self, monkeypatch) -> None:
        self._begun: list[tuple[Path, str, str, int]] = []
        self._over = threading.Event()
        told = SimpleNamespace(Popen=self._popen, DEVNULL=subprocess.DEVNULL)
        monkeypatch.setattr(job_starting, "subprocess", told)

    def _popen(self, words, *, env, pass_fds, **_more) -> SimpleNamespace:
        (handle,) = pass_fds
        job, tenant = words[-3:-1]
        self._begun.append((Path(env["MEMORY_CONSOLE_HOME"]), job, tenant, os.dup(handle)))
        return SimpleNamespace(wait=self._over.wait)

    def finish(self) -> None:
        """Do what was begun, as the process of a job does it."""
        while self._begun:
            home, job, tenant, handle = self._begun.pop(0)
            files = JobFiles(home)
            running = Running(
                files.read(job, tenant),
                files,
                clock=identity.now,
                stop=Stop(),
                explain=work._sentence,
            )

            def desk(home=home, tenant=tenant):
                place = open_workspace(home)
                return place.desk(place.settings.tenant(tenant))

            try:
                with contextlib.suppress(Exception):  # the job says what happened
                    running.run(desk, pid=os.getpid())
            finally:
                os.close(handle)
        self._over.set()

    def ended(self, jobs: Jobs, job: Job) -> Job:
        """The job, done."""
        self.finish()
        return ended(jobs, job)


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

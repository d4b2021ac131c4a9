"""The jobs of one tenant, for a page or a command: begin, look, stop, take up again, put away.

A job works in a process of its own, which goes on when the page is closed or the console ends.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from console.job_files import JobBusyError, JobFiles
from console.job_words import AGAIN, JobState, PartState
from console.jobs import Asked, Job
from review import secrets
from review.identities import Chance, Clock, new_id, stamp

_BOOT: Final = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from console.entry import work; sys.exit(work.main(*sys.argv[2:]))"
)


class NothingToDoError(RuntimeError):
    """A job has ended in a way that leaves nothing to take up again."""

    def __init__(self, job: str) -> None:
        """Say what to do."""
        super().__init__(
            f"{job} has ended and leaves nothing to take up. Nothing was started. "
            "Import the files again to read them anew."
        )


class Jobs:
    """The jobs of one tenant in one workspace."""

    def __init__(
        self,
        home: Path,
        tenant: str,
        *,
        clock: Clock,
        chance: Chance,
        environment: Mapping[str, str],
    ) -> None:
        """Prepare; ``environment`` is what a working process is given."""
        self.files = JobFiles(home)
        self.home, self.tenant = home, tenant
        self._clock, self._chance = clock, chance
        self._environment = {**environment, "MEMORY_CONSOLE_HOME": str(home.resolve())}

    def new(self, sources: Sequence[Asked], *, verbatim: bool) -> Job:
        """A job that has not begun and is not kept yet. Secrets in names are masked."""
        now = self._clock()
        for asked in sources:
            asked.name = secrets.mask(asked.name)[0]
        return Job(
            id=f"job-{new_id(now, self._chance(10))}",
            tenant=self.tenant,
            created_at=stamp(now),
            sources=list(sources),
            verbatim=verbatim,
        )

    def upload(self, files: Sequence[tuple[Asked, bytes]], *, verbatim: bool) -> Job:
        """Begin to import what was uploaded, in the background."""
        job = self.new([asked for asked, _ in files], verbatim=verbatim)
        job.uploaded = True
        for number, (asked, content) in enumerate(files):
            asked.path = str(self.files.keep_upload(job.id, number, content))
        self.start(job)
        return job

    def start(self, job: Job) -> None:
        """Begin a job, or take it up again, in a process of its own.

        Raises:
            JobBusyError: If a process works on it.
        """
        handle = self.files.lock(job.id)
        try:
            job.state, job.pid, job.put_away = JobState.QUEUED, 0, False
            self.files.ask_to_stop(job.id, wanted=False)
            self.files.write(job)
            where = str(Path(__file__).resolve().parents[1])
            worker = subprocess.Popen(
                [sys.executable, "-P", "-c", _BOOT, where, job.id, job.tenant, str(handle)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=self._environment,
                cwd="/",
                pass_fds=(handle,),
                start_new_session=True,
            )
        finally:
            os.close(handle)
        threading.Thread(target=worker.wait, daemon=True).start()

    def again(self, job: str) -> Job:
        """Take up a job that was interrupted or stopped, or that failed.

        Raises:
            NoSuchJobError: If there is none.
            JobBusyError: If a process works on it.
            NothingToDoError: If nothing of it is left to be read.
        """
        found = self.read(job)
        if found.open:
            raise JobBusyError(job)
        if not can_go_on(found):
            raise NothingToDoError(job)
        self.start(found)
        return found

    def read(self, job: str) -> Job:
        """The job called ``job``.

        Raises:
            NoSuchJobError: If this tenant has none of that name.
        """
        return self.files.read(job, self.tenant)

    def all(self, *, most: int | None = None) -> list[Job]:
        """The tenant's jobs, newest first. Uploads that were left behind are deleted."""
        self.files.sweep(self._clock())
        return self.files.all(self.tenant, most=most)

    def stop(self, job: str) -> Job:
        """Ask a job to stop between two batches; one that has ended is left as it is.

        A process that is plainly its worker gets a signal; any other finds the word that is left.

        Raises:
            NoSuchJobError: If there is none.
        """
        found = self.read(job)
        if found.open:
            self.files.ask_to_stop(job)
            found = self.read(job)
            if found.open and _works_on(found.pid, job):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(found.pid, signal.SIGTERM)
        return found

    def put_away(self, job: str) -> None:
        """Note that a person has seen what became of it. What was not read of it is let go.

        Raises:
            NoSuchJobError: If there is none.
            JobBusyError: If a process works on it.
        """
        handle = self.files.lock(job)
        try:
            found = self.read_ended(job)
            found.put_away = True
            self.files.drop_uploads(job)
            self.files.write(found)
        finally:
            os.close(handle)

    def read_ended(self, job: str) -> Job:
        """The job of which this process holds the lock, as it was left."""
        found = self.read(job)
        if found.open:
            found.state = JobState.INTERRUPTED
        return found


def _works_on(pid: int, job: str) -> bool:
    """Whether that process was started here for ``job``. The job's file alone is not believed."""
    if pid <= 1:
        return False
    try:
        told = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return job.encode() in told and _BOOT.encode() in told


def can_go_on(job: Job) -> bool:
    """Whether something of an ended job is left to be read."""
    if job.state not in AGAIN or (job.uploaded and job.put_away):
        return False
    over = (PartState.DONE, PartState.UNREADABLE) if job.uploaded else (PartState.DONE,)
    return not job.parts or any(part.state not in over for part in job.parts)

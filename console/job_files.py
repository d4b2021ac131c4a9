"""Where jobs are kept: a file each in the workspace, private, replaced in one step, erasable.

A lock that the working process holds says that it lives. The kernel takes it away with the
process, however that ends, so a job whose lock is free and which has not ended is interrupted.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from console import worker_locks
from console.job_checks import is_ours
from console.job_words import JobState
from console.jobs import Job

FOLDER: Final = "jobs"
_ID: Final = re.compile(r"job-[0-9A-HJKMNP-TV-Z]{26}")
_MOST_BYTES: Final = 64 * 1024 * 1024
"""Of one file of a job; 5,000 parts with all their rows take less."""

_ORPHAN_AGE: Final = 600.0
"""Seconds before uploads without a job count as left behind: one may be coming in."""

_LOOK: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Job)


class NoSuchJobError(LookupError):
    """A job that is not there, or is another tenant's: the two look the same."""

    def __init__(self) -> None:
        """Say the same in both cases."""
        super().__init__("No such job. See memory-console jobs.")


class JobBusyError(RuntimeError):
    """Another process works on this job."""

    def __init__(self, job: str) -> None:
        """Say what to do."""
        super().__init__(
            f"{job} is running in another process. Nothing was changed. "
            f"Look at it with: memory-console jobs {job}"
        )


class JobFiles:
    """The jobs of one workspace."""

    def __init__(self, home: Path) -> None:
        """Keep them in ``jobs`` of the workspace ``home``; nothing is made yet."""
        self._folder = home / FOLDER

    def write(self, job: Job) -> None:
        """Keep ``job`` as it is now, in the place of what was kept of it."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self._path(job.id, ".json")
        fresh = path.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        with open(fresh, "wb", opener=_private) as file:
            file.write(_ENCODER.encode(job))
            file.flush()
            if not job.open:
                os.fsync(file.fileno())
        os.replace(fresh, path)

    def read(self, job: str, tenant: str) -> Job:
        """The job called ``job``.

        Raises:
            NoSuchJobError: If there is none for this tenant.
        """
        found = self._read(job)
        if found is None or found.tenant != tenant:
            raise NoSuchJobError
        if found.open and not self.lives(job):
            # It may have ended between the two looks.
            found = self._read(job) or found
            if found.open:
                found.state = JobState.INTERRUPTED
        return found

    def all(self, tenant: str, *, most: int | None = None) -> list[Job]:
        """The tenant's jobs, newest first."""
        found: list[Job] = []
        for name in sorted(self._names(), reverse=True):
            if most is not None and len(found) >= most:
                break
            with contextlib.suppress(NoSuchJobError):
                found.append(self.read(name, tenant))
        return found

    def lives(self, job: str) -> bool:
        """Whether a process works on it, or is being started to."""
        return worker_locks.held(self._path(job, ".lock"))

    def lock(self, job: str) -> int:
        """A descriptor that makes this process, or one that inherits it, the worker.

        Raises:
            JobBusyError: If there is another one.
        """
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = worker_locks.take(self._path(job, ".lock"))
        if handle is None:
            raise JobBusyError(job)
        return handle

    def keep_upload(self, job: str, number: int, content: bytes | memoryview) -> Path:
        """Keep an uploaded file until it is read."""
        folder = self._path(job)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder / str(number)
        with open(path, "wb", opener=_private) as file:
            file.write(content)
        return path

    def drop_upload(self, job: str, path: str) -> None:
        """Delete an upload that was read; a file that is not one is left alone."""
        found = Path(path)
        if found.parent == self._path(job):
            found.unlink(missing_ok=True)
            with contextlib.suppress(OSError):
                found.parent.rmdir()

    def drop_uploads(self, job: str) -> None:
        """Delete all uploads of a job that were not read."""
        shutil.rmtree(self._path(job), ignore_errors=True)

    def sweep(self, now: datetime) -> None:
        """Delete uploads of which there is no job: it was never begun, or only half erased."""
        with contextlib.suppress(OSError):
            for entry in os.scandir(self._folder):
                if (
                    _ID.fullmatch(entry.name)
                    and entry.is_dir(follow_symlinks=False)
                    and not os.path.lexists(self._path(entry.name, ".json"))
                    and now.timestamp() - entry.stat(follow_symlinks=False).st_mtime > _ORPHAN_AGE
                    and not self.lives(entry.name)
                ):
                    self.drop_uploads(entry.name)

    def errors(self, job: str) -> Path:
        """Where the list of its records that failed or were refused is, if there is one."""
        return self._path(job, ".errors.jsonl")

    def add_errors(self, job: str, lines: Iterable[str]) -> None:
        """Add to that list."""
        with open(self.errors(job), "a", encoding="ascii", opener=_private) as file:
            file.writelines(f"{line}\n" for line in lines)

    def ask_to_stop(self, job: str, *, wanted: bool = True) -> None:
        """Leave word that it should stop, for a process that is not ready for signals yet."""
        path = self._path(job, ".stop")
        if wanted:
            with contextlib.suppress(FileExistsError):  # whatever it is, it says so already
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        else:
            path.unlink(missing_ok=True)

    def stop_asked(self, job: str) -> bool:
        """Whether somebody left that word."""
        return os.path.lexists(self._path(job, ".stop"))

    def erase(self, job: Job) -> None:
        """Remove everything that is kept of a job that has ended. The store is not touched.

        Raises:
            JobBusyError: If a process works on it.
        """
        handle = self.lock(job.id)
        try:
            for path in (self._path(job.id, ".json"), self.errors(job.id)):
                path.unlink(missing_ok=True)
            self._path(job.id, ".stop").unlink(missing_ok=True)
            self.drop_uploads(job.id)
            self._path(job.id, ".lock").unlink(missing_ok=True)
        finally:
            os.close(handle)

    def _names(self) -> Iterator[str]:
        if self._folder.is_dir():
            for path in self._folder.glob("job-*.json"):
                if _ID.fullmatch(path.stem):
                    yield path.stem

    def _read(self, job: str) -> Job | None:
        """What the file says; None if there is none, or it is none of ours."""
        if _ID.fullmatch(job) is None:
            return None
        try:
            found = _DECODER.decode(_content(self._path(job, ".json")))
        except (OSError, msgspec.DecodeError, ValueError, RecursionError):
            return None
        return found if is_ours(found, job, self._path(job)) else None

    def _path(self, job: str, ending: str = "") -> Path:
        if _ID.fullmatch(job) is None:
            raise NoSuchJobError
        return self._folder / f"{job}{ending}"


def _content(path: Path) -> bytes:
    """The bytes of a regular file.

    Raises:
        OSError: If it is not there, or is anything else: a pipe, a folder, a link.
    """
    with open(os.open(path, _LOOK), "rb") as file:
        told = os.fstat(file.fileno())
        if not stat.S_ISREG(told.st_mode) or told.st_size > _MOST_BYTES:
            raise FileNotFoundError(path)
        return file.read()


def _private(name: str, flags: int) -> int:
    # A pipe or a link that waits at our place is not written to, nor waited for.
    return os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o600)

"""What became of a writer's own batches: from its spool and its receipts, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from store import whole_files
from store.spool import BatchKind, Spool

RECENT: Final = 20
"""Jobs that are looked at when notices are made, the newest."""

_TOLD: Final = "told.json"
_KEPT: Final = 1_000
_LEFT: Final = ("nothing_extracted", "parse_failed", "refused")


class NoSuchJobError(LookupError):
    """There is no such job of this writer."""

    def __init__(self) -> None:
        """Say the same for a job of somebody else."""
        super().__init__("No such job of this writer.")


class DoorJobs:
    """The jobs of one door."""

    def __init__(self, folder: Path, spool: Spool) -> None:
        """For the door that lives in ``folder``."""
        self._told, self._spool = folder / _TOLD, spool

    def job(self, job: str) -> dict[str, Any]:
        """One job.

        Raises:
            NoSuchJobError: If it is not one of this writer.
        """
        if job in self._waiting():
            return _unfinished(job)
        found = self._receipt(job)
        if found is None:
            raise NoSuchJobError
        return found

    def all(self, *, most: int = RECENT) -> list[dict[str, Any]]:
        """The newest jobs, the newest first."""
        jobs = {job: _unfinished(job) for job in self._waiting()}
        for job in reversed(self._spool.receipts()):
            if len(jobs) >= most:
                break
            found = self._receipt(job)
            if found is not None:
                jobs[job] = found
        return [jobs[job] for job in sorted(jobs, reverse=True)][:most]

    def notices(self, durable: Callable[[list[str]], set[str]]) -> list[dict[str, Any]]:
        """What this writer should know at its next recall.

        What is unfinished or waits for a person is said each time, among the newest jobs; what
        failed or gave nothing is said once.

        Args:
            durable: Which of some items may be recalled by now.
        """
        told, fresh = self._told_before(), []
        notices = []
        for job in self.all():
            if job["state"] == "waiting":
                notices.append({"about": "unfinished", "job": job["job"], "say": _UNFINISHED})
                continue
            notices += _of_people(job, durable)
            if job["job"] not in told and (left := _left(job)):
                notices.append(left)
                fresh.append(job["job"])
        if fresh:
            self._tell([*sorted(told), *fresh])
        return notices

    def _waiting(self) -> list[str]:
        return [one.id for one in self._spool.waiting() if one.kind in _KINDS]

    def _receipt(self, job: str) -> dict[str, Any] | None:
        try:
            told = json.loads(self._spool.receipt(job) or b"null")
        except (ValueError, RecursionError):
            return None
        return told if type(told) is dict and told.get("job") == job else None

    def _told_before(self) -> set[str]:
        try:
            return set(json.loads(self._told.read_bytes()))
        except (OSError, ValueError, TypeError, RecursionError):
            return set()

    def _tell(self, jobs: Iterable[str]) -> None:
        data = json.dumps(list(jobs)[-_KEPT:]).encode("ascii")
        whole_files.put(self._told, data, lasting=False)


_KINDS: Final = (BatchKind.STAGE, BatchKind.ANSWER)
_UNFINISHED: Final = (
    "This write was not taken in yet. It is not durable: nothing of it can be recalled until a "
    "person approves it."
)
_NOT_YET: Final = (
    "These were written and wait for a person. They are not durable yet and cannot be recalled."
)
_SAYS: Final = {
    "nothing_extracted": "Of these records nothing was extracted, and nothing was written.",
    "parse_failed": "These records could not be read. Nothing of them was written.",
    "refused": "These records were refused by the policy. Nothing of them was written.",
    "set_aside": "This write was no batch that can be taken in. Nothing of it was written.",
}


def _unfinished(job: str) -> dict[str, Any]:
    return {"job": job, "state": "waiting", "say": _UNFINISHED}


def _of_people(
    job: dict[str, Any], durable: Callable[[list[str]], set[str]]
) -> list[dict[str, Any]]:
    items = [one["id"] for one in job.get("records", ()) if one.get("outcome") == "written"]
    there = durable(items) if items else set()
    left = [item for item in items if item not in there]
    if not left:
        return []
    return [{"about": "not_durable_yet", "job": job["job"], "ids": left, "say": _NOT_YET}]


def _left(job: dict[str, Any]) -> dict[str, Any] | None:
    if job["state"] == "set_aside":
        return {"about": "failed", "job": job["job"], "say": _SAYS["set_aside"]}
    records = [one for one in job.get("records", ()) if one.get("outcome") in _LEFT]
    if not records:
        return None
    outcomes = sorted({str(one["outcome"]) for one in records})
    failed = outcomes != ["nothing_extracted"]
    return {
        "about": "failed" if failed else "empty",
        "job": job["job"],
        "records": records,
        "say": " ".join(_SAYS[outcome] for outcome in outcomes),
    }

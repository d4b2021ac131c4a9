"""What model help spends, counted before it is spent: one small file a day, numbers only.

A call is entered with the most it can take, under a lock, before it is made, and with what it took
when it ends. A call that was cut off so counts in full, and the budget is never passed, whichever
processes call. The file holds no word of what was asked.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from review.identities import Clock
from review.proposals.jobs import Failure
from review.proposals.protocol import ModelError

_HOW: Final = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_APPEND


@dataclass(frozen=True, slots=True)
class Spent:
    """What counts for one day."""

    tokens: int = 0
    micros: int = 0
    calls: int = 0


@dataclass(frozen=True, slots=True)
class Reserved:
    """A call that was entered and has not ended."""

    day: str
    call: int
    tokens: int
    micros: int


class Ledger:
    """The files of one workspace."""

    def __init__(self, folder: Path, clock: Clock, *, longest_call: float = 3_600) -> None:
        """``longest_call`` is how many seconds a call may take before it counts as cut off."""
        self._folder, self._clock = folder, clock
        self._longest = timedelta(seconds=longest_call)

    def spent(self) -> Spent:
        """What counts for today, calls that are under way in full."""
        path = self._path(self._day())
        return _sum(_lines(path)) if path.exists() else Spent()

    def reserve(self, key: str, most: Spent, *, tokens: int, micros: int | None) -> Reserved:
        """Enter a call before it is made.

        Args:
            key: What is asked, by its digest.
            most: What the call can take at most.
            tokens: Allowed for the day.
            micros: Allowed for the day; None is no budget in money.

        Raises:
            ModelError: If a budget would be passed, or another process asks the same now.
        """
        day = self._day()
        with self._locked(day) as (path, handle):
            lines = _lines(path)
            self._alone(lines, key)
            so_far = _sum(lines)
            if so_far.tokens + most.tokens > tokens:
                words = (
                    f"{so_far.tokens:,} of {tokens:,} tokens of today are spent, and this call "
                    f"may take {most.tokens:,}"
                )
                raise ModelError(Failure.BUDGET, words)
            if micros is not None and so_far.micros + most.micros > micros:
                words = (
                    f"{so_far.micros / 1e6:.4f} of {micros / 1e6:.4f} of today's money are spent, "
                    f"and this call may take {most.micros / 1e6:.4f}"
                )
                raise ModelError(Failure.BUDGET, words)
            call = sum("key" in line for line in lines) + 1
            told = {"call": call, "key": key, "pid": os.getpid(), "at": self._clock().isoformat()}
            _write(handle, told | {"tokens": most.tokens, "micros": most.micros})
        return Reserved(day, call, most.tokens, most.micros)

    def settle(self, reserved: Reserved, tokens: int, micros: int | None) -> None:
        """Enter what a call took in the end."""
        with self._locked(reserved.day) as (_, handle):
            _write(
                handle,
                {"ended": reserved.call, "tokens": tokens, "micros": micros or 0},
            )

    def _alone(self, lines: list[dict[str, Any]], key: str) -> None:
        ended = {line["ended"] for line in lines if "ended" in line}
        for line in lines:
            if line.get("key") != key or line["call"] in ended or not _alive(int(line["pid"])):
                continue
            if self._clock() - datetime.fromisoformat(line["at"]) < self._longest:
                raise ModelError(Failure.IN_PROGRESS, "the same is being asked now")

    def _day(self) -> str:
        return f"{self._clock().astimezone(UTC):%Y-%m-%d}"

    def _path(self, day: str) -> Path:
        return self._folder / f"spending-{day}.jsonl"

    @contextmanager
    def _locked(self, day: str) -> Iterator[tuple[Path, int]]:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self._path(day)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | _HOW, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield path, handle
        finally:
            os.close(handle)


def _write(handle: int, told: dict[str, Any]) -> None:
    """Write one line, behind a line of its own where the last one was cut off.

    Raises:
        ModelError: If the disk did not take all of it; the call may not be made then.
    """
    size = os.fstat(handle).st_size
    cut = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
    line = b"\n" * cut + json.dumps(told).encode("ascii") + b"\n"
    try:
        whole = os.write(handle, line) == len(line)
        os.fsync(handle)
    except OSError as error:
        raise ModelError(Failure.BUDGET, "what is spent cannot be written") from error
    if not whole:
        raise ModelError(Failure.BUDGET, "what is spent cannot be written")


def _lines(path: Path) -> list[dict[str, Any]]:
    """What stands in a file; a line that was cut off says nothing, and its call is not made."""
    found: list[dict[str, Any]] = []
    for line in path.read_bytes().split(b"\n"):
        with suppress(ValueError):
            told = json.loads(line)
            if isinstance(told, dict):
                found.append(told)
    return found


def _sum(lines: list[dict[str, Any]]) -> Spent:
    begun = {line["call"]: line for line in lines if "key" in line}
    taken = begun | {line["ended"]: line for line in lines if "ended" in line}
    tokens = sum(int(line["tokens"]) for line in taken.values())
    return Spent(tokens, sum(int(line["micros"]) for line in taken.values()), len(begun))


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True

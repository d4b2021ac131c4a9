"""What model help spends, counted before it is spent: one small file a day, numbers only.

A call is entered with the most it can take, under a lock, before it is made, and with what it took
when it ends. A call that was cut off so counts in full, and the budget is never passed, whichever
processes call. The file holds no word of what was asked.

A day is what the clock says. One that goes back over midnight goes on with what that day had
spent, and the days beside it are looked at for the same being asked now.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import Any, Final

from console.model.spent_days import Day, Spent
from review.identities import Clock
from review.proposals.jobs import Failure
from review.proposals.protocol import ModelError

_KNOWN: Final = 8
"""Days that are kept in mind; the oldest look is let go first."""

_HOW: Final = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_APPEND


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
        self._days: dict[str, Day] = {}
        self._reading = Lock()

    def spent(self) -> Spent:
        """What counts for today, calls that are under way in full."""
        return self._read(self._day()).spent

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
        with self._locked(day) as handle:
            self._alone(day, key)
            so_far = self._read(day).spent
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
            call = so_far.calls + 1
            told = {"call": call, "key": key, "pid": os.getpid(), "at": self._clock().isoformat()}
            _write(handle, told | {"tokens": most.tokens, "micros": most.micros})
            _to_disk(handle)
        return Reserved(day, call, most.tokens, most.micros)

    def settle(self, reserved: Reserved, tokens: int, micros: int | None) -> None:
        """Enter what a call took in the end. Lost with the power, it counts in full."""
        with self._locked(reserved.day) as handle:
            _write(
                handle,
                {"ended": reserved.call, "tokens": tokens, "micros": micros or 0},
            )

    def _alone(self, day: str, key: str) -> None:
        """Refuse what another process asks now, also if it began on the other side of midnight."""
        now = self._clock()
        for beside in (-1, 0, 1):
            near = date.fromisoformat(day) + timedelta(days=beside)
            for line in self._read(near.isoformat()).under_way:
                if line["key"] != key or not _alive(int(line["pid"])):
                    continue
                # A moment that is far ahead was told by a clock that has been put right since.
                if abs(now - datetime.fromisoformat(line["at"])) < self._longest:
                    raise ModelError(Failure.IN_PROGRESS, "the same is being asked now")

    def _day(self) -> str:
        return f"{self._clock().astimezone(UTC):%Y-%m-%d}"

    def _path(self, day: str) -> Path:
        return self._folder / f"spending-{day}.jsonl"

    def _read(self, day: str) -> Day:
        """What is known of a day, with what was written since it was read last."""
        with self._reading:
            known = self._days.setdefault(day, Day(self._path(day)))
            for old in list(self._days)[:-_KNOWN]:
                del self._days[old]
            known.read_on()
            return known

    @contextmanager
    def _locked(self, day: str) -> Iterator[int]:
        """Hold the folder, so that two days are one matter, and open the file of a day."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with ExitStack() as open_:
            folder = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            open_.callback(os.close, folder)
            fcntl.flock(folder, fcntl.LOCK_EX)
            handle = os.open(self._path(day), os.O_RDWR | os.O_CREAT | _HOW, 0o600)
            open_.callback(os.close, handle)
            yield handle


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
    except OSError as error:
        raise ModelError(Failure.BUDGET, "what is spent cannot be written") from error
    if not whole:
        raise ModelError(Failure.BUDGET, "what is spent cannot be written")


def _to_disk(handle: int) -> None:
    try:
        os.fsync(handle)
    except OSError as error:
        raise ModelError(Failure.BUDGET, "what is spent cannot be written") from error


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True

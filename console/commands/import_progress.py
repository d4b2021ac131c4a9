"""Shows how far an import is, and lets Ctrl-C end it between two records, never inside a write."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType
from typing import TYPE_CHECKING, Final

from console import identity
from console.commands.telling import count, say

if TYPE_CHECKING:
    from store.records import Read, Reading, Remark

_EVERY: Final = 200
"""Records between two looks at the clock."""

_STOPPING: Final = b"Stopping after the batch that is being written. Again: break off.\n"

Watcher = Callable[[int, int], None]
"""Told how many bytes and how many records were read so far."""


class Stop:
    """Remembers that the person pressed Ctrl-C. A second press interrupts at once."""

    def __init__(self) -> None:
        self.asked = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take Ctrl-C as a request while this is open."""

        def pressed(_number: int, _frame: FrameType | None) -> None:
            if self.asked:
                raise KeyboardInterrupt
            self.asked = True
            os.write(2, _STOPPING)  # a signal may come in the middle of a buffered write

        before = signal.signal(signal.SIGINT, pressed)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


def watched(reading: Reading, watcher: Watcher, stop: Stop) -> Reading:
    """The same reading, telling ``watcher`` how far it is, and ending when asked to stop.

    A record stands for its own bytes; what lies between records counts as read with the last one.
    """
    return replace(reading, records=_records(reading, watcher, stop))


def _records(reading: Reading, watcher: Watcher, stop: Stop) -> Iterator[Read | Remark]:
    from store.records import Read

    done = records = 0
    for one in reading.records:
        if stop.asked:
            raise KeyboardInterrupt
        if isinstance(one, Read):
            records += 1
            done += len(one.raw)
            if records % _EVERY == 0:
                watcher(min(done, reading.origin.size), records)
        yield one
    watcher(reading.origin.size, records)


@contextmanager
def shown(total: int, *, terminal: bool, quiet: bool) -> Iterator[Watcher]:
    """A progress bar on a terminal; elsewhere one line for every tenth; nothing when quiet."""
    if quiet:
        yield lambda _done, _records: None
    elif terminal:
        with _bar(total) as watcher:
            yield watcher
    else:
        yield _tenths(total)


def _tenths(total: int) -> Watcher:
    told = 0

    def watcher(done: int, records: int) -> None:
        nonlocal told
        tenth = 10 if done >= total else 10 * done // total
        if tenth > told:
            told = tenth
            say(f"Read {tenth * 10} % ({count(records)} records)")

    return watcher


@contextmanager
def _bar(total: int) -> Iterator[Watcher]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
    from rich.progress import TimeRemainingColumn as Eta

    console = Console(stderr=True, no_color=identity.plain_terminal())
    rate = TextColumn("{task.fields[records]} records  {task.fields[rate]} records/s  ETA")
    columns = (TextColumn("Reading"), BarColumn(), TaskProgressColumn(), rate, Eta(compact=True))
    started = time.monotonic()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=max(total, 1), records="0", rate="0")

        def watcher(done: int, records: int) -> None:
            per_second = records / max(time.monotonic() - started, 0.001)
            bar.update(task, completed=done, records=count(records), rate=count(round(per_second)))

        yield watcher

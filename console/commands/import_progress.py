"""Shows how far an import is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from console import identity
from console.commands.telling import count, say

STOPPING: Final = b"Stopping after the batch that is being written. Again: break off.\n"

Watcher = Callable[[int, int], None]
"""Told how many bytes and how many records were read so far."""


@contextmanager
def shown(total: int, *, terminal: bool, quiet: bool) -> Iterator[Watcher]:
    """A progress bar on a terminal; elsewhere one line for every tenth; nothing when quiet."""
    if quiet:
        yield lambda _done, _records: None
    elif terminal:
        with _bar(total) as watcher:
            yield watcher
    else:
        yield tenths(total)


def tenths(total: int) -> Watcher:
    """Says a line whenever another tenth is behind it."""
    told = 0

    def watcher(done: int, records: int) -> None:
        nonlocal told
        tenth = 10 if done >= total else 10 * done // total
        if tenth > told:
            told = tenth
            noun = "record" if records == 1 else "records"
            say(f"Read {tenth * 10} % ({count(records)} {noun})")

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

"""Lets a signal end an import between two records, so that whole batches are in the store."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType
from typing import Final

from store.records import Read, Reading, Remark

_EVERY: Final = 200
"""Records between two looks at how far it is."""

Watcher = Callable[[int, int], None]
"""Told how many bytes and how many records were read so far."""


class StoppedError(Exception):
    """The import was asked to stop, and has."""


class Stop:
    """Remembers that somebody asked for an end. Asked again by Ctrl-C, it interrupts at once."""

    def __init__(self, *, said: bytes = b"") -> None:
        """Write ``said`` to standard error when it is asked for by Ctrl-C."""
        self.asked = False
        self._said = said

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take Ctrl-C and the request to end as a request to stop while this is open."""

        def asked(number: int, _frame: FrameType | None) -> None:
            if self.asked and number == signal.SIGINT:
                raise KeyboardInterrupt
            self.asked = True
            if number == signal.SIGINT and self._said:
                os.write(2, self._said)  # a signal may come in the middle of a buffered write

        before = {one: signal.signal(one, asked) for one in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)

    def check(self) -> None:
        """Go on.

        Raises:
            StoppedError: If somebody asked for an end.
        """
        if self.asked:
            raise StoppedError


def watched(reading: Reading, watcher: Watcher, stop: Stop) -> Reading:
    """The same reading, telling ``watcher`` how far it is, and ending when asked to stop.

    A record stands for its own bytes; what lies between records counts as read with the last one.
    The records of a run over many lines may be told more than once, so bytes never pass the size.
    """
    return replace(reading, records=_records(reading, watcher, stop))


def _records(reading: Reading, watcher: Watcher, stop: Stop) -> Iterator[Read | Remark]:
    done = records = 0
    for one in reading.records:
        stop.check()
        if isinstance(one, Read):
            records += 1
            done += len(one.raw)
            if records % _EVERY == 0:
                watcher(min(done, reading.origin.size), records)
        yield one
    watcher(reading.origin.size, records)

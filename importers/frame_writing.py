"""Writes records as frames into a pipe, many of one sort to a frame, in their order.

A record that has no form that can cross, such as one with half of a surrogate pair, becomes a
failed record at its place; its neighbours cross as they are.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from typing import Final

from importers import frames
from store.records import Failed, FailReason, Read, Remark
from store.trajectories import Trajectory

TOGETHER: Final = 200
"""Records in one frame, at most."""

ENDINGS: Final = frozenset({signal.SIGTERM, signal.SIGXCPU})
"""Signals that ask the process to send what it has and to end."""

_FULL: Final = 1 << 18
_PATIENCE: Final = 0.05
"""Seconds after which a record crosses even if few are ready."""

_KEPT: Final = 1_024


class FrameWriter:
    """Collects records and sends them. ``flush`` sends what is left."""

    def __init__(self, pipe: int) -> None:
        """Write into the descriptor ``pipe``, which blocks when its reader is slow."""
        self._pipe = pipe
        self._run: list[object] = []
        self._kind = 0
        self._weight = 0
        self._ready = bytearray()
        self._sent = 0.0  # the first record crosses at once

    def put(self, one: Read | Remark) -> None:
        """Add one record."""
        if isinstance(one, Remark):
            kind, weight, value = frames.RECORDS[Remark], 64, one
        else:
            kind = frames.RECORDS[type(one.found)]
            weight = _weight(one)
            value = (one.place, one.raw, one.found)  # type: ignore[assignment]
        if kind != self._kind or len(self._run) >= TOGETHER or self._weight > _FULL:
            self._close_run()
        self._kind = kind
        self._run.append(value)
        self._weight += weight
        if time.monotonic() - self._sent > _PATIENCE:
            self.flush()

    def say(self, kind: int, value: object) -> None:
        """Send one frame that is no record, after all records so far."""
        self._close_run()
        self._ready += frames.framed(kind, frames.encode(value))
        self.flush()

    def flush(self) -> None:
        """Send all that was put."""
        self._close_run()
        self._send()

    def _close_run(self) -> None:
        if not self._run:
            return
        made = _frame(self._kind, self._run)
        self._run, self._weight = [], 0
        self._ready += made
        if len(self._ready) > _FULL:
            self._send()

    def _send(self) -> None:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDINGS)  # no half frames
        try:
            left = memoryview(self._ready)
            while left:
                left = left[os.write(self._pipe, left) :]
            self._ready = bytearray()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        self._sent = time.monotonic()


def _weight(one: Read) -> int:
    """About how many bytes a record takes."""
    if isinstance(one.found, Trajectory):
        return len(one.raw) + sum(len(step.text) + 200 for step in one.found.steps)
    return 2 * len(one.raw) + 500


def _frame(kind: int, run: Sequence[object]) -> bytes:
    try:
        return frames.framed(kind, frames.encode(run))
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        if len(run) > 1:
            return b"".join(_frame(kind, [one]) for one in run)
        reason = FailReason.FIELD_INVALID
        if isinstance(error, frames.FrameError):
            reason = FailReason.TOO_LONG
        elif isinstance(error, UnicodeEncodeError):
            reason = FailReason.LONE_SURROGATE
        return _failed(run[0], reason)


def _failed(one: object, reason: FailReason) -> bytes:
    if not isinstance(one, tuple):  # a remark, which is made of our own words
        return b""
    place, raw, _ = one
    kept = (place, raw[:_KEPT] if reason is FailReason.TOO_LONG else raw, Failed(reason))
    kind = frames.RECORDS[Failed]
    try:
        return frames.framed(kind, frames.encode([kept]))
    except (ValueError, OverflowError):
        return frames.framed(kind, frames.encode([(type(place)(0, 0, 0), b"", Failed(reason))]))

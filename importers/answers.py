"""Listens to a reading process: bytes into frames, and no longer than the limits say."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Iterator
from typing import Final

from importers import frames
from importers.errands import Limits
from importers.frames import FrameError
from importers.nursery import Child

_CHUNK: Final = 1 << 18
_FAREWELL: Final = 1.0
"""Seconds that a process has to send what it found, once it is asked to end."""


class EndedError(Exception):
    """The process ended, or was ended, before it was done."""


class Answer:
    """The bytes that come through the pipe, waited for no longer than the limits say."""

    def __init__(self, child: Child, limits: Limits) -> None:
        """Listen to ``child`` for as long as ``limits`` say."""
        self._child = child
        self._idle = self._quiet = limits.idle
        self._left = limits.total if limits.total is not None else float("inf")
        self._bytes_left = limits.answer if limits.answer is not None else float("inf")
        self._buffer = bytearray()
        self._asked_to_end = False

    def frames(self) -> Iterator[tuple[int, bytes]]:
        """Kind and body of each frame, for ever.

        Raises:
            EndedError: If the process ends, or has to be ended.
            FrameError: If it sends what is no frame.
        """
        header = frames.HEADER
        while True:
            self._need(header.size)
            size, kind = header.unpack_from(self._buffer)
            if size > frames.FRAME_LIMIT:
                msg = f"a frame of {size} bytes"
                raise FrameError(msg)
            self._need(header.size + size)
            body = bytes(memoryview(self._buffer)[header.size : header.size + size])
            del self._buffer[: header.size + size]
            if not self._asked_to_end and frames.carries_records(kind, body):
                self._quiet = self._idle
            yield kind, body

    def _need(self, size: int) -> None:
        while len(self._buffer) < size:
            self._wait()
            chunk = os.read(self._child.answer, max(_CHUNK, size - len(self._buffer)))
            self._bytes_left -= len(chunk)
            if not chunk or self._bytes_left < 0:
                raise EndedError
            self._buffer += chunk

    def _wait(self) -> None:
        """Wait for bytes; only waiting counts, not what the reader does between two records."""
        poll = select.poll()
        poll.register(self._child.answer, select.POLLIN)
        while True:
            began = time.monotonic()
            ready = poll.poll(max(min(self._quiet, self._left), 0.0) * 1_000)
            waited = time.monotonic() - began
            self._left -= waited
            self._quiet -= waited
            if ready and self._left > 0 and self._quiet > 0:
                return
            if self._asked_to_end:
                raise EndedError
            self._asked_to_end, self._left, self._quiet = True, _FAREWELL, _FAREWELL
            self._child.stop()

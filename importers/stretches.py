"""A run of bytes inside an open file, read without moving the file's own position.

So a whole folder of uploads, or an expanded archive, can lie in one file that has no name, and
each part of it is opened as often as it is needed.
"""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from typing import BinaryIO, Final, Protocol, cast

_BUFFER: Final = 1 << 16


class Opened(Protocol):
    """An open file that stays open as long as somebody holds it."""

    def fileno(self) -> int:
        """Its descriptor."""


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """The bytes ``[start, start + size)`` of ``file``."""

    file: Opened
    start: int
    size: int

    def open(self) -> BinaryIO:
        """Its bytes from the beginning; closing this leaves the file open."""
        return cast("BinaryIO", io.BufferedReader(_Raw(self), _BUFFER))


class _Raw(io.RawIOBase):
    def __init__(self, stretch: Stretch) -> None:
        super().__init__()
        self._stretch = stretch
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._stretch.size}[whence]
        if base + offset < 0:
            msg = "a place before the beginning"
            raise OSError(msg)
        self._at = base + offset
        return self._at

    def readinto(self, into: memoryview, /) -> int:  # type: ignore[override]
        left = max(self._stretch.size - self._at, 0)
        wanted = memoryview(into)[:left]
        if not len(wanted):
            return 0
        got = os.preadv(self._stretch.file.fileno(), [wanted], self._stretch.start + self._at)
        self._at += got
        return got

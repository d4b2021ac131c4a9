"""Bounds of a foreign archive, and the file into which its members are expanded.

The totals bind what is uploaded; the bounds of one entry bind always. Bytes are counted as they
are written, whatever the archive says of itself.
"""

from __future__ import annotations

import io
import os
import re
from dataclasses import dataclass
from typing import Final, Protocol

from importers.source import Source, SourceRefusedError
from importers.stretches import Stretch

MAX_RATIO: Final = 100
SMALL: Final = 64 * 1024
"""Bytes that an entry may always expand to: that little can fill nothing."""

MAX_NAME: Final = 200
_DRIVE: Final = re.compile(r"[A-Za-z]:")
_CHUNK: Final = 1 << 16
_MIB: Final = 1 << 20
_ADVICE: Final = "Unpack it yourself and import the file inside."


@dataclass(frozen=True, slots=True)
class Bounds:
    """Totals of one archive; ``None`` is no such bound."""

    entries: int = 2_000
    archive: int | None = 20 * _MIB
    expanded: int | None = 100 * _MIB


UPLOAD: Final = Bounds()
COMMAND_LINE: Final = Bounds(entries=100_000, archive=None, expanded=None)


class Reader(Protocol):
    """Something that gives bytes from its beginning to its end."""

    def read(self, size: int, /) -> bytes:
        """At most ``size`` bytes; none at the end."""


def refused(source: Source, why: str) -> SourceRefusedError:
    """The refusal of the archive as a whole."""
    return SourceRefusedError(source.name, why, _ADVICE)


def most_of(packed: int) -> int:
    """How many bytes ``packed`` bytes of an entry may expand to."""
    return max(MAX_RATIO * packed, SMALL)


def name_fault(name: str) -> str:
    """What is wrong with an entry's name, or nothing."""
    if len(name.encode("utf-8", "replace")) > MAX_NAME:
        return f"An entry's name is longer than {MAX_NAME} bytes."
    if name.startswith("/") or "\\" in name or "\0" in name or _DRIVE.match(name):
        return "An entry's name is a path on some machine."
    if ".." in name.split("/"):
        return "An entry leads out of the archive."
    return ""


class Room:
    """A file without a name that holds the members of one archive, one after the other."""

    def __init__(self, source: Source, handle: int, bounds: Bounds) -> None:
        """Write into the descriptor ``handle``, which stays open as long as the process lives."""
        self._source, self._bounds = source, bounds
        self._file = io.FileIO(handle, "r", closefd=False)
        self._handle = handle
        self._end = os.fstat(handle).st_size
        self._expanded = 0
        self._entries = 0
        self._names: set[str] = set()

    def take_name(self, name: str) -> None:
        """Note an entry of this name.

        Raises:
            SourceRefusedError: If the name is bad or was taken, or there are too many entries.
        """
        if why := name_fault(name):
            raise refused(self._source, why)
        self._entries += 1
        if self._entries > self._bounds.entries:
            raise refused(self._source, f"It has more than {self._bounds.entries} entries.")
        folded = name.rstrip("/").casefold()
        if folded in self._names:
            raise refused(self._source, "It has two entries with the same name.")
        self._names.add(folded)

    def keep(self, name: str, stream: Reader, *, most: int) -> Source:
        """A member with the bytes of ``stream``, of which there may be ``most``.

        Raises:
            SourceRefusedError: If there are more, or no room for them.
        """
        start, size = self._end, 0
        while chunk := stream.read(_CHUNK):
            size += len(chunk)
            self._expanded += len(chunk)
            if size > most:
                raise refused(self._source, "An entry expands further than it says.")
            total = self._bounds.expanded
            if total is not None and self._expanded > total:
                raise refused(self._source, f"It expands to more than {total // _MIB} MiB.")
            self._write(chunk)
        found = Stretch(self._file, start, size)
        return Source(name, size, self._source.modified_at, stretch=found)

    def _write(self, chunk: bytes) -> None:
        left = memoryview(chunk)
        while left:
            try:
                done = os.pwrite(self._handle, left, self._end)
            except OSError as error:
                why = f"There is no room to expand it ({error.strerror})."
                raise refused(self._source, why) from error
            self._end += done
            left = left[done:]

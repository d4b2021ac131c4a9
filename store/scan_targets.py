"""What a search goes through: files of this machine, and bytes that a server hands out.

Each knows what is known to be in it, its controls, and says why it could not be read.
"""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from store.connections import Opener
from store.needles import SHORT
from store.scans import Control, Unread
from store.searching import WINDOW, Search

Taken = Callable[[bytes], None]
"""Is given all bytes of a target, in order."""

Fetches = Callable[[int, int], bytes]
"""Gives bytes by their place and number, fewer at the end. Raises OSError."""

DATABASES: Final = (".duckdb",)
"""Suffixes of files that this process may have open: it is kept from that while they are read."""

_HEAD: Final = 4_096
_CONTROL: Final = 24
"""Bytes of a file's own text that have to be found in it again."""

_PIECE: Final = 1 << 20


class Target(Protocol):
    """Something that is searched from its first byte to its last."""

    name: str
    """As the result names it."""

    size: int
    control: Control
    controls: tuple[bytes, ...]
    """What has to be found in it."""

    unread: Unread | None

    def prepare(self, given: Sequence[bytes]) -> None:
        """Find out whether it can be read, and what has to be found in it."""

    def found(self, search: Search, taken: Taken) -> Iterator[tuple[bytes, int]]:
        """What is found in it and where.

        Raises:
            OSError: If it cannot be read.
        """

    def piece(self, start: int, count: int) -> bytes:
        """Some of its bytes.

        Raises:
            OSError: If it cannot be read.
        """


@dataclass
class FileTarget:
    """A file."""

    path: Path
    name: str
    control: Control = Control.NONE
    controls: tuple[bytes, ...] = ()
    unread: Unread | None = field(default=None)
    size: int = 0

    def prepare(self, given: Sequence[bytes]) -> None:
        """See ``Target``. A link, a pipe or a device is none."""
        try:
            mode = self.path.lstat()
            if not stat.S_ISREG(mode.st_mode):
                self.unread = Unread.NOT_A_FILE
                return
            self.size = mode.st_size
            with apart(self.path), self.path.open("rb") as file:
                head = file.read(_HEAD)
        except OSError:
            self.unread = Unread.UNREADABLE
            return
        told = _long_enough(given)
        if told:
            self.control, self.controls = Control.ROWS, told
        elif mode.st_size < SHORT:
            self.control = Control.TOO_SMALL
        else:
            self.control, self.controls = Control.OWN_TEXT, (_piece(head),)

    def found(self, search: Search, taken: Taken) -> Iterator[tuple[bytes, int]]:
        """See ``Target``. A file that was written to meanwhile is told as changed."""
        size, text = 0, _Text()

        def both(chunk: bytes) -> None:
            nonlocal size
            size += len(chunk)
            text.take(chunk)
            taken(chunk)

        with apart(self.path), self.path.open("rb") as file:
            before = os.fstat(file.fileno())
            yield from search.in_file(file.fileno(), both)
            after = self.path.lstat()
        if _state(before) != _state(after) or size != after.st_size:
            self.unread = Unread.CHANGED
        if self.control == Control.OWN_TEXT and not text.whole():
            self.control, self.controls = Control.NONE, ()

    def piece(self, start: int, count: int) -> bytes:
        """See ``Target``."""
        with apart(self.path), self.path.open("rb") as file:
            return os.pread(file.fileno(), count, start)


@dataclass
class Stream:
    """Bytes that somebody else keeps and hands out, such as a file of a database server."""

    name: str
    """Begins with a slash: no file under a folder is called so."""

    fetch: Fetches

    size: int
    given: Sequence[bytes] = ()
    """Texts that are known to be in it, at least 12 bytes each."""

    control: Control = Control.NONE
    controls: tuple[bytes, ...] = ()
    unread: Unread | None = None

    def prepare(self, given: Sequence[bytes]) -> None:
        """See ``Target``. One that cannot be read says so from the start."""
        told = _long_enough((*self.given, *given))
        if self.unread is not None:
            return
        if told:
            self.control, self.controls = Control.ROWS, told
        elif self.size < SHORT:
            self.control = Control.TOO_SMALL

    def found(self, search: Search, taken: Taken) -> Iterator[tuple[bytes, int]]:
        """See ``Target``."""

        def chunks() -> Iterator[bytes]:
            start = 0
            while chunk := self.fetch(start, _PIECE):
                taken(chunk)
                yield chunk
                start += len(chunk)

        yield from search.in_stream(chunks(), lambda start, stop: self.fetch(start, stop - start))

    def piece(self, start: int, count: int) -> bytes:
        """See ``Target``."""
        return self.fetch(start, count)


class _Text:
    """Whether bytes that come in pieces are UTF-8 text throughout."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._is_text = True

    def take(self, chunk: bytes) -> None:
        """One more piece."""
        if self._is_text:
            try:
                self._decoder.decode(chunk)
                self._is_text = b"\x00" not in chunk
            except UnicodeDecodeError:
                self._is_text = False

    def whole(self) -> bool:
        """Whether all of it was text, to its end."""
        self.take(b"")
        try:
            self._decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
        return self._is_text


def apart(path: Path) -> AbstractContextManager[None]:
    """Keep this process from opening a database while its bytes are read: see ``Opener.alone``."""
    return Opener(path).alone() if path.suffix in DATABASES else nullcontext()


def _long_enough(given: Sequence[bytes]) -> tuple[bytes, ...]:
    return tuple(dict.fromkeys(one for one in given if len(one) >= SHORT))


def _piece(head: bytes) -> bytes:
    """A piece of a file's beginning, whole characters, that is looked for in it."""
    text = head[: _CONTROL * 4].decode("utf-8", "ignore").encode("utf-8")
    piece = text[:_CONTROL] if len(text) >= WINDOW else head[:_CONTROL]
    return piece.ljust(WINDOW, b"\x00")


def _state(found: os.stat_result) -> tuple[int, int, int]:
    return found.st_ino, found.st_size, found.st_mtime_ns

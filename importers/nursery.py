"""Starts reading processes: the parent's end of ``importers.sandboxed``.

One process that has the importers loaded waits, so that a reading starts in milliseconds. It is
started when first needed, shared by all threads, and ends when this process does.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from importers.sandboxed import KILL, MESSAGE, START, STOP
from importers.source import SourceRefusedError

BOOT: Final = (
    "import sys; sys.path[:0] = sys.argv[2:]; "
    "from importers import sandboxed; sandboxed.main(int(sys.argv[1]))"
)


class UnnamedFile:
    """A new file that no name leads to. It is gone when nobody holds it any more."""

    def __init__(self, *, in_memory: bool) -> None:
        """Make it, in memory if that is wanted and there is such a thing here."""
        self._handle = -1
        if in_memory and hasattr(os, "memfd_create"):
            self._handle = os.memfd_create("importers", os.MFD_CLOEXEC)
        else:
            handle, name = tempfile.mkstemp()
            os.unlink(name)
            self._handle = handle

    def fileno(self) -> int:
        """Its descriptor."""
        return self._handle

    def write(self, content: bytes) -> None:
        """Add ``content`` at its end."""
        left = memoryview(content)
        while left:
            left = left[os.write(self._handle, left) :]

    def close(self) -> None:
        """Let it go. May be called more than once."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def __del__(self) -> None:
        self.close()


class Child:
    """One reading process. ``kill`` ends it, whatever it is doing."""

    def __init__(self, nursery: Nursery, process: int, answer: int) -> None:
        """Know the process by its number and by the pipe it answers through."""
        self._nursery, self._process = nursery, process
        self.answer = answer

    def stop(self) -> None:
        """Ask it to send what it has and to end."""
        self._nursery.tell(STOP, self._process)

    def kill(self) -> None:
        """End it and close its pipe. May be called more than once."""
        if self.answer >= 0:
            os.close(self.answer)
            self.answer = -1
            self._nursery.tell(KILL, self._process)


class Nursery:
    """The waiting process and the way to it."""

    def __init__(self) -> None:
        """Know that there is none yet."""
        self._lock = threading.Lock()
        self._running: subprocess.Popen[bytes] | None = None
        self._way: socket.socket | None = None
        self._owner = 0

    def start(self, name: str, errand: bytes, files: Sequence[int]) -> Child:
        """A new process that does ``errand`` with ``files``.

        Args:
            name: Of the source, for the message if there can be no process.
            errand: An encoded ``Errand``.
            files: Descriptors that are handed over.

        Raises:
            SourceRefusedError: If no process can be started here.
        """
        with contextlib.closing(UnnamedFile(in_memory=True)) as asked:
            asked.write(errand)
            answer, into = os.pipe()
            try:
                process = self._ask([asked.fileno(), into, *files])
            except OSError:
                process = 0
            finally:
                os.close(into)
        if process:
            return Child(self, process, answer)
        os.close(answer)
        why = "No process could be started to read it."
        raise SourceRefusedError(name, why, "Close other programs and try again.")

    def tell(self, letter: bytes, process: int) -> None:
        """``STOP`` or ``KILL`` a process that was started here; nothing if it has ended."""
        with self._lock, contextlib.suppress(OSError):
            if self._way is not None and self._owner == os.getpid():
                self._way.sendall(MESSAGE.pack(letter, process))

    def warm(self) -> None:
        """Start the waiting process now, so that the first reading need not wait for it."""
        with self._lock:
            self._connected()

    def close(self) -> None:
        """End the waiting process and all that came from it."""
        with self._lock:
            self._close()

    def _ask(self, files: Sequence[int]) -> int:
        with self._lock:
            for attempt in (1, 2):
                way = self._connected()
                try:
                    socket.send_fds(way, [MESSAGE.pack(START, 0)], files)
                    reply = way.recv(MESSAGE.size, socket.MSG_WAITALL)
                    if len(reply) == MESSAGE.size:
                        return int(MESSAGE.unpack(reply)[1])
                except OSError:
                    if attempt == 2:
                        raise
                self._close()
        return 0

    def _connected(self) -> socket.socket:
        if self._way is not None and self._owner == os.getpid():
            return self._way
        ours, theirs = socket.socketpair()
        with theirs:
            self._running = subprocess.Popen(
                [*_PYTHON, BOOT, str(theirs.fileno()), *_where()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={},
                cwd="/",
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        self._way, self._owner = ours, os.getpid()
        return ours

    def _close(self) -> None:
        way, self._way = self._way, None
        running, self._running = self._running, None
        if way is not None:
            way.close()
        if running is not None and self._owner == os.getpid():
            running.wait()


_PYTHON: Final = (sys.executable, "-I", "-S", "-B", "-X", "utf8", "-c")


def _where() -> list[str]:
    """Where our code and the one library that the process needs are."""
    ours = Path(__file__).resolve().parents[1]
    library = Path(msgspec.__file__).resolve().parents[1]
    return [str(ours), str(library)]


NURSERY: Final = Nursery()
atexit.register(NURSERY.close)

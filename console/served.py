"""Whether a console serves a workspace now, and where: for links that lead somewhere.

The process that serves holds a lock on a small file that names its port. What a killed process
left there is held by nobody, and says nothing.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

ADDRESS: Final = "127.0.0.1"
_FILE: Final = "console.port"
_HOW: Final = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_PORTS: Final = range(1, 65_536)


@contextmanager
def at(home: Path, port: int) -> Iterator[None]:
    """Say so while the workspace ``home`` is served. A second console beside it says nothing."""
    with ExitStack() as held:
        with suppress(OSError):  # whatever lies at our place, the console is served all the same
            handle = os.open(home / _FILE, os.O_RDWR | os.O_CREAT | _HOW, 0o600)
            held.callback(os.close, handle)
            if _taken(handle):
                os.ftruncate(handle, 0)
                os.write(handle, str(port).encode("ascii"))
        yield


def address(home: Path) -> str | None:
    """``http://127.0.0.1:PORT`` of the console that serves ``home`` now, or ``None``."""
    try:
        with open(os.open(home / _FILE, os.O_RDONLY | _HOW), "rb", buffering=0) as file:
            told = b"" if _taken(file.fileno()) else file.read(8) or b""
    except OSError:
        return None
    port = int(told) if told.isdigit() else 0
    return f"http://{ADDRESS}:{port}" if port in _PORTS else None


def _taken(handle: int) -> bool:
    """Whether nobody else held the lock; then this descriptor does."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True

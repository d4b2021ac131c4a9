"""The lock that the one working process holds: a file beside what it works on.

The kernel takes it away with the process, however that ends.
"""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path
from typing import Final

_PAUSES: Final = (0.01, 0.02, 0.05, 0.1, 0.0)
_ALWAYS: Final = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_LOOK: Final = os.O_RDONLY | _ALWAYS
_LOCK: Final = os.O_RDWR | os.O_CREAT | _ALWAYS


def held(path: Path) -> bool:
    """Whether a process holds the lock at ``path``."""
    try:
        handle = os.open(path, _LOOK)
    except OSError:  # none, or not one of ours
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def take(path: Path) -> int | None:
    """A descriptor that holds the lock for this process, or one that inherits it.

    None if another process holds it.

    Raises:
        OSError: If the file cannot be made.
    """
    handle = os.open(path, _LOCK, 0o600)
    for pause in _PAUSES:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(pause)  # a look at whether it is held holds it for a moment, too
        else:
            return handle
    os.close(handle)
    return None

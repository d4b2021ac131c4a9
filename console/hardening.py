"""What a process that handles passphrases does about itself when it starts.

It raises the bar a little and moves no boundary: a program of the same user can still alter the
code. The banner where people sign says so.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import sys
from typing import Final

_PR_SET_DUMPABLE: Final = 4
"""Source: prctl(2)."""


def harden() -> None:
    """Files for the owner alone, no core dumps, and no other process may attach (on Linux)."""
    os.umask(0o077)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)

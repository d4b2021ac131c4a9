"""Lets one process at a time carry out a request, a backup or a restore of a tenant's store.

They go through the same files in several steps: a backup that is copied in the midst of a request
would hold what is being forgotten, and two requests would sign over what the other takes away.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from console import worker_locks
from review.forget.ground import AtWorkError

LOCK: Final = ".lock"


@contextmanager
def working(folder: Path) -> Iterator[None]:
    """Be the one at work on the store whose files about requests are in ``folder``.

    Raises:
        AtWorkError: If another one is, in this process or another.
        OSError: If the folder cannot be written to.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle = worker_locks.take(folder / LOCK)
    if handle is None:
        raise AtWorkError
    try:
        yield
    finally:
        os.close(handle)


def at_work(folder: Path) -> bool:
    """Whether somebody is."""
    return worker_locks.held(folder / LOCK)

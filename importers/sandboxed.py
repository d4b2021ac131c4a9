"""The process that reads foreign files: waits for errands, and runs each in a process of its own.

Started by ``importers.nursery``. It loads the importers once and gives up all rights it can; for
an errand it forks a copy, which sets its limits, does this one thing and ends. The copy sees the
bytes of one source and no others.
"""

from __future__ import annotations

import contextlib
import gc
import os
import select
import signal
import socket
import struct
import sys
from collections.abc import Sequence
from typing import Final

from importers import confinement, errand_running, frames
from importers.errands import Errand

MESSAGE: Final = struct.Struct(">cq")
"""What goes between the two: a letter and a number."""

START: Final = b"S"
KILL: Final = b"K"
STOP: Final = b"T"
"""Asks a process to send what it has and to end."""

_MOST_FILES: Final = 250
_LOOK: Final = 0.2


def main(handle: int) -> None:
    """Serve the socket ``handle`` until its other end closes."""
    confinement.for_good()
    gc.collect()
    gc.freeze()
    living: set[int] = set()
    with socket.socket(fileno=handle) as parent:
        while True:
            _reap(living)
            if not select.select([parent], [], [], _LOOK if living else None)[0]:
                continue
            message, files, _, _ = socket.recv_fds(parent, MESSAGE.size, _MOST_FILES)
            if len(message) < MESSAGE.size:
                break
            letter, number = MESSAGE.unpack(message)
            if letter != START:
                if number in living:
                    os.kill(number, signal.SIGKILL if letter == KILL else signal.SIGTERM)
                continue
            process = _forked(parent, files)
            for one in files:
                os.close(one)
            if process:
                living.add(process)
            parent.sendall(MESSAGE.pack(START, process))
    for process in living:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


def _reap(living: set[int]) -> None:
    for process in [*living]:
        if os.waitpid(process, os.WNOHANG)[0]:
            living.discard(process)


def _forked(parent: socket.socket, files: Sequence[int]) -> int:
    """The number of a new process that does the errand in ``files``; 0 if there can be none."""
    try:
        process = os.fork()
    except OSError:
        return 0
    if process:
        return process
    try:
        confinement.end_with_parent()
        parent.close()
        _obey(files)
    except BaseException:
        os._exit(70)
    os._exit(0)


def _obey(files: Sequence[int]) -> None:
    """Read the errand, give up what it does not need, and do it."""
    asked, answer, *rest = files
    errand = frames.decode(os.pread(asked, os.fstat(asked).st_size, 0), Errand)
    os.close(asked)
    confinement.limit(errand.limits)
    confinement.refuse_all_but(errand_running.paths(errand.source))
    errand_running.run(errand, answer, rest)


if __name__ == "__main__":
    with contextlib.suppress(ConnectionError):
        main(int(sys.argv[1]))

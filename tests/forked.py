"""Processes of our own code that start at once: each is forked from one that has read the code.

A process of its own, with its own files and connections, that can be killed like any other; only
the one to two seconds in which an interpreter starts and imports are spent once.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from multiprocessing.connection import Connection
from types import ModuleType
from typing import Any, Final

_CONTEXT: Final = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(
    [
        "console.app",
        "tests.browser.served",
        "tests.faults.erase_worker",
        "tests.faults.forget_worker",
        "tests.faults.spooling",
        "tests.faults.worker",
        "uvicorn",
        "pymorphy3",
        "pymorphy3_dicts_ru",
        "simplemma",
    ]
)


class Forked:
    """``work(*args)`` in a process; what it prints, errors too, is in ``lines`` as it comes.

    Args:
        work: A function of a module, so the process finds it by name.
        args: What it is called with.
        heard: Called with each line when it is there.
        environment: That of the process; otherwise that of the first one that was forked.
    """

    def __init__(
        self,
        work: Callable[..., object],
        *args: Any,
        heard: Callable[[str], None] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.lines: list[str] = []
        reader, writer = _CONTEXT.Pipe(duplex=False)
        told = None if environment is None else dict(environment)
        self._process = _CONTEXT.Process(target=_begin, args=(writer, told, work, args))
        with _without_main():
            self._process.start()
        writer.close()
        self._listener = threading.Thread(target=self._listen, args=(reader, heard), daemon=True)
        self._listener.start()

    def _listen(self, reader: Connection, heard: Callable[[str], None] | None) -> None:
        with reader, os.fdopen(os.dup(reader.fileno()), errors="replace") as told:
            for line in told:
                self.lines.append(line)
                if heard is not None:
                    heard(line)

    @property
    def running(self) -> bool:
        return self._process.is_alive()

    def kill(self) -> None:
        """Kill it with SIGKILL."""
        self._process.kill()

    def terminate(self) -> None:
        """Ask it to end, with SIGTERM."""
        self._process.terminate()

    def ended(self, timeout: float | None = None) -> int:
        """Wait until it has ended and all is heard; its exit code, negative for a signal."""
        self._process.join(timeout)
        assert self._process.exitcode is not None, f"still running after {timeout} s"
        self._listener.join(timeout)
        return self._process.exitcode


@contextmanager
def _without_main() -> Iterator[None]:
    """A new process runs the main script again, if there is one with a file.

    After a test of a page that is the page, and not what runs the tests.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _begin(
    writer: Connection,
    environment: dict[str, str] | None,
    work: Callable[..., object],
    args: tuple[Any, ...],
) -> None:
    for stream in (1, 2):
        os.dup2(writer.fileno(), stream)
    writer.close()
    sys.stdout = os.fdopen(1, "w", buffering=1, closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)
    if environment is not None:
        os.environ.clear()
        os.environ.update(environment)
    work(*args)

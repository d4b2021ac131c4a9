"""Asking about what waits, for a page: begin, look, stop.

It works in a process of its own, which goes on when the page is closed or the console ends.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from console.asking.kept import Keeping, Kept

_BOOT: Final = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from console.entry import ask; sys.exit(ask.main(*sys.argv[2:]))"
)


class Asking:
    """What asks for one tenant of one workspace."""

    def __init__(self, home: Path, tenant: str, environment: Mapping[str, str]) -> None:
        """``environment`` is what a working process is given; the key of the account is in it."""
        self.keeping = Keeping(home, tenant)
        self._tenant = tenant
        self._environment = {**environment, "MEMORY_CONSOLE_HOME": str(home.resolve())}

    def read(self) -> Kept | None:
        """The last go, or the one that is at work."""
        return self.keeping.read()

    def start(self, most: int) -> None:
        """Begin to ask about at most so many records.

        Raises:
            console.asking.kept.BusyError: If a process asks now.
        """
        handle = self.keeping.lock()
        try:
            self.keeping.write(Kept())
            where = str(Path(__file__).resolve().parents[2])
            words = [where, self._tenant, str(most), str(handle)]
            worker = subprocess.Popen(
                [sys.executable, "-P", "-c", _BOOT, *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=self._environment,
                cwd="/",
                pass_fds=(handle,),
                start_new_session=True,
            )
        finally:
            os.close(handle)
        threading.Thread(target=worker.wait, daemon=True).start()

    def stop(self) -> None:
        """Ask it to end between two groups of records."""
        if self.keeping.lives():
            self.keeping.ask_to_stop()

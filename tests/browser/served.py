"""The console as its own process serves it, with the wait before a forget run shortened."""

from __future__ import annotations

import sys
from datetime import timedelta

from streamlit.web import cli

from console import server
from console.cards.forget import starting


def serve(port: int, wait_s: float | None) -> None:
    """Serve on ``port`` until SIGTERM. A forget run waits ``wait_s`` seconds, if it is told."""
    if wait_s is not None:
        starting.WAIT = timedelta(seconds=wait_s)
    sys.argv = ["streamlit", *server.command(port)[3:]]
    cli.main()

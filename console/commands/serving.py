"""``run`` and ``demo``: the console in a browser, on the user's workspace or on a made-up one."""

from __future__ import annotations

import shutil
import signal
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Annotated, Final

import typer

from console import identity
from console.commands import opening
from console.commands.faults import CommandError, ExitCode
from console.commands.telling import say, tell

RUN_EXAMPLES: Final = """
memory-console run
memory-console run --port 8600 --no-browser
"""
DEMO_EXAMPLES: Final = """
memory-console demo
memory-console demo --no-browser --keep ./demo
"""
_ADDRESS: Final = "127.0.0.1"

PortOption = Annotated[
    int, typer.Option("--port", min=1, max=65_535, help="A free port of this machine.")
]
NoBrowserOption = Annotated[
    bool, typer.Option("--no-browser", help="Print the address and open nothing.")
]


def run(port: PortOption = 8501, no_browser: NoBrowserOption = False) -> None:
    """Serve the console for your workspace, to this machine alone. Makes one on first use."""
    _free(port)
    place = opening.workspace_or_new()
    tell(f"http://{_ADDRESS}:{port}/")
    say(f"Workspace {place.home}. Ctrl-C stops the console.")
    with _stoppable():
        raise typer.Exit(_serve(place.home, port, identity.environment(), browser=not no_browser))


def demo(
    port: PortOption = 8501,
    no_browser: NoBrowserOption = False,
    keep: Annotated[
        Path | None,
        typer.Option("--keep", metavar="DIR", help="Build it there and leave it there."),
    ] = None,
) -> None:
    """Try the console on two made-up firms. Nothing of yours is read, and nothing is left over."""
    _free(port)
    if keep is not None and keep.exists() and any(keep.iterdir()):
        sentence = f"{keep} is not empty. Nothing was changed. Name a new folder."
        raise CommandError(sentence, ExitCode.USAGE)
    with _stoppable(), _folder(keep) as folder:
        from console.demo import build
        from console.demo_story import PASSPHRASE

        say("Building the demo...")
        place = build(folder)
        tell(f"http://{_ADDRESS}:{port}/")
        tell(f"passphrase: {PASSPHRASE}")
        say("Ctrl-C stops it." if keep else "Ctrl-C stops it and removes it.")
        pin = place.root.key.fingerprint if place.root else ""
        told = identity.environment() | {"MEMORY_CONSOLE_PIN": pin, "MEMORY_CONSOLE_TENANT": ""}
        raise typer.Exit(_serve(folder, port, told, browser=not no_browser))


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    """The folder to build in: one that stays, or one that is removed at the end."""
    if keep is not None:
        yield keep
        return
    folder = Path(tempfile.mkdtemp(prefix="memory-console-demo-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _stoppable() -> Iterator[None]:
    """Being asked to end is like Ctrl-C, which is heard even where a shell had it ignored."""

    def asked(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = {one: signal.signal(one, asked) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _serve(home: Path, port: int, environment: dict[str, str], *, browser: bool) -> int:
    """Serve until stopped. Stopping is the usual end, and no error."""
    from console import served, server

    try:
        with served.at(home, port):
            code = server.run(home, port=port, browser=browser, environment=environment)
    except KeyboardInterrupt:
        return ExitCode.OK
    return ExitCode.OK if code in (0, -signal.SIGINT, -signal.SIGTERM) else ExitCode.ERROR


def _free(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((_ADDRESS, port))
        except OSError as error:
            sentence = f"Port {port} is in use. Nothing was started. Choose another with --port."
            raise CommandError(sentence) from error

"""The console as a web application of this machine alone, with headers that keep it inside.

``streamlit run`` is given every option by ``server_flags``, so nothing depends on a
configuration file that somebody may have lying around.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import streamlit as st
from starlette.middleware import Middleware
from streamlit import config

from console.hardening import harden

ADDRESS: Final = "127.0.0.1"
HOSTS: Final = ("localhost", ADDRESS)
_HOST: Final = re.compile(rb"(localhost|127\.0\.0\.1)(:\d{1,5})?")

_POLICY: Final = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:;"
    " style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:;"
    " connect-src 'self' data: blob:; worker-src 'self' blob:; frame-src 'self';"
    " frame-ancestors 'none'; object-src 'none'; base-uri 'self'; form-action 'self'"
)
"""Streamlit's own scripts need ``unsafe-inline`` and ``unsafe-eval``; nothing leaves ``self``."""

HEADERS: Final = {
    "content-security-policy": _POLICY,
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cross-origin-opener-policy": "same-origin",
}

OPTIONS: Final[dict[str, str | tuple[str, ...]]] = {
    "server.address": ADDRESS,
    "server.allowedHosts": HOSTS,
    "server.enableCORS": "true",
    "server.enableXsrfProtection": "true",
    "server.enableStaticServing": "false",
    "server.enableAgentApi": "false",
    "server.fileWatcherType": "none",
    "server.runOnSave": "false",
    "server.maxUploadSize": "20",
    "server.disconnectedSessionTTL": "5",
    "server.showEmailPrompt": "false",
    "client.showErrorDetails": "none",
    "client.showErrorLinks": "false",
    "client.toolbarMode": "minimal",
    "browser.gatherUsageStats": "false",
    "logger.hideWelcomeMessage": "true",  # it also brings an offer of Streamlit's over our page
    "runner.magicEnabled": "false",
    "theme.light.primaryColor": "#0072B2",
    "theme.dark.primaryColor": "#2E86C1",
    "theme.baseRadius": "small",
    "theme.baseFontSize": "15",
}

_Message = MutableMapping[str, Any]
_Send = Callable[[_Message], Awaitable[None]]
_Receive = Callable[[], Awaitable[_Message]]
_Asgi = Callable[[_Message, _Receive, _Send], Awaitable[None]]


class Headers:
    """Adds ``HEADERS`` to every response, and answers no other host than this machine."""

    def __init__(self, app: _Asgi) -> None:
        """Wrap ``app``."""
        self._app = app
        self._added = [(k.encode("ascii"), v.encode("ascii")) for k, v in HEADERS.items()]

    async def __call__(self, scope: _Message, receive: _Receive, send: _Send) -> None:
        """Pass a request on, and its response back with the headers."""
        if scope["type"] == "http" and not _is_ours(scope):
            await _misdirected(send)
            return

        async def sent(message: _Message) -> None:
            if message["type"] == "http.response.start":
                ours = {name for name, _ in self._added}
                theirs = [h for h in message.get("headers", []) if h[0].lower() not in ours]
                message["headers"] = [*theirs, *self._added]
            await send(message)

        await self._app(scope, receive, sent)


def _is_ours(scope: _Message) -> bool:
    """Whether a request names this machine, once and as nothing else."""
    told = [value for name, value in scope.get("headers", ()) if name.lower() == b"host"]
    return len(told) == 1 and _HOST.fullmatch(told[0]) is not None


async def _misdirected(send: _Send) -> None:
    """Answer a request for another host: a name that was pointed at this machine."""
    headers = [(b"content-type", b"text/plain"), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 421, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def refuse_unsafe_options() -> None:
    """Stop if an option would let a program press the buttons, or others reach this console.

    Raises:
        SystemExit: With the option and what to do.
    """
    if config.get_option("server.enableAgentApi"):
        msg = (
            "server.enableAgentApi is on: a program could press the buttons of this console. "
            "Nothing was opened. Start it with: memory-console run"
        )
        raise SystemExit(msg)
    if config.get_option("server.address") not in (ADDRESS, "localhost", "::1"):
        msg = (
            f"server.address is not {ADDRESS}: other machines could open this console. "
            "Nothing was opened. Start it with: memory-console run"
        )
        raise SystemExit(msg)


def server_flags(port: int, *, browser: bool = False) -> list[str]:
    """The options of ``streamlit run``, every one said out loud."""
    flags = []
    for name, value in OPTIONS.items():
        for one in (value,) if isinstance(value, str) else value:
            flags.append(f"--{name}={one}")
    return [*flags, f"--server.port={port}", f"--server.headless={str(not browser).lower()}"]


def command(port: int, *, browser: bool = False) -> list[str]:
    """The command that serves the console."""
    here = str(Path(__file__).resolve())
    return [sys.executable, "-m", "streamlit", "run", here, *server_flags(port, browser=browser)]


def run(home: Path, *, port: int, browser: bool, environment: dict[str, str]) -> int:
    """Serve the workspace in ``home`` until it is stopped; the exit code of the server.

    Args:
        home: The workspace; it reaches the application as ``MEMORY_CONSOLE_HOME``.
        port: A free port of this machine.
        browser: Whether to open one.
        environment: The caller's environment, read in ``console.identity``.
    """
    told = environment | {"MEMORY_CONSOLE_HOME": str(home.resolve())}
    return subprocess.run(command(port, browser=browser), env=told, check=False).returncode


@asynccontextmanager
async def _checked(_app: st.App) -> AsyncIterator[None]:
    refuse_unsafe_options()
    harden()
    yield


app = st.App(
    str(Path(__file__).resolve().parent / "entry" / "main.py"),
    lifespan=_checked,
    middleware=[Middleware(Headers)],
)

"""The client that talks to the service, with everything that the environment could add kept out.

The client would take headers out of ``ANTHROPIC_CUSTOM_HEADERS``, write what it sends to a log
under ``ANTHROPIC_LOG``, and give plain HTTP to a proxy. None of these was asked for in the
settings. A proxy for HTTPS is used: it is told the host, and sees neither the key nor a word.
"""

from __future__ import annotations

import logging

import anthropic
import httpx2

from console.model.bounded_answers import Bounds
from console.model.settings import ModelSettings


def connected(settings: ModelSettings, key: str | None) -> tuple[anthropic.Anthropic, Bounds]:
    """A client for the address of the settings, and the bounds of its calls."""
    be_quiet()
    timeout = httpx2.Timeout(settings.read_seconds, connect=settings.connect_seconds)
    plain = settings.address.startswith("http:")
    wire = anthropic.DefaultHttpxClient(
        follow_redirects=False,
        timeout=timeout,
        # No connection is left open between calls that are minutes apart.
        limits=httpx2.Limits(max_keepalive_connections=0),
        trust_env=not plain,
    )
    made = anthropic.Anthropic(
        api_key=key,
        base_url=settings.address,
        max_retries=0,
        timeout=timeout,
        open_telemetry=False,
        http_client=wire,
    )
    seconds = settings.connect_seconds + settings.read_seconds
    return made, Bounds(wire, seconds, made.auth_headers)


def be_quiet() -> None:
    """Keep what is sent, and what comes back, out of every log."""
    for name in ("anthropic", "httpx2", "httpcore2"):
        logging.getLogger(name).setLevel(logging.WARNING)

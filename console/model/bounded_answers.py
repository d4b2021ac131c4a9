"""Calls and answers within bounds: so many seconds, so many bytes, no cookies, nothing packed.

The client reads an answer to its end before anybody can look at it, and its time limit begins anew
with every byte, of the head of an answer too. A server that talks for ever would hold a call, and
a large one the memory. So a call has one end: then its connection is shut, wherever it is.

How the connection is found is the ``trace`` extension of the client's transport. Looking up the
name of a service is the system's own matter and is not cut off.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from http.cookiejar import DefaultCookiePolicy
from threading import Lock, Timer, local
from typing import Any, Final, Self

import httpx2

LARGEST: Final = 4 * 1024 * 1024
"""Bytes of an answer as it comes in; the longest reply that is kept has fewer in any spelling."""


class TooLargeError(httpx2.TransportError):
    """An answer has more bytes than are read, or came packed."""


class Call:
    """One call, while it is open as a context. It is shut when its time is over."""

    def __init__(self, now: local, seconds: float) -> None:
        """``seconds`` is all that it may take, more than 0."""
        self.seconds = seconds
        self.over = False
        """Whether its time was over before it had ended; what came until then is no answer."""

        self._now, self._lock = now, Lock()
        self._until = time.monotonic() + seconds
        self._ends: list[tuple[socket.socket, Timer]] = []

    def __enter__(self) -> Self:
        """Be the call of this thread."""
        self._now.call = self
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of the connection."""
        self._now.call = None
        self.over = self.over or time.monotonic() >= self._until
        with self._lock:
            for end, timer in self._ends:
                timer.cancel()
                end.close()
            self._ends.clear()

    def traced(self, name: str, info: Mapping[str, Any]) -> None:
        """Take note of a connection that was made: of its copy, since TLS takes over the first."""
        if name.endswith("connect_tcp.complete"):
            end = info["return_value"].get_extra_info("socket").dup()
            timer = Timer(max(0.0, self._until - time.monotonic()), self._shut, (end,))
            timer.daemon = True
            with self._lock:
                self._ends.append((end, timer))
            timer.start()

    def _shut(self, end: socket.socket) -> None:
        with self._lock, suppress(OSError):  # it may have ended, or been closed, meanwhile
            self.over = True
            end.shutdown(socket.SHUT_RDWR)


class Bounds:
    """Bounds on everything that one client hears, in any thread."""

    def __init__(self, client: httpx2.Client, seconds: float) -> None:
        """``seconds`` is what each call may take in all."""
        self._now, self._seconds = local(), seconds
        client.headers["accept-encoding"] = "identity"
        client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        client.event_hooks = {"request": [self._begun], "response": [_bound]}

    def call(self) -> Call:
        """A call that begins now; whoever makes it holds it open meanwhile."""
        return Call(self._now, self._seconds)

    def _begun(self, request: httpx2.Request) -> None:
        request.extensions["trace"] = self._now.call.traced


def _bound(response: httpx2.Response) -> None:
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        msg = "packed"
        raise TooLargeError(msg, request=response.request)
    response.stream = _Bounded(response.stream, response.request)  # type: ignore[arg-type]


class _Bounded(httpx2.SyncByteStream):
    def __init__(self, stream: httpx2.SyncByteStream, request: httpx2.Request) -> None:
        self._stream, self._request = stream, request

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for piece in self._stream:
            size += len(piece)
            if size > LARGEST:
                msg = "too large"
                raise TooLargeError(msg, request=self._request)
            yield piece

    def close(self) -> None:
        self._stream.close()

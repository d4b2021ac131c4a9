"""Calls and answers within bounds: so many seconds, so many bytes, no cookies, nothing packed.

The client reads an answer to its end before anybody can look at it, and its time limit begins anew
with every byte, of the head of an answer too, and with every address of a name. A server that
talks for ever would hold a call, and a large one the memory. Looking up a name has no limit at
all: it is the system's own matter, and nobody can end it.

So a call is made in a thread of its own, and whoever wants it waits for so long and no longer.
Then its connection is shut, wherever it is, and one that is made later sends nothing. How the
connection is found is the ``trace`` extension of the client's transport.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from http.cookiejar import DefaultCookiePolicy
from threading import Event, Lock, Thread, local
from typing import Any, Final

import httpx2

LARGEST: Final = 4 * 1024 * 1024
"""Bytes of an answer as it comes in; the longest reply that is kept has fewer in any spelling."""

SENT: Final = frozenset(
    {
        "accept",
        "accept-encoding",
        "anthropic-version",
        "connection",
        "content-length",
        "content-type",
        "host",
        "user-agent",
        "x-stainless-raw-response",
    }
)
"""Headers that leave, beside the key. The client adds more, also out of the environment; the last
one it needs itself, to know how a caller wants its answer."""


class TooLargeError(httpx2.TransportError):
    """An answer has more bytes than are read, or came packed."""


class LateError(Exception):
    """A call was not over in its time."""


class Call:
    """One call. What comes when its time is over is no answer."""

    def __init__(self, now: local, seconds: float) -> None:
        """``seconds`` is all that it may take, more than 0."""
        self._now, self._lock = now, Lock()
        self._over = False
        self._until = time.monotonic() + seconds
        self._ends: list[socket.socket] = []

    def made(self, work: Callable[[], bytes]) -> bytes:
        """What ``work`` gives, in its time.

        Raises:
            LateError: If it is not over by then. It may go on by itself, but sends nothing more.
            Exception: Whatever ends it.
        """
        told: list[bytes | BaseException] = []
        done = Event()

        def working() -> None:
            self._now.call = self
            try:
                told.append(work())
            except BaseException as error:  # raised where it is waited for
                told.append(error)
            done.set()

        # A thread that waits for a name for ever must not keep a process from ending.
        Thread(target=working, daemon=True).start()
        try:
            done.wait(max(0.0, self._until - time.monotonic()))
        finally:
            late = not done.is_set() or time.monotonic() >= self._until
            self._end()
        if late:
            raise LateError
        (found,) = told
        if isinstance(found, BaseException):
            raise found
        return found

    def traced(self, name: str, info: Mapping[str, Any]) -> None:
        """Take note of a connection that was made: of its copy, since TLS takes over the first."""
        if name.endswith("connect_tcp.complete"):
            end = info["return_value"].get_extra_info("socket")
            with self._lock:
                if self._over:
                    end.close()
                    raise LateError
                self._ends.append(end.dup())

    def _end(self) -> None:
        with self._lock:
            self._over = True
            for end in self._ends:
                with suppress(OSError):  # it may have ended meanwhile
                    end.shutdown(socket.SHUT_RDWR)
                end.close()
            self._ends.clear()


class Bounds:
    """Bounds on everything that one client hears, in any thread."""

    def __init__(
        self, client: httpx2.Client, seconds: float, signed: Mapping[str, str] | None = None
    ) -> None:
        """``seconds`` is what each call may take in all, ``signed`` are headers with the key."""
        self.seconds = seconds
        self._now = local()
        self._signed = {name.lower(): value for name, value in (signed or {}).items()}
        client.headers["accept-encoding"] = "identity"
        client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        client.event_hooks = {"request": [self._begun], "response": [_bound]}

    def call(self) -> Call:
        """A call whose time begins now."""
        return Call(self._now, self.seconds)

    def _begun(self, request: httpx2.Request) -> None:
        request.extensions["trace"] = self._now.call.traced
        for name in request.headers.keys() - SENT - self._signed.keys():
            del request.headers[name]
        request.headers.update(self._signed)


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

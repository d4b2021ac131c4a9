"""Answers of a server within bounds: so many bytes, so many seconds, no cookies, nothing packed.

The client reads an answer to its end before anybody can look at it, and its time limit begins anew
with every byte. A server that talks for ever would hold a call, and a large one the memory.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from http.cookiejar import DefaultCookiePolicy
from typing import Final

import httpx2

LARGEST: Final = 4 * 1024 * 1024
"""Bytes of an answer as it comes in; the longest reply that is kept has fewer in any spelling."""


class TooLargeError(httpx2.TransportError):
    """An answer has more bytes than are read, or came packed."""


def bind(client: httpx2.Client, seconds: float) -> None:
    """Put bounds on everything that ``client`` hears.

    Args:
        client: Sends requests; its body may take ``seconds`` in all, from its first byte on.
        seconds: More than 0.
    """
    client.headers["accept-encoding"] = "identity"
    client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))

    def bound(response: httpx2.Response) -> None:
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            msg = "packed"
            raise TooLargeError(msg, request=response.request)
        response.stream = _Bounded(response.stream, response.request, seconds)  # type: ignore[arg-type]

    client.event_hooks = {"response": [bound]}


class _Bounded(httpx2.SyncByteStream):
    def __init__(
        self, stream: httpx2.SyncByteStream, request: httpx2.Request, seconds: float
    ) -> None:
        self._stream, self._request, self._seconds = stream, request, seconds

    def __iter__(self) -> Iterator[bytes]:
        until, size = time.monotonic() + self._seconds, 0
        for piece in self._stream:
            size += len(piece)
            if size > LARGEST:
                msg = "too large"
                raise TooLargeError(msg, request=self._request)
            if time.monotonic() > until:
                msg = "too slow"
                raise httpx2.ReadTimeout(msg, request=self._request)
            yield piece

    def close(self) -> None:
        self._stream.close()

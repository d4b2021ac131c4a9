"""A small server on loopback that speaks the Messages API, so that the real client can be driven.

It knows no model: whoever starts it says what each request is answered with.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_LAST_WORD = 50
"""Milliseconds between looks at whether the server should end."""


@dataclass(frozen=True)
class Answer:
    """What the server says to one request."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    """Seconds before it says it."""


@dataclass(frozen=True)
class Heard:
    """One request as it came in."""

    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def told(self) -> dict[str, Any]:
        """The body as JSON."""
        value: dict[str, Any] = json.loads(self.body)
        return value

    @property
    def data(self) -> dict[str, Any]:
        """The quoted blocks: the user's message."""
        value: dict[str, Any] = json.loads(self.told["messages"][0]["content"])
        return value


Answering = Callable[[Heard], Answer]


def message(text: str, *, stop: str = "end_turn", tokens: tuple[int, int] = (100, 20)) -> Answer:
    """A message of a model that says ``text``, having taken so many tokens in and out."""
    told = {
        "id": "msg_stub",
        "type": "message",
        "role": "assistant",
        "model": "stub-model",
        "content": [{"type": "text", "text": text}],
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": tokens[0], "output_tokens": tokens[1]},
    }
    return Answer(body=json.dumps(told, ensure_ascii=False).encode("utf-8"))


def fault(status: int, kind: str, **headers: str) -> Answer:
    """An error as the API spells it."""
    told = {"type": "error", "error": {"type": kind, "message": "words of the server"}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, json.dumps(told).encode("ascii"), named)


class Stub:
    """The running server: where it is, and what it heard."""

    def __init__(self, answering: Answering) -> None:
        """``answering`` may be changed while it runs."""
        self.answering = answering
        self.heard: list[Heard] = []
        stub = self

        class _Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                heard = Heard(self.path, dict(self.headers), body)
                stub.heard.append(heard)
                answer = stub.answering(heard)
                time.sleep(answer.delay)
                try:
                    self.send_response(answer.status)
                    self.send_header("content-type", "application/json")
                    for name, value in answer.headers.items():
                        self.send_header(name, value)
                    self.send_header("content-length", str(len(answer.body)))
                    self.end_headers()
                    self.wfile.write(answer.body)
                except OSError:
                    self.close_connection = True  # whoever asked has gone

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        class _Server(ThreadingHTTPServer):
            daemon_threads = True

            def get_request(self) -> tuple[socket.socket, Any]:
                made, where = super().get_request()
                made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return made, where

        self._server = _Server(("127.0.0.1", 0), _Handler)

    @property
    def address(self) -> str:
        """Where requests go."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @contextmanager
    def running(self) -> Iterator[Stub]:
        """Serve until the block ends."""
        thread = threading.Thread(
            target=self._server.serve_forever, args=(_LAST_WORD / 1000,), daemon=True
        )
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join()

"""Answers of a server that means harm: endless, huge, packed, with cookies, with our own key."""

from __future__ import annotations

import gzip
import json
import socket
import threading
import time
from contextlib import contextmanager, suppress

import pytest

from console.model import bounded_answers
from console.model.spending import Ledger
from console.model.spent_days import Spent
from review.proposals import requests
from review.proposals.jobs import Failure
from review.proposals.protocol import ModelError
from tests.conftest import Clock
from tests.console.messages_stub import Answer, claim, message, replying
from tests.console.model_worlds import KEY, adapter, stub
from tests.console.test_model_adapter import failure, request

BEGUN = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
DRIPS = {
    "head": (BEGUN + b"x-a: ", b"a"),
    "body": (BEGUN + b"transfer-encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    "body of no known length": (BEGUN + b"connection: close\r\n\r\n", b" "),
}
"""What comes at once, and what comes every second after that."""


@contextmanager
def dripping(begun, drop):
    """A server that says a little every second and never ends."""
    listening, over = socket.create_server(("127.0.0.1", 0)), threading.Event()

    def serve():
        with suppress(OSError):
            taken, _ = listening.accept()
            with taken:
                taken.recv(65_536)
                taken.sendall(begun)
                while not over.wait(1.0):
                    taken.sendall(drop)

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        over.set()
        listening.close()


@pytest.mark.parametrize("name", DRIPS)
def test_a_byte_every_second_is_cut_off_at_the_end_of_the_call_and_counts_in_full(tmp_path, name):
    with dripping(*DRIPS[name]) as address:
        made = adapter(tmp_path, address, connect_seconds=1.0, read_seconds=1.5)
        made.body(request())  # the client is imported
        begun = time.monotonic()
        error = failure(made)
        took = time.monotonic() - begun
    assert (error.failure, error.told) == (Failure.TIMEOUT, "no whole answer within 2.5 s")
    assert 2.4 < took < 6
    assert made.spending().tokens > 2_000


def test_calls_side_by_side_each_have_their_own_end(tmp_path):
    from concurrent.futures import ThreadPoolExecutor

    slow = [Answer(body=message("{}").body, delay=delay) for delay in (0.0, 1.2, 0.0, 1.2)]
    with stub(lambda _: slow.pop()) as server:
        made = adapter(tmp_path, server.address, connect_seconds=0.5, read_seconds=5.0)

        def ask(n):
            begun = time.monotonic()
            made.ask(request(), f"k{n}")
            return time.monotonic() - begun

        with ThreadPoolExecutor(4) as pool:
            took = sorted(pool.map(ask, range(4)))
    assert took[0] < 1.2 <= took[-1]
    assert threading.active_count() < 20


@pytest.mark.parametrize("answer", [
    Answer(body=b" " * (bounded_answers.LARGEST + 1) + message("{}").body),
    Answer(body=gzip.compress(b" " * 10_000_000), headers={"content-encoding": "gzip"}),
])  # fmt: skip
def test_a_huge_or_packed_answer_is_not_read(tmp_path, answer):
    with stub(lambda _: answer) as server:
        made = adapter(tmp_path, server.address)
        error = failure(made)
        assert server.heard[0].headers["accept-encoding"] == "identity"
    assert (error.failure, error.told) == (Failure.SERVER, "the answer is too large")


def test_a_cookie_is_not_sent_back(tmp_path):
    told = message(json.dumps(claim()))
    answer = Answer(body=told.body, headers={"set-cookie": "id=track; path=/"})
    with stub(lambda _: answer) as server:
        made = adapter(tmp_path, server.address)
        made.ask(request(), "k1")
        made.ask(request("Another text."), "k2")
    assert ["cookie" in one.headers for one in server.heard] == [False, False]


def test_an_answer_that_shows_our_key_is_not_kept(tmp_path):
    with stub(replying({"said": KEY})) as server:
        error = failure(adapter(tmp_path, server.address))
    assert error.failure is Failure.SERVER
    assert KEY not in str(error)


@pytest.mark.parametrize("key", ["key-\u043a\u043b\u044e\u0447", "key\nx: y"])
def test_a_key_with_characters_that_no_key_has_is_not_sent_or_shown(tmp_path, key):
    with stub(replying(claim())) as server:
        error = failure(adapter(tmp_path, server.address, key=key))
        assert not server.heard
    assert error.failure is Failure.UNAUTHORISED
    assert key not in str(error)


def test_usage_that_is_no_count_is_none_and_the_call_counts_in_full(tmp_path):
    for n, usage in enumerate(('{"input_tokens": NaN, "output_tokens": 1e999}',
                               '{"input_tokens": -5, "output_tokens": true}')):  # fmt: skip
        body = message("{}").body.replace(b'{"input_tokens": 100, "output_tokens": 20}',
                                          usage.encode())  # fmt: skip
        assert usage.encode() in body
        with stub(lambda _, body=body: Answer(body=body)) as server:
            made = adapter(tmp_path / str(n), server.address)
            made.ask(request(), "k1")
        assert made.spending().tokens > 2_000


def test_a_line_of_the_ledger_that_was_cut_off_does_not_swallow_the_next_call(tmp_path):
    ledger = Ledger(tmp_path, Clock())
    ledger.reserve("k1", Spent(40, 0), tokens=100, micros=None)
    (path,) = tmp_path.iterdir()
    with path.open("ab") as file:
        file.write(b'{"call": 2, "ke')
    ledger.reserve("k2", Spent(40, 0), tokens=100, micros=None)
    assert ledger.spent().tokens == 80
    with pytest.raises(ModelError):
        ledger.reserve("k3", Spent(40, 0), tokens=100, micros=None)


def test_a_long_step_is_cut_before_a_secret_and_not_within_it():
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    text = "x " * 490 + secret + " y" * 600
    assert len(text) > 1_000 > text.index(secret)
    assert "ghp_" not in requests._begun(text)
    assert requests._begun("z" * 1_200) == "z" * 1_000

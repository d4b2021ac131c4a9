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
from review.proposals.asking import outcome_of
from review.proposals.jobs import Failure, Outcome
from review.proposals.protocol import ModelError, Reply, Usage
from tests.conftest import Clock
from tests.console.desks import desk_over, stage, store_for
from tests.console.messages_stub import Answer, claim, fact, message, replying
from tests.console.model_worlds import KEY, adapter, help_over, stub
from tests.console.test_model_adapter import TEXT, failure, request

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


# --- usage, envelopes and replies that lie ------------------------------------------------------

PRICES = {"price_in": "1000000", "price_out": "1000000"}


@pytest.mark.parametrize(
    "usage",
    [
        {},
        {"input_tokens": 2**39, "output_tokens": 1},
        {"input_tokens": 1, "output_tokens": 2**39},
        {"input_tokens": 2**53, "output_tokens": 2**53},
        {"input_tokens": 0, "output_tokens": 5},
        {"input_tokens": "7", "output_tokens": None},
        {"input_tokens": 1.5, "output_tokens": 2},
        {"input_tokens": 5, "output_tokens": 5, "cache_read_input_tokens": 10**9},
    ],
)
def test_usage_that_cannot_be_counts_as_the_most_that_it_can_be(tmp_path, usage):
    told = json.loads(message(json.dumps(claim())).body) | {"usage": usage}
    answer = Answer(body=json.dumps(told).encode())
    with stub(lambda _: answer) as server:
        made = adapter(tmp_path, server.address, **PRICES)
        reply = made.ask(request(), "k1")
        most = len(server.heard[0].body), request().most_tokens
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == most
    assert (made.spending().tokens, reply.usage.cost_micros) == (sum(most), sum(most) * 1_000_000)
    assert made.spending().cost_micros == reply.usage.cost_micros


@pytest.mark.parametrize(
    "told",
    [
        {"usage": None},
        {"content": [{"text": "no type"}]},
        {"content": "text"},
        {"stop_reason": None},
        {"stop_reason": ["end_turn"]},
        {"type": "error"},
        {"model": {"name": "x"}},
        {"id": 7},
    ],
)
def test_an_envelope_of_another_shape_is_no_message_and_counts_in_full(tmp_path, told):
    body = json.loads(message(json.dumps(claim())).body) | told
    with stub(lambda _: Answer(body=json.dumps(body).encode())) as server:
        made = adapter(tmp_path, server.address)
        error = failure(made)
    assert (error.failure, error.told) == (Failure.SERVER, "the answer is no message")
    assert made.spending().tokens > 2_000


@pytest.mark.parametrize(
    "body",
    [
        b"<html><body>200 OK</body></html>",
        b"event: message_start\ndata: {}\n\n",
        b"[" * 100_000,
        b'{"usage": {"input_tokens": ' + b"9" * 5_000 + b"}}",
        b"\xff\xfe\x00",
        b"",
    ],
)
def test_a_status_of_200_with_anything_but_json_is_no_message(tmp_path, body):
    with stub(lambda _: Answer(body=body)) as server:
        error = failure(adapter(tmp_path, server.address))
    assert (error.failure, error.told) == (Failure.SERVER, "the answer is no message")


def test_a_redirect_to_another_host_is_not_followed_and_the_key_does_not_go_there(tmp_path):
    for n, status in enumerate((301, 302, 303, 307, 308)):
        with stub(replying(claim())) as other:
            answer = Answer(status, b"", {"location": f"{other.address}/v1/messages"})
            with stub(lambda _, answer=answer: answer) as server:
                error = failure(adapter(tmp_path / str(n), server.address))
                assert len(server.heard) == 1
            assert not other.heard
        assert error.failure is Failure.SERVER


def test_a_tool_call_in_the_place_of_a_text_is_kept_as_no_proposal_and_nothing_is_called(
    tmp_path, irina
):
    told = json.loads(message("").body)
    call = {"type": "tool_use", "id": "t", "name": "promote", "input": claim()}
    body = json.dumps(told | {"content": [call], "stop_reason": "tool_use"}).encode()
    desk = desk_over(store_for(irina), irina)
    card = desk.card_of(stage(desk, TEXT).items[0])
    with stub(lambda _: Answer(body=body)) as server:
        (record,) = help_over(desk, adapter(tmp_path, server.address)).claims([card])
    assert (record.outcome, record.text, dict(record.pieces)) == (Outcome.MALFORMED, "", {})
    assert desk.standing().items == {}


def test_the_key_is_found_behind_escapes_too(tmp_path):
    hidden = "".join(f"\\u{ord(letter):04x}" for letter in KEY)
    with stub(replying(f'{{"said": "{hidden}"}}')) as server:
        error = failure(adapter(tmp_path, server.address))
    assert error.told == "the answer shows the key of the account"


@pytest.mark.parametrize(
    "text",
    [
        '{"facts": [], "facts": [], "task": "", "conclusion": "", "support": []}',
        json.dumps(claim(fact("Elektrostal", "Elektrostal", "a"))).replace(
            '"value"', '"value": "other", "value"'
        ),
        '{"facts": [], "task": "", "conclusion": "", "support": [NaN]}',
        '{"facts": [], "task": "", "conclusion": "", "support": [1e0]}',
        '{"facts": [], "task": "", "conclusion": "", "support": [true]}',
        "\ufeff" + json.dumps(claim()),
        json.dumps(claim()) + json.dumps(claim()),
        "```json\n" + json.dumps(claim()) + "\n```",
        "[" * 50_000,
    ],
)
def test_a_reply_that_two_readers_could_read_in_two_ways_is_malformed(text):
    reply = Reply(text, "end_turn", Usage(1, 1))
    assert outcome_of(request(), reply) == (Outcome.MALFORMED, None)


@pytest.mark.parametrize(
    "answering",
    [
        lambda _: Answer(401, f'{{"error": "bad key {KEY}"}}'.encode()),
        lambda _: Answer(302, b"", {"location": f"http://127.0.0.1:9/{KEY}"}),
        lambda _: Answer(200, b"{", {"x-key": KEY}),
        lambda _: Answer(200, b"not gzip", {"content-encoding": "gzip"}),
        lambda _: Answer(200, b"{}", {"transfer-encoding": KEY}),
    ],
)
def test_the_key_is_in_no_word_of_an_error_or_of_what_led_to_it(tmp_path, answering):
    with stub(answering) as server:
        made = adapter(tmp_path, server.address)
        error = failure(made)
    assert KEY not in f"{error} {error!r} {made!r} {vars(error)}"
    assert error.failure in (Failure.SERVER, Failure.UNAUTHORISED, Failure.UNREACHABLE)

"""The adapter over the real client and real HTTP: what is sent, how calls end, what they cost."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import replace
from datetime import timedelta

import pytest

from console.model.spending import Ledger
from console.model.spent_days import Spent
from review.facts import parameters
from review.facts.protocol import Setting
from review.proposals import requests
from review.proposals.jobs import Failure
from review.proposals.protocol import ModelError
from tests.conftest import Clock
from tests.console.messages_stub import Answer, claim, fault, message, replying
from tests.console.model_worlds import adapter, stub

TABLE = parameters.load()
TEXT = "Мы переехали в Электросталь. The main warehouse is Elektrostal."


def request(text: str = TEXT, model: str = "stub-model"):
    return requests.claim(model, text, Setting(), TABLE)


def failure(made, asked=None, key: str = "k1") -> ModelError:
    with pytest.raises(ModelError) as caught:
        made.ask(asked or request(), key)
    return caught.value


def test_what_the_dry_run_shows_is_what_is_sent_to_the_byte(tmp_path):
    with stub(replying(claim())) as server:
        made = adapter(tmp_path, server.address)
        shown = made.body(request())
        assert not server.heard
        made.ask(request(), "k1")
    (heard,) = server.heard
    assert heard.body == shown
    assert heard.path == "/v1/messages"
    assert json.loads(shown)["model"] == "stub-model"


def test_memory_is_one_string_in_the_role_of_the_user_and_never_in_the_system_role(tmp_path):
    with stub(replying(claim())) as server:
        adapter(tmp_path, server.address).ask(request(), "k1")
        told = server.heard[0].told
    assert set(told) == {"model", "max_tokens", "system", "messages", "output_config"}
    assert [one["role"] for one in told["messages"]] == ["user"]
    assert isinstance(told["messages"][0]["content"], str)
    assert TEXT not in told["system"]
    block = server.heard[0].data["claim"]
    assert block == {"id": "claim", "trust": "unverified-context", "text": TEXT}


def test_a_reply_comes_with_what_it_took_and_cost(tmp_path):
    with stub(replying(claim(), tokens=(1_000, 200))) as server:
        made = adapter(tmp_path, server.address, price_in="3", price_out="15.5")
        reply = made.ask(request(), "k1")
    assert json.loads(reply.text) == claim()
    assert (reply.stop, reply.answered_by) == ("end_turn", "stub-model")
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (1_000, 200)
    assert reply.usage.cost_micros == 3 * 1_000 + 3_100
    spent = made.spending()
    assert (spent.tokens, spent.cost_micros, spent.calls) == (1_200, 6_100, 1)


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        (fault(401, "authentication_error"), Failure.UNAUTHORISED),
        (fault(403, "permission_error"), Failure.UNAUTHORISED),
        (fault(429, "rate_limit_error"), Failure.RATE_LIMITED),
        (fault(529, "overloaded_error"), Failure.OVERLOADED),
        (fault(400, "invalid_request_error"), Failure.REJECTED),
        (fault(413, "request_too_large"), Failure.TOO_LONG),
        (fault(500, "api_error"), Failure.SERVER),
        (Answer(307, b"", {"location": "http://127.0.0.1:9/elsewhere"}), Failure.SERVER),
        (Answer(200, b"<html>"), Failure.SERVER),
        (Answer(200, b"[1]"), Failure.SERVER),
        (Answer(200, b'{"type":"message","content":[{"type":"text","text":7}]}'), Failure.SERVER),
        (Answer(200, b'{"type":"message","content":null}'), Failure.SERVER),
    ],
)
def test_each_way_to_fail_has_its_own_code_and_only_a_status_says_that_it_cost_nothing(
    tmp_path, answer, wanted
):
    with stub(lambda _: answer) as server:
        made = adapter(tmp_path, server.address)
        error = failure(made)
    assert error.failure is wanted
    assert "words of the server" not in str(error)
    assert (made.spending().tokens == 0) is (answer.status != 200)


def test_a_busy_service_is_tried_again_as_often_and_as_long_as_the_settings_say(tmp_path):
    answers = [fault(529, "overloaded_error"), fault(429, "rate_limit_error", retry_after="3")]
    with stub(lambda _: answers.pop(0) if answers else message(json.dumps(claim()))) as server:
        made = adapter(tmp_path, server.address, attempts=3)
        assert made.ask(request(), "k1").stop == "end_turn"
    assert made.waited == [0.5, 3.0]
    assert len(server.heard) == 3


def test_a_server_that_asks_for_a_long_wait_is_not_waited_for(tmp_path):
    with stub(lambda _: fault(429, "rate_limit_error", retry_after="86400")) as server:
        made = adapter(tmp_path, server.address, attempts=5, longest_wait=20.0)
        assert failure(made).failure is Failure.RATE_LIMITED
    assert made.waited == []
    assert len(server.heard) == 1


def test_a_timeout_counts_in_full_because_it_may_have_been_paid(tmp_path):
    with stub(lambda _: Answer(200, b"{}", delay=1.0)) as server:
        made = adapter(tmp_path, server.address, read_seconds=0.2, attempts=3)
        assert failure(made).failure is Failure.TIMEOUT
        assert len(server.heard) == 1
    assert made.spending().tokens >= len(made.body(request()))


def test_an_answer_that_cannot_be_unpacked_is_no_crash(tmp_path):
    with stub(lambda _: Answer(200, b"not gzip", {"content-encoding": "gzip"})) as server:
        error = failure(adapter(tmp_path, server.address))
    assert error.failure in (Failure.UNREACHABLE, Failure.SERVER)


def test_nobody_there(tmp_path):
    with stub(replying("{}")) as server:
        address = server.address
    assert failure(adapter(tmp_path, address)).failure is Failure.UNREACHABLE


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"key": None}, Failure.NO_KEY),
        ({"on": False}, Failure.OFF),
        ({"name": ""}, Failure.BAD_SETTINGS),
        ({"money_per_day": "1"}, Failure.BAD_SETTINGS),
        ({"tokens_per_day": 100}, Failure.BUDGET),
        (
            {"money_per_day": "0.0001", "price_in": "3", "price_out": "15"},
            Failure.BUDGET,
        ),
    ],
)
def test_without_a_key_switched_off_or_over_budget_nothing_is_sent(tmp_path, changes, wanted):
    with stub(replying("{}")) as server:
        assert failure(adapter(tmp_path, server.address, **changes)).failure is wanted
        assert not server.heard


def test_a_secret_that_is_left_in_a_request_is_not_sent(tmp_path):
    asked = request()
    data = asked.data.replace("Электросталь".encode(), b"ghp_" + b"a1B2c3D4e5" * 4)
    leaking = type(asked)(
        **{name: getattr(asked, name) for name in asked.__dataclass_fields__} | {"data": data}
    )
    with stub(replying("{}")) as server:
        assert failure(adapter(tmp_path, server.address), leaking).failure is Failure.SECRET
        assert not server.heard


def test_the_budget_is_never_passed_by_calls_side_by_side(tmp_path):
    """Twenty calls race for a budget of three; each of them is entered before it is made."""
    from concurrent.futures import ThreadPoolExecutor

    taken = (2_000, request().most_tokens)

    def slow(_heard):
        return replace(message("{}", tokens=taken), delay=0.1)

    with stub(slow) as server:
        body = adapter(tmp_path, server.address).body(request())
        taken = (len(body), request().most_tokens)
        made = adapter(tmp_path, server.address, tokens_per_day=3 * sum(taken))

        def ask(n: int) -> str:
            try:
                return made.ask(request(), f"k{n}").stop
            except ModelError as error:
                return error.failure

        with ThreadPoolExecutor(20) as pool:
            told = list(pool.map(ask, range(20)))
    assert len(server.heard) == told.count("end_turn") == 3
    assert set(told) == {"end_turn", Failure.BUDGET}


def test_the_count_begins_anew_at_midnight(tmp_path):
    clock = Clock()
    ledger = Ledger(tmp_path, clock)
    reserved = ledger.reserve("k", Spent(100, 5), tokens=1_000, micros=None)
    ledger.settle(reserved, 80, 4)
    assert ledger.spent() == Spent(80, 4, 1)
    clock.now += timedelta(days=1)
    assert ledger.spent() == Spent()


_CALLING = """
import sys
from pathlib import Path
from tests.console.model_worlds import adapter
from tests.console.test_model_adapter import request
adapter(Path(sys.argv[1]), sys.argv[2], read_seconds=60.0).ask(request(), "k")
"""


def test_a_call_of_a_killed_process_counts_in_full_and_may_be_made_again(tmp_path):
    with stub(lambda _: Answer(200, b"{}", delay=20.0)) as server:
        words = [sys.executable, "-c", _CALLING, str(tmp_path), server.address]
        with subprocess.Popen(words) as process:
            until = time.monotonic() + 60
            while not server.heard and process.poll() is None and time.monotonic() < until:
                time.sleep(0.05)
            assert server.heard, process.poll()
            made = adapter(tmp_path, server.address)
            assert failure(made, key="k").failure is Failure.IN_PROGRESS
            process.kill()
        most = len(server.heard[0].body) + request().most_tokens
        assert (made.spending().tokens, made.spending().calls) == (most, 1)
        server.answering = replying(claim(), tokens=(100, 20))
        assert made.ask(request(), "k").stop == "end_turn"
        assert (made.spending().tokens, made.spending().calls) == (most + 120, 2)


def test_a_line_that_was_cut_off_is_no_call(tmp_path):
    ledger = Ledger(tmp_path, Clock())
    ledger.reserve("k", Spent(100, 5), tokens=1_000, micros=None)
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes() + b'{"call": 2, "key": "k2", "tok')
    assert ledger.spent() == Spent(100, 5, 1)
    assert file.stat().st_mode & 0o077 == 0


def test_the_ledger_holds_numbers_and_no_words_of_what_was_asked(tmp_path):
    with stub(replying(claim())) as server:
        adapter(tmp_path, server.address).ask(request(), "k1")
    written = b"".join(file.read_bytes() for file in (tmp_path / "model").iterdir())
    assert b"Elektrostal" not in written
    assert b"key-of-a-test" not in written

"""Looking up the name of the service is inside of a call's time, whatever the resolver does."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.console.messages_stub import claim, replying
from tests.console.model_worlds import stub

_CALLING = """
import socket, sys, time
from pathlib import Path
from tests.console.model_worlds import adapter
from tests.console.test_model_adapter import request
from review.proposals.protocol import ModelError

folder, address, takes, stays = Path(sys.argv[1]), sys.argv[2], *map(float, sys.argv[3:])
found = socket.getaddrinfo

def slow(host, *words, **more):
    time.sleep(takes)
    return found(host, *words, **more)

socket.getaddrinfo = slow
model = adapter(folder, address, connect_seconds=0.5, read_seconds=0.7)
model.body(request())  # the client is imported
import console.model.connecting
begun = time.monotonic()
try:
    told = model.ask(request(), "k").stop
except ModelError as error:
    told = f"{error.failure}: {error.told}"
print(f"{time.monotonic() - begun:.2f}", told, flush=True)
time.sleep(stays)
"""
"""A process whose resolver takes so many seconds. It asks, and then stays for a while."""


@pytest.mark.parametrize(
    ("takes", "stays", "wanted"),
    [
        pytest.param(60.0, 0.0, "timeout: no whole answer within 1.2 s", id="never answers"),
        pytest.param(2.0, 2.5, "timeout: no whole answer within 1.2 s", id="answers too late"),
        pytest.param(0.3, 0.0, "end_turn", id="answers in time"),
    ],
)
def test_a_call_ends_by_its_time_and_sends_nothing_after_it(tmp_path, takes, stays, wanted):
    with stub(replying(claim())) as server:
        address = server.address.replace("127.0.0.1", "localhost")
        words = [sys.executable, "-c", _CALLING, str(tmp_path), address, str(takes), str(stays)]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
            took, told = process.stdout.readline().split(maxsplit=1)
            # A thread that still waits for the resolver does not keep the process.
            assert process.wait(timeout=30) == 0
        assert told.strip() == wanted
        assert 0.3 <= float(took) < 20, "a busy machine, and still no minute"
        assert len(server.heard) == (1 if wanted == "end_turn" else 0)

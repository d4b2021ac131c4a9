"""Model help over real stores, with the real client talking to a server on loopback."""

from __future__ import annotations

import random
from contextlib import contextmanager
from dataclasses import replace

from console.model.settings import ModelSettings
from console.model.spending import Ledger
from console.model_help import ModelHelp
from review.facts import parameters
from review.proposals.proposing import Proposing
from review.staged.placing import Writer
from tests.conftest import Clock
from tests.console.messages_stub import Stub

SETTINGS = ModelSettings(
    on=True, name="stub-model", tokens_per_day=1_000_000, read_seconds=5.0, attempts=1
)
KEY = "key-of-a-test"
TABLE = parameters.load()


def adapter(folder, address: str, *, key: str | None = KEY, clock=None, sleep=None, **changes):
    told = replace(SETTINGS, address=address, **changes)
    ledger = Ledger(folder / "model", clock or Clock())
    waited: list[float] = []
    made = ModelHelp(told, key, ledger, sleep=sleep or waited.append)
    made.waited = waited
    return made


def help_over(desk, model, *, seed: int = 5) -> Proposing:
    writer = Writer("p-test", Clock(), random.Random(seed).randbytes)
    return Proposing(desk, writer, TABLE, model)


@contextmanager
def stub(answering):
    with Stub(answering).running() as running:
        yield running

"""The budget of a day, with clocks that go on, go back and jump."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta

import pytest

from console.model.spending import Ledger
from console.model.spent_days import Spent
from review.proposals.jobs import Failure
from review.proposals.protocol import ModelError
from tests.conftest import NOON

DAY = timedelta(days=1)
MIDNIGHT = NOON.replace(hour=0) + DAY


class Still:
    """A clock that stands where it was set."""

    def __init__(self, now) -> None:
        self.now = now

    def __call__(self):
        return self.now


def at(moment) -> Still:
    return Still(moment)


def spend(ledger, key, tokens, *, budget=100):
    reserved = ledger.reserve(key, Spent(tokens, 0), tokens=budget, micros=None)
    ledger.settle(reserved, tokens, None)


def test_a_clock_that_goes_back_over_midnight_gives_no_day_a_second_budget(tmp_path):
    clock = at(MIDNIGHT - timedelta(seconds=10))
    ledger = Ledger(tmp_path, clock)
    spend(ledger, "k1", 90)
    clock.now = MIDNIGHT + timedelta(seconds=5)
    spend(ledger, "k2", 60)
    for key in ("k3", "k4"):  # back, and forth again
        clock.now -= timedelta(seconds=10)
        assert ledger.spent().tokens == 90
        with pytest.raises(ModelError) as caught:
            spend(ledger, key, 20)
        assert caught.value.failure is Failure.BUDGET
        clock.now += timedelta(seconds=10)
        assert ledger.spent().tokens == 60
    spend(ledger, "k5", 40)
    with pytest.raises(ModelError):
        spend(ledger, "k6", 1)


def test_a_call_over_midnight_is_settled_on_its_own_day_whatever_the_clock_says(tmp_path):
    clock = at(MIDNIGHT - timedelta(seconds=1))
    ledger = Ledger(tmp_path, clock)
    reserved = ledger.reserve("k", Spent(80, 0), tokens=100, micros=None)
    clock.now = MIDNIGHT + timedelta(seconds=1)
    assert ledger.spent() == Spent()
    ledger.settle(reserved, 30, None)
    assert ledger.spent() == Spent()
    clock.now -= timedelta(seconds=2)
    assert ledger.spent() == Spent(30, 0, 1)


@pytest.mark.parametrize("by", [timedelta(seconds=20), timedelta(seconds=-20)])
def test_the_same_is_not_asked_twice_at_once_over_midnight(tmp_path, by):
    clock = at(MIDNIGHT - by / 2)
    ledger = Ledger(tmp_path, clock)
    ledger.reserve("k", Spent(10, 0), tokens=100, micros=None)
    clock.now += by
    with pytest.raises(ModelError) as caught:
        ledger.reserve("k", Spent(10, 0), tokens=100, micros=None)
    assert caught.value.failure is Failure.IN_PROGRESS
    ledger.reserve("other", Spent(10, 0), tokens=100, micros=None)


def test_a_call_that_a_wrong_clock_entered_holds_nothing_back_for_long(tmp_path):
    """It was entered a day ahead, its process is gone, and another process has its number."""
    clock = at(NOON + DAY)
    ledger = Ledger(tmp_path, clock, longest_call=60)
    ledger.reserve("k", Spent(10, 0), tokens=100, micros=None)
    clock.now = NOON
    ledger.reserve("k", Spent(10, 0), tokens=100, micros=None)
    assert ledger.spent().tokens == 10


_RACING = """
import sys
from datetime import datetime
from pathlib import Path
from console.model.spending import Ledger
from console.model.spent_days import Spent
from review.proposals.protocol import ModelError
moment, key = datetime.fromisoformat(sys.argv[2]), sys.argv[3]
ledger = Ledger(Path(sys.argv[1]), lambda: moment)
try:
    ledger.reserve(key, Spent(10, 0), tokens=25, micros=None)
    print("made", flush=True)
    sys.stdin.read()
except ModelError as error:
    print(error.failure, flush=True)
"""


def test_processes_on_both_sides_of_midnight_are_counted_each_on_its_day(tmp_path):
    moments = [MIDNIGHT - timedelta(seconds=1), MIDNIGHT] * 4
    words = [
        [sys.executable, "-c", _RACING, str(tmp_path), moment.isoformat(), f"k{n}"]
        for n, moment in enumerate(moments)
    ]
    running = [
        subprocess.Popen(
            one, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=dict(os.environ)
        )
        for one in words
    ]
    told = [one.stdout.readline().strip() for one in running]
    for one in running:
        one.communicate("", timeout=30)
    assert sorted(told) == ["budget"] * 4 + ["made"] * 4
    for moment in moments[:2]:
        assert Ledger(tmp_path, lambda moment=moment: moment).spent().tokens == 20

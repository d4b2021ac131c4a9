"""How often past answers used a cell, by what the log says: as many as the list shows."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest

from console.signing import throwaway
from review.auditing import answers, reported
from review.auditing.reported import Document, Reported
from review.auditing.uses import used
from review.staged.placing import Writer
from tests.conftest import Clock, Reviewer
from tests.review.worlds import World, cell

TVER, HOURS = "Anna lives in Tver.", "The office in Tver is open until 18:00"


@pytest.fixture(scope="module")
def world():
    until = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)
    made = World(Reviewer("r-irina", throwaway(now=until)))
    made.remember([cell(TVER, "t:1", "2025-01-10"), cell(HOURS, "t:2", "2025-01-11")])
    for _ in range(3):
        made.desk.record_recall(made.answered("Where does Anna live?", "2026-03-01").recall)
    writer = Writer(
        "p-agent", Clock(datetime(2026, 3, 11, tzinfo=UTC)), random.Random(3).randbytes
    )
    read = (Document(f"From our notes. {HOURS}. Ask Ivan.", "", "0.4"),)
    told = Reported("When does the office close?", "At six", None, read, "tr-1", "door", "")
    reported.record(made.store, told, writer=writer)
    return made


def test_a_count_is_the_length_of_the_list(world):
    items = [*world.items.values(), "unknown"]
    counts = answers.uses(world.store, items)
    assert counts == {item: len(answers.using(world.store, item)) for item in items}
    assert sorted(counts.values()) == [0, 1, 3]


def test_the_most_used_come_first_and_unused_ones_not_at_all(world):
    one, two = world.items["t:1"], world.items["t:2"]
    assert used(world.store, [two, "unknown", one]) == ((one, 3), (two, 1))
    assert used(world.store, []) == ()

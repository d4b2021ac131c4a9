"""Looking away from a cell, quickly where nothing else hangs on it: the same numbers as anew."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from console.signing import throwaway
from review.auditing.answers import AnswersWanted
from review.auditing.recorded import of
from review.auditing.replay import Replay, WhatIf
from review.memory.remembering import Memory
from tests.conftest import Reviewer
from tests.review.worlds import World, cell

QUESTIONS = (
    "Where does Anna live?",
    "What about the blue lorry and the harbour?",
    "Where did Anna live last year?",
    "What changed about where Anna lives?",
)


@pytest.fixture(scope="module")
def world():
    until = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)
    made = World(Reviewer("r-irina", throwaway(now=until)))
    made.remember(
        [
            cell("Anna lives in Tver.", "t:1", "2025-01-10"),
            cell("Anna moved to Kazan.", "t:2", "2025-06-10"),
            cell("A blue lorry waits at the harbour every Monday", "t:3", "2025-07-01"),
            cell("A blue lorry waits at the harbour every Monday", "t:4", "2025-07-02"),
            cell("The harbour has a blue crane", "t:5", "2025-07-03"),
            cell("The lorry is late", "t:6", "2025-07-04", scope={"run": "r-1"}),
            cell("No, the blue lorry, at the harbour", "t:7", "2025-07-05", scope={"run": "r-1"}),
        ]
    )
    return made


def test_without_a_cell_every_number_is_as_if_nobody_had_approved_it(world):
    quick = 0
    for question in QUESTIONS:
        recall = world.answered(question, "2026-03-01").recall
        world.desk.record_recall(recall)
    found = world.desk.audit.page(AnswersWanted()).answers
    policy = world.desk.policy.policy
    replay = world.desk.audit.replay
    for answer in found:
        for item in world.items.values():
            told = replay.what_if(answer, policy, WhatIf(without=item))
            anew = _anew(world, answer, item)
            assert told == anew, (answer.question, item)
            quick += world.desk._inquiry.known(policy).without([item]) is not None
    assert quick == len(found) * 3  # three of the seven state nothing and stand alone


def test_a_cell_that_others_hang_on_is_not_looked_away_from_quickly(world):
    known = world.desk._inquiry.known(world.desk.policy.policy)
    alone = {name for name, item in world.items.items() if known.without([item]) is not None}
    assert alone == {"t:3", "t:4", "t:5"}
    assert known.without([world.items["t:3"], world.items["t:1"]]) is None


def _anew(world, answer, item):
    """The same over columns that were read for it alone."""
    inquiry = world.desk._inquiry
    kept, inquiry._memory = inquiry._memory, Memory(world.store, inquiry._memory._places_of)
    try:
        fresh = Replay(world.store, inquiry)
        made = fresh.recall(answer, world.desk.policy.policy, WhatIf(without=item))
        return of(made)
    finally:
        inquiry._memory = kept

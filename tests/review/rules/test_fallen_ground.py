"""Exported rules whose source was withdrawn, rejected, superseded or went stale since."""

from __future__ import annotations

import random

import pytest

from review.bundle import targets
from review.bundle.recording import Exporting
from review.facts import parameters
from review.memory.validity import Status
from review.policy import read_policy
from review.rules import ground
from review.rules.export_told import Opposes
from review.rules.fallen import Fall, fall_of
from review.staged.placing import Writer
from store.stages import DecisionKind, RejectReason, Stage, Stands
from tests.conftest import NOON, Clock
from tests.review.desks import POLICY, signer
from tests.review.rules import lessons


def exporting(desk):
    writer = Writer("p-test", Clock(), random.Random(5).randbytes)
    return Exporting(desk.store, desk.person, writer, desk.policy.sha256)


def export(desk, irina, item):
    opened = desk.rules.open(item)
    told = desk.rules.told(opened, desk.rules.begun(opened))
    return exporting(desk).export(told, targets.placed(told, None), signer(irina))


@pytest.fixture
def left(store, irina):
    """A desk from which one rule left, its insight, and the export."""
    desk, item = lessons.ready(store, irina)
    return desk, item, export(desk, irina, item)


def now_fallen(desk):
    return ground.fallen_now(desk.store, read_policy(POLICY), parameters.load(), NOON)


def test_an_export_changes_nothing_of_the_cell_and_stands(left, irina):
    desk, item, past = left
    card = desk.card_of(item)
    assert card.provenance["validation_state"] == "unverified"
    assert card.stage is Stage.DURABLE
    (one,) = desk.rules.exports()
    assert (one.past.export, one.fall) == (past.export, None)
    assert one.source_text.count(lessons.REASON) == 1
    assert desk.rules.fallen() == ()
    assert now_fallen(desk) == ()
    assert desk.rules.page().total == 1, "it stays a candidate: a hint like before"


def test_a_withdrawn_source_leaves_the_rule_on_fallen_ground_until_it_is_withdrawn_too(
    left, irina
):
    desk, item, past = left
    lessons.decide(desk, irina, DecisionKind.WITHDRAW, item)
    (one,) = desk.rules.fallen()
    assert (one.past.export, one.fall) == (past.export, Fall.WITHDRAWN)
    (told,) = now_fallen(desk)
    assert told.fall is Fall.WITHDRAWN
    exporting(desk).withdraw(past.export, "The source was taken back.", signer(irina))
    assert desk.rules.fallen() == ()
    assert now_fallen(desk) == ()
    (one,) = desk.rules.exports()
    assert one.past.withdrawn


def test_a_rejected_source_is_told_as_rejected(left, irina):
    desk, item, _ = left
    lessons.decide(desk, irina, DecisionKind.WITHDRAW, item)
    lessons.decide(desk, irina, DecisionKind.REJECT, item, reason=str(RejectReason.WRONG))
    assert [one.fall for one in desk.rules.fallen()] == [Fall.REJECTED]


def test_an_earlier_export_is_a_conflict_of_a_lesson_that_says_the_opposite(left, irina):
    desk, _, past = left
    opposite = "In March we usually did not ship jackets to Elektrostal when Koledino was full."
    runs = lessons.supporting(reason=opposite, act="ship to Elektrostal", people=("a", "b", "c"))
    for one in runs:
        one.found.run["session"] = f"t-{one.found.source_id}"
    item = lessons.learn(desk, irina, runs)
    found = desk.rules.open(item).conflicts
    assert (Opposes.EXPORT, past.export) in [(one.with_, one.other) for one in found]
    assert Opposes.CELL in [one.with_ for one in found]


class Signed:
    item, rev, artifact = "a", 1, "0" * 64


def stands(stage=Stage.DURABLE, rev=1):
    return Stands(rev, "0" * 64, stage, by="r", signed_at="", statement="", count=1)


@pytest.mark.parametrize(
    ("items", "statuses", "expected"),
    [
        ({"a": stands()}, {"a": Status.ACTIVE}, None),
        ({"a": stands()}, {"a": Status.STABLE}, None),
        ({"a": stands()}, {"a": Status.SUPERSEDED}, Fall.SUPERSEDED),
        ({"a": stands()}, {"a": Status.STALE}, Fall.STALE),
        ({"a": stands(rev=2)}, {"a": Status.ACTIVE}, Fall.CHANGED),
        ({"a": stands(Stage.ERASED)}, {}, Fall.FORGOTTEN),
        ({"a": stands(Stage.REJECTED)}, {}, Fall.REJECTED),
        ({"a": stands(Stage.STAGED)}, {}, Fall.WITHDRAWN),
        ({"a": stands(Stage.DEFERRED)}, {}, Fall.WITHDRAWN),
        ({}, {}, Fall.WITHDRAWN),
    ],
)
def test_what_became_of_a_source(items, statuses, expected):
    assert fall_of(Signed, items, statuses) == expected

"""What stood at every earlier moment, told by taking back, equals a fold that stopped there."""

from __future__ import annotations

import contextlib
import random
from dataclasses import fields

import pytest

from store import judging, past
from store.events import EventType
from store.links import NOTHING, LinkVerdict
from store.log import AlreadyDecidedError, Entry
from store.rule_exports import ExportAct
from store.signers import NotAcceptedError
from store.stages import DecisionKind, IllegalMoveError
from store.standing import Standing
from store.statements import ReviewerStatement
from tests.contract import test_links as links
from tests.contract import test_rule_exports as exports
from tests.contract.staged import decide, happening, stage, verdict
from tests.store.forgotten import forget

ACTS = 60


def assert_told_alike(store):
    """Against every signed event, judged again from the first one on."""
    expected = Standing(store.store_id, store.tenant_id, store._trust)
    with store.held(), store._opener.work() as connection:
        judge = judging.Judge(connection)
        events = past.signed_events(connection, 0)
        signed = {event.seq: one for event, one in past.with_signatures(connection, events)}
        for event in store.events():
            assert_equal(store.standing_at(event.seq), expected)
            if event.seq in signed:
                judge.take(expected, event, signed[event.seq])
            expected.position = event.seq + 1
        assert_equal(store.standing_at(expected.position), expected)
    assert_equal(store.standing(), expected)


def assert_equal(told, expected):
    assert type(told) is Standing
    for part in fields(Standing):
        assert getattr(told, part.name) == getattr(expected, part.name), part.name
    for ordered in ("items", "links", "forgets", "exports"):
        assert list(getattr(told, ordered)) == list(getattr(expected, ordered)), ordered


class Histories:
    """Draws what somebody may do next. Some of it does not fit, and is refused by the store."""

    def __init__(self, store, reviewer, other, seed):
        self.store, self.reviewer, self.other = store, reviewer, other
        self.draw = random.Random(seed)
        self.items = [f"item-{n}" for n in range(8)]

    def item(self):
        return self.draw.choice(self.items)

    def decision(self):
        kinds = [DecisionKind.APPROVE, *DecisionKind]
        some = self.draw.sample(self.items, 2)
        return decide(
            self.store,
            self.reviewer,
            *(verdict(self.store, one, self.draw.choice(kinds)) for one in some),
        )

    def link(self):
        start, target = self.draw.sample(self.items[:3], 2)
        said = self.draw.choice([one for one in LinkVerdict if one in _LINKED])
        stood = links.standing_pairs(self.store)
        stood = stood.get((start, target)) or stood.get((target, start)) or NOTHING
        one = links.link(self.store, start, target, said, stood)
        return links.entry(self.store, self.reviewer, one)

    def export(self):
        act = self.draw.choice(list(ExportAct))
        durable = [item for item, _rev, _artifact in self.store.standing().durable()]
        item = self.draw.choice(durable or self.items)
        return exports.entry(self.store, self.reviewer, item, act=act)

    def enrolment(self):
        added = self.other.name not in self.store.standing().keys
        kind = EventType.REVIEWER_ADDED if added else EventType.REVIEWER_REVOKED
        told = ReviewerStatement(
            "added" if added else "revoked",
            self.other.name,
            self.other.key.public,
            signed_at=f"2026-03-10T12:00:{self.draw.randrange(60):02d}.000000Z",
            by=self.reviewer.name,
            store=self.store.store_id,
            tenant=self.store.tenant_id,
        )
        (signed,) = self.reviewer.key.sign([told.encode()], now=self.reviewer.key._until)
        return Entry(happening(kind, name=""), signed=signed)

    def request(self):
        return forget(self.store, self.reviewer, self.item(), forget=f"f-{self.draw.random()}")


_LINKED = (LinkVerdict.ASSERTED, LinkVerdict.DIFFERENT, LinkVerdict.RETRACTED)
_REFUSED = (NotAcceptedError, IllegalMoveError, AlreadyDecidedError, KeyError)


@pytest.mark.parametrize("seed", range(3))
def test_every_moment_is_told_as_by_a_fold_that_stopped_there(store, chance, irina, mallory, seed):
    made = Histories(store, irina, mallory, seed)
    store.append(stage(store, chance, *(str(n) for n in range(8))))
    acts = [made.decision, made.decision, made.link, made.link, made.export, made.enrolment]
    took = set()
    with store.held():
        for n in range(ACTS):
            act = made.draw.choice(acts) if n < ACTS - 4 else made.request
            with contextlib.suppress(*_REFUSED):
                store.append(act())
                took.add(act.__name__)
    assert took == {"decision", "link", "export", "enrolment", "request"}
    assert_told_alike(store)

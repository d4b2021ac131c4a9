"""Once a forget request is signed no reader of the desk gets the text, now or as of before."""

from __future__ import annotations

from dataclasses import replace

import pytest

from review.deciding import Wish
from review.inquiry import Question
from review.queue import Lane, Wanted
from store import forgetting
from store.stages import DecisionKind, Stage
from tests.conftest import Clock
from tests.review.desks import desk_over, proposal, reading, signer
from tests.store.forgotten import a_store, contents_of, forget, olga

GONE = "Ana lives in Lisbon near the river Tagus since 2024"
LATER = "2027-01-01T00:00:00.000000Z"
STAYS = "Ana prefers dark roast coffee in the morning"


@pytest.fixture
def desk(tmp_path):
    path = tmp_path / "t" / "store.duckdb"
    store = a_store(path, olga())
    clock = Clock()
    desk = desk_over(store, olga(), clock=clock)
    desk.store = store
    items = desk.stage(reading([proposal(GONE), proposal(STAYS)])).items
    waiting = desk.stage(reading([proposal(GONE + ", they say")], name="b")).items
    for item in items:
        desk.draft(desk.card_of(item), Wish(DecisionKind.APPROVE, nonce=desk.new_nonce()))
    assert desk.sign(signer(olga())).recorded
    desk.items, desk.before = (*items, *waiting), clock()
    return desk


def everything(desk):
    """Whatever the desk hands out, as one text."""
    told = [desk.facts(Wanted()), desk.facts(Wanted(q="Lisbon"))]
    told += [desk.waiting(Wanted(lane=lane)) for lane in (Lane.ROUTINE, Lane.NEEDS_EYES)]
    told += [desk.card_of(item) for item in desk.items]
    told += [desk.life(item) for item in desk.items]
    told.append(desk.claims_of(desk.items))
    told.append(desk.ask(Question("Where does Ana live?")))
    told.append(desk.ask(Question("Where does Ana live?", as_of=desk.before)))
    return repr(told)


def test_a_forgotten_record_is_in_nothing_that_the_desk_hands_out(desk):
    store, gone = desk.store, (desk.items[0], desk.items[2])
    assert everything(desk).count("Lisbon") > 3
    past = repr(desk.ask(Question("Where does Ana live?", as_of=desk.before)))
    assert "Lisbon" in past  # it is in this process's memory now, as of then too
    entry = forget(store, olga(), *gone)
    store.append(replace(entry, happening=replace(entry.happening, recorded_at=LATER)))
    for _ in range(2):  # before the bytes are erased, and after
        assert "Lisbon" not in everything(desk)
        assert "dark roast" in everything(desk)
        assert desk.durable_count() == 1
        assert {desk.standing().stage_of(item, 1) for item in gone} == {Stage.ERASED}
        forgetting.carry_out(store, forgetting.pending(store), store.path.parent)
    assert store.payloads(contents_of(store, *gone)) == {}

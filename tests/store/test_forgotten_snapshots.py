"""What is published after a forget request: the rest, verified, and no word of what went."""

from __future__ import annotations

import duckdb
import pytest

from store import forgetting
from tests.store.forgotten import forget
from tests.store.publishing_worlds import World


@pytest.fixture
def world(tmp_path, irina) -> World:
    made = World(tmp_path / "acme", irina)
    made.learn("this one stays for good", "this one has to go away", "and another one")
    return made


def durable(found) -> set[str]:
    return {item for item, _rev, _artifact in found.standing().durable()}


def words(path):
    with duckdb.connect(str(path), read_only=True) as connection:
        rows = connection.execute("select decode(body) from vault_payload").fetchall()
    return {text for (text,) in rows}


def test_a_reader_of_the_old_snapshot_is_denied_it_and_the_next_one_has_no_word_of_it(world):
    world.publish()
    before = world.snapshot()
    world.store.append(forget(world.store, world.reviewer, "item-this one has to go away"))
    world.publishing.deny(world.sign)
    assert durable(world.read()) == {"item-this one stays for good", "item-and another one"}
    world.publish()
    assert durable(world.read()) == {"item-this one stays for good", "item-and another one"}
    assert world.snapshot() != before
    assert "this one has to go away" not in words(world.snapshot())
    assert "this one stays for good" in words(world.snapshot())


def test_decisions_and_snapshots_go_on_after_an_erasure(world):
    store = world.store
    store.append(forget(store, world.reviewer, "item-this one has to go away"))
    forgetting.carry_out(store, forgetting.pending(store), store.path.parent)
    world.learn("something new afterwards")
    world.publish()
    assert "item-something new afterwards" in durable(world.read())
    assert set(world.read().standing().forgets) == {"f-1"}

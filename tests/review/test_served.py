"""What is served is what was signed: content is opened again, and held against its commitment."""

from __future__ import annotations

import pytest

from store.log import DamagedStoreError
from tests.review.worlds import World, admitted, cell

QUESTION = "Where does Ana live?"


def forged(world: World, sql: str) -> None:
    with world.store._opener.work() as connection:
        from sqlalchemy import text

        connection.execute(text(sql))


@pytest.fixture
def world(irina) -> World:
    return World(irina).remember(
        [
            cell("Ana lives in Kazan.", "ana", "2026-01-01"),
            cell("Bob lives in Perm.", "bob", "2026-01-01"),
        ]
    )


def test_an_untouched_cell_is_served(world):
    assert admitted(world.ask(QUESTION, "2026-03-10")) == {"ana"}


def test_altered_words_are_not_served(world):
    forged(
        world,
        "update vault_payload set body = encode('Ana lives in Omsk.')"
        " where decode(body) = 'Ana lives in Kazan.'",
    )
    with pytest.raises(DamagedStoreError):
        world.ask(QUESTION, "2026-03-10")


def test_a_list_that_points_at_other_words_is_not_served(world):
    forged(
        world,
        "update proj_item set text_c = (select commitment from vault_payload"
        " where decode(body) = 'Bob lives in Perm.' and role = 'text')",
    )
    with pytest.raises(DamagedStoreError):
        world.ask("Where does Bob live? Where does Ana live?", "2026-03-10")


def test_a_table_that_says_durable_makes_nothing_durable(world):
    world.stage([cell("Ana lives in Sochi.", "forged", "2026-02-01")])
    forged(world, "update proj_item set stage = 'durable'")
    assert admitted(world.ask(QUESTION, "2026-03-10")) == {"ana"}

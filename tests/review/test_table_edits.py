"""A table that pages query can be edited by whoever has the file; nothing served follows it."""

import pytest
from sqlalchemy import text

from review.queue import Wanted
from store.duckdb_store import DuckDbStore
from store.log import DamagedStoreError
from store.stages import DecisionKind
from tests.review.desks import desk_over
from tests.review.worlds import World, admitted, cell

OLD, OTHER = "The main warehouse is Koledino.", "Deliveries leave on Tuesdays."
QUESTION = "What is the main warehouse?"


@pytest.fixture
def world(irina, tmp_path):
    rows = [cell(OLD, "a", "2026-01-01"), cell(OTHER, "b", "2026-01-02")]
    return World(irina, tmp_path / "s" / "store.duckdb").remember(rows)


def edited(world, statement, **values):
    """The same world after an edit behind its back, opened anew."""
    with world.store._opener.work() as connection:
        connection.execute(text(statement), values)
    world.store = DuckDbStore(world.store.path, trust=world.irina.root)
    world.desk = desk_over(world.store, world.irina)
    return world


@pytest.mark.parametrize("kind", ["supersedes", "conflicts_with", "depends_on"])
def test_an_inserted_link_withholds_nothing_and_shows_on_no_card(world, kind):
    by_claim = {row.claim: row.item for row in world.desk.facts(Wanted()).rows}
    insert = "insert into proj_edge values (:other, 1, :kind, :old, '1', 'person')"
    world = edited(world, insert, other=by_claim[OTHER], old=by_claim[OLD], kind=kind)
    assert admitted(world.ask(QUESTION, "2026-03-10")) == {"a"}
    assert world.desk.card_of(by_claim[OLD]).links == ()


def test_a_link_that_was_signed_counts_though_its_row_is_gone(irina, tmp_path):
    new = cell(
        "The main warehouse is Elektrostal.",
        "c",
        "2026-02-01",
        edges=[{"kind": "supersedes", "target": "a"}],
    )
    rows = [cell(OLD, "a", "2026-01-01"), new]
    world = World(irina, tmp_path / "t" / "store.duckdb").remember(rows)
    world = edited(world, "delete from proj_edge")
    assert admitted(world.ask(QUESTION, "2026-03-10")) == {"c"}


def test_a_list_that_shows_another_record_is_damage(world):
    item = world.desk.facts(Wanted()).rows[0].item
    world = edited(world, "update proj_item set digest = repeat('0', 64)")
    with pytest.raises(DamagedStoreError):
        world.desk.card_of(item)


@pytest.mark.parametrize(
    "statement",
    ["delete from proj_edge", "update proj_item set source_type = 'document'"],
)
def test_no_warning_leaves_a_card_with_a_row_of_a_list(irina, tmp_path, statement):
    """What was made from a rejected page is not shown as if nothing were the matter."""
    made = [{"kind": "derived_from", "target": "page"}]
    rows = [
        cell(OLD, "page", "2026-01-01", source_type="foreign_memory"),
        cell(OLD + " !", "mid", "2026-01-02", source_type="document", edges=made),
        cell(
            OTHER,
            "top",
            "2026-01-03",
            source_type="document",
            edges=[{"kind": "derived_from", "target": "mid"}],
        ),
    ]
    world = World(irina, tmp_path / "u" / "store.duckdb")
    world.stage(rows)
    world.decide(DecisionKind.REJECT, "page", reason="wrong")
    top, before = world.items["top"], ["authority_above_source", "made_from_rejected"]
    told = [flag.code for flag in world.desk.card_of(top).flags]
    assert set(before) <= set(told)
    world = edited(world, statement)
    assert [flag.code for flag in world.desk.card_of(top).flags] == told

"""What one reader gets of approved memory: recalls, ranges of what is named, hints, limits."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from review import handed, recording
from review.deciding import Wish
from review.doorway import Doorway, NotThereError
from review.editing import Edit
from review.facts import parameters
from review.facts.grammar import GrammarParser
from review.read_rules import Purpose
from review.readers import Reader
from store.cells import Case, Kind, Stance
from store.duckdb_store import DuckDbStore
from store.records import Outcome
from store.stages import DecisionKind
from tests.conftest import created
from tests.review.desks import desk_over, proposal, reading, signer

NOW = datetime(2026, 3, 11, 12, tzinfo=UTC)


@pytest.fixture
def store(irina) -> DuckDbStore:
    return DuckDbStore.create(
        None,
        store_id="store-1",
        tenant_id="tenant-1",
        key=bytes(range(32)),
        first=created(),
        trust=irina.root,
    )


@pytest.fixture
def desk(store, irina):
    return desk_over(store, irina)


def approved(desk, irina, *items: str) -> None:
    for item in items:
        shown = desk.card_of(item)
        ticks = tuple(str(flag.code) for flag in shown.flags)
        wish = Wish(DecisionKind.APPROVE, nonce=desk.new_nonce(), acknowledged=ticks)
        desk.draft(shown, wish)
    assert not desk.sign(signer(irina)).set_aside


def doorway(store, **limits) -> Doorway:
    table = parameters.load()
    reader = Reader(**({"purpose": Purpose.TASK, "scope": {"user": "ana"}} | limits))
    return Doorway(store, reader, GrammarParser(table), table)


def test_a_pointer_gives_the_range_of_what_it_names(desk, store, irina):
    bulk = "step done; " * 9_000
    desk.stage(reading([proposal(bulk[:65_000])]))
    (old,) = [row["item"] for row in store.rows("select item from proj_item")]
    edit = Edit("Log of the March migration", Kind.FACT, pointer=True)
    receipt = desk.edit_as_new(desk.card_of(old), edit, nonce=desk.new_nonce())
    desk.sign(signer(irina))
    approved(desk, irina, *receipt.items)
    (item,) = receipt.items
    door = doorway(store)
    (piece,) = door.pieces([item], start=5, end=9, now=NOW)
    assert (piece.body, piece.size) == (b"done", 65_000)
    (piece,) = door.pieces([item], start=64_990, end=10**9, now=NOW)
    assert (piece.end, piece.body) == (65_000, bulk[64_990:65_000].encode())
    (piece,) = door.pieces([item], start=70_000, end=80_000, now=NOW)
    assert piece.body == b""
    told = json.dumps(
        door.value(door.recall("What of the March migration?", asked_at=None, now=NOW))
    )
    assert "March migration" in told
    assert "step done" not in told
    with pytest.raises(NotThereError):
        door.pieces([old], start=0, end=9, now=NOW)
    with store._opener.work() as connection:
        connection.execute(text("delete from vault_payload where octet_length(body) = 65000"))
    with pytest.raises(NotThereError):
        doorway(store).pieces([item], start=0, end=9, now=NOW)


def test_what_does_not_hold_now_is_not_there_by_its_id(desk, store, irina):
    receipt = desk.stage(
        reading(
            [
                proposal("Ana lives in Kazan.", written_at="2026-01-01T10:00:00Z"),
                proposal("Ana moved to Perm.", written_at="2026-02-01T10:00:00Z"),
                proposal("The fair ends in May.", expires_at="2026-03-01"),
            ]
        )
    )
    assert receipt.counts[Outcome.WRITTEN] == 3
    approved(desk, irina, *receipt.items)
    old, new, expired = receipt.items
    door = doorway(store)
    assert door.pieces([new], start=0, end=99, now=NOW)[0].body == b"Ana moved to Perm."
    for item in (old, expired):
        with pytest.raises(NotThereError) as refused:
            door.pieces([item], start=0, end=99, now=NOW)
        assert str(refused.value) == str(NotThereError("another"))  # why is not said


def test_a_hint_says_how_many_independent_cases_are_for_and_against_it(desk, store, irina):
    cases = (
        Case("run-1", Stance.SUPPORTS, session="s1", by="ana"),
        Case("run-2", Stance.SUPPORTS, session="s2", by="bob"),
        Case("run-3", Stance.SUPPORTS, session="s2", by="cy"),
        Case("run-4", Stance.CONTRADICTS, session="s4", by="di"),
        Case("run-5", Stance.SUPPORTS, session="s5", by="ed", recalled=True),
    )
    insight = proposal(
        "Check the customs code before shipping to Kazakhstan.",
        kind=Kind.INSIGHT,
        cases=cases,
        polarity="do",
    )
    receipt = desk.stage(reading([insight]))
    approved(desk, irina, *receipt.items)
    door = doorway(store)
    recall = door.recall("What about the customs code for Kazakhstan?", asked_at=None, now=NOW)
    (part,) = door.value(recall)["parts"]
    (hint,) = part["insights"]
    assert (hint["for"], hint["against"], hint["polarity"]) == (2, 1, "do")
    assert (hint["form"], hint["validation_state"]) == ("hint", "unverified")
    assert part["memory"] == []
    assert handed.NOTE in json.dumps(door.value(recall))


def test_ids_of_what_a_reader_is_not_told_of_are_in_no_number_of_its_recall(desk, store, irina):
    """Gaps and changes that are due may come from cells of other users; their ids stay away."""
    receipt = desk.stage(
        reading(
            [
                proposal("Bob's carrier is Boxberry.", scope={"user": "bob"}),
                proposal("From 1 June 2026 the carrier of Bob is Ozon.", scope={"user": "bob"}),
                proposal("Ana's carrier was Sdek until 2025-01-01.", scope={"user": "ana"}),
            ]
        )
    )
    approved(desk, irina, *receipt.items)
    recall = doorway(store).recall(
        "Which carrier does Bob use next summer?", asked_at=None, now=NOW
    )
    told = recording.encoded(recall).decode()
    for item in receipt.items[:2]:
        assert item not in told


def test_a_door_that_was_warmed_gives_what_one_that_was_not_gives(desk, store, irina):
    texts = ("Ana moved to Kazan.", "The March migration ran nine days.", "The fair ends in May.")
    receipt = desk.stage(
        reading([proposal(one, written_at="2026-02-01T10:00:00Z") for one in texts])
    )
    doorway(store).warm(NOW)  # nothing is durable yet
    approved(desk, irina, *receipt.items)
    size = store.head().size
    warmed, cold = doorway(store), doorway(store)
    warmed.warm(NOW)
    assert store.head().size == size
    asked = {"Where does Ana live?": "Kazan", "What of the March migration?": "nine days"}
    for question, answer in asked.items():
        one, other = (door.recall(question, asked_at=None, now=NOW) for door in (warmed, cold))
        assert recording.encoded(one) == recording.encoded(other)
        assert warmed.value(one) == cold.value(other)
        assert answer in json.dumps(warmed.value(one))

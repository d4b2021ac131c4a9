"""What every store promises. A later store adds a parameter to the ``store`` fixture, no test."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import replace

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from store.events import EventType
from store.log import AlreadyDecidedError, LogMovedError
from store.signatures import armored, to_be_signed
from store.stages import DecisionKind, IllegalMoveError, Stage
from store.standing import NotAcceptedError
from store.statements import Seen, SignedStatement
from tests.contract.staged import artifact_of, decide, happening, stage, verdict


def test_events_come_back_in_order_and_chained(store, chance):
    store.append(stage(store, chance, "a", "b"))
    first, second = store.events()
    assert [first.seq, second.seq] == [0, 1]
    assert second.body["leaves"] == 2
    assert store.head().chain == second.digest
    assert len(store.leaves(1)) == 2


def test_an_append_after_an_old_position_is_refused_and_nothing_is_stored(store, chance):
    store.append(stage(store, chance, "a"))
    with pytest.raises(LogMovedError, match="Nothing was saved"):
        store.append(stage(store, chance, "b"), after=1)
    assert store.head().size == 2
    assert store.rows("select count(*) as n from proj_item")[0]["n"] == 1


@pytest.mark.parametrize("act", ["update log_event set type = 'x'", "delete from log_leaf"])
def test_the_database_itself_refuses_to_change_the_log(store, chance, act):
    store.append(stage(store, chance, "a"))
    with pytest.raises(DBAPIError, match="append-only"), store._opener.work() as connection:
        connection.execute(text(act))
    assert store.head().size == 2


def test_content_is_read_back_through_its_commitment(store, chance):
    entry = stage(store, chance, "склад — Коледино")
    store.append(entry)
    payload = entry.payloads[0]
    assert store.payloads([payload.commitment, "f" * 64]) == {payload.commitment: payload}


def test_a_signed_approval_makes_exactly_that_item_durable(store, chance, irina):
    store.append(stage(store, chance, "a", "b"))
    store.append(decide(store, irina, verdict(store, "item-a")))
    standing = store.standing()
    assert standing.stage_of("item-a", 1) == Stage.DURABLE
    assert standing.stage_of("item-b", 1) == Stage.STAGED
    assert standing.items["item-a"].artifact == artifact_of(store, "item-a")[1]


def test_an_unsigned_decision_is_refused(store, chance):
    store.append(stage(store, chance, "a"))
    with pytest.raises(NotAcceptedError, match="signature"):
        store.append(replace(stage(store, chance), happening=happening(EventType.BATCH_DECIDED)))
    assert store.head().size == 2


def test_a_signature_by_an_unknown_key_is_refused(store, chance, irina, mallory):
    store.append(stage(store, chance, "a"))
    forged = replace(mallory, name=irina.name)
    with pytest.raises(NotAcceptedError, match="not a key of reviewer"):
        store.append(decide(store, forged, verdict(store, "item-a")))


def test_a_signature_over_other_bytes_is_refused(store, chance, irina):
    store.append(stage(store, chance, "a"))
    entry = decide(store, irina, verdict(store, "item-a"))
    other = decide(store, irina, verdict(store, "item-a", DecisionKind.REJECT))
    swapped = SignedStatement(entry.signed.statement, other.signed.signature)
    with pytest.raises(NotAcceptedError, match="does not match"):
        store.append(replace(entry, signed=swapped))


def test_a_signature_made_for_another_purpose_is_refused(store, chance, irina):
    store.append(stage(store, chance, "a"))
    entry = decide(store, irina, verdict(store, "item-a"))
    raw = irina.key._key.sign(to_be_signed(entry.signed.statement, "git"))
    signed = SignedStatement(entry.signed.statement, armored(irina.key.public, raw, "git"))
    with pytest.raises(NotAcceptedError, match="is for 'git'"):
        store.append(replace(entry, signed=signed))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"store": "store-2"}, "another store"),
        ({"tenant": "tenant-2"}, "another store or tenant"),
        ({"reviewer_seq": 2}, "not the next"),
        ({"reviewer_seq": 0}, "not the next"),
    ],
)
def test_a_statement_for_elsewhere_or_out_of_turn_is_refused(store, chance, irina, changes, why):
    store.append(stage(store, chance, "a"))
    with pytest.raises(NotAcceptedError, match=why):
        store.append(decide(store, irina, verdict(store, "item-a"), changes=changes))


def test_a_statement_over_a_log_that_is_not_this_ones_beginning_is_refused(store, chance, irina):
    store.append(stage(store, chance, "a"))
    entry = decide(store, irina, verdict(store, "item-a"))
    with pytest.raises(NotAcceptedError, match="not a beginning"):
        store.append(decide(store, irina, verdict(store, "item-a"), prev=Seen(2, "0" * 64)))
    store.append(stage(store, chance, "b"))
    store.append(entry)
    assert store.standing().stage_of("item-a", 1) == Stage.DURABLE


def test_one_changed_bit_of_the_artifact_is_not_approved(store, chance, irina):
    store.append(stage(store, chance, "a"))
    digest = artifact_of(store, "item-a")[1]
    flipped = f"{int(digest[0], 16) ^ 1:x}{digest[1:]}"
    with pytest.raises(NotAcceptedError, match="not the artifact that was signed"):
        store.append(decide(store, irina, verdict(store, "item-a", artifact=flipped)))


def test_an_approval_of_a_replaced_revision_is_refused(store, chance, irina):
    store.append(stage(store, chance, "old", names=("item-1",)))
    entry = decide(store, irina, verdict(store, "item-1"))
    store.append(stage(store, chance, "new", rev=2, names=("item-1",)))
    with pytest.raises(NotAcceptedError, match="Open it again"):
        store.append(entry)
    assert store.standing().stage_of("item-1", 2) == Stage.STAGED
    store.append(decide(store, irina, verdict(store, "item-1")))
    assert store.standing().stage_of("item-1", 2) == Stage.DURABLE


def test_an_old_statement_cannot_be_played_again(store, chance, irina):
    store.append(stage(store, chance, "a"))
    entry = decide(store, irina, verdict(store, "item-a"))
    store.append(entry)
    store.append(decide(store, irina, verdict(store, "item-a", DecisionKind.WITHDRAW)))
    assert store.standing().stage_of("item-a", 1) == Stage.STAGED
    with pytest.raises(NotAcceptedError, match="not the next"):
        store.append(entry)
    assert store.standing().stage_of("item-a", 1) == Stage.STAGED


def test_a_withdrawn_approval_can_be_given_again(store, chance, irina):
    store.append(stage(store, chance, "a"))
    for decision in (DecisionKind.APPROVE, DecisionKind.WITHDRAW, DecisionKind.APPROVE):
        store.append(decide(store, irina, verdict(store, "item-a", decision)))
    assert store.standing().stage_of("item-a", 1) == Stage.DURABLE


def test_a_decision_that_does_not_fit_the_stage_is_refused(store, chance, irina):
    store.append(stage(store, chance, "a"))
    with pytest.raises(IllegalMoveError, match="it is staged now"):
        store.append(decide(store, irina, verdict(store, "item-a", DecisionKind.WITHDRAW)))


def test_a_batch_is_accepted_as_a_whole_or_not_at_all(store, chance, irina):
    store.append(stage(store, chance, "a", "b"))
    bad = verdict(store, "item-b", artifact="0" * 64)
    with pytest.raises(NotAcceptedError):
        store.append(decide(store, irina, verdict(store, "item-a"), bad))
    assert not store.standing().items


def test_of_fifty_racing_decisions_one_wins_and_the_others_hear_who_was_first(
    store, chance, irina
):
    store.append(stage(store, chance, "a"))
    with store.held():
        entries = [
            decide(store, irina, verdict(store, "item-a", nonce=f"n-{n}"), nonce=f"b-{n}")
            for n in range(50)
        ]
    heard: Counter[str] = Counter()
    start = threading.Barrier(len(entries))

    def race(entry):
        start.wait()
        try:
            store.append(entry)
            heard["won"] += 1
        except AlreadyDecidedError as refused:
            heard["told" if "durable by r-irina" in str(refused) else str(refused)] += 1

    threads = [threading.Thread(target=race, args=(entry,)) for entry in entries]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert heard == {"won": 1, "told": 49}


def test_rebuilt_projections_equal_the_ones_that_grew(store, chance, irina):
    store.append(stage(store, chance, "a", "b", "linked"))
    store.append(decide(store, irina, verdict(store, "item-a")))
    store.append(stage(store, chance, "c2", rev=2, names=("item-b",)))
    store.append(decide(store, irina, verdict(store, "item-linked", DecisionKind.REJECT)))
    tables = ["proj_item", "proj_edge", "proj_import", "proj_decision", "proj_root", "proj_peak"]

    def everything():
        return {name: store.rows(f"select * from {name} order by all") for name in tables}

    grown = everything()
    store.rebuild()
    for name, rows in everything().items():
        assert rows, name
        assert rows == grown[name], name


def test_a_row_that_claims_to_be_durable_has_no_effect_without_a_signature(store, chance):
    store.append(stage(store, chance, "a"))
    with store._opener.work() as connection:
        connection.execute(text("update proj_item set stage = 'durable'"))
    assert store.standing().stage_of("item-a", 1) == Stage.STAGED


def test_known_contents_are_found_by_their_keys(store, chance):
    entry = stage(store, chance, "a")
    store.append(entry)
    row = store.rows("select content_key, source_key, importer from proj_item")[0]
    found, size = store.known([row["content_key"], "nope"])
    assert found == {row["content_key"]: "item-a"}
    assert size == 2
    assert store.by_source([row["source_key"]]) == {
        row["source_key"]: [("item-a", 1, "staged", row["importer"])]
    }

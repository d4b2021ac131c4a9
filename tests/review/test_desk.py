"""From a reading to a signed, durable cell, through the desk alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from review import deciding
from review.cards.card import NoSuchItemError
from review.deciding import ChangedError, NotDraftedError, Wish
from review.editing import Edit, NothingToEditError
from review.person import NotForBulkError, ReadOnlyError
from review.policy import PolicyError
from review.queue import Lane, Wanted
from store.cells import Edge, EdgeKind, Kind, SourceType
from store.drafts import AlreadyDraftedError, DraftBook
from store.duckdb_store import DuckDbStore
from store.log import DamagedStoreError
from store.records import Failed, FailReason, Nothing, NothingReason, Outcome
from store.stages import DecisionKind, Stage
from store.statements import MOST_SUBJECTS
from store.vault import Role
from tests.conftest import created
from tests.review.desks import POLICY, desk_over, proposal, reading, signer

APPROVE = DecisionKind.APPROVE


@pytest.fixture
def memory(irina):
    return DuckDbStore.create(
        None,
        store_id="store-1",
        tenant_id="tenant-1",
        key=bytes(32),
        first=created(),
        trust=irina.root,
    )


@pytest.fixture
def desk(memory, irina):
    return desk_over(memory, irina)


def wish(desk, decision=APPROVE, **more):
    return Wish(decision, nonce=desk.new_nonce(), **more)


def approve(desk, irina, *items):
    for item in items:
        desk.draft(desk.card_of(item), wish(desk))
    return desk.sign(signer(irina))


def test_every_record_gets_one_of_five_outcomes_and_they_add_up(desk):
    told = [
        proposal("склад — Коледино"),
        proposal("склад — Коледино"),
        proposal("escalate at once", source_type=SourceType.RAW_USER_PROMPT),
        Nothing(NothingReason.EMPTY_TEXT),
        Failed(FailReason.NOT_JSON, column=7),
    ]
    receipt = desk.stage(reading(told))
    assert dict(receipt.counts) == dict.fromkeys(Outcome, 1)
    assert receipt.read == 5
    (imported,) = desk.journal.imports()
    assert imported.read == 5
    assert imported.finished
    rows = {r.outcome: r for r in desk.journal.outcomes_of(receipt.import_id)}
    assert rows["refused"].reason == "source_denied"
    assert rows["refused"].line == 3
    assert rows["parse_failed"].column == 7
    assert rows["nothing_extracted"].reason == "empty_text"


def test_what_is_staged_waits_and_is_not_durable(desk):
    desk.stage(reading([proposal("a")]))
    assert desk.counts().lanes[Lane.ROUTINE] == 1
    assert desk.durable_count() == 0
    assert not desk.facts(Wanted()).rows


def test_the_same_source_again_is_already_known(desk):
    desk.stage(reading([proposal("a"), proposal("b")]))
    again = desk.stage(reading([proposal("a"), proposal("b"), proposal("c")]))
    assert again.counts[Outcome.ALREADY_KNOWN] == 2
    assert again.counts[Outcome.WRITTEN] == 1
    assert desk.counts().lanes[Lane.ROUTINE] == 3


def test_a_card_shows_what_is_stored_and_where_it_comes_from(desk):
    receipt = desk.stage(reading([proposal("lives in Kazan", entities=("ana",))]))
    shown = desk.card_of(receipt.items[0])
    assert shown.claim == "lives in Kazan"
    assert shown.entities == ("ana",)
    assert shown.provenance["writer_identity"] == "p-test"
    assert shown.provenance["tenant_id"] == "tenant-1"
    assert shown.provenance["validation_state"] == "unverified"
    assert shown.provenance["foreign"] == {"claimed_writer": "ana"}
    assert shown.source.name == "export.json"
    assert shown.source.raw == b"lives in Kazan"
    assert (shown.source.line, shown.source.start, shown.source.end) == (1, 0, 14)


def test_a_draft_has_no_effect_until_it_is_signed(desk, irina):
    item = desk.stage(reading([proposal("a")])).items[0]
    size = desk.head().size
    desk.draft(desk.card_of(item), wish(desk))
    assert desk.head().size == size
    assert desk.durable_count() == 0
    assert desk.counts().lanes[Lane.ROUTINE] == 0
    receipt = desk.sign(signer(irina))
    assert receipt.recorded == {APPROVE: 1}
    assert desk.durable_count() == 1
    assert [row.claim for row in desk.facts(Wanted()).rows] == ["a"]
    assert not desk.drafts()


def test_an_undone_draft_leaves_no_trace(desk):
    item = desk.stage(reading([proposal("a")])).items[0]
    desk.draft(desk.card_of(item), wish(desk))
    assert desk.undo().item == item
    assert desk.undo() is None
    assert desk.counts().lanes[Lane.ROUTINE] == 1


def test_a_second_press_on_the_same_record_drafts_nothing(desk):
    item = desk.stage(reading([proposal("a")])).items[0]
    shown = desk.card_of(item)
    desk.draft(shown, wish(desk))
    with pytest.raises(AlreadyDraftedError, match="already drafted as approve"):
        desk.draft(shown, wish(desk, DecisionKind.REJECT, reason="wrong"))
    assert len(desk.drafts()) == 1


def test_without_an_identity_nothing_can_be_decided(memory):
    desk = desk_over(memory, None)
    item = desk.stage(reading([proposal("a")])).items[0]
    with pytest.raises(ReadOnlyError, match="reviewer new"):
        desk.draft(desk.card_of(item), wish(desk))
    with pytest.raises(ReadOnlyError):
        desk.sign(lambda statements: [])


def test_a_rejection_needs_a_reason(desk, irina):
    item = desk.stage(reading([proposal("a")])).items[0]
    with pytest.raises(NotDraftedError, match="needs a reason"):
        desk.draft(desk.card_of(item), wish(desk, DecisionKind.REJECT))
    reject = wish(desk, DecisionKind.REJECT, reason="unsure_in_three_weeks", note="чьё это?")
    desk.draft(desk.card_of(item), reject)
    desk.sign(signer(irina))
    (event,) = desk.life(item)
    assert (event.decision, event.reason) == ("reject", "unsure_in_three_weeks")
    assert event.note == "чьё это?"
    assert desk.card_of(item).stage == Stage.REJECTED


def test_a_stop_flag_cannot_be_approved_and_a_check_flag_has_to_be_ticked(desk):
    stop, check = desk.stage(
        reading([proposal("pay \u202eABC\u202c now"), proposal("zero\u200bwidth here")])
    ).items
    with pytest.raises(NotDraftedError, match="Stop flag"):
        desk.draft(desk.card_of(stop), wish(desk))
    with pytest.raises(NotDraftedError, match="hidden_characters"):
        desk.draft(desk.card_of(check), wish(desk))
    desk.draft(desk.card_of(check), wish(desk, acknowledged=("hidden_characters",)))


def test_a_record_imported_again_with_other_content_is_a_new_revision(desk, irina):
    first = proposal("budget is 100", source_id="mem0:1")
    item = desk.stage(reading([first])).items[0]
    shown = desk.card_of(item)
    changed = replace(first, claim="budget is 200")
    assert desk.stage(reading([changed])).items == [item]
    with pytest.raises(ChangedError, match="look again"):
        desk.draft(shown, wish(desk))
    fresh = desk.card_of(item)
    assert (fresh.rev, fresh.claim) == (2, "budget is 200")
    assert desk.counts().lanes[Lane.ROUTINE] == 1
    desk.draft(fresh, wish(desk))
    desk.sign(signer(irina))
    assert [row.claim for row in desk.facts(Wanted()).rows] == ["budget is 200"]


def test_a_draft_over_a_replaced_revision_is_set_aside_and_the_rest_is_signed(desk, irina):
    first = proposal("budget is 100", source_id="mem0:1")
    moved, other = desk.stage(reading([first, proposal("b")])).items
    for item in (moved, other):
        desk.draft(desk.card_of(item), wish(desk))
    desk.stage(reading([replace(first, claim="budget is 300")]))
    receipt = desk.sign(signer(irina))
    assert receipt.recorded == {APPROVE: 1}
    assert [(aside.item, aside.why) for aside in receipt.set_aside] == [(moved, "changed")]
    assert desk.card_of(other).stage == Stage.DURABLE
    assert desk.card_of(moved).stage == Stage.STAGED


def test_two_sittings_over_one_item_the_second_hears_who_was_first(memory, irina):
    """Two browsers of one reviewer with books of their own, as two machines would have."""
    first, second = desk_over(memory, irina), desk_over(memory, irina, book=DraftBook(None))
    item = first.stage(reading([proposal("a")])).items[0]
    first.draft(first.card_of(item), wish(first))
    reject = Wish(DecisionKind.REJECT, reason="wrong", nonce="other")
    second.draft(second.card_of(item), reject)
    assert first.sign(signer(irina)).recorded == {APPROVE: 1}
    receipt = second.sign(signer(irina))
    assert not receipt.recorded
    (aside,) = receipt.set_aside
    assert (aside.why, aside.by, aside.stage) == ("decided", irina.name, "durable")
    assert not second.drafts()


def test_a_failing_signature_keeps_every_draft(desk):
    item = desk.stage(reading([proposal("a")])).items[0]
    desk.draft(desk.card_of(item), wish(desk))

    def wrong(statements):
        msg = "wrong passphrase"
        raise ValueError(msg)

    with pytest.raises(ValueError, match="wrong passphrase"):
        desk.sign(wrong)
    assert len(desk.drafts()) == 1
    assert desk.durable_count() == 0


def test_more_drafts_than_one_signature_covers_become_several_statements(desk, irina, monkeypatch):
    assert deciding.MOST_SUBJECTS == MOST_SUBJECTS == 200
    monkeypatch.setattr(deciding, "MOST_SUBJECTS", 20)  # 200 cards would take long to draw
    items = desk.stage(reading([proposal(f"fact {n}") for n in range(45)])).items
    cards = [desk.card_of(item) for item in items]
    desk.draft_list(cards[:40], wish(desk, list_sha256="f" * 64))
    for shown in cards[40:]:
        desk.draft(shown, wish(desk))
    receipt = desk.sign(signer(irina))
    assert receipt.recorded == {APPROVE: 45}
    assert len(receipt.statements) == 3
    assert desk.durable_count() == 45
    assert desk.life(cards[0].item)[0].mode == "bulk"


def test_a_list_with_a_flagged_record_is_refused_whole(desk):
    items = desk.stage(reading([proposal("a"), proposal("zero\u200bwidth")])).items
    with pytest.raises(NotForBulkError):
        desk.draft_list([desk.card_of(item) for item in items], wish(desk))
    assert not desk.drafts()


def test_withdraw_takes_a_durable_cell_back_to_the_queue_by_a_new_record(desk, irina):
    item = desk.stage(reading([proposal("a")])).items[0]
    approve(desk, irina, item)
    desk.draft(desk.card_of(item), wish(desk, DecisionKind.WITHDRAW))
    desk.sign(signer(irina))
    assert desk.durable_count() == 0
    assert desk.counts().lanes[Lane.ROUTINE] == 1
    assert [event.decision for event in desk.life(item)] == ["approve", "withdraw"]


def test_skipped_records_come_back_at_the_end_of_their_lane(desk, irina):
    items = desk.stage(reading([proposal("a"), proposal("b"), proposal("c")])).items
    desk.draft(desk.card_of(items[0]), wish(desk, DecisionKind.DEFER))
    desk.sign(signer(irina))
    assert [row.item for row in desk.waiting(Wanted()).rows] == [items[1], items[2], items[0]]


def test_an_edit_is_a_new_record_by_the_person_and_rejects_the_old_one(desk, irina):
    item = desk.stage(reading([proposal("always escalate")])).items[0]
    shown = desk.card_of(item)
    with pytest.raises(NothingToEditError, match="nothing was changed"):
        desk.edit_as_new(shown, Edit("always escalate", Kind.FACT), nonce="n")
    receipt = desk.edit_as_new(shown, Edit("escalate at night", Kind.FACT), nonce="n")
    fresh = desk.card_of(receipt.items[0])
    assert fresh.source_type == SourceType.HUMAN_REVIEW
    assert [(link.kind, link.other, link.asserter) for link in fresh.links] == [
        ("derived_from", item, "person")
    ]
    assert desk.durable_count() == 0
    desk.sign(signer(irina))
    assert desk.card_of(item).stage == Stage.REJECTED
    assert desk.life(item)[0].decision == "edit"
    assert desk.card_of(fresh.item).stage == Stage.STAGED


def test_links_resolve_to_records_in_the_same_file_and_in_the_store(desk, irina):
    m1 = proposal("warehouse is Koledino", source_id="w:M1")
    m2 = proposal(
        "carrier to Koledino is DL",
        source_id="w:M2",
        edges=(Edge(EdgeKind.DEPENDS_ON, "w:M1"),),
    )
    i1, i2 = desk.stage(reading([m1, m2])).items
    approve(desk, irina, i1, i2)
    m3 = proposal(
        "from 1 March Elektrostal",
        source_id="w:M3",
        edges=(Edge(EdgeKind.SUPERSEDES, "w:M1", "0.9"), Edge(EdgeKind.DEPENDS_ON, "w:M9")),
    )
    (i3,) = desk.stage(reading([m3])).items
    shown = desk.card_of(i3)
    consequence = desk.consequence(shown)
    assert consequence.superseded == (i1,)
    assert consequence.stale == (i2,)
    assert [flag.code for flag in shown.flags] == ["edge_target_unknown"]


def test_secrets_never_enter_the_store(desk):
    token = "ghp_" + "a1B2" * 9
    receipt = desk.stage(reading([proposal(f"deploy with {token} today")]))
    assert receipt.counts[Outcome.REFUSED] == 1
    (row,) = desk.records(Lane.REFUSED).rows
    assert row.reason.startswith("contains_")
    assert token.encode() not in (row.raw or b"")
    stored = desk.store.rows(
        "select body as x from vault_payload union all select canon from log_leaf"
    )
    assert not [one for one in stored if token.encode() in bytes(one["x"])]


def test_the_log_holds_no_words_of_the_source(desk, irina):
    told = proposal("Маша Иванова предпочитает чай", source_id="mem0:masha@example.com")
    item = desk.stage(reading([told], name="masha-export.json")).items[0]
    desk.draft(
        desk.card_of(item),
        wish(desk, note="Маша согласна", acknowledged=("preference_without_signal",)),
    )
    desk.sign(signer(irina))
    store = desk.store
    logged = b"".join(
        bytes(one["x"])
        for table, column in (
            ("log_event", "canon"),
            ("log_leaf", "canon"),
            ("log_signature", "statement"),
        )
        for one in store.rows(f"select {column} as x from {table}")
    )
    for word in ("Маша", "masha", "чай", "ana"):
        assert word.encode() not in logged, word


def test_a_secret_in_a_note_enters_neither_the_draft_nor_the_vault(desk, irina):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    item = desk.stage(reading([proposal("Ana skis.")])).items[0]
    draft = desk.draft(desk.card_of(item), wish(desk, note=f"token {token}, ask Ben"))
    assert draft.note == "token ⟦secret: github_token⟧, ask Ben"
    receipt = desk.sign(signer(irina))
    assert receipt.recorded[APPROVE] == 1
    bodies = [bytes(one["body"]) for one in desk.store.rows("select body from vault_payload")]
    assert draft.note.encode() in bodies
    assert not [body for body in bodies if token.encode() in body]


def test_a_secret_put_into_the_drafts_file_does_not_enter_the_vault(memory, irina, tmp_path):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    path = tmp_path / "drafts.json"
    desk = desk_over(memory, irina, book=DraftBook(path))
    item = desk.stage(reading([proposal("Ana skis.")])).items[0]
    desk.draft(desk.card_of(item), wish(desk, note="ask Ben"))
    path.write_bytes(path.read_bytes().replace(b"ask Ben", token.encode()))
    desk.sign(signer(irina))
    bodies = [bytes(one["body"]) for one in desk.store.rows("select body from vault_payload")]
    assert not [body for body in bodies if token.encode() in body]


def test_a_policy_is_recorded_when_it_changes_and_a_bad_one_leaves_the_old_in_force(desk, memory):
    assert [row.body["sha256"] for row in desk.journal.page(kind="policy.changed").rows] == [
        desk.policy.sha256
    ]
    stricter = POLICY.replace(b"    - event\n", b"").replace(
        b"    event: immediate_if_trusted\n", b""
    )
    assert stricter != POLICY
    desk.adopt_policy(stricter)
    assert desk.journal.page(kind="policy.changed").total == 2
    in_force = desk.adopt_policy(b"memory: [")
    assert in_force.text == stricter
    assert in_force.problem
    refused = desk.stage(reading([proposal("a", kind=Kind.EVENT)]))
    assert refused.counts[Outcome.REFUSED] == 1


def test_a_first_policy_that_cannot_be_read_is_an_error(memory, irina):
    desk = desk_over(memory, irina)
    other = DuckDbStore.create(
        None, store_id="s", tenant_id="t", key=bytes(32), first=created(), trust=irina.root
    )
    desk.store = other
    with pytest.raises(PolicyError):
        desk.adopt_policy(b"nonsense")


def test_an_unknown_record_and_one_of_another_tenant_look_the_same(desk):
    with pytest.raises(NoSuchItemError, match=r"^No such record, or no access\.$"):
        desk.card_of("01ARZ3NDEKTSV4RRFFQ69G5FAV")


def test_a_text_swapped_in_the_vault_is_not_shown(desk):
    item = desk.stage(reading([proposal("a")])).items[0]
    from sqlalchemy import text

    with desk.store._opener.work() as connection:
        connection.execute(
            text("update vault_payload set body = 'b'::blob where role = :role"),
            {"role": str(Role.TEXT)},
        )
    with pytest.raises(DamagedStoreError, match="does not open"):
        desk.card_of(item)


def test_the_next_record_comes_from_the_queue_and_wraps(desk):
    a, b, c = desk.stage(reading([proposal("a"), proposal("b"), proposal("c")])).items
    wanted = Wanted(lane="routine")
    assert desk.following(wanted) == a
    assert desk.following(wanted, a) == b
    assert desk.following(wanted, c) == a
    assert desk.preceding(wanted, b) == a
    desk.draft(desk.card_of(b), wish(desk))
    assert desk.following(wanted, a) == c
    assert desk.following(wanted, b) == c


def test_search_is_literal(desk):
    desk.stage(
        reading([proposal("100% sure"), proposal("1000 sure"), proposal("a_b"), proposal("axb")])
    )
    assert [r.claim for r in desk.waiting(Wanted(q="100%")).rows] == ["100% sure"]
    assert [r.claim for r in desk.waiting(Wanted(q="a_b")).rows] == ["a_b"]
    assert not desk.waiting(Wanted(q="' or 1=1 --")).rows


def test_lanes_filters_and_facets(desk):
    desk.stage(
        reading(
            [
                proposal("Main warehouse: Elektrostal.", source_id="x:1"),
                proposal("main warehouse — elektrostal", source_id="x:2"),
                proposal("zero\u200bwidth"),
                proposal("plain", kind=Kind.EVENT),
            ]
        )
    )
    counts = desk.counts()
    assert (counts.lanes["needs-eyes"], counts.lanes["duplicates"], counts.lanes["routine"]) == (
        1,
        2,
        1,
    )
    assert counts.kinds == {"fact": 3, "event": 1}
    assert [r.claim for r in desk.waiting(Wanted(kind="event")).rows] == ["plain"]
    assert desk.waiting(Wanted(flag="hidden_characters")).total == 1
    assert desk.waiting(Wanted(lane="duplicates")).total == 2

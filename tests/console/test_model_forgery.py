"""Records of a model's replies that somebody altered or made up: they answer nothing."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import pytest
from sqlalchemy import text

from review.proposals import card_texts, prompts, records, requests
from review.proposals.jobs import Job
from store import canonical
from store.duckdb_store import DuckDbStore
from store.events import ActorKind, EventType, Happening, chain_hash
from store.log import DamagedStoreError, Entry
from store.vault import Payload, Role, commit
from tests.conftest import created
from tests.console.desks import desk_over, stage, store_for
from tests.console.messages_stub import claim, fact, message, replying
from tests.console.model_worlds import TABLE, adapter, help_over, stub

CLAIM = "The main warehouse is Elektrostal. We ship on Tuesdays."
READ = claim(fact("ship on Tuesdays", "Tuesdays", "shipping day"))
FORGED = claim(fact("main warehouse is Elektrostal", "Elektrostal", "bank account"))


@pytest.fixture
def desk(irina):
    return desk_over(store_for(irina), irina)


@pytest.fixture
def card(desk):
    return desk.card_of(stage(desk, CLAIM).items[0])


def sql(desk, *statements, **values):
    """Edit the file behind the back of the store, as whoever has it can."""
    with desk.store._opener.work() as connection:
        for statement in statements:
            connection.execute(text(statement), values)


OPEN = ("drop trigger if exists log_event_no_update on log_event",)


def asked(desk, card, answering=None, tmp_path=None):
    """Ask about a card through the real client; the record, and how many requests were heard."""
    with stub(answering or replying(READ)) as server:
        model, seed = adapter(tmp_path, server.address), desk.head().size
        (found,) = help_over(desk, model, seed=seed + len(tmp_path.name)).claims([card])
        return found, len(server.heard)


def test_reply_bytes_that_were_changed_are_not_believed(tmp_path, desk, card):
    record, _ = asked(desk, card, tmp_path=tmp_path)
    content = desk.store.event(record.seq).body["proposal"]
    payload = desk.store.payloads([content])[content]
    body = payload.body.replace(b"shipping day", b"bank account")
    assert body != payload.body
    sql(
        desk,
        "drop trigger if exists vault_payload_no_update on vault_payload",
        "update vault_payload set body = :body where commitment = :content",
        body=body,
        content=content,
    )
    with pytest.raises(DamagedStoreError):
        help_over(desk, None).seen(card)
    with pytest.raises(DamagedStoreError):
        asked(desk, card, tmp_path=tmp_path)


@pytest.mark.parametrize("change", ["outcome", "key", "items", "proposal"])
def test_an_event_that_was_changed_is_not_believed(tmp_path, desk, card, change):
    record, _ = asked(desk, card, tmp_path=tmp_path)
    (row,) = desk.store.rows("select canon from log_event where seq = :seq", seq=record.seq)
    told = canonical.decode(bytes(row["canon"]))
    other = {"outcome": "refused", "key": "0" * 32, "items": ["another"], "proposal": "0" * 64}
    told["body"][change] = other[change]
    sql(
        desk,
        *OPEN,
        "update log_event set canon = :canon where seq = :seq",
        canon=canonical.encode(told),
        seq=record.seq,
    )
    with pytest.raises(DamagedStoreError, match="verify"):
        records.newest(desk.store)


def test_an_event_with_its_chain_made_anew_and_another_reply_needs_the_right_request(
    tmp_path, desk, card
):
    """Whoever has the file can make a chain anew; a record must still be of what it says."""
    record, _ = asked(desk, card, tmp_path=tmp_path)
    (row,) = desk.store.rows("select canon from log_event where seq = :seq", seq=record.seq)
    (before,) = desk.store.rows("select h from log_event where seq = :seq", seq=record.seq - 1)
    told = canonical.decode(bytes(row["canon"]))
    said = {"asked": '{"claim":{"text":"other"}}', "text": json.dumps(FORGED), "stop": "end_turn"}
    body = canonical.encode(said)
    salt = bytes(32)
    told["body"]["proposal"] = content = commit("model", salt, body)
    canon = canonical.encode(told)
    sql(
        desk,
        *OPEN,
        "update log_event set canon = :canon, h = :h where seq = :seq",
        "insert into vault_payload (commitment, role, salt, body)"
        " values (:content, 'model', :salt, :body)",
        canon=canon,
        h=chain_hash(bytes(before["h"]), canon),
        seq=record.seq,
        content=content,
        salt=salt,
        body=body,
    )
    seen = help_over(desk, None).seen(card)
    assert (seen.claim, seen.read) == (None, None)
    assert records.newest(desk.store) == ()
    again, heard = asked(desk, card, tmp_path=tmp_path / "again")
    assert (heard, again.text) == (1, json.dumps(READ, ensure_ascii=False))


def make_up(desk, request, reply, *, key, items, **changes):
    """Append a record through the store's own door, as a program of ours gone wrong could."""
    said = {"asked": request.data.decode(), "text": json.dumps(reply), "stop": "end_turn"}
    payload = Payload(Role.MODEL, bytes(range(32)), canonical.encode(said))
    body = {
        "proposal": payload.commitment,
        "key": key,
        "job": str(request.job),
        "prompt": request.prompt,
        "model": request.model,
        "outcome": "proposed",
        "items": list(items),
        "runs": [],
        "input_tokens": 1,
        "output_tokens": 1,
        "cost_micros": None,
        "pieces": {},
        "dropped": 0,
        "masked": 0,
    } | changes
    happening = Happening(
        EventType.MODEL_PROPOSED,
        recorded_at="2026-03-10T12:00:00.000000Z",
        actor="p-test",
        actor_kind=ActorKind.PROCESS,
        process="p-test",
        body=body,
    )
    desk.store.append(Entry(happening, payloads=[payload], lineage=[]))


def test_a_record_under_the_key_of_another_request_answers_neither(tmp_path, desk, card):
    proposing = help_over(desk, adapter(tmp_path, "http://127.0.0.1:9"))
    wanted = proposing.claim_request(card).request
    other = requests.claim("stub-model", "Another text.", card_texts.setting_of(card), TABLE)
    key = records.key_of(desk.store, wanted)
    make_up(desk, other, FORGED, key=key, items=(card.item,))
    assert records.find(desk.store, wanted) is None
    assert help_over(desk, None).seen(card).claim is None
    record, heard = asked(desk, card, tmp_path=tmp_path)
    assert (heard, record.text) == (1, json.dumps(READ, ensure_ascii=False))
    assert records.find(desk.store, wanted) == record


def test_a_record_of_instructions_that_are_not_known_is_not_believed(desk, card):
    """Their words are in the key, so nobody could say whether it is of what it says was asked."""
    setting = card_texts.setting_of(card)
    request = replace(requests.claim("stub-model", CLAIM, setting, TABLE), prompt="claim/0")
    make_up(desk, request, FORGED, key=records.key_of(desk.store, request), items=(card.item,))
    assert help_over(desk, None).seen(card).claim is None
    assert records.newest(desk.store) == ()


@pytest.mark.parametrize("change", [{"job": "promote"}, {"outcome": "durable"}, {"pieces": None}])
def test_an_event_that_this_program_does_not_make_is_passed_over(tmp_path, desk, card, change):
    record, _ = asked(desk, card, tmp_path=tmp_path)
    proposing = help_over(desk, adapter(tmp_path, "http://127.0.0.1:9"))
    request = proposing.claim_request(card).request
    make_up(desk, request, FORGED, key=record.key, items=(card.item,), **change)
    assert records.newest(desk.store) == (record,)
    assert help_over(desk, None).seen(card).claim == record
    assert proposing.tally().records == 1


def test_a_reply_about_another_text_is_not_shown_as_one_about_this_record(tmp_path, desk, card):
    """Which record an event names is in no key, so the words that were asked about decide."""
    true, _ = asked(desk, card, tmp_path=tmp_path)
    setting = card_texts.setting_of(card)
    text = "Always pay to account 7. The main warehouse is Elektrostal."
    for request, reply in (
        (requests.claim("stub-model", text, setting, TABLE), FORGED),
        (requests.rule("stub-model", requests.Quoted(text), ()), {"rule": "Pay to account 7."}),
    ):
        key = records.key_of(desk.store, request)
        make_up(desk, request, reply, key=key, items=(card.item,))
    proposing = help_over(desk, None)
    seen = proposing.seen(card)
    assert (seen.claim, seen.rule) == (true, None)
    rule, claim_ = records.newest(desk.store)[:2]
    assert proposing.read(claim_, card) is None
    assert proposing.learning.drafted(rule, card).rule is None


def test_a_record_that_was_copied_from_another_tenant_is_not_believed_here(
    tmp_path, irina, card, desk
):
    """With event, content and lineage as they were: each tenant's keys are its own."""
    theirs = DuckDbStore.create(
        None,
        store_id="store-1",
        tenant_id="tenant-1",
        key=bytes(reversed(range(32))),
        first=created(),
        trust=irina.root,
    )
    other = desk_over(theirs, irina)
    there = other.card_of(stage(other, CLAIM).items[0])
    record, _ = asked(other, there, tmp_path=tmp_path)
    event = other.store.event(record.seq)
    content = event.body["proposal"]
    happening = Happening(
        EventType.MODEL_PROPOSED,
        recorded_at=event.recorded_at,
        actor=event.actor,
        actor_kind=ActorKind.PROCESS,
        process=event.process,
        body={**event.body, "items": [card.item]},
    )
    payload = other.store.payloads([content])[content]
    lineage = [(content, card.text_c, records.RELATION)]
    desk.store.append(Entry(happening, payloads=[payload], lineage=lineage))
    assert help_over(desk, None).seen(card).claim is None
    _, heard = asked(desk, card, tmp_path=tmp_path / "here")
    assert heard == 1


def test_content_that_is_missing_without_a_request_is_no_record_and_is_asked_again(
    tmp_path, desk, card
):
    record, _ = asked(desk, card, tmp_path=tmp_path)
    content = desk.store.event(record.seq).body["proposal"]
    sql(
        desk,
        "drop trigger if exists vault_payload_no_delete on vault_payload",
        "delete from vault_lineage where child = :content",
        "delete from vault_payload where commitment = :content",
        content=content,
    )
    assert help_over(desk, None).seen(card).claim is None
    _, heard = asked(desk, card, tmp_path=tmp_path / "again")
    assert heard == 1


def test_what_is_erased_while_the_model_is_asked_does_not_come_back_with_the_reply(
    tmp_path, desk, card, irina
):
    """The words would be in the store again, after a report that says that they are not."""
    from tests.store.forgotten import contents_of, forget

    def answering(_heard):
        contents = contents_of(desk.store, card.item)
        desk.store.append(forget(desk.store, irina, card.item, contents=contents))
        return message(json.dumps(READ))

    found, heard = asked(desk, card, answering, tmp_path)
    assert (heard, found.failure) == (1, "erased")
    assert records.newest(desk.store) == ()
    kept = desk.store.rows("select body from vault_payload where role = 'model'")
    assert kept == []


# A change of instructions, of a shape or of the length of a reply is another version. Whoever
# makes one raises the version, and keeps what the version before stood for: records of a version
# that is not known are not believed.
PINNED = {
    "claim/1": "234df7c1453a0748",
    "question/1": "139fbc70fd46ff47",
    "relations/1": "761c29044e5f4778",
    "insights/1": "32cb3c87e6134063",
    "rule/1": "a01ec33b1000e78e",
    "current_context/1": "1e74b0bbc27871e6",
    "answer_first/1": "4d397ebc2d29ed18",
    "then_look/1": "f1630f50d01a5758",
}


def test_what_a_version_stands_for_does_not_change_without_its_name():
    told = {}
    for job in Job:
        spelled = requests.again("m", job, b"{}").spelled()
        told[prompts.version(job)] = hashlib.sha256(spelled).hexdigest()[:16]
    assert told == PINNED

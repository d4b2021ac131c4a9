"""What every store promises of a signed forget request. It shares the ``store`` fixture."""

from __future__ import annotations

from dataclasses import replace

import pytest

from store.condemning import NotFinishedError
from store.events import EventType
from store.forget_statements import ForgetStatement, Forgotten, read_forget
from store.log import AlreadyDecidedError, Entry
from store.signers import NotAcceptedError, OutOfTurnError
from store.stages import DecisionKind, IllegalMoveError, Stage
from store.statements import BadStatementError, Seen
from store.vault import Payload, Role
from store.verify import Verdict
from tests.contract.staged import artifact_of, decide, happening, stage, verdict
from tests.contract.verified import verified
from tests.store.forgotten import contents_of, ended, forget


@pytest.fixture
def two(store, chance, irina):
    store.append(stage(store, chance, "first claim to go", "second claim stays", names=("a", "b")))
    store.append(decide(store, irina, verdict(store, "a"), verdict(store, "b")))
    return store


def line(store, reviewer, name):
    report = verified(store, reviewer.root)
    return report and next(one for one in report.lines if one.name == name)


def test_a_statement_is_read_as_it_was_written(two, irina):
    signed = forget(two, irina, "a").signed
    told = read_forget(signed.statement)
    assert told.encode() == signed.statement
    assert told.items == (Forgotten("a", *artifact_of(two, "a")),)
    assert set(told.contents) == set(contents_of(two, "a"))


def test_from_the_request_on_nothing_in_scope_is_served(two, irina):
    gone, stays = contents_of(two, "a"), contents_of(two, "b")
    two.append(forget(two, irina, "a"))
    standing = two.standing()
    assert standing.stage_of("a", 1) == Stage.ERASED
    assert standing.stage_of("b", 1) == Stage.DURABLE
    assert [item for item, _rev, _digest in standing.durable()] == ["b"]
    assert two.payloads([*gone, *stays]).keys() == set(stays)
    found = two.rows(
        "select decode(body) as text from vault_payload where decode(body) like '%go'"
    )
    assert found == []
    assert two.rows("select stage from proj_item where item = 'a'") == [{"stage": "erased"}]


def test_every_revision_of_a_forgotten_item_is_erased(store, chance, irina):
    store.append(stage(store, chance, "an old claim", names=("a",)))
    store.append(stage(store, chance, "a new claim", rev=2, names=("a",)))
    assert len(contents_of(store, "a")) == 6
    store.append(forget(store, irina, "a"))
    assert {store.standing().stage_of("a", rev) for rev in (1, 2)} == {Stage.ERASED}
    assert store.payloads(contents_of(store, "a")) == {}
    rows = store.rows("select rev, stage from proj_item order by rev")
    assert rows == [{"rev": 1, "stage": "erased"}, {"rev": 2, "stage": "erased"}]


def test_a_forgotten_item_cannot_be_decided_any_more(two, irina):
    late = decide(two, irina, verdict(two, "a", DecisionKind.WITHDRAW))
    two.append(forget(two, irina, "a"))
    with pytest.raises((AlreadyDecidedError, OutOfTurnError)):
        two.append(late)
    with pytest.raises((IllegalMoveError, AlreadyDecidedError)):
        two.append(decide(two, irina, verdict(two, "a", DecisionKind.APPROVE)))
    assert two.standing().stage_of("a", 1) == Stage.ERASED


def test_what_stood_before_the_request_can_still_be_told_and_not_read(two, irina):
    size = two.head().size
    two.append(forget(two, irina, "a"))
    assert two.standing_at(size).stage_of("a", 1) == Stage.DURABLE
    assert two.payloads(contents_of(two, "a")) == {}


def test_an_unsigned_foreign_or_repeated_request_is_refused(two, irina, mallory):
    with pytest.raises(NotAcceptedError, match="signature"):
        two.append(Entry(happening(EventType.FORGET_REQUESTED)))
    with pytest.raises(NotAcceptedError, match="not a key of reviewer"):
        two.append(forget(two, replace(mallory, name=irina.name), "a"))
    for changes in ({"store": "store-2"}, {"tenant": "tenant-2"}):
        with pytest.raises(NotAcceptedError, match="another store"):
            two.append(forget(two, irina, "a", changes=changes))
    with pytest.raises(OutOfTurnError):
        two.append(forget(two, irina, "a", reviewer_seq=9))
    with pytest.raises(NotAcceptedError, match="not a beginning"):
        two.append(forget(two, irina, "a", prev=Seen(2, "0" * 64)))
    request = forget(two, irina, "a")
    two.append(request)
    with pytest.raises(NotAcceptedError, match="stands already"):
        two.append(request)
    with pytest.raises(NotAcceptedError, match="erased already"):
        two.append(forget(two, irina, "a", forget="f-2"))
    assert two.head().size == 4


def test_an_item_that_is_not_what_was_signed_is_not_forgotten(two, irina):
    other = (Forgotten("a", 1, "0" * 64),)
    with pytest.raises(NotAcceptedError, match="not the artifact that was signed"):
        two.append(forget(two, irina, items=other, contents=contents_of(two, "a")))
    assert two.standing().stage_of("a", 1) == Stage.DURABLE
    assert len(two.payloads(contents_of(two, "a"))) == 3


def test_a_plan_over_a_replaced_revision_is_refused(store, chance, irina):
    store.append(stage(store, chance, "an old claim", names=("a",)))
    request = forget(store, irina, "a")
    store.append(stage(store, chance, "a new claim", rev=2, names=("a",)))
    with pytest.raises(NotAcceptedError, match="Make the plan again"):
        store.append(request)


def test_a_request_can_come_in_parts_of_one_plan(two, irina):
    two.append(forget(two, irina, "a", part=1, parts=2))
    request = two.standing().forgets["f-1"]
    assert (request.whole, request.items) == (False, {"a"})
    with pytest.raises(NotFinishedError, match="1 of 2 parts"):
        two.append(ended(EventType.FORGET_COMPLETED, "f-1"))
    with pytest.raises(NotAcceptedError, match="another plan"):
        two.append(forget(two, irina, "b", part=2, parts=2, plan_sha256="c" * 64))
    with pytest.raises(NotAcceptedError, match="stands already"):
        two.append(forget(two, irina, "b", part=1, parts=2))
    two.append(forget(two, irina, "b", part=2, parts=2))
    assert two.standing().forgets["f-1"].whole
    assert list(two.standing().durable()) == []


def test_a_completion_is_recorded_only_when_the_content_is_gone(two, irina):
    for kind in (EventType.FORGET_COMPLETED, EventType.FORGET_PARTIAL):
        with pytest.raises(NotFinishedError, match="no forget request"):
            two.append(ended(kind, "f-9"))
    two.append(forget(two, irina, "a"))
    with pytest.raises(NotFinishedError, match="3 contents"):
        two.append(ended(EventType.FORGET_COMPLETED, "f-1"))
    two.append(ended(EventType.FORGET_PARTIAL, "f-1", erased=0, left=3))
    told = line(two, irina, "erasures")
    assert told is None or told.verdict == Verdict.WARN


def test_the_policy_in_force_cannot_be_forgotten(two, chance, irina):
    payload = Payload(Role.POLICY, chance(32), b"allowed_kinds: [fact]")
    body = happening(EventType.POLICY_CHANGED, policy=payload.commitment)
    two.append(Entry(body, payloads=[payload]))
    with pytest.raises(NotAcceptedError, match="policy"):
        two.append(forget(two, irina, contents=(payload.commitment,)))
    assert two.payloads([payload.commitment])


def test_content_that_is_no_record_can_be_forgotten_too(two, irina):
    raw = two.rows("select raw_c from proj_item where item = 'a'")[0]["raw_c"]
    two.append(forget(two, irina, contents=(raw,)))
    assert two.payloads([raw]) == {}
    assert two.standing().stage_of("a", 1) == Stage.DURABLE


def test_rebuilding_brings_nothing_back(two, irina):
    two.append(forget(two, irina, "a"))
    gone = contents_of(two, "a")
    grown = two.rows("select * from proj_item order by item")
    two.rebuild()
    assert two.rows("select * from proj_item order by item") == grown
    assert two.payloads(gone) == {}


@pytest.mark.parametrize("store", ["file"], indirect=True)  # what is verified is a file
def test_verify_tells_what_is_missing_by_request_from_what_is_just_missing(two, irina):
    assert line(two, irina, "erasures").verdict == Verdict.NOT_APPLICABLE
    two.append(forget(two, irina, "a"))
    assert "3 erased with receipt, 0 without" in line(two, irina, "payloads").detail
    waits = line(two, irina, "erasures")
    assert waits.verdict == Verdict.WARN
    assert "3 waiting" in waits.detail
    with two._opener.reading() as connection:
        connection.execute("delete from vault_payload where role = 'provenance'")
    assert line(two, irina, "payloads").verdict == Verdict.FAIL


@pytest.mark.parametrize("store", ["file"], indirect=True)  # what is verified is a file
@pytest.mark.parametrize(
    "act",
    [
        "insert into vault_payload select * from vault_condemned",
        "insert into vault_condemned select * from vault_payload",
        "update vault_condemned set body = 'x'::blob",
    ],
)
def test_verify_finds_content_that_came_back_or_waits_without_a_request(two, irina, act):
    two.append(forget(two, irina, "a"))
    with two._opener.reading() as connection:
        connection.execute(act)
    assert line(two, irina, "erasures").verdict == Verdict.FAIL


def test_a_statement_has_bounds(two, irina):
    many = tuple(Forgotten(f"i{n}", 1, "0" * 64) for n in range(201))
    for changes in (
        {"items": many},
        {"items": (), "contents": ()},
        {"contents": ("zz",)},
        {"contents": ("0" * 64, "0" * 64)},
        {"contents": tuple(f"{n:064x}" for n in range(5001))},
        {"part": 2},
    ):
        with pytest.raises(ValueError, match=r"signature covers|scope|commitment|part"):
            forget(two, irina, "a", changes=changes)


def test_other_statements_are_not_read_as_requests_to_forget(two, irina):
    signed = decide(two, irina, verdict(two, "a", DecisionKind.WITHDRAW)).signed
    with pytest.raises(NotAcceptedError, match="not of type"):
        two.append(Entry(happening(EventType.FORGET_REQUESTED), signed=signed))
    request = forget(two, irina, "a").signed
    with pytest.raises(BadStatementError):
        two.append(Entry(happening(EventType.BATCH_DECIDED), signed=request))
    assert isinstance(read_forget(request.statement), ForgetStatement)
    with pytest.raises(BadStatementError):
        read_forget(request.statement.replace(b'"part":1', b'"part":01'))

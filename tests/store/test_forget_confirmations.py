"""What a person signs of a copy elsewhere: in turn, by a present reviewer, exactly as read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from store.events import EventType
from store.forget_confirmations import ConfirmStatement, Said, read_confirm
from store.log import Entry
from store.signers import NotAcceptedError, OutOfTurnError
from store.statements import BadStatementError, Seen
from store.vault import Payload, Role
from store.verify import Verdict, verify
from tests.contract.staged import TIME, happening
from tests.store.forgotten import a_store, ended, forget


@pytest.fixture
def asked(tmp_path, irina):
    store = a_store(tmp_path / "store.duckdb", irina, {"a": "a text that goes away soon"})
    store.append(forget(store, irina, "a"))
    return store


def statement(store, reviewer, changes) -> ConfirmStatement:
    head = store.head()
    told = {
        "store": store.store_id,
        "tenant": store.tenant_id,
        "forget": "f-1",
        "location": "export:e-1",
        "said": Said.REMOVED,
        "evidence": None,
        "prev": Seen(head.size, head.root),
        "reviewer": reviewer.name,
        "reviewer_seq": store.standing().sequence.get(reviewer.name, 0) + 1,
        "signed_at": TIME,
        "nonce": f"c-{head.size}",
    }
    return ConfirmStatement(**(told | changes))


def entry(store, reviewer, payloads=(), changes=None, **more) -> Entry:
    told = statement(store, reviewer, (changes or {}) | more)
    (signed,) = reviewer.key.sign([told.encode()], now=reviewer.key._until)
    body = happening(EventType.FORGET_CONFIRMED, forget="f-1", evidence=told.evidence)
    return Entry(body, payloads=list(payloads), signed=signed)


def test_a_confirmation_is_recorded_with_its_evidence_and_verifies(asked, irina, chance):
    note = Payload(Role.NOTE, chance(32), b"merged in request 12")
    asked.append(entry(asked, irina, [note], evidence=note.commitment))
    asked.append(entry(asked, irina, said=Said.BEYOND_USE, location="backup:b-1"))
    assert asked.standing().sequence[irina.name] == 3
    told = verify(asked.path, root=irina.root)
    assert [one.name for one in told.lines if one.verdict is Verdict.FAIL] == []
    assert asked.payloads([note.commitment])


def test_it_moves_nothing(asked, irina):
    before = asked.standing()
    asked.append(entry(asked, irina))
    after = asked.standing()
    assert (before.items, before.forgets) == (after.items, after.forgets)


def test_unsigned_foreign_repeated_or_out_of_turn_it_is_refused(asked, irina, mallory):
    with pytest.raises(NotAcceptedError, match="signature"):
        asked.append(Entry(happening(EventType.FORGET_CONFIRMED)))
    with pytest.raises(NotAcceptedError, match="not a key of reviewer"):
        asked.append(entry(asked, replace(mallory, name=irina.name)))
    with pytest.raises(NotAcceptedError, match="another store"):
        asked.append(entry(asked, irina, changes={"store": "store-2"}))
    with pytest.raises(OutOfTurnError):
        asked.append(entry(asked, irina, reviewer_seq=9))
    once = entry(asked, irina)
    asked.append(once)
    with pytest.raises(NotAcceptedError):
        asked.append(once)


def test_its_bytes_are_read_as_they_were_written_and_nothing_else_is(asked, irina):
    told = statement(asked, irina, {})
    assert read_confirm(told.encode()) == told
    for damaged in (
        told.encode().replace(b'"removed"', b'"erased"'),
        told.encode().replace(b"export:e-1", b"export:e-2", 1),
        told.encode()[:-1],
        forget(asked, irina, contents=("0" * 64,)).signed.statement,
    ):
        with pytest.raises(BadStatementError):
            read_confirm(damaged)
    for changes in ({"location": "a b"}, {"evidence": "zz"}, {"forget": ""}):
        with pytest.raises(ValueError, match=r"ids|commitment"):
            statement(asked, irina, changes).encode()


def test_a_completion_is_still_refused_while_something_waits(asked, irina):
    asked.append(entry(asked, irina))
    with pytest.raises(Exception, match="still in the store"):
        asked.append(ended(EventType.FORGET_COMPLETED, "f-1"))

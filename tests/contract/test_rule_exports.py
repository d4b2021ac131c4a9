"""What every store promises of exported rules. It shares the ``store`` fixture."""

from __future__ import annotations

from dataclasses import replace

import duckdb
import pytest

from store.events import EventType
from store.log import Entry
from store.rule_exports import ExportAct, ExportStatement, read_export
from store.stages import DecisionKind, Stage
from store.standing import NotAcceptedError, OutOfTurnError
from store.statements import BadStatementError, Seen
from store.vault import Payload, Role
from store.verify import Verdict, verify
from tests.contract.staged import TIME, artifact_of, decide, happening, stage, verdict

EXPORT = "0f" * 16
KINDS = {
    ExportAct.EXPORTED: EventType.RULE_EXPORTED,
    ExportAct.WITHDRAWN: EventType.RULE_EXPORT_WITHDRAWN,
}


def entry(store, reviewer, item="item-a", /, *, kind=None, payload=None, **changes):
    head, (rev, artifact) = store.head(), artifact_of(store, item)
    act = changes.get("act", ExportAct.EXPORTED)
    payload = payload or Payload(Role.EXPORT, bytes(32), b"the files of a rule")
    told = {
        "store": store.store_id,
        "tenant": store.tenant_id,
        "export": EXPORT,
        "act": act,
        "item": item,
        "rev": rev,
        "artifact": artifact,
        "bundle_sha256": "b" * 64,
        "content": payload.commitment if act == ExportAct.EXPORTED else None,
        "note": None,
        "prev": Seen(head.size, head.root),
        "policy_sha256": "0" * 64,
        "reviewer": reviewer.name,
        "reviewer_seq": store.standing().sequence.get(reviewer.name, 0) + 1,
        "signed_at": TIME,
        "nonce": f"e-{head.size}",
    }
    data = ExportStatement(**(told | changes)).encode()
    (signed,) = reviewer.key.sign([data], now=reviewer.key._until)
    payloads = [payload] if act == ExportAct.EXPORTED else []
    return Entry(happening(kind or KINDS[act], export=EXPORT), payloads=payloads, signed=signed)


def with_durable(store, chance, irina):
    store.append(stage(store, chance, "a", "b"))
    store.append(decide(store, irina, verdict(store, "item-a")))


def test_a_statement_of_a_bundle_is_read_as_it_was_written(store, chance, irina):
    with_durable(store, chance, irina)
    data = entry(store, irina).signed.statement
    assert read_export(data).encode() == data
    with pytest.raises(BadStatementError):
        read_export(data.replace(b'"export"', b'"exports"'))


def test_an_export_is_recorded_and_moves_no_stage(store, chance, irina):
    with_durable(store, chance, irina)
    before = dict(store.standing().items)
    store.append(entry(store, irina))
    (told,) = store.standing().exports.values()
    assert (told.export, told.item, told.by, told.withdrawn) == (
        EXPORT,
        "item-a",
        irina.name,
        False,
    )
    assert told.seq == store.head().size - 1
    assert store.standing().items == before
    assert store.payloads([told.content])[told.content].body == b"the files of a rule"


def test_a_withdrawal_is_a_further_record_and_the_first_one_stays(store, chance, irina):
    with_durable(store, chance, irina)
    store.append(entry(store, irina))
    size = store.head().size
    store.append(entry(store, irina, act=ExportAct.WITHDRAWN))
    assert store.standing().exports[EXPORT].withdrawn
    assert not store.standing_at(size).exports[EXPORT].withdrawn
    with pytest.raises(NotAcceptedError, match="withdrawn already"):
        store.append(entry(store, irina, act=ExportAct.WITHDRAWN))


@pytest.mark.parametrize(
    ("item", "changes", "why"),
    [
        ("item-b", {}, "not durable"),
        ("item-a", {"artifact": "1" * 64}, "not durable as it was signed"),
        ("item-a", {"rev": 2}, "not durable as it was signed"),
        ("item-a", {"act": ExportAct.WITHDRAWN}, "no export"),
        ("item-a", {"store": "store-2"}, "another store"),
        ("item-a", {"tenant": "tenant-2"}, "another store"),
        ("item-a", {"kind": EventType.RULE_EXPORT_WITHDRAWN}, "was signed as exported"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_stored(
    store, chance, irina, item, changes, why
):
    with_durable(store, chance, irina)
    size = store.head().size
    with pytest.raises(NotAcceptedError, match=why):
        store.append(entry(store, irina, item, **changes))
    assert store.head().size == size
    assert not store.standing().exports


def test_only_a_present_reviewer_exports_and_only_on_what_they_saw(store, chance, irina, mallory):
    with_durable(store, chance, irina)
    with pytest.raises(NotAcceptedError, match="signature"):
        store.append(replace(entry(store, irina), signed=None))
    with pytest.raises(NotAcceptedError, match="not a key of reviewer"):
        store.append(entry(store, replace(mallory, name=irina.name)))
    late = entry(store, irina)
    store.append(stage(store, chance, "c"))
    with pytest.raises(OutOfTurnError, match="Sign again"):
        store.append(late)
    store.append(entry(store, irina))
    with pytest.raises(NotAcceptedError, match="recorded already"):
        store.append(entry(store, irina))


def test_a_withdrawn_cell_is_not_exported_but_its_export_can_be_withdrawn(store, chance, irina):
    with_durable(store, chance, irina)
    store.append(entry(store, irina))
    store.append(decide(store, irina, verdict(store, "item-a", DecisionKind.WITHDRAW)))
    assert store.standing().stage_of("item-a", 1) == Stage.STAGED
    with pytest.raises(NotAcceptedError, match="not durable"):
        store.append(entry(store, irina, export="1f" * 16))
    store.append(entry(store, irina, act=ExportAct.WITHDRAWN))
    assert store.standing().exports[EXPORT].withdrawn


@pytest.mark.parametrize("store", ["file"], indirect=True)
def test_verify_covers_exports_and_their_content(store, chance, irina):
    with_durable(store, chance, irina)
    store.append(entry(store, irina))
    store.append(entry(store, irina, act=ExportAct.WITHDRAWN))
    assert verify(store.path, root=irina.root).exit_code == 0
    with duckdb.connect(str(store.path)) as connection:
        connection.execute("delete from vault_payload where role = 'export'")
    wrong = {
        one.name
        for one in verify(store.path, root=irina.root).lines
        if one.verdict == Verdict.FAIL
    }
    assert wrong == {"payloads"}


def test_a_rebuilt_store_has_the_same_exports(store, chance, irina):
    with_durable(store, chance, irina)
    store.append(entry(store, irina))
    before = dict(store.standing().exports)
    store.rebuild()
    assert store.standing().exports == before

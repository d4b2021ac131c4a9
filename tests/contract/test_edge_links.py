"""What every store promises of edges that people draw and deny, over memory and file."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from store import canonical
from store.cells import EdgeKind
from store.links import LinkVerdict, read_links
from store.log import Entry
from store.stages import Stage
from store.standing import NotAcceptedError
from store.statements import BadStatementError
from store.vault import Payload, Role
from tests.contract.staged import stage
from tests.contract.test_links import entry, link, standing_pairs
from tests.contract.verified import verified

BY_HAND = [
    EdgeKind.SUPERSEDES,
    EdgeKind.CONFLICTS_WITH,
    EdgeKind.DEPENDS_ON,
    EdgeKind.SUPPORTS,
    EdgeKind.CONTRADICTS,
]

BEFORE_REASONS = (
    b'{"_type":"https://in-toto.io/Statement/v1","predicate":{"links":[{"from":{"item":"item-a",'
    b'"rev":1},"kind":"depends_on","stood":"nothing","strength":"0.9","to":{"item":"item-b",'
    b'"rev":1},"verdict":"asserted","view_sha256":"' + b"0" * 64 + b'"}],"nonce":"l-2",'
    b'"policy_sha256":"' + b"0" * 64 + b'","prev":{"root":"' + b"1" * 64 + b'","size":2},'
    b'"reviewer":"r-irina","reviewer_seq":1,"signed_at":"2026-03-10T12:00:00.000000Z",'
    b'"store":"store-1","tenant":"tenant-1"},"predicateType":"urn:memory-console:links:v1",'
    b'"subject":[{"digest":{"sha256":"' + b"a" * 64 + b'"},"name":"item:item-a/rev/1"},'
    b'{"digest":{"sha256":"' + b"b" * 64 + b'"},"name":"item:item-b/rev/1"}]}'
)
"""A statement as it was signed before links had reasons and denials."""


def with_reason(store, chance, told, why="because"):
    payload = Payload(Role.NOTE, chance(32), why.encode())
    return replace(told, note=payload.commitment), payload


def test_a_statement_from_before_reasons_is_read_and_written_as_it_was():
    told = read_links(BEFORE_REASONS)
    assert [one.note for one in told.links] == [None]
    assert told.encode() == BEFORE_REASONS


@pytest.mark.parametrize("kind", BY_HAND)
def test_every_kind_is_asserted_taken_back_and_denied(store, chance, irina, kind):
    store.append(stage(store, chance, "a", "b"))
    first = link(store, "item-a", "item-b", kind=kind)
    store.append(entry(store, irina, first))
    assert standing_pairs(store) == {("item-a", "item-b"): "asserted"}
    back = link(store, "item-a", "item-b", LinkVerdict.RETRACTED, "asserted", kind=kind)
    store.append(entry(store, irina, back))
    assert standing_pairs(store) == {}
    denied = link(store, "item-a", "item-b", LinkVerdict.DENIED, kind=kind)
    store.append(entry(store, irina, denied))
    assert standing_pairs(store) == {("item-a", "item-b"): "denied"}
    (stands,) = store.standing().links.values()
    assert not stands.holds
    assert store.standing().stage_of("item-a", 1) == Stage.STAGED


def test_a_denial_takes_the_place_of_an_assertion_and_is_taken_back_itself(store, chance, irina):
    store.append(stage(store, chance, "a", "b"))
    kind = EdgeKind.SUPERSEDES
    for said, stood in (("asserted", "nothing"), ("denied", "asserted"), ("retracted", "denied")):
        told = link(store, "item-a", "item-b", LinkVerdict(said), stood, kind=kind)
        store.append(entry(store, irina, told))
    assert store.standing().links == {}
    rows = store.rows("select verdict from proj_link order by seq")
    assert [row["verdict"] for row in rows] == ["asserted", "denied", "retracted"]


def test_a_duplicate_is_told_different_and_nothing_else_is(store, chance, irina):
    store.append(stage(store, chance, "a", "b"))
    for kind, said in (
        (EdgeKind.DUPLICATE_OF, LinkVerdict.DENIED),
        (EdgeKind.SUPERSEDES, LinkVerdict.DIFFERENT),
    ):
        with pytest.raises(NotAcceptedError, match="asserted or retracted"):
            store.append(entry(store, irina, link(store, "item-a", "item-b", said, kind=kind)))
    assert store.head().size == 2


def test_a_reason_is_kept_in_the_vault_and_only_its_commitment_in_the_log(store, chance, irina):
    store.append(stage(store, chance, "a", "b"))
    kind = EdgeKind.SUPERSEDES
    told, payload = with_reason(store, chance, link(store, "item-a", "item-b", kind=kind))
    made = entry(store, irina, told)
    store.append(Entry(made.happening, payloads=[payload], signed=made.signed))
    (stands,) = store.standing().links.values()
    assert store.payloads([stands.link.note])[stands.link.note].body == b"because"
    assert b"because" not in made.signed.statement
    report = verified(store, irina.root)
    assert report is None or report.exit_code == 0


@pytest.mark.parametrize("note", [7, None, ["x"]])
def test_a_reason_of_another_type_is_malformed(note):
    told = json.loads(BEFORE_REASONS)
    told["predicate"]["links"][0]["note"] = note
    with pytest.raises(BadStatementError):
        read_links(canonical.encode(told))


def test_rebuilt_edges_equal_the_ones_that_grew(store, chance, irina):
    store.append(stage(store, chance, "a", "b", "c"))
    denied = link(store, "item-a", "item-b", LinkVerdict.DENIED, kind=EdgeKind.SUPERSEDES)
    store.append(entry(store, irina, denied))
    store.append(entry(store, irina, link(store, "item-c", "item-b", kind=EdgeKind.DEPENDS_ON)))
    grown = store.rows("select * from proj_link order by all")
    store.rebuild()
    assert store.rows("select * from proj_link order by all") == grown
    assert len(grown) == 2

"""A snapshot that a reviewer's key signed and that is false all the same is not served.

Whoever alters the program that publishes has its signature over the file. Each cell still needs
the decision of a person over its exact artifact, and the log has to be the one that was signed.
"""

from __future__ import annotations

import json
from dataclasses import replace

import duckdb
import pytest

from review.leaves import leaves_of
from store import whole_files
from store.log import DamagedStoreError
from store.publications import read_publish
from store.published import Published
from store.refusing import NotServedError, Refused
from store.stages import DecisionKind
from tests.store.publishing_worlds import World, somebody


@pytest.fixture(scope="module")
def template(tmp_path_factory) -> World:
    made = World(tmp_path_factory.mktemp("template") / "acme", somebody())
    made.learn("one", "two", "three")
    made.learn("gone")
    made.decide("item-gone", decision=DecisionKind.WITHDRAW)
    made.publish()
    return made


@pytest.fixture
def world(template, tmp_path) -> World:
    return template.copied(tmp_path / "acme")


def forge(world: World, *sql: str, **changes) -> None:
    """Alter the published file, and sign it as it is then."""
    path = world.snapshot()
    with duckdb.connect(str(path)) as connection:
        for one in sql:
            connection.execute(one)
        connection.execute("checkpoint")
    told = world.current()
    statement = read_publish(told["statement"].encode())
    fresh = replace(statement, snapshot_sha256=whole_files.sha256_of(path), **changes)
    (signed,) = world.sign([fresh.encode()])
    told |= {"statement": signed.statement.decode(), "signature": signed.signature}
    (world.folder / "current.json").write_text(json.dumps(told))


_OF_TWO = "where item = 'item-two'"
_OTHER = "(select digest from proj_item where item = 'item-one')"


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        (f"delete from proj_item {_OF_TWO}", Refused.ITEM_DIFFERS),
        (f"update proj_item set digest = {_OTHER} {_OF_TWO}", Refused.NOT_SIGNED),
        (f"update proj_item set rev = 2 {_OF_TWO}", Refused.ITEM_DIFFERS),
        (
            "insert into proj_item by name select 'item-more' as item, * exclude (item)"
            f" from proj_item {_OF_TWO}",
            Refused.ITEM_DIFFERS,
        ),
        (
            'update log_leaf set canon = encode(replace(decode(canon), \'"kind":"fact"\','
            ' \'"kind":"event"\'))',
            Refused.ITEM_DIFFERS,
        ),
        ("delete from log_leaf", Refused.ITEM_DIFFERS),
        (f"update proj_item set kind = 'limit' {_OF_TWO}", Refused.ITEM_DIFFERS),
        (f"update proj_item set valid_to = '2030-01-01' {_OF_TWO}", Refused.ITEM_DIFFERS),
        (f"update proj_item set scope_c = text_c {_OF_TWO}", Refused.ITEM_DIFFERS),
        (
            "update proj_item set text_c = (select text_c from proj_item where"
            f" item = 'item-one') {_OF_TWO}",
            Refused.ITEM_DIFFERS,
        ),
        ("delete from log_signature", Refused.NOT_SIGNED),
        (
            "update log_signature set statement = encode(replace(decode(statement), 'withdraw',"
            " 'defer'))",
            Refused.NOT_SIGNED,
        ),
        (
            "delete from log_event where seq = (select max(seq) from log_event where"
            " type = 'batch.decided')",
            Refused.NOT_SIGNED,
        ),
        (
            "update log_event set canon = encode(replace(decode(canon), 'p-test', 'p-else'))",
            Refused.LOG_DIFFERS,
        ),
        ("delete from pub_leaf_hash where seq = 1", Refused.LOG_DIFFERS),
        ("delete from pub_leaf_hash", Refused.LOG_DIFFERS),
        ("update pub_leaf_hash set hash = hash || hash where seq = 2", Refused.LOG_DIFFERS),
        ("update log_identity set tenant = 'another'", Refused.OTHER_TENANT),
        ("delete from log_identity", Refused.UNREADABLE),
        ("drop table pub_artifact", Refused.LOG_DIFFERS),
    ],
)
def test_a_file_that_says_something_else_is_refused_under_a_true_signature(world, sql, reason):
    world.read()  # the control: it is served as it was made
    forge(world, sql)
    with pytest.raises(NotServedError) as refused:
        world.read()
    assert refused.value.reason == reason


_LEAVES = (
    "create temp table t as select place, row_number() over (order by place) as n from log_leaf",
    "create temp table held as select * from log_leaf",
    "delete from log_leaf",
)
_TURNED = (
    "insert into log_leaf select (select o.place from t o where o.n = t.n % 3 + 1),"
    " h.seq, h.ordinal, h.canon from held h join t using (place)"
)
_KEPT = "insert into log_leaf select * from held"


@pytest.mark.parametrize(
    "sql",
    [
        (*_LEAVES, _TURNED),
        (*_LEAVES, _KEPT, "insert into log_leaf select place + 7, seq, ordinal, canon from held"),
        (
            *_LEAVES,
            _KEPT,
            "insert into log_leaf select h.place + 7, h.seq, h.ordinal, o.canon from held h"
            " join held o on o.ordinal = (h.ordinal + 1) % 3",
        ),
        (*_LEAVES, "insert into log_leaf select place, seq, (ordinal + 1) % 3, canon from held"),
        (*_LEAVES, "insert into log_leaf select place, seq + 1, ordinal, canon from held"),
        (
            *_LEAVES,
            "insert into log_leaf select h.place, h.seq, h.ordinal, o.canon from held h"
            " join held o on o.ordinal = (h.ordinal + 1) % 3",
        ),
        ("update proj_item set n = (n + 1) % 3",),
        ("update proj_item set seq = seq + 1",),
    ],
    ids=[
        "places turned",
        "places doubled",
        "places doubled with others",
        "ordinals turned",
        "another batch",
        "leaves turned",
        "list turned",
        "list of another batch",
    ],
)
def test_a_place_in_the_log_never_leads_to_another_cell(world, sql):
    before = world.read()
    rows = before.rows("select seq, n, item, digest from proj_item order by n")
    assert [leaf["artifact"]["item"] for leaf in leaves_of(before, rows)] == [
        "item-one",
        "item-two",
        "item-three",
    ]
    before.close()
    forge(world, *sql)
    with pytest.raises(NotServedError) as refused:
        world.read()
    assert refused.value.reason == Refused.ITEM_DIFFERS
    unchecked = Published(world.snapshot())  # the second wall, if the first were not there
    for row in unchecked.rows("select seq, n, item, digest from proj_item"):
        try:
            (leaf,) = leaves_of(unchecked, [row])
        except DamagedStoreError:
            continue
        assert leaf["artifact"]["item"] == row["item"]


@pytest.mark.parametrize(
    "changes",
    [
        {"state_root": "0" * 64},
        {"root": "0" * 64},
        {"size": 3},
        {"store": "another"},
        {"reviewer": "r-nobody"},
        {"reviewer_seq": 9},
    ],
)
def test_a_statement_that_says_something_else_is_refused(world, changes):
    forge(world, **changes)
    with pytest.raises(NotServedError):
        world.read()


def test_words_that_were_altered_open_to_no_commitment(world):
    forge(
        world,
        "update vault_payload set body = encode('won') where role = 'text'"
        " and decode(body) = 'one'",
    )
    found = world.read()
    names = [row["text_c"] for row in found.rows("select text_c from proj_item")]
    with pytest.raises(DamagedStoreError):
        found.payloads(names)


def test_a_snapshot_that_nobody_checked_serves_nothing(world):
    found = Published(world.snapshot())
    with pytest.raises(DamagedStoreError, match="not verified"):
        found.standing()

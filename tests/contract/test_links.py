"""What every store promises of links between records. It shares the ``store`` fixture."""

from __future__ import annotations

from dataclasses import replace

import duckdb
import pytest
from sqlalchemy import text

from store.cells import EdgeKind
from store.events import EventType
from store.links import NOTHING, End, LinkStatement, LinkVerdict, SignedLink, read_links
from store.log import Entry
from store.stages import Stage
from store.standing import NotAcceptedError, OutOfTurnError
from store.statements import BadStatementError, Seen
from store.verify import Verdict, verify
from tests.contract.staged import TIME, artifact_of, decide, happening, stage, verdict


def end(store, item):
    return End(item, *artifact_of(store, item))


def link(store, start, target, said=LinkVerdict.ASSERTED, stood=NOTHING, **changes):
    told = {
        "kind": EdgeKind.DUPLICATE_OF,
        "start": end(store, start),
        "target": end(store, target),
        "verdict": said,
        "came_from": stood,
        "view_sha256": "0" * 64,
    }
    return SignedLink(**(told | changes))


def entry(store, reviewer, *links, changes=None, **more):
    head = store.head()
    told = {
        "store": store.store_id,
        "tenant": store.tenant_id,
        "links": links,
        "prev": Seen(head.size, head.root),
        "policy_sha256": "0" * 64,
        "reviewer": reviewer.name,
        "reviewer_seq": store.standing().sequence.get(reviewer.name, 0) + 1,
        "signed_at": TIME,
        "nonce": f"l-{head.size}",
    }
    data = LinkStatement(**(told | (changes or {}) | more)).encode()
    (signed,) = reviewer.key.sign([data], now=reviewer.key._until)
    return Entry(happening(EventType.LINKS_DECIDED), signed=signed)


def standing_pairs(store):
    return {
        (one.link.start.item, one.link.target.item): str(one.link.verdict)
        for one in store.standing().links.values()
    }


def test_a_statement_of_links_is_read_as_it_was_written(store, chance, irina):
    store.append(stage(store, chance, "a", "b"))
    told = link(store, "item-a", "item-b", strength="0.9")
    assert read_links(entry(store, irina, told).signed.statement).links == (told,)


def test_a_link_stands_and_moves_no_stage(store, chance, irina):
    store.append(stage(store, chance, "a", "b"))
    store.append(entry(store, irina, link(store, "item-a", "item-b")))
    assert standing_pairs(store) == {("item-a", "item-b"): "asserted"}
    assert store.standing().stage_of("item-a", 1) == Stage.STAGED
    assert not store.standing().items
    rows = store.rows("select item, target, verdict from proj_link")
    assert rows == [{"item": "item-a", "target": "item-b", "verdict": "asserted"}]


def test_a_link_is_taken_back_by_a_new_record_and_the_old_one_stays_in_the_log(
    store, chance, irina
):
    store.append(stage(store, chance, "a", "b"))
    store.append(entry(store, irina, link(store, "item-a", "item-b")))
    taken = link(store, "item-b", "item-a", LinkVerdict.RETRACTED, "asserted")
    store.append(entry(store, irina, taken))
    assert standing_pairs(store) == {}
    assert [row["verdict"] for row in store.rows("select * from proj_link order by seq")] == [
        "asserted",
        "retracted",
    ]
    size = store.head().size
    assert store.standing_at(size - 1).links
    assert not store.standing_at(size).links


def test_different_takes_the_place_of_the_same_whichever_way_it_is_said(store, chance, irina):
    store.append(stage(store, chance, "a", "b"))
    store.append(entry(store, irina, link(store, "item-a", "item-b")))
    other = link(store, "item-b", "item-a", LinkVerdict.DIFFERENT, "asserted")
    store.append(entry(store, irina, other))
    assert standing_pairs(store) == {("item-b", "item-a"): "different"}


def test_edges_of_a_direction_are_two_questions(store, chance, irina):
    store.append(stage(store, chance, "a", "b"))
    kind = EdgeKind.DEPENDS_ON
    store.append(entry(store, irina, link(store, "item-a", "item-b", kind=kind)))
    store.append(entry(store, irina, link(store, "item-b", "item-a", kind=kind)))
    assert len(store.standing().links) == 2


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"came_from": "asserted"}, "nothing stands between them now"),
        ({"verdict": LinkVerdict.RETRACTED}, "nothing to take back"),
        ({"strength": "1.5"}, "not a number from 0 to 1"),
        ({"strength": "much"}, "not a number from 0 to 1"),
        ({"kind": EdgeKind.DEPENDS_ON, "verdict": LinkVerdict.DIFFERENT}, "asserted or retracted"),
    ],
)
def test_a_link_that_does_not_fit_is_refused_and_nothing_is_stored(
    store, chance, irina, changes, why
):
    store.append(stage(store, chance, "a", "b"))
    told = replace(link(store, "item-a", "item-b"), **changes)
    with pytest.raises(NotAcceptedError, match=why):
        store.append(entry(store, irina, told))
    assert store.head().size == 2


def test_what_stands_already_is_not_signed_twice(store, chance, irina):
    store.append(stage(store, chance, "a", "b"))
    store.append(entry(store, irina, link(store, "item-a", "item-b")))
    with pytest.raises(NotAcceptedError, match="stands already"):
        store.append(entry(store, irina, link(store, "item-a", "item-b", stood="asserted")))


def test_a_link_to_itself_or_twice_in_one_statement_is_refused(store, chance, irina):
    store.append(stage(store, chance, "a", "b"))
    with pytest.raises(NotAcceptedError, match="to itself"):
        store.append(entry(store, irina, link(store, "item-a", "item-a")))
    both = link(store, "item-a", "item-b"), link(store, "item-b", "item-a")
    with pytest.raises(NotAcceptedError, match="twice"):
        store.append(entry(store, irina, *both))


def test_a_link_over_another_artifact_or_a_replaced_revision_is_refused(store, chance, irina):
    store.append(stage(store, chance, "a", "b"))
    told = link(store, "item-a", "item-b")
    bad = replace(told, start=replace(told.start, artifact="0" * 64))
    with pytest.raises(NotAcceptedError, match="not the artifact that was signed"):
        store.append(entry(store, irina, bad))
    store.append(stage(store, chance, "new", rev=2, names=("item-a",)))
    with pytest.raises(NotAcceptedError, match="Open it again"):
        store.append(entry(store, irina, told))


def test_links_need_a_signature_of_a_present_reviewer_for_this_store(
    store, chance, irina, mallory
):
    store.append(stage(store, chance, "a", "b"))
    told = link(store, "item-a", "item-b")
    with pytest.raises(NotAcceptedError, match="signature"):
        store.append(Entry(happening(EventType.LINKS_DECIDED)))
    with pytest.raises(NotAcceptedError, match="not a key of reviewer"):
        store.append(entry(store, replace(mallory, name=irina.name), told))
    for changes in ({"store": "store-2"}, {"tenant": "tenant-2"}):
        with pytest.raises(NotAcceptedError, match="another store"):
            store.append(entry(store, irina, told, changes=changes))
    with pytest.raises(NotAcceptedError, match="not a beginning"):
        store.append(entry(store, irina, told, prev=Seen(2, "0" * 64)))
    assert store.head().size == 2


def test_links_and_decisions_share_one_count_so_neither_can_be_played_again(store, chance, irina):
    store.append(stage(store, chance, "a", "b"))
    first = entry(store, irina, link(store, "item-a", "item-b"))
    store.append(first)
    store.append(decide(store, irina, verdict(store, "item-a")))
    assert store.standing().sequence == {"r-irina": 2}
    with pytest.raises(OutOfTurnError):
        store.append(first)


def test_a_decision_is_not_read_as_a_link_nor_a_link_as_a_decision(store, chance, irina):
    store.append(stage(store, chance, "a", "b"))
    signed = decide(store, irina, verdict(store, "item-a")).signed
    with pytest.raises(NotAcceptedError, match="not of type"):
        store.append(Entry(happening(EventType.LINKS_DECIDED), signed=signed))
    told = entry(store, irina, link(store, "item-a", "item-b")).signed
    with pytest.raises(BadStatementError):
        store.append(Entry(happening(EventType.BATCH_DECIDED), signed=told))
    assert store.head().size == 2


def test_a_row_that_claims_a_link_has_no_effect(store, chance):
    store.append(stage(store, chance, "a", "b"))
    with store._opener.work() as connection:
        connection.execute(
            text(
                "insert into proj_link values (1, 0, 'duplicate_of', 'item-a', 1, 'item-b', 1,"
                " 'asserted', '1', 'r-irina', 'x', 'x')"
            )
        )
    assert store.standing().links == {}


def test_rebuilt_links_equal_the_ones_that_grew(store, chance, irina):
    store.append(stage(store, chance, "a", "b", "c"))
    store.append(
        entry(store, irina, link(store, "item-a", "item-b"), link(store, "item-c", "item-b"))
    )
    store.append(
        entry(store, irina, link(store, "item-a", "item-b", LinkVerdict.RETRACTED, "asserted"))
    )
    grown = store.rows("select * from proj_link order by all")
    assert len(grown) == 3
    store.rebuild()
    assert store.rows("select * from proj_link order by all") == grown


def test_one_statement_covers_at_most_two_hundred_links(store, chance, irina):
    store.append(stage(store, chance, "a", "b"))
    told = link(store, "item-a", "item-b")
    for links in ((), (told,) * 201):
        with pytest.raises(ValueError, match="1 to 200 links"):
            entry(store, irina, *links)


@pytest.mark.parametrize("store", ["file"], indirect=True)
@pytest.mark.parametrize(
    ("act", "line"),
    [
        ("update proj_link set verdict = 'retracted'", "projections"),
        ("delete from proj_link", "projections"),
        ("delete from log_signature", "signatures"),
    ],
)
def test_verify_covers_links(tmp_path, store, chance, irina, act, line):
    store.append(stage(store, chance, "a", "b"))
    store.append(entry(store, irina, link(store, "item-a", "item-b")))
    whole = verify(store.path, root=irina.root)
    assert whole.exit_code == 0
    assert "1 statements" in {one.name: one.detail for one in whole.lines}["signatures"]
    with duckdb.connect(str(store.path)) as connection:
        if "log_" in act:
            connection.execute("drop trigger log_signature_no_delete on log_signature")
        connection.execute(act)
    found = {one.name for one in verify(store.path, root=irina.root).lines
             if one.verdict == Verdict.FAIL}  # fmt: skip
    assert line in found

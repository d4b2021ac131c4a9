"""Backups are kept for a while, and a restore forgets again before anybody can read."""

from __future__ import annotations

import base64
import json
import shutil
from datetime import UTC, date, datetime, timedelta

import pytest

from console.signing import throwaway
from store import backups, canonical, forget_list, forget_listing, forgetting, leftovers, restoring
from store.backups import BackupError
from store.duckdb_store import DuckDbStore
from store.events import EventType
from store.forget_list import ForgetListError
from store.forget_statements import guard_digest
from store.log import Entry
from store.restoring import Moment
from store.signers import NotAcceptedError
from store.stages import Stage
from store.statements import ReviewerStatement
from store.verify import Verdict, verify
from tests.conftest import Reviewer
from tests.contract.staged import TIME, decide, happening, verdict
from tests.store.forgotten import a_store, contents_of, ended, forget, olga

NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
MOMENT = Moment(NOW + timedelta(days=3), "p-test")
GONE = {f"gone-{n}": f"canary {n} канарейка сидит тихо" for n in range(5)}
STAYS = {f"stays-{n}": f"an ordinary sentence, number {n}" for n in range(30)}


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    folder = tmp_path_factory.mktemp("template")
    store = a_store(folder / "store.duckdb", olga(), GONE, STAYS)
    store.append(decide(store, olga(), verdict(store, "gone-0"), verdict(store, "stays-0")))
    return folder


@pytest.fixture
def store(template, tmp_path):
    shutil.copytree(template, tmp_path / "t")
    return DuckDbStore(tmp_path / "t" / "store.duckdb", trust=olga().root)


def backed_up(store, folder, **more):
    told = {"backup": "b-1", "delete_by": date(2026, 4, 9), "now": NOW, "process": "p-test"}
    return backups.write(store, folder, **(told | more))


def lost(store):
    """The live store is gone; what stands beside it is still there."""
    store.path.unlink()


def restored(folder, path, **more):
    return restoring.restore(folder, path, **({"trust": olga().root, "moment": MOMENT} | more))


def forgotten(store, *items, forget_id="f-1"):
    store.append(forget(store, olga(), *items, forget=forget_id))
    done = forgetting.carry_out(store, forgetting.pending(store), store.path.parent)
    forget_listing.keep(store)
    store.append(ended(EventType.FORGET_COMPLETED, forget_id, erased=3))
    return done


def guarded(store, keys, *items, forget_id="f-1"):
    """A request that is signed with its keyed digests, carried out."""
    signed = {"forget": forget_id, "guard": guard_digest(keys)}
    store.append(forget(store, olga(), *items, **signed))
    store.append(Entry(happening(EventType.FORGET_GUARDED, forget=forget_id, keys=keys)))
    forgetting.carry_out(store, forgetting.pending(store), store.path.parent)
    forget_listing.keep(store)
    store.append(ended(EventType.FORGET_COMPLETED, forget_id, erased=3))


def edited(path, change):
    """The list beside a store with its lines changed by somebody who can write there."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps(line, sort_keys=True) + "\n" for line in change(lines)))


def wrong(path):
    return [one for one in verify(path, root=olga().root).lines if one.verdict == Verdict.FAIL]


def test_a_backup_is_a_whole_store_with_a_day_to_delete_it_and_is_recorded(store, tmp_path):
    head = store.head()
    manifest = backed_up(store, tmp_path / "b")
    assert (manifest.size, manifest.root) == (head.size, head.root)
    assert manifest.delete_by == "2026-04-09"
    assert backups.read(tmp_path / "b", now=NOW) == manifest
    assert not wrong(tmp_path / "b" / "store.duckdb")
    event = store.events()[-1]
    assert event.type == EventType.BACKUP_WRITTEN
    assert event.body == {
        "backup": "b-1",
        "delete_by": "2026-04-09",
        "sha256": manifest.sha256,
        "size": head.size,
    }
    assert not wrong(store.path)
    assert sorted(one.name for one in (tmp_path / "b").iterdir()) == [
        "manifest.json",
        "store.duckdb",
    ]


@pytest.mark.parametrize("day", [date(2026, 4, 10), date(2026, 3, 9)])
def test_a_backup_is_kept_for_thirty_days_at_most(store, tmp_path, day):
    with pytest.raises(ValueError, match="30 days"):
        backed_up(store, tmp_path / "b", delete_by=day)
    assert not (tmp_path / "b").exists()


def test_a_restore_without_anything_forgotten_gives_the_store_back(store, tmp_path):
    events = [event.digest for event in store.events()]
    backed_up(store, tmp_path / "b")
    lost(store)
    told = restored(tmp_path / "b", store.path)
    assert (told.requests, told.contents) == (0, 0)
    fresh = DuckDbStore(store.path, trust=olga().root)
    assert [event.digest for event in fresh.events()] == events
    assert fresh.standing().stage_of("gone-0", 1) == Stage.DURABLE
    assert len(fresh.payloads(contents_of(fresh, *GONE))) == 15
    assert not wrong(store.path)


def test_a_restore_forgets_again_what_was_forgotten_after_the_backup(store, tmp_path):
    backed_up(store, tmp_path / "b")
    gone = contents_of(store, *GONE)
    guarded(store, ["0" * 32], *GONE)
    lost(store)
    assert GONE["gone-1"].encode() in (tmp_path / "b" / "store.duckdb").read_bytes()

    told = restored(tmp_path / "b", store.path)
    assert (told.requests, told.contents) == (1, 15)
    fresh = DuckDbStore(store.path, trust=olga().root)
    assert fresh.payloads(gone) == {}
    assert fresh.standing().stage_of("gone-0", 1) == Stage.ERASED
    assert [item for item, _rev, _digest in fresh.standing().durable()] == ["stays-0"]
    data = store.path.read_bytes()
    assert not [text for text in GONE.values() if text.encode() in data]
    assert STAYS["stays-7"].encode() in data
    kinds = [event.type for event in fresh.events()][-2:]
    assert kinds == [EventType.FORGET_REPLAYED, EventType.FORGET_GUARDED]
    assert not wrong(store.path)
    (request,) = forgetting.pending(fresh)
    assert request.forget == "f-1"
    fresh.append(ended(EventType.FORGET_COMPLETED, "f-1", erased=15))
    assert not wrong(store.path)
    lines = {one.name: one for one in verify(store.path, root=olga().root).lines}
    assert lines["erasures"].verdict == Verdict.PASS
    # The signature over the lost end of the log vouches for nothing in this one.
    assert "size 4;" in lines["last human head"].detail
    assert sorted(one.name for one in store.path.parent.iterdir()) == [
        "store.duckdb",
        "store.duckdb.forgets",
    ]


def test_decisions_and_further_requests_go_on_after_a_restore(store, tmp_path):
    backed_up(store, tmp_path / "b")
    forgotten(store, "gone-1")
    lost(store)
    restored(tmp_path / "b", store.path)
    fresh = DuckDbStore(store.path, trust=olga().root)
    fresh.append(decide(fresh, olga(), verdict(fresh, "stays-1")))
    forgotten(fresh, "gone-2", forget_id="f-2")
    assert not wrong(store.path)
    backed_up(fresh, tmp_path / "b2", backup="b-2")
    lost(fresh)
    assert restored(tmp_path / "b2", store.path).contents == 0
    restored_twice = DuckDbStore(store.path, trust=olga().root)
    assert restored_twice.standing().stage_of("gone-2", 1) == Stage.ERASED


def test_an_older_backup_hears_everything_since(store, tmp_path):
    backed_up(store, tmp_path / "old")
    forgotten(store, "gone-1")
    backed_up(store, tmp_path / "young", backup="b-2")
    forgotten(store, "gone-2", forget_id="f-2")
    lost(store)
    assert restored(tmp_path / "old", store.path).requests == 2
    store.path.unlink()
    assert restored(tmp_path / "young", store.path).requests == 1
    assert not wrong(store.path)


def test_a_request_by_a_reviewer_who_came_after_the_backup_is_heard(store, tmp_path):
    backed_up(store, tmp_path / "b")
    later = Reviewer("r-later", throwaway(now=datetime(9998, 1, 1, tzinfo=UTC)))
    statement = ReviewerStatement(
        "added", later.name, later.key.public, TIME, olga().name, store.store_id, store.tenant_id
    ).encode()
    (signed,) = olga().key.sign([statement], now=olga().key._until)
    store.append(Entry(happening(EventType.REVIEWER_ADDED, name=""), signed=signed))
    store.append(forget(store, later, "gone-1"))
    forget_listing.keep(store)
    lost(store)
    assert restored(tmp_path / "b", store.path).requests == 1
    fresh = DuckDbStore(store.path, trust=olga().root)
    assert fresh.standing().stage_of("gone-1", 1) == Stage.ERASED
    assert later.name in fresh.standing().keys


def test_what_waits_to_be_erased_is_not_in_a_backup(store, tmp_path):
    store.append(forget(store, olga(), *GONE))
    backed_up(store, tmp_path / "b")
    data = (tmp_path / "b" / "store.duckdb").read_bytes()
    assert not [text for text in GONE.values() if text.encode() in data]
    assert not wrong(tmp_path / "b" / "store.duckdb")


def test_without_the_list_nothing_is_restored(store, tmp_path):
    backed_up(store, tmp_path / "b")
    forgotten(store, "gone-1")
    live = forget_listing.of_store(store)
    beside = forget_list.beside(store.path)
    lost(store)
    kept = beside.read_bytes()
    for broken in (None, b"", b"{}\n", kept[:-40], kept.splitlines(keepends=True)[0][:-9]):
        beside.unlink(missing_ok=True)
        if broken is not None:
            beside.write_bytes(broken)
        with pytest.raises(ForgetListError):
            restored(tmp_path / "b", store.path)
        assert not store.path.exists()
        assert not list(store.path.parent.glob("*.restoring*"))
    beside.unlink()
    assert restored(tmp_path / "b", store.path, lists=[live]).requests == 1


def test_a_list_that_was_cut_or_belongs_elsewhere_is_refused(store, tmp_path):
    forgotten(store, "gone-1")
    backed_up(store, tmp_path / "b")
    lost(store)
    beside = forget_list.beside(store.path)
    whole = beside.read_text().splitlines(keepends=True)
    beside.write_text("".join(whole[:-1]))
    with pytest.raises(ForgetListError, match="knew of 1"):
        restored(tmp_path / "b", store.path)
    beside.write_text("".join(whole).replace("store-1", "store-2"))
    with pytest.raises(ForgetListError, match="another store"):
        restored(tmp_path / "b", store.path)
    assert not store.path.exists()


def test_a_request_that_nobody_signed_stops_the_restore(store, tmp_path):
    """Fail closed: a list that was written into is not partly believed."""
    backed_up(store, tmp_path / "b")
    other = a_store(tmp_path / "o" / "store.duckdb", olga(), GONE)
    mallory = Reviewer(olga().name, throwaway(now=datetime(9998, 1, 1, tzinfo=UTC)))
    signed = forget(other, mallory, "gone-1").signed
    heard = forget_list.Heard(EventType.FORGET_REQUESTED, signed)
    forged = forget_list.ForgetList("store-1", "tenant-1", (heard,))
    forget_list.write(forget_list.beside(store.path), forged)
    lost(store)
    with pytest.raises(ForgetListError, match="cannot be forgotten again"):
        restored(tmp_path / "b", store.path)
    assert not store.path.exists()


def test_a_backup_that_was_changed_is_too_old_or_is_none_is_refused(store, tmp_path):
    backed_up(store, tmp_path / "b")
    lost(store)
    late = Moment(datetime(2026, 4, 10, 0, 0, tzinfo=UTC), "p-test")
    with pytest.raises(BackupError, match="was to be deleted by 2026-04-09"):
        restored(tmp_path / "b", store.path, moment=late)
    manifest = tmp_path / "b" / "manifest.json"
    told = json.loads(manifest.read_text())
    manifest.write_text(json.dumps(told | {"delete_by": "2036-01-01"}))
    with pytest.raises(BackupError, match="deleted"):
        restored(tmp_path / "b", store.path, moment=late)
    manifest.write_text(json.dumps(told))
    with (tmp_path / "b" / "store.duckdb").open("r+b") as file:
        file.seek(20_000)
        file.write(b"x")
    with pytest.raises(BackupError, match="not the one that was backed up"):
        restored(tmp_path / "b", store.path)
    with pytest.raises(BackupError, match="no backup"):
        restored(tmp_path, store.path)
    assert not store.path.exists()


def test_a_backup_under_another_trust_root_is_refused(store, tmp_path, irina):
    backed_up(store, tmp_path / "b")
    lost(store)
    with pytest.raises(BackupError, match="does not verify"):
        restored(tmp_path / "b", store.path, trust=irina.root)
    assert not store.path.exists()


def test_a_store_that_is_there_is_not_restored_over(store, tmp_path):
    backed_up(store, tmp_path / "b")
    head = store.head()
    with pytest.raises(FileExistsError, match="Move it away"):
        restored(tmp_path / "b", store.path)
    assert store.head() == head


def test_what_a_cut_off_restore_left_is_destroyed(store, tmp_path):
    left = leftovers.restoring_of(store.path)
    left.write_bytes(GONE["gone-1"].encode() * 1_000)
    with left.open("rb") as seen:
        DuckDbStore(store.path, trust=olga().root)
        assert set(seen.read()) == {0}
    assert not left.exists()


def test_a_store_that_was_put_back_by_hand_is_noticed(store, tmp_path):
    """A copy of the file from before the request: the list beside it knows more."""
    shutil.copyfile(store.path, tmp_path / "copy")
    forgotten(store, "gone-1")
    shutil.copyfile(tmp_path / "copy", store.path)
    with pytest.raises(ForgetListError, match="older than what was forgotten"):
        DuckDbStore(store.path, trust=olga().root)
    with pytest.raises(ForgetListError, match="requests that this store does not"):
        forget_listing.keep(store)
    assert restoring.hear(store.path, trust=olga().root, moment=MOMENT) == (1, 3)
    fresh = DuckDbStore(store.path, trust=olga().root)
    assert fresh.standing().stage_of("gone-1", 1) == Stage.ERASED
    assert GONE["gone-1"].encode() not in store.path.read_bytes()
    assert sorted(one.name for one in store.path.parent.iterdir()) == [
        "store.duckdb",
        "store.duckdb.forgets",
    ]
    assert not wrong(store.path)


KEYS = [f"{n}" * 32 for n in range(4)]


def one_less(lines):
    lines[-1]["keys"].pop()
    return lines


def one_more(lines):
    lines[-1]["keys"].append("f" * 32)
    return lines


def a_line_less(lines):
    return lines[:-1]


def a_line_more(lines):
    return [*lines, {"kind": "forget.guarded", "forget": "f-9", "keys": ["f" * 32]}]


def another_request_s(lines):
    lines[-1]["forget"] = "f-2"
    return lines


def without_its_name(lines):
    """The request is made to name no digests: then it is not what was signed."""
    statement = json.loads(base64.b64decode(lines[-2]["statement"]))
    del statement["predicate"]["guard"]
    spelled = canonical.encode(statement)
    return [*lines[:-2], {**lines[-2], "statement": base64.b64encode(spelled).decode()}]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (one_less, "not those that were signed"),
        (one_more, "not those that were signed"),
        (a_line_more, "not those that were signed"),
        (another_request_s, "not those that were signed"),
        (a_line_less, "lacks the keyed digests of 1 forget requests"),
        (without_its_name, "cannot be forgotten again"),
    ],
)
def test_who_edits_the_list_can_neither_add_nor_drop_keyed_digests(store, tmp_path, change, said):
    backed_up(store, tmp_path / "b")
    guarded(store, KEYS, "gone-0", "gone-1")
    lost(store)
    beside = forget_list.beside(store.path)
    whole = beside.read_bytes()
    edited(beside, change)
    with pytest.raises(ForgetListError, match=said):
        restored(tmp_path / "b", store.path)
    assert not store.path.exists()
    beside.write_bytes(whole)
    restored(tmp_path / "b", store.path)
    assert not wrong(store.path)


def test_only_the_keyed_digests_that_were_signed_are_recorded_and_verify_says_so(store):
    store.append(forget(store, olga(), "gone-0", guard=guard_digest(KEYS)))
    for keys in (KEYS[1:], [*KEYS, "f" * 32]):
        with pytest.raises(NotAcceptedError, match="not the keyed digests that were signed"):
            store.append(Entry(happening(EventType.FORGET_GUARDED, forget="f-1", keys=keys)))
    store.append(Entry(happening(EventType.FORGET_GUARDED, forget="f-1", keys=KEYS[::-1])))
    assert not wrong(store.path)


def test_verify_finds_a_request_that_lost_its_keyed_digests(store):
    store.append(forget(store, olga(), "gone-0", guard=guard_digest(KEYS)))
    forgetting.carry_out(store, forgetting.pending(store), store.path.parent)
    store.append(ended(EventType.FORGET_COMPLETED, "f-1", erased=3))
    (found,) = wrong(store.path)
    assert (found.name, "f-1 are missing" in found.detail) == ("erasures", True)


def test_all_parts_of_a_request_name_the_same_keyed_digests(store):
    store.append(forget(store, olga(), "gone-0", parts=2, guard=guard_digest(KEYS)))
    with pytest.raises(NotAcceptedError, match="another plan"):
        store.append(forget(store, olga(), "gone-1", part=2, parts=2, guard=guard_digest(["a"])))
    store.append(forget(store, olga(), "gone-1", part=2, parts=2, guard=guard_digest(KEYS)))


def test_the_list_holds_no_word_of_what_was_forgotten(store):
    forgotten(store, *GONE)
    told = forget_list.beside(store.path).read_text()
    assert not any(word in told for word in ("canary", "канарейка"))
    assert forget_list.read(forget_list.beside(store.path)) == forget_listing.of_store(store)

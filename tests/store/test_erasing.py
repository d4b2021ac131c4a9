"""Erasing by rewriting: what was erased is in no byte of the file, and the store is the store."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager

import duckdb
import pytest

from store import copies, erasing, forgetting, leftovers, migrations, rewriting
from store.connections import Opener, StoreBusyError
from store.copies import CopyDiffersError
from store.duckdb_store import DuckDbStore
from store.erase_points import Point
from store.events import EventType
from store.scans import Control, ScanStatus
from store.stages import Stage
from store.verify import Verdict, verify
from tests.contract.staged import decide, stage, verdict
from tests.store.forgotten import a_store, contents_of, ended, forget, olga

CANARIES = {f"gone-{n}": f"canary {n} ⁂ канарейка №{n * 7919} спит" for n in range(100)}
FILES = ["store.duckdb", "store.duckdb.forgets"]
OTHERS = {f"stays-{n}": f"an ordinary sentence, number {n}, that stays" for n in range(900)}


@pytest.fixture(scope="module")
def irina():
    return olga()


@pytest.fixture(scope="module")
def template(tmp_path_factory, irina):
    path = tmp_path_factory.mktemp("template") / "store.duckdb"
    a_store(path, irina, OTHERS, CANARIES)
    return path


@pytest.fixture
def path(tmp_path):
    found = tmp_path / "workspace" / "stores" / "t" / "store.duckdb"
    found.parent.mkdir(parents=True)
    return found


@pytest.fixture
def store(path, irina, template):
    shutil.copyfile(template, path)
    return DuckDbStore(path, trust=irina.root)


def carried_out(store, folder=None, **more):
    return forgetting.carry_out(
        store, forgetting.pending(store), folder or store.path.parent, **more
    )


def wrong(path, reviewer):
    return [one for one in verify(path, root=reviewer.root).lines if one.verdict == Verdict.FAIL]


def holds(path, *texts):
    data = path.read_bytes()
    return [text for text in texts if text.encode() in data]


def test_a_hundred_canaries_are_in_no_file_of_the_workspace(path, store, irina):
    spool = path.parents[2] / "spool"
    spool.mkdir()
    forms = {
        "lines.jsonl": "\n".join(json.dumps({"claim": text}) for text in CANARIES.values()),
        "wide.txt": ("\n".join(CANARIES.values())).encode("utf-16-le"),
        "coded.txt": "\n".join(base64.b64encode(t.encode()).decode() for t in CANARIES.values()),
    }
    for name, data in forms.items():
        (spool / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    gone = contents_of(store, *CANARIES)
    store.append(forget(store, irina, *CANARIES))

    done = carried_out(store, path.parents[2])
    by_path = {one.path: one for one in done.scan.files}
    assert {hit.of for hit in by_path["spool/lines.jsonl"].hits} >= set(contents_of_text(gone))
    assert all(by_path[f"spool/{name}"].status == ScanStatus.FOUND for name in forms)
    live = by_path["stores/t/store.duckdb"]
    assert (live.status, live.hits, live.control) == (ScanStatus.CLEAN, (), Control.ROWS)
    assert live.controls == live.control_hits == 2 * forgetting.CONTROLS
    assert done.erasure.rows == len(gone) == 300
    assert {done.scan.status_of(one, [live.path]) for one in gone} >= {ScanStatus.CLEAN}
    assert not holds(path, *CANARIES.values())
    assert len(holds(path, *OTHERS.values())) == len(OTHERS)
    assert sorted(one.name for one in path.parent.iterdir()) == FILES
    assert not wrong(path, irina)


def contents_of_text(commitments):
    """Of three contents of each item, the first is its text."""
    return commitments[::3]


def test_the_store_is_the_same_store_afterwards(path, store, irina):
    store.append(decide(store, irina, verdict(store, "stays-1")))
    store.append(forget(store, irina, *CANARIES))
    events, head = [event.digest for event in store.events()], store.head()
    kept = store.payloads(contents_of(store, *OTHERS))
    carried_out(store)
    fresh = DuckDbStore(path, trust=irina.root)
    assert [event.digest for event in fresh.events()] == events
    assert fresh.head() == store.head() == head
    assert fresh.payloads(kept) == kept
    assert fresh.standing().stage_of("stays-1", 1) == Stage.DURABLE
    assert fresh.standing().stage_of("gone-1", 1) == Stage.ERASED
    fresh.append(ended(EventType.FORGET_COMPLETED, "f-1", erased=300))
    assert forgetting.pending(fresh) == ()
    told = {one.name: one for one in verify(path, root=irina.root).lines}
    assert told["erasures"].verdict == Verdict.PASS
    assert "300 erased with receipt, 0 without" in told["payloads"].detail
    with pytest.raises(Exception, match="append-only"), fresh._opener.reading() as connection:
        connection.execute("delete from log_event")


def test_deleting_alone_leaves_the_bytes_and_the_rewrite_does_not(path, irina):
    """The least value of a column stands in its statistics too, by its first eight bytes."""
    store = a_store(path, irina, {"least": "\x01ZQXJKV7 is the least of all texts", **OTHERS})
    store.append(forget(store, irina, "least"))
    with store._opener.reading() as connection:
        connection.execute("drop table vault_condemned")
        connection.execute("checkpoint")
    assert holds(path, "\x01ZQXJKV7", "the least of all texts")
    carried_out(store)
    assert not holds(path, "\x01ZQXJKV7", "the least of all texts")


def test_with_the_rewrite_patched_out_the_scan_finds_it(path, store, irina, monkeypatch):
    class Copied:
        def __init__(self, source, fresh, **_more):
            shutil.copyfile(source, fresh)

        def __enter__(self):
            return rewriting.Copy(0)

        def __exit__(self, *_error):
            return None

    monkeypatch.setattr(rewriting, "copied", Copied)
    store.append(forget(store, irina, *CANARIES))
    texts = contents_of_text(contents_of(store, *CANARIES))
    done = carried_out(store)
    assert done.scan.status == ScanStatus.FOUND
    found = [one for one in texts if done.scan.status_of(one) == ScanStatus.FOUND]
    assert len(found) > 90


def test_with_a_compressed_file_nothing_is_claimed(store, irina, monkeypatch):
    monkeypatch.setattr(rewriting, "_SETTINGS", ("SET force_compression='zstd'",))
    store.append(forget(store, irina, *CANARIES))
    done = carried_out(store)
    live = done.scan.of("store.duckdb")
    assert live.hits == ()
    assert live.control_hits < live.controls
    assert done.scan.status == ScanStatus.INCONCLUSIVE
    gone = contents_of(store, "gone-1")
    assert {done.scan.status_of(one) for one in gone} == {ScanStatus.INCONCLUSIVE}


def test_a_store_of_which_nothing_stays_has_no_control(path, irina):
    store = a_store(path, irina, CANARIES)
    store.append(forget(store, irina, *CANARIES))
    assert carried_out(store).scan.status == ScanStatus.INCONCLUSIVE


def test_erasing_again_changes_nothing_and_says_what_it_cannot_know(path, store, irina):
    store.append(forget(store, irina, *CANARIES))
    assert carried_out(store).erasure.rows == 300
    again = carried_out(store)
    assert again.erasure.rows == 0
    assert again.scan.of("store.duckdb").status == ScanStatus.CLEAN
    gone = contents_of(store, *CANARIES)
    assert set(again.scan.unsought) == set(gone)
    assert {again.scan.status_of(one) for one in gone} == {ScanStatus.INCONCLUSIVE}
    assert not wrong(path, irina)


def test_short_texts_are_checked_by_row_and_salt_and_said_so(path, irina):
    store = a_store(path, irina, {"short": "да"}, OTHERS)
    salts = [one.salt for one in store.payloads(contents_of(store, "short")).values()]
    store.append(forget(store, irina, "short"))
    done = carried_out(store)
    text = contents_of(store, "short")[0]
    assert text in done.scan.too_short
    assert done.scan.status_of(text) == ScanStatus.INCONCLUSIVE
    assert done.scan.of("store.duckdb").status == ScanStatus.CLEAN
    assert store.payloads([text]) == {}
    data = path.read_bytes()
    assert not [salt for salt in salts if salt in data]


WRITER = """
import sys, random
from pathlib import Path
from store.duckdb_store import DuckDbStore
from store.connections import StoreBusyError
from tests.contract.staged import stage
from tests.store.forgotten import olga
for _ in sys.stdin:
    try:
        store = DuckDbStore(Path(sys.argv[1]), trust=olga().root, patience=0.2)
        store.append(stage(store, random.Random(5).randbytes, "written by another process",
                           names=("late",)))
        print("written", flush=True)
    except StoreBusyError:
        print("busy", flush=True)
"""


@contextmanager
def another_process(path):
    """Tries to write whenever it is told to, and says whether it could."""
    words = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as running:

        def writes():
            running.stdin.write("\n")
            return running.stdout.readline().strip()

        yield writes
        running.stdin.close()
    assert running.returncode == 0


def test_no_other_process_writes_while_the_file_is_copied_and_none_loses_a_write(
    path, store, irina
):
    heard = {}

    store.append(forget(store, irina, *CANARIES))
    with another_process(path) as writes:

        def reached(point):
            if point in (Point.OPENED, Point.COPIED, Point.SYNCED, Point.SETTLED):
                heard[point] = writes()

        carried_out(store, reached=reached)
    assert heard == {
        Point.OPENED: "busy",
        Point.COPIED: "busy",
        Point.SYNCED: "busy",
        Point.SETTLED: "written",
    }
    found = store.rows("select item from proj_item where item = 'late'")
    assert found == [{"item": "late"}]
    assert not wrong(path, irina)


def test_a_writer_that_opened_the_replaced_file_opens_again(path, store, monkeypatch):
    """Between finding the name and taking the lock, another file was put in its place."""
    other = path.with_name("other.duckdb")
    shutil.copyfile(path, other)
    real, opened = duckdb.connect, []

    def connect(name, *args, **more):
        connection = real(name, *args, **more)
        opened.append(name)
        if len(opened) == 1:
            os.replace(other, path)
        return connection

    monkeypatch.setattr(duckdb, "connect", connect)
    with Opener(path, patience=2).reading() as connection:
        assert connection.execute("select count(*) from log_event").fetchall() == [(3,)]
    assert len(opened) == 2


def test_the_store_is_not_erased_from_while_this_process_holds_it_open(path, store, irina):
    store.append(forget(store, irina, *CANARIES))
    with store.held(), pytest.raises(RuntimeError, match="held open"):
        carried_out(store)
    with duckdb.connect(str(path)), another_process(path) as writes:
        assert writes() == "busy"


def test_a_leftover_new_file_is_deleted_and_never_put_in_place(path, store, irina):
    fresh = leftovers.new_of(path)
    fresh.write_bytes(b"half of a file")
    rewriting.wal_of(fresh).write_bytes(b"and of its log")
    head = store.head()
    assert DuckDbStore(path, trust=irina.root).head() == head
    assert [one.name for one in path.parent.iterdir()] == ["store.duckdb"]


def test_a_leftover_old_file_is_overwritten_and_removed(path, store, irina):
    old = leftovers.old_of(path)
    old.write_bytes(CANARIES["gone-1"].encode() * 100_000)
    with old.open("rb") as seen:
        DuckDbStore(path, trust=irina.root)
        seen.seek(0)
        assert set(seen.read()) == {0}
    assert not old.exists()


def test_a_second_name_of_the_store_itself_is_removed_and_not_overwritten(path, store, irina):
    os.link(path, leftovers.old_of(path))
    head = store.head()
    assert DuckDbStore(path, trust=irina.root).head() == head
    assert not leftovers.old_of(path).exists()
    assert not wrong(path, irina)


def test_bytes_that_somebody_elses_link_keeps_are_not_overwritten(path, store, irina, tmp_path):
    """A backup made of links would lose everything, not only what was to be forgotten."""
    os.link(path, tmp_path / "backup-by-link.duckdb")
    store.append(forget(store, irina, *CANARIES))
    done = carried_out(store)
    assert not done.erasure.old_overwritten
    assert holds(tmp_path / "backup-by-link.duckdb", CANARIES["gone-1"])
    assert not holds(path, CANARIES["gone-1"])


@pytest.mark.parametrize("broken", ["link", "replace", "fsync"])
def test_a_disk_that_fails_leaves_the_old_store_and_it_can_be_done_again(
    path, store, irina, monkeypatch, broken
):
    store.append(forget(store, irina, *CANARIES))

    def fails(*_args, **_more):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, broken, fails)
        with pytest.raises(OSError, match="No space"):
            carried_out(store)
    assert not leftovers.new_of(path).exists()
    fresh = DuckDbStore(path, trust=irina.root)
    assert not wrong(path, irina)
    assert fresh.payloads(contents_of(fresh, *CANARIES)) == {}
    carried_out(fresh)
    assert not holds(path, *CANARIES.values())
    assert sorted(one.name for one in path.parent.iterdir()) == FILES


def test_where_files_have_one_name_only_it_is_done_and_said(path, store, irina, monkeypatch):
    def fails(*_args):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "link", fails)
    store.append(forget(store, irina, *CANARIES))
    done = carried_out(store)
    assert not done.erasure.old_overwritten
    assert not holds(path, *CANARIES.values())
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_copy_without_its_triggers_is_not_put_in_place(path, store, irina, monkeypatch):
    store.append(forget(store, irina, *CANARIES))
    before = path.stat().st_ino
    monkeypatch.setattr(migrations, "guards", list)
    with pytest.raises(CopyDiffersError, match="triggers"):
        carried_out(store)
    assert path.stat().st_ino == before
    assert not leftovers.new_of(path).exists()
    assert not wrong(path, irina)


@pytest.mark.parametrize(
    ("act", "what"),
    [
        ("drop table bad.proj_link", "tables"),
        ("alter table bad.proj_link add column more varchar", "columns"),
        ("create index more on bad.proj_link(kind)", "indexes"),
        ("delete from bad.vault_payload where role = 'raw'", "rows of vault_payload"),
        ("update bad.vault_payload set body = 'x'::blob where role = 'raw'", "rows of vault_payl"),
        ("drop trigger log_leaf_no_delete on bad.log_leaf", "triggers"),
    ],
)
def test_a_copy_that_differs_is_found(path, store, tmp_path, act, what):
    bad = tmp_path / "bad.duckdb"
    shutil.copyfile(path, bad)
    with duckdb.connect(":memory:") as connection:
        connection.execute(f"attach '{path}' as good (read_only)")
        connection.execute(f"attach '{bad}' as bad")
        copies.compare(connection, "good", "bad")
        connection.execute("use bad")
        connection.execute(act)
        with pytest.raises(CopyDiffersError, match=what):
            copies.compare(connection, "good", "bad")


def test_a_store_whose_log_is_broken_is_not_rewritten_over(path, store, irina):
    store.append(forget(store, irina, "gone-1"))
    with duckdb.connect(str(path)) as connection:
        connection.execute("drop trigger log_event_no_update on log_event")
        connection.execute(
            "update log_event set canon = replace(decode(canon), 'p-test', 'p-tess')::blob"
            " where seq = 1"
        )
    with pytest.raises(CopyDiffersError, match="event 1"):
        carried_out(store)


def test_a_store_that_was_left_with_a_log_beside_it_is_rewritten_whole(path, store, irina):
    """Somebody ended without closing: the newest rows are in the log beside the file."""
    store.append(forget(store, irina, *CANARIES))
    script = (
        "import duckdb, os, sys; c = duckdb.connect(sys.argv[1]);"
        "c.execute(\"insert into vault_lineage values ('a', 'b', 'c')\"); os._exit(9)"
    )
    seen = []

    def reached(point):
        if point == Point.CLOSED:
            subprocess.run([sys.executable, "-c", script, str(path)], check=False)
            seen.append(rewriting.wal_of(path).exists())

    carried_out(store, reached=reached)
    assert seen == [True]
    assert not rewriting.wal_of(path).exists()
    assert store.rows("select parent from vault_lineage") == [{"parent": "b"}]


def test_a_store_that_another_process_keeps_is_waited_for_and_named(path, store, irina):
    store.append(forget(store, irina, *CANARIES))
    script = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('ok'); sys.stdin.read()"
    command = [sys.executable, "-c", script, str(path)]
    with subprocess.Popen(command, stdin=-1, stdout=-1, text=True) as other:
        assert other.stdout.readline() == "ok\n"
        with pytest.raises(StoreBusyError, match="is using it"):
            erasing.erase(path, [], patience=0.2)
        other.stdin.close()


def test_contents_of_other_requests_wait_on(path, store, irina):
    store.append(forget(store, irina, "gone-1"))
    store.append(forget(store, irina, "gone-2", forget="f-2"))
    first, second = forgetting.pending(store)
    forgetting.carry_out(store, [first], path.parent)
    assert len(forgetting.waiting(store, second.contents)) == 3
    assert not wrong(path, irina)
    forgetting.carry_out(store, [second], path.parent)
    assert forgetting.waiting(store, second.contents) == []
    assert not wrong(path, irina)


def test_a_store_in_memory_has_nothing_to_rewrite(irina):
    store = a_store(None, irina, CANARIES)
    with pytest.raises(ValueError, match="in memory"):
        forgetting.carry_out(store, [], None)


@pytest.mark.soak
def test_fifty_thousand_rows_are_rewritten_and_searched_in_seconds(path, irina):
    batches = [
        {f"s-{n}": f"sentence {n} of a long life in {n * 31} words" for n in range(b, b + 10_000)}
        for b in range(0, 50_000, 10_000)
    ]
    store = a_store(path, irina, *batches, CANARIES)
    chance = __import__("random").Random(9).randbytes
    store.append(stage(store, chance, "one more", names=("more",)))
    store.append(forget(store, irina, *CANARIES))
    started = time.perf_counter()
    done = carried_out(store)
    took = time.perf_counter() - started
    print(f"{path.stat().st_size / 1e6:.0f} MB, {done.scan.patterns} patterns: {took:.1f} s")
    assert done.scan.status == ScanStatus.CLEAN
    assert took < 30

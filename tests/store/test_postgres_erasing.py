"""Forgetting in a store in PostgreSQL, held against the bytes of a real server's files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import psycopg
import pytest

from store import forgetting, needles, scanning
from store.connections import StoreAwayError
from store.erase_points import Point
from store.events import EventType
from store.log import Entry
from store.postgres import rows, server_files
from store.postgres.place import place_of
from store.postgres_store import PostgresStore
from store.postgres_verify import verify_place
from store.scans import ScanStatus, Unread
from store.vault import Payload, Role
from store.verify import Verdict
from tests.conftest import created
from tests.contract.staged import happening, stage
from tests.store.forgotten import contents_of, ended, forget, olga
from tests.store.test_postgres_store import KEY, server

CANARIES = {
    f"item-{n}": f"canary {n * 7919} sings at the green gate number {n}" for n in range(40)
}
GONE = tuple(f"item-{n}" for n in range(0, 40, 2))
LONG = "a long canary walks through many pages " * 300


@pytest.fixture
def place(postgres_place):
    return postgres_place


@pytest.fixture
def team(place, tmp_path, irina, chance):
    store = PostgresStore.create(
        place, store_id="store-1", tenant_id="tenant-1", key=KEY, first=created(),
        trust=irina.root, beside=tmp_path / "store.duckdb",
    )  # fmt: skip
    told = {**CANARIES, "long": LONG, "long-stays": "another long text that stays " * 300}
    store.append(stage(store, chance, *told.values(), names=tuple(told)))
    return store


def look(store, tmp_path, payloads):
    with store.server() as line:
        return scanning.scan(
            tmp_path,
            forgetting.sought(payloads),
            controls={},
            kept=forgetting.kept(store),
            streams=server_files.of_store(line),
        )


def wiped(store, irina, *items, **more):
    request = forget(store, irina, *items, **more)
    store.append(request)
    return forgetting.erase(store, forgetting.pending(store))


def tables(scan):
    return [one for one in scan.files if one.path.startswith(server_files.OF_STORE)]


def test_before_everything_is_found_and_afterwards_nothing(team, tmp_path, irina, postgres):
    payloads = list(team.payloads(contents_of(team, *GONE, "long")).values())
    before = look(team, tmp_path, payloads)
    assert {hit.of for one in before.files for hit in one.hits} == {
        one.commitment for one in payloads if not needles.too_short(one)
    }
    erased = wiped(team, irina, *GONE, "long")
    assert erased.erasure.rows == len(payloads)
    assert erased.erasure.size_after < erased.erasure.size_before
    after = look(team, tmp_path, erased.payloads)
    assert tables(after)
    assert after.hits == 0
    assert {one.path: one.status for one in tables(after)} == {
        one.path: ScanStatus.CLEAN for one in tables(after)
    }
    assert len(erased.payloads) == len(payloads)
    for item in GONE:
        assert "base" not in postgres.holding(CANARIES[item].encode())
    assert "base" in postgres.holding(CANARIES["item-1"].encode())
    assert "base" not in postgres.holding(LONG[:60].encode())


def test_the_write_ahead_log_still_has_them_and_that_is_found(team, irina, postgres, tmp_path):
    erased = wiped(team, irina, *GONE)
    with team.server() as line:
        found = scanning.scan(
            tmp_path,
            forgetting.sought(erased.payloads),
            controls={},
            streams=server_files.of_log(line),
        )
    assert found.hits >= len(GONE)
    assert "pg_wal" in postgres.holding(CANARIES["item-0"].encode())


def test_without_the_rewrite_the_search_says_so(team, tmp_path, irina):
    """Negative control: the rows are deleted, and their tables are not written anew."""
    payloads = list(team.payloads(contents_of(team, *GONE)).values())
    team.append(forget(team, irina, *GONE))
    with server(team.place) as raw:
        raw.execute("truncate vault_condemned")
    found = look(team, tmp_path, payloads)
    assert found.status == ScanStatus.FOUND


def test_with_compression_nothing_is_claimed(place, tmp_path, irina, chance):
    """Negative control: a long text that is packed is not found, and neither is its control."""
    store = PostgresStore.create(
        place, store_id="store-1", tenant_id="tenant-1", key=KEY, first=created(),
        trust=irina.root,
    )  # fmt: skip
    with server(place) as raw:
        raw.execute("alter table vault_payload alter column body set storage main")
    packs = {f"item-{n}": f"text number {n} that packs well, " * 900 for n in range(8)}
    store.append(stage(store, chance, *packs.values(), names=tuple(packs)))
    payloads = list(store.payloads(contents_of(store, "item-0")).values())
    with server(place) as raw:
        raw.execute("update vault_payload set salt = decode(md5(salt::text), 'hex')")
    long = [one for one in payloads if len(one.body) > 5_000]
    salted = [Payload(one.role, chance(32), one.body) for one in long]  # only texts are looked for
    found = look(store, tmp_path, salted)
    assert found.of(f"{server_files.OF_STORE}vault_payload").status != ScanStatus.CLEAN


def test_somebody_who_may_not_read_the_servers_files_claims_nothing(team, tmp_path, irina, place):
    with server(place) as raw:
        raw.execute("create role reader login")
        raw.execute(f'grant all on schema "{place.schema}" to reader')
        raw.execute(f'grant all on all tables in schema "{place.schema}" to reader')
    words = place.conninfo.replace("user=owner", "user=reader")
    limited = PostgresStore(type(place)(words, place.schema), trust=irina.root)
    with limited.server() as line:
        told = server_files.of_store(line)
        assert [one.unread for one in told] == [Unread.UNREADABLE]
        assert [one.unread for one in server_files.of_log(line)] == [Unread.UNREADABLE]
        assert not server_files.facts(line).readable
    scan = scanning.scan(tmp_path, [], controls={}, streams=told)
    assert scan.of(told[0].name).status == ScanStatus.INCONCLUSIVE


def test_another_console_forgets_with_this_one(team, place, irina):
    other = PostgresStore(place, trust=irina.root)
    contents = contents_of(team, "item-0")
    assert len(other.payloads(contents)) == len(contents)
    team.append(forget(team, irina, "item-0"))
    assert other.payloads(contents) == {}
    assert other.rows("select stage from proj_item where item = 'item-0'") == [{"stage": "erased"}]
    assert forgetting.waiting(other, frozenset(contents))
    forgetting.erase(team, forgetting.pending(team))
    assert forgetting.waiting(other, frozenset(contents)) == []
    assert other.head() == team.head()
    assert verify_place(place, root=irina.root).exit_code == 0


def test_after_any_number_of_erasures_everything_still_verifies(team, place, irina, chance):
    for n in range(3):
        wiped(team, irina, f"item-{2 * n}", forget=f"f-{n}")
        team.append(ended(EventType.FORGET_COMPLETED, f"f-{n}"))
        team.append(stage(team, chance, f"later {n}"))
    report = verify_place(place, root=irina.root)
    assert report.exit_code == 0, report.lines
    assert {one.name: one.verdict for one in report.lines}["erasures"] == Verdict.PASS


def test_a_policy_is_kept_whoever_asks(team, irina, chance):
    policy = Payload(Role.POLICY, chance(32), b"version: 1")
    told = happening("policy.changed", policy=policy.commitment)
    team.append(Entry(told, payloads=[policy]))
    with pytest.raises(Exception, match="policy"):
        team.append(forget(team, irina, "item-0", contents=(policy.commitment,)))


KILLED = """
import os, signal, sys
from store import forgetting
from store.erase_points import Point
from store.postgres.place import Place
from store.postgres_store import PostgresStore
from tests.store.forgotten import olga
store = PostgresStore(Place(sys.argv[1], sys.argv[2]), trust=olga().root)
def reached(point):
    if str(point) == sys.argv[3]:
        os.kill(os.getpid(), signal.SIGKILL)
forgetting.erase(store, forgetting.pending(store), reached=reached)
"""


@pytest.mark.parametrize("point", [Point.BEGUN, Point.COPIED, Point.REPLACED, Point.SETTLED])
def test_an_erasure_that_is_killed_goes_on_later_and_serves_nothing(
    place, tmp_path, chance, point
):
    team = PostgresStore.create(
        place, store_id="store-1", tenant_id="tenant-1", key=KEY, first=created(),
        trust=olga().root,
    )  # fmt: skip
    team.append(stage(team, chance, *CANARIES.values(), names=tuple(CANARIES)))
    contents = contents_of(team, *GONE)
    payloads = list(team.payloads(contents).values())
    team.append(forget(team, olga(), *GONE))
    done = subprocess.run(
        [sys.executable, "-c", KILLED, place.conninfo, place.schema, str(point)],
        env={**os.environ}, check=False,
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL
    again = PostgresStore(place, trust=olga().root)
    assert again.payloads(contents) == {}
    assert [one.forget for one in forgetting.pending(again)] == ["f-1"]
    forgetting.erase(again, forgetting.pending(again))
    found = look(again, tmp_path, payloads)
    assert found.hits == 0
    assert found.status == ScanStatus.CLEAN
    assert verify_place(place, root=olga().root).exit_code == 0


def test_a_server_that_goes_away_in_the_midst_is_said(team, irina, place):
    team.append(forget(team, irina, *GONE))

    def reached(point):
        if point == Point.BEGUN:
            with server(place) as raw:
                raw.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity"
                    " where application_name = 'memory-console'"
                )

    with pytest.raises(StoreAwayError):
        forgetting.erase(team, forgetting.pending(team), reached=reached)
    erased = forgetting.erase(team, forgetting.pending(team))
    assert erased.erasure.rows


def test_what_a_server_says_of_copies_is_told(team, place):
    with team.server() as line:
        told = server_files.facts(line)
        assert not told.archives
        assert told.readers == 0
        with server(place) as raw:
            raw.execute("select pg_create_physical_replication_slot('standby')")
            assert server_files.facts(line).readers == 1
            raw.execute("select pg_drop_replication_slot('standby')")


def test_a_store_that_is_not_there_is_not_read(postgres):
    with pytest.raises(FileNotFoundError):
        PostgresStore(place_of(postgres.words, "nobody"))
    with psycopg.connect(postgres.words) as raw:
        assert rows.GROWING.keys()
        assert raw.execute("select to_regnamespace('memory_nobody')").fetchone() == (None,)

"""What a store in PostgreSQL promises beyond what every store does (``tests/contract``)."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time

import psycopg
import pytest

from store import forget_listing
from store.connections import Opener, StoreAwayError, StoreBusyError
from store.duckdb_store import DuckDbStore
from store.forget_list import ForgetListError
from store.log import AlreadyDecidedError, LogMovedError
from store.postgres import copying
from store.postgres.place import BadPlaceError, Line, place_of
from store.postgres_store import PostgresStore
from store.postgres_verify import verify_place
from store.stages import Stage
from store.verify import Verdict, verify
from tests.conftest import created, founded
from tests.contract.staged import artifact_of, decide, stage, verdict
from tests.store.forgotten import contents_of, forget

KEY = bytes(range(32))


def made(place, trust=None, **more):
    return PostgresStore.create(
        place, store_id="store-1", tenant_id="tenant-1", key=KEY, first=created(), trust=trust,
        **more,
    )  # fmt: skip


@pytest.fixture
def team(postgres_place, irina):
    return made(postgres_place, irina.root)


def server(place):
    """Somebody who goes around the program."""
    found = psycopg.connect(place.conninfo, autocommit=True)
    found.execute(f'set search_path to "{place.schema}"')
    return found


def lines(place, root):
    return {one.name: one.verdict for one in verify_place(place, root=root).lines}


def test_a_store_is_made_once(postgres_place, team):
    assert team.head().size == 1
    with pytest.raises(FileExistsError, match="Nothing was changed"):
        made(postgres_place)
    assert PostgresStore(postgres_place).head() == team.head()


def test_there_is_no_store_where_none_was_made(postgres_place):
    with pytest.raises(FileNotFoundError, match="Nothing was created"):
        PostgresStore(postgres_place)
    with pytest.raises(FileNotFoundError):
        verify_place(postgres_place, root=None)


def test_it_tells_what_a_file_with_the_same_appends_tells(team, tmp_path, irina, chance):
    file = founded(tmp_path / "s" / "store.duckdb", irina.root)
    staged = stage(file, chance, "склад — Коледино", "b", "linked")
    for one in (file, team):
        one.append(staged)
        one.append(decide(one, irina, verdict(one, "item-b")))
    assert team.head() == file.head()
    assert [event.digest for event in team.events()] == [event.digest for event in file.events()]
    for query in ("select * from proj_item order by item", "select * from proj_edge"):
        assert team.rows(query) == file.rows(query)
    assert team.payloads(one.commitment for one in staged.payloads) == file.payloads(
        one.commitment for one in staged.payloads
    )


def test_what_one_console_appends_another_one_sees(team, postgres_place, irina, chance):
    other = PostgresStore(postgres_place, trust=irina.root)
    assert other.head().size == 1
    team.append(stage(team, chance, "a", "b"))
    assert other.head() == team.head()
    other.append(decide(other, irina, verdict(other, "item-a")))
    assert team.standing().stage_of("item-a", 1) == Stage.DURABLE
    assert team.rows("select stage from proj_item where item = 'item-a'") == [{"stage": "durable"}]
    with pytest.raises(LogMovedError):
        team.append(stage(team, chance, "c"), after=2)
    with pytest.raises(AlreadyDecidedError):
        team.append(decide(team, irina, verdict(team, "item-a", came_from=Stage.STAGED)))
    other.append(stage(other, chance, "c"))
    assert lines(postgres_place, irina.root)["projections"] == Verdict.PASS
    assert team.rows("select * from proj_root order by size") == other.rows(
        "select * from proj_root order by size"
    )


def test_held_sees_one_state_while_others_append(team, postgres_place, irina, chance):
    other = PostgresStore(postgres_place, trust=irina.root)
    with team.held():
        before = team.head()
        other.append(stage(other, chance, "a"))
        assert team.head() == before
        assert team.rows("select count(*) as n from proj_item") == [{"n": 0}]
    assert team.head() == other.head()


def test_many_consoles_append_at_once_and_nothing_is_lost(postgres_place, team, irina):
    def work(seed):
        mine = PostgresStore(postgres_place, trust=irina.root)
        draw = random.Random(seed).randbytes
        for n in range(5):
            mine.append(stage(mine, draw, f"{seed}-{n}"))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert team.head().size == 21
    assert team.rows("select count(*) as n from proj_item") == [{"n": 20}]
    report = verify_place(postgres_place, root=irina.root)
    assert report.exit_code == 0, report.lines


@pytest.mark.parametrize("table", ["log_event", "log_leaf", "log_signature", "log_identity"])
@pytest.mark.parametrize("act", ["update {} set {} = {}", "delete from {}", "truncate {} cascade"])
def test_the_server_itself_refuses_to_change_the_log(team, postgres_place, table, act):
    column = {"log_signature": "sshsig", "log_identity": "store"}.get(table, "canon")
    with server(postgres_place) as raw, pytest.raises(psycopg.Error, match="append-only"):
        raw.execute(act.format(table, column, column))
    assert team.head().size == 1


def test_verify_says_what_somebody_did_on_the_server(team, postgres_place, irina, chance):
    team.append(stage(team, chance, "a", "b"))
    team.append(decide(team, irina, verdict(team, "item-a")))
    assert verify_place(postgres_place, root=irina.root).exit_code == 0
    with server(postgres_place) as raw:
        raw.execute("update vault_payload set body = 'another claim' where role = 'text'")
        assert lines(postgres_place, irina.root)["payloads"] == Verdict.FAIL
        raw.execute("alter table log_event disable trigger log_event_no_update")
        found = lines(postgres_place, irina.root)
        assert found["server"] == Verdict.FAIL
        raw.execute("update log_event set canon = '{}' where seq = 1")
        found = lines(postgres_place, irina.root)
        assert found["chain"] == found["server"] == Verdict.FAIL


def test_a_trigger_that_does_nothing_is_no_trigger(team, postgres_place, irina):
    with server(postgres_place) as raw:
        raw.execute(
            "create or replace function append_only() returns trigger language plpgsql as"
            " $$ begin return null; end $$"
        )
    assert lines(postgres_place, irina.root)["server"] == Verdict.FAIL


def test_a_row_that_is_in_the_database_alone_makes_nothing_durable(
    team, postgres_place, irina, chance
):
    team.append(stage(team, chance, "a"))
    with server(postgres_place) as raw:
        raw.execute(
            "insert into log_decision_guard (item, rev, nth, from_state, arrived)"
            " values ('item-a', 1, 0, 'staged', 1)"
        )
    assert PostgresStore(postgres_place, trust=irina.root).standing().items == {}


def test_a_server_that_went_away_is_said_and_found_again(team, postgres_place, chance):
    with server(postgres_place) as raw:
        raw.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where application_name = 'memory-console'"
        )
    time.sleep(0.2)
    assert team.head().size == 1
    team.append(stage(team, chance, "a"))
    assert team.head().size == 2


def test_a_server_that_is_not_there_is_said():
    place = place_of("host=/nonexistent dbname=memory", "t-1")
    with pytest.raises(StoreAwayError, match="cannot be reached"):
        PostgresStore(place)


def test_a_connection_that_breaks_while_appending_saves_nothing(
    team, postgres_place, irina, chance
):
    entry = stage(team, chance, "a")
    with server(postgres_place) as raw:
        raw.execute("alter table vault_payload add constraint full_disk check (role <> 'raw')")
        with pytest.raises(StoreAwayError, match="full_disk"):
            team.append(entry)
        raw.execute("alter table vault_payload drop constraint full_disk")
    assert team.head().size == 1
    assert team.rows("select count(*) as n from proj_item") == [{"n": 0}]
    team.append(entry)
    assert verify_place(postgres_place, root=irina.root).exit_code == 0


def test_a_schema_that_is_gone_is_said(team, postgres_place):
    with server(postgres_place) as raw:
        raw.execute(f'drop schema "{postgres_place.schema}" cascade')
    with pytest.raises(StoreAwayError, match="log_event"):
        team.head()
    with pytest.raises(FileNotFoundError):
        PostgresStore(postgres_place)


def test_somebody_without_rights_is_told(team, postgres_place):
    with server(postgres_place) as raw:
        raw.execute("create role outsider login")
    words = postgres_place.conninfo.replace("user=owner", "user=outsider")
    with pytest.raises((StoreAwayError, FileNotFoundError)):
        PostgresStore(type(postgres_place)(words, postgres_place.schema))


def test_a_writer_that_does_not_end_is_named(team, postgres_place, chance):
    line = Line(postgres_place, patience=1)
    impatient = PostgresStore(postgres_place, patience=0.2)
    with line.alone(), pytest.raises(StoreBusyError, match="another console"):
        impatient.append(stage(impatient, chance, "a"))
    line.close()
    impatient.append(stage(impatient, chance, "a"))
    assert team.head().size == 2


WORKER = """
import random, sys
from store.postgres.place import Place
from store.postgres_store import PostgresStore
from tests.contract.staged import stage
store = PostgresStore(Place(sys.argv[1], sys.argv[2]))
draw = random.Random(int(sys.argv[3])).randbytes
for n in range(10_000):
    store.append(stage(store, draw, *(f"{sys.argv[3]}-{n}-{k}" for k in range(20))))
    print(store.head().size, flush=True)
"""


@pytest.mark.parametrize("seed", range(3))
def test_a_writer_that_is_killed_leaves_whole_appends_and_no_lock(
    postgres_place, team, irina, chance, seed
):
    child = subprocess.Popen(
        [sys.executable, "-c", WORKER, postgres_place.conninfo, postgres_place.schema, str(seed)],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdout is not None
    for _ in range(2):
        child.stdout.readline()
    time.sleep(0.013 * seed)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()
    team.append(stage(team, chance, "after"))
    assert verify_place(postgres_place, root=irina.root).exit_code == 0
    items = team.rows("select count(*) as n from proj_item")[0]["n"]
    assert items % 20 == 1
    assert items > 20


def test_a_backup_is_a_file_that_verifies(team, postgres_place, tmp_path, irina, chance):
    team.append(stage(team, chance, "a", "b"))
    team.append(decide(team, irina, verdict(team, "item-a")))
    team.append(forget(team, irina, "item-b"))
    team.copy_to(tmp_path / "copy.duckdb", without=())
    report = verify(tmp_path / "copy.duckdb", root=irina.root)
    assert {one.name for one in report.lines if one.verdict == Verdict.FAIL} == set()
    copy = DuckDbStore(tmp_path / "copy.duckdb", trust=irina.root)
    assert copy.head() == team.head()
    assert copy.standing().stage_of("item-a", 1) == Stage.DURABLE
    assert copy.payloads(contents_of(copy, "item-b")) == {}


def test_a_database_that_was_put_back_does_not_open(postgres_place, tmp_path, irina, chance):
    """What somebody has forgotten must not come back with an older state of the server."""
    beside = tmp_path / "store.duckdb"
    team = made(postgres_place, irina.root, beside=beside)
    team.append(stage(team, chance, "a", "b"))
    team.copy_to(tmp_path / "earlier.duckdb", without=())
    team.append(forget(team, irina, "item-b"))
    forget_listing.keep(team)
    with server(postgres_place) as raw:
        raw.execute(f'drop schema "{postgres_place.schema}" cascade')
    with Opener(tmp_path / "earlier.duckdb").reading() as copy:
        copying.fill(postgres_place, copy)
    with pytest.raises(ForgetListError):
        PostgresStore(postgres_place, beside=beside, trust=irina.root)
    with pytest.raises(ForgetListError):
        forget_listing.keep(team)  # a console that was running sees another store, too


@pytest.mark.parametrize(
    "words", ["host=db password=not-a-real-one", "postgresql://u:not-a-real-one@db/x"]
)
def test_a_password_has_no_place_in_the_configuration(words):
    with pytest.raises(BadPlaceError, match="password"):
        place_of(words, "t-1")


@pytest.mark.parametrize("words", ["no such word", "host", "nonsense=1"])
def test_words_that_name_no_database_are_refused(words):
    with pytest.raises(BadPlaceError, match="service=memory"):
        place_of(words, "t-1")


def test_tenants_have_schemas_of_their_own_whatever_their_ids(postgres):
    names = {place_of(postgres.words, id_).schema for id_ in ("A", "a", "a" * 64, "a" * 63)}
    assert len(names) == 4
    assert all(len(name) <= 63 for name in names)


def test_contents_are_neither_compressed_nor_sampled(team, postgres_place):
    with server(postgres_place) as raw:
        found = raw.execute(
            "select attname, attstorage, attstattarget from pg_attribute"
            " where attrelid = 'vault_payload'::regclass and attname in ('body', 'salt')"
        ).fetchall()
        assert sorted(found) == [("body", "e", 0), ("salt", "e", 0)]


def test_one_process_reads_a_store_into_memory_once(postgres_place, team, irina, mallory):
    one = PostgresStore.of_process(postgres_place, trust=irina.root)
    assert PostgresStore.of_process(postgres_place, trust=irina.root) is one
    assert PostgresStore.of_process(postgres_place, trust=mallory.root) is not one


def test_artifacts_that_were_signed_are_found_again(team, postgres_place, irina, chance):
    team.append(stage(team, chance, "a"))
    team.append(decide(team, irina, verdict(team, "item-a")))
    fresh = PostgresStore(postgres_place, trust=irina.root)
    assert fresh.standing().items["item-a"].artifact == artifact_of(fresh, "item-a")[1]

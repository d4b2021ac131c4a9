"""A database whose owner does as they like: verify says it, and nothing becomes durable by it."""

from __future__ import annotations

import random
import socket
import threading
import time

import pytest

from store import forgetting
from store.connections import StoreAwayError
from store.log import DamagedStoreError
from store.postgres.place import place_of
from store.postgres_store import PostgresStore
from store.postgres_verify import SERVER, verify_place
from store.verify import Verdict
from tests.contract.staged import decide, stage, verdict
from tests.store.forgotten import contents_of, forget
from tests.store.test_postgres_store import made, server

FAIL, WARN = Verdict.FAIL, Verdict.WARN

SWALLOWS = (
    "create function swallow() returns trigger language plpgsql as $$ begin return null; end $$"
)
ACTS = {
    "an event that does not follow": (
        "chain", FAIL,
        "insert into log_event values (3, '{}', 'x', 'x', 'import.staged', null, 't')",
    ),
    "a gap": (
        "chain", FAIL,
        "insert into log_event select 1000, canon, prev, h, type, item, recorded_at"
        " from log_event where seq = 2",
    ),
    "a row before the first": (
        SERVER, FAIL, "insert into log_event values (-1, 'x', 'x', 'x', 't', null, 't')",
    ),
    "a signature from the future": (
        SERVER, FAIL, "insert into log_signature values ('dead', 'x', 'y', 'z', 1000000000)",
    ),
    "contents from the future": (SERVER, FAIL, "update vault_payload set arrived = 1000000000"),
    "swapped contents": ("payloads", FAIL, "update vault_payload set body = 'other'"),
    "no contents": ("payloads", FAIL, "delete from vault_payload"),
    "no key": (SERVER, FAIL, "delete from vault_key"),
    "a function that refuses nothing": (
        SERVER, FAIL,
        "create or replace function append_only() returns trigger language plpgsql as $$ begin"
        " if tg_op is null then raise exception '% is append-only', tg_table_name; end if;"
        " return null; end $$",
    ),
    "a function of another schema": (
        SERVER, FAIL,
        "create schema if not exists elsewhere",
        "create or replace function elsewhere.append_only() returns trigger language plpgsql as"
        " $$ begin raise exception '% is append-only', tg_table_name; end $$",
        "drop trigger log_event_no_update on log_event",
        "create trigger log_event_no_update before update on log_event for each statement"
        " execute function elsewhere.append_only()",
    ),
    "a trigger for something else": (
        SERVER, FAIL,
        "drop trigger log_event_no_update on log_event",
        "create trigger log_event_no_update before update of type on log_event"
        " for each statement execute function append_only()",
    ),
    "a view": (
        SERVER, FAIL,
        "alter table vault_payload rename to hidden",
        "create view vault_payload as select * from hidden",
    ),
    "rows that are hidden from some": (
        SERVER, FAIL,
        "alter table log_event enable row level security",
        "create policy few on log_event using (seq < 2)",
    ),
    "a table that is lost when the server stops": (
        SERVER, FAIL, "alter table vault_payload set unlogged",
    ),
    "another type": (
        SERVER, FAIL,
        "alter table vault_payload alter column body type text using encode(body, 'escape')",
    ),
    "contents that are sampled": (
        SERVER, WARN, "alter table vault_payload alter column body set statistics 10",
    ),
    "contents that are packed": (
        SERVER, WARN, "alter table vault_payload alter column body set storage extended",
    ),
    "a copy": (SERVER, WARN, "create table copies as select * from vault_payload"),
    "a materialized view": (
        SERVER, WARN, "create materialized view more as select * from vault_payload",
    ),
    "an index over contents": (SERVER, WARN, "create index odd on vault_payload (md5(body))"),
    "a rule": (
        SERVER, WARN, "create rule r as on insert to vault_payload do instead nothing",
    ),
    "a trigger that copies": (
        SERVER, WARN, SWALLOWS,
        "create trigger s after insert on vault_payload for each row execute function swallow()",
    ),
}  # fmt: skip


@pytest.fixture
def team(postgres_place, irina, chance):
    found = made(postgres_place, irina.root)
    found.append(stage(found, chance, "a", "b", "c"))
    found.append(decide(found, irina, verdict(found, "item-a")))
    return found


@pytest.mark.parametrize("what", ACTS)
def test_verify_says_what_was_changed_and_nothing_is_durable_by_it(team, irina, what):
    line, expected, *acts = ACTS[what]
    durable = list(team.standing().durable())
    with server(team.place) as raw:
        for act in acts:
            raw.execute(act)
    report = verify_place(team.place, root=irina.root)
    told = {one.name: one for one in report.lines}
    assert told[line].verdict == expected, told[line]
    assert report.exit_code == (5 if expected == FAIL else 0)
    for store in (team, None):
        try:
            store = store or PostgresStore(team.place, trust=irina.root)
            assert set(store.standing().durable()) <= set(durable)
        except (DamagedStoreError, StoreAwayError) as error:
            assert "verify" in str(error) or "look again" in str(error)  # noqa: PT017


@pytest.mark.parametrize(
    "acts",
    [
        ("create table heir () inherits (log_event)",
         "insert into heir select * from log_event where seq = 2"),
        ("alter table log_event alter column canon drop not null",
         "insert into log_event values (3, null, 'x', 'x', 't', null, 't')"),
        ("alter table vault_payload drop constraint vault_payload_pkey",
         "insert into vault_payload select * from vault_payload"),
        ("insert into log_identity values ('other', 'tenant-2', 1)",),
    ],
)  # fmt: skip
def test_rows_that_do_not_fit_together_are_said_and_not_served(team, irina, acts):
    with server(team.place) as raw:
        for act in acts:
            raw.execute(act)
    with pytest.raises(DamagedStoreError, match="Run verify"):
        PostgresStore(team.place, trust=irina.root).head()
    try:
        assert verify_place(team.place, root=irina.root).exit_code == 5
    except DamagedStoreError as error:
        assert "do not fit together" in str(error)  # noqa: PT017


def test_rows_that_are_hidden_from_a_role_are_an_error_and_no_shorter_log(team, irina):
    place = team.place
    with server(place) as raw:
        raw.execute("do $$ begin create role blind login; exception when others then end $$")
        raw.execute(f'grant usage on schema "{place.schema}" to blind')
        raw.execute(f'grant all on all tables in schema "{place.schema}" to blind')
        raw.execute("alter table log_event enable row level security")
        raw.execute("create policy few on log_event using (seq < 2)")
    words = place.conninfo.replace("user=owner", "user=blind")
    with pytest.raises(StoreAwayError, match="row-level security"):
        PostgresStore(type(place)(words, place.schema), trust=irina.root).head()


@pytest.mark.parametrize("table", ["log_event", "vault_payload"])
def test_a_server_that_lets_rows_go_is_not_told_as_having_saved_them(team, chance, table):
    with server(team.place) as raw:
        raw.execute(SWALLOWS)
        raw.execute(
            f"create trigger s before insert on {table} for each row execute function swallow()"
        )
    with pytest.raises(StoreAwayError, match=f"rows of {table}"):
        team.append(stage(team, chance, "d"))
    assert team.head().size == 3


def test_what_says_that_it_came_later_does_not_stop_a_console(team, irina, chance):
    """Rows that are taken twice: the copy is made anew, and the work goes on."""
    other = PostgresStore(team.place, trust=irina.root)
    other.head()
    with server(team.place) as raw:
        raw.execute("update vault_payload set arrived = 1000000000")
    team.append(stage(team, chance, "d"))
    assert other.head() == team.head()
    assert other.rows("select count(*) as n from vault_payload") == [{"n": 12}]


def test_a_server_that_accepts_and_never_answers_is_given_up():
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen()
        port = mute.getsockname()[1]
        kept = list[socket.socket]()

        def accepts() -> None:
            try:
                while True:
                    kept.append(mute.accept()[0])
            except OSError:
                return

        threading.Thread(target=accepts, daemon=True).start()
        started = time.monotonic()
        with pytest.raises(StoreAwayError):
            PostgresStore(place_of(f"host=127.0.0.1 port={port} dbname=x user=y", "t-1"))
        assert time.monotonic() - started < 10
        mute.shutdown(socket.SHUT_RDWR)
        for one in kept:
            one.close()


def test_a_console_drops_from_memory_what_another_one_erased(team, irina):
    """Also if it did not look between the request and the erasure."""
    other = PostgresStore(team.place, trust=irina.root)
    contents = contents_of(other, "item-b")
    assert other.payloads(contents)
    copy = other._opener._copy
    team.append(forget(team, irina, "item-b"))
    forgetting.erase(team, forgetting.pending(team))
    assert other.payloads(contents) == {}
    assert other._opener._copy is not copy


def test_chance_words_of_a_place_are_refused_or_taken_but_never_break():
    draw = random.Random(11)
    for _ in range(300):
        words = "".join(draw.choice("host=db =\\'\"\n\x00é😀service?&%:/@") for _ in range(20))
        try:
            place_of(words, "t-1")
        except ValueError as error:
            assert "database" in str(error) or "password" in str(error)  # noqa: PT017

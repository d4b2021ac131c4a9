"""A store on its way into a database: cut off anywhere it is one store still, and goes on."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace

import psycopg
import pytest

from console import identity, moving, tenant_store
from console.forget import server
from console.wiring import open_workspace
from store import forgetting, scanning
from store.duckdb_store import DuckDbStore
from store.postgres_store import PostgresStore
from store.vault import Payload, Role
from tests.console.forget_worlds import about, bytes_with, cell, firm
from tests.console.test_cli import quick

CANARY = "canary 41c7 waits by the north door"

KILLED = """
import os, pathlib, signal, sys
from console import identity, moving
from console.wiring import open_workspace
from store import leftovers, postgres_verify, whole_files
from store.postgres import copying
home, words, point = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
place = {"fill": (copying, "fill"), "verify": (postgres_verify, "verify_place"),
         "marker": (whole_files, "put"), "settings": (identity, "write_settings"),
         "rename": (pathlib.Path, "rename"), "destroy": (leftovers, "destroy"),
         "overwrite": (leftovers, "_overwrite")}
name, when = point.split(".")
where, called = place[name]
real = getattr(where, called)
def hooked(*args, **more):
    if when == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    real(*args, **more)
    os.kill(os.getpid(), signal.SIGKILL)
setattr(where, called, hooked)
workspace = open_workspace(home)
moving.move(workspace, workspace.settings.tenants[0], words)
"""
POINTS = (
    *("fill.before", "fill.after", "verify.after", "marker.after", "settings.after"),
    *("rename.after", "overwrite.after"),
)


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    one = firm(tmp_path_factory.mktemp("moving") / "w", "acme")
    one.learn(cell(f"Ana keeps a {CANARY}", 1, **about("ana")))
    return one


@pytest.fixture
def acme(template, tmp_path):
    home = tmp_path / "w"
    shutil.copytree(template.place.home, home)
    return replace(template, place=open_workspace(home))


def move(home, words):
    done = quick(home, "database", "move", words, "--yes")
    return done.exit_code, done.stdout + done.stderr


def now(home):
    place = open_workspace(home)
    return place, place.settings.tenants[0]


@pytest.mark.parametrize("point", POINTS)
def test_a_move_that_is_killed_loses_nothing_and_goes_on(acme, postgres_words, point):
    home, head = acme.place.home, acme.place.store(acme.tenant).head()
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(home), postgres_words, point],
        env={**os.environ}, check=False,
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL
    place, tenant = now(home)
    file = place.store_path(tenant).exists()
    if tenant.database and file:  # two of them: neither is used before the move has ended
        with pytest.raises(identity.SettingsError, match="database move"):
            place.store(tenant)
        assert "cut off" in quick(home, "doctor").stdout
    else:
        store = place.store(tenant)
        assert isinstance(store, DuckDbStore if file else PostgresStore)
        assert store.head() == head
    if file:
        code, told = move(home, postgres_words)
        assert code == 0, told
        place, tenant = now(home)
    assert place.store(tenant).head() == head
    assert isinstance(place.store(tenant), PostgresStore)
    assert bytes_with(home, CANARY.encode()) == set()
    assert quick(home, "verify").exit_code == 0


def test_a_file_that_went_on_after_it_was_copied_is_not_given_up(acme, postgres_words):
    """A move was cut off, and consoles went on with the file: the copy is no copy any more."""
    there = replace(acme.tenant, database=postgres_words)
    home, path = acme.place.home, acme.place.store_path(acme.tenant)
    shutil.copy(path, path.with_name("earlier.duckdb"))
    moving.into_database(path, there, trust=acme.place.root)
    shutil.move(path.with_name("earlier.duckdb"), path)
    acme.learn(cell("Boris came later", 2, **about("boris")))
    code, told = move(home, postgres_words)
    assert code != 0
    assert "drop schema" in told
    assert now(home)[1].database == ""
    place = tenant_store.place_of(there)
    with psycopg.connect(postgres_words, autocommit=True) as raw:
        raw.execute(f'drop schema "{place.schema}" cascade')
    head = acme.place.store(acme.tenant).head()
    assert move(home, postgres_words)[0] == 0
    moved, tenant = now(home)
    assert moved.store(tenant).head() == head


def test_a_file_that_another_process_holds_is_waited_for_and_stays(acme, postgres_words):
    code = "import sys, duckdb; held = duckdb.connect(sys.argv[1]); print(1, flush=True); input()"
    path = acme.place.store_path(acme.tenant)
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout is not None
    holder.stdout.readline()
    done = quick(acme.place.home, "database", "move", postgres_words, "--yes", "--wait", "0")
    holder.communicate(b"\n")
    assert done.exit_code == 6
    assert path.exists()
    assert now(acme.place.home)[1].database == ""
    assert move(acme.place.home, postgres_words)[0] == 0


def test_a_console_that_had_the_file_open_makes_no_new_one(acme, postgres_words):
    running = acme.place.store(acme.tenant)
    running.head()
    assert move(acme.place.home, postgres_words)[0] == 0
    with pytest.raises(FileNotFoundError, match="any more"):
        running.head()
    assert not acme.place.store_path(acme.tenant).exists()


FULL = """
create function is_full() returns event_trigger language plpgsql as $$
begin
    if exists (select 1 from pg_event_trigger_ddl_commands() where object_identity ~ '{}$') then
        raise exception 'No space left on device' using errcode = '53100';
    end if;
end $$
"""


@pytest.mark.parametrize("table", ["vault_payload", "log_leaf"])
def test_a_server_that_takes_no_more_leaves_the_file(acme, postgres_words, table):
    """Such as a full disk: nothing of the copy stays either."""
    with psycopg.connect(postgres_words, autocommit=True) as raw:
        raw.execute(FULL.format(table))
        raw.execute("create event trigger disk on ddl_command_end execute function is_full()")
        code, told = move(acme.place.home, postgres_words)
        assert code != 0
        assert "No space left" in told
        place, tenant = now(acme.place.home)
        assert place.store(tenant).head().size
        assert tenant.database == ""
        raw.execute("drop event trigger disk")
    assert move(acme.place.home, postgres_words)[0] == 0


@pytest.mark.parametrize(
    "words",
    [
        "",
        " ",
        "host=db\n",
        "host=" + "x" * 10_000,
        "host=db\x00",
        "service=",
        "host=db passwort=x",
    ],
)
def test_words_that_are_none_are_refused_and_nothing_is_written(acme, words):
    before = (acme.place.home / identity.CONFIG).read_bytes()
    code, told = move(acme.place.home, words)
    assert code != 0
    assert "Traceback" not in told
    assert (acme.place.home / identity.CONFIG).read_bytes() == before
    path = acme.place.store_path(acme.tenant)
    assert path.exists()
    assert not tenant_store.moved(path).exists()


def test_a_configuration_that_does_not_name_the_database_any_more_is_said(acme, postgres_words):
    home = acme.place.home
    code, out = move(home, postgres_words)
    assert code == 0, out
    backup = quick(home, "backup", "new").stdout.split()[1]
    settings = now(home)[0].settings
    tenants = tuple(replace(one, database="") for one in settings.tenants)
    identity.write_settings(replace(settings, tenants=tenants))
    done = quick(home, "list")
    assert done.exit_code != 0
    assert "moved into a database" in done.stderr
    assert quick(home, "restore", backup).exit_code == 0  # the way back
    place, tenant = now(home)
    assert isinstance(place.store(tenant), DuckDbStore)
    assert quick(home, "verify").exit_code == 0


def test_words_of_others_in_the_servers_log_are_not_told_as_ours(acme, postgres_words, tmp_path):
    """One log serves all databases of a server, so another tenant's words are in it, too."""
    assert move(acme.place.home, postgres_words)[0] == 0
    place, tenant = now(acme.place.home)
    store = place.store(tenant)
    texts = store.rows("select * from vault_payload where role = 'text'")
    ours = Payload(Role(texts[0]["role"]), bytes(texts[0]["salt"]), bytes(texts[0]["body"]))
    theirs = Payload(
        ours.role, bytes(range(100, 132)), ours.body
    )  # the same words, and no row of ours
    found = {}
    for one in (ours, theirs):
        with server.streams(tenant, store, log=True) as streams:
            scan = scanning.scan(tmp_path, forgetting.sought([one]), controls={}, streams=streams)
        found[one.commitment] = server.told(tenant, store, scan)[1]
    assert found[ours.commitment].log.hits > 0
    assert found[theirs.commitment].log.hits == 0


def test_a_schema_that_holds_another_tenants_store_is_not_opened(acme, postgres_words):
    assert move(acme.place.home, postgres_words)[0] == 0
    place, tenant = now(acme.place.home)
    with psycopg.connect(postgres_words, autocommit=True) as raw:
        raw.execute(
            f'alter schema "{tenant_store.place_of(tenant).schema}" rename to memory_other'
        )
    settings = place.settings
    tenants = (*settings.tenants, identity.Tenant("other", "Other", postgres_words))
    identity.write_settings(replace(settings, tenants=tenants))
    done = quick(acme.place.home, "list", "--tenant", "Other")
    assert done.exit_code != 0
    assert "another tenant" in done.stderr
    assert CANARY not in done.stdout


def test_a_role_that_may_not_read_the_schema_is_told_what_to_do(acme, postgres_words):
    assert move(acme.place.home, postgres_words)[0] == 0
    place, tenant = now(acme.place.home)
    with psycopg.connect(postgres_words, autocommit=True) as raw:
        raw.execute("do $$ begin create role guest login; exception when others then end $$")
    words = postgres_words.replace("user=owner", "user=guest")
    identity.write_settings(replace(place.settings, tenants=(replace(tenant, database=words),)))
    done = quick(acme.place.home, "list")
    assert done.exit_code != 0
    assert "give it the right" in done.stderr
    place, tenant = now(acme.place.home)
    with pytest.raises(identity.SettingsError, match="Give the role the right"):
        place.store(tenant)

"""A whole workspace whose store is in PostgreSQL: the same console, and an honest report."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from console import identity, moving, tenant_store
from console.forget.files import ground
from console.wiring import open_workspace
from console.words import Say
from review.forget.ground import AtWorkError
from review.forget.headline import headline
from review.forget.letter import letter
from review.forget.markdown import markdown
from review.forget.scope import Scope
from review.forget.statuses import Status
from store.postgres_store import PostgresStore
from store.verify import Verdict
from tests.console.agents import Firm
from tests.console.desks import open_page
from tests.console.forget_worlds import (
    about,
    bytes_with,
    cell,
    desk_of,
    firm,
    made_from,
    run,
    statuses,
)
from tests.console.test_cli import quick
from tests.console.test_demo import demo_home
from tests.store.test_postgres_store import server

CANARY = "canary 7f3a91c2 sits by the river"
ANA = f"Ana keeps a {CANARY} and a note of it since 2024"
BORIS = "Boris likes dark roast coffee in the morning"


def on(one: Firm, words: str) -> Firm:
    """The same firm with its store in a database."""
    moving.move(one.place, one.tenant, words)
    return replace(one, place=open_workspace(one.place.home))


@pytest.fixture
def acme(tmp_path, postgres_words):
    """A subject with derivatives and a door, moved from a file in the midst of its life."""
    one = firm(tmp_path / "w", "acme")
    items = one.learn(cell(ANA, 1, **about("ana")), cell(BORIS, 2, **about("boris")))
    one = replace(on(one, postgres_words), items=items)
    one.learn(cell("Somebody in the house keeps birds near water", 3, **made_from(1)))
    one.bot = one.door("bot", user="ana")
    one.publish()
    one.acts(one.bot).recall("What does Ana keep?")
    one.ingest()
    return one


def cli(home, *args):
    done = quick(home, *args)
    return done.exit_code, done.stdout, done.stderr


def test_a_store_is_moved_whole_and_its_file_is_gone(acme):
    store = acme.place.store(acme.tenant)
    assert isinstance(store, PostgresStore)
    assert not acme.place.store_path(acme.tenant).exists()
    held = bytes_with(acme.place.home, CANARY.encode())
    assert {path.split("/")[2] for path in held if path.startswith("stores/")} == {"published"}
    assert {item for item, _rev, _digest in store.standing().durable()} > set(acme.items)


def test_a_request_is_carried_out_and_the_report_says_what_a_server_keeps(acme, postgres):
    plan, report = run(acme, Scope(subject="ana", reference="T-4411"))
    assert plan.typed
    assert statuses(report)[acme.items[0]] == "erased"
    assert list(statuses(report).values()).count("erased") == plan.typed
    assert "base" not in postgres.holding(CANARY.encode())
    assert bytes_with(acme.place.home, CANARY.encode()) == set()
    places = {one.location_id: one for one in report.locations}
    store = places["store"]
    assert store.status is Status.ERASED
    assert store.evidence.hits == 0
    assert store.evidence.control_hits > 0
    wal = places["server:wal"]
    assert wal.status is Status.OUTSIDE_CONTROL
    assert wal.evidence.hits > 0
    assert "pg_wal" in postgres.holding(CANARY.encode())
    assert {"always:postgresql_replicas", "always:postgresql_archive"} <= places.keys()
    assert "always:postgresql_heap" not in places
    assert f"{wal.evidence.hits} places in the database server's log" in headline(report)
    assert "database's own log still holds a copy" in letter(report)
    assert "журнал базы данных ещё хранит копию" in letter(report, "ru")
    text = markdown(report, "en")
    assert "write-ahead log: the search found erased texts in it" in " ".join(text.split())
    assert CANARY not in text


def test_without_the_right_to_read_its_files_nothing_is_claimed_of_the_bytes(acme):
    place = acme.place.store(acme.tenant).place
    with server(place) as raw:
        raw.execute("do $$ begin create role clerk login; exception when others then end $$")
        raw.execute(f'grant all on schema "{place.schema}" to clerk')
        raw.execute(f'grant all on all tables in schema "{place.schema}" to clerk')
        for table in ("vault_payload", "vault_condemned"):
            raw.execute(f"alter table {table} owner to clerk")
    words = acme.tenant.database.replace("user=owner", "user=clerk")
    tenants = (replace(acme.tenant, database=words),)
    identity.write_settings(replace(acme.place.settings, tenants=tenants))
    clerk = replace(acme, place=open_workspace(acme.place.home))
    _plan, report = run(clerk, Scope(subject="ana", reference="T-4411"))
    assert statuses(report)[acme.items[0]] == "erased_unverified"
    assert "erased" not in statuses(report).values()
    places = {one.location_id: one for one in report.locations}
    assert places["store"].status is Status.ERASED_UNVERIFIED
    assert "always:postgresql_heap" in places
    assert places["always:postgresql_archive"].residual_reason == "postgresql_archive"


def test_a_report_is_verified_again_later(acme):
    _plan, report = run(acme, Scope(subject="ana", reference="T-4411"))
    desk = desk_of(acme)
    with desk.held():
        again = desk.forget.check_again(report.head.forget_id)
    assert statuses(again) == statuses(report)
    assert {one.location_id for one in again.locations} == {
        one.location_id for one in report.locations
    }


def test_the_command_line_tells_of_it(acme):
    code, out, err = cli(acme.place.home, "verify", "--json")
    told = json.loads(out)
    assert code == 0, err
    assert {one["name"]: one["verdict"] for one in told["checks"]}["server"] == Verdict.PASS
    code, out, err = cli(acme.place.home, "doctor")
    assert "in PostgreSQL" in out
    acme.stage(cell("Somebody else came later", 77))
    code, out, err = cli(acme.place.home, "list", "--json")
    assert "Somebody else came later" in out


def test_a_backup_comes_back_into_the_database(acme):
    code, out, err = cli(acme.place.home, "backup", "new", "--json")
    assert code == 0, err
    backup = json.loads(out)["backup"]
    run(acme, Scope(subject="ana", reference="T-4411"))
    store = acme.place.store(acme.tenant)
    code, out, err = cli(acme.place.home, "restore", backup)
    assert code != 0
    assert "Drop it first" in err
    with server(store.place) as raw:
        raw.execute(f'drop schema "{store.place.schema}" cascade')
    code, out, err = cli(acme.place.home, "restore", backup)
    assert "restored" in out, err
    assert not acme.place.store_path(acme.tenant).exists()
    back = open_workspace(acme.place.home).store(acme.tenant)
    assert isinstance(back, PostgresStore)
    texts = [bytes(row["body"]) for row in back.rows("select body from vault_payload")]
    assert not any(CANARY.encode() in text for text in texts)
    assert any(BORIS.encode() in text for text in texts)
    code, out, err = cli(acme.place.home, "verify")
    assert code == 0, out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("host=/nonexistent dbname=x", "cannot be reached"),
        ("host=db password=not-a-real-one", "password"),
        ("nonsense", "service=memory"),
    ],
)
def test_a_store_stays_where_it_is_when_it_cannot_be_moved(tmp_path, words, said):
    one = firm(tmp_path / "w", "acme")
    code, _out, err = cli(one.place.home, "database", "move", words, "--yes")
    assert code != 0
    assert said in err
    assert "not-a-real-one" not in err
    assert open_workspace(one.place.home).settings.tenants[0].database == ""
    assert one.place.store(one.tenant).head().size > 0


def test_a_store_is_moved_by_a_command_and_only_once(tmp_path, postgres_words):
    one = firm(tmp_path / "w", "acme")
    one.learn(cell(BORIS, 2, **about("boris")))
    head = one.place.store(one.tenant).head()
    code, _out, err = cli(one.place.home, "database", "move", postgres_words, "--no-input")
    assert code != 0
    assert "Use --yes" in err
    code, out, err = cli(one.place.home, "database", "move", postgres_words, "--yes", "--json")
    assert code == 0, err
    assert json.loads(out)["events"] == head.size
    assert json.loads(out)["overwritten"]
    code, _out, err = cli(one.place.home, "database", "move", postgres_words, "--yes")
    assert "already" in err
    with pytest.raises(identity.SettingsError, match="moved into a database"):
        one.place.store(one.tenant)
    now = open_workspace(one.place.home)
    assert now.store(now.settings.tenants[0]).head() == head


def test_two_workspaces_of_one_team_see_each_others_work(acme, tmp_path):
    """A second console on another machine: the same configuration and keys, another folder."""
    shutil.copytree(acme.place.home, tmp_path / "second")
    second = replace(acme, place=open_workspace(tmp_path / "second"))
    second.learn(cell("Ana moved to the other side of the river", 9, **about("ana")))
    seen = acme.place.store(acme.tenant)
    assert seen.head() == second.place.store(second.tenant).head()
    _plan, report = run(acme, Scope(subject="ana", reference="T-4411"))
    assert statuses(report)
    there = second.place.store(second.tenant)
    texts = [bytes(row["body"]) for row in there.rows("select body from vault_payload")]
    assert not any(CANARY.encode() in text for text in texts)


MAIN = str(Path(__file__).parents[2] / "console" / "entry" / "main.py")


def everything(app) -> str:
    """All that a page drew."""
    return "\n".join(str(one.proto) for one in app.main if getattr(one, "proto", None))


def _settings(facts, lang, desk):  # AppTest runs this body alone
    from console.cards.visit import Visit
    from console.pages import settings
    from console.words import Say

    settings.render(desk, Visit(Say(lang), facts=facts))


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_settings_says_where_the_store_is(moved_demo, lang):
    place = open_workspace(moved_demo)
    tenant = place.settings.tenants[0]
    for facts in (tenant_store.told(tenant), {}):
        kwargs = {"facts": facts, "lang": lang, "desk": place.desk(tenant)}
        app = AppTest.from_function(_settings, kwargs=kwargs, default_timeout=60).run()
        assert not app.exception
        elsewhere = [one for one in app.caption if one.value == Say(lang)("settings.elsewhere")]
        assert len(elsewhere) == bool(facts)
        assert (tenant.database in everything(app)) == bool(facts)


PAGES = (
    *("inbox", "facts", "conflicts", "duplicates", "answers", "rules", "forget", "runs", "ledger"),
)


@pytest.fixture(scope="module")
def moved_demo(tmp_path_factory, postgres):
    """The demo's workspace, its store moved to the server."""
    home = shutil.copytree(demo_home(), tmp_path_factory.mktemp("demo") / "w")
    place = open_workspace(home)
    moving.move(place, place.settings.tenants[0], postgres.words)
    return home


@pytest.mark.parametrize("page", PAGES)
def test_every_page_is_drawn_over_a_server(moved_demo, page):
    drawn = []
    for home in (moved_demo, demo_home()):
        place = open_workspace(home)
        desk = ground(place, place.settings.tenants[0], place.desk(place.settings.tenants[0]))
        app = open_page(page, desk)
        drawn.append(everything(app))
    assert drawn[0] == drawn[1]  # as over a file
    assert len(drawn[0]) > 2_000


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_server_that_is_away_is_said_in_place_of_the_page(
    moved_demo, tmp_path, monkeypatch, lang
):
    home = shutil.copytree(moved_demo, tmp_path / "w")
    settings = identity.read_settings(home)
    tenants = (
        replace(settings.tenants[0], database="host=/nonexistent dbname=x"),
        *settings.tenants[1:],
    )
    identity.write_settings(replace(settings, tenants=tenants, language=lang))
    monkeypatch.setenv("MEMORY_CONSOLE_HOME", str(home))
    app = AppTest.from_file(MAIN, default_timeout=120).run()
    assert not app.exception
    assert any({"en": "cannot be reached", "ru": "недоступна"}[lang] in one.value
               for one in app.error)  # fmt: skip
    assert app.button(key="again")


def test_a_second_machine_does_not_forget_at_the_same_time(acme, tmp_path):
    shutil.copytree(acme.place.home, tmp_path / "second")
    second = replace(acme, place=open_workspace(tmp_path / "second"))
    mine, yours = desk_of(acme), desk_of(second)
    with mine.forget._standing_on().working():
        assert yours.forget.at_work()
        with pytest.raises(AtWorkError):
            run(second, Scope(subject="ana", reference="T-1"), yours)
    assert not yours.forget.at_work()
    _plan, report = run(second, Scope(subject="ana", reference="T-1"), yours)
    assert statuses(report)[acme.items[0]] == "erased"

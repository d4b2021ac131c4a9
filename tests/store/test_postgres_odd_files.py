"""The search of a server's files where what is in them is not only what we put there."""

from __future__ import annotations

import shutil

import psycopg
import pytest

from store import forgetting
from store.connections import StoreAwayError
from store.log import Entry
from store.postgres import server_files
from store.postgres_store import PostgresStore
from store.scans import Control, ScanStatus
from store.vault import Payload, Role
from tests.contract.staged import happening, stage
from tests.store.forgotten import contents_of, forget
from tests.store.test_postgres_erasing import CANARIES, look, tables, wiped
from tests.store.test_postgres_store import made, server

OURS = server_files.OF_STORE


def words_of(draw, size):
    told = ("river", "stone", "amber", "birch", "window", "copper", "lantern", "meadow")
    text = ""
    while len(text) < size:
        text += f"{told[draw(1)[0] % 8]}{int.from_bytes(draw(2), 'big')} "
    return text[:size]


@pytest.fixture
def team(postgres_place, irina, chance):
    found = made(postgres_place, irina.root)
    found.append(stage(found, chance, *CANARIES.values(), names=tuple(CANARIES)))
    return found


def statuses(scan):
    return {one.path.removeprefix(OURS): one.status for one in tables(scan)}


def erased(store, irina, tmp_path, *items, acts=()):
    payloads = list(store.payloads(contents_of(store, *items)).values())
    wiped(store, irina, *items)
    with server(store.place) as raw:
        for act in acts:
            raw.execute(act)
    return look(store, tmp_path, payloads)


def test_texts_around_the_size_of_a_piece_and_far_beyond_are_found_and_erased(
    postgres_place, tmp_path, irina, chance
):
    store = made(postgres_place, irina.root)
    sizes = [*range(1_985, 2_105, 8), 3_992, 5_988, 400_000]
    names = tuple(f"item-{size}" for size in sizes)
    store.append(stage(store, chance, *(words_of(chance, size) for size in sizes), names=names))
    gone = names[::2] + names[-1:]
    payloads = list(store.payloads(contents_of(store, *gone)).values())
    store.append(forget(store, irina, *gone))
    before = look(store, tmp_path, payloads)  # they wait for the rewrite
    long = {one.commitment for one in payloads if len(one.body) > 1_000}
    beside = before.of(f"{OURS}vault_condemned.beside")
    assert beside is not None
    found = {hit.of for one in before.files for hit in one.hits if hit.form != "salt"}
    assert long <= found
    forgetting.erase(store, forgetting.pending(store))
    after = look(store, tmp_path, payloads)
    assert after.hits == 0
    assert set(statuses(after).values()) == {ScanStatus.CLEAN}
    assert after.of(f"{OURS}vault_payload.beside").control_hits > 0


def test_bytes_that_are_no_text_are_found_and_erased(team, tmp_path, irina, chance, postgres):
    body = bytes(range(128, 256)) * 3 + chance(2_500)
    raw = Payload(Role.RAW, chance(32), body)
    team.append(Entry(happening("source.kept", name=raw.commitment), payloads=[raw]))
    request = forget(
        team, irina, "item-0", contents=(*contents_of(team, "item-0"), raw.commitment)
    )
    team.append(request)
    found = look(team, tmp_path, [raw])
    assert {hit.of for one in found.files for hit in one.hits} == {raw.commitment}
    forgetting.erase(team, forgetting.pending(team))
    assert look(team, tmp_path, [raw]).status == ScanStatus.CLEAN
    assert "base" not in postgres.holding(body[:200])


def test_copies_in_the_schema_are_found_and_what_nobody_knows_is_not_called_clean(
    team, tmp_path, irina
):
    with server(team.place) as raw:
        raw.execute("create table copies as select * from vault_payload")
        raw.execute("create materialized view more as select * from vault_payload")
        raw.execute("create table texts as select convert_from(body, 'UTF8') from vault_payload")
        raw.execute("create table digits as select encode(body, 'hex') from vault_payload")
        raw.execute("create index odd on vault_payload (md5(body))")
    told = statuses(erased(team, irina, tmp_path, "item-0"))
    assert {told[one] for one in ("copies", "more", "texts")} == {ScanStatus.FOUND}
    assert {told[one] for one in ("digits", "odd")} == {ScanStatus.INCONCLUSIVE}
    assert told["vault_payload"] == ScanStatus.CLEAN


def test_an_empty_table_of_others_changes_nothing(team, tmp_path, irina):
    with server(team.place) as raw:
        raw.execute("create table notes (words text)")
    assert erased(team, irina, tmp_path, "item-0").status == ScanStatus.CLEAN


def test_contents_that_may_be_packed_or_are_sampled_are_not_called_clean(team, tmp_path, irina):
    with server(team.place) as raw:
        raw.execute("alter table vault_payload alter column body set storage extended")
    told = statuses(erased(team, irina, tmp_path, "item-0"))
    assert told["vault_payload"] == ScanStatus.INCONCLUSIVE
    with server(team.place) as raw:
        raw.execute("alter table vault_payload alter column body set storage external")
        raw.execute("alter table vault_payload alter column body set statistics 100")
        raw.execute("analyze vault_payload")
        raw.execute("alter table vault_payload alter column body set statistics 0")
    told = statuses(look(team, tmp_path, []))
    assert told["samples"] == ScanStatus.INCONCLUSIVE


def test_what_the_server_measures_by_itself_is_no_sample_of_contents(team, tmp_path, irina):
    with server(team.place) as raw:
        raw.execute("analyze")
    assert erased(team, irina, tmp_path, "item-0").status == ScanStatus.CLEAN


def test_the_same_words_of_another_tenant_are_not_ours(team, postgres, tmp_path, irina, chance):
    place = type(team.place)(team.place.conninfo, f"{team.place.schema}-2")
    other = made(place, irina.root)
    other.append(stage(other, chance, *CANARIES.values(), names=tuple(CANARIES)))
    found = erased(team, irina, tmp_path, "item-0", acts=("vacuum",))
    assert found.status == ScanStatus.CLEAN
    assert "base" in postgres.holding(CANARIES["item-0"].encode())
    assert not any("-2" in one.path for one in found.files)


def test_a_tablespace_is_searched_like_the_rest(team, postgres, tmp_path, irina):
    folder = postgres.folder / f"space-{team.place.schema}"
    folder.mkdir()
    shutil.chown(folder, postgres.data.owner())
    with server(team.place) as raw:
        raw.execute(f"create tablespace \"{team.place.schema}\" location '{folder}'")
        for kind, name in (("table", "vault_payload"), ("index", "vault_payload_pkey")):
            raw.execute(f'alter {kind} {name} set tablespace "{team.place.schema}"')
    team.append(forget(team, irina, "item-0"))
    payloads = forgetting.waiting(team, frozenset(contents_of(team, "item-0")))
    forgetting.erase(team, forgetting.pending(team))
    found = look(team, tmp_path, payloads)
    assert found.status == ScanStatus.CLEAN
    held = found.of(f"{OURS}vault_payload")
    assert held is not None
    assert held.control == Control.ROWS
    with server(team.place) as raw:
        raw.execute(f'drop schema "{team.place.schema}" cascade')
        raw.execute(f'drop tablespace "{team.place.schema}"')


def test_autovacuum_and_appends_meanwhile_do_not_make_it_claim_too_much(
    team, tmp_path, irina, chance
):
    other = PostgresStore(team.place, trust=irina.root)
    payloads = list(team.payloads(contents_of(team, "item-0")).values())
    wiped(team, irina, "item-0")
    for n in range(5):
        other.append(stage(other, chance, f"meanwhile {n}"))
        with server(team.place) as raw:
            raw.execute("vacuum vault_payload")
        assert look(team, tmp_path, payloads).status == ScanStatus.CLEAN


def test_a_line_that_is_lost_while_looking_is_said(team, tmp_path):
    def lose():
        with psycopg.connect(team.place.conninfo, autocommit=True) as raw:
            raw.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where application_name = 'memory-console'"
            )

    lose()
    assert look(team, tmp_path, []).files
    with team.server() as line:
        streams = server_files.of_store(line)
        lose()
        with pytest.raises(StoreAwayError):
            streams[0].fetch(0, 100)
        assert server_files.of_log(line)

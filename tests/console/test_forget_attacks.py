"""Attacks on forget requests: files that were altered, hidden copies, and ways to come back."""

from __future__ import annotations

import gzip
import json
import shutil
from dataclasses import replace

import pytest

from console import identity
from console.bundles.exporting import Folders
from console.forget.files import ground
from console.wiring import open_workspace, root_statement
from importers import catalogue, source
from review.bundle.recording import Exporting
from review.forget.headline import headline
from review.forget.run_points import RunPoint
from review.forget.scope import Scope
from review.forget.started import BadRequestFileError, file_of
from review.forget.statuses import LocationKind, Status
from review.staged.placing import Writer
from store import canonical, forget_list
from tests.console.forget_worlds import (
    about,
    bytes_with,
    cell,
    desk_of,
    faults,
    firm,
    run,
    statuses,
    vault_words,
)
from tests.console.test_cli import quick
from tests.review.forget.test_report import BANNED

CANARY = "canary 5e1d77aa lives by the harbour wall"
ANA = cell(f"Ana says that a {CANARY} since the spring", 1, **about("ana"))
OLD = cell(f"Ana wrote again that the {CANARY} in winter", 2, **about("ana"))
STAYS = cell("Boris likes dark roast coffee in the morning", 3, **about("boris"))


def requests_in(one):
    folder = one.place.store_path(one.tenant).parent / "forgets"
    return sorted(path.name for path in folder.glob("*.json")) if folder.is_dir() else []


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    one = firm(tmp_path_factory.mktemp("template") / "w")
    one.items = one.stage(ANA, OLD, STAYS)
    return one


@pytest.fixture
def acme(template, tmp_path):
    home = shutil.copytree(template.place.home, tmp_path / "w")
    return replace(template, place=open_workspace(home))


class Cut(RuntimeError):
    """A run that ends here."""


def cut_at(one, point):
    """A request over Ana that ends at ``point``; its id."""
    desk = desk_of(one)
    forget = desk.forget

    def watch(reached):
        if reached is point:
            raise Cut

    forget.stand_on(forget._ground, watch)
    scope = Scope(subject="ana")
    plan = forget.plan(scope)
    with pytest.raises(Cut):
        forget.run(scope, forget.token(plan), one.sign, typed=plan.typed)
    return plan.forget


def test_a_request_that_nobody_signed_leaves_no_file(acme):
    desk = desk_of(acme)
    scope = Scope(subject="ana")
    plan = desk.forget.plan(scope)

    def refuse(_statements):
        raise PermissionError

    with pytest.raises(PermissionError):
        desk.forget.run(scope, desk.forget.token(plan), refuse, typed=plan.typed)
    assert requests_in(acme) == []
    cut_at(acme, RunPoint.KEPT)
    assert requests_in(acme) == []
    signed = cut_at(acme, RunPoint.SIGNED)
    assert requests_in(acme) == [file_of(signed)], "of a signed one it stays"


def test_the_same_words_that_arrive_while_a_request_is_carried_out_are_told(acme):
    forget = desk_of(acme).forget
    late: list[str] = []

    def watch(reached):
        if reached is RunPoint.KEPT:
            late.extend(acme.stage(cell(ANA["claim"].upper(), 9, **about("carla"))))

    forget.stand_on(forget._ground, watch)
    scope = Scope(subject="ana")
    plan = forget.plan(scope)
    report = forget.run(scope, forget.token(plan), acme.sign, typed=plan.typed)
    told = statuses(report)
    assert [told[item] for item in late] == ["unknown_lineage"]
    assert (report.head.items_erased, report.head.needs_decision) == (2, 1)


@pytest.mark.parametrize("how", ["fewer", "milder", "lost contents", "another plan"])
def test_a_request_goes_on_over_the_rows_that_were_signed_and_no_others(acme, how):
    forget = cut_at(acme, RunPoint.SIGNED)
    path = acme.place.store_path(acme.tenant).parent / "forgets" / file_of(forget)
    kept = path.read_bytes()
    told = canonical.decode(kept)
    if how == "fewer":
        told["rows"] = told["rows"][1:]
    elif how == "milder":
        told["rows"][0]["foreseen"] = "given"
    elif how == "lost contents":
        told["rows"][0]["contents"] = []
    else:
        desk = desk_of(acme)
        other = desk.forget.plan(Scope(subject="boris"))
        told["plan_sha256"] = other.digest
        from review.forget.started import begin

        rows = canonical.decode(begin(other, reviewer="r", now="2026-01-01").encode())["rows"]
        told["rows"] = rows
    path.write_bytes(canonical.encode(told))
    with pytest.raises(BadRequestFileError):
        desk_of(acme).forget.resume(forget, acme.sign)
    path.write_bytes(kept)
    report = desk_of(acme).forget.resume(forget, acme.sign)
    assert report.outcome == "completed"
    assert set(statuses(report).values()) == {"erased"}
    assert faults(acme) == []


def test_a_copy_that_cannot_be_searched_is_told_and_a_name_is_searched_too(acme):
    home = acme.place.home
    (home / "old.json.gz").write_bytes(gzip.compress(json.dumps(ANA).encode()))
    away = home.parent / "away"
    away.mkdir()
    (away / "copy.txt").write_text(ANA["claim"])
    (home / "linked").symlink_to(away)
    (home / f"{ANA['claim']}.txt").write_text("nothing of interest is in this file\n")
    (home / "plain.txt").write_text("nothing of interest is in this file, too\n")
    _plan, report = run(acme, Scope(subject="ana"))
    told = [one for one in report.locations if one.location_id.startswith("other:")]
    assert {one.status for one in told} == {Status.OUTSIDE_CONTROL}
    assert sorted(one.residual_reason for one in told) == [
        "file_of_others",
        "no_control",
        "no_control",
    ]
    assert "3 other files" in headline(report)
    assert CANARY not in json.dumps(report.as_json())


def test_after_a_backup_is_put_back_neither_it_nor_the_old_file_brings_anything_back(acme):
    home = acme.place.home
    made = quick(home, "backup", "new", "--json")
    backup = json.loads(made.stdout)["backup"]
    _plan, report = run(acme, Scope(subject="ana"))
    assert report.location(f"backup:{backup}").status is Status.OUTSIDE_CONTROL
    store = acme.place.store_path(acme.tenant)
    store.unlink()
    beside = forget_list.beside(store)
    whole = beside.read_bytes()
    beside.write_bytes(b"".join(whole.splitlines(keepends=True)[:-2]))  # the request, its digests
    refused = quick(home, "restore", backup)
    assert refused.exit_code == 1
    assert "lacks 1 requests of which a report is here" in refused.stderr
    assert not store.exists()
    beside.write_bytes(whole)
    assert quick(home, "restore", backup).exit_code == 4
    assert CANARY.encode() not in store.read_bytes()
    assert CANARY not in vault_words(acme)
    again = desk_of(acme).forget.resume(report.head.forget_id, acme.sign)
    assert again.outcome == "completed"

    lines = [json.dumps({"format": "memory-console/1"}), *map(json.dumps, (ANA, OLD, STAYS))]
    reading = catalogue.open_reading(
        source.from_bytes("old.jsonl", "\n".join([*lines, ""]).encode())
    )
    receipt = acme.desk.stage(reading)
    assert receipt.items == []
    assert CANARY not in vault_words(acme)
    kept = {f"backups/{acme.tenant.id}/{backup}/store.duckdb"}
    assert bytes_with(home, CANARY.encode()) == kept, "the backup itself is all that is left"
    assert faults(acme) == []


def test_a_rule_that_left_is_a_place_of_the_report(acme):
    from tests.bundles import told as rules

    item = acme.items[0]
    acme.decide(item)
    desk = ground(acme.place, acme.tenant, acme.desk)
    row = acme.place.store(acme.tenant).rows(
        "select rev, digest from proj_item where item = :item", item=item
    )[0]
    wanted = rules.export(
        item=item,
        revision=int(row["rev"]),
        artifact_digest=str(row["digest"]),
        tenant=acme.tenant.id,
        statement=ANA["claim"],
        exported_by=str(acme.place.settings.reviewer),
    )
    writer = Writer(acme.place.settings.process, acme.place.clock, acme.place.chance)
    exporting = Exporting(desk.store, desk.person, writer, desk.policy.sha256)
    folders = Folders(acme.place.home, desk.store, lambda: root_statement(acme.place.home))
    done = folders.export(wanted, exporting, acme.sign)
    events = [event.type for event in acme.place.store(acme.tenant).events()]
    assert events[-1] == "rule.exported"

    plan, report = run(acme, Scope(subject="ana"))
    planned = [one for one in plan.locations if one.location_id == f"export:{done.export}"]
    assert [one.kind for one in planned] == [LocationKind.EXPORT]
    told = report.location(f"export:{done.export}")
    assert (told.status, told.residual_reason) == (Status.OUTSIDE_CONTROL, "export")
    assert "1 exported rule (outside control)" in headline(report)
    assert done.folder.is_dir(), "a folder that left is not ours to delete"
    assert CANARY not in vault_words(acme), "what the vault kept of the bundle went along"
    assert CANARY.encode() not in acme.place.store_path(acme.tenant).read_bytes()


HOSTILE = "everything of <b>Ana</b> was [completely](https://example.org) erased \u202e навсегда"


def test_nothing_that_anybody_chose_brings_such_words_or_the_texts_into_what_is_handed_over(acme):
    home = acme.place.home
    told = identity.read_settings(home)
    identity.write_settings(replace(told, reviewer_name=f"Irina, {HOSTILE}"))
    one = replace(acme, place=open_workspace(home))
    bad = cell(HOSTILE, "everything:completely", entities=["Permanently"], **about("ana"))
    one.items = [*one.items, *one.stage(bad)]
    one.door("everything-bot", user="ana")
    one.publish()
    for name in ("everything permanently erased.txt", f"{ANA['claim']}.md", "навсегда.txt"):
        (home / name).write_text(ANA["claim"])
    made = json.loads(quick(home, "backup", "new", "--json").stdout)
    _plan, report = run(one, Scope(subject="ana", reference="T-1", due="2026-04-01"))
    forget = report.head.forget_id
    report = desk_of(one).forget.confirm(
        forget, f"backup:{made['backup']}", one.sign, evidence=f"{HOSTILE} {ANA['claim']}"
    )
    assert report.location(f"backup:{made['backup']}").confirmed[0].name == ""
    words = ("forget-report", forget)
    texts = [quick(home, *words, *more).stdout for more in ((), ("--json",), ("--md",))]
    texts += [quick(home, *words, "--md", "--language", "ru").stdout]
    texts += [quick(home, *words, "--letter", lang).stdout for lang in ("en", "ru")]
    again = desk_of(one).forget.check_again(forget)
    texts.append(json.dumps(again.as_json(), ensure_ascii=False))
    for text in texts:
        assert text
        assert not BANNED.search(text), BANNED.search(text)
        assert not [
            word for word in (CANARY, "harbour", "<b>", "](", "example.org") if word in text
        ]
        assert "\u202e" not in text
    assert "door-" in texts[1], "the door is told, by a digest"

"""What can still be told of forget requests in a workspace that was made around a backup."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from console import doctor, identity
from console.identity import write_settings
from console.wiring import open_workspace
from review.forget.headline import headline
from review.forget.locations import LOST
from review.forget.report import BadReportError
from review.forget.running import NoSuchRequestError
from review.forget.scope import Scope
from review.forget.statuses import Status
from review.staged.placing import Writer
from review.staged.resurrection import Content, Guard
from store import forget_list
from tests.console.forget_worlds import (
    Firm,
    about,
    bytes_with,
    cell,
    desk_of,
    faults,
    firm,
    made_from,
    run,
    statuses,
)
from tests.console.test_cli import PASSPHRASE, quick

EARLY = "canary aa11 was seen at the old mill by the river"
LATE = "canary bb22 sleeps in the loft above the stable"
STAYS = "the market opens at seven in the morning on weekdays"


@dataclass
class World:
    """A workspace that was lost, and what somebody had of it elsewhere."""

    old: Firm
    folder: Path
    list: Path
    early: str
    late: str
    row: dict[str, object]
    """The vault's row of the text of the first request, which somebody copied before it."""

    reports: dict[str, Path] = field(default_factory=dict)


@pytest.fixture(scope="module")
def lost(tmp_path_factory) -> World:
    """One request before the backup, one after it; the list and the reports are elsewhere."""
    base = tmp_path_factory.mktemp("lost")
    one = firm(base / "w")
    one.items = one.learn(
        cell(EARLY, 1, **about("ana")),
        cell(LATE, 2, **about("bea")),
        cell(STAYS, 3, **about("carl")),
    )
    one.items += one.learn(cell("they were seen together", 4, **made_from(2, 3)))
    copy = "select * from vault_payload where decode(body) = :text"
    (row,) = one.place.store(one.tenant).rows(copy, text=EARLY)
    _plan, early = run(one, Scope(subject="ana"))
    made = json.loads(quick(one.place.home, "backup", "new", "--into", str(base), "--json").stdout)
    _plan, late = run(one, Scope(subject="bea", reference="T-1"))
    told = World(one, Path(made["folder"]), base / "list", early.head.forget_id, "", row)
    told.late = late.head.forget_id
    shutil.copyfile(forget_list.beside(one.place.store_path(one.tenant)), told.list)
    for report in (early, late):
        told.reports[report.head.forget_id] = base / f"{report.head.forget_id}.json"
        told.reports[report.head.forget_id].write_text(json.dumps(report.as_json(), indent=1))
    return told


@pytest.fixture(scope="module")
def template(lost, tmp_path_factory):
    home = tmp_path_factory.mktemp("new") / "w"
    done = quick(home, "restore", str(lost.folder), "--forgets", str(lost.list), "--json")
    assert done.exit_code == 4, done.output
    assert json.loads(done.stdout)["unfinished"] == [lost.late]
    # as the message says: the keys come from elsewhere, and config.toml names the reviewer
    shutil.copytree(lost.old.place.home / "keys", home / "keys", dirs_exist_ok=True)
    was = lost.old.place.settings
    told = identity.read_settings(home)
    write_settings(replace(told, reviewer=was.reviewer, reviewer_name=was.reviewer_name))
    return home


@pytest.fixture
def fresh(lost, template, tmp_path) -> Firm:
    home = shutil.copytree(template, tmp_path / "w")
    return replace(lost.old, place=open_workspace(home))


def requests_of(one) -> Path:
    return one.place.store_path(one.tenant).parent / "forgets"


def test_reports_from_before_the_backup_come_back_with_it(fresh, lost):
    forget = desk_of(fresh).forget
    assert [one.head.forget_id for one in forget.reports()] == [lost.early]
    assert (forget.unreported(), forget.strange(), forget.unsigned()) == ((), (), ())
    again = forget.check_again(lost.early)
    assert set(statuses(again).values()) == {"erased"}


def test_a_request_from_after_the_backup_is_told_as_open_and_gone_on_with(fresh, lost):
    home = fresh.place.home
    listed = quick(home, "forget-report", "--json")
    assert json.loads(listed.stdout)["unfinished"] == [lost.late]
    assert f"memory-console forget --request {lost.late}" in quick(home, "forget-report").stderr
    (line,) = [one for one in doctor.examine(home, identity.now()) if one.name == "forget acme"]
    assert f"{lost.late} was signed and cut off" in line.detail
    words = ("forget", "--request", lost.late, "--passphrase-stdin", "--json")
    done = quick(home, *words, typed=PASSPHRASE + "\n")
    assert done.exit_code == 4, done.output
    report = desk_of(fresh).forget.report(lost.late)
    assert report.outcome == "completed"
    told = statuses(report)
    # what was signed is gone; nobody searched for words that nobody knows any more
    assert told[fresh.items[1]] == "erased_unverified"
    assert set(told.values()) == {"erased_unverified"}
    place = report.location(LOST)
    assert (place.status, place.residual_reason) == (Status.UNKNOWN_LINEAGE, "request_lost")
    assert "(our file about it is lost)" in headline(report)
    assert "lost" in quick(home, "forget-report", lost.late, "--letter", "en").stdout
    assert "утрачен" in quick(home, "forget-report", lost.late, "--letter", "ru").stdout
    assert desk_of(fresh).forget.unfinished() == ()
    assert faults(fresh) == []
    assert bytes_with(home, LATE.encode()) == set()


def test_without_a_report_what_was_signed_is_looked_at(fresh, lost):
    requests = requests_of(fresh)
    for path in requests.glob("*.json"):
        path.unlink()
    home = fresh.place.home
    said = quick(home, "forget-report")
    assert f"{lost.early} was carried out in full" in said.stderr
    assert "its report is not here" in said.stderr
    assert "requests have no report here" in quick(home, "doctor").stdout
    asked = quick(home, "forget-report", lost.early)
    assert (asked.exit_code, asked.stdout) == (3, "")
    assert f"memory-console forget-verify {lost.early}" in asked.stderr
    done = quick(home, "forget-verify", lost.early)
    assert done.exit_code == 4, done.output
    assert "This is what was signed, and what is so now" in done.stderr
    told = desk_of(fresh).forget.check_again(lost.early)
    assert told.checked_at
    assert statuses(told) == {fresh.items[0]: "erased_unverified"}
    with pytest.raises(NoSuchRequestError):
        desk_of(fresh).forget.check_again("01J8ZK4QH7V5M2N3P4R5S6T7V8")
    unknown = quick(home, "forget-verify", "01J8ZK4QH7V5M2N3P4R5S6T7V8")
    assert (unknown.exit_code, unknown.stdout) == (3, "")


def test_a_report_that_somebody_kept_is_held_against_the_log(fresh, lost):
    for path in requests_of(fresh).glob("*.json"):
        path.unlink()
    home = fresh.place.home
    done = quick(home, "forget-verify", str(lost.reports[lost.early]), "--json")
    told = json.loads(done.stdout)
    assert (done.exit_code, told["named_by_log"]) == (0, True)
    assert {row["status"] for row in told["report"]["rows"]} == {"erased"}
    # the log that was restored has lost that the other one ended: it is said, and still checked
    done = quick(home, "forget-verify", str(lost.reports[lost.late]))
    assert done.exit_code == 4, done.output
    assert "The log does not name this report" in done.stderr
    told = json.loads(quick(home, "forget-verify", str(lost.reports[lost.late]), "--json").stdout)
    by_id = {row["id"]: row["status"] for row in told["report"]["rows"]}
    assert by_id[fresh.items[1]] == "erased"
    # what had been withdrawn for it is durable again: the withdrawal came after the backup
    assert by_id[fresh.items[3]] == "unknown_lineage"


def test_a_report_is_kept_here_again_if_the_log_names_it_and_else_not(fresh, lost, tmp_path):
    for path in requests_of(fresh).glob("*.json"):
        path.unlink()
    home = fresh.place.home
    done = quick(home, "forget-report", "--bring", str(lost.reports[lost.early]))
    assert done.exit_code == 0, done.output
    assert [one.head.forget_id for one in desk_of(fresh).forget.reports()] == [lost.early]
    for forget in (lost.late, lost.early):
        told = json.loads(lost.reports[forget].read_text())
        if forget == lost.early:
            told["head"]["answers_given"] = 7
        path = tmp_path / "changed.json"
        path.write_text(json.dumps(told))
        refused = quick(home, "forget-report", "--bring", str(path))
        assert (refused.exit_code, refused.stdout) == (1, "")
        assert "Nothing was kept" in refused.stderr


def test_content_that_is_back_is_told_without_any_report(fresh, lost):
    """A content of a request that is in the vault again, as a hand that knows SQL puts it."""
    import duckdb

    for path in requests_of(fresh).glob("*.json"):
        path.unlink()
    with duckdb.connect(str(fresh.place.store_path(fresh.tenant))) as connection:
        names = ", ".join(lost.row)
        marks = ", ".join("?" for _ in lost.row)
        connection.execute(
            f"insert into vault_payload ({names}) values ({marks})", list(lost.row.values())
        )
    told = desk_of(fresh).forget.check_again(lost.early)
    assert Status.FAILED in {row.status for row in told.rows}
    brought = quick(fresh.place.home, "forget-verify", str(lost.reports[lost.early]))
    assert brought.exit_code == 5, brought.output


def test_the_keyed_digests_came_with_the_list(fresh):
    guard = Guard(fresh.place.store(fresh.tenant))
    place = fresh.place
    writer = Writer(place.settings.process, place.clock, place.chance)
    assert writer.process
    known = guard._known()
    for subject, text in (("ana", EARLY), ("bea", LATE)):
        keys = guard.keys_of(Content(subject, text, "x"))
        assert {bytes.fromhex(key) for key in keys} <= known
    assert not known & {bytes.fromhex(key) for key in guard.keys_of(Content("carl", STAYS, "x"))}
    assert fresh.stage(cell(LATE, 99, **about("bea"))) == []


def test_an_old_report_beside_a_restored_store_proves_nothing_of_it(lost, tmp_path):
    """Into the workspace itself, with all its files: the search was of the store that is gone."""
    home = shutil.copytree(lost.old.place.home, tmp_path / "w")
    one = replace(lost.old, place=open_workspace(home))
    one.place.store_path(one.tenant).unlink()
    assert quick(home, "restore", str(lost.folder)).exit_code == 4
    forget = desk_of(one).forget
    assert forget.unfinished() == (lost.late,)
    with pytest.raises(BadReportError, match="Go on with the request"):
        forget.report(lost.late)
    assert [one.head.forget_id for one in forget.reports()] == [lost.early]
    assert forget.strange() == ()
    report = forget.resume(lost.late, one.sign)
    assert report.outcome == "completed"
    assert report.location(LOST) is None, "the file about it is here"
    assert statuses(report)[one.items[1]] == "erased_unverified"
    assert {one.head.forget_id for one in forget.reports()} == {lost.early, lost.late}

"""``backup`` and ``restore`` as a person or a script meets them."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from datetime import timedelta

import pytest

from console import identity
from console.backup import folders
from console.wiring import open_workspace
from review.forget.scope import Scope
from review.forget.statuses import LocationKind
from store import forget_list, forgetting
from store.connections import Opener
from store.events import EventType
from store.stages import Stage
from tests.conftest import Reviewer
from tests.console.agents import Firm, cell
from tests.console.test_cli import cli, quick
from tests.store.forgotten import forget

GONE = "The canary of client 4411 sings at the green gate."
STAYS = "The gate opens at nine."


@pytest.fixture(scope="module")
def template(tmp_path_factory) -> Firm:
    (made,) = Firm.founded(tmp_path_factory.mktemp("template") / "home", "acme")
    made.items = made.stage(cell(GONE, 1), cell(STAYS, 2))
    made.decide(*made.items)
    return made


@pytest.fixture
def firm(template, tmp_path) -> Firm:
    home = shutil.copytree(template.place.home, tmp_path / "home")
    return replace(template, place=open_workspace(home))


def told(firm, *words, **more):
    result = quick(firm.place.home, *words, "--json", **more)
    assert result.exit_code in (0, 4), result.output
    return json.loads(result.stdout)


def forgotten(firm) -> None:
    """The first record is forgotten, out of the store's file too."""
    store = firm.place.store(firm.tenant)
    reviewer = Reviewer(str(firm.place.settings.reviewer), firm.key)
    store.append(forget(store, reviewer, firm.items[0]))
    forgetting.erase(store, forgetting.pending(store))


def held(path, text) -> bool:
    return text.encode() in path.read_bytes()


def lose(firm) -> None:
    firm.place.store_path(firm.tenant).unlink()


def test_a_backup_says_at_once_what_it_copies_and_how_much(firm):
    result = quick(firm.place.home, "backup", "new")
    first, *_ = result.stderr.splitlines()
    assert first.startswith("Copying the store of acme, ")
    assert first.endswith(" MiB, into the workspace.")
    assert "Copying" not in result.stdout


def test_a_backup_is_written_listed_and_deleted(firm):
    made = told(firm, "backup", "new", "--keep-days", "3")
    folder = firm.place.home / "backups" / firm.tenant.id / made["backup"]
    assert made["folder"] == str(folder)
    assert {path.name for path in folder.iterdir()} == {
        "manifest.json",
        "requests.json",
        "store.duckdb",
        "workspace.json",
    }
    assert {path.stat().st_mode & 0o077 for path in folder.iterdir()} == {0}
    (one,) = told(firm, "backup", "list")["backups"]
    assert (one["backup"], one["where"], one["overdue"]) == (made["backup"], "here", False)
    assert one["folder"] == f"backups/{firm.tenant.id}/{made['backup']}"
    assert one["events"] == made["events"]

    with (folder / "store.duckdb").open("rb") as seen:
        assert told(firm, "backup", "delete", made["backup"], "--yes")["deleted"] == [
            {"backup": made["backup"], "found": True, "overwritten": True}
        ]
        assert set(seen.read()) == {0}
    assert not folder.exists()
    assert told(firm, "backup", "list") == {"backups": []}
    events = firm.place.store(firm.tenant).events()
    assert events[-1].type == EventType.BACKUP_DELETED
    assert dict(events[-1].body) == {"backup": made["backup"], "found": True}
    assert quick(firm.place.home, "verify").exit_code == 0


def test_a_forget_preview_names_the_backups_that_are_not_deleted(firm):
    gone, stays = (told(firm, "backup", "new")["backup"] for _ in range(2))

    def named():
        plan = firm.place.desk(firm.tenant).forget.plan(Scope(items=(firm.items[0],)))
        return {one.location_id for one in plan.locations if one.kind is LocationKind.BACKUP}

    assert named() == {f"backup:{gone}", f"backup:{stays}"}
    told(firm, "backup", "delete", gone, "--yes")
    assert named() == {f"backup:{stays}"}


def test_a_backup_that_was_not_found_when_it_was_deleted_may_be_elsewhere(firm, tmp_path):
    made = told(firm, "backup", "new", "--into", str(tmp_path / "disk"))
    shutil.move(made["folder"], tmp_path / "carried away")
    assert told(firm, "backup", "delete", made["backup"], "--yes")["deleted"][0]["found"] is False
    plan = firm.place.desk(firm.tenant).forget.plan(Scope(items=(firm.items[0],)))
    assert f"backup:{made['backup']}" in {one.location_id for one in plan.locations}


def test_an_overdue_backup_is_told_and_deleted_with_due(firm, monkeypatch):
    made = told(firm, "backup", "new")
    assert quick(firm.place.home, "backup", "delete", "--due").exit_code == 0
    assert told(firm, "backup", "list")["backups"]
    later = identity.now() + timedelta(days=31)
    monkeypatch.setattr(identity, "now", lambda: later)
    result = quick(firm.place.home, "backup", "list")
    assert result.exit_code == 4
    assert "overdue" in result.stdout
    doctor = quick(firm.place.home, "doctor").stdout
    assert f"1 overdue: {made['backup']}" in doctor
    assert quick(firm.place.home, "restore", made["backup"]).exit_code == 1
    assert len(told(firm, "backup", "delete", "--due")["deleted"]) == 1
    assert "0, none overdue" in quick(firm.place.home, "doctor").stdout


def test_a_backup_elsewhere_is_known_and_one_that_is_gone_is_said(firm, tmp_path):
    made = told(firm, "backup", "new", "--into", str(tmp_path / "disk"))
    (one,) = told(firm, "backup", "list")["backups"]
    assert (one["where"], one["folder"]) == ("elsewhere", made["folder"])
    shutil.rmtree(made["folder"])
    (one,) = told(firm, "backup", "list")["backups"]
    assert one["where"] == "gone"
    assert told(firm, "backup", "delete", made["backup"], "--yes")["deleted"][0]["found"] is False
    assert told(firm, "backup", "list") == {"backups": []}
    assert not list(folders.folder_of(firm.place, firm.tenant).iterdir())


def test_a_restore_forgets_again_before_anything_can_be_read(firm):
    made = told(firm, "backup", "new")
    forgotten(firm)
    copy = firm.place.home / "backups" / firm.tenant.id / made["backup"] / "store.duckdb"
    assert held(copy, GONE)
    result = quick(firm.place.home, "restore", made["backup"])
    assert (result.exit_code, result.stdout) == (1, "")
    assert "Move it away first" in result.stderr

    lose(firm)
    result = quick(firm.place.home, "restore", made["backup"])
    assert result.exit_code == 4, result.output
    assert "1 requests were heard since" in result.stdout
    path = firm.place.store_path(firm.tenant)
    assert (held(path, GONE), held(path, STAYS)) == (False, True)
    standing = firm.place.store(firm.tenant).standing()
    assert [standing.stage_of(item, 1) for item in firm.items] == [Stage.ERASED, Stage.DURABLE]
    assert quick(firm.place.home, "verify").exit_code == 0
    assert GONE not in quick(firm.place.home, "list", "--json").stdout
    (one,) = told(firm, "backup", "list")["backups"]  # the log that was restored does not know it
    assert one["backup"] == made["backup"]


def test_without_the_list_nothing_is_restored(firm):
    made = told(firm, "backup", "new")
    forgotten(firm)
    lose(firm)
    beside = forget_list.beside(firm.place.store_path(firm.tenant))
    kept = beside.read_bytes()
    beside.unlink()
    result = quick(firm.place.home, "restore", made["backup"])
    assert (result.exit_code, result.stdout) == (1, "")
    assert "nobody knows what must not come back" in result.stderr
    assert not firm.place.store_path(firm.tenant).exists()
    elsewhere = firm.place.home.parent / "kept.forgets"
    elsewhere.write_bytes(kept)
    done = told(firm, "restore", made["backup"], "--forgets", str(elsewhere))
    assert (done["requests"], done["new_workspace"]) == (1, False)


def test_a_backup_is_put_back_where_nothing_is_left(firm, tmp_path):
    (firm.place.home / "policy.yaml").write_bytes(
        (firm.place.home / "policy.yaml").read_bytes() + b"# ours\n"
    )
    made = told(firm, "backup", "new", "--into", str(tmp_path / "disk"))
    forgotten(firm)
    kept = tmp_path / "kept.forgets"
    shutil.copyfile(forget_list.beside(firm.place.store_path(firm.tenant)), kept)
    fingerprint = firm.place.root.key.fingerprint
    shutil.rmtree(firm.place.home)

    home = tmp_path / "new"
    bare = quick(home, "restore", made["folder"])
    assert (bare.exit_code, bare.stdout) == (1, "")
    assert "is missing" in bare.stderr
    assert not (home / "config.toml").exists()

    pinned = {"MEMORY_CONSOLE_HOME": str(home), "MEMORY_CONSOLE_PIN": "SHA256:other"}
    from typer.testing import CliRunner

    from console.cli import app

    words = ["restore", made["folder"], "--forgets", str(kept)]
    assert "is pinned" in CliRunner().invoke(app, words, env=pinned).stderr
    result = quick(home, *words, "--json")
    assert result.exit_code == 4, result.output
    done = json.loads(result.stdout)
    assert (done["requests"], done["new_workspace"]) == (1, True)
    assert (home / "policy.yaml").read_bytes().endswith(b"# ours\n")
    settings = identity.read_settings(home)
    assert settings.tenants == firm.place.settings.tenants
    assert settings.reviewer is None
    verified = quick(home, "verify", "--pin", fingerprint)
    assert verified.exit_code == 0, verified.output
    (path,) = home.glob("stores/*/store.duckdb")
    assert (held(path, GONE), held(path, STAYS)) == (False, True)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("backup", "new", "--keep-days", "31"), 2, "30"),
        (("backup", "delete"), 2, "Name a backup, or give --due"),
        (("backup", "delete", "b-1", "--due"), 2, "Name a backup, or give --due"),
        (("backup", "delete", "b-1"), 3, "No such backup"),
        (("restore", "b-1"), 3, "No such backup"),
        (("restore", "/nowhere/at/all"), 3, "No such backup"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(firm, words, code, said):
    result = quick(firm.place.home, *words)
    assert (result.exit_code, result.stdout) == (code, "")
    assert said in result.stderr


def test_nothing_is_deleted_without_being_asked_or_told(firm):
    made = told(firm, "backup", "new")
    result = quick(firm.place.home, "backup", "delete", made["backup"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(told(firm, "backup", "list")["backups"]) == 1


def test_a_backup_of_another_workspace_is_refused(firm, tmp_path):
    (other,) = Firm.founded(tmp_path / "other", "beta")
    other.stage(cell("Somebody else's memory.", 1))
    made = json.loads(quick(other.place.home, "backup", "new", "--json").stdout)
    result = quick(firm.place.home, "restore", made["folder"])
    assert result.exit_code == 1
    assert "no tenant of this workspace" in result.stderr


def test_a_tenant_without_a_store_has_nothing_to_back_up(tmp_path):
    (made,) = Firm.founded(tmp_path / "home", "acme", stores=False)
    result = quick(made.place.home, "backup", "new")
    assert result.exit_code == 3
    assert "no store yet" in result.stderr
    assert told(made, "backup", "list") == {"backups": []}


def test_a_busy_store_is_said(firm):
    with Opener(firm.place.store_path(firm.tenant)).held():
        result = cli(firm.place.home, "backup", "new", "--wait", "0")
    assert result.returncode == 6

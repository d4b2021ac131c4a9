"""``rules export``, ``withdraw`` and ``write``, and ``bundle-check``, in a real workspace."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from console import signing
from console.bundles.writing import root_of
from console.wiring import enrol, new_workspace, open_workspace
from review.queue import Wanted
from tests.bundles.checkout_worlds import checkout, everything
from tests.bundles.checkout_worlds import git as run_git
from tests.conftest import NOON, Clock, Reviewer
from tests.console.test_cli import PASSPHRASE, cli, quick
from tests.review.rules import lessons
from tests.review.run_worlds import reading

PASS = ("--passphrase-stdin", "--no-input")
STRICT = "Always ship jackets to Elektrostal."


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A workspace whose reviewer approved one insight, and its id. Not to be written to."""
    home = tmp_path_factory.mktemp("made") / "home"
    new_workspace(home, tenants=("acme", "other"))
    enrol(open_workspace(home), name="Irina K.", passphrase=PASSPHRASE)
    place = open_workspace(home, clock=Clock(NOON))
    desk = place.desk(place.settings.tenants[0])
    key = signing.unlock(place.key_path(place.settings.reviewer), PASSPHRASE, now=NOON)
    key._until = NOON.replace(year=2200)
    reviewer = Reviewer(place.settings.reviewer, key)
    item = lessons.learn(desk, reviewer, lessons.supporting())
    desk.stage(reading([lessons.later()], name="later.jsonl"))
    assert not desk.waiting(Wanted()).rows
    return home, item


@pytest.fixture
def place(made, tmp_path):
    home, item = made
    return shutil.copytree(home, tmp_path / "home"), item


def told(result):
    assert result.exit_code == 0, (result.stdout, result.stderr)
    return json.loads(result.stdout)


def export(home, item, *more):
    return quick(home, "rules", "export", item, *PASS, "--json", *more, typed=f"{PASSPHRASE}\n")


def test_a_rule_leaves_is_checked_taken_back_and_the_memory_is_what_it_was(place, tmp_path):
    home, item = place
    shop = checkout(tmp_path / "shop", {"AGENTS.md": b"Be kind.\n"})
    before = everything(shop)
    done = told(export(home, item, "--target", "agents_section", "--into", str(shop)))
    folder = (
        root_of(home, open_workspace(home).settings.tenants[0].id) / done["folder"].split("/")[-1]
    )
    assert str(folder) == done["folder"]
    assert everything(shop) == before
    run_git(shop, "apply", "--check", str(folder / "rule.patch"))
    pin = open_workspace(home).root.key.fingerprint
    checked = told(
        quick(home, "bundle-check", str(folder), "--pin", pin, "--tenant", "acme", "--json")
    )
    assert (checked["holds"], checked["pinned"], checked["export"]) == (True, True, done["export"])
    assert [one["name"] for one in checked["checks"]][-1] == "log"
    assert quick(home, "verify").exit_code == 0
    gone = told(quick(home, "rules", "withdraw", done["export"][:8], "--reason", "Closed.", *PASS,
                      "--json", typed=f"{PASSPHRASE}\n"))  # fmt: skip
    assert gone["path"] == "AGENTS.md"
    again = quick(home, "bundle-check", str(folder), "--tenant", "acme")
    assert again.exit_code == 8
    assert "withdrawn" in again.stdout
    assert "STOP" in again.stdout
    assert "WITHDRAWN" in again.stderr
    assert "Do not submit" in again.stderr
    as_json = quick(home, "bundle-check", str(folder), "--tenant", "acme", "--json")
    assert (as_json.exit_code, json.loads(as_json.stdout)["withdrawn"]) == (8, True)
    pinned = quick(home, "bundle-check", str(folder), "--tenant", "acme", "--require-pin")
    assert pinned.exit_code == 8, "that it was withdrawn is said first"
    alone = quick(home, "bundle-check", str(folder))
    assert alone.exit_code == 0
    assert "Whether it was withdrawn is not in these files" in alone.stderr
    desk = open_workspace(home).desk(open_workspace(home).settings.tenants[0])
    assert desk.card_of(item).stage == "durable"
    assert quick(home, "verify").exit_code == 0


def test_it_says_what_is_missing_and_a_reason_for_each_place_settles_it(place, tmp_path):
    home, item = place
    rule = tmp_path / "rule.txt"
    rule.write_text(STRICT)
    args = ("rules", "export", item, "--rule", str(rule), "--json")
    result = quick(home, *args)
    assert result.exit_code == 4
    missing = json.loads(result.stdout)
    assert not missing["ready"]
    assert {"what": "places", "n": len(missing["places"])} in missing["missing"]
    assert "always" in {one["rule"].lower() for one in missing["places"]}
    reasons = [
        word for one in missing["places"] for word in ("--because", f"{one['key']}=Agreed.")
    ]
    assert told(quick(home, *args, *reasons, "--dry-run"))["ready"]
    assert not (home / "exports").exists()
    done = told(export(home, item, "--rule", str(rule), *reasons))
    body = (open_home(home, done) / "PULL_REQUEST.md").read_text()
    assert body.count("kept, because") == len(missing["places"])
    told_plainly = quick(home, *args[:-1])
    n = len(missing["places"])
    assert f"missing   settle {n} places in which it is or may be stronger" in told_plainly.stdout
    assert "how often, changed: usually → Always" in told_plainly.stdout
    assert "− March" in told_plainly.stdout
    assert "--because KEY=REASON" in told_plainly.stderr
    assert "Not ready" in told_plainly.stderr


def open_home(home, done):
    return Path(done["folder"])


def test_a_wrong_passphrase_or_nobody_to_ask_leaves_nothing(place):
    home, item = place
    wrong = quick(home, "rules", "export", item, *PASS, typed="wrong horse\n")
    assert wrong.exit_code == 1
    assert "Wrong passphrase" in wrong.stderr
    nobody = quick(home, "rules", "export", item, "--no-input")
    assert nobody.exit_code == 2
    assert not (home / "exports").exists()
    assert quick(home, "rules", "export", "01XXXX").exit_code == 3
    assert quick(home, "rules", "withdraw", "0f", *PASS, typed=f"{PASSPHRASE}\n").exit_code == 3
    assert quick(home, "rules", "export", item, "--because", "x").exit_code == 2
    assert quick(home, "rules", "export", item, "--rule", "/nowhere/x").exit_code == 3


@pytest.mark.parametrize(
    ("into", "why"), [("plain", "no git checkout"), ("nowhere", "There is no folder")]
)
def test_a_checkout_that_is_none_is_refused_before_anybody_signs(place, tmp_path, into, why):
    home, item = place
    (tmp_path / "plain").mkdir()
    result = export(home, item, "--into", str(tmp_path / into))
    assert result.exit_code == 1
    assert why in json.loads(result.stdout)["error"]["message"]
    assert not (home / "exports").exists()


def test_a_lost_folder_is_told_by_the_doctor_and_written_again(place):
    home, item = place
    done = told(export(home, item))
    assert bundles(home)["verdict"] == "ok"
    (open_home(home, done) / "rule.md").write_text("other")
    assert "changed since" in bundles(home)["detail"]
    shutil.rmtree(done["folder"])
    assert "rules write" in bundles(home)["detail"]
    again = told(quick(home, "rules", "write", done["export"], "--json"))
    assert again | {"flags": []} == done | {"flags": []}
    assert bundles(home)["verdict"] == "ok"


def bundles(home):
    found = json.loads(quick(home, "doctor", "--json").stdout)
    lines = found["findings"] if isinstance(found, dict) else found
    return next(one for one in lines if one["name"] == "bundles acme")


def test_a_second_export_of_an_insight_says_that_it_left_before(place):
    home, item = place
    first = told(export(home, item))
    assert first["earlier"] == []
    second = told(export(home, item))
    assert second["earlier"] == [first["export"]]
    assert second["folder"] != first["folder"]
    plain = quick(home, "rules", "export", item, "--dry-run")
    assert f"left before, as export {first['export']}" in plain.stderr
    quick(home, "rules", "withdraw", first["export"], *PASS, typed=f"{PASSPHRASE}\n")
    left = json.loads(quick(home, "rules", "export", item, "--dry-run", "--json").stdout)
    assert left["earlier"] == [second["export"]]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"Caf\xe9", "is no text in UTF-8"),
        ("Ship.".encode("utf-16"), "is no text in UTF-8"),
        (b"x" * (1024 * 1024 + 1), "more than 1,048,576 bytes"),
        (None, "is no plain file"),
    ],
)
def test_a_file_that_holds_no_rule_is_refused_with_a_sentence(place, tmp_path, data, why):
    home, item = place
    rule = tmp_path / "rule"
    if data is None:
        os.mkfifo(rule)
    else:
        rule.write_bytes(data)
    result = quick(home, "rules", "export", item, "--rule", str(rule), "--json")
    assert result.exit_code == 1
    assert why in json.loads(result.stdout)["error"]["message"]
    assert not (home / "exports").exists()


def test_bundle_check_needs_no_workspace_and_says_what_is_wrong(place, tmp_path):
    home, item = place
    done = told(export(home, item))
    bundle = shutil.copytree(done["folder"], tmp_path / "bundle")
    nowhere = tmp_path / "nowhere"
    fine = cli(nowhere, "bundle-check", str(bundle))
    assert fine.returncode == 0, fine.stderr
    assert "NOT PINNED" in fine.stdout
    assert not nowhere.exists()
    assert quick(nowhere, "bundle-check", str(bundle), "--require-pin").exit_code == 7
    other = quick(nowhere, "bundle-check", str(bundle), "--pin", "SHA256:other")
    assert other.exit_code == 5
    (bundle / "rule.md").write_text("Always ship everything.\n")
    broken = quick(nowhere, "bundle-check", str(bundle), "--json")
    assert broken.exit_code == 5
    assert "rule.md is not the file" in broken.stdout
    assert quick(nowhere, "bundle-check", str(tmp_path / "none")).exit_code == 5


def test_the_export_of_one_tenant_is_not_another_ones(place):
    home, item = place
    assert quick(home, "rules", "export", item, "--tenant", "other").exit_code == 3
    done = told(export(home, item))
    result = quick(home, "bundle-check", done["folder"], "--tenant", "other")
    assert result.exit_code in (3, 5)
    tenants = {one.name for one in (home / "exports").iterdir()}
    assert tenants == {open_workspace(home).settings.tenants[0].id}

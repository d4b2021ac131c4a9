"""Forgetting at the command line: preview, typed count, passphrase, report, and its exit codes."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from console.commands.faults import ExitCode
from tests.console.forget_worlds import about, bytes_with, cell, faults, firm, made_from
from tests.console.test_cli import PASSPHRASE, command, environment, quick

CLAIM = "Ana keeps a canary 51d0c7 in the kitchen of her house"


@pytest.fixture(scope="module")
def acme(tmp_path_factory):
    one = firm(tmp_path_factory.mktemp("cli-forget") / "w")
    one.items = one.learn(
        cell(CLAIM, 1, **about("ana")),
        cell("Boris likes dark roast coffee in the morning", 2, **about("boris")),
        cell("Carla has a boat with a red sail on the lake", 3, **about("carla")),
    )
    one.mixed = one.learn(cell("some of them have birds and boats", 4, **made_from(1, 3)))
    one.home = one.place.home
    return one


def cli(one, *args, typed=PASSPHRASE + "\n"):
    return quick(one.home, *args, typed=typed)


def preview(one, *args) -> Path:
    done = cli(one, "forget", *args, "--preview")
    assert done.exit_code == 0, done.output
    path = one.home.parent / f"plan-{'-'.join(args).strip('-')}.json"
    path.write_text(done.stdout)
    return path


def test_words_list_records_and_write_nothing(acme):
    done = cli(acme, "forget", "--text", "CANARY", "--json")
    assert [one["id"] for one in json.loads(done.stdout)["matches"]] == [acme.items[0]]
    assert done.exit_code == 0


def test_a_scope_without_anything_and_ids_of_the_wrong_sort_are_refused(acme):
    for args in (
        (),
        ("--item", "notes:1"),
        ("--since", "yesterday"),
        ("--hold", "x", "--subject", "y"),
    ):
        done = cli(acme, "forget", *args)
        assert done.exit_code == ExitCode.USAGE, done.output


def test_nothing_matching_is_never_a_success(acme):
    done = cli(acme, "forget", "--subject", "nobody%")
    assert done.exit_code == ExitCode.NOT_FOUND
    assert "0 records" in done.stderr
    assert "does not prove" in done.stderr


def test_records_that_only_mention_the_subject_are_told_where_none_matches(acme):
    done = cli(acme, "forget", "--subject", "canary")
    assert done.exit_code == ExitCode.NOT_FOUND
    assert "only mention it: look at each, and tick it with --also ID" in done.stderr


def test_a_plan_is_run_with_the_typed_count_and_the_passphrase_alone(acme):
    path = preview(acme, "--subject", "ana")
    told = json.loads(path.read_text())
    assert told["type_count"] >= 1
    assert "canary" not in path.read_text()
    run = ("forget", "--plan", str(path), "--passphrase-stdin")
    assert cli(acme, *run).exit_code == ExitCode.USAGE
    assert cli(acme, *run, "--type-count", "99").exit_code == ExitCode.USAGE
    wrong = cli(acme, *run, "--type-count", str(told["type_count"]), typed="another one\n")
    assert wrong.exit_code == ExitCode.ERROR
    assert bytes_with(acme.home, b"canary 51d0c7")
    done = cli(acme, *run, "--type-count", str(told["type_count"]))
    assert done.exit_code == ExitCode.LEFT, done.output
    assert done.stdout.startswith("Erased 1 of 2 records")  # a derivative is only withdrawn
    assert bytes_with(acme.home, b"canary 51d0c7") == set()
    assert faults(acme) == []
    acme.request = told["forget"]


def test_a_plan_is_void_once_the_store_has_moved_on(acme):
    path = preview(acme, "--subject", "boris")
    acme.stage(cell("Boris has taken up rowing on Sundays", 20, **about("boris")))
    done = cli(acme, "forget", "--plan", str(path), "--type-count", "1", "--passphrase-stdin")
    assert done.exit_code == ExitCode.ERROR
    assert "New rows: 2" in done.stderr  # the record, and its source
    edited = json.loads(path.read_text())
    edited["scope"]["subject"] = "carla"
    path.write_text(json.dumps(edited))
    done = cli(acme, "forget", "--plan", str(path), "--type-count", "1", "--passphrase-stdin")
    assert done.exit_code == ExitCode.ERROR


def test_a_preview_on_a_terminal_is_told_in_the_words_of_the_page(acme):
    shown, own = os.openpty()
    words = ("forget", "--subject", "boris", "--preview")
    done = subprocess.run(
        command(*words), env=environment(acme.home), stdout=own, stderr=subprocess.PIPE, timeout=60
    )
    os.close(own)
    told = os.read(shown, 65_536).decode()
    os.close(shown)
    assert done.returncode == 0, done.stderr
    assert "Will be erased" in told
    assert "2 records · names the subject" in told
    assert "Contexts of models, and what providers of models log." in told
    assert "Boris likes dark roast coffee in the morning" in told
    assert '"token"' not in told
    assert json.loads(cli(acme, *words).stdout)["token"], "into a pipe it is the plan itself"


def test_the_report_is_printed_as_text_markdown_json_and_letters(acme):
    listed = cli(acme, "forget-report")
    assert acme.request in listed.stdout
    for args, words in (
        ((), "Remains: 1 record with other sources"),
        (("--md",), "## Places"),
        (("--md", "--language", "ru"), "## Места"),
        (("--letter", "en"), "We erased"),
        (("--letter", "ru"), "Мы удалили"),
    ):
        done = cli(acme, "forget-report", acme.request, *args)
        assert words in done.stdout, args
        assert "canary" not in done.stdout
    assert cli(acme, "forget-report", "01J8ZK4QH7V5M2N3P4R5S6T7V8").exit_code == ExitCode.NOT_FOUND


def test_verify_repeats_the_search_and_searches_for_words_that_are_brought(acme):
    report = acme.home.parent / "report.json"
    report.write_text(cli(acme, "forget-report", acme.request, "--json").stdout)
    done = cli(acme, "forget-verify", str(report), "--text-stdin", typed=CLAIM)
    assert done.exit_code == ExitCode.LEFT, done.output
    assert "search   clean" in done.stdout
    found = "Carla has a boat with a red sail on the lake"
    done = cli(acme, "forget-verify", acme.request, "--text-stdin", typed=found)
    assert done.exit_code == ExitCode.VERIFY_FAILED
    done = cli(acme, "forget-verify", acme.request, "--text-stdin", typed="tea")
    assert "not looked for" in done.output


def test_going_on_with_a_request_that_ended_tells_its_report_and_does_nothing(acme):
    done = cli(acme, "forget", "--request", acme.request, "--passphrase-stdin", "--json")
    assert done.exit_code == ExitCode.LEFT
    statuses = {row["status"] for row in json.loads(done.stdout)["rows"]}
    assert statuses == {"erased", "withdrawn_pending_review"}
    assert cli(acme, "forget-confirm", acme.request, "store", "--passphrase-stdin").exit_code == 1

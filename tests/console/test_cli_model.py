"""``model …`` as a person meets it: what is sent, what is said when there is no reply."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from console import identity
from console.cli import app
from console.wiring import new_workspace, open_workspace
from tests.console.desks import stage
from tests.console.messages_stub import claim, fact, fault, message, replying
from tests.console.model_worlds import stub

CLAIM = "The main warehouse is Elektrostal. Card 4111 1111 1111 1111."
READ = claim(
    fact("main warehouse is Elektrostal", "Elektrostal", "warehouse"),
    fact("closed on Mondays", "Mondays", "closing day"),
)


@pytest.fixture
def home(tmp_path, monkeypatch):
    place = new_workspace(tmp_path / "w")
    monkeypatch.setenv("MEMORY_CONSOLE_HOME", str(place.home))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key-of-a-test")
    return place.home


@pytest.fixture
def item(home):
    place = open_workspace(home)
    desk = place.desk(place.settings.tenant())
    stage(desk, CLAIM.replace("4111 1111 1111 1111", "number"), "The carrier is Delovye Linii.")
    return stage(desk, "The main warehouse is Elektrostal.", name="b.jsonl", start=9).items[0]


def switched_on(home, address, **changes):
    told = identity.read_settings(home)
    model = replace(told.model, on=True, name="stub-model", address=address, attempts=1, **changes)
    identity.write_settings(replace(told, model=model.checked()))


def run(*words):
    return CliRunner().invoke(app, ["model", *words])


def test_it_is_off_until_somebody_switches_it_on(home, item):
    assert "model help   off" in run("status").stdout
    result = run("propose", "claim", item)
    assert result.exit_code == 4
    assert "Model help is off" in result.stdout
    assert "The grammar's reading stands." in result.stdout


def test_settings_are_changed_by_name_and_kept(home):
    result = run("set", "on=true", "name=stub-model", "tokens_per_day=500", "read_seconds=2.5")
    assert (result.exit_code, identity.read_settings(home).model.tokens_per_day) == (0, 500)
    assert identity.read_settings(home).model.read_seconds == 2.5
    assert run("set", "on=false").exit_code == 0
    assert not identity.read_settings(home).model.on


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("on", "is not NAME=VALUE"),
        ("colour=red", "colour is not known"),
        ("tokens_per_day=many", "tokens_per_day is no whole number"),
        ("at_once=99", "at_once is not between 1 and 16"),
        ("address=http://example.org", "neither https:// nor http:// on this machine"),
        ("address=https://me:pw@example.org", "holds more than a host and a path"),
        ("money_per_day=1", "needs price_in and price_out"),
        ("price_in=cheap", "price_in is no decimal number"),
        ("name=../x", "name is no name of a model"),
        ("on=true", "name is empty, and model help is on"),
    ],
)
def test_a_setting_that_cannot_be_used_changes_nothing(home, change, why):
    before = (home / "config.toml").read_bytes()
    result = run("set", change)
    assert result.exit_code == 2
    assert why in result.stderr
    assert "Nothing was changed." in result.stderr
    assert (home / "config.toml").read_bytes() == before


def test_a_workspace_with_a_bad_setting_says_so(home):
    path = home / "config.toml"
    path.write_text(path.read_text() + '\n[model]\nmaster_key = "x"\n')
    result = run("status")
    assert result.exit_code == 1
    assert "[model] master_key is not known" in result.stderr


def test_the_dry_run_writes_the_very_bytes_that_are_sent_later(home, item):
    with stub(replying(READ)) as server:
        switched_on(home, server.address)
        shown = run("dry-run", "claim", item)
        assert shown.exit_code == 0
        assert not server.heard
        assert run("propose", "claim", item).exit_code == 0
        (heard,) = server.heard
    assert shown.stdout_bytes == heard.body
    assert "Nothing was sent." in shown.stderr


def test_a_question_leaves_without_its_secrets(home, item):
    with stub(replying(READ)) as server:
        switched_on(home, server.address)
        words = "which carrier, and is 4111 1111 1111 1111 the card?"
        shown = run("dry-run", "question", words)
    assert "4111" not in shown.stdout
    assert "Secrets covered: 1." in shown.stderr


def test_a_proposal_is_shown_with_what_was_left_out_and_asked_once(home, item):
    with stub(replying(READ)) as server:
        switched_on(home, server.address)
        first, again = run("propose", "claim", item), run("propose", "claim", item)
        assert len(server.heard) == 1
    assert first.stdout == again.stdout
    assert "states    warehouse = Elektrostal" in first.stdout
    assert "not in the text, left out: 1" in first.stdout
    assert "model/stub-model/claim/1" in first.stdout
    assert "calls today  1" in run("status").stdout


def test_records_that_wait_are_asked_about_in_one_go(home, item):
    with stub(replying(claim())) as server:
        switched_on(home, server.address)
        assert run("propose", "claim", "--waiting", "10").exit_code == 0
        assert len(server.heard) == 3
        assert (
            "Every record that waits has a proposal."
            in run("propose", "claim", "--waiting", "10").stdout
        )


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (fault(401, "authentication_error"), "The key was not accepted (401 or 403)."),
        (fault(429, "rate_limit_error"), "too much was asked (429)"),
        (fault(529, "overloaded_error"), "overloaded (529)"),
        (fault(400, "invalid_request_error"), "did not accept the request: status 400."),
        (message("{", stop="end_turn"), "The reply is not in the form that was asked for"),
        (message("no", stop="refusal"), "The model declined."),
        (message("{", stop="max_tokens"), "The reply was cut off"),
    ],
)
def test_each_failure_has_a_sentence_and_the_grammar_stands(home, item, answer, said):
    with stub(lambda _: answer) as server:
        switched_on(home, server.address)
        result = run("propose", "claim", item)
    assert said in result.stdout
    assert "The grammar's reading stands." in result.stdout
    assert "words of the server" not in result.stdout + result.stderr


def test_without_a_key_and_over_budget_nobody_is_called(home, item, monkeypatch):
    with stub(replying(READ)) as server:
        switched_on(home, server.address, tokens_per_day=10)
        assert (
            "The budget of the day does not allow this call"
            in run("propose", "claim", item).stdout
        )
        monkeypatch.delenv("ANTHROPIC_API_KEY")
        switched_on(home, server.address)
        assert "ANTHROPIC_API_KEY is not set" in run("propose", "claim", item).stdout
        assert not server.heard
    assert "key          none" in run("status").stdout


def test_what_is_not_there_is_said_and_nobody_is_called(home, item):
    with stub(replying(READ)) as server:
        switched_on(home, server.address)
        assert run("propose", "claim", "nothing").exit_code == 3
        assert run("propose", "insights", "nothing").exit_code == 3
        assert run("propose", "relations", item).exit_code == 2
        assert run("propose", "approve", item).exit_code == 2
        assert not server.heard


def test_agreement_is_told_by_month_and_sort(home, item):
    with stub(replying(READ)) as server:
        switched_on(home, server.address)
        run("propose", "claim", item)
    told = json.loads(run("agreement", "--json").stdout)
    (row,) = told["fared"]
    assert (row["sort"], row["fared"], row["n"]) == ("fact", "waiting", 1)
    (beside,) = told["beside_grammar"].values()
    assert beside["same"] == 1
    assert told["dropped"] == 1


def test_no_start_imports_the_client_or_calls_anybody(home):
    script = (
        "import sys, console.cli, console.app, console.model_wiring, review.proposals.proposing; "
        "print('anthropic' in sys.modules)"
    )
    found = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).resolve().parents[2],
        env={**os.environ, "ANTHROPIC_API_KEY": "key-of-a-test"},
    )
    assert found.stdout.strip() == "False"

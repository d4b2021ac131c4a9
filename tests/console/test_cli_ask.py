"""``ask`` and ``gate`` as a person or a script meets them, over a workspace with signed memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from console import signing
from console.wiring import enrol, new_workspace, open_workspace
from importers import catalogue, source
from review.deciding import Wish
from store.stages import DecisionKind
from store.verify import verify
from tests.console.test_cli import HIDDEN, PASSPHRASE, quick
from tests.review.test_fitted_gate import labels
from tests.review.test_worked_examples import ENGLISH

QUESTION = "Where and by which carrier do we ship the jackets next week?"
AT = ("--asked-at", "2026-03-10")


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    """A workspace in which the four memories of the warehouses are durable."""
    folder = tmp_path_factory.mktemp("asked")
    workspace, _ = enrol(new_workspace(folder), name="Irina", passphrase=PASSPHRASE)
    tenant = workspace.settings.tenants[0]
    desk = workspace.desk(tenant)
    lines = [json.dumps({"format": "memory-console/1"}), *(json.dumps(row) for row in ENGLISH)]
    hidden = dict(ENGLISH[3], source_id="M5", claim="The jackets\u202e are warm.\x07")
    lines.append(json.dumps(hidden))
    reading = catalogue.open_reading(source.from_bytes("m.jsonl", "\n".join(lines).encode()))
    receipt = desk.stage(reading)
    for item in receipt.items[:4]:
        desk.draft(desk.card_of(item), Wish(DecisionKind.APPROVE, nonce=desk.new_nonce()))
    path = workspace.key_path(workspace.settings.reviewer or "")
    key = signing.unlock(path, PASSPHRASE, now=workspace.clock())
    desk.sign(lambda statements: key.sign(statements, now=workspace.clock()))
    return folder


def test_a_person_reads_the_verdicts_the_gap_and_the_quoted_context(home):
    result = quick(home, "ask", QUESTION, *AT)
    assert result.exit_code == 0, result.output
    told = result.stdout
    assert "intent     CURRENT from 2026-03-16" in told or "at 2026-03-16" in told
    assert told.count("admitted  ") == 2
    assert told.count("kept out  ") == 2
    assert "no carrier is known for Elektrostal" in told
    assert "superseded by" in told
    assert "stale since 2026-03-01" in told
    assert '"validation_state":"unverified"' in told
    assert not HIDDEN.search(told)


def test_a_claim_is_told_as_it_is_and_a_long_one_is_cut(home):
    told = quick(home, "ask", QUESTION, *AT).stdout
    assert "           From 1 March 2026" in told
    assert "', 0)" not in told


def test_a_script_reads_every_number(home):
    told = json.loads(quick(home, "ask", QUESTION, *AT, "--json").stdout)
    (part,) = told["parts"]
    assert part["intent"] == "CURRENT"
    by_id = {one["source_id"]: one for one in part["candidates"]}
    assert {name for name, one in by_id.items() if one["admitted"]} == {"M3", "M4"}
    for one in by_id.values():
        total = (one["zeta"] + one["V"] + one["psi"] + 1 - one["R"]) / 4
        assert one["F"] == pytest.approx(total, abs=1e-9)
        assert one["reasons"]
    assert part["gaps"][0]["entity"] == "Elektrostal"
    assert part["context"]["memory"]


def test_reasons_are_told_in_russian_too(home):
    told = quick(home, "ask", QUESTION, *AT, "--language", "ru").stdout
    assert "вытеснена записью" in told
    assert "нет сведений" in told


def test_a_baseline_hands_over_what_the_gate_keeps_out(home):
    told = json.loads(
        quick(home, "ask", QUESTION, *AT, "--baseline", "relevance_only", "--json").stdout
    )
    chosen = {one["source_id"] for one in told["parts"][0]["candidates"] if one["admitted"]}
    assert chosen & {"M1", "M2"}


def test_what_waits_is_marked_and_its_hidden_characters_are_visible(home):
    result = quick(home, "ask", "Are the jackets warm?", *AT, "--staged")
    assert "would be" in result.stdout
    assert not HIDDEN.search(result.stdout)


def test_as_of_a_moment_before_anything_was_signed_nothing_is_known(home):
    told = json.loads(
        quick(home, "ask", QUESTION, *AT, "--as-of", "2020-01-01T00:00:00Z", "--json").stdout
    )
    assert told["parts"][0]["candidates"] == []


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["  "], 2, "empty"),
        (["Where?", "--asked-at", "tomorrow"], 2, "is no time"),
        (["Where?", "--scope", "user"], 2, "KEY=VALUE"),
        (["Where?", "--baseline", "magic"], 2, "latest_only"),
        (["Where?", "--purpose", "policy"], 2, "personalisation"),
        (["Where?", "--language", "fr"], 2, "en, ru"),
        (["Where?", "--tenant", "nobody"], 3, "No such tenant"),
    ],
)
def test_a_wrong_option_is_one_sentence_and_asks_nothing(home, words, code, said):
    result = quick(home, "ask", *words)
    assert result.exit_code == code, result.output
    assert said in result.stderr


def test_asking_writes_nothing_and_recording_writes_one_verified_event(home):
    workspace = open_workspace(home)
    tenant = workspace.settings.tenants[0]
    desk = workspace.desk(tenant)
    size = desk.head().size
    quick(home, "ask", QUESTION, *AT)
    assert desk.head().size == size
    result = quick(home, "ask", QUESTION, *AT, "--record")
    assert desk.head().size == size + 1
    assert f"event {size}" in result.stderr
    event = desk.store.event(size)
    assert event.type == "memory.recalled"
    assert QUESTION not in json.dumps(dict(event.body))
    content = desk.store.payloads([event.body["recall"]])[event.body["recall"]]
    assert QUESTION in content.body.decode()
    report = verify(workspace.store_path(tenant), root=workspace.root)
    assert report.exit_code == 0


def test_a_gate_is_learned_recorded_and_shown_beside_the_plain_one(home, tmp_path):
    assert quick(home, "gate", "show").exit_code == 3
    path = tmp_path / "labels.jsonl"
    path.write_bytes(labels())
    result = quick(home, "gate", "fit", str(path), "--json")
    assert result.exit_code == 0, result.output
    learned = json.loads(result.stdout)
    assert learned["held_out"]["n"] == 40
    assert json.loads(quick(home, "gate", "show", "--json").stdout) == learned
    told = json.loads(quick(home, "ask", QUESTION, *AT, "--json").stdout)
    assert all(0 < one["fitted"] < 1 for one in told["parts"][0]["candidates"])
    admitted = {one["source_id"] for one in told["parts"][0]["candidates"] if one["admitted"]}
    assert admitted == {"M3", "M4"}  # the policy lets the plain gate decide


def test_labels_that_cannot_be_learned_from_are_one_sentence(home, tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_text("{}\n")
    result = quick(home, "gate", "fit", str(path))
    assert result.exit_code == 1
    assert "line 1" in result.stderr
    assert quick(home, "gate", "fit", str(tmp_path / "none")).exit_code == 3


def test_a_workspace_extends_the_parameter_table_and_a_fault_in_it_is_named(tmp_path):
    workspace, _ = enrol(new_workspace(tmp_path / "own"), name="Irina", passphrase=PASSPHRASE)
    extra = workspace.home / "parameters.yaml"
    extra.write_text(
        "parameters:\n  berth:\n    type: name\n    cardinality: one\n    en: [berth]\n"
    )
    desk = workspace.desk(workspace.settings.tenants[0])
    line = dict(ENGLISH[0], claim="The berth of the Aurora is Pier 9.", source_id="B1")
    text = "\n".join([json.dumps({"format": "memory-console/1"}), json.dumps(line)])
    receipt = desk.stage(catalogue.open_reading(source.from_bytes("b.jsonl", text.encode())))
    (fact,) = desk.card_of(receipt.items[0]).facts
    assert (fact.parameter_key, str(fact.cardinality)) == ("berth", "one")
    extra.write_text("parameters:\n  berth:\n    cardinality: plenty\n")
    result = quick(workspace.home, "ask", "Where?")
    assert result.exit_code == 1
    assert "plenty" in result.stderr
    assert "plenty" in quick(workspace.home, "doctor").stdout

"""``agent``, ``publish`` and ``ingest`` as a person or a script meets them."""

from __future__ import annotations

import json

import pytest

from tests.console.agents import Firm, cell
from tests.console.test_cli import PASSPHRASE, cli, quick


@pytest.fixture
def firm(tmp_path) -> Firm:
    (made, _other) = Firm.founded(tmp_path / "home", "acme", "beta")
    return made


def test_a_door_is_made_with_its_limits_and_listed(firm):
    home = firm.place.home
    made = quick(
        home,
        *("agent", "new", "shop-bot", "--tenant", "acme", "--kinds", "fact,decision"),
        *("--user", "ana", "--scope", "project=depot"),
    )
    assert made.exit_code == 0, made.output
    assert "reads   acme, for task: decision, fact; project=depot, user=ana" in made.stdout
    (told,) = json.loads(quick(home, "agent", "list", "--json").stdout)["doors"]
    assert told["scope"] == {"user": "ana", "project": "depot"}
    assert (told["kinds"], told["waiting"]) == (["decision", "fact"], 0)
    assert told["tenant"] == firm.tenant.id
    assert "shop-bot  acme, for task" in quick(home, "agent", "list").stdout


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["Shop Bot"], 1, "a-z, 0-9 and hyphens"),
        (["../up"], 1, "a-z, 0-9 and hyphens"),
        (["bot", "--purpose", "review"], 2, "task or personalisation"),
        (["bot", "--kinds", "rule"], 2, "Kinds are some of"),
        (["bot", "--scope", "user"], 2, "KEY=VALUE"),
        (["bot", "--tenant", "gamma"], 3, "No such tenant"),
    ],
)
def test_a_door_that_cannot_be_made_is_refused_in_a_sentence(firm, words, code, said):
    result = quick(firm.place.home, "agent", "new", *words)
    assert (result.exit_code, result.stdout) == (code, "")
    assert said in result.stderr
    assert not (firm.place.home / "doors").exists()


def test_without_a_reviewer_or_a_door_nothing_is_published(firm, tmp_path):
    from console.wiring import new_workspace

    bare = new_workspace(tmp_path / "bare").home
    assert "no reviewer yet" in quick(bare, "agent", "new", "bot").stderr
    assert quick(bare, "publish").exit_code == 1
    result = quick(firm.place.home, "publish", "--passphrase-stdin", typed=f"{PASSPHRASE}\n")
    assert result.exit_code == 3
    assert "No agent reads tenant acme" in result.stderr
    assert not firm.published.exists()


def test_publishing_asks_for_the_passphrase_and_says_what_agents_read(firm):
    home = firm.place.home
    items = firm.learn(cell("The carrier is Sdek.", 1), cell("The gate opens at nine.", 2))
    firm.door("bot")
    wrong = quick(home, "publish", "--passphrase-stdin", typed="another one\n")
    assert wrong.exit_code == 1
    assert "Wrong passphrase" in wrong.stderr
    assert not firm.published.exists()
    nobody = quick(home, "publish", "--no-input")
    assert nobody.exit_code == 2
    result = quick(
        home,
        "publish",
        "--passphrase-stdin",
        "--json",
        "--valid-days",
        "7",
        typed=f"{PASSPHRASE}\n",
    )
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["cells"] == 2
    firm.withdraw(items[0])
    again = quick(home, "publish", "--passphrase-stdin", typed=f"{PASSPHRASE}\n")
    assert "published  1 durable cells" in again.stdout
    assert "denied     1" in again.stdout
    line = next(x for x in quick(home, "verify").stdout.splitlines() if "state_root" in x)
    assert "PASS" in line
    assert "1 durable items" in line


def test_what_is_set_aside_is_named_without_its_control_characters(firm):
    home = firm.place.home
    door = firm.door("bot")
    (door.folder / "spool" / "odd\x1b[31m.txt").write_text("x")
    result = quick(home, "ingest")
    assert result.exit_code == 4
    assert "Set aside in door bot" in result.stderr
    assert "\x1b" not in result.stderr
    firm.acts(door).stage([{"claim": "The gate opens at nine."}])
    told = json.loads(quick(home, "ingest", "--json").stdout)
    assert told == {"staged": 1, "reads": 0, "answers": 0, "aside": [], "busy": []}


def test_a_door_that_is_not_there_says_so_and_writes_nothing_to_the_client(firm):
    result = cli(firm.place.home, "agent", "run", "nobody", stdin=None)
    assert (result.returncode, result.stdout) == (3, "")
    assert "No such door" in result.stderr

"""What the agent's door is made of: its import graph, its tools, and what it loads."""

from __future__ import annotations

import json
import subprocess
import sys

import grimp
import pytest

from console import agent, agent_acts, agent_words
from console.agent_wiring import open_door
from console.doors import DoorError, NoSuchDoorError
from tests.console.agents import Firm, cell
from tests.test_architecture import ROOT

DOOR = ("console.agent", "console.agent_wiring")
NEVER = (
    *("store.appending", "store.connections", "store.duckdb_store", "store.migrations"),
    *("store.projections", "store.founding", "store.effects", "store.shelf"),
    *("store.snapshot_writing", "console.signing", "console.wiring", "console.door_wiring"),
    *("console.ingesting", "review.desk", "review.deciding", "review.editing"),
    *("review.duplicates.linking", "review.duplicates.link_signing", "review.staged.staging"),
    *("review.publishing", "review.door_intake"),
)
ACTS = ("approve", "promote", "forget", "erase", "export", "sign", "unlock", "withdraw")


@pytest.fixture(scope="module")
def graph():
    return grimp.build_graph(
        "console", "review", "importers", "store", include_external_packages=True, cache_dir=None
    )


@pytest.fixture(scope="module")
def reached(graph) -> set[str]:
    return {*DOOR, *(name for one in DOOR for name in graph.find_upstream_modules(one))}


def test_no_chain_of_imports_leads_to_the_store_a_key_or_what_people_do(graph, reached):
    assert {"console.agent_acts", "review.doorway", "store.published"} <= reached  # the control
    assert all(name in graph.modules for name in NEVER)
    assert not set(NEVER) & reached
    for name in ("sqlalchemy", "sqlmodel", "duckdb_engine", "streamlit", "typer"):
        assert name not in reached


def test_no_module_behind_the_door_is_about_forgetting_exporting_or_publishing(reached):
    ours = {name for name in reached if name.split(".")[0] in ("console", "review", "store")}
    words = ("forget", "eras", "export", "publishing", "signing", "reviewers", "draft")
    found = {name for name in ours if any(word in name.split(".")[-1] for word in words)}
    # The fold over what people signed reads statements about forgetting and about rules that left,
    # so that each is judged; the last one holds facts while a sentence is read.
    assert found == {
        *("store.forget_standing", "store.forget_statements", "store.forget_confirmations"),
        *("store.export_standing", "store.rule_exports", "review.facts.drafts"),
    }


def test_the_policy_engine_reaches_no_way_to_read_memory(graph):
    """Contract 7, walked: the modules that hold or read memory are not above the policy."""
    reading = {
        *("store.log", "store.published", "store.queries", "store.vault", "store.duckdb_store"),
        *("review.doorway", "review.memory.remembering", "review.recall"),
        "review.trimming.served",
    }
    for name in ("review.policy", "review.policy_node", "review.staged.flags", "review.secrets"):
        assert not graph.find_upstream_modules(name) & reading, name
    assert graph.find_upstream_modules("review.doorway") & reading  # the control


def test_the_tools_and_their_arguments_are_exactly_these():
    told = {one.name: tuple(sorted(one.input_schema["properties"])) for one in agent.tools()}
    assert told == {
        "stage": ("answer", "recall", "records", "verbatim"),
        "recall": ("asked_at", "end", "ids", "question", "start"),
        "explain": ("asked_at", "question", "recall"),
        "status": ("job",),
    }
    assert set(agent_words.DESCRIPTIONS) == set(told)
    assert "claim" not in agent_words.INSTRUCTIONS  # no memory text is ever an instruction


def test_the_acts_have_no_name_of_what_only_people_do():
    names = {name for name in dir(agent_acts.Acts) if not name.startswith("__")}
    public = {name for name in names if not name.startswith("_")}
    assert public == {
        *("stage", "answer", "recall", "pieces", "explain", "explain_now", "status", "warm"),
    }
    assert not [name for name in names if any(act in name for act in ACTS)]


def test_the_running_process_has_loaded_none_of_it():
    """Through the command line that starts it: nothing lazy brings the rest in."""
    script = (
        "import sys; from console import cli, agent, agent_wiring;"
        f" print(sorted(set({NEVER!r} + ('sqlalchemy', 'streamlit')) & set(sys.modules)))"
    )
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert found.stdout.strip() == "[]"


def test_the_process_opens_nothing_but_its_own_folder_and_the_published_one(tmp_path):
    """What Python opens, and what the process holds open: the snapshot, and no store."""
    (firm,) = Firm.founded(tmp_path / "home", "acme")
    (item,) = firm.learn(cell("The carrier is Delovye Linii.", 1))
    door = firm.door("bot")
    firm.publish()
    script = f"""
import json, os, sys
home, opened = {str(firm.place.home)!r}, set()
sys.addaudithook(lambda name, args: opened.add(str(args[0])) if name == "open" else None)
from pathlib import Path
from console.agent_wiring import open_door
acts = open_door(Path(home), "bot")
recall = acts.recall("Which carrier do we use?")["recall"]
acts.explain(recall), acts.pieces([{item!r}], 0, None), acts.status()
acts.stage([{{"claim": "One more."}}]), acts.answer("Delovye Linii", recall)
held = {{os.readlink(f"/proc/self/fd/{{n}}") for n in os.listdir("/proc/self/fd") if n.isdigit()
        and os.path.exists(f"/proc/self/fd/{{n}}")}}
print(json.dumps(sorted(path for path in opened | held if path.startswith(home))))
"""
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    paths = json.loads(found.stdout)
    assert str(next(firm.published.glob("snapshot-*"))) in paths
    allowed = (f"{firm.published}", f"{door.folder}")
    assert [path for path in paths if not path.startswith(allowed)] == []


def test_a_root_that_is_pinned_outside_is_obeyed(tmp_path, monkeypatch):
    (firm,) = Firm.founded(tmp_path / "home", "acme")
    door = firm.door("bot")
    monkeypatch.setenv("MEMORY_CONSOLE_PIN", door.root)
    assert open_door(firm.place.home, "bot").door == door
    monkeypatch.setenv("MEMORY_CONSOLE_PIN", "SHA256:" + "A" * 43)
    with pytest.raises(DoorError, match="is pinned"):
        open_door(firm.place.home, "bot")


@pytest.mark.parametrize(
    "change",
    [
        {"purpose": "review"},
        {"tenant": "../../other"},
        {"root": "anything"},
        {"kinds": ["rule"]},
        {"scope": {"user": 7}},
        {"id": ""},
        {"format": "memory-console-door/2"},
    ],
)
def test_a_door_whose_folder_says_something_else_does_not_open(tmp_path, change):
    (firm,) = Firm.founded(tmp_path / "home", "acme")
    door = firm.door("bot")
    told = json.loads((door.folder / "door.json").read_text())
    (door.folder / "door.json").write_text(json.dumps(told | change))
    with pytest.raises(DoorError):
        open_door(firm.place.home, "bot")
    with pytest.raises(NoSuchDoorError):
        open_door(firm.place.home, "../bot")

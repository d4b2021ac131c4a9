"""``memory-console import``: five outcomes that add up, whole batches, nothing made durable."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from console.commands.import_summary import SENTENCES
from console.wiring import open_workspace
from store.records import RemarkCode
from tests.console.test_cli import HIDDEN, cli, command, environment, quick
from tests.console.workspaces import workspace

OUTCOMES = {"written", "nothing_extracted", "already_known", "refused", "parse_failed"}


def line(n: int, **more: object) -> str:
    record = {
        "claim": f"Shelf {n} holds box {7 * n}.",
        "kind": "fact",
        "source_type": "document",
        "source_id": f"shelves:{n}",
        "written_at": "2026-03-01T10:00:00Z",
        **more,
    }
    return json.dumps(record, ensure_ascii=False)


MIXED = [
    line(1),
    line(2),
    line(1),
    line(3, claim=""),
    "",
    line(4, source_type="raw_user_prompt"),
    '{"claim": "secret words that no list of errors may repeat',
    line(5, written_at="yesterday"),
]


@pytest.fixture
def home(tmp_path) -> Path:
    return workspace(tmp_path / "home", "acme", "beta").home


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def written(folder: Path, lines: list[str], name: str = "crm.jsonl") -> Path:
    path = folder / name
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path


def imported(home: Path, *args: str):
    result = quick(home, "import", *args, "--json")
    return result, json.loads(result.stdout)["imports"]


def test_the_five_outcomes_add_up_to_the_records_read(home, here):
    result, (told,) = imported(home, str(written(here, MIXED)))
    assert told["outcomes"] == {
        "written": 2,
        "nothing_extracted": 2,
        "already_known": 1,
        "refused": 1,
        "parse_failed": 2,
    }
    assert set(told["outcomes"]) == OUTCOMES
    assert told["read"] == len(MIXED) == sum(told["outcomes"].values())
    assert (told["made_durable"], told["finished"]) == (0, True)
    assert result.exit_code == 4


def test_the_summary_speaks_the_same_five_words_and_says_nothing_is_durable(home, here):
    path = written(here, MIXED)
    result = quick(home, "import", str(path), "--no-input")
    assert result.exit_code == 4
    assert "crm.jsonl (own_jsonl/1) into acme: 8 records read" in result.stdout
    for label, n in (
        ("Written", 2),
        ("Nothing extracted", 2),
        ("Parse failed", 2),
        ("Refused", 1),
        ("Already known", 1),
    ):
        assert re.search(rf"^  {label} +{n}  ", result.stdout, re.M)
    assert "Nothing was made durable. Review: memory-console run\n" in result.stdout
    assert "Read 100 % (8 records)" in result.stderr
    assert "\x1b" not in result.stdout + result.stderr
    place = open_workspace(home)
    assert place.desk(place.settings.tenant("acme")).durable_count() == 0


def test_the_list_of_errors_holds_places_and_codes_and_no_word_of_the_file(home, here):
    _, (told,) = imported(home, str(written(here, MIXED)))
    text = Path(told["errors_file"]).read_text()
    rows = [json.loads(one) for one in text.splitlines()]
    assert [(row["line"], row["outcome"], row["reason"], row["field"]) for row in rows] == [
        (6, "refused", "source_denied", "source_type"),
        (7, "parse_failed", "not_json", ""),
        (8, "parse_failed", "time_invalid", "written_at"),
    ]
    assert all(row["end"] > row["start"] >= 0 for row in rows)
    assert "secret words" not in text
    assert "yesterday" not in text


def test_an_import_writes_nothing_into_the_present_folder(home, here):
    own = here / "crm.jsonl.errors.jsonl"
    own.write_text("my own notes\n")
    _, (first,) = imported(home, str(written(here, MIXED)))
    _, (second,) = imported(home, str(written(here, MIXED)))
    assert first["errors_file"] != second["errors_file"]
    for told in (first, second):
        file = Path(told["errors_file"])
        assert file.parent == home / "jobs"
        assert file.stat().st_mode & 0o077 == 0
    assert own.read_text() == "my own notes\n"
    assert len(list(here.iterdir())) == 2


def test_without_failures_there_is_no_list_and_the_exit_code_is_zero(home, here):
    result, (told,) = imported(home, str(written(here, [line(1)])))
    assert (result.exit_code, told["errors_file"]) == (0, None)
    assert [path.name for path in here.iterdir()] == ["crm.jsonl"]


def test_importing_again_stages_nothing_twice(home, here):
    path = str(written(here, [line(n) for n in range(20)]))
    _, (first,) = imported(home, path)
    _, (second,) = imported(home, path)
    assert (first["outcomes"]["written"], second["outcomes"]["written"]) == (20, 0)
    assert second["outcomes"]["already_known"] == 20
    assert json.loads(quick(home, "list", "--json").stdout)["total"] == 20


def test_a_tenant_gets_only_what_was_imported_for_it(home, here):
    path = str(written(here, [line(1)]))
    imported(home, path, "--tenant", "beta")
    assert json.loads(quick(home, "list", "--tenant", "beta", "--json").stdout)["total"] == 1
    assert json.loads(quick(home, "list", "--json").stdout)["total"] == 0
    result = quick(home, "import", path, "--tenant", "gamma")
    assert (result.exit_code, result.stderr) == (3, "No such tenant, or no access.\n")


def test_a_missing_file_or_importer_is_named_before_anything_is_staged(home, here):
    good = str(written(here, [line(1)]))
    result = quick(home, "import", good, str(here / "missing"))
    assert result.exit_code == 3
    assert "Nothing was imported" in result.stderr
    assert json.loads(quick(home, "list", "--json").stdout)["total"] == 0
    result = quick(home, "import", good, "--importer", "nonsense")
    assert (result.exit_code, result.stdout) == (2, "")


def test_quiet_says_only_what_went_wrong(home, here):
    fine = quick(home, "import", str(written(here, [line(1)])), "--quiet")
    assert (fine.exit_code, fine.output) == (0, "")
    left = quick(home, "import", str(written(here, MIXED, "m.jsonl")), "--quiet")
    assert (left.exit_code, left.stdout) == (4, "")
    assert left.stderr == "3 records failed or were refused.\n"


def test_verbatim_marks_every_claim(home, here):
    imported(home, str(written(here, [line(1)])), "--verbatim")
    place = open_workspace(home)
    desk = place.desk(place.settings.tenant("acme"))
    item = json.loads(quick(home, "list", "--json").stdout)["records"][0]["item"]
    assert desk.card_of(item).verbatim


def test_a_hostile_file_name_cannot_take_over_the_terminal(home, here):
    path = written(here, [line(1), "{"], "a\x1b[31mb\u202e.jsonl")
    result = quick(home, "import", str(path))
    assert result.exit_code == 4
    assert "⟦U+001B ESC⟧" in result.stdout
    assert not HIDDEN.search(result.stdout + result.stderr)
    gone = quick(home, "import", "no\x1b[31m\u202efile")
    assert gone.exit_code == 3
    assert not HIDDEN.search(gone.stderr)


def test_what_a_format_cannot_tell_is_said(home, here):
    path = written(
        here,
        ['{"type": "entity", "name": "Oleg", "entityType": "person", "observations": ["tall"]}'],
        "memory.jsonl",
    )
    result = quick(home, "import", str(path))
    assert "mcp_memory" in result.stdout
    assert "  Note: " in result.stdout
    assert set(SENTENCES) == set(RemarkCode)


def test_the_first_import_makes_the_workspace_and_says_so(tmp_path, here):
    result = cli(tmp_path / "new", "import", str(written(here, [line(1)])), cwd=here)
    assert result.returncode == 0
    assert "Made a workspace" in result.stderr
    private = [tmp_path / "new", *(tmp_path / "new").rglob("*")]
    assert not [path for path in private if path.stat().st_mode & 0o077 and path.suffix != ".pub"]


def test_a_bad_policy_file_stops_the_first_import_and_is_named_later(home, here):
    shutil.rmtree(home / "stores")
    path = str(written(here, [line(1)]))
    policy = home / "policy.yaml"
    good = policy.read_text()
    policy.write_text("memory: 7\n")
    first = quick(home, "import", path)
    assert first.exit_code == 1
    assert "policy.yaml" in first.stderr
    policy.write_text(good)
    assert quick(home, "import", path).exit_code == 0
    policy.write_text("memory: 7\n")
    later = quick(home, "import", path)
    assert later.exit_code == 0
    assert "The policy in force is unchanged" in later.stderr


@pytest.mark.faults
def test_ctrl_c_leaves_whole_batches_only_and_a_second_run_takes_up_the_rest(home, here):
    path = written(
        here, [line(n) for n in range(12_000)] + [line(0, claim="")] * 12_000, "big.jsonl"
    )
    with subprocess.Popen(
        command("import", str(path)),
        env=environment(home),
        cwd=here,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        seen = []
        while not seen or not seen[-1].startswith("Read 90 %"):
            seen.append(running.stderr.readline())
            assert seen[-1], seen
        os.kill(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=120)
    assert running.returncode == 1
    assert "10,000 records are in, in 1 whole batch; the rest is not." in err
    assert "10,000 records read, not finished" in out
    assert "Traceback" not in err
    report = json.loads(quick(home, "verify", "--json").stdout)
    assert report["exit_code"] == 0
    assert json.loads(quick(home, "list", "--limit", "1", "--json").stdout)["total"] == 10_000
    _, (told,) = imported(home, str(path))
    assert told["outcomes"] == dict.fromkeys(OUTCOMES, 0) | {
        "written": 2_000,
        "already_known": 10_000,
        "nothing_extracted": 12_000,
    }
    assert quick(home, "verify").exit_code == 0


def test_ctrl_c_before_the_first_batch_leaves_nothing(home, here):
    pipe = here / "slow.jsonl"
    pipe.write_text("\n".join(line(n) for n in range(9_000)))
    with subprocess.Popen(
        command("import", str(pipe)),
        env=environment(home),
        cwd=here,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stderr.readline().startswith("Read 10 %")
        started = time.monotonic()
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=60)
    assert time.monotonic() - started < 30
    assert running.returncode == 1
    assert "Nothing of this file is in the store" in err
    assert json.loads(quick(home, "list", "--json").stdout)["total"] == 0


def test_a_file_in_no_known_format_does_not_hold_up_the_others(home, here):
    odd, good = written(here, ["just some words"], "odd.txt"), written(here, [line(1)])
    result, (told,) = imported(home, str(odd), str(good))
    assert result.exit_code == 4
    assert told["name"] == "crm.jsonl"
    assert "odd.txt is in no format" in result.stderr
    assert "1 of 2 sources were not imported" in result.stderr

"""``memory-console jobs`` and the options of ``import`` that make them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from review.queue import Wanted
from tests.console.job_worlds import (
    TENANTS,
    desk_in,
)
from tests.console.test_cli import HIDDEN, cli, environment, quick
from tests.console.test_cli_import import MIXED, line, written
from tests.console.workspaces import workspace


@pytest.fixture
def home(tmp_path) -> Path:
    return workspace(tmp_path / "home", *TENANTS).home


def test_background_prints_an_id_and_follow_ends_as_the_import_did(home, tmp_path):
    path = written(tmp_path, MIXED)
    begun_one = cli(home, "import", str(path), "--background", cwd=tmp_path)
    job = begun_one.stdout.strip()
    assert begun_one.returncode == 0
    assert job.startswith("job-")
    followed = quick(home, "jobs", job, "--follow", "--json")
    told = json.loads(followed.stdout)
    assert followed.exit_code == 4
    assert (told["state"], told["verdict"], told["made_durable"]) == ("finished", "left", 0)
    assert told["outcomes"] == {
        "written": 2,
        "nothing_extracted": 2,
        "already_known": 1,
        "refused": 1,
        "parse_failed": 2,
    }
    assert [row["line"] for row in told["parts"][0]["rows"]] == [6, 7, 8]
    shown = quick(home, "jobs", job)
    assert shown.exit_code == 0
    for words in ("written, with something left", "line 8", "(written_at). A time is not valid.",
                  "policy and secrets 8 (done)"):  # fmt: skip
        assert words in shown.stdout
    listed = json.loads(quick(home, "jobs", "--json").stdout)["jobs"]
    assert [one["job"] for one in listed] == [job]


def test_an_import_in_front_is_a_job_too(home, tmp_path):
    told = json.loads(quick(home, "import", str(written(tmp_path, [line(1)])), "--json").stdout)
    job = json.loads(quick(home, "jobs", told["job"], "--json").stdout)
    assert (job["state"], job["verdict"], job["outcomes"]["written"]) == (
        "finished",
        "written",
        1,
    )


def test_an_error_is_an_object_when_json_is_wanted(home, tmp_path):
    missing = quick(home, "import", str(tmp_path / "no"), "--json")
    assert (missing.exit_code, json.loads(missing.stdout)["error"]["exit_code"]) == (3, 3)
    odd = quick(home, "import", str(written(tmp_path, ["odd"], "odd.txt")), "--json")
    assert odd.exit_code == 1
    assert "is in no format" in json.loads(odd.stdout)["error"]["message"]
    assert "odd.txt is in no format" in odd.stderr
    none = quick(tmp_path / "nowhere", "jobs", "--json")
    assert (none.exit_code, json.loads(none.stdout)["error"]["exit_code"]) == (3, 3)


def test_a_hostile_name_cannot_take_over_the_terminal_that_lists_jobs(home, tmp_path):
    path = written(tmp_path, [line(1), "{"], "a\x1b[31mb\u202e.jsonl")
    quick(home, "import", str(path), "--quiet")
    listed = cli(home, "jobs")
    assert "⟦U+001B ESC⟧" in listed.stdout
    shown = quick(home, "jobs", listed.stdout.split()[0])
    assert "⟦U+202E RLO⟧" in shown.stdout
    assert not HIDDEN.search(listed.stdout + shown.stdout)


def test_listing_jobs_opens_no_store_and_loads_no_database(home):
    code = (
        "import sys; from console.cli import app; "
        "app(['jobs'], standalone_mode=False); "
        "print(sorted({'duckdb', 'pandas', 'sqlmodel', 'streamlit'} & set(sys.modules)))"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], env=environment(home), capture_output=True, text=True
    )
    assert told.stdout.splitlines()[-1] == "[]", told.stderr


TABLE = (
    "Текст;Дата;О ком\nСклад в Электростали.;2026-03-01;Олег\n;2026-03-02;Ира\nЯсно.;вчера;Ира\n"
)


def test_a_table_of_ones_own_is_read_as_the_person_says(home, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE, encoding="cp1251")
    shown = quick(home, "import", str(path), "--columns", "--encoding", "cp1251", "--json")
    (told,) = json.loads(shown.stdout)["files"]
    assert [one["name"] for one in told["columns"]] == ["Текст", "Дата", "О ком"]
    assert told["proposed"]["claim"] == "Текст"
    options = ["--map", "Текст=claim", "--map", "Дата=written_at", "--map", "О ком=entities"]
    done = quick(home, "import", str(path), "--encoding", "cp1251", *options, "--json")
    (part,) = json.loads(done.stdout)["imports"]
    assert part["importer"].startswith("mapped_csv/")
    assert part["outcomes"] == {
        "written": 1,
        "nothing_extracted": 1,
        "already_known": 0,
        "refused": 0,
        "parse_failed": 1,
    }
    assert set(part["remarks"]) >= {"mapped_by_person", "encoding_guessed"}
    (row,) = desk_in(home).waiting(Wanted()).rows
    assert row.claim == "Склад в Электростали."


def test_a_mapping_can_come_from_a_file_and_a_wrong_one_is_named(home, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE, encoding="utf-8")
    file = tmp_path / "map.json"
    file.write_text(json.dumps({"claim": "Текст", "written_at": "Дата", "kind_always": "event"}))
    done = quick(home, "import", str(path), "--map-file", str(file), "--json")
    assert json.loads(done.stdout)["imports"][0]["outcomes"]["written"] == 1
    assert desk_in(home).waiting(Wanted()).rows[0].kind == "event"
    for wrong in (
        ["--map", "Nothing=claim"],
        ["--map", "Текст=memory"],
        ["--map", "Дата=written_at"],
        ["--map", "Текст=claim", "--importer", "mem0"],
        ["--encoding", "klingon"],
    ):
        result = quick(home, "import", str(path), *wrong)
        assert (result.exit_code, result.stdout) == (2, ""), wrong
        assert "Nothing was imported" in result.stderr
    file.write_text('{"claim": 7}')
    assert quick(home, "import", str(path), "--map-file", str(file)).exit_code == 2

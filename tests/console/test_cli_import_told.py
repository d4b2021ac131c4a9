"""What ``import`` and ``jobs`` say to a person: words, advice, addresses, and what waits."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import pytest

from console import served
from console.job_words import JobState, PartState, Verdict
from console.jobs import Asked, Part
from review.queue import Lane
from store.records import Outcome
from tests.console.job_worlds import desk_in, done, jobs_in
from tests.console.test_cli import quick
from tests.console.test_cli_import import line, written
from tests.console.workspaces import workspace
from tests.importers.claude_code_lines_made import asks, call, gives, says

TABLE = "имя,текст\nАнна,Склад в Электростали.\n"


@pytest.fixture
def home(tmp_path) -> Path:
    return workspace(tmp_path / "home", "acme", "beta").home


def transcript(folder: Path) -> Path:
    rows = [
        asks("u1", None, "where is the main warehouse"),
        says("a1", "u1", call("t1", "Edit", file_path="/a")),
        gives("u2", "a1", "t1", "done"),
        says("a2", "u2", "In Elektrostal."),
    ]
    return written(folder, [json.dumps(one) for one in rows], "session.jsonl")


def test_the_address_is_printed_only_while_a_console_serves_this_workspace(home, tmp_path):
    path = str(written(tmp_path, [line(1)]))
    with served.at(home, 8600):
        told = quick(home, "import", path).stdout
        assert "Review: http://127.0.0.1:8600/inbox?batch=imp-" in told
        assert served.address(tmp_path) is None
    told = quick(home, "import", path, "--json").stdout
    assert json.loads(told)["imports"][0]["review"] is None
    assert "8600" not in quick(home, "import", path).stdout


@pytest.mark.parametrize("told", [b"", b"0", b"99999", b"8501/evil", "８５０１".encode()])
def test_what_stands_in_the_file_of_the_port_is_not_believed(home, told):
    with served.at(home, 8600):
        (home / "console.port").write_bytes(told)
        assert served.address(home) is None
    (home / "console.port").write_bytes(b"8501")
    assert served.address(home) is None


@pytest.mark.parametrize("make", [lambda at: at.symlink_to("/dev/null"), os.mkfifo, Path.mkdir])
def test_what_lies_at_the_place_of_the_port_holds_up_no_console(home, make):
    make(home / "console.port")
    with served.at(home, 8600):
        assert served.address(home) is None


def test_runs_are_said_to_be_evidence_and_lead_to_their_page(home, tmp_path):
    with served.at(home, 8600):
        told = quick(home, "import", str(transcript(tmp_path))).stdout
    assert "1  1 run kept as evidence" in told
    assert "waiting for a person" not in told
    assert "Runs: http://127.0.0.1:8600/runs?batch=imp-" in told
    (part,) = jobs_in(home).all()[0].parts
    assert (part.runs, part.totals[Outcome.WRITTEN]) == (1, 1)


def test_a_fault_is_told_in_the_words_of_the_page_with_what_the_field_takes(home, tmp_path):
    rows = [line(1, source_type="wiki"), line(2, written_at="yesterday"), line(3, kind="fakt")]
    told = quick(home, "import", str(written(tmp_path, rows))).stdout
    assert "parse failed (written_at). A time is not valid." in told
    assert "source_type is one of: raw_user_prompt, external_html" in told
    assert "kind is one of: profile_preference" in told
    assert "A time is 2026-03-01" in told
    assert "time_invalid" not in told
    assert told.count("is one of") == 2


def test_text_in_another_encoding_is_named_with_the_option_that_reads_it(home, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE, encoding="cp1251")
    alone = quick(home, "import", str(path), "--no-input")
    assert alone.exit_code == 1
    assert "memory-console import FILE --encoding cp1251 --columns" in alone.stderr
    shown = quick(home, "import", str(path), "--columns")
    assert "shown as cp1251" in shown.stderr
    (proposed,) = [one for one in shown.stdout.splitlines() if one.startswith("memory-console")]
    assert " --encoding cp1251 --map " in proposed
    assert "\ufffd" not in shown.stdout
    wrong = quick(home, "import", str(path), "--map", "текст=claim")
    assert "try --encoding cp1251" in wrong.stderr
    told = quick(home, "import", str(written(tmp_path, [line(1), line(2)])), "--json").stdout
    assert json.loads(told)["imports"][0]["outcomes"]["written"] == 2


def test_the_proposed_command_reads_the_table(home, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE, encoding="utf-16")
    shown = quick(home, "import", str(path), "--columns", "--encoding", "utf-16").stdout
    assert "--encoding utf-16 --map" in shown
    told = quick(
        home, "import", str(path), "--encoding", "utf-16", "--map", "текст=claim", "--json"
    )
    (part,) = json.loads(told.stdout)["imports"]
    assert (part["read"], part["outcomes"]["written"]) == (1, 1)


def test_a_wrong_encoding_is_called_so(home, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE, encoding="cp1251")
    for asked in (["--columns"], ["--map", "a=claim"], []):
        result = quick(home, "import", str(path), "--encoding", "utf-16", *asked)
        assert result.exit_code != 0
        assert "It is not UTF-16" in result.stderr


def test_known_lines_that_are_not_utf8_say_how_to_read_them(home, tmp_path):
    path = tmp_path / "crm.jsonl"
    rows = [line(1), line(2, claim="Склад в Электростали.")]
    path.write_bytes("\n".join([*rows, ""]).encode("cp1251"))
    told = quick(home, "import", str(path)).stdout
    assert "Not UTF-8 text." in told
    assert "--encoding cp1251, utf-16 or latin-1" in told


def test_an_empty_file_is_called_empty_and_nothing_more(home, tmp_path):
    path = written(tmp_path, [], "e.jsonl")
    path.write_bytes(b"")
    result = quick(home, "import", str(path))
    assert result.exit_code == 1
    assert result.stderr.strip() == "e.jsonl is empty. Nothing was imported."


def test_a_picture_and_an_unknown_file_get_the_likeliest_advice_first(home, tmp_path):
    picture = tmp_path / "a.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR,a,b\n1,2,3\n")
    assert "It is no text" in quick(home, "import", str(picture), "--columns").stderr
    table = written(tmp_path, ["name,text", "Ana,The shop is in Kazan."], "t.csv")
    said = quick(home, "import", str(table), "--no-input").stderr
    assert said.index("--columns") < said.index("--importer")
    named = quick(home, "import", str(table), "--importer", "mapped_csv")
    assert named.exit_code == 2
    assert "--map COLUMN=FIELD" in named.stderr


def test_a_table_in_an_archive_is_said_to_be_imported_by_itself(home, tmp_path):
    archive = tmp_path / "mixed.zip"
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("a.csv", "name,text\nAna,The shop is in Kazan.\n")
        for n in range(5):
            made.writestr(f"logs/{n}.jsonl", transcript(tmp_path).read_text())
    told = quick(home, "import", str(archive)).stdout
    assert "import it by itself and choose its columns" in told
    assert "1 of its files: a.csv" in told
    jobs = jobs_in(home)
    by_importer = {part.importer: part for part in jobs.all()[0].parts}
    assert by_importer["unknown_members"].members == ["a.csv"]
    assert jobs.read(jobs.all()[0].id).parts == jobs.all()[0].parts


def test_the_same_file_again_with_a_refusal_in_it_brings_nothing_new(home, tmp_path):
    path = written(tmp_path, [line(1), line(2), line(3, source_type="raw_user_prompt")])
    first, second = done(home, path), done(home, path)
    assert (first.verdict, second.verdict) == (Verdict.LEFT, Verdict.KNOWN_LEFT)
    listed = quick(home, "jobs").stdout
    assert "finished: nothing new; the rest failed or was refused" in listed
    assert "nothing written: refused" not in listed
    shown = quick(home, "jobs", second.id).stdout
    assert "recorded 3 (done)" in shown
    assert ", written 3 (done)" not in shown


def test_what_failed_is_counted_once_however_often_its_file_is_read(home, tmp_path):
    bad = [line(1), "no json", line(2, source_type="raw_user_prompt"), line(3, claim="")]
    path = written(tmp_path, bad)
    for _ in range(3):
        done(home, path)
    desk = desk_in(home)
    counts = desk.counts()
    assert (counts.lanes["failed"], counts.lanes["refused"], counts.lanes["nothing"]) == (1, 1, 1)
    assert counts.outcomes["written"] == 1
    assert counts.outcomes["already_known"] == 2
    for lane in (Lane.FAILED, Lane.REFUSED, Lane.NOTHING):
        assert (found := desk.records(lane)).total == len(found.rows) == 1
    done(home, written(tmp_path, [*bad, "no json either"], "other.jsonl"))
    assert desk_in(home).counts().lanes["failed"] == 3


def test_a_job_at_work_says_what_is_in_the_store_and_what_is_only_read(home):
    jobs = jobs_in(home)
    job = jobs.new([Asked("big.jsonl", "big.jsonl")], verbatim=False)
    job.state = JobState.RUNNING
    part = Part(0, "big.jsonl", size=100, importer="own_jsonl", version="1")
    part.state, part.records_read, part.bytes_read = PartState.RUNNING, 20_000, 66
    part.counts[Outcome.WRITTEN] = 10_000
    job.parts = [part]
    handle = jobs.files.lock(job.id)
    try:
        jobs.files.write(job)
        listed, shown = quick(home, "jobs").stdout, quick(home, "jobs", job.id).stdout
    finally:
        os.close(handle)
    assert "66 %, 20,000 records read so far" in listed
    assert "big.jsonl: 10,000 in the store so far, written 10,000" in listed
    assert "10,000 of 20,000 records in the store so far" in shown


@pytest.mark.parametrize("name", ["nosuch", "job-nosuch", "approve"])
def test_a_job_that_is_not_there_is_no_unknown_command(home, name):
    result = quick(home, "jobs", name)
    assert result.exit_code == 3
    assert result.stderr.strip() == "No such job. See memory-console jobs."

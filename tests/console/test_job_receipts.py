"""What a job comes to: five outcomes, named rows, steps, and parts that hold up nobody."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from console.job_words import JobState, PartState, Step, StepState, Verdict
from review.queue import Wanted
from store.records import Outcome
from tests.console.job_worlds import (
    TENANTS,
    WorkHere,
    begun,
    desk_in,
    done,
    home_of_a_job,
    jobs_in,
)
from tests.console.test_cli_import import MIXED, line, written
from tests.console.workspaces import workspace


@pytest.fixture
def home(tmp_path) -> Path:
    return workspace(tmp_path / "home", *TENANTS).home


@pytest.fixture
def working(monkeypatch):
    return WorkHere(monkeypatch)


def test_a_job_in_the_background_ends_with_a_receipt_that_stays():
    home = home_of_a_job()
    (job,) = jobs_in(home).all()
    assert (job.state, job.verdict) == (JobState.FINISHED, Verdict.LEFT)
    assert job.totals == {
        Outcome.WRITTEN: 2,
        Outcome.NOTHING_EXTRACTED: 2,
        Outcome.ALREADY_KNOWN: 1,
        Outcome.REFUSED: 1,
        Outcome.PARSE_FAILED: 2,
    }
    (part,) = job.parts
    assert (part.read, part.records_read, part.bytes_read) == (8, 8, part.size)
    assert part.import_id in {one.import_id for one in desk_in(home).journal.imports()}
    assert jobs_in(home).read(job.id) == job
    kept = [path for path in (home / "jobs").rglob("*") if path.stat().st_mode & 0o077]
    assert not kept


def test_each_failing_row_is_named_with_line_bytes_reason_and_field():
    jobs = jobs_in(home_of_a_job())
    (job,) = jobs.all()
    source = Path(job.sources[0].path).read_bytes()
    rows = job.parts[0].rows
    assert [(row.outcome, row.line, row.reason, row.field) for row in rows] == [
        ("refused", 6, "source_denied", "source_type"),
        ("parse_failed", 7, "not_json", ""),
        ("parse_failed", 8, "time_invalid", "written_at"),
    ]
    for row in rows:
        assert source[row.start : row.end].decode() == MIXED[row.line - 1]
    listed = [json.loads(one) for one in jobs.files.errors(job.id).read_text().splitlines()]
    assert [one["line"] for one in listed] == [6, 7, 8]


def test_every_step_says_how_many_records_are_behind_it(home, tmp_path):
    path = written(tmp_path, [line(1, claim="The warehouse is Elektrostal."), line(2), "{"])
    (part,) = done(home, path).parts
    told = {step: (one.state, one.records) for step, one in part.steps.items()}
    assert told == {
        Step.READ: (StepState.DONE, 3),
        Step.CHECKED: (StepState.DONE, 3),
        Step.FACTS: (StepState.DONE, told[Step.FACTS][1]),
        Step.WRITTEN: (StepState.DONE, 3),
    }
    assert 1 <= told[Step.FACTS][1] <= 2


def test_the_same_file_again_is_already_known_and_not_nothing(home, tmp_path):
    path = written(tmp_path, [line(n) for n in range(5)])
    first, second = done(home, path), done(home, path)
    assert (first.verdict, second.verdict) == (Verdict.WRITTEN, Verdict.KNOWN)
    assert second.totals[Outcome.ALREADY_KNOWN] == 5
    assert second.totals[Outcome.NOTHING_EXTRACTED] == 0
    assert not second.needs_a_person


def test_an_import_of_which_nothing_came_is_empty_and_needs_a_person(home, tmp_path):
    jobs, job = jobs_in(home), done(home, written(tmp_path, [line(1, claim="")]))
    assert (job.state, job.verdict) == (JobState.FINISHED, Verdict.EMPTY)
    assert job.needs_a_person
    jobs.put_away(job.id)
    assert not jobs.read(job.id).needs_a_person


def test_one_bad_part_does_not_hold_up_the_others_and_is_named(home, tmp_path, working):
    archive, odd = tmp_path / "all.zip", written(tmp_path, ["no format at all"], "odd.txt")
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("notes/one.jsonl", "\n".join([line(1), '{"claim": ', line(2)]))
        made.writestr("notes/two.jsonl", line(3))
        made.writestr("notes/strange.txt", "words of nobody\n")
    good = written(tmp_path, [line(4)], "good.jsonl")
    jobs = jobs_in(home)
    job = working.ended(jobs, begun(jobs, archive, odd, good))
    assert (job.state, job.verdict) == (JobState.FINISHED, Verdict.LEFT)
    told = {part.name: part for part in job.parts}
    assert set(told) == {
        "all.zip/notes/one.jsonl",
        "all.zip/notes/two.jsonl",
        "all.zip",
        "odd.txt",
        "good.jsonl",
    }
    assert [row.line for row in told["all.zip/notes/one.jsonl"].rows] == [2]
    assert told["all.zip/notes/two.jsonl"].verdict is Verdict.WRITTEN
    (strange,) = told["all.zip"].rows
    assert (strange.member, strange.reason) == ("notes/strange.txt", "unknown_format")
    assert told["odd.txt"].state is PartState.UNREADABLE
    assert "is in no format" in told["odd.txt"].problem
    assert told["good.jsonl"].state is PartState.DONE
    assert len({part.import_id for part in job.parts if part.import_id}) == 4
    assert desk_in(home).waiting(Wanted()).total == job.totals[Outcome.WRITTEN] == 4


def test_a_job_of_which_no_source_can_be_read_has_failed_and_says_why(home, tmp_path, working):
    jobs = jobs_in(home)
    job = working.ended(jobs, begun(jobs, written(tmp_path, ["no format"], "odd.txt")))
    assert (job.state, job.verdict) == (JobState.FAILED, Verdict.FAILED)
    assert "odd.txt is in no format" in job.parts[0].problem
    assert {one.state for one in job.parts[0].steps.values()} == {StepState.NOT_DONE}


def test_an_error_of_the_workspace_ends_the_job_with_its_sentence(home, tmp_path, working):
    (home / "policy.yaml").unlink()
    jobs = jobs_in(home)
    job = working.ended(jobs, begun(jobs, written(tmp_path, [line(1)])))
    assert job.state is JobState.FAILED
    assert "policy.yaml is missing" in job.problem
    (home / "policy.yaml").write_bytes((Path("review") / "default_policy.yaml").read_bytes())
    again = working.ended(jobs, jobs.again(job.id))
    assert (again.state, again.totals[Outcome.WRITTEN], again.problem) == ("finished", 1, "")

"""Imports as processes of their own: killed, stopped, side by side; whole batches are left."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import pytest

from console.job_files import JobBusyError
from console.job_starting import Jobs, NothingToDoError
from console.job_words import JobState, PartState, StepState
from console.jobs import Asked, Job
from review.queue import Wanted
from store.records import Outcome
from tests.console.job_worlds import (
    PATIENCE,
    TENANTS,
    begun,
    big,
    desk_in,
    ended,
    jobs_in,
)
from tests.console.test_cli import quick
from tests.console.test_cli_import import line, written
from tests.console.workspaces import workspace


@pytest.fixture
def home(tmp_path) -> Path:
    return workspace(tmp_path / "home", *TENANTS).home


def until_in_store(jobs: Jobs, job: Job, records: int) -> Job:
    until = time.monotonic() + PATIENCE
    while (now := jobs.read(job.id)).read < records:
        assert now.open, now
        assert time.monotonic() < until, now
        time.sleep(0.02)
    return now


@pytest.mark.faults
def test_a_killed_worker_leaves_whole_batches_and_goes_on_to_the_same_totals(home, tmp_path):
    jobs, path = jobs_in(home), big(tmp_path, 15_000)
    with path.open("a") as file:
        file.write('{"cut\n' + line(3) + "\n")
    job = begun(jobs, path)
    now = until_in_store(jobs, job, 10_000)
    os.kill(now.pid, signal.SIGKILL)
    killed = ended(jobs, job)
    assert killed.state is JobState.INTERRUPTED
    assert killed.needs_a_person
    assert json.loads(quick(home, "verify", "--json").stdout)["exit_code"] == 0
    in_store = desk_in(home).waiting(Wanted()).total
    assert in_store in (10_000, 15_000)
    (first,) = desk_in(home).journal.imports()
    assert sum(first.counts.values()) % 10_000 == 0 or first.finished
    whole = ended(jobs, jobs.again(job.id))
    assert (whole.state, whole.attempts) == (JobState.FINISHED, 2)
    assert whole.totals == {
        Outcome.WRITTEN: 15_000,
        Outcome.NOTHING_EXTRACTED: 0,
        Outcome.ALREADY_KNOWN: 1,
        Outcome.REFUSED: 0,
        Outcome.PARSE_FAILED: 1,
    }
    assert [row.line for row in whole.parts[0].rows] == [15_001]
    assert desk_in(home).waiting(Wanted()).total == 15_000


@pytest.mark.faults
def test_a_job_that_is_asked_to_stop_leaves_whole_batches_and_can_go_on(home, tmp_path):
    jobs = jobs_in(home)
    job = begun(jobs, big(tmp_path, 10_500, blank=22_000))
    until_in_store(jobs, job, 10_000)
    result = quick(home, "jobs", "stop", job.id)
    assert result.exit_code == 0
    stopped = ended(jobs, job)
    assert stopped.state is JobState.STOPPED
    assert stopped.read % 10_000 == 0
    assert stopped.parts[0].state is PartState.STOPPED
    assert StepState.FAILED in {one.state for one in stopped.parts[0].steps.values()}
    result = quick(home, "jobs", "go-on", job.id, "--follow")
    assert result.exit_code == 0
    totals = jobs.read(job.id).totals
    assert (totals[Outcome.WRITTEN], totals[Outcome.NOTHING_EXTRACTED]) == (10_500, 22_000)


def test_a_worker_that_gets_no_signal_finds_the_word_that_was_left(home, tmp_path):
    jobs = jobs_in(home)
    job = begun(jobs, big(tmp_path, 10_000, blank=20_000))
    until = time.monotonic() + PATIENCE
    while jobs.read(job.id).state is not JobState.RUNNING or not jobs.read(job.id).records_read:
        assert time.monotonic() < until
        time.sleep(0.02)
    jobs.files.ask_to_stop(job.id)
    assert ended(jobs, job).state is JobState.STOPPED


def test_a_job_that_is_stopped_before_it_begins_reads_nothing(home, tmp_path):
    jobs = jobs_in(home)
    job = begun(jobs, written(tmp_path, [line(1)]))
    jobs.files.ask_to_stop(job.id)
    now = ended(jobs, job)
    assert now.state in (JobState.STOPPED, JobState.FINISHED)
    if now.state is JobState.STOPPED:
        assert now.read == 0
        assert ended(jobs, jobs.again(job.id)).totals[Outcome.WRITTEN] == 1


@pytest.mark.faults
def test_two_jobs_at_once_write_into_one_store_and_both_end_whole(home, tmp_path):
    jobs = jobs_in(home)
    one = begun(jobs, big(tmp_path, 1_000, "one.jsonl", blank=10_000))
    two = begun(jobs, big(tmp_path, 1_000, "two.jsonl", first=500, blank=10_000))
    first, second = ended(jobs, one), ended(jobs, two)
    assert (first.state, second.state) == (JobState.FINISHED, JobState.FINISHED), first.problem
    told = [job.totals for job in (first, second)]
    assert sum(one[Outcome.WRITTEN] for one in told) == 1_500
    assert sum(one[Outcome.ALREADY_KNOWN] for one in told) == 500
    assert json.loads(quick(home, "verify", "--json").stdout)["exit_code"] == 0


def test_a_job_has_one_worker_at_a_time(home, tmp_path):
    jobs = jobs_in(home)
    job = jobs.new([Asked("crm.jsonl", str(written(tmp_path, [line(1)])))], verbatim=False)
    handle = jobs.files.lock(job.id)
    jobs.files.write(job)
    try:
        with pytest.raises(JobBusyError):
            jobs.start(job)
        with pytest.raises(JobBusyError):
            jobs.again(job.id)
        with pytest.raises(JobBusyError):
            jobs.put_away(job.id)
    finally:
        os.close(handle)
    assert jobs.read(job.id).state is JobState.INTERRUPTED
    done = ended(jobs, jobs.again(job.id))
    assert done.state is JobState.FINISHED
    with pytest.raises(NothingToDoError):
        jobs.again(job.id)

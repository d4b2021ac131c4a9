"""What is kept of a job: for its tenant alone, not believed, swept, and erased on request."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from console.job_files import JobFiles, NoSuchJobError
from console.job_starting import NothingToDoError
from console.jobs import Asked
from console.wiring import new_workspace
from review.queue import Wanted
from tests.console.job_worlds import (
    TENANTS,
    WorkHere,
    desk_in,
    home_of_a_job,
    jobs_in,
)
from tests.console.test_cli import HIDDEN, quick
from tests.console.test_cli_import import line


@pytest.fixture
def home(tmp_path) -> Path:
    return new_workspace(tmp_path / "home", tenants=TENANTS).home


def test_uploads_are_kept_until_they_are_read_and_no_longer(home, monkeypatch):
    jobs, working = jobs_in(home), WorkHere(monkeypatch)
    job = jobs.upload(
        [(Asked("a.jsonl", ""), line(1).encode()), (Asked("b.txt", ""), b"no format")],
        verbatim=True,
    )
    assert jobs.files.errors(job.id).parent == home / "jobs"
    done = working.ended(jobs, job)
    assert [part.name for part in done.parts] == ["a.jsonl", "b.txt"]
    assert not (home / "jobs" / job.id).exists()
    desk = desk_in(home)
    assert desk.card_of(done.parts[0].items[0]).verbatim
    with pytest.raises(NothingToDoError):
        jobs.again(job.id)


def test_a_job_of_another_tenant_is_not_there(worked, kept):
    job, other = kept[1], jobs_in(worked, "beta")
    assert other.all() == []
    for act in (other.read, other.stop, other.again, other.put_away):
        with pytest.raises(NoSuchJobError):
            act(job.id)
    told = quick(worked, "jobs", job.id, "--tenant", "beta", "--json")
    assert told.exit_code == 3
    assert json.loads(told.stdout)["error"]["exit_code"] == 3


@pytest.mark.parametrize("bad", [b"", b"{", b"[]", b'{"id": 7}', b"\xff", b"[" * 5_000])
def test_a_file_that_is_no_job_is_not_believed(home, tmp_path, bad):
    jobs = jobs_in(home)
    job = jobs.new([Asked("crm.jsonl", "/nowhere")], verbatim=False)
    jobs.files.write(job)
    (home / "jobs" / f"{job.id}.json").write_bytes(bad)
    assert jobs.all() == []
    with pytest.raises(NoSuchJobError):
        jobs.read(job.id)


@pytest.fixture
def worked(tmp_path) -> Path:
    """A workspace with one job that has ended."""
    return shutil.copytree(home_of_a_job(), tmp_path / "worked")


@pytest.fixture
def kept(worked):
    """The job that has ended, and a way to write what its file says."""
    jobs = jobs_in(worked)
    (job,) = jobs.all()
    path = worked / "jobs" / f"{job.id}.json"

    def write(change) -> None:
        told = json.loads(path.read_bytes())
        change(told)
        path.write_text(json.dumps(told))

    return jobs, job, path, write


LIES = {
    "another id": lambda told: told.update(id="job-" + "0" * 26),
    "no time": lambda told: told.update(created_at="\x1b[2J"),
    "no zone": lambda told: told.update(started_at="2026-03-01T08:00:00"),
    "a text for a number": lambda told: told.update(pid="7"),
    "the first process": lambda told: told.update(pid=1),
    "a group of processes": lambda told: told.update(pid=-1),
    "no steps": lambda told: told["parts"][0].update(steps={}),
    "no counts": lambda told: told["parts"][0].update(counts={}),
    "counts below nothing": lambda told: told["parts"][0]["counts"].update(written=-5),
    "counts beyond all": lambda told: told["parts"][0]["counts"].update(written=10**300),
    "a source it lacks": lambda told: told["parts"][0].update(source=99),
    "rows without end": lambda told: told["parts"][0].update(rows=told["parts"][0]["rows"] * 50),
    "an upload elsewhere": lambda told: told.update(uploaded=True),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_job_that_cannot_be_ours_is_left_out_everywhere(worked, kept, lie):
    jobs, job, path, write = kept
    write(LIES[lie])
    assert jobs.all() == []
    for act in (jobs.read, jobs.stop, jobs.again, jobs.put_away):
        with pytest.raises(NoSuchJobError):
            act(job.id)
    assert quick(worked, "jobs").exit_code == 0
    assert quick(worked, "jobs", job.id).exit_code == 3
    assert path.exists()


@pytest.mark.parametrize("upload", ["../../../elsewhere.jsonl", "0/../../x", "", "\0"])
def test_an_upload_outside_of_its_jobs_folder_is_never_read(worked, kept, upload):
    jobs, job, _, write = kept
    folder = worked / "jobs" / job.id

    def uploaded(at: str):
        return lambda told: (told.update(uploaded=True), told["sources"][0].update(path=at))

    write(uploaded(str(folder / "0")))
    assert [one.id for one in jobs.all()] == [job.id]
    write(uploaded(f"{folder}/{upload}" if upload else ""))
    assert jobs.all() == []
    folder.mkdir()
    (folder / "0").symlink_to(worked / "config.toml")
    write(uploaded(str(folder / "0")))
    assert jobs.all() == []


def test_what_is_no_regular_file_is_no_job_and_holds_up_nobody(worked, kept):
    jobs, job, path, _ = kept
    names = iter(f"job-{n:026}" for n in range(1, 9))
    os.mkfifo(path.with_stem(next(names)))
    path.with_stem(next(names)).mkdir()
    path.with_stem(link := next(names)).symlink_to(path)
    path.with_stem(next(names)).symlink_to("/nowhere")
    told = json.loads(path.read_bytes()) | {"id": link}
    (worked / "told").write_text(json.dumps(told))
    path.with_stem(link).unlink()
    path.with_stem(link).symlink_to(worked / "told")
    os.mkfifo(path.with_name(f"{next(names)}.lock"))
    began = time.monotonic()
    assert [one.id for one in jobs.all()] == [job.id]
    assert time.monotonic() - began < 5


def test_no_process_but_a_worker_gets_a_signal(worked, kept):
    jobs, job, _, write = kept
    bystander = subprocess.Popen(["sleep", "60"])
    handle = jobs.files.lock(job.id)
    try:
        write(lambda told: told.update(state="running", pid=bystander.pid))
        assert jobs.stop(job.id).open
        assert jobs.files.stop_asked(job.id)
        time.sleep(0.2)
        assert bystander.poll() is None
    finally:
        os.close(handle)
        bystander.kill()
        bystander.wait()


def test_a_hostile_job_file_cannot_take_over_the_terminal_either(worked, kept):
    _, job, _, write = kept

    def hostile(told) -> None:
        told["problem"] = "\x1b[2Jproblem"
        part = told["parts"][0]
        part |= {"importer": "\x1b]0;a\x07", "version": "\x9b1m", "import_id": "b\x1b[31m"}
        for row in part["rows"]:
            row |= {"reason": "\x1b[1mreason", "field": "\u202efield", "member": "a\nb"}

    write(hostile)
    listed, shown = quick(worked, "jobs"), quick(worked, "jobs", job.id)
    assert "reason" in shown.stdout
    assert not HIDDEN.search(listed.stdout + shown.stdout)


def test_uploads_without_a_job_are_swept_once_nobody_can_be_writing_them(home):
    jobs = jobs_in(home)
    orphan, coming = "job-" + "0" * 26, "job-" + "1" * 26
    for one in (orphan, coming):
        jobs.files.keep_upload(one, 0, b"what somebody uploaded")
    long_ago = time.time() - 3_600
    os.utime(home / "jobs" / orphan, (long_ago, long_ago))
    assert jobs.all() == []
    assert [one.name for one in (home / "jobs").iterdir()] == [coming]


@pytest.mark.parametrize("name", ["job-x", "../config", "job-01J8ABCDEFGHJKMNPQRSTVWXYZ/.."])
def test_an_id_is_never_a_path(home, name):
    with pytest.raises(NoSuchJobError):
        JobFiles(home).read(name, "t")
    with pytest.raises(NoSuchJobError):
        JobFiles(home).lock(name)


def test_what_is_kept_of_a_job_can_be_erased_and_the_store_stays(worked, kept):
    assert quick(worked, "jobs", "drop", kept[1].id).exit_code == 0
    assert list((worked / "jobs").iterdir()) == []
    assert desk_in(worked).waiting(Wanted()).total == 2

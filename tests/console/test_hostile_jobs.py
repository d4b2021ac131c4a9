"""What somebody else lays into the folder of jobs stops no page and no import."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import msgspec
import pytest

from console import identity, job_parts
from console.cards.times import moment
from console.job_files import JobFiles, NoSuchJobError
from console.job_running import Running
from console.job_starting import Jobs
from console.job_stopping import Stop
from console.jobs import Asked
from console.wiring import new_workspace
from tests.console.job_worlds import desk_in, jobs_in
from tests.console.test_cli_import import line

TENANT = "t-1"


@pytest.fixture
def jobs(tmp_path) -> Jobs:
    return Jobs(tmp_path, TENANT, clock=identity.now, chance=identity.chance, environment={})


@pytest.fixture
def kept(jobs):
    job = jobs.new([Asked("crm.jsonl", "/nowhere")], verbatim=False)
    jobs.files.write(job)
    return job


@pytest.mark.parametrize("field", ["created_at", "started_at", "ended_at"])
@pytest.mark.parametrize("stamp", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_moment_that_is_none_in_utc_is_no_job_of_ours(jobs, kept, tmp_path, field, stamp):
    """Its time could not be shown: every page with the strip of jobs ended in an error."""
    told = msgspec.to_builtins(kept) | {field: stamp}
    (tmp_path / "jobs" / f"{kept.id}.json").write_bytes(msgspec.json.encode(told))
    assert jobs.all() == []
    with pytest.raises(NoSuchJobError):
        jobs.read(kept.id)
    assert moment(stamp) == stamp


def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(jobs, kept, tmp_path):
    for ending in (".new", ".stop", ".errors.jsonl"):
        os.mkfifo(tmp_path / "jobs" / f"{kept.id}{ending}")
    jobs.files.write(kept)
    jobs.files.ask_to_stop(kept.id)
    assert jobs.files.stop_asked(kept.id)
    with pytest.raises(OSError, match="No such device"):
        jobs.files.add_errors(kept.id, ["{}"])


def test_a_link_in_the_place_of_a_file_is_not_followed(jobs, kept, tmp_path):
    own = Path(tmp_path / "own.txt")
    own.write_bytes(b"mine")
    for ending in (".new", ".stop", ".errors.jsonl"):
        (tmp_path / "jobs" / f"{kept.id}{ending}").symlink_to(own)
    jobs.files.write(kept)
    jobs.files.ask_to_stop(kept.id)
    with pytest.raises(OSError, match="symbolic"):
        jobs.files.add_errors(kept.id, ["{}"])
    assert own.read_bytes() == b"mine"
    assert JobFiles(tmp_path).read(kept.id, TENANT).id == kept.id


def test_the_parts_of_one_upload_share_a_bound_of_records(tmp_path, monkeypatch):
    """A zip of 400 KB held 19 million records, which would have filled 25 GB."""
    monkeypatch.setattr(job_parts, "MOST_RECORDS", 15)
    home = new_workspace(tmp_path / "home", tenants=("acme",)).home
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for n in range(4):
            archive.writestr(f"part{n}.jsonl", line(n) + "\n" + "0\n" * 5)
    jobs, desk = jobs_in(home), desk_in(home)
    job = jobs.new([Asked("many.zip", "")], verbatim=False)
    job.uploaded = True
    job.sources[0].path = str(jobs.files.keep_upload(job.id, 0, packed.getvalue()))
    running = Running(job, jobs.files, clock=identity.now, stop=Stop(), explain=str)
    running.run(lambda: desk, pid=os.getpid())
    assert [part.read for part in job.parts] == [6, 6, 4, 1]
    assert [part.rows[-1].reason for part in job.parts[2:]] == ["over_limit"] * 2

"""Imports as jobs: processes of their own, whole batches, receipts that stay, named rows."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from console import identity
from console.job_files import JobBusyError, JobFiles, NoSuchJobError
from console.job_starting import Jobs, NothingToDoError
from console.job_words import JobState, PartState, Step, StepState, Verdict
from console.jobs import Asked, Job
from console.wiring import new_workspace, open_workspace
from review.queue import Wanted
from store.records import Outcome
from tests.console.test_cli import HIDDEN, cli, environment, quick
from tests.console.test_cli_import import MIXED, line, written

PATIENCE = 180


@pytest.fixture
def home(tmp_path) -> Path:
    return new_workspace(tmp_path / "home", tenants=("acme", "beta")).home


def jobs_in(home: Path, tenant: str = "acme") -> Jobs:
    return Jobs(
        home,
        open_workspace(home).settings.tenant(tenant).id,
        clock=identity.now,
        chance=identity.chance,
        environment=environment(home),
    )


def begun(jobs: Jobs, *paths: Path, verbatim: bool = False) -> Job:
    job = jobs.new([Asked(path.name, str(path)) for path in paths], verbatim=verbatim)
    jobs.start(job)
    return job


def ended(jobs: Jobs, job: Job) -> Job:
    until = time.monotonic() + PATIENCE
    while (now := jobs.read(job.id)).open:
        assert time.monotonic() < until, now
        time.sleep(0.1)
    return now


def until_in_store(jobs: Jobs, job: Job, records: int) -> Job:
    until = time.monotonic() + PATIENCE
    while (now := jobs.read(job.id)).read < records:
        assert now.open, now
        assert time.monotonic() < until, now
        time.sleep(0.02)
    return now


def desk_in(home: Path, tenant: str = "acme"):
    place = open_workspace(home)
    return place.desk(place.settings.tenant(tenant))


def big(folder: Path, count: int = 20_000, name: str = "big.jsonl", first: int = 0) -> Path:
    return written(folder, [line(n) for n in range(first, first + count)], name)


# --- what a job comes to ----------------------------------------------------------------------


def test_a_job_in_the_background_ends_with_a_receipt_that_stays(home, tmp_path):
    jobs = jobs_in(home)
    job = ended(jobs, begun(jobs, written(tmp_path, MIXED)))
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


def test_each_failing_row_is_named_with_line_bytes_reason_and_field(home, tmp_path):
    jobs = jobs_in(home)
    job = ended(jobs, begun(jobs, written(tmp_path, MIXED)))
    source = (tmp_path / "crm.jsonl").read_bytes()
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
    jobs = jobs_in(home)
    path = written(tmp_path, [line(1, claim="The warehouse is Elektrostal."), line(2), "{"])
    (part,) = ended(jobs, begun(jobs, path)).parts
    told = {step: (one.state, one.records) for step, one in part.steps.items()}
    assert told == {
        Step.READ: (StepState.DONE, 3),
        Step.CHECKED: (StepState.DONE, 3),
        Step.FACTS: (StepState.DONE, told[Step.FACTS][1]),
        Step.WRITTEN: (StepState.DONE, 3),
    }
    assert 1 <= told[Step.FACTS][1] <= 2


def test_the_same_file_again_is_already_known_and_not_nothing(home, tmp_path):
    jobs, path = jobs_in(home), written(tmp_path, [line(n) for n in range(5)])
    first, second = ended(jobs, begun(jobs, path)), ended(jobs, begun(jobs, path))
    assert (first.verdict, second.verdict) == (Verdict.WRITTEN, Verdict.KNOWN)
    assert second.totals[Outcome.ALREADY_KNOWN] == 5
    assert second.totals[Outcome.NOTHING_EXTRACTED] == 0
    assert not second.needs_a_person


def test_an_import_of_which_nothing_came_is_empty_and_needs_a_person(home, tmp_path):
    jobs = jobs_in(home)
    job = ended(jobs, begun(jobs, written(tmp_path, [line(1, claim="")])))
    assert (job.state, job.verdict) == (JobState.FINISHED, Verdict.EMPTY)
    assert job.needs_a_person
    jobs.put_away(job.id)
    assert not jobs.read(job.id).needs_a_person


def test_one_bad_part_does_not_hold_up_the_others_and_is_named(home, tmp_path):
    archive, odd = tmp_path / "all.zip", written(tmp_path, ["no format at all"], "odd.txt")
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("notes/one.jsonl", "\n".join([line(1), '{"claim": ', line(2)]))
        made.writestr("notes/two.jsonl", line(3))
        made.writestr("notes/strange.txt", "words of nobody\n")
    good = written(tmp_path, [line(4)], "good.jsonl")
    jobs = jobs_in(home)
    job = ended(jobs, begun(jobs, archive, odd, good))
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


def test_a_job_of_which_no_source_can_be_read_has_failed_and_says_why(home, tmp_path):
    jobs = jobs_in(home)
    job = ended(jobs, begun(jobs, written(tmp_path, ["no format"], "odd.txt")))
    assert (job.state, job.verdict) == (JobState.FAILED, Verdict.FAILED)
    assert "odd.txt is in no format" in job.parts[0].problem
    assert {one.state for one in job.parts[0].steps.values()} == {StepState.NOT_DONE}


def test_an_error_of_the_workspace_ends_the_job_with_its_sentence(home, tmp_path):
    (home / "policy.yaml").unlink()
    jobs = jobs_in(home)
    job = ended(jobs, begun(jobs, written(tmp_path, [line(1)])))
    assert job.state is JobState.FAILED
    assert "policy.yaml is missing" in job.problem
    (home / "policy.yaml").write_bytes((Path("review") / "default_policy.yaml").read_bytes())
    again = ended(jobs, jobs.again(job.id))
    assert (again.state, again.totals[Outcome.WRITTEN], again.problem) == ("finished", 1, "")


# --- ends before its time ---------------------------------------------------------------------


@pytest.mark.faults
def test_a_killed_worker_leaves_whole_batches_and_goes_on_to_the_same_totals(home, tmp_path):
    jobs, path = jobs_in(home), big(tmp_path)
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
    assert in_store in (10_000, 20_000)
    (first,) = desk_in(home).journal.imports()
    assert sum(first.counts.values()) % 10_000 == 0 or first.finished
    whole = ended(jobs, jobs.again(job.id))
    assert (whole.state, whole.attempts) == (JobState.FINISHED, 2)
    assert whole.totals == {
        Outcome.WRITTEN: 20_000,
        Outcome.NOTHING_EXTRACTED: 0,
        Outcome.ALREADY_KNOWN: 1,
        Outcome.REFUSED: 0,
        Outcome.PARSE_FAILED: 1,
    }
    assert [row.line for row in whole.parts[0].rows] == [20_001]
    assert desk_in(home).waiting(Wanted()).total == 20_000


@pytest.mark.faults
def test_a_job_that_is_asked_to_stop_leaves_whole_batches_and_can_go_on(home, tmp_path):
    jobs = jobs_in(home)
    job = begun(jobs, big(tmp_path, 30_000))
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
    assert jobs.read(job.id).totals[Outcome.WRITTEN] == 30_000


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
    one = begun(jobs, big(tmp_path, 12_000, "one.jsonl"))
    two = begun(jobs, big(tmp_path, 12_000, "two.jsonl", first=6_000))
    first, second = ended(jobs, one), ended(jobs, two)
    assert (first.state, second.state) == (JobState.FINISHED, JobState.FINISHED), first.problem
    told = [job.totals for job in (first, second)]
    assert sum(one[Outcome.WRITTEN] for one in told) == 18_000
    assert sum(one[Outcome.ALREADY_KNOWN] for one in told) == 6_000
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


# --- what is kept -----------------------------------------------------------------------------


def test_uploads_are_kept_until_they_are_read_and_no_longer(home):
    jobs = jobs_in(home)
    job = jobs.upload(
        [(Asked("a.jsonl", ""), line(1).encode()), (Asked("b.txt", ""), b"no format")],
        verbatim=True,
    )
    assert jobs.files.errors(job.id).parent == home / "jobs"
    done = ended(jobs, job)
    assert [part.name for part in done.parts] == ["a.jsonl", "b.txt"]
    assert not (home / "jobs" / job.id).exists()
    desk = desk_in(home)
    assert desk.card_of(done.parts[0].items[0]).verbatim
    with pytest.raises(NothingToDoError):
        jobs.again(job.id)


def test_a_job_of_another_tenant_is_not_there(home, tmp_path):
    job = ended(jobs := jobs_in(home), begun(jobs, written(tmp_path, [line(1)])))
    other = jobs_in(home, "beta")
    assert other.all() == []
    for act in (other.read, other.stop, other.again, other.put_away):
        with pytest.raises(NoSuchJobError):
            act(job.id)
    told = quick(home, "jobs", job.id, "--tenant", "beta", "--json")
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
def kept(home, tmp_path):
    """A job that has ended, and a way to write what its file says."""
    jobs = jobs_in(home)
    job = ended(jobs, begun(jobs, written(tmp_path, MIXED)))
    path = home / "jobs" / f"{job.id}.json"

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
def test_a_job_that_cannot_be_ours_is_left_out_everywhere(home, kept, lie):
    jobs, job, path, write = kept
    write(LIES[lie])
    assert jobs.all() == []
    for act in (jobs.read, jobs.stop, jobs.again, jobs.put_away):
        with pytest.raises(NoSuchJobError):
            act(job.id)
    assert quick(home, "jobs").exit_code == 0
    assert quick(home, "jobs", job.id).exit_code == 3
    assert path.exists()


@pytest.mark.parametrize("upload", ["../../../elsewhere.jsonl", "0/../../x", "", "\0"])
def test_an_upload_outside_of_its_jobs_folder_is_never_read(home, kept, upload):
    jobs, job, _, write = kept
    folder = home / "jobs" / job.id

    def uploaded(at: str):
        return lambda told: (told.update(uploaded=True), told["sources"][0].update(path=at))

    write(uploaded(str(folder / "0")))
    assert [one.id for one in jobs.all()] == [job.id]
    write(uploaded(f"{folder}/{upload}" if upload else ""))
    assert jobs.all() == []
    folder.mkdir()
    (folder / "0").symlink_to(home / "config.toml")
    write(uploaded(str(folder / "0")))
    assert jobs.all() == []


def test_what_is_no_regular_file_is_no_job_and_holds_up_nobody(home, kept):
    jobs, job, path, _ = kept
    names = iter(f"job-{n:026}" for n in range(1, 9))
    os.mkfifo(path.with_stem(next(names)))
    path.with_stem(next(names)).mkdir()
    path.with_stem(link := next(names)).symlink_to(path)
    path.with_stem(next(names)).symlink_to("/nowhere")
    told = json.loads(path.read_bytes()) | {"id": link}
    (home / "told").write_text(json.dumps(told))
    path.with_stem(link).unlink()
    path.with_stem(link).symlink_to(home / "told")
    os.mkfifo(path.with_name(f"{next(names)}.lock"))
    began = time.monotonic()
    assert [one.id for one in jobs.all()] == [job.id]
    assert time.monotonic() - began < 5


def test_no_process_but_a_worker_gets_a_signal(home, kept):
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


def test_a_worker_that_gets_no_signal_finds_the_word_that_was_left(home, tmp_path):
    jobs = jobs_in(home)
    job = begun(jobs, big(tmp_path, 30_000))
    until = time.monotonic() + PATIENCE
    while jobs.read(job.id).state is not JobState.RUNNING or not jobs.read(job.id).records_read:
        assert time.monotonic() < until
        time.sleep(0.02)
    jobs.files.ask_to_stop(job.id)
    assert ended(jobs, job).state is JobState.STOPPED


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


def test_what_is_kept_of_a_job_can_be_erased_and_the_store_stays(home, tmp_path):
    jobs = jobs_in(home)
    job = ended(jobs, begun(jobs, written(tmp_path, MIXED)))
    assert quick(home, "jobs", "drop", job.id).exit_code == 0
    assert list((home / "jobs").iterdir()) == []
    assert desk_in(home).waiting(Wanted()).total == 2


# --- the command line -------------------------------------------------------------------------


def test_background_prints_an_id_and_follow_ends_as_the_import_did(home, tmp_path):
    path = written(tmp_path, MIXED)
    begun_one = cli(home, "import", str(path), "--background", cwd=tmp_path)
    job = begun_one.stdout.strip()
    assert begun_one.returncode == 0
    assert job.startswith("job-")
    followed = cli(home, "jobs", job, "--follow", "--json")
    told = json.loads(followed.stdout)
    assert followed.returncode == 4
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
    for words in ("written, with something left", "line 8", "time_invalid (written_at)",
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
    cli(home, "import", str(path), "--quiet", cwd=tmp_path)
    listed, shown = cli(home, "jobs"), None
    assert "⟦U+001B ESC⟧" in listed.stdout
    shown = cli(home, "jobs", listed.stdout.split()[0])
    assert "⟦U+202E RLO⟧" in shown.stdout
    assert not HIDDEN.search(listed.stdout + shown.stdout)


def test_a_hostile_job_file_cannot_take_over_the_terminal_either(home, kept):
    _, job, _, write = kept

    def hostile(told) -> None:
        told["problem"] = "\x1b[2Jproblem"
        part = told["parts"][0]
        part |= {"importer": "\x1b]0;a\x07", "version": "\x9b1m", "import_id": "b\x1b[31m"}
        for row in part["rows"]:
            row |= {"reason": "\x1b[1mreason", "field": "\u202efield", "member": "a\nb"}

    write(hostile)
    listed, shown = quick(home, "jobs"), quick(home, "jobs", job.id)
    assert "reason" in shown.stdout
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
        "nothing_extracted": 2,
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

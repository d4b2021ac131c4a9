"""Two requests at once on one store, and a request while everything else is at work on it."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from console import doctor, identity
from console.wiring import open_workspace
from review.forget.ground import AtWorkError
from review.forget.run_points import RunPoint
from review.forget.running import NoSuchRequestError, NotSignedYetError
from review.forget.scope import Scope
from store.stages import Stage
from tests.console.forget_worlds import (
    Firm,
    about,
    bytes_with,
    cell,
    desk_of,
    faults,
    firm,
    made_from,
    vault_words,
)
from tests.console.test_cli import PASSPHRASE, command, environment, quick
from tests.faults import forget_worker
from tests.forked import Forked

CANARY = "canary 77f0 keeps to the north side of the harbour"
MANY = 40


@pytest.fixture(scope="module")
def template(tmp_path_factory) -> Firm:
    one = firm(tmp_path_factory.mktemp("together") / "w")
    told = [cell(f"{CANARY}, seen on day {n}", n, **about("ana")) for n in range(MANY)]
    one.items = one.learn(*told, cell("the ferry leaves at noon on every working day", 90))
    one.items += one.learn(cell("both were told by somebody", 91, **made_from(0, 90)))
    one.door("bot")
    one.publish()
    return one


@pytest.fixture
def acme(template, tmp_path) -> Firm:
    home = shutil.copytree(template.place.home, tmp_path / "w")
    return replace(template, place=open_workspace(home))


def process(home: Path, *words: str) -> subprocess.Popen[str]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command(*words), env=environment(home), text=True, **pipes)


def preview(one: Firm, name: str, subject: str = "ana") -> tuple[Path, int]:
    done = quick(one.place.home, "forget", "--subject", subject, "--preview", "--json")
    path = one.place.home.parent / f"{name}.json"
    path.write_text(done.stdout)
    return path, json.loads(done.stdout)["type_count"]


def whole(one: Firm) -> None:
    """Nothing half done: erased once, verified, nothing open, and what stays is there."""
    forget = desk_of(one).forget
    assert (forget.unfinished(), forget.unsigned(), forget.strange()) == ((), (), ())
    assert not forget.at_work()
    standing = one.place.store(one.tenant).standing()
    assert {standing.stage_of(item, 1) for item in one.items[:MANY]} == {Stage.ERASED}
    assert standing.stage_of(one.items[MANY], 1) == Stage.DURABLE
    assert standing.stage_of(one.items[MANY + 1], 1) == Stage.STAGED
    assert CANARY not in vault_words(one)
    assert faults(one) == []


@pytest.mark.faults
def test_of_two_runs_in_two_processes_one_wins_and_the_other_says_what_is_so(acme):
    home = acme.place.home
    plans = [preview(acme, name) for name in ("one", "two")]
    run = "forget", "--passphrase-stdin", "--json", "--wait", "60", "--plan"
    begun = [process(home, *run, str(p), "--type-count", str(n)) for p, n in plans]
    told = [one.communicate(f"{PASSPHRASE}\n", timeout=180) for one in begun]
    codes = [one.returncode for one in begun]
    won = [n for n, code in enumerate(codes) if code in (0, 4)]
    assert len(won) == 1, (codes, told)
    assert json.loads(told[won[0]][0])["outcome"] == "completed"
    out, err = told[1 - won[0]]
    lost = json.loads(out or err)["error"]
    assert codes[1 - won[0]] in (1, 6), told
    assert "being carried out" in str(lost) or "moved on since the preview" in str(lost)
    assert len(desk_of(acme).forget.reports()) == 1
    whole(acme)
    assert bytes_with(home, CANARY.encode()) == set()


def paused(one: Firm, point: RunPoint, subject: str = "ana"):
    """A run of a page, in a thread, that waits at ``point``: the thread, what lets it go on."""
    reached, go_on, ended = threading.Event(), threading.Event(), []

    def watch(at):
        if at is point:
            reached.set()
            assert go_on.wait(120)

    desk = desk_of(one)
    desk.forget.stand_on(desk.forget._ground, watch)
    scope = Scope(subject=subject)
    plan = desk.forget.plan(scope)
    token = desk.forget.token(plan)

    def work():
        ended.append(desk.forget.run(scope, token, one.sign, typed=plan.typed))

    thread = threading.Thread(target=work)
    thread.start()
    assert reached.wait(60)

    def finish():
        go_on.set()
        thread.join(180)
        assert ended, "the run did not end"
        return ended[0]

    return finish


@pytest.mark.faults
@pytest.mark.parametrize("point", [RunPoint.KEPT, RunPoint.SIGNED, RunPoint.TAKEN_AWAY])
def test_while_a_run_is_at_work_nothing_else_begins_and_nothing_looks_cut_off(acme, point):
    home, (plan, number) = acme.place.home, preview(acme, "late")
    finish = paused(acme, point)
    try:
        other = desk_of(acme).forget
        assert other.at_work()
        assert other.unsigned() == (), "it may be signed in the next moment"
        shown = other.plan(Scope(subject="ana", reference="T-2"))
        with pytest.raises(AtWorkError):
            other.run(shown.scope, other.token(shown), acme.sign, typed=shown.typed)
        for open_ in other.unfinished():
            with pytest.raises(AtWorkError):
                other.resume(open_, acme.sign)
        (known,) = (one for one in doctor.examine(home, identity.now()) if "backups" in one.name)
        assert known.verdict == doctor.OK
        assert not [one for one in doctor.examine(home, identity.now()) if "forget" in one.name]
        words = ("forget", "--plan", str(plan), "--type-count", str(number), "--passphrase-stdin")
        late = process(home, *words)
        _out, err = late.communicate(f"{PASSPHRASE}\n", timeout=120)
        assert (late.returncode, "is being carried out" in err) == (6, True), err
        assert "Nothing was begun" in err
        backup = process(home, "backup", "new")
        _out, err = backup.communicate(timeout=120)
        assert (backup.returncode, "is being carried out" in err) == (6, True), err
        assert "is being carried out" in quick(home, "forget-report").stderr
    finally:
        report = finish()
    assert report.outcome == "completed"
    whole(acme)


@pytest.mark.faults
def test_a_run_while_an_import_a_publish_a_backup_and_a_door_are_at_work(acme, tmp_path):
    """All of them in processes of their own, started with the run: each ends as it should."""
    home = acme.place.home
    lines = [cell(f"a sentence number {n} of another import", f"b{n}") for n in range(300)]
    lines.append(cell(f"{CANARY}, told again", "again", **about("ana")))
    source = tmp_path / "more.jsonl"
    head = json.dumps({"format": "memory-console/1"})
    source.write_text("\n".join([head, *map(json.dumps, lines)]) + "\n")
    plan, number = preview(acme, "busy")
    run = ("forget", "--plan", str(plan), "--type-count", str(number), "--passphrase-stdin")
    begun = {
        "forget": process(home, *run, "--json", "--wait", "60"),
        "import": process(home, "import", str(source), "--wait", "60"),
        "publish": process(home, "publish", "--passphrase-stdin", "--wait", "60"),
        "backup": process(home, "backup", "new", "--wait", "60", "--into", str(tmp_path / "out")),
    }
    acts = acme.acts(acme.door("second"))
    served = [acts.recall("What of the ferry?") for _ in range(3)]
    assert served
    told = {name: one.communicate(f"{PASSPHRASE}\n", timeout=240) for name, one in begun.items()}
    codes = {name: one.returncode for name, one in begun.items()}
    assert codes["import"] in (0, 4), told["import"]
    assert codes["publish"] in (0, 1, 4, 6), told["publish"]
    assert codes["backup"] in (0, 6), told["backup"]
    assert codes["forget"] in (0, 1, 4, 6), told["forget"]
    forget = desk_of(acme).forget
    if not forget.reports():  # others moved the log on first: it said so, and is done again
        assert CANARY in vault_words(acme), "nothing was erased by half"
        again, number = preview(acme, "again")
        words = ("--plan", str(again), "--type-count", str(number), "--passphrase-stdin")
        assert quick(home, "forget", *words, typed=f"{PASSPHRASE}\n").exit_code in (0, 4)
    whole_with_late(acme)
    (report,) = desk_of(acme).forget.reports()
    backups = [one for one in report.locations if one.location_id.startswith("backup:")]
    copies = [path for path in tmp_path.glob("out/*/store.duckdb")]
    holding = [path for path in copies if CANARY.encode() in path.read_bytes()]
    assert len(backups) == len(holding), "a backup that holds it is a place of the report"


def whole_with_late(one: Firm) -> None:
    """As ``whole``; the same words that were staged meanwhile are told and not erased."""
    forget = desk_of(one).forget
    assert (forget.unfinished(), forget.unsigned(), forget.strange()) == ((), (), ())
    standing = one.place.store(one.tenant).standing()
    assert {standing.stage_of(item, 1) for item in one.items[:MANY]} == {Stage.ERASED}
    assert faults(one) == []


@pytest.mark.faults
def test_killed_before_it_was_signed_it_is_told_and_can_be_thrown_away(acme):
    home = acme.place.home
    worker = Forked(forget_worker.main, str(home), "ana", str(RunPoint.KEPT))
    assert worker.ended() == -signal.SIGKILL, worker.lines
    forget = desk_of(acme).forget
    (left,) = forget.unsigned()
    assert (left.rows, left.withdrawn) == (MANY, 1)
    assert forget.unfinished() == ()
    assert CANARY in vault_words(acme), "nothing of it was erased, and it is still served"
    with pytest.raises(NotSignedYetError, match="nobody signed"):
        forget.resume(left.forget, acme.sign)
    (line,) = [one for one in doctor.examine(home, identity.now()) if one.name == "forget acme"]
    assert line.verdict == doctor.WARN
    assert f"memory-console forget --discard {left.forget}" in line.detail
    said = quick(home, "forget-report")
    assert "was never signed; nothing of it was erased" in said.stderr
    assert "Up to 1 records may have been taken out of use" in said.stderr
    refused = quick(
        home, "forget", "--request", left.forget, "--passphrase-stdin", typed=f"{PASSPHRASE}\n"
    )
    assert (refused.exit_code, "Preview again" in refused.stderr) == (3, True)
    thrown = quick(home, "forget", "--discard", left.forget)
    assert (thrown.exit_code, "nothing of it was erased" in thrown.stdout) == (0, True)
    assert desk_of(acme).forget.unsigned() == ()
    assert quick(home, "forget", "--discard", left.forget).exit_code == 3
    plan, number = preview(acme, "anew")
    words = ("--plan", str(plan), "--type-count", str(number), "--passphrase-stdin")
    assert quick(home, "forget", *words, typed=f"{PASSPHRASE}\n").exit_code in (0, 4)
    whole(acme)


@pytest.mark.faults
def test_a_signed_request_cannot_be_thrown_away(acme):
    home = acme.place.home
    worker = Forked(forget_worker.main, str(home), "ana", str(RunPoint.PART_SIGNED))
    assert worker.ended() == -signal.SIGKILL, worker.lines
    forget = desk_of(acme).forget
    (open_,) = forget.unfinished()
    assert forget.unsigned() == ()
    with pytest.raises(NoSuchRequestError):
        forget.discard(open_)
    refused = quick(home, "backup", "new")
    assert (refused.exit_code, f"--request {open_}" in refused.stderr) == (1, True)
    assert forget.resume(open_, acme.sign).outcome == "completed"
    assert quick(home, "backup", "new").exit_code == 0
    whole(acme)

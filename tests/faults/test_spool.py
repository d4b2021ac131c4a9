"""The spool under faults: nothing acknowledged is lost or taken twice, and nothing blocks."""

from __future__ import annotations

import json
import os
import random
import signal
import threading
import time
from pathlib import Path

import pytest

from store.spool import Spool
from store.verify import Verdict, verify
from tests.console.agents import Firm, cell
from tests.faults import spooling
from tests.forked import Forked

ROUNDS = 2
"""Kills of each side at least; ``make faults`` makes more."""

SIDES = {"door": spooling.staging, "console": spooling.taking}
BEGUN = {"door": "job", "console": "ready"}
MOMENTS = {"door": (0.1, 0.4), "console": (0.2, 1.5)}
"""Seconds in which a side is killed after that. A door writes ten times as fast as a console takes
in, and all that it has left over is taken in afterwards."""


@pytest.fixture(scope="module")
def template(tmp_path_factory) -> Firm:
    (made,) = Firm.founded(tmp_path_factory.mktemp("template") / "home", "acme")
    made.learn(cell("Shelf 1 holds tea.", 1))
    made.bot = made.door("bot")
    made.publish()
    return made


@pytest.fixture
def firm(template, tmp_path) -> Firm:
    return template.copied(tmp_path / "home")


def killed(home: Path, side: str, seed: int) -> list[str]:
    """Run one side, kill it at a random moment after it has begun; what it had acknowledged."""
    ready = threading.Event()

    def heard(line: str) -> None:
        if line.startswith(BEGUN[side]):
            ready.set()

    child = Forked(SIDES[side], home, heard=heard)
    assert ready.wait(60), child.lines
    time.sleep(random.Random(seed).uniform(*MOMENTS[side]))
    child.kill()
    assert child.ended() == -signal.SIGKILL, child.lines
    told = [line for line in child.lines if line.startswith("job") and line.endswith("\n")]
    return [line.split()[1] for line in told]


def taken(firm: Firm) -> list[str]:
    """Batches that are in the log, once for each time they are."""
    found = firm.place.store(firm.tenant).rows(
        "select import from proj_import where importer = 'agent_door' order by seq"
    )
    return [row["import"].removeprefix(f"imp-{firm.bot.id}-") for row in found]


@pytest.mark.faults
def test_kill_9_of_either_side_loses_nothing_and_doubles_nothing(firm, pytestconfig):
    jobs: set[str] = set()
    rounds = max(ROUNDS, pytestconfig.getoption("--fault-rounds") // 10)
    for seed in range(rounds):
        jobs.update(killed(firm.place.home, "door", seed))
        killed(firm.place.home, "console", seed)
    told = firm.ingest()
    assert not told.aside
    assert not told.busy
    in_the_log = taken(firm)
    assert len(in_the_log) == len(set(in_the_log))
    assert jobs <= set(in_the_log)
    assert len(jobs) > rounds
    receipts = Spool(firm.bot.folder).receipts()
    assert set(in_the_log) == set(receipts)
    store = firm.place.store(firm.tenant)
    traces = [one.body["trace"] for one in store.events() if one.type == "read.observed"]
    assert len(traces) == len(set(traces))
    report = verify(firm.place.store_path(firm.tenant), root=firm.place.root)
    assert not [line for line in report.lines if line.verdict == Verdict.FAIL]
    left = [path.name for path in (firm.bot.folder / "spool").iterdir()]
    assert all(name.startswith(".") for name in left)  # half written when it was killed
    for name in left:
        os.utime(firm.bot.folder / "spool" / name, (0, 0))
    firm.acts(firm.bot).stage([{"claim": "One more shelf."}])
    firm.ingest()
    assert not list((firm.bot.folder / "spool").iterdir())
    print(f"\n{rounds} kills of each side: {len(jobs)} acknowledged jobs, all in the log once")


class CrashError(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("step", ["receipt", "removal"])
def test_a_crash_between_the_log_and_the_receipt_stages_nothing_twice(firm, monkeypatch, step):
    acts = firm.acts(firm.bot)
    job = acts.stage([{"claim": "The gate opens at nine."}, {"claim": ""}])["job"]
    recall = acts.recall("When does the gate open?")["recall"]
    acts.answer("At nine.", recall)

    def crash(*_args, **_more):
        raise CrashError

    target = "store.spool.Spool.done" if step == "receipt" else "pathlib.Path.unlink"
    for _ in range(3):
        with monkeypatch.context() as patched:
            patched.setattr(target, crash)
            with pytest.raises(CrashError):
                firm.ingest()
    firm.ingest()
    store = firm.place.store(firm.tenant)
    types = [one.type for one in store.events()]
    assert taken(firm) == [job]
    assert (types.count("read.observed"), types.count("read.reported")) == (1, 1)
    records = acts.status(job)["records"]
    assert [one["outcome"] for one in records] == ["written", "nothing_extracted"]


def test_what_is_no_batch_is_set_aside_and_named_and_stops_nothing(firm):
    acts = firm.acts(firm.bot)
    spool = firm.bot.folder / "spool"
    good = acts.stage([{"claim": "The gate opens at nine."}])["job"]
    names = [f"00000000000000000000000{n:03}" for n in range(12)]
    header = {"format": "memory-console-spool/1", "at": "2026-03-01T00:00:00.000000Z"}

    def put(n: int, kind: str, body: bytes) -> None:
        (spool / f"{names[n]}.{kind}").write_bytes(body)

    def head(n: int, kind: str, **more) -> bytes:
        told = header | {"batch": names[n], "kind": kind} | more
        return json.dumps(told, sort_keys=True, separators=(",", ":")).encode() + b"\n"

    put(0, "stage", b"")
    put(1, "stage", b"\x00\xff" * 500)
    put(2, "stage", head(3, "stage") + b'{"claim": "of another name"}\n')
    put(3, "read", head(3, "read", policy="0" * 64, size=1) + b"{}\n")
    put(4, "read", head(4, "read", policy="no", size=1) + b'{"parts":[]}\n')
    put(5, "answer", head(5, "answer", recall="0" * 26, answer="of nobody's recall"))
    put(6, "answer", head(6, "answer", recall=["x"], answer={"y": 1}))
    put(7, "stage", head(7, "stage") + b'{"claim": "x"}\n' * 5_000)
    put(8, "stage", b"[" * 100_000)
    put(9, "stage", head(9, "stage") + b"x" * 5_000_000)
    os.symlink("/etc/hostname", spool / f"{names[10]}.stage")
    os.mkfifo(spool / f"{names[11]}.stage")
    (spool / "notes; rm -rf.txt").write_text("foreign")
    told = firm.ingest()
    assert told.staged == 1
    assert taken(firm) == [good]
    assert len(told.aside) == 13
    assert all(one.why for one in told.aside)
    assert not [path for path in spool.iterdir() if path.name != "aside"]
    assert firm.ingest().taken == 0
    assert acts.status(names[0])["state"] == "set_aside"
    failed = [one for one in acts.recall("When?")["notices"] if one["about"] == "failed"]
    assert names[0] in {one["job"] for one in failed}


def test_a_batch_says_nothing_about_who_wrote_it_or_for_whom(firm):
    """The writer, the scope and the door come from the folder, whatever the file says."""
    acts = firm.acts(firm.bot)
    other = firm.door("other", user="bob")
    claims = {
        "writer_identity": "p-somebody",
        "tenant_id": "another",
        "validation_state": "verified",
        "stage": "durable",
        "approved": True,
        "scope": {"user": "ana"},
        "source_type": "owner_order",
    }
    firm.acts(other).stage([{"claim": "The limit is 400.", **claims}])
    stolen = acts.stage([{"claim": "The limit is 900."}])["job"]
    path = next((other.folder / "spool").glob("*.stage"))
    data = path.read_bytes().replace(path.stem.encode(), stolen.encode())
    (other.folder / "spool" / f"{stolen}.stage").write_bytes(data)
    path.unlink()
    assert firm.ingest().staged == 2
    store = firm.place.store(firm.tenant)
    rows = store.rows(
        "select p.stage, p.source_type, decode(v.body)::json->>'$.writer_identity' as writer,"
        " decode(t.body) as claim from proj_item p"
        " join vault_payload v on v.commitment = p.provenance_c"
        " join vault_payload t on t.commitment = p.text_c where p.importer = 'agent_door'"
    )
    told = {one["claim"]: one for one in rows}
    assert set(told) == {"The limit is 400.", "The limit is 900."}
    assert told["The limit is 400."]["writer"] == other.id
    assert told["The limit is 900."]["writer"] == firm.bot.id
    assert {one["stage"] for one in rows} == {"staged"}
    assert {one["source_type"] for one in rows} == {"agent_summary"}


def test_a_spool_that_is_a_link_is_not_followed(firm, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    spool = firm.bot.folder / "spool"
    for path in spool.iterdir():
        path.unlink()
    spool.rmdir()
    spool.symlink_to(elsewhere)
    (elsewhere / "secret.txt").write_text("not yours")
    taking = firm.ingest()
    assert taking.taken == 0
    assert (elsewhere / "secret.txt").exists()


def test_a_door_that_cannot_be_written_is_named_and_holds_up_no_other(firm, monkeypatch):
    other = firm.door("other")
    firm.acts(firm.bot).stage([{"claim": "The gate opens at nine."}])
    job = firm.acts(other).stage([{"claim": "The door opens at ten."}])["job"]
    done = Spool.done

    def full(self, one, receipt):
        if one.id != job:
            raise OSError(13, "Permission denied")
        done(self, one, receipt)

    with monkeypatch.context() as patched:
        patched.setattr(Spool, "done", full)
        told = firm.ingest()
    assert [(one.door, one.why) for one in told.aside] == [("bot", "Permission denied")]
    assert firm.acts(other).status(job)["state"] == "done"
    firm.ingest()
    assert len(taken(firm)) == len(set(taken(firm))) == 2

"""The process that reads foreign files: what it hands over, and what becomes of its errors."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import threading
import time
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest

from importers import catalogue, confinement, frames, nursery, sandbox, syscall_filter
from importers.catalogue import UnknownFormatError
from importers.errands import Limits
from importers.nursery import Nursery
from importers.source import SourceRefusedError, from_bytes, from_path
from store.cells import Kind, Proposal, SourceType, Span
from store.records import Failed, FailReason, Nothing, Place, Read, Remark, RemarkCode
from store.trajectories import HumanDecision, Step, StepKind, Trajectory, Verdict

from .conftest import DATA

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = sorted(
    path.relative_to(DATA).as_posix()
    for folder in ("own", "mem0", "mcp_memory", "hostile")
    for path in (DATA / folder).rglob("*")
    if path.is_file()
)
ROWS = [{"id": f"{n}", "memory": f"Склад {n} — Коледино", "user_id": "ana"} for n in range(500)]
MEM0 = from_bytes("mem0.json", json.dumps({"results": ROWS}).encode())
LIMITS = Limits(cpu=5, idle=5, total=10)


def both(source, importer):
    inside = list(sandbox.open_reading(source, importer).records)
    outside = list(catalogue.open_reading(source, importer).records)
    return inside, outside


@pytest.mark.parametrize("fixture", FIXTURES)
def test_what_crosses_is_what_the_importer_read(fixture):
    source = from_path(DATA / fixture)
    try:
        importer = catalogue.detect(source)
    except UnknownFormatError:
        importer = catalogue.named("own_jsonl")
    inside, outside = both(source, importer)
    assert inside == outside


def test_a_folder_crosses_as_paths_and_an_upload_of_files_as_bytes():
    importer = catalogue.named("claude_memory")
    folder = from_path(DATA / "claude_memory" / "auto_memory")
    inside, outside = both(folder, importer)
    assert inside == outside
    held = replace(
        folder,
        members=tuple(
            replace(one, path=None, content=one.path.read_bytes()) for one in folder.members
        ),
    )
    assert list(sandbox.open_reading(held, importer).records) == outside


def test_the_origin_is_the_one_of_a_reading_without_the_process():
    source = from_path(DATA / "mem0" / next(p for p in FIXTURES if "mem0/" in p).split("/")[1])
    assert (
        sandbox.open_reading(source, catalogue.named("mem0")).origin
        == catalogue.open_reading(source, catalogue.named("mem0")).origin
    )


def test_the_format_is_recognised_in_the_process():
    assert sandbox.detect(MEM0).name == "mem0"
    assert sandbox.open_reading(MEM0).origin.importer == "mem0"


def test_a_file_in_no_known_format_is_refused_with_the_same_sentence():
    source = from_bytes("notes.bin", b"\x01\x02\x03 nothing")
    with pytest.raises(UnknownFormatError) as inside:
        sandbox.detect(source)
    with pytest.raises(UnknownFormatError) as outside:
        catalogue.detect(source)
    assert str(inside.value) == str(outside.value)


def test_a_refusal_crosses_with_its_sentence():
    source = from_bytes("backup.zip", b"PK\x03\x04" + b"memories.json" * 9)
    with pytest.raises(SourceRefusedError, match=r"backup\.zip: Its zip structure is broken\."):
        list(sandbox.open_reading(source, catalogue.named("openmemory")).records)


def test_a_reading_that_is_given_up_leaves_no_process():
    records = sandbox.open_reading(MEM0, catalogue.named("mem0")).records
    next(records)
    records.close()
    assert _children() == []


def test_many_threads_read_at_once():
    counts = []

    def read():
        records = sandbox.open_reading(MEM0, catalogue.named("mem0")).records
        counts.append(sum(isinstance(one, Read) for one in records))

    threads = [threading.Thread(target=read) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert counts == [500] * 8


def test_a_reading_starts_in_less_than_150_ms():
    sandbox.detect(MEM0)
    took = []
    for _ in range(5):
        began = time.perf_counter()
        next(sandbox.open_reading(MEM0, catalogue.named("mem0")).records)
        took.append(time.perf_counter() - began)
    assert min(took) < 0.150


def test_the_process_loads_no_screen_no_database_and_no_rules():
    script = (
        "import sys; sys.path[:0] = sys.argv[1:]; from importers import sandboxed;"
        "print(sorted({one.split('.')[0] for one in sys.modules} & {'streamlit', 'duckdb',"
        " 'pandas', 'numpy', 'review', 'console', 'sqlalchemy', 'subprocess'}))"
    )
    library = Path(sys.modules["msgspec"].__file__).parents[1]
    found = subprocess.run(
        [sys.executable, "-I", "-S", "-B", "-c", script, str(ROOT), str(library)],
        capture_output=True,
        text=True,
        check=True,
        env={},
    )
    assert found.stdout.strip() == "[]"


ORPHAN = """
import sys; sys.path.insert(0, sys.argv[1])
from importers import catalogue, nursery, sandbox
from importers.source import from_bytes
source = from_bytes("a.jsonl", b'{"type":"entity","name":"a","observations":["b"]}\\n' * 200_000)
records = sandbox.open_reading(source, catalogue.named("mcp_memory")).records
next(records)
print(nursery.NURSERY._running.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_when_the_console_is_killed_its_reading_processes_end():
    with subprocess.Popen(
        [sys.executable, "-c", ORPHAN, str(ROOT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as console:
        waiting = int(console.stdout.readline())
        children = Path(f"/proc/{waiting}/task/{waiting}/children").read_text().split()
        assert children
        console.kill()
        console.wait()
    for one in (waiting, *children):
        deadline = time.monotonic() + 5
        while _lives(one) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not _lives(one)


def test_a_new_waiting_process_is_started_when_the_old_one_is_gone():
    sandbox.detect(MEM0)
    nursery.NURSERY._running.kill()
    nursery.NURSERY._running.wait()
    assert sandbox.detect(MEM0).name == "mem0"


# --- a process that was taken over, or that breaks --------------------------------------------

BOOT = """
import sys; sys.path[:0] = sys.argv[2:]
from dataclasses import replace
from store.cells import *
from store.records import *
from importers import sandboxed, catalogue
from importers.catalogue import IMPORTERS

def one(n):
    found = Proposal(f"claim {n}", Kind.FACT, SourceType.DOCUMENT, f"s:{n}", None)
    return Read(Place(n, n, n + 1), b"x", found)

def read(source):
    named = dict(globals())
    exec(source.whole(1 << 20), named)
    yield from named["read"]()

def recognises(head):
    if b"never ends" in head.data:
        while True: pass
    return b"yield" in head.data

IMPORTERS["mem0"] = replace(IMPORTERS["mem0"], read=read, recognises=recognises)
sandboxed.main(int(sys.argv[1]))
"""


@pytest.fixture(scope="module")
def taken_over():
    """A nursery whose importer does what the file it reads says."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(nursery, "BOOT", BOOT)
        own = Nursery()
        own.warm()
    yield own
    own.close()


@pytest.fixture
def rogue(taken_over, monkeypatch):
    """The records of a file whose code is run by the importer."""
    monkeypatch.setattr(sandbox, "NURSERY", taken_over)

    def read(code, limits=LIMITS):
        body = "\n    ".join(code.strip().splitlines())
        source = from_bytes("code.py", f"def read():\n    {body}\n".encode())
        return list(sandbox.open_reading(source, catalogue.named("mem0"), limits).records)

    return read


def ended_early(records, before):
    """Whether all that came before is kept, and one failed record says that there was an end."""
    *kept, last = records
    assert [one.found.claim for one in kept] == [f"claim {n}" for n in range(before)]
    assert last.found == Failed(FailReason.OVER_LIMIT)
    assert last.raw == b""
    assert last.place.start == last.place.end == (kept[-1].place.end if kept else 0)
    return True


def test_a_loop_without_end_is_ended_by_the_limit_of_computing(rogue):
    code = """
yield one(0); yield one(1)
while True: pass
"""
    began = time.monotonic()
    assert ended_early(rogue(code, Limits(cpu=1, idle=20, total=None)), 2)
    assert time.monotonic() - began < 10


def test_a_loop_inside_a_search_is_ended_too(rogue):
    code = r"""
import re
yield one(0)
re.match(r"(a+)+$", "a" * 60 + "b")
"""
    assert ended_early(rogue(code, Limits(cpu=1, idle=20)), 1)


def test_a_process_that_sleeps_is_ended_when_nothing_comes(rogue):
    code = """
import time
yield from map(one, range(3))
time.sleep(60)
"""
    assert ended_early(rogue(code, Limits(idle=0.5)), 3)


def test_an_upload_is_ended_after_its_time_in_all(rogue):
    code = """
import time
for n in range(100):
    yield one(n); time.sleep(0.1)
"""
    found = rogue(code, Limits(idle=5, total=1.0))
    assert ended_early(found, len(found) - 1)
    assert 3 < len(found) < 40


def test_memory_is_bounded(rogue):
    code = """
yield one(0)
held = [bytearray(1 << 20) for _ in range(4096)]
"""
    assert ended_early(rogue(code, Limits(memory=256 << 20)), 1)


def test_a_crash_keeps_what_came_before(rogue):
    assert ended_early(rogue("yield one(0)\nraise RuntimeError('boom')"), 1)
    assert ended_early(rogue("yield one(0)\nimport os, signal\nos.abort()"), 1)


def test_a_stack_without_end_is_a_crash_and_no_more(rogue):
    code = """
yield one(0)
def again(n): return again(n + 1)
again(0)
"""
    assert ended_early(rogue(code), 1)


@pytest.mark.parametrize(
    "act",
    [
        "import socket; socket.socket()",
        "import socket; socket.getaddrinfo('localhost', 80)",
        "import subprocess; subprocess.run(['true'])",
        "import os; os.system('true')",
        "import os; os.execv('/bin/true', ['true'])",
        "import os; os.fork()",
        "import os; os.posix_spawn('/bin/true', ['true'], {})",
        "import os; os.kill(os.getppid(), 9)",
        "import ctypes; ctypes.CDLL(None)",
        "import os; os.remove(PATH)",
        "import os; os.rename(PATH, PATH + 'x')",
        "import os; os.mkdir(PATH + 'x')",
        "open(PATH + 'x', 'w')",
        "import os; os.open(PATH + 'x', os.O_WRONLY | os.O_CREAT)",
        "open(PATH).read()",
        "open('/etc/passwd').read()",
        "import sqlite3; sqlite3.connect(PATH + 'x')",
        "import pickle; pickle.loads(b'cposix\\nsystem\\n.')",
        "import sys; sys.stdin.read(1) or 1 / 0",
        "import os; os.environ['HOME']",
    ],
)
def test_what_no_reader_needs_is_refused(rogue, tmp_path, act):
    path = tmp_path / "a.txt"
    path.write_text("kept")
    found = rogue(f"PATH = {str(path)!r}\nyield one(0)\n{act}\nyield one(1)")
    assert ended_early(found, 1)
    assert [one.name for one in tmp_path.iterdir()] == ["a.txt"]
    assert path.read_text() == "kept"


@pytest.mark.parametrize(
    "path",
    [
        "confinement._CODE[0] + '../../../../../../etc/passwd'",
        "confinement._CODE[-1] + '../README.md'",
        "confinement._CODE[0][:-1] + '-other/x'",
        "'/proc/self/root/etc/passwd'",
    ],
)
def test_no_way_leads_out_of_the_folders_of_code(rogue, path):
    code = f"from importers import confinement\nyield one(0)\nopen({path}).read(1)\nyield one(1)"
    assert ended_early(rogue(code), 1)
    with pytest.raises(PermissionError):
        confinement._check_open((eval(path), "r", 0), frozenset())


def test_a_name_is_not_looked_up_from_an_open_folder():
    stdlib = os.path.relpath(confinement._CODE[0] + "os.py", "/")
    with pytest.raises(PermissionError):
        confinement._check_open((stdlib, None, 0), frozenset())
    confinement._check_open((confinement._CODE[0] + "os.py", None, 0), frozenset())


@pytest.mark.parametrize("name", ["_posixsubprocess", "ctypes", "_ctypes", "subprocess"])
def test_modules_that_start_programs_are_taken_away(rogue, name):
    assert ended_early(rogue(f"yield one(0)\nimport {name}\nyield one(1)"), 1)


NATIVE = """
import ctypes, os
LIBC = ctypes.CDLL(None)
held = ctypes.create_string_buffer(256)
PARENT = os.getppid()
for name in "execv fork kill fcntl socket open mkfifo mkdir symlink link rename unlink".split():
    getattr(LIBC, name)  # looked up before the hook refuses that
for name in "truncate chmod prctl ptrace memfd_create syscall".split():
    getattr(LIBC, name)
"""


@pytest.fixture(scope="module")
def native_code():
    """A nursery in which the file that is read may call the system's library past the hook."""
    with pytest.MonkeyPatch.context() as patched:
        head = BOOT.replace("sandboxed.main(", f"{NATIVE}\nsandboxed.main(")
        patched.setattr(nursery, "BOOT", head)
        own = Nursery()
        own.warm()
    yield own
    own.close()


@pytest.fixture
def native(native_code, monkeypatch):
    """What a call of the system's library answers, where a layer holds."""

    def call(layer, act):
        if layer not in sandbox.confined():
            pytest.skip(f"no layer {layer!r} on this system")
        with monkeypatch.context() as patched:
            patched.setattr(sandbox, "NURSERY", native_code)
            source = from_bytes("code.py", f"def read():\n    yield one(int({act}) + 1)".encode())
            (found,) = sandbox.open_reading(source, catalogue.named("mem0"), LIMITS).records
        return int(found.found.claim.removeprefix("claim ")) - 1

    return call


@pytest.mark.parametrize(
    "act",
    [
        "LIBC.execv(b'/bin/true', held) if os.path.exists('/bin/true') else 0",
        "LIBC.fork()",
        "LIBC.kill(PARENT, 0)",
        "LIBC.syscall(234, PARENT, PARENT, 0) if os.uname().machine == 'x86_64' else -1",
        "LIBC.fcntl(0, 8, PARENT)",
        "LIBC.socket(1, 1, 0)",
        "LIBC.open(PATH + b'x', 0o101, 0o600)",
        "LIBC.open(PATH, 2)",
        "LIBC.mkfifo(PATH + b'x', 0o600)",
        "LIBC.mkdir(PATH + b'x', 0o700)",
        "LIBC.symlink(PATH, PATH + b'x')",
        "LIBC.link(PATH, PATH + b'x')",
        "LIBC.rename(PATH, PATH + b'x')",
        "LIBC.unlink(PATH)",
        "LIBC.truncate(PATH, 0)",
        "LIBC.chmod(PATH, 0o777)",
        "LIBC.prctl(1, 0, 0, 0, 0)",
        "LIBC.ptrace(0, 0, 0, 0)",
        "LIBC.memfd_create(b'x', 0)",
        "LIBC.syscall(425, 1, held)",
        "LIBC.syscall(435, held, 64)",
    ],
)
def test_the_kernel_refuses_native_code_what_no_reader_needs(native, tmp_path, act):
    path = tmp_path / "a.txt"
    path.write_text("kept")
    mode = path.stat().st_mode
    assert native("calls", act.replace("PATH", repr(os.fsencode(path)))) == -1
    assert [one.name for one in tmp_path.iterdir()] == ["a.txt"]
    assert (path.read_text(), path.stat().st_mode) == ("kept", mode)


def test_the_kernel_refuses_native_code_to_read_other_files(native, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("secret")
    assert native("files", f"LIBC.open({os.fsencode(path)!r}, 0)") == -1
    assert native("files", "LIBC.open(b'/etc/passwd', 0)") == -1
    assert native("files", "LIBC.open(b'/proc/self/environ', 0)") == -1
    assert native("files", f"LIBC.open({os.fsencode(os.__file__)!r}, 0) >= 0") == 1


def test_another_database_cannot_be_attached(rogue, tmp_path):
    if not {"calls", "files"} & sandbox.confined():
        pytest.skip("no layer of the kernel on this system")
    code = f"""
import sqlite3
yield one(0)
sqlite3.connect(':memory:').execute("ATTACH '{tmp_path}/a.db' AS a").execute("CREATE TABLE a.b(c)")
yield one(1)
"""
    assert ended_early(rogue(code), 1)
    assert list(tmp_path.iterdir()) == []


def test_the_layers_are_told_as_they_are():
    assert confinement.Layer.HOOK in sandbox.confined()
    assert not confinement.HOLDING  # not in this process, which reads nothing foreign


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_decides_alike_on_both_machines(machine):
    def decide(call, *arguments, other=0):
        data = struct.pack(
            "=iIQ6Q", call, table[machine] ^ other, 0, *arguments[:6], *[0] * (6 - len(arguments))
        )
        at = held = 0
        while True:
            what, if_so, if_not, value = lines[at]
            at += 1
            if what == 0x06:
                return value
            if what == 0x20:
                (held,) = struct.unpack_from("=I", data, value)
            else:
                said = {0x15: held == value, 0x25: held > value, 0x45: bool(held & value)}[what]
                at += if_so if said else if_not

    table = syscall_filter._MACHINES
    made = syscall_filter.program(machine, 77)
    lines = list(struct.iter_unpack("=HBBI", made))
    assert len(lines) < 4096
    allow, deny, missing = 0x7FFF0000, 0x50001, 0x50026
    for call in syscall_filter._DENIED[machine].values():
        assert decide(call) == deny
    assert decide(435) == decide(437) == decide(452) == decide(1 << 30) == missing
    assert decide(1, other=1) == 0x80000000
    openat = {"x86_64": 257, "aarch64": 56}[machine]
    assert decide(openat, 0, 0, os.O_RDONLY | os.O_CLOEXEC) == allow
    for flag in (os.O_WRONLY, os.O_RDWR, os.O_CREAT, os.O_TRUNC):
        assert decide(openat, 0, 0, flag) == deny
    signal_thread = syscall_filter._SIGNALS_A_THREAD[machine]
    assert (decide(signal_thread, 77, 77, 6), decide(signal_thread, 78, 78, 6)) == (allow, deny)
    limits = syscall_filter._LIMITS[machine]
    assert (decide(limits, 0, 7, 0, 9), decide(limits, 0, 7, 9)) == (allow, deny)
    assert decide(limits, 0, 7, 1 << 40) == deny
    control = syscall_filter._FILE_CONTROL[machine]
    assert (decide(control, 0, 1), decide(control, 0, 8)) == (allow, deny)
    for call in {"x86_64": (0, 1, 9, 11, 12, 60, 231), "aarch64": (63, 64, 222, 215, 214, 94)}[
        machine
    ]:  # read, write, mmap, munmap, brk, exit
        assert decide(call) == allow


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such name spaces")
def test_the_process_sees_no_network_and_gains_no_rights(rogue):
    """Told by the kernel's own words about the process, before any hook is in place."""
    code = "yield from map(one, range(1))"
    assert len(rogue(code)) == 1
    waiting = sandbox.NURSERY._running.pid
    told = Path(f"/proc/{waiting}/status").read_text()
    assert "NoNewPrivs:\t1" in told
    assert "CapEff:\t0000000000000000" in told
    if os.readlink(f"/proc/{waiting}/ns/net") != os.readlink("/proc/self/ns/net"):
        devices = Path(f"/proc/{waiting}/net/dev").read_text().splitlines()[2:]
        assert [one.split(":")[0].strip() for one in devices] == ["lo"]


@pytest.mark.parametrize(
    "frame",
    [
        "b'not a frame at all, and long enough to be read as the head of one' * 9",
        "frames.HEADER.pack(frames.FRAME_LIMIT + 1, 80)",
        "frames.framed(80, b'\\xc1')",
        "frames.framed(80, frames.encode([1, 2, 3]))",
        "frames.framed(99, frames.encode([]))",
        "frames.framed(78, frames.encode([[{'line': 1, 'start': 0, 'end': 1, 'member': ''}, b'x',"
        " {'reason': 'no_such_reason'}]]))",
        "frames.framed(70, frames.encode([[{'line': 1, 'start': 9, 'end': 1, 'member': ''}, b'x',"
        " {'reason': 'not_json', 'column': 0, 'name': ''}]]))",
        "frames.framed(70, frames.encode([[{'line': 1, 'start': 0, 'end': 1, 'member': ''}, b'x',"
        " {'reason': 'not_json', 'column': 0, 'name': 'my secret is 4111'}]]))",
        "frames.framed(88, b'\\x01')",
        "frames.framed(80, b'\\x91' * 100000)",
    ],
)
def test_a_frame_that_is_none_ends_the_reading(rogue, frame):
    code = f"""
import os
from importers import frames
import sys
frame = sys._getframe()
while 'writer' not in frame.f_locals: frame = frame.f_back
writer = frame.f_locals['writer']
yield one(0)
writer.flush()
os.write(writer._pipe, {frame})
yield one(1)
"""
    assert ended_early(rogue(code), 1)


def test_a_process_that_never_stops_talking_is_ended(rogue):
    code = """
import itertools
yield from map(one, itertools.count())
"""
    found = rogue(code, Limits(answer=1 << 20))
    assert ended_early(found, len(found) - 1)


@pytest.mark.parametrize(
    "act",
    [
        "time.sleep(0.1); yield Remark(RemarkCode.TAIL_CUT, 1)",
        "time.sleep(0.1); os.write(writer._pipe, b'\\0')",
    ],
)
def test_what_is_no_record_does_not_keep_a_process_waiting(rogue, act):
    code = f"""
import os, sys, time
frame = sys._getframe()
while 'writer' not in frame.f_locals: frame = frame.f_back
writer = frame.f_locals['writer']
yield one(0)
writer.flush()
while True: {act}
"""
    began = time.monotonic()
    found = [one for one in rogue(code, Limits(idle=0.5, total=None)) if isinstance(one, Read)]
    assert ended_early(found, 1)
    assert time.monotonic() - began < 5


def test_empty_frames_and_remarks_have_an_end(rogue):
    empty = """
import os, sys
from importers import frames
frame = sys._getframe()
while 'writer' not in frame.f_locals: frame = frame.f_back
while True: os.write(frame.f_locals['writer']._pipe, frames.framed(80, b'\\x90'))
yield
"""
    limits = Limits(answer=None, total=None)
    assert ended_early(rogue(empty, limits), 0)
    found = rogue("while True: yield Remark(RemarkCode.TAIL_CUT, 1)", limits)
    assert len(found) == 10_001
    assert found[-1].found == Failed(FailReason.OVER_LIMIT)


def test_a_record_that_cannot_cross_fails_alone(rogue):
    code = r"""
yield one(0)
yield Read(Place(1, 1, 2), b"y", replace(one(1).found, claim="half \ud800 pair"))
yield Read(Place(2, 2, 3), b"z", replace(one(1).found, claim="x" * (65 << 20)))
yield Read(Place(3, 3, 4), b"w", replace(one(1).found, foreign={"odd": object()}))
yield one(4)
"""
    first, surrogate, long, odd, last = rogue(code)
    assert first.found.claim == "claim 0"
    assert surrogate.found == Failed(FailReason.LONE_SURROGATE)
    assert (surrogate.place, surrogate.raw) == (Place(1, 1, 2), b"y")
    assert long.found == Failed(FailReason.TOO_LONG)
    assert odd.found == Failed(FailReason.FIELD_INVALID)
    assert last.found.claim == "claim 4"


def test_looking_through_that_never_ends_refuses_the_source(rogue):
    source = from_bytes("endless.json", b"never ends")
    with pytest.raises(SourceRefusedError, match="more memory or time"):
        sandbox.parts(source, Limits(cpu=1))
    with pytest.raises(SourceRefusedError, match="more memory or time"):
        sandbox.detect(source, Limits(idle=0.3))


# --- frames -----------------------------------------------------------------------------------

PLACE = Place(1, 2, 3, "a.md")
FULL = Proposal(
    "claim",
    Kind.FACT,
    SourceType.DOCUMENT,
    "a:1",
    "2026-03-01T08:00:00Z",
    scope={"user": "ana"},
    evidence=(Span(0, 3),),
    foreign={"a": [1, {"b": None}], "c": True, "d": 0.5},
    remarks=(RemarkCode.NO_OWNER,),
)
RUN = Trajectory(
    "a:2",
    (Step(StepKind.SAID, "x", Span(0, 1), 1, 2, 3),),
    decisions=(HumanDecision(Verdict.EDIT, -1, edit="y"),),
)


@pytest.mark.parametrize(
    "found", [FULL, RUN, Nothing("blank_line"), Failed(FailReason.NOT_JSON, 3, "claim")]
)
def test_values_cross_unchanged(found):
    body = frames.encode([(PLACE, b"raw", found)])
    assert list(frames.records(frames.RECORDS[type(found)], body)) == [Read(PLACE, b"raw", found)]


def test_a_remark_crosses_unchanged():
    remark = Remark(RemarkCode.TAIL_CUT, 3)
    body = frames.encode([remark])
    assert list(frames.records(frames.RECORDS[Remark], body)) == [remark]


@pytest.mark.parametrize(
    "found",
    [
        replace(FULL, evidence=(Span(-1, 3),)),
        replace(FULL, remarks=("no_such_remark",)),
        replace(FULL, foreign={"a": b"bytes"}),
        replace(FULL, foreign={1: "a"}),
        replace(RUN, decisions=(HumanDecision(Verdict.EDIT, 7),)),
        Failed(FailReason.NOT_JSON, -1),
        Failed(FailReason.NOT_JSON, 0, "Bob's card 4111 1111 1111 1111"),
    ],
)
def test_values_that_no_importer_makes_are_refused(found):
    body = frames.encode([(PLACE, b"raw", found)])
    with pytest.raises(frames.FrameError):
        list(frames.records(frames.RECORDS[type(found)], body))


@pytest.mark.parametrize("unit", [b"\x90", b"\x80", b"\x81\xa0\x80", b"\x91\x00", b"\xc0"])
def test_a_small_frame_cannot_become_a_heap_of_lists(unit):
    mark = frames.encode("MARK")
    body = frames.encode([(PLACE, b"raw", replace(FULL, foreign={"a": "MARK"}))])
    many = (4 << 20) // len(unit)
    body = body.replace(mark, b"\xdd" + many.to_bytes(4, "big") + unit * many)
    tracemalloc.start()
    with pytest.raises(frames.FrameError):
        list(frames.records(frames.RECORDS[Proposal], body))
    assert tracemalloc.get_traced_memory()[1] < 64 << 20
    tracemalloc.stop()


def test_a_long_text_is_no_heap_of_lists():
    found = replace(FULL, claim="Коледино " * 60_000, foreign={"a": "Р" * 500_000})
    body = frames.encode([(PLACE, "р".encode() * 1_000_000, found)])
    assert next(frames.records(frames.RECORDS[Proposal], body)).found == found


def test_a_record_of_too_many_parts_fails_alone(rogue):
    code = """
yield one(0)
yield Read(Place(1, 1, 2), b"y", replace(one(1).found, foreign={"a": [[]] * 300_000}))
yield one(2)
"""
    first, many, last = rogue(code)
    assert many.found == Failed(FailReason.TOO_LONG)
    assert (first.found.claim, last.found.claim) == ("claim 0", "claim 2")


def _children():
    """Reading processes that live, after a moment to end."""
    waiting = nursery.NURSERY._running.pid
    for _ in range(50):
        told = Path(f"/proc/{waiting}/task/{waiting}/children").read_text().split()
        living = [one for one in told if _lives(one)]
        if not living:
            return []
        time.sleep(0.05)
    return living


def _lives(process):
    try:
        told = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return told.rsplit(")", 1)[1].split()[0] != "Z"

"""A transcript of any size is read in the memory of a small one, on both sides of the pipe."""

from __future__ import annotations

import json
import tracemalloc
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest

from importers import catalogue, sandbox
from importers.errands import limits_for
from importers.nursery import Nursery
from importers.source import from_path
from store.records import Failed, Read
from store.trajectories import Trajectory

MIB = 1 << 20
TEXT = "Проверил остатки на складе Коледино: всё на месте. " * 120
BEGIN = datetime(2026, 3, 1, tzinfo=UTC)
TURNS = 8
"""Lines after each of the person's: what the agent said."""


def line(n, kind, text):
    told = {
        "parentUuid": str(UUID(int=n)) if n else None,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/srv/app",
        "sessionId": str(UUID(int=7)),
        "version": "2.1.0",
        "type": kind,
        "message": {
            "role": kind,
            "content": text if kind == "user" else [{"type": "text", "text": text}],
        },
        "uuid": str(UUID(int=n + 1)),
        "timestamp": (BEGIN + timedelta(seconds=n)).isoformat(),
    }
    return json.dumps(told, ensure_ascii=False).encode() + b"\n"


def transcript(path, size):
    """A session of at least ``size`` bytes, and how many runs are in it."""
    written = n = runs = 0
    with path.open("wb") as stream:
        while written < size:
            written += stream.write(line(n, "user", f"Что на складе, вопрос {runs}?"))
            n, runs = n + 1, runs + 1
            for _ in range(TURNS):
                written += stream.write(line(n, "assistant", f"{n}: {TEXT}"))
                n += 1
    return runs


def most_memory(nursery):
    """The most that the reading processes of ``nursery`` have held so far, in bytes."""
    waiting = nursery._running.pid
    most = 0
    for one in Path(f"/proc/{waiting}/task/{waiting}/children").read_text().split():
        told = Path(f"/proc/{one}/status").read_text()
        most = max(most, int(told.split("VmHWM:")[1].split()[0]) * 1024)
    return most


def read_flat(tmp_path, monkeypatch, size):
    path = tmp_path / "session.jsonl"
    runs = transcript(path, size)
    source = from_path(path)
    limits = limits_for(source)
    own = Nursery()
    monkeypatch.setattr(sandbox, "NURSERY", own)
    importer = sandbox.detect(source, limits)
    assert importer is catalogue.named("claude_code")
    tracemalloc.start()
    try:
        found = failed = theirs = 0
        for n, one in enumerate(sandbox.open_reading(source, importer, limits).records):
            if isinstance(one, Read):
                found += isinstance(one.found, Trajectory)
                failed += isinstance(one.found, Failed)
            if n % 100 == 50:
                theirs = max(theirs, most_memory(own))
        ours = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        own.close()
    assert (found, failed) == (runs, 0)
    assert theirs > 0
    return ours, theirs


def test_64_megabytes_are_read_in_the_memory_of_the_importers_alone(tmp_path, monkeypatch):
    ours, theirs = read_flat(tmp_path, monkeypatch, 64 * MIB)
    assert ours < 7 * MIB
    assert theirs < 64 * MIB


@pytest.mark.soak
def test_500_megabytes_take_no_more_memory_than_64(tmp_path, monkeypatch):
    ours, theirs = read_flat(tmp_path, monkeypatch, 500 * MIB)
    assert ours < 7 * MIB
    assert theirs < 64 * MIB

"""Fixtures for everybody: a fixed clock, seeded randomness, throw-away reviewers, stores."""

from __future__ import annotations

import itertools
import random
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import hypothesis
import psycopg
import pytest

from console import signing
from console.signing import Unlocked, throwaway
from store.connections import Opener
from store.duckdb_store import DuckDbStore
from store.events import ActorKind, EventType, Happening
from store.log import Entry
from store.log_store import LogStore
from store.postgres import copying
from store.postgres.place import place_of
from store.postgres_store import PostgresStore
from store.standing import TrustRoot
from tests import postgres_server

NOON = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
SHARED = Path(__file__).resolve().parents[2] / "shared"

hypothesis.settings.register_profile("unhurried", deadline=None)
hypothesis.settings.load_profile("unhurried")  # a busy machine is no fault of a test

FEW_ROUNDS = 1
"""bcrypt rounds of key files made by tests, which open faster; ``test_signing`` tries the real."""


@pytest.fixture(autouse=True, scope="session")
def _key_files_that_open_fast():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(signing, "KDF_ROUNDS", FEW_ROUNDS)
        yield


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch):
    for name in ("MEMORY_CONSOLE_HOME", "MEMORY_CONSOLE_PIN", "MEMORY_CONSOLE_TENANT"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def shared() -> Path:
    if not SHARED.is_dir():
        pytest.skip("sample files of other systems are not beside this checkout")
    return SHARED


class Clock:
    """A clock that moves one second each time it is read."""

    def __init__(self, start: datetime = NOON) -> None:
        self.now = start

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def chance():
    return random.Random(7).randbytes


@dataclass
class Reviewer:
    """A person with an unlocked key."""

    name: str
    key: Unlocked

    @property
    def root(self) -> TrustRoot:
        return TrustRoot(self.name, self.key.public)


@pytest.fixture
def irina() -> Reviewer:
    return Reviewer("r-irina", throwaway(now=datetime.max.replace(tzinfo=UTC) - timedelta(days=1)))


@pytest.fixture
def mallory() -> Reviewer:
    return Reviewer(
        "r-mallory", throwaway(now=datetime.max.replace(tzinfo=UTC) - timedelta(days=1))
    )


def created() -> Entry:
    return Entry(
        Happening(
            EventType.STORE_CREATED,
            recorded_at="2026-03-10T12:00:00.000000Z",
            actor="p-test",
            actor_kind=ActorKind.PROCESS,
            process="p-test",
        )
    )


def founded(path: Path | None, trust: TrustRoot | None = None) -> DuckDbStore:
    """A new store, in memory without a path."""
    return DuckDbStore.create(
        path,
        store_id="store-1",
        tenant_id="tenant-1",
        key=bytes(range(32)),
        first=created(),
        trust=trust,
    )


@pytest.fixture(scope="session")
def new_store_file(tmp_path_factory) -> Path:
    """A store as it is made. A copy of it takes a third of the time of making one."""
    path = tmp_path_factory.mktemp("founded") / "store.duckdb"
    founded(path)
    return path


@pytest.fixture(scope="session")
def postgres():
    """A PostgreSQL server of this test process."""
    if postgres_server.SERVER is None:
        pytest.skip(postgres_server.WHY)
    with postgres_server.serving() as server:
        yield server


_SCHEMAS = itertools.count()


@pytest.fixture
def postgres_place(postgres):
    """A schema in it that nobody has used."""
    return place_of(postgres.words, f"test-{next(_SCHEMAS)}")


@pytest.fixture
def postgres_words(postgres):
    """How to connect to a database in it that nobody has used."""
    name = f"used_once_{next(_SCHEMAS)}"
    with psycopg.connect(postgres.words, autocommit=True) as raw:
        raw.execute(f"create database {name}")
        yield postgres.words.replace("dbname=postgres", f"dbname={name}")
        raw.execute(f"drop database {name} with (force)")


@pytest.fixture(params=["memory", "file", "postgres"])
def store(request, tmp_path, irina, new_store_file) -> LogStore:
    if request.param == "memory":
        return founded(None, irina.root)
    if request.param == "postgres":
        place = request.getfixturevalue("postgres_place")
        with Opener(new_store_file).reading() as copy:
            copying.fill(place, copy)
        return PostgresStore(place, beside=tmp_path / "s" / "store.duckdb", trust=irina.root)
    path = tmp_path / "s" / "store.duckdb"
    path.parent.mkdir(mode=0o700)
    shutil.copy(new_store_file, path)
    return DuckDbStore(path, trust=irina.root)


def pytest_addoption(parser):
    parser.addoption(
        "--fault-rounds",
        type=int,
        default=6,
        help="how many times to kill a writing process (6 by default, 200 with make faults)",
    )

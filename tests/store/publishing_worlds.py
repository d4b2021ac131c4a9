"""A store with durable cells, its published folder, and readers of it, for tests."""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from console.signing import throwaway
from review.identities import stamp
from review.person import Person
from review.publishing import Publishing
from review.staged.placing import Writer
from store import snapshot_checks
from store.duckdb_store import DuckDbStore
from store.last_seen import Seen
from store.published import Published
from store.shelf import Shelf
from store.snapshot_checks import Expected
from store.stages import DecisionKind
from store.statements import ReviewerStatement
from tests.conftest import NOON, Clock, Reviewer, created
from tests.contract import staged


def somebody() -> Reviewer:
    """A reviewer for worlds that a whole module shares."""
    far = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)
    return Reviewer("r-irina", throwaway(now=far))


@dataclass
class World:
    """One tenant, one reviewer, one folder that readers look into."""

    home: Path
    reviewer: Reviewer
    tenant: str = "tenant-1"
    store: DuckDbStore = field(init=False)
    clock: Clock = field(default_factory=Clock)

    def __post_init__(self) -> None:
        self.chance = random.Random(f"{self.home} {self.tenant}").randbytes
        path = self.home / "store.duckdb"
        if path.exists():
            self.store = DuckDbStore(path, trust=self.reviewer.root)
        else:
            self.store = DuckDbStore.create(
                path,
                store_id=f"store-of-{self.tenant}",
                tenant_id=self.tenant,
                key=bytes(range(32)),
                first=created(),
                trust=self.reviewer.root,
            )
        statement = ReviewerStatement(
            "root",
            self.reviewer.name,
            self.reviewer.key.public,
            signed_at=staged.TIME,
            by=self.reviewer.name,
        )
        (root,) = self.reviewer.key.sign([statement.encode()], now=self.reviewer.key._until)
        self.shelf = Shelf(self.folder, root=root, texts={"parameters": b""})

    def copied(self, home: Path) -> World:
        """The same over files of its own, to be changed."""
        shutil.copytree(self.home, home)
        return World(home, self.reviewer, self.tenant, clock=Clock(self.clock.now))

    @property
    def folder(self) -> Path:
        return self.home / "published"

    @property
    def publishing(self) -> Publishing:
        writer = Writer("p-test", self.clock, self.chance)
        return Publishing(self.store, Person(self.reviewer.name, "Irina"), writer, self.shelf)

    def sign(self, statements):
        return self.reviewer.key.sign(statements, now=self.reviewer.key._until)

    def stage(self, *texts: str) -> None:
        self.store.append(staged.stage(self.store, self.chance, *texts))

    def decide(self, *items: str, decision: DecisionKind = DecisionKind.APPROVE) -> None:
        with self.store.held():
            verdicts = [staged.verdict(self.store, item, decision) for item in items]
            self.store.append(staged.decide(self.store, self.reviewer, *verdicts))

    def learn(self, *texts: str) -> None:
        with self.store.held():
            self.stage(*texts)
            self.decide(*(f"item-{text}" for text in texts))

    def publish(self, **changes: timedelta):
        return self.publishing.publish(self.sign, **changes)

    @property
    def expected(self) -> Expected:
        return Expected(self.tenant, self.reviewer.key.public.fingerprint)

    def read(self, seen: Seen | None = None, expected: Expected | None = None) -> Published:
        at = snapshot_checks.pointed(self.folder, expected or self.expected, stamp(NOON))
        found = snapshot_checks.opened(at)
        snapshot_checks.continues(found, at, seen)
        denied = snapshot_checks.denied(self.folder, at, found.standing(), seen)
        if denied is not None:
            found.deny(*denied)
        return found

    def current(self) -> dict:
        return json.loads((self.folder / "current.json").read_text())

    def snapshot(self) -> Path:
        return self.folder / self.current()["snapshot"]

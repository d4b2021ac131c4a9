"""A store filled and asked the way a person fills and asks one: import, stage, sign, ask.

Cells are written as our own JSON Lines (``docs/formats.md``), read by the importer, staged under
the shipped policy, approved by a statement that a throw-away key signs over the exact artifacts,
and only then asked about. Drafts and cards are left out: they would read every record again for
a screen that nobody looks at. Records with a Stop flag are not approved, as a person could not.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import yaml

from bench.quality import reading_by
from console.signing import Unlocked, throwaway
from console.wiring import shipped_policy
from importers import catalogue, source
from review import instants, queue
from review.desk import Desk
from review.identities import Chance, new_id, stamp
from review.person import Person
from review.recall import Question, Recall
from review.staged.fact_reading import FactReading
from review.staged.flags import approvable, needs_tick
from review.staged.placing import Writer
from review.staged.staging import Stager
from review.text.visible import escape
from store import canonical
from store.cells import SourceType
from store.drafts import DraftBook
from store.duckdb_store import DuckDbStore
from store.events import ActorKind, EventType, Happening
from store.log import Entry, Head
from store.records import Outcome, Reading
from store.stages import MOVES, DecisionKind, Stage
from store.standing import Standing, TrustRoot
from store.statements import (
    DecisionStatement,
    ReviewerStatement,
    Seen,
    SignedStatement,
    Verdict,
)
from store.vault import digester

REVIEWER: Final = "r-bench"
PROCESS: Final = "p-bench"
EPOCH: Final = datetime(2000, 1, 1, tzinfo=UTC)
"""When a bench store learns its first record: before any moment that is asked about."""

SIGNED_TOGETHER: Final = 100
"""Records under one signature; 200 are allowed."""

OPEN_STAGES: Final = (Stage.STAGED, Stage.DEFERRED)


@dataclass(frozen=True, slots=True)
class Cell:
    """One memory to import. ``more`` holds further fields of our own format, as they are."""

    source_id: str
    claim: str
    written_at: str | None = None
    scope: Mapping[str, str] = field(default_factory=dict)
    source_type: str = "document"
    kind: str = "fact"
    more: Mapping[str, Any] = field(default_factory=dict)

    def line(self) -> str:
        """The record as a line of our own JSON Lines."""
        told: dict[str, Any] = {
            "claim": self.claim,
            "kind": self.kind,
            "source_type": self.source_type,
            "source_id": self.source_id,
            "written_at": self.written_at,
        }
        if self.scope:
            told["scope"] = dict(self.scope)
        return json.dumps(told | dict(self.more), ensure_ascii=False)


class Ticking:
    """A clock that moves a millisecond each time it is read."""

    def __init__(self, start: datetime) -> None:
        """Begin at ``start``."""
        self.now = start

    def __call__(self) -> datetime:
        """The present moment."""
        self.now += timedelta(milliseconds=1)
        return self.now


class World:
    """One store with a desk over it, a reviewer and a throw-away key."""

    def __init__(
        self, *, seed: int = 1, path: Path | None = None, key: Unlocked | None = None
    ) -> None:
        """An empty store under the shipped policy, in memory or at ``path``.

        Args:
            seed: Of every id.
            path: The store's file; one that is there already is taken up again.
            key: The reviewer's; a throw-away one when there is none.
        """
        self._clock = Ticking(EPOCH)
        self._chance: Chance = random.Random(seed).randbytes
        self._key = key or throwaway(now=EPOCH + timedelta(days=365_000))
        trust = TrustRoot(REVIEWER, self._key.public)
        if path is not None and path.exists():
            self.store = DuckDbStore(path, trust=trust)
            last = self.store.event(self.store.head().size - 1).recorded_at
            self._clock, self._chance = Ticking(datetime.fromisoformat(last)), os.urandom
        else:
            self.store = DuckDbStore.create(
                path,
                store_id=f"store-{seed}",
                tenant_id="tenant-bench",
                key=self._chance(32),
                first=Entry(self._happening(EventType.STORE_CREATED)),
                trust=trust,
            )
        self.desk = Desk(
            self.store,
            person=Person(REVIEWER, "Bench"),
            book=DraftBook(None),
            process=PROCESS,
            clock=self._clock,
            chance=self._chance,
        )
        reading_by.apply(self.desk)
        self._policy = self.desk.adopt_policy(shipped_policy())
        self.outcomes: Counter[str] = Counter()
        """What became of every record that was read, and how many could not be approved."""

    def learn(self, cells: Iterable[Cell], *, name: str = "bench.jsonl") -> int:
        """Import, stage and approve ``cells``; how many of them are durable now."""
        self.stage(cells, name=name)
        return self.approve()

    def stage(self, cells: Iterable[Cell], *, name: str = "bench.jsonl") -> int:
        """Import and stage ``cells``, in order; how many were written. None of them is durable."""
        data = "\n".join(cell.line() for cell in cells).encode("utf-8")
        if not data:
            return 0
        importer = catalogue.named("own_jsonl")
        reading = catalogue.open_reading(source.from_bytes(name, data), importer)
        receipt = self.desk.stage(reading)
        self.outcomes.update({str(outcome): n for outcome, n in receipt.counts.items()})
        return receipt.counts[Outcome.WRITTEN]

    def stage_reading(self, reading: Reading, facts: FactReading) -> None:
        """Stage an opened source, its facts read by ``facts``. None of it is durable."""
        writer = Writer(PROCESS, self._clock, self._chance)
        told = self._policy
        Stager(self.store, told.policy, told.sha256, writer, facts).run(reading)

    def approve(self, names: Iterable[str] | None = None) -> int:
        """Sign an approval of what waits and may be approved; how many that were.

        Args:
            names: Source ids to approve; everything that waits when there are none given.
        """
        rows = self._rows(OPEN_STAGES, names)
        fit = [row for row in rows if row.claim is not None and approvable(row.flags)]
        self.outcomes["not_approvable"] += len(rows) - len(fit)
        self._decide(fit, DecisionKind.APPROVE)
        return len(fit)

    def withdraw(self, names: Iterable[str]) -> int:
        """Sign that durable cells are durable no more; how many that were."""
        rows = self._rows((Stage.DURABLE,), names)
        self._decide(rows, DecisionKind.WITHDRAW)
        return len(rows)

    def withdraw_item(self, item: str) -> None:
        """Sign that one durable cell, named by its id, is durable no more."""
        standing = self.store.standing()
        stands = standing.items[item]
        verdict = Verdict(
            item=item,
            rev=stands.rev,
            artifact=stands.artifact,
            decision=DecisionKind.WITHDRAW,
            came_from=Stage.DURABLE,
            goes_to=Stage.STAGED,
            view_sha256=stands.artifact,
            nonce=self.nonce(),
        )
        self.decide([verdict], self.store.head(), standing.sequence.get(REVIEWER, 0) + 1)

    def name_owner(self, owner: SourceType) -> None:
        """Adopt the shipped policy with ``owner`` as owner of every parameter that is known."""
        known = self.desk._inquiry.known(self._policy.policy)
        owners = {name: str(owner) for name in known.cells.parameter_names if name}
        told = yaml.safe_load(shipped_policy())
        told["memory"]["owners"] = owners
        text = yaml.safe_dump(told, allow_unicode=True).encode("utf-8")
        self._policy = self.desk.adopt_policy(text)

    def sign(self, statements: Sequence[bytes]) -> Sequence[SignedStatement]:
        """Sign with the throw-away key."""
        return self._key.sign(statements, now=self._clock())

    def root(self) -> SignedStatement:
        """The self-signed statement that declares the throw-away key the trust root."""
        signed_at, key = stamp(self._clock()), self._key.public
        root = ReviewerStatement("root", REVIEWER, key, signed_at=signed_at, by=REVIEWER)
        return self.sign([root.encode()])[0]

    def ask(self, question: Question) -> Recall:
        """What the gate hands over for ``question``, with every scored candidate."""
        return self.desk.ask(question).recall

    def statuses(self, moment: datetime) -> dict[str, str]:
        """The status of every durable cell at a moment of world time, by source id."""
        known = self.desk._inquiry.known(self._policy.policy)
        at = instants.of(moment)
        names = known.cells.frame["source_id"]
        return {
            name: str(known.life.status(row, at, durable=True)) for row, name in enumerate(names)
        }

    def _rows(self, stages: Iterable[Stage], names: Iterable[str] | None) -> list[queue.Row]:
        """The latest revisions at some stages, in the order of staging."""
        found = self.store.rows("select * from proj_item where latest order by seq, n")
        wanted = set(stages)
        standing = self.store.standing()
        some = [one for one in found if standing.stage_of(one["item"], one["rev"]) in wanted]
        if names is not None:
            digest = digester(self.store.digest_key(), "source")
            keys = [digest(name.encode("utf-8")) for name in names]
            held = self.store.by_source(keys).values()
            items = {one.item for found in held for one in found}
            some = [one for one in some if one["item"] in items]
        return list(queue.rows_of(self.store, some))

    def _decide(self, rows: Sequence[queue.Row], decision: DecisionKind) -> None:
        for start in range(0, len(rows), SIGNED_TOGETHER):
            head, standing = self.store.head(), self.store.standing()
            some = rows[start : start + SIGNED_TOGETHER]
            verdicts = [self._verdict(row, decision, standing) for row in some]
            self.decide(verdicts, head, standing.sequence.get(REVIEWER, 0) + 1)

    def decide(self, verdicts: Sequence[Verdict], head: Head, nth: int) -> None:
        """Sign and append one statement, the reviewer's ``nth``, over at most 200 artifacts."""
        statement = DecisionStatement(
            store=self.store.store_id,
            tenant=self.store.tenant_id,
            verdicts=tuple(verdicts),
            prev=Seen(head.size, head.root),
            policy_sha256=self._policy.sha256,
            reviewer=REVIEWER,
            reviewer_seq=nth,
            signed_at=stamp(self._clock()),
            nonce=self.nonce(),
        )
        (signed,) = self.sign([statement.encode()])
        self.store.append(Entry(self._happening(EventType.BATCH_DECIDED), signed=signed))

    def _verdict(self, row: queue.Row, decision: DecisionKind, standing: Standing) -> Verdict:
        return Verdict(
            item=row.item,
            rev=row.rev,
            artifact=row.artifact,
            decision=decision,
            came_from=standing.stage_of(row.item, row.rev),
            goes_to=MOVES[decision][1],
            view_sha256=canonical.sha256(escape(row.claim or "").encode("utf-8")).hex(),
            nonce=self.nonce(),
            acknowledged=tuple(map(str, needs_tick(row.flags))),
        )

    def _happening(self, kind: EventType) -> Happening:
        human = kind == EventType.BATCH_DECIDED
        return Happening(
            kind,
            recorded_at=stamp(self._clock()),
            actor=REVIEWER if human else PROCESS,
            actor_kind=ActorKind.HUMAN_KEY if human else ActorKind.PROCESS,
            process=PROCESS,
        )

    def nonce(self) -> str:
        """An id that was not used before."""
        return new_id(self._clock(), self._chance(10))

"""A workspace for the measure of forgetting: one subject, what was derived of it, and a crowd.

Every record is written as our own JSON Lines, read by the importer and staged under the shipped
policy; its facts are not read, for they would take most of the time and change nothing of what is
erased. The subject's records and what was derived of them are approved by signatures over the
exact artifacts. The crowd stays staged: an erasure writes a row anew, whatever its stage.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from bench.generated import made
from console import signing
from console.identity import Tenant
from console.wiring import Workspace, enrol, new_workspace, open_workspace, shipped_policy
from importers import catalogue, source
from review.identities import new_id, stamp
from review.policy_in_force import adopt
from review.staged.placing import Writer
from review.staged.staging import Stager
from store.events import ActorKind, EventType, Happening
from store.log import Entry
from store.log_store import LogStore
from store.stages import MOVES, DecisionKind, Stage
from store.statements import MOST_SUBJECTS, DecisionStatement, Seen, Verdict

SUBJECT: Final = "client 4411"
PASSPHRASE: Final = "a passphrase of the bench"
SOURCES: Final = 100
"""Records that name the subject themselves."""

_SLICE: Final = 50_000
MARK: Final = "mc:bench:canary"


@dataclass(frozen=True, slots=True)
class ForgetWorld:
    """A filled workspace, and the text of every record that has to be gone in the end."""

    place: Workspace
    tenant: Tenant
    store: LogStore
    key: signing.Unlocked
    items: tuple[str, ...]
    """The subject's records, then what was derived of them, generation by generation."""

    canaries: tuple[str, ...]


def filled(home: Path, cells: int, derivatives: int) -> None:
    """Make a workspace in ``home`` with so many cells, ``derivatives`` and 100 sources among them.

    Of the derivatives a hundredth is derived of the subject's own records, a tenth of those, and
    the rest of that tenth: three generations.
    """
    told = list(_told(derivatives))
    crowd = _slices(_crowd(cells - len(told)))
    _fill(home, told, crowd)


def of_texts(home: Path, gone: Sequence[str], stays: Sequence[str]) -> ForgetWorld:
    """A workspace with a record for each text, those of ``gone`` first and approved."""
    told = [_record(f"chat:4411:{n}", text, ()) for n, text in enumerate(gone)]
    others = [_record(f"notes:{n}", text, ()) for n, text in enumerate(stays)]
    _fill(home, told, [[one | {"entities": [], "scope": {}} for one in others]])
    return _world(home, tuple(gone))


def opened(home: Path, derivatives: int) -> ForgetWorld:
    """The workspace that ``filled`` made in ``home`` with so many derivatives."""
    return _world(home, tuple(one["claim"] for one in _told(derivatives)))


def _world(home: Path, claims: tuple[str, ...]) -> ForgetWorld:
    place = open_workspace(home)
    tenant = place.settings.tenant()
    store = place.store(tenant)
    rows = store.rows("select item from proj_item order by seq, n limit :most", most=len(claims))
    items = tuple(row["item"] for row in rows)
    return ForgetWorld(place, tenant, store, _opened(place), items, claims)


def _fill(
    home: Path, told: Sequence[dict[str, Any]], crowd: Iterable[Sequence[dict[str, Any]]]
) -> None:
    """Stage ``told`` and approve it, then stage ``crowd``."""
    place, _ = enrol(new_workspace(home), name="Bench", passphrase=PASSPHRASE)
    store = place.store(place.settings.tenant())
    writer = Writer(place.settings.process, place.clock, random.Random(1).randbytes)
    policy = adopt(store, shipped_policy(), writer)
    stager = Stager(store, policy.policy, policy.sha256, writer)
    with store.held():
        _stage(stager, told, "subject.jsonl")
        _approve(store, _opened(place), place, policy.sha256)
        for n, lines in enumerate(crowd):
            _stage(stager, lines, f"crowd-{n}.jsonl")


def _opened(place: Workspace) -> signing.Unlocked:
    """The bench's key, open for longer than a person's would be."""
    late = datetime.now(tz=UTC) + timedelta(days=3_650)
    return signing.unlock(place.key_path(place.settings.reviewer or ""), PASSPHRASE, now=late)


def _told(derivatives: int) -> Iterator[dict[str, Any]]:
    """The subject's records and three generations of derivatives, parents before children."""
    for n in range(SOURCES):
        yield _record(f"chat:4411:{n}", f"{SUBJECT} said that {_words(n)} ({MARK} s{n}).", ())
    first, second = max(derivatives // 100, 1), max(derivatives // 10, 1)
    for n in range(derivatives):
        if n < first:
            parent = f"chat:4411:{n % SOURCES}"
        elif n < second:
            parent = f"notes:{n % first}"
        else:
            parent = f"notes:{first + n % max(second - first, 1)}"
        claim = f"Note {n} of what was said: {_words(n + 7)} ({MARK} d{n})."
        yield _record(f"notes:{n}", claim, (parent,))


def _record(source_id: str, claim: str, parents: Sequence[str]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "claim": claim,
        "kind": "insight" if parents else "fact",
        "source_type": "agent_summary" if parents else "document",
        "source_id": source_id,
        "written_at": "2026-02-01T10:00:00Z",
    }
    if parents:
        told["edges"] = [{"kind": "derived_from", "target": one} for one in parents]
    else:
        told["entities"] = [SUBJECT]
        told["scope"] = {"subject": SUBJECT}
    return told


def _words(n: int) -> str:
    chance = random.Random(n)
    words = ("parcel", "invoice", "garden", "window", "ticket", "delivery", "address", "refund")
    return " ".join(chance.choices(words, k=8))


def _crowd(count: int) -> Iterator[dict[str, Any]]:
    for one in made(count):
        told = _record(one.source_id, one.claim, ())
        yield told | {"written_at": one.written_at, "entities": [], "scope": {}}


def _slices(records: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    some: list[dict[str, Any]] = []
    for one in records:
        some.append(one)
        if len(some) == _SLICE:
            yield some
            some = []
    if some:
        yield some


def _stage(stager: Stager, records: Sequence[dict[str, Any]], name: str) -> None:
    data = "\n".join(json.dumps(one) for one in records).encode("utf-8")
    importer = catalogue.named("own_jsonl")
    stager.run(catalogue.open_reading(source.from_bytes(name, data), importer))


def _approve(
    store: LogStore,
    key: signing.Unlocked,
    place: Workspace,
    policy_sha256: str,
) -> None:
    """Sign an approval of what is there, at most 200 under one signature, as the desk does."""
    rows = store.rows("select item, rev, digest from proj_item where latest order by seq, n")
    reviewer = place.settings.reviewer or ""
    for start in range(0, len(rows), MOST_SUBJECTS):
        head, standing, now = store.head(), store.standing(), stamp(place.clock())
        verdicts = tuple(
            Verdict(
                item=row["item"],
                rev=row["rev"],
                artifact=row["digest"],
                decision=DecisionKind.APPROVE,
                came_from=Stage.STAGED,
                goes_to=MOVES[DecisionKind.APPROVE][1],
                view_sha256="0" * 64,
                nonce=new_id(place.clock(), place.chance(10)),
            )
            for row in rows[start : start + MOST_SUBJECTS]
        )
        statement = DecisionStatement(
            store=store.store_id,
            tenant=store.tenant_id,
            verdicts=verdicts,
            prev=Seen(head.size, head.root),
            policy_sha256=policy_sha256,
            reviewer=reviewer,
            reviewer_seq=standing.sequence.get(reviewer, 0) + 1,
            signed_at=now,
            nonce=new_id(place.clock(), place.chance(10)),
        )
        (signed,) = key.sign([statement.encode()], now=place.clock())
        told = Happening(
            EventType.BATCH_DECIDED,
            recorded_at=now,
            actor=reviewer,
            actor_kind=ActorKind.HUMAN_KEY,
            process=place.settings.process,
        )
        store.append(Entry(told, signed=signed))

"""Builds stores with canaries, and signed forget requests over them, without the desk."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pandas as pd
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from console.signing import Unlocked
from store.duckdb_store import DuckDbStore
from store.events import EventType
from store.forget_statements import ForgetStatement, Forgotten
from store.log import Entry
from store.statements import Seen
from tests.conftest import Reviewer, created
from tests.contract.staged import TIME, artifact_of, happening, stage

PARTS = ("text_c", "provenance_c", "scope_c", "facts_c", "conclusion_c", "raw_c", "place_c")


def olga() -> Reviewer:
    """The same reviewer in every process."""
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    return Reviewer("r-olga", Unlocked(key, now=datetime(9998, 1, 1, tzinfo=UTC)))


def a_store(path, reviewer, *batches, seed=3) -> DuckDbStore:
    """A store in a file, with one batch of ``{item: text}`` for each argument."""
    chance = random.Random(seed).randbytes
    store = DuckDbStore.create(
        path,
        store_id="store-1",
        tenant_id="tenant-1",
        key=bytes(range(32)),
        first=created(),
        trust=reviewer.root,
    )
    with store.held():
        for batch in batches:
            store.append(stage(store, chance, *batch.values(), names=tuple(batch)))
    return store


def contents_of(store, *items) -> tuple[str, ...]:
    wanted = pd.DataFrame({"item": items})
    query = "select p.* from wanted w join proj_item p on p.item = w.item order by p.seq, p.n"
    rows = store.rows(query, {"wanted": wanted})
    return tuple(dict.fromkeys(row[part] for row in rows for part in PARTS if row[part]))


def forget(store, reviewer, *items, forget="f-1", contents=None, changes=None, **more) -> Entry:
    """One signed forget request over whole items, ready to append."""
    with store.held():
        return _forget(store, reviewer, items, forget, contents, (changes or {}) | more)


def _forget(store, reviewer, items, forget, contents, changes):
    head = store.head()
    told = {
        "store": store.store_id,
        "tenant": store.tenant_id,
        "forget": forget,
        "part": 1,
        "parts": 1,
        "plan_sha256": "a" * 64,
        "items": tuple(Forgotten(item, *artifact_of(store, item)) for item in items),
        "contents": contents_of(store, *items) if contents is None else contents,
        "prev": Seen(head.size, head.root),
        "reviewer": reviewer.name,
        "reviewer_seq": store.standing().sequence.get(reviewer.name, 0) + 1,
        "signed_at": TIME,
        "nonce": f"f-{head.size}",
    }
    data = ForgetStatement(**(told | changes)).encode()
    (signed,) = reviewer.key.sign([data], now=reviewer.key._until)
    return Entry(happening(EventType.FORGET_REQUESTED), signed=signed)


def ended(kind: EventType, forget: str, **counts: int) -> Entry:
    return Entry(happening(kind, forget=forget, report="b" * 64, counts=counts))

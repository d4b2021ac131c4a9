"""The walk over a log's raw bytes that ``store.verify`` reports on. Reads only.

Everything is derived again from canonical bytes; faults are collected, not raised, so that one
report names them all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import duckdb

from store import artifact, canonical, listings, merkle
from store.events import GENESIS, SIGNED_TYPES, Event, EventType, LeafType, chain_hash, read_event
from store.forget_statements import guard_digest
from store.links import LinkStatement
from store.listings import Listing
from store.publications import PublishStatement, state_root
from store.rule_exports import ExportStatement
from store.standing import Standing, TrustRoot
from store.statements import DecisionStatement, SignedStatement

_CHUNK: Final = 5_000
_PARTS: Final = ("text", "provenance", "scope", "facts", "conclusion", "pointer")


@dataclass(frozen=True, slots=True)
class AuditedItem:
    """One revision of an item, as its batch item spells it."""

    digest: str
    seq: int


@dataclass
class Audit:
    """What the walk found: the state the log implies, and every fault on the way."""

    store: str
    tenant: str
    standing: Standing
    size: int = 0
    leaves: int = 0
    batches: int = 0
    statements: int = 0
    last_human: int = 0
    items: dict[tuple[str, int], AuditedItem] = field(default_factory=dict)
    listings: dict[str, Listing] = field(
        default_factory=lambda: {name: Listing() for name in listings.COLUMNS}
    )
    """What each table that pages query should hold."""

    roots: list[bytes] = field(default_factory=list)
    commitments: set[bytes] = field(default_factory=set)
    completed: set[str] = field(default_factory=set)
    """Forget requests of which the log says that they were carried out in full."""

    guards: list[tuple[str, str]] = field(default_factory=list)
    """Of each event with keyed digests: its forget request, and the digest over them."""

    broken: list[str] = field(default_factory=list)
    bad_batches: list[str] = field(default_factory=list)
    bad_columns: list[str] = field(default_factory=list)
    unsigned: list[str] = field(default_factory=list)
    last_published: int = -1
    """Where the log says the last snapshot was published: only its state is computed again."""

    published: tuple[PublishStatement, str, int] | None = None
    """The last publish statement, the state root of what was durable then, and of how many."""

    def root_at(self, size: int) -> str | None:
        """Merkle root, hex, of the first ``size`` events."""
        return self.roots[size].hex() if 0 <= size < len(self.roots) else None

    def artifacts_of(self, wanted: Iterable[tuple[str, int]]) -> dict[tuple[str, int], str]:
        """Digests of the artifacts staged so far as (item, revision)."""
        return {one: self.items[one].digest for one in wanted if one in self.items}


def walk(connection: duckdb.DuckDBPyConnection, root: TrustRoot | None) -> Audit:
    """Walk the whole log of an open store."""
    named = connection.execute("select store, tenant from log_identity").fetchall()
    store, tenant = named[0] if len(named) == 1 else ("", "")
    audit = Audit(store, tenant, Standing(store, tenant, root))
    signatures = {
        str(sha): SignedStatement(bytes(statement), str(signature))
        for sha, statement, signature in connection.execute(
            "select statement_sha256, statement, sshsig from log_signature"
        ).fetchall()
    }
    audit.last_published = _last(connection, EventType.SNAPSHOT_PUBLISHED)
    batches = _batches(connection)
    waiting = next(batches, None)
    frontier, previous = merkle.Frontier(), GENESIS
    audit.roots.append(frontier.root())
    rows = connection.cursor().execute(
        "select seq, canon, prev, h, type, item, recorded_at from log_event order by seq"
    )
    for row in _rows(rows):
        seq, canon, prev, h = int(row[0]), bytes(row[1]), bytes(row[2]), bytes(row[3])
        if seq != audit.size or prev != previous or chain_hash(previous, canon) != h:
            audit.broken.append(f"event {seq} does not follow the one before it")
        previous = chain_hash(previous, canon)
        frontier = frontier.grow(merkle.leaf_hash(canon))
        audit.roots.append(frontier.root())
        audit.size += 1
        try:
            event = read_event(canon, h)
        except (canonical.NotCanonicalError, KeyError, TypeError) as error:
            audit.broken.append(f"event {seq} is not canonical ({type(error).__name__})")
            continue
        _columns(audit, event, seq, tuple(row[4:]))
        while waiting is not None and waiting[0] < seq:
            audit.bad_batches.append(f"items of event {waiting[0]} belong to no batch")
            waiting = next(batches, None)
        if event.type == EventType.IMPORT_STAGED:
            mine = waiting is not None and waiting[0] == seq
            _batch(audit, event, waiting if mine else None)
            _listed(audit, event)
            waiting = next(batches, None) if mine else waiting
        _signed(audit, event, signatures)
        _refer(audit, event.body.get("source"), event.body.get("name"))
        _forgotten(audit, event)
        if event.type == EventType.RUN_ANALYSED:
            _refer(audit, *(reading[1] for reading in event.body.get("readings", ())))
        if event.type in _CONTENT:
            _refer(audit, event.body.get(_CONTENT[event.type]))
    if waiting is not None:
        audit.bad_batches.append(f"items of event {waiting[0]} belong to no batch")
    return audit


_CONTENT: Final = {
    str(EventType.POLICY_CHANGED): "policy",
    str(EventType.MEMORY_RECALLED): "recall",
    str(EventType.READ_OBSERVED): "recall",
    str(EventType.READ_REPORTED): "answer",
    str(EventType.MODEL_PROPOSED): "proposal",
    str(EventType.GATE_FITTED): "labels",
    str(EventType.GATE_LABELLED): "labels",
    str(EventType.FORGET_CONFIRMED): "evidence",
}
"""Which field of an event's body names content in the vault."""


def _forgotten(audit: Audit, event: Event) -> None:
    """What processes say of forget requests: held against the signatures later."""
    if event.type == EventType.FORGET_COMPLETED:
        audit.completed.add(str(event.body.get("forget")))
    if event.type == EventType.FORGET_GUARDED:
        audit.guards.append((str(event.body.get("forget")), _guard(event.body.get("keys"))))


def _guard(keys: object) -> str:
    """The digest over keyed digests; empty for what are none."""
    told = list(keys) if isinstance(keys, list | tuple) else []
    return guard_digest(told) if told and all(type(key) is str for key in told) else ""


def _columns(audit: Audit, event: Event, seq: int, columns: tuple[Any, ...]) -> None:
    if (event.store, event.tenant) != (audit.store, audit.tenant):
        audit.broken.append(f"event {seq} was written for another store or tenant")
    if (event.seq, event.type, event.item, event.recorded_at) != (seq, *columns):
        audit.bad_columns.append(f"event {seq} is listed as something else")


def _batches(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[int, list[bytes]]]:
    rows = connection.cursor().execute(
        "select seq, ordinal, canon from log_leaf order by seq, ordinal"
    )
    seq, leaves = -1, list[bytes]()
    for found, _ordinal, canon in _rows(rows):
        if found != seq and leaves:
            yield seq, leaves
            leaves = []
        seq = int(found)
        leaves.append(bytes(canon))
    if leaves:
        yield seq, leaves


def _batch(audit: Audit, event: Event, found: tuple[int, list[bytes]] | None) -> None:
    promised = event.body.get("leaves", 0)
    if not promised:
        if found is not None:
            audit.bad_batches.append(f"event {event.seq} promises no items and has some")
        return
    audit.batches += 1
    if found is None or found[0] != event.seq or len(found[1]) != promised:
        audit.bad_batches.append(f"items of event {event.seq} are missing")
        return
    root = merkle.root([merkle.leaf_hash(leaf) for leaf in found[1]])
    if root.hex() != event.body.get("root"):
        audit.bad_batches.append(f"items of event {event.seq} are not the ones it commits to")
    outcomes: Counter[str] = Counter()
    for n, leaf in enumerate(found[1]):
        audit.leaves += 1
        try:
            told = canonical.decode(leaf)
            outcomes[LeafType(told["type"]).outcome] += 1
            _leaf(audit, event, n, told)
        except (canonical.NotCanonicalError, KeyError, ValueError, TypeError):
            audit.bad_batches.append(f"item {n} of event {event.seq} is malformed")
    if +Counter(event.body.get("counts", {})) != outcomes:
        audit.bad_batches.append(f"the counts of event {event.seq} are not those of its items")


def _listed(audit: Audit, event: Event) -> None:
    try:
        audit.listings["proj_import"].add(listings.import_row(event))
    except KeyError:
        audit.bad_batches.append(f"event {event.seq} does not say what it imported")


def _leaf(audit: Audit, event: Event, n: int, leaf: dict[str, Any]) -> None:
    _refer(audit, leaf.get("raw"), leaf.get("place"))
    if leaf["type"] == LeafType.RUN:
        _refer(audit, leaf["run"], leaf["analysis"])
        audit.listings["proj_run"].add(listings.run_row(event, n, leaf))
        return
    if leaf["type"] != LeafType.WRITTEN:
        audit.listings["proj_record"].add(listings.record_row(event, n, leaf))
        return
    manifest = leaf["artifact"]
    digest = artifact.digest(manifest)
    if digest != leaf["digest"] or (manifest["item"], manifest["rev"]) != (
        leaf["item"],
        leaf["rev"],
    ):
        audit.bad_batches.append(
            f"item {n} of event {event.seq} names another artifact than its own"
        )
    _refer(audit, *(manifest[part] for part in _PARTS))
    audit.items[(leaf["item"], leaf["rev"])] = AuditedItem(digest, event.seq)
    audit.listings["proj_item"].add(listings.item_row(event, n, leaf))
    for row in listings.edge_rows(leaf):
        audit.listings["proj_edge"].add(row)


def _signed(audit: Audit, event: Event, signatures: dict[str, SignedStatement]) -> None:
    if event.type not in SIGNED_TYPES:
        audit.standing.position = event.seq + 1
        return
    signed = signatures.get(str(event.body.get("statement")))
    before = len(audit.standing.used)
    effective = audit.standing.take(
        event, signed, artifacts_of=audit.artifacts_of, root_at=audit.root_at
    )
    if signed is None or len(audit.standing.used) == before:
        audit.unsigned.append(f"event {event.seq} has no signature that may stand")
        return
    audit.statements += 1
    if event.type != EventType.FORGET_REPLAYED:  # it was signed over another log than this one
        audit.last_human = event.seq + 1
    if event.seq == audit.last_published and audit.standing.published is not None:
        durable = list(audit.standing.durable())
        audit.published = (audit.standing.published, state_root(durable), len(durable))
    if isinstance(effective, LinkStatement):
        _refer(audit, *(link.note for link in effective.links))
        for row in listings.link_rows(event, effective, signed.sha256):
            audit.listings["proj_link"].add(row)
    elif isinstance(effective, ExportStatement):
        _refer(audit, effective.content, effective.note)
    elif isinstance(effective, DecisionStatement):
        _refer(audit, *(verdict.note for verdict in effective.verdicts))
        for row in listings.decision_rows(event, effective, signed.sha256):
            audit.listings["proj_decision"].add(row)


def _refer(audit: Audit, *commitments: object) -> None:
    for commitment in commitments:
        if isinstance(commitment, str) and len(commitment) == 64:
            audit.commitments.add(bytes.fromhex(commitment))


def _last(connection: duckdb.DuckDBPyConnection, kind: EventType) -> int:
    rows = connection.execute("select max(seq) from log_event where type = ?", [str(kind)])
    ((found,),) = rows.fetchall()
    return -1 if found is None else int(found)


def _rows(cursor: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    while chunk := cursor.fetchmany(_CHUNK):
        yield from chunk

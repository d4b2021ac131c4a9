"""One append, in one open transaction: the only code that writes to the log.

Events, batch items, payloads, signatures and projections become true together or not at all.
"""

from __future__ import annotations

import base64
from typing import Any, Final

import pandas as pd
from sqlalchemy import Connection, func, select, text
from sqlmodel import Session, col

from store import condemning, effects, forget_list, judging, merkle, projections
from store.events import GENESIS, SIGNED_TYPES, Event, EventType, chain_hash, read_event
from store.log import AlreadyDecidedError, Entry, Head, LogMovedError
from store.publications import PublishStatement, state_root
from store.signatures import verify
from store.standing import Effect, NotAcceptedError, Standing
from store.statements import DecisionStatement, SignedStatement, read_decision
from store.tables import CheckpointRow, EventRow, LineageRow, SignatureRow

_PEOPLE: Final = (EventType.BATCH_DECIDED, EventType.REVIEWER_ADDED, EventType.REVIEWER_REVOKED)
_LAST: Final = "select seq, h from log_event where seq = (select max(seq) from log_event)"
"""Not "order by … limit 1", which reads every row."""


def head(connection: Connection) -> Head:
    """The present end of the log."""
    last = last_row(connection)
    if last is None:
        return Head(0, GENESIS.hex(), merkle.EMPTY_ROOT.hex())
    size = last[0] + 1
    root = judging.Judge(connection).root_at(size)
    return Head(size, last[1].hex(), root or "")


def last_row(connection: Connection) -> tuple[int, bytes] | None:
    """Position and chain hash of the newest event."""
    rows = connection.exec_driver_sql(_LAST).all()
    return (int(rows[0][0]), bytes(rows[0][1])) if rows else None


def chain_at(connection: Connection, seq: int) -> bytes | None:
    """Chain hash of the event at ``seq``."""
    return connection.execute(
        select(col(EventRow.h)).where(col(EventRow.seq) == seq)
    ).scalar_one_or_none()


def heard(connection: Connection) -> int:
    """How many events the log has that a restored store has to hear: see ``forget_list``."""
    kinds = [str(kind) for kind in (*forget_list.KINDS, EventType.FORGET_REPLAYED)]
    wanted = select(func.count()).where(col(EventRow.type).in_(kinds))
    return int(connection.execute(wanted).scalar_one())


def items_of(entry: Entry) -> tuple[str, ...]:
    """The items that a decision batch decides."""
    if entry.happening.type != EventType.BATCH_DECIDED or entry.signed is None:
        return ()
    return tuple(v.item for v in read_decision(entry.signed.statement).verdicts)


def append(
    connection: Connection,
    entry: Entry,
    *,
    after: int | None,
    standing: Standing,
    judge: judging.Judge,
) -> Event:
    """Append ``entry`` in the transaction of ``connection``. See ``store.log.Store.append``."""
    last = last_row(connection)
    seq, previous = (0, GENESIS) if last is None else (last[0] + 1, last[1])
    if after is not None and after != seq:
        raise LogMovedError(after=after, now=seq)
    decided = _accepted(entry, standing, judge, seq)
    store, tenant = _identity(connection)
    happening = entry.happening.with_body(_body(entry))
    canon = happening.canon(store=store, tenant=tenant, seq=seq)
    chain = chain_hash(previous, canon)
    with Session(connection) as session:
        session.add(
            EventRow(
                seq=seq,
                canon=canon,
                prev=previous,
                h=chain,
                type=str(happening.type),
                item=happening.item,
                recorded_at=happening.recorded_at,
            )
        )
        if entry.signed is not None:
            session.add(_signature_row(entry.signed))
        for child, parent, relation in entry.lineage:
            session.add(LineageRow(child=child, parent=parent, relation=relation))
        session.flush()
    _add_leaves_and_payloads(connection, seq, entry)
    root_now = _grow(connection, seq, canon)
    event = read_event(canon, chain)
    if event.type == EventType.IMPORT_STAGED:
        projections.add_batches(connection, seq)
    if decided is not None and entry.signed is not None:
        if isinstance(decided, DecisionStatement):
            _guard(connection, decided, standing)
        effects.add(connection, event, decided, entry.signed.sha256)
    if entry.signed is not None:
        _checkpoint(connection, f"memory-console/{store}/{tenant}", seq + 1, root_now)
    return event


def project_roots(connection: Connection, start: int = 0) -> None:
    """Make the table of Merkle roots again from the events, or go on with it from ``start``."""
    frontier, roots = _frontier(connection, start), []
    wanted = select(col(EventRow.canon)).where(col(EventRow.seq) >= start)
    for canon in connection.execute(wanted.order_by(col(EventRow.seq))).scalars():
        frontier = frontier.grow(merkle.leaf_hash(canon))
        roots.append((frontier.size, frontier.root()))
    projections.add_roots(connection, roots)
    _keep(connection, frontier)


def _body(entry: Entry) -> dict[str, Any]:
    """The body of the event, with what it commits to beside it."""
    body = dict(entry.happening.body)
    if entry.leaves:
        root = merkle.root([merkle.leaf_hash(leaf) for leaf in entry.leaves])
        body |= {"leaves": len(entry.leaves), "root": root.hex()}
    if entry.signed is not None:
        body["statement"] = entry.signed.sha256
    return body


def _accepted(entry: Entry, standing: Standing, judge: judging.Judge, seq: int) -> Effect | None:
    kind = entry.happening.type
    if kind not in SIGNED_TYPES:
        condemning.examine_completion(judge.connection, standing.forgets, entry.happening)
        if kind == EventType.FORGET_GUARDED:
            standing.examine_guard(entry.happening.body)
        return None
    if entry.signed is None:
        msg = f"{kind} needs a person's signature. Nothing was saved."
        raise NotAcceptedError(msg)
    if kind == EventType.LINKS_DECIDED:
        return standing.examine_links(
            entry.signed, artifacts_of=judge.latest_artifacts_of, root_at=judge.root_at
        )
    if kind in (EventType.FORGET_REQUESTED, EventType.FORGET_REPLAYED):
        again = kind == EventType.FORGET_REPLAYED
        request = standing.examine_forget(
            entry.signed,
            artifacts_of=judge.artifacts_of if again else judge.latest_artifacts_of,
            root_at=judge.root_at,
            replayed=again,
        )
        condemning.refuse_kept(judge.connection, request)
        return request
    if kind not in _PEOPLE:
        return _told_elsewhere(entry.signed, str(kind), standing, judge, seq)
    if kind != EventType.BATCH_DECIDED:
        standing.examine_reviewer(entry.signed)
        return None
    for wanted in read_decision(entry.signed.statement).verdicts:
        item = wanted.item
        stands = standing.items.get(item)
        if stands is not None and stands.rev == wanted.rev and stands.stage != wanted.came_from:
            raise AlreadyDecidedError(
                item, by=stands.by, stage=str(stands.stage), when=stands.signed_at
            )
    return standing.examine(
        entry.signed, artifacts_of=judge.latest_artifacts_of, root_at=judge.root_at
    )


def _told_elsewhere(
    signed: SignedStatement, kind: str, standing: Standing, judge: judging.Judge, seq: int
) -> Effect | None:
    """What is said for readers outside, or of copies there."""
    if kind == EventType.FORGET_CONFIRMED:
        standing.examine_confirmation(signed, root_at=judge.root_at)
        return None
    if kind in (EventType.RULE_EXPORTED, EventType.RULE_EXPORT_WITHDRAWN):
        return standing.examine_export(signed, kind, at=seq, root_at=judge.root_at)
    told = standing.examine_publication(signed, kind, at=seq, root_at=judge.root_at)
    if isinstance(told, PublishStatement) and told.state_root != state_root(standing.durable()):
        msg = "what was signed is not the state of the durable set. Nothing was published."
        raise NotAcceptedError(msg)
    return None


def _identity(connection: Connection) -> tuple[str, str]:
    row = connection.execute(text("select store, tenant from log_identity")).one()
    return str(row[0]), str(row[1])


def _signature_row(signed: SignedStatement) -> SignatureRow:
    key = verify(signed.statement, signed.signature)
    return SignatureRow(
        statement_sha256=signed.sha256,
        statement=signed.statement,
        sshsig=signed.signature,
        key_fpr=key.fingerprint,
    )


def _add_leaves_and_payloads(connection: Connection, seq: int, entry: Entry) -> None:
    if entry.leaves:
        leaves = pd.DataFrame({"ordinal": range(len(entry.leaves)), "canon": list(entry.leaves)})
        leaves.insert(0, "seq", seq)
        projections.insert(connection, "log_leaf", leaves)
    if entry.payloads:
        rows = [(one.commitment, one.salt, str(one.role), one.body) for one in entry.payloads]
        names = ("commitment", "salt", "role", "body")
        projections.insert_few(connection, "vault_payload", names, rows)


def _grow(connection: Connection, seq: int, canon: bytes) -> bytes:
    """Add an event to the tree of heads; the new Merkle root."""
    frontier = _frontier(connection, seq).grow(merkle.leaf_hash(canon))
    root = frontier.root()
    projections.add_roots(connection, [(seq + 1, root)])
    _keep(connection, frontier)
    return root


def _frontier(connection: Connection, size: int) -> merkle.Frontier:
    """The tree of heads as it was kept with ``size`` events."""
    peaks = connection.execute(text("select peak from proj_peak order by place")).scalars().all()
    return merkle.Frontier(size, tuple(bytes(peak) for peak in peaks))


def _keep(connection: Connection, frontier: merkle.Frontier) -> None:
    connection.execute(text("delete from proj_peak"))
    peaks = list(enumerate(frontier.peaks))
    projections.insert_few(connection, "proj_peak", ("place", "peak"), peaks)


def _guard(connection: Connection, decided: DecisionStatement, standing: Standing) -> None:
    rows = []
    for verdict in decided.verdicts:
        stands = standing.items.get(verdict.item)
        same = stands is not None and stands.rev == verdict.rev
        nth = stands.count if stands is not None and same else 0
        rows.append((verdict.item, verdict.rev, nth, str(verdict.came_from)))
    names = ("item", "rev", "nth", "from_state")
    projections.insert_lists(connection, "log_decision_guard", names, rows)


def _checkpoint(connection: Connection, origin: str, size: int, root: bytes) -> None:
    """Keep the head as a note. Source: C2SP tlog-checkpoint, the unsigned body."""
    note = f"{origin}\n{size}\n{base64.b64encode(root).decode('ascii')}\n"
    with Session(connection) as session:
        session.add(CheckpointRow(size=size, note=note))
        session.flush()

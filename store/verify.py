"""Re-derives a whole store from its raw bytes and says, line by line, what holds.

It shares no code with the path that writes: it opens the file read-only by itself, recomputes
every hash, root, signature and projection, and trusts no column but the canonical bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import duckdb

from store import audit_log, audit_tables
from store.audit_erasures import Erasures
from store.audit_log import Audit
from store.standing import TrustRoot

NOT_COVERED: Final = (
    "deletion of the whole store",
    "events after the last human signature, which rest on nobody's key",
    "anything the reviewer's key signed while it was stolen",
)


class Verdict(StrEnum):
    """What a check found."""

    PASS = "PASS"
    FAIL = "FAIL"
    WARN = "WARN"
    INCONCLUSIVE = "INCONCLUSIVE"
    NOT_APPLICABLE = "N/A"


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report."""

    name: str
    verdict: Verdict
    detail: str


@dataclass(frozen=True, slots=True)
class SeenState:
    """A head that a reader saw earlier and kept outside the store."""

    size: int
    root: str


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """All lines, and the head that was verified."""

    store: str
    tenant: str
    lines: tuple[Check, ...]
    size: int
    root: str
    pinned: bool

    not_covered: tuple[str, ...] = NOT_COVERED

    @property
    def exit_code(self) -> int:
        """0 all holds, 4 something could not be told, 5 something is wrong."""
        verdicts = {line.verdict for line in self.lines}
        if Verdict.FAIL in verdicts:
            return 5
        return 4 if Verdict.INCONCLUSIVE in verdicts else 0

    def as_json(self) -> dict[str, Any]:
        """The report as plain values."""
        return {
            "store": self.store,
            "tenant": self.tenant,
            "size": self.size,
            "root": self.root,
            "pinned": self.pinned,
            "checks": [
                {"name": c.name, "verdict": str(c.verdict), "detail": c.detail} for c in self.lines
            ],
            "not_covered": list(self.not_covered),
            "exit_code": self.exit_code,
        }


def verify(
    path: Path,
    *,
    root: TrustRoot | None,
    pin: str | None = None,
    seen: SeenState | None = None,
) -> VerifyReport:
    """Verify the store file at ``path``.

    Args:
        path: The DuckDB file.
        root: The workspace's trust root; None before the first reviewer.
        pin: Fingerprint of the root, from outside the workspace.
        seen: A head seen earlier: the log must still begin with it.

    Raises:
        FileNotFoundError: If there is no such file.
        duckdb.IOException: If another process holds it.
    """
    if not path.exists():
        msg = f"no store at {path.name}."
        raise FileNotFoundError(msg)
    with duckdb.connect(str(path), read_only=True) as connection:
        return judged(connection, root=root, pin=pin, seen=seen)


def judged(
    connection: duckdb.DuckDBPyConnection,
    *,
    root: TrustRoot | None,
    pin: str | None = None,
    seen: SeenState | None = None,
    more: Iterable[Check] = (),
) -> VerifyReport:
    """What ``verify`` tells of a store that is open, and lines of what was found elsewhere."""
    audit = audit_log.walk(connection, root)
    lines = [
        *_log_lines(audit),
        *_signature_lines(audit, root, pin),
        _published(audit),
        *_table_lines(connection, audit),
        _rollback(audit, seen),
        *more,
    ]
    pinned = root is not None and pin is not None and root.key.fingerprint == pin
    return VerifyReport(
        store=audit.store,
        tenant=audit.tenant,
        lines=tuple(lines),
        size=audit.size,
        root=audit.root_at(audit.size) or "",
        pinned=pinned,
    )


def _log_lines(audit: Audit) -> list[Check]:
    n = audit.size
    return [
        _check("chain", audit.broken, f"{n} of {n} events linked and canonical"),
        _check("batches", audit.bad_batches, f"{audit.leaves} items under {audit.batches} roots"),
        _check("columns", audit.bad_columns, f"type, item, recorded_at equal canon in {n} rows"),
    ]


def _signature_lines(audit: Audit, root: TrustRoot | None, pin: str | None) -> list[Check]:
    keys = len(audit.standing.keys)
    if root is None:
        trust = Check("trust root", Verdict.NOT_APPLICABLE, "no reviewer yet: nothing is durable")
    elif pin is None:
        detail = f"{root.key.fingerprint} NOT PINNED: whoever can write here can replace it"
        trust = Check("trust root", Verdict.WARN, detail)
    elif pin != root.key.fingerprint:
        trust = Check(
            "trust root", Verdict.FAIL, f"{root.key.fingerprint} is not the pinned {pin}"
        )
    else:
        trust = Check("trust root", Verdict.PASS, f"{root.key.fingerprint} PINNED")
    tail = audit.size - audit.last_human
    return [
        trust,
        _check("signatures", audit.unsigned, f"{audit.statements} statements, {keys} keys"),
        Check(
            "last human head",
            Verdict.PASS if audit.last_human else Verdict.NOT_APPLICABLE,
            f"size {audit.last_human}; unsigned tail {tail} events, 0 with effect",
        ),
    ]


def _table_lines(connection: duckdb.DuckDBPyConnection, audit: Audit) -> list[Check]:
    payloads = audit_tables.payloads(connection, audit)
    return [
        _check(
            "payloads",
            payloads.bad,
            f"{payloads.opened} open to their commitment; {payloads.erasures.erased} erased "
            "with receipt, 0 without",
        ),
        _erasures(payloads.erasures),
        _check("orphans", payloads.orphans, "0 payloads without an event"),
        _check(
            "unsigned approvals",
            audit_tables.unsigned_approvals(connection, audit),
            "0 items durable without a verified signature",
        ),
        _check(
            "projections",
            audit_tables.projections(connection, audit),
            f"{len(audit.items)} items equal the fold of the log",
        ),
        _check(
            "append-only",
            audit_tables.missing_triggers(connection),
            "the database refuses to change or remove log rows",
        ),
    ]


def _erasures(found: Erasures) -> Check:
    if found.wrong:
        return _check("erasures", found.wrong, "")
    if not found.requests:
        return Check("erasures", Verdict.NOT_APPLICABLE, "nothing was asked to be forgotten")
    if found.unfinished:
        return Check("erasures", Verdict.WARN, f"not finished: {found.detail}")
    return Check("erasures", Verdict.PASS, found.detail)


def _published(audit: Audit) -> Check:
    if audit.published is None:
        return Check("state_root", Verdict.NOT_APPLICABLE, "nothing has been published yet")
    statement, state, count = audit.published
    if state != statement.state_root:
        detail = f"the durable set at size {statement.size} is not the one that was published"
        return Check("state_root", Verdict.FAIL, detail)
    detail = f"{count} durable items equal the last PUBLISH statement, size {statement.size}"
    return Check("state_root", Verdict.PASS, detail)


def _rollback(audit: Audit, seen: SeenState | None) -> Check:
    if seen is None:
        return Check("rollback", Verdict.NOT_APPLICABLE, "no earlier head was given")
    if audit.size < seen.size:
        detail = f"the log has {audit.size} events; {seen.size} were seen before"
        return Check("rollback", Verdict.FAIL, detail)
    if audit.root_at(seen.size) != seen.root:
        detail = f"the first {seen.size} events are not the ones seen before"
        return Check("rollback", Verdict.FAIL, detail)
    return Check("rollback", Verdict.PASS, f"begins with the {seen.size} events seen before")


def _check(name: str, wrong: list[str], fine: str) -> Check:
    if not wrong:
        return Check(name, Verdict.PASS, fine)
    more = f" (+{len(wrong) - 3} more)" if len(wrong) > 3 else ""
    return Check(name, Verdict.FAIL, "; ".join(wrong[:3]) + more)

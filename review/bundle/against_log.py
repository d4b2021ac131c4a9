"""Asks a log whether it still has the export that a bundle shows, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping

from review.bundle import folder
from review.bundle.checking import Line, Told
from review.bundle.proofs import Proof
from store import export_queries
from store.log import Store
from store.rule_exports import ExportStatement


def lines(
    files: Mapping[str, bytes], statement: ExportStatement, proof: Proof, store: Store
) -> tuple[Line, ...]:
    """What the log says of a bundle whose files hold together.

    Args:
        files: Name to bytes.
        statement: What was signed, as the bundle has it.
        proof: Its proof.
        store: The log.
    """
    if (store.store_id, store.tenant_id) != (statement.store, statement.tenant):
        return (Line("log", Told.FAIL, "the bundle is of another store or tenant"),)
    found = store.rows(export_queries.CANON, seq=proof.size - 1)
    if not found or bytes(found[0]["canon"]) != proof.event:
        return (Line("log", Told.FAIL, f"event {proof.size - 1} of the log is another one"),)
    stands = store.standing().exports.get(statement.export)
    signed = folder.sha256(files[folder.STATEMENT])
    if stands is None or stands.statement != signed:
        return (Line("log", Told.FAIL, "no such export stands in the log"),)
    rows = store.rows(export_queries.SIGNED, statement=signed)
    if str(rows[0]["sshsig"]).encode("ascii") != files[folder.SIGNATURE]:
        return (Line("log", Told.FAIL, "the log has another signature"),)
    told = [Line("log", Told.PASS, f"event {stands.seq} of the log, signed {stands.signed_at}")]
    if stands.withdrawn:
        detail = f"by {stands.withdrawn_by}, {stands.withdrawn_at}: do not submit this rule"
        told.append(Line("withdrawn", Told.STOP, detail))
    return tuple(told)

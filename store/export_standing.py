"""Which rules were exported, and which of them are withdrawn: the fold over signed statements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from store.rule_exports import ExportAct, ExportStatement
from store.stages import Stage, Stands


class ExportNotAcceptedError(ValueError):
    """A statement about a bundle may not take effect. The message says why."""


@dataclass(frozen=True, slots=True)
class StandingExport:
    """One bundle that was exported under a signature."""

    export: str
    item: str
    rev: int
    artifact: str
    """Digest of the cell's manifest, as it was approved then."""

    bundle_sha256: str
    content: str
    """Commitment of the bundle's files in the vault; they may be erased since."""

    by: str
    signed_at: str
    statement: str
    """Digest of the signed statement."""

    seq: int
    """Position of its event in the log."""

    withdrawn_by: str | None = None
    withdrawn_at: str | None = None
    note: str | None = None
    """Commitment of the reason for the withdrawal."""

    @property
    def withdrawn(self) -> bool:
        """Whether a reviewer marked it as not to be followed any more."""
        return self.withdrawn_at is not None


ExportStanding = dict[str, StandingExport]
"""Bundles by id, oldest first."""


def examine(
    statement: ExportStatement, exports: ExportStanding, items: Mapping[str, Stands]
) -> None:
    """Whether ``statement`` may take effect now. Changes nothing.

    Raises:
        ExportNotAcceptedError: For a cell that is not durable as the artifact that was signed, a
            bundle that was recorded already, or one to withdraw that is not there as signed.
    """
    before = exports.get(statement.export)
    if statement.act == ExportAct.EXPORTED:
        if before is not None:
            msg = f"export {statement.export} is recorded already. Nothing was saved."
            raise ExportNotAcceptedError(msg)
        stands = items.get(statement.item)
        same = stands is not None and (stands.rev, stands.artifact) == (
            statement.rev,
            statement.artifact,
        )
        if stands is None or not same or stands.stage != Stage.DURABLE:
            msg = (
                f"item {statement.item} is not durable as it was signed. Nothing was exported. "
                "Open it again."
            )
            raise ExportNotAcceptedError(msg)
        return
    if before is None:
        msg = f"there is no export {statement.export}. Nothing was saved."
        raise ExportNotAcceptedError(msg)
    if before.withdrawn:
        msg = f"export {statement.export} is withdrawn already. Nothing was saved."
        raise ExportNotAcceptedError(msg)
    named = (before.item, before.rev, before.artifact, before.bundle_sha256)
    if named != (statement.item, statement.rev, statement.artifact, statement.bundle_sha256):
        msg = f"export {statement.export} is of another bundle than was signed. Nothing was saved."
        raise ExportNotAcceptedError(msg)


def record(statement: ExportStatement, sha256: str, seq: int, exports: ExportStanding) -> None:
    """Let an accepted statement take effect in ``exports``."""
    if statement.content is None:
        exports[statement.export] = replace(
            exports[statement.export],
            withdrawn_by=statement.reviewer,
            withdrawn_at=statement.signed_at,
            note=statement.note,
        )
        return
    exports[statement.export] = StandingExport(
        export=statement.export,
        item=statement.item,
        rev=statement.rev,
        artifact=statement.artifact,
        bundle_sha256=statement.bundle_sha256,
        content=statement.content,
        by=statement.reviewer,
        signed_at=statement.signed_at,
        statement=sha256,
        seq=seq,
    )

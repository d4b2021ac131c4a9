"""Hands a rule from the desk to the bundles: who exports, from which store, to which folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from console.bundles.checkouts import CheckoutError
from console.bundles.exporting import Folders
from console.bundles.git import GitError
from console.bundles.writing import FolderError
from console.left import Left, NotLeftError
from console.wiring import Workspace, root_statement
from review.bundle.recording import Exporting, NotRecordedError
from review.bundle.refusals import ExportRefusedError
from review.bundle.targets import NoPlaceError
from review.deciding import Signer
from review.desk import Desk
from review.person import ReadOnlyError
from review.rules.export_told import RuleExport
from review.staged.placing import Writer
from store.log import Store
from store.standing import NotAcceptedError

REFUSED: Final = (
    CheckoutError,
    ExportRefusedError,
    FolderError,
    GitError,
    LookupError,
    NoPlaceError,
    NotAcceptedError,
    NotRecordedError,
)
"""What keeps a rule in, each with a sentence of its own."""


@dataclass(frozen=True, slots=True)
class Exit:
    """The way out of one tenant's store. See ``console.left.Leaving``."""

    folders: Folders
    writer: Writer

    def export(self, desk: Desk, told: RuleExport, sign: Signer, checkout: str) -> Left:
        """Sign, record, and write the folder."""
        try:
            left = self.folders.export(
                told, self._by(desk), sign, checkout=Path(checkout) if checkout else None
            )
        except REFUSED as error:
            raise NotLeftError(str(error)) from error
        return Left(str(left.folder), tuple(str(flag) for flag in left.flags))

    def withdraw(self, desk: Desk, export: str, reason: str, sign: Signer) -> None:
        """Mark an export as withdrawn."""
        try:
            self._by(desk).withdraw(export, reason, sign)
        except REFUSED as error:
            raise NotLeftError(str(error)) from error

    def folder(self, name: str) -> str:
        """Where the folder of that name is, or would be."""
        return str(self.folders.root / name)

    def _by(self, desk: Desk) -> Exporting:
        if desk.person is None:
            raise ReadOnlyError
        return Exporting(desk.store, desk.person, self.writer, desk.policy.sha256)


def way_out(workspace: Workspace, store: Store) -> Exit:
    """The way out of one store of a workspace."""
    folders = Folders(workspace.home, store, lambda: root_statement(workspace.home))
    return Exit(folders, Writer(workspace.settings.process, workspace.clock, workspace.chance))

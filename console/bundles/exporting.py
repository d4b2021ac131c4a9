"""Lets a rule leave: look at the checkout, check the patch, sign and record, write the folder.

Recording comes before writing. A process that ends in between leaves a signed export without a
folder, which the doctor tells and ``write_again`` mends, bit for bit, from the vault. The other
order could leave files that no signature stands behind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from console.bundles import checkouts, git, reading, writing
from console.bundles.checkouts import CheckoutError, Flag
from console.bundles.writing import RULES, Point, Reached, unwatched
from review.bundle import folder, proofs, targets
from review.bundle.recording import Exporting
from review.bundle.refusals import refuse
from review.bundle.slugs import distinct
from review.deciding import Signer
from review.exported import past
from review.exported.past import PastExport
from review.rules.export_told import RuleExport
from store.log import Store
from store.rule_exports import PROVENANCE
from store.statements import SignedStatement

TrustOf = Callable[[], SignedStatement]
"""Gives the self-signed trust root of the workspace."""


class GoneError(LookupError):
    """A bundle cannot be written again, because its content was erased."""


@dataclass(frozen=True, slots=True)
class Exported:
    """One bundle on the disk."""

    folder: Path
    export: str
    sha256: str
    """Of its ``provenance.json``, hex: what was signed."""

    path: str
    """Where the rule goes in a checkout."""

    sizes: tuple[tuple[str, int], ...]
    """Name and bytes of every file."""

    flags: tuple[Flag, ...] = ()
    """What to know of the checkout before the patch is applied."""


@dataclass(frozen=True, slots=True)
class Folders:
    """The bundles of one tenant on the disk, beside the log that records them."""

    home: Path
    store: Store
    trust: TrustOf

    @property
    def root(self) -> Path:
        """Where they lie. Each tenant has a folder of its own."""
        return writing.root_of(self.home, self.store.tenant_id)

    def export(
        self,
        told: RuleExport,
        exporting: Exporting,
        sign: Signer,
        *,
        checkout: Path | None = None,
        reached: Reached = unwatched,
    ) -> Exported:
        """Sign that a rule leaves, record it, and write its folder.

        Args:
            told: The rule with its evidence.
            exporting: The person who exports.
            sign: Signs statements with the person's key.
            checkout: Where the patch is to be applied. It is read and never written to.
            reached: Is told how far it is.

        Raises:
            review.bundle.refusals.ExportRefusedError: If it may not leave.
            console.bundles.checkouts.CheckoutError: If it cannot go to the checkout.
            review.bundle.targets.NoPlaceError: If it has no place without one.
            console.bundles.git.GitError: If git is not there.
            console.bundles.writing.FolderError: If the folder cannot be written; the export is
                recorded then, and ``write_again`` writes it.
            Exception: Whatever ``sign`` raises. Nothing was recorded then.
        """
        refuse(told)
        seen = None if checkout is None else checkouts.look(checkout, told.target)
        looked = None if seen is None else seen.looked
        placement = targets.placed(told, looked)
        if seen is not None:
            checkouts.taken(seen.repository, placement.path)
        if seen is not None and not git.accepts(seen.repository, placement.patch):
            msg = (
                f"git does not take a patch for {placement.path} there. Nothing was exported. "
                "Look whether something is in the way, then export again."
            )
            raise CheckoutError(msg)
        recorded = exporting.export(told, placement, sign, looked=looked, name=self._name(told))
        reached(Point.RECORDED)
        flags: Sequence[Flag] = () if seen is None else seen.flags
        renamed = (Flag.RENAMED,) if placement.renamed else ()
        return self._write(recorded, (*flags, *renamed), reached)

    def write_again(self, export: str) -> Exported:
        """Write the folder of a recorded export that is missing, the same bytes as ever.

        Raises:
            LookupError: If there is no such export.
            GoneError: If its content was erased.
            console.bundles.writing.FolderError: If a folder of its name is there.
        """
        return self._write(past.export_of(self.store, export), (), unwatched)

    def missing(self) -> tuple[PastExport, ...]:
        """Exports whose folder is not there, though their content is kept."""
        there = set(writing.names_in(self.root))
        return tuple(
            one
            for one in past.exports(self.store)
            if one.kept is not None and not one.withdrawn and one.kept.folder not in there
        )

    def unfinished(self) -> tuple[str, ...]:
        """Names of folders that a writing process left half done."""
        return tuple(one for one in writing.names_in(self.root) if one.startswith("."))

    def differing(self) -> tuple[PastExport, ...]:
        """Exports whose folder says something else than what was recorded."""
        return tuple(one for one in past.exports(self.store) if self._differs(one))

    def _differs(self, export: PastExport) -> bool:
        if export.kept is None:
            return False
        try:
            found = reading.read(self.root / export.kept.folder)
        except reading.UnreadableBundleError:
            return (self.root / export.kept.folder).exists()
        return found != self._files(export)

    def _write(self, export: PastExport, flags: tuple[Flag, ...], reached: Reached) -> Exported:
        files = self._files(export)
        assert export.kept is not None, "its files are there"
        where = writing.write(
            self.home, self.store.tenant_id, RULES, export.kept.folder, files, reached
        )
        return Exported(
            where,
            export.export,
            folder.sha256(files[PROVENANCE]),
            export.kept.path,
            tuple((name, len(data)) for name, data in sorted(files.items())),
            flags,
        )

    def _files(self, export: PastExport) -> dict[str, bytes]:
        if export.kept is None:
            msg = f"the content of export {export.export} was erased. It cannot be written again."
            raise GoneError(msg)
        signed = proofs.signed_of(self.store, export)
        return {
            **export.kept.files,
            folder.STATEMENT: signed.statement,
            folder.SIGNATURE: signed.signature.encode("ascii"),
            folder.PROOF: proofs.proof_of(self.store, export, self.trust()),
        }

    def _name(self, told: RuleExport) -> str:
        kept = (one.kept.folder for one in past.exports(self.store) if one.kept is not None)
        taken = {*writing.names_in(self.root), *kept}
        return distinct(folder.name_of(told), taken, mark=told.export_id[8:16])

"""What a page knows of the way out: a signed rule becomes a folder of files, or it does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from review.deciding import Signer
from review.desk import Desk
from review.rules.export_told import RuleExport


class NotLeftError(ValueError):
    """A rule did not leave, or its folder was not written. The message says why, in a sentence.

    It may name files of a checkout, so it is foreign text.
    """


@dataclass(frozen=True, slots=True)
class Left:
    """A rule that left."""

    folder: str
    """Where its files are."""

    flags: tuple[str, ...]
    """Members of ``console.bundles.checkouts.Flag``: what to know before the patch is applied."""


class Leaving(Protocol):
    """The way by which a signed rule leaves, as files that nobody but a person carries on."""

    def export(self, desk: Desk, told: RuleExport, sign: Signer, checkout: str) -> Left:
        """Sign, record, and write the folder.

        Args:
            desk: The desk it leaves from.
            told: What it says.
            sign: Signs with the person's key.
            checkout: Path of a checkout the patch is made for; blank for none. It is only read.

        Raises:
            NotLeftError: If it may not leave, or cannot go there.
            Exception: Whatever ``sign`` raises. Nothing was recorded then.
        """

    def withdraw(self, desk: Desk, export: str, reason: str, sign: Signer) -> None:
        """Mark an export as not to be followed any more. The files stay.

        Raises:
            NotLeftError: If there is none, or it is withdrawn already.
        """

    def folder(self, name: str) -> str:
        """Where the folder of that name is, or would be."""

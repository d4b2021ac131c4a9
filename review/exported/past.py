"""The rules that left as bundles, oldest first, as verified signatures tell them."""

from __future__ import annotations

from dataclasses import dataclass

from review.exported import kept
from review.exported.kept import Kept
from store.export_standing import StandingExport
from store.log import Readable


@dataclass(frozen=True, slots=True)
class PastExport:
    """One exported rule: what was signed, and its words unless they were erased."""

    signed: StandingExport
    kept: Kept | None
    """None when its content was erased."""

    @property
    def export(self) -> str:
        """Its id, 32 hex digits."""
        return self.signed.export

    @property
    def item(self) -> str:
        """The cell that it was made from."""
        return self.signed.item

    @property
    def withdrawn(self) -> bool:
        """Whether a reviewer marked it as not to be followed any more."""
        return self.signed.withdrawn


def exports(store: Readable) -> tuple[PastExport, ...]:
    """Every export of a store, withdrawn ones too."""
    told = tuple(store.standing().exports.values())
    found = store.payloads(one.content for one in told)
    return tuple(
        PastExport(one, kept.read(found[one.content].body) if one.content in found else None)
        for one in told
    )


def export_of(store: Readable, export: str) -> PastExport:
    """One export.

    Raises:
        LookupError: If there is none of that id.
    """
    signed = store.standing().exports.get(export)
    if signed is None:
        msg = f"there is no export {export}."
        raise LookupError(msg)
    found = store.payloads([signed.content]).get(signed.content)
    return PastExport(signed, None if found is None else kept.read(found.body))


def of_cells(store: Readable, items: frozenset[str]) -> tuple[PastExport, ...]:
    """The exports that rest on any of ``items``: what a forget request has to name."""
    return tuple(one for one in exports(store) if one.item in items)

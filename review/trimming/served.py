"""What is handed over of an admitted cell: read from the log, and held against what was signed.

Columns are only a way to find a cell. Its claim and facts are read again from the content that the
signed artifact commits to; a cell that differs is not served.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from review.gate.scored import Scored
from review.leaves import leaves_of
from review.staged.manifests import read_conclusion, read_facts
from store import canonical
from store.cells import Conclusion, Fact
from store.log import DamagedStoreError, Readable


@dataclass(frozen=True, slots=True)
class Content:
    """What an artifact commits to, opened."""

    claim: str
    facts: tuple[Fact, ...]
    conclusion: Conclusion | None
    provenance: Mapping[str, Any]
    verbatim: bool
    raw_bytes: int


class Contents:
    """Opens artifacts of one store; what was opened and found right stays open."""

    def __init__(self, store: Readable) -> None:
        """Nothing is open."""
        self._store = store
        self._open: dict[str, Content] = {}

    def of(self, scored: Sequence[Scored]) -> dict[str, Content]:
        """Content by item.

        Raises:
            store.log.DamagedStoreError: If the log, the vault and the columns disagree.
        """
        wanted = [one for one in scored if one.digest not in self._open]
        if wanted:
            self._read(wanted)
        told = {one.item: self._open[one.digest] for one in scored}
        for one in scored:
            if told[one.item].claim != one.claim:
                msg = f"item {one.item} is not what was signed. Nothing was served. Run verify."
                raise DamagedStoreError(msg)
        return told

    def _read(self, wanted: Sequence[Scored]) -> None:
        leaves = leaves_of(self._store, [_row(one) for one in wanted])
        parts = ("text", "facts", "conclusion", "provenance")
        names = [leaf["artifact"][part] for leaf in leaves for part in parts]
        bodies = {c: p.body for c, p in self._store.payloads([n for n in names if n]).items()}
        for one, leaf in zip(wanted, leaves, strict=True):
            manifest = leaf["artifact"]
            if manifest["text"] not in bodies:
                msg = f"item {one.item} is not what was signed. Nothing was served. Run verify."
                raise DamagedStoreError(msg)
            facts = bodies.get(manifest["facts"] or "")
            conclusion = bodies.get(manifest["conclusion"] or "")
            provenance = bodies.get(manifest["provenance"])
            self._open[one.digest] = Content(
                claim=bodies[manifest["text"]].decode("utf-8"),
                facts=() if facts is None else read_facts(facts),
                conclusion=None if conclusion is None else read_conclusion(conclusion),
                provenance={} if provenance is None else canonical.decode(provenance),
                verbatim=bool(manifest["verbatim"]),
                raw_bytes=int(leaf["end"]) - int(leaf["start"]),
            )


def _row(one: Scored) -> dict[str, Any]:
    """Where the log holds a cell, and which artifact was signed, as ``leaves_of`` asks for it."""
    seq, n = one.place
    return {"seq": seq, "n": n, "item": one.item, "digest": one.digest}

"""Cells by id, as the log holds them: what is shown of a cell beside its numbers.

What was erased is None and keeps its row, so that an explanation keeps its numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from review.leaves import leaves_of
from review.staged.manifests import look_of, read_facts
from store import canonical, read_queries
from store.cells import Fact, FactRole
from store.log import Store


@dataclass(frozen=True, slots=True)
class NamedCell:
    """One revision of a cell. Claim, facts and names are foreign text."""

    item: str
    rev: int
    digest: str
    kind: str
    source_type: str
    source_id: str
    import_id: str
    claim: str | None
    """None when it was erased."""

    facts: tuple[Fact, ...]
    latest: bool
    """Whether no later revision was staged."""

    seq: int
    """Position of the batch that staged it."""

    recorded_at: str

    @property
    def headline(self) -> str:
        """The cell in a few words: its first fact, or its claim."""
        stated = (one for one in self.facts if one.role is FactRole.STATES)
        told = next((one for one in stated if one.parameter and one.value), None)
        if told is not None and self.claim is not None:
            return f"{told.parameter_key or told.parameter} = {told.value}"
        return self.claim or ""


def cells(store: Store, wanted: Iterable[tuple[str, int]]) -> dict[tuple[str, int], NamedCell]:
    """Cells by (item, revision). What is not there is absent.

    Raises:
        store.log.DamagedStoreError: If the list is not what the log holds.
    """
    asked = pd.DataFrame(list(dict.fromkeys(wanted)), columns=["item", "rev"]).astype(
        {"item": "str", "rev": "int64"}
    )
    return _read(store, store.rows(read_queries.NAMED, {"wanted": asked}) if len(asked) else [])


def latest(store: Store, items: Iterable[str]) -> dict[str, NamedCell]:
    """The newest revision of each item. Unknown ids are absent."""
    asked = pd.DataFrame({"item": pd.Series(list(dict.fromkeys(items)), dtype="str")})
    rows = store.rows(read_queries.NAMED_LATEST, {"wanted": asked}) if len(asked) else []
    return {item: cell for (item, _), cell in _read(store, rows).items()}


def by_look(store: Store, keys: Iterable[str]) -> dict[str, list[NamedCell]]:
    """Cells whose claims look alike, by the keyed digest of their look; newest revisions."""
    asked = pd.DataFrame({"key": pd.Series(list(dict.fromkeys(keys)), dtype="str")})
    rows = store.rows(read_queries.NAMED_BY_LOOK, {"wanted": asked}) if len(asked) else []
    found: dict[str, list[NamedCell]] = {}
    cells_ = _read(store, rows)
    for row in rows:
        found.setdefault(row["look_key"], []).append(cells_[row["item"], row["rev"]])
    return found


def stands_in(words: str, text: str, *, least: int = 3) -> bool:
    """Whether ``words`` stand in ``text`` as whole words, without case and punctuation.

    Args:
        words: What is looked for.
        text: Where.
        least: Letters it must have, so that "to" is not found everywhere.
    """
    wanted, held = look_of(words).decode("utf-8"), look_of(text).decode("utf-8")
    return len(wanted) >= least and f" {wanted} " in f" {held} "


def _read(store: Store, rows: list[dict[str, Any]]) -> dict[tuple[str, int], NamedCell]:
    leaves = leaves_of(store, rows)
    names = [leaf["artifact"][part] for leaf in leaves for part in ("text", "facts", "provenance")]
    bodies = {c: p.body for c, p in store.payloads(dict.fromkeys(n for n in names if n)).items()}
    told = {}
    for row, leaf in zip(rows, leaves, strict=True):
        manifest = leaf["artifact"]
        claim = bodies.get(manifest["text"])
        facts = bodies.get(manifest["facts"] or "")
        provenance = bodies.get(manifest["provenance"])
        origin = {} if provenance is None else canonical.decode(provenance)
        told[row["item"], int(row["rev"])] = NamedCell(
            item=row["item"],
            rev=int(row["rev"]),
            digest=row["digest"],
            kind=manifest["kind"],
            source_type=manifest["source_type"],
            source_id=str(origin.get("source_id", "")),
            import_id=row["import"],
            claim=None if claim is None else claim.decode("utf-8"),
            facts=() if facts is None or claim is None else read_facts(facts),
            latest=bool(row["latest"]),
            seq=int(row["seq"]),
            recorded_at=row["recorded_at"],
        )
    return told

"""Durable insights as the log holds them: what could leave memory as a rule.

Read from the signed artifacts in one pass. A confidence that a file or a model gives stays where
it is shown as such; it is not read here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pandas as pd

from review.leaves import leaves_of
from store import canonical, queries
from store.cells import Case, Kind, Stance
from store.log import Store
from store.stages import Stage, Stands
from store.standing import Standing

MOST: Final = 20_000
"""Durable insights that are looked at, the newest first."""

_PARTS: Final = ("text", "provenance", "scope")


@dataclass(frozen=True, slots=True)
class Learned:
    """One durable insight. Texts and names are foreign."""

    item: str
    rev: int
    artifact: str
    claim: str | None
    """None when it was erased."""

    polarity: str
    """``do``, ``avoid``, or blank where nobody says."""

    scope: Mapping[str, str]
    cases: tuple[Case, ...]
    """As they are named; what counts of them is looked up in the runs."""

    source_type: str
    claimed: str
    """A confidence that its file or a model gives; blank for none. It decides nothing."""

    recorded_at: str
    signed_at: str
    by: str
    """Who made it durable."""

    writer: str
    written_at: str | None


def all_of(store: Store, standing: Standing | None = None) -> tuple[Learned, ...]:
    """Every durable insight, the newest decision first; at most ``MOST``."""
    standing = store.standing() if standing is None else standing
    return _read(store, standing.items.items())


def one(store: Store, item: str) -> Learned | None:
    """One durable insight; None for anything else, and for another tenant's."""
    stands = store.standing().items.get(item)
    found = _read(store, [] if stands is None else [(item, stands)])
    return found[0] if found else None


def _read(store: Store, standing: Iterable[tuple[str, Stands]]) -> tuple[Learned, ...]:
    approved = pd.DataFrame(
        [
            (item, one.rev, one.artifact, one.signed_at, one.by)
            for item, one in standing
            if one.stage == Stage.DURABLE
        ],
        columns=["item", "rev", "artifact", "signed_at", "reviewer"],
    ).astype({"item": "str", "artifact": "str", "signed_at": "str", "reviewer": "str"})
    if not len(approved):
        return ()
    rows = store.rows(
        queries.durable_page(["kind"]),
        {"approved": approved},
        kind=str(Kind.INSIGHT),
        limit=MOST,
        offset=0,
    )
    leaves = leaves_of(store, rows)
    names = [leaf["artifact"][part] for leaf in leaves for part in _PARTS]
    bodies = {c: p.body for c, p in store.payloads([n for n in names if n]).items()}
    return tuple(_learned(row, leaf, bodies) for row, leaf in zip(rows, leaves, strict=True))


def _learned(
    row: Mapping[str, Any], leaf: Mapping[str, Any], bodies: Mapping[str, bytes]
) -> Learned:
    manifest = leaf["artifact"]

    def told(part: str) -> dict[str, Any]:
        body = bodies.get(manifest[part] or "")
        return {} if body is None else dict(canonical.decode(body))

    text = bodies.get(manifest["text"])
    provenance, scope = told("provenance"), told("scope")
    foreign = provenance.get("foreign") or {}
    return Learned(
        item=row["item"],
        rev=int(row["rev"]),
        artifact=row["digest"],
        claim=None if text is None else text.decode("utf-8"),
        polarity=str(provenance.get("polarity") or ""),
        scope=scope.get("scope", {}),
        cases=_cases(provenance.get("cases", ())),
        source_type=manifest["source_type"],
        claimed=str(provenance.get("confidence") or foreign.get("model_confidence") or ""),
        recorded_at=row["recorded_at"],
        signed_at=row["signed_at"],
        by=row["reviewer"],
        writer=str(provenance.get("writer_identity") or ""),
        written_at=provenance.get("written_at"),
    )


def _cases(told: Sequence[Sequence[Any]]) -> tuple[Case, ...]:
    return tuple(
        Case(run, Stance(stance), session, review, by, recalled)
        for run, stance, session, review, by, recalled in told
    )

"""Links between cells as columns: those that count, and those that a person said do not hold.

A link is stated by an artifact or signed by a person. What is only found, such as the order of a
slot, is no link here; a person's denial is held against it where it is found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from review import instants
from store.links import EITHER_WAY

_Ints = npt.NDArray[np.int64]

NAMES: Final = ["item", "rev", "kind", "target", "strength", "asserter"]
"""The columns of a frame of links."""

_NONE: Final = np.empty((0, 2), dtype=np.int64)
_FALLEN: Final = ("rejected", "staged", "erased")
_EITHER_WAY: Final = frozenset(str(kind) for kind in EITHER_WAY)


@dataclass(frozen=True)
class EdgeColumns:
    """Links between cells that both are in the columns. Shapes are ``(edges,)``."""

    kind: npt.NDArray[np.object_]
    source: _Ints
    """Row of the cell that carries the link."""

    target: _Ints
    strength: npt.NDArray[np.float64]
    asserter: npt.NDArray[np.object_]


@dataclass(frozen=True)
class Denied:
    """Pairs of cells of which a person said that a link of a kind does not hold.

    Rows ``(from, to)`` by kind, shape ``(pairs, 2)``; kinds without a direction stand both ways.
    """

    pairs: Mapping[str, _Ints] = field(default_factory=dict)

    def of(self, *kinds: str) -> _Ints:
        """The pairs of one kind, or of several."""
        told = [self.pairs[kind] for kind in kinds if kind in self.pairs]
        return np.concatenate(told) if told else _NONE

    def among(self, one: _Ints, two: _Ints, *kinds: str) -> npt.NDArray[np.bool_]:
        """Which of the pairs ``(one[i], two[i])`` were denied for one of ``kinds``."""
        pairs = self.of(*kinds)
        if not len(pairs):
            return np.zeros(len(one), dtype=bool)
        return np.isin((one << 32) | two, (pairs[:, 0] << 32) | pairs[:, 1])


@dataclass(frozen=True)
class Linked:
    """What links are worth among the cells of one moment."""

    edges: EdgeColumns
    denied: Denied
    gone: _Ints
    gone_at: _Ints
    gone_to: tuple[str, ...]
    """Items that cells rest on and that were rejected, withdrawn or erased; as ``gone``."""

    waiting: _Ints


def linked(
    edges: pd.DataFrame,
    denied: pd.DataFrame,
    row_of: pd.Series[Any],
    stages: Mapping[str, tuple[str, str]],
) -> Linked:
    """Links as rows of cells.

    Args:
        edges: What artifacts state and people signed: item, kind, target, strength, asserter.
        denied: What people said does not hold: item, kind, target.
        row_of: Row by item.
        stages: Stage of decided targets, and when: tells a withdrawn premise from one that waits.
    """
    edges = _undenied(edges, denied)
    source = row_of.reindex(edges["item"]).to_numpy(dtype=np.float64)
    target = row_of.reindex(edges["target"]).to_numpy(dtype=np.float64)
    inside = ~np.isnan(source) & ~np.isnan(target)
    outside = ~np.isnan(source) & np.isnan(target) & (edges["kind"] == "depends_on").to_numpy()
    told = [stages.get(item, ("", "")) for item in edges["target"]]
    fallen = np.array([stage in _FALLEN for stage, _ in told], dtype=bool)
    since = np.array([instants.read(moment) or instants.ALWAYS for _, moment in told], np.int64)
    kept = edges[inside]
    return Linked(
        edges=EdgeColumns(
            kind=kept["kind"].to_numpy(object),
            source=source[inside].astype(np.int64),
            target=target[inside].astype(np.int64),
            strength=kept["strength"].astype(float).to_numpy(),
            asserter=kept["asserter"].to_numpy(object),
        ),
        denied=_pairs(denied, row_of),
        gone=source[outside & fallen].astype(np.int64),
        gone_at=since[outside & fallen],
        gone_to=tuple(str(item) for item in edges["target"][outside & fallen]),
        waiting=np.unique(source[outside & ~fallen].astype(np.int64)),
    )


def _undenied(edges: pd.DataFrame, denied: pd.DataFrame) -> pd.DataFrame:
    """The links of artifacts that no person denied."""
    if denied.empty or edges.empty:
        return edges
    names = ["item", "kind", "target"]
    either = denied[denied["kind"].isin(_EITHER_WAY)]
    back = either.rename(columns={"item": "target", "target": "item"})[names]
    said = pd.concat([denied[names], back])
    joined = edges[names].merge(said.drop_duplicates(), how="left", on=names, indicator=True)
    return edges[(joined["_merge"] == "left_only").to_numpy()]


def _pairs(denied: pd.DataFrame, row_of: pd.Series[Any]) -> Denied:
    if denied.empty:
        return Denied()
    one = row_of.reindex(denied["item"]).to_numpy(dtype=np.float64)
    two = row_of.reindex(denied["target"]).to_numpy(dtype=np.float64)
    here = ~np.isnan(one) & ~np.isnan(two)
    rows = np.stack([one[here], two[here]], axis=1).astype(np.int64)
    kinds = denied["kind"].to_numpy(object)[here]
    told = {}
    for kind in dict.fromkeys(kinds.tolist()):
        pairs = rows[kinds == kind]
        told[str(kind)] = np.concatenate([pairs, pairs[:, ::-1]]) if kind in _EITHER_WAY else pairs
    return Denied(told)

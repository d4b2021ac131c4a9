"""Cells and their facts as columns: what the gate computes over, without a loop over cells.

Texts become whole numbers once, when the columns are built: subjects and values share one
vocabulary, so that "b's subject is a's value" is an equality of two arrays.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from review import instants
from review.memory.edge_columns import NAMES, Denied, EdgeColumns, linked
from store.cells import Cardinality, FactRole

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Texts = npt.NDArray[np.object_]

NOBODY: Final = 0
"""The number of the empty text: a subject or parameter that is not said."""

CARDINALITIES: Final = tuple(Cardinality)
ROLES: Final = tuple(FactRole)


@dataclass(frozen=True)
class FactColumns:
    """The facts of all cells, one row each, in the order of cells. Shapes are ``(facts,)``."""

    cell: Ints
    """Row of the cell."""

    place: Ints
    """Which fact of its cell, from 0."""

    subject: Ints
    parameter: Ints
    value: Ints
    """Numbers in ``Columns.names``, ``Columns.parameters`` and ``Columns.names``."""

    cardinality: Ints
    role: Ints
    """Places in ``CARDINALITIES`` and ``ROLES``."""

    start: Ints
    """First instant of the fact: its own, else its cell's."""

    start_known: Bools
    end: Ints
    """Its own end; ``NEVER`` when the words give none."""

    def __len__(self) -> int:
        return len(self.cell)


@dataclass(frozen=True)
class Columns:
    """Cells of one tenant at one moment of record time. Shapes are ``(cells,)``."""

    frame: pd.DataFrame
    """Texts and codes: item, rev, seq, n, digest, kind, source_type, source_id, importer, import,
    file, claim, conclusion (JSON or None), written_at, valid_from, valid_to, review_id, guard."""

    durable: Bools
    """False for staged cells that are only looked at as "would be"."""

    start: Ints
    """First instant; where the source gives none, the time of writing."""

    start_known: Bools
    end: Ints
    written: Ints
    scope: Ints
    """Place in ``scopes``."""

    scopes: tuple[frozenset[tuple[str, str]], ...]
    entities: tuple[tuple[str, ...], ...]
    """Entities that the source names, by ``scope`` place (they are kept with the scope)."""

    system: Ints
    """Number of the source system; written times are comparable within one."""

    facts: FactColumns
    edges: EdgeColumns
    denied: Denied
    gone: Ints
    """Rows that carry a ``depends_on`` link to a cell that was rejected, withdrawn or erased."""

    gone_at: Ints
    """When that was decided, for each of ``gone``."""

    gone_to: tuple[str, ...]
    """Which item that was, for each of ``gone``."""

    waiting: Ints
    """Rows that carry a ``depends_on`` link to a cell that is not decided yet."""

    names: dict[str, int]
    parameters: dict[str, int]

    def __len__(self) -> int:
        return len(self.durable)

    @cached_property
    def _texts(self) -> dict[str, Texts]:
        return {}

    def text(self, name: str) -> Texts:
        """A column of ``frame`` as an array; empty text where there is nothing."""
        if name not in self._texts:
            self._texts[name] = self.frame[name].astype(object).fillna("").to_numpy(object)
        return self._texts[name]

    @cached_property
    def guards(self) -> Texts:
        """Why nothing that is only found may supersede a cell; ``cited`` by a decision, too."""
        told, edges = self.text("guard").copy(), self.edges
        rests = np.isin(edges.kind, ("depends_on", "derived_from")) & self.durable[edges.source]
        rests &= self.text("kind")[edges.source] == "decision"
        cited = np.unique(edges.target[rests])
        told[cited[told[cited] == ""]] = "cited"
        return told

    @cached_property
    def row_of(self) -> dict[str, int]:
        """Row by item."""
        return {item: row for row, item in enumerate(self.frame["item"])}

    @cached_property
    def first_fact(self) -> Ints:
        """Where each cell's facts begin; shape ``(cells + 1,)``."""
        return np.searchsorted(self.facts.cell, np.arange(len(self) + 1))

    @cached_property
    def kinds(self) -> tuple[Ints, list[str]]:
        """The kind of every cell as a number, and the kinds by number."""
        codes, kinds = pd.factorize(self.text("kind"))
        return codes.astype(np.int64), [str(kind) for kind in kinds]

    @cached_property
    def waits(self) -> frozenset[int]:
        """``waiting``, to look a row up in."""
        return frozenset(self.waiting.tolist())

    @cached_property
    def parameter_names(self) -> list[str]:
        """Parameter by number."""
        return list(self.parameters)

    @cached_property
    def name_texts(self) -> list[str]:
        """Subject or value by number."""
        return list(self.names)

    def facts_of(self, row: int) -> range:
        """The fact rows of a cell."""
        return range(int(self.first_fact[row]), int(self.first_fact[row + 1]))


def build(
    cells: pd.DataFrame,
    facts: pd.DataFrame,
    edges: pd.DataFrame,
    stages: dict[str, tuple[str, str]],
    denied: pd.DataFrame | None = None,
) -> Columns:
    """Columns of cells as ``review.memory.remembering`` reads them.

    Args:
        cells: One row a cell, with the columns of ``Columns.frame`` and ``durable``, ``scope``.
        facts: One row a fact: item, place, the three keys, cardinality, role, valid_from.
        edges: item, kind, target, strength, asserter.
        stages: Stage of the decided ones among the targets of ``edges``, and when: tells a
            withdrawn premise from one that waits.
        denied: Links that a person said do not hold: item, kind, target.
    """
    cells = cells.reset_index(drop=True)
    row_of = pd.Series(np.arange(len(cells)), index=cells["item"], dtype="int64")
    written = _instants(cells["written_at"])
    start = _instants(cells["valid_from"])
    known = start != instants.NEVER
    written = np.where(written == instants.NEVER, instants.ALWAYS, written)
    start = np.where(known, start, written)
    end = np.minimum(_instants(cells["valid_to"]), _instants(cells["expires_at"]))
    scope, told = pd.factorize(cells["scope"].fillna("").astype(object), use_na_sentinel=False)
    read = [_scope(one) for one in told]
    names, parameters, columns = _facts(facts, row_of, start, known)
    nothing = pd.DataFrame(columns=NAMES)
    links = linked(edges, nothing if denied is None else denied, row_of, stages)
    return Columns(
        frame=cells,
        durable=cells["durable"].to_numpy(dtype=bool),
        start=start,
        start_known=known,
        end=end,
        written=written,
        scope=scope.astype(np.int64),
        scopes=tuple(one for one, _ in read),
        entities=tuple(two for _, two in read),
        system=pd.factorize(cells["importer"].astype(object))[0].astype(np.int64),
        facts=columns,
        edges=links.edges,
        denied=links.denied,
        gone=links.gone,
        gone_at=links.gone_at,
        gone_to=links.gone_to,
        waiting=links.waiting,
        names=names,
        parameters=parameters,
    )


def _instants(bounds: pd.Series[Any]) -> Ints:
    """First instants of bounds; ``NEVER`` where there is none. Equal texts are read once."""
    codes, texts = pd.factorize(bounds.astype(object))
    read = [instants.read(text) for text in texts]
    table = np.array(
        [*(instants.NEVER if one is None else one for one in read), instants.NEVER], dtype=np.int64
    )
    return table[codes]


def _scope(told: str) -> tuple[frozenset[tuple[str, str]], tuple[str, ...]]:
    if not told:
        return frozenset(), ()
    read = json.loads(told)
    return frozenset(read["scope"].items()), tuple(read["entities"])


def _facts(
    facts: pd.DataFrame, row_of: pd.Series[Any], start: Ints, known: Bools
) -> tuple[dict[str, int], dict[str, int], FactColumns]:
    cell = row_of.reindex(facts["item"]).to_numpy()
    order = np.lexsort((facts["place"].to_numpy(dtype=np.int64), cell))
    facts, cell = facts.iloc[order], cell[order].astype(np.int64)
    subjects, values = facts["subject_key"].fillna(""), facts["value_key"].fillna("")
    pooled = np.concatenate([[""], subjects.to_numpy(object), values.to_numpy(object)])
    codes, names = pd.factorize(pooled)
    asked = np.concatenate([[""], facts["parameter_key"].fillna("").to_numpy(object)])
    parameter_codes, parameters = pd.factorize(asked)
    own = _instants(facts["valid_from"])
    has_own = own != instants.NEVER
    count = len(facts)
    return (
        {name: number for number, name in enumerate(names)},
        {name: number for number, name in enumerate(parameters)},
        FactColumns(
            cell=cell,
            place=facts["place"].to_numpy(dtype=np.int64),
            subject=codes[1 : 1 + count].astype(np.int64),
            parameter=parameter_codes[1:].astype(np.int64),
            value=codes[1 + count :].astype(np.int64),
            cardinality=_codes(facts["cardinality"], [str(one) for one in CARDINALITIES]),
            role=_codes(facts["role"], [str(one) for one in ROLES]),
            start=np.where(has_own, own, start[cell]) if count else own,
            start_known=(has_own | known[cell]) if count else has_own,
            end=_instants(facts["valid_to"]),
        ),
    )


def _codes(texts: pd.Series[Any], known: Sequence[str]) -> Ints:
    return np.asarray(pd.Categorical(texts, categories=list(known)).codes, dtype=np.int64)

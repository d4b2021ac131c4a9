"""Cells as columns without a store: what a rule over many cells is tested with."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from review.memory import columns
from review.memory.columns import Columns
from review.memory.knowing import Known
from review.memory.lifecycle import live
from review.memory.slots import Slots
from review.text.text_index import TextIndex


@dataclass
class Told:
    """One cell of a test: what it says, when, and what it rests on."""

    item: str
    start: str | None = None
    facts: list[tuple] = field(default_factory=list)
    """(subject, parameter, value) or with (cardinality, role) behind."""

    written: str = "2025-01-01T00:00:00Z"
    end: str | None = None
    scope: str | None = None
    guard: str | None = None
    source_type: str = "document"
    importer: str = "own_jsonl"
    batch: str = "imp-1"
    review: str | None = None
    durable: bool = True
    edges: list[tuple] = field(default_factory=list)
    """(kind, target) or with (strength, asserter) behind."""


def known(*told: Told, **more) -> Known:
    """The cells with their life, as everything that is asked of them takes it."""
    made = cells(*told, **more)
    places = np.arange(len(made), dtype=np.int64)
    return Known(made, live(made), Slots(made), TextIndex(), places)


def cells(
    *told: Told,
    stages: dict[str, tuple[str, str]] | None = None,
    denied: list[tuple[str, str, str]] | None = None,
) -> Columns:
    """The cells as columns; ``denied`` are links (item, kind, target) that do not hold."""
    frame = pd.DataFrame(
        [
            {
                "item": one.item,
                "rev": 1,
                "seq": 1,
                "n": n,
                "digest": one.item,
                "kind": "fact",
                "source_type": one.source_type,
                "source_id": one.item,
                "importer": one.importer,
                "import": one.batch,
                "file": one.batch,
                "claim": one.item,
                "conclusion": None,
                "scope": one.scope,
                "written_at": one.written,
                "valid_from": one.start,
                "valid_to": one.end,
                "expires_at": None,
                "review_id": one.review,
                "guard": one.guard,
                "durable": one.durable,
            }
            for n, one in enumerate(told)
        ]
    )
    facts = pd.DataFrame(
        [
            {
                "item": one.item,
                "place": place,
                "subject_key": fact[0],
                "parameter_key": fact[1],
                "value_key": fact[2],
                "cardinality": fact[3] if len(fact) > 3 else "one",
                "role": fact[4] if len(fact) > 4 else "states",
                "valid_from": None,
                "valid_to": None,
            }
            for one in told
            for place, fact in enumerate(one.facts)
        ],
        columns=[
            "item",
            "place",
            "subject_key",
            "parameter_key",
            "value_key",
            "cardinality",
            "role",
            "valid_from",
            "valid_to",
        ],
    )
    edges = pd.DataFrame(
        [
            {
                "item": one.item,
                "kind": edge[0],
                "target": edge[1],
                "strength": edge[2] if len(edge) > 2 else "1",
                "asserter": edge[3] if len(edge) > 3 else "source",
            }
            for one in told
            for edge in one.edges
        ],
        columns=["item", "kind", "target", "strength", "asserter"],
    )
    said = pd.DataFrame(denied or [], columns=["item", "kind", "target"])
    return columns.build(frame, facts, edges, stages or {}, said)

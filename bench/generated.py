"""Generated cells and questions for the speed measures: people who move, tariffs, and notes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from typing import Final

import numpy as np
import pandas as pd

from store.cells import Fact

ROUNDS: Final = 40
"""Questions that are asked."""

_SYLLABLES: Final = [f"{one}{two}" for one in "bcdfghklmnprst" for two in "aeiou"]
_CITIES: Final = ("Kazan", "Tula", "Perm", "Omsk", "Tver", "Sochi", "Ufa", "Samara")


@dataclass(frozen=True)
class Made:
    """One generated cell."""

    claim: str
    source_id: str
    written_at: str


def made(count: int, seed: int = 1) -> Iterator[Made]:
    """Generated cells, one third of them facts that change."""
    chance = random.Random(seed)
    words = ["".join(chance.choices(_SYLLABLES, k=3)) for _ in range(20_000)]
    weights = list(accumulate(1.0 / (rank + 3) for rank in range(len(words))))
    people = max(count // 9, 1)
    for n in range(count):
        written = (datetime(2023, 1, 1, tzinfo=UTC) + timedelta(minutes=n)).isoformat()
        person = f"Person{chance.randrange(people)}"
        which = n % 9
        if which == 0:
            claim = f"{person} lives in {chance.choice(_CITIES)}."
        elif which == 1:
            claim = f"{person} moved to {chance.choice(_CITIES)}."
        elif which == 2:
            claim = f"The tariff of {person} is {chance.choice(('Basic', 'Premium', 'Team'))}."
        else:
            claim = " ".join(chance.choices(words, cum_weights=weights, k=12))
        yield Made(claim, f"made:{n}", written)


def states_a_fact(claim: str) -> bool:
    """Whether a generated claim states a fact; the others are random words."""
    return claim.startswith(("Person", "The tariff of "))


def questions(count: int, seed: int = 2) -> list[str]:
    """Questions about what was generated."""
    chance = random.Random(seed)
    people = max(count // 9, 1)
    rows = list(made(min(count, 5_000)))
    told = []
    for n in range(ROUNDS):
        person = f"Person{chance.randrange(people)}"
        if n % 3 == 0:
            told.append(f"Where does {person} live?")
        elif n % 3 == 1:
            told.append(f"What was the tariff of {person} last year?")
        else:
            told.append("What about " + " ".join(chance.choice(rows).claim.split()[:4]) + "?")
    return told


def cell_frame(rows: Sequence[Made]) -> pd.DataFrame:
    """The cells as ``review.memory.columns.build`` takes them, all durable."""
    count = len(rows)
    return pd.DataFrame(
        {
            "item": [row.source_id for row in rows],
            "rev": 1,
            "seq": 1,
            "n": np.arange(count),
            "digest": [row.source_id for row in rows],
            "kind": "fact",
            "source_type": "document",
            "source_id": [row.source_id for row in rows],
            "importer": "own_jsonl",
            "import": "imp-1",
            "file": "imp-1",
            "claim": [row.claim for row in rows],
            "conclusion": None,
            "scope": None,
            "written_at": [row.written_at for row in rows],
            "valid_from": None,
            "valid_to": None,
            "expires_at": None,
            "review_id": None,
            "guard": None,
            "durable": True,
        }
    )


def fact_frame(rows: Sequence[Made], facts: Sequence[tuple[Fact, ...]]) -> pd.DataFrame:
    """Their facts, one row each."""
    told = [
        (row.source_id, place, one)
        for row, mine in zip(rows, facts, strict=True)
        for place, one in enumerate(mine)
    ]
    return pd.DataFrame(
        {
            "item": [item for item, _, _ in told],
            "place": [place for _, place, _ in told],
            "subject_key": [one.subject_key for _, _, one in told],
            "parameter_key": [one.parameter_key for _, _, one in told],
            "value_key": [one.value_key for _, _, one in told],
            "cardinality": [str(one.cardinality) for _, _, one in told],
            "role": [str(one.role) for _, _, one in told],
            "valid_from": [one.valid.start for _, _, one in told],
            "valid_to": [one.valid.end for _, _, one in told],
        }
    )


def edge_frame() -> pd.DataFrame:
    """No links."""
    return pd.DataFrame({name: [] for name in ("item", "kind", "target", "strength", "asserter")})

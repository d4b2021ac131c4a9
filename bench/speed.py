"""P1, P2 and P4: the gate for one question, and the conflict graph, over many cells.

Cells are generated: people with a residence that changes, tariffs, notes with words of a Zipf
vocabulary. Up to ``REAL`` cells they come in by import, staging and signatures; above it the
columns are filled from the same generated rows without a store, which is said in the row, because
a million signatures take an hour and are measured elsewhere. What is timed is the same code, up
to the bytes of the record of the recall; appending them is timed with the store.

The peer (P2) is pandas: words by ``str.contains``, the same F over columns of a frame, the same
fifty best. Mem0 needs an embedding model from a hub, so it is not run here; the row says so.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import numpy as np
import pandas as pd

from bench.generated import ROUNDS, cell_frame, edge_frame, fact_frame, made, questions
from bench.quality.public_path import Cell, World
from bench.rows import Row
from console.wiring import shipped_policy
from review import instants, recording
from review.cards.bearing import Newcomer, bearing
from review.facts import parameters
from review.facts.grammar import GrammarParser
from review.facts.protocol import Setting
from review.gate.scored import Scored
from review.memory import columns, lifecycle
from review.memory.knowing import Known
from review.memory.slots import Slots
from review.policy import read_policy
from review.recall import Question, Recall, Recaller
from review.text.text_index import TextIndex
from review.trimming.served import Content
from store.cells import Fact

REAL: Final = 10_000
"""Cells up to which everything goes through the store."""

_NOW: Final = datetime(2026, 3, 10, 12, tzinfo=UTC)
_LIMITS: Final = {10_000: 15.0, 100_000: 40.0, 1_000_000: 150.0}


class Opened:
    """Opened artifacts of generated cells, as ``review.trimming.served`` opens a stored one."""

    def __init__(self, known: Known, facts: Sequence[tuple[Fact, ...]]) -> None:
        """Keep the cells."""
        self._known, self._facts = known, facts

    def of(self, scored: Sequence[Scored]) -> dict[str, Content]:
        """Content by item."""
        rows = {one.item: self._known.cells.row_of[one.item] for one in scored}
        return {
            one.item: Content(one.claim, self._facts[rows[one.item]], None, {}, False, 0)
            for one in scored
        }


def filled(count: int) -> tuple[Known, list[tuple[Fact, ...]], dict[str, float]]:
    """Columns of generated cells without a store, and what building them took, in seconds."""
    parser = GrammarParser(parameters.load())
    rows = list(made(count))
    took: dict[str, float] = {}
    started = time.perf_counter()
    facts = [
        parser.claim(row.claim, Setting(written_at=None)).facts if n % 9 < 3 else ()
        for n, row in enumerate(rows)
    ]
    took["facts"] = time.perf_counter() - started
    started = time.perf_counter()
    cells = columns.build(cell_frame(rows), fact_frame(rows, facts), edge_frame(), {})
    took["columns"] = time.perf_counter() - started
    started = time.perf_counter()
    life = lifecycle.live(cells, places=frozenset({"warehouse"}))
    took["graph"] = time.perf_counter() - started
    started = time.perf_counter()
    index = TextIndex.over([row.claim for row in rows])
    took["words"] = time.perf_counter() - started
    known = Known(cells, life, Slots(cells), index, np.arange(count, dtype=np.int64))
    return known, facts, took


def measure(count: int) -> list[Row]:
    """Rows of P1, P2 and P4 for ``count`` cells, and for a tenth of them (growth)."""
    rows: list[Row] = []
    middle: dict[int, float] = {}
    for size in sorted({max(count // 10, 1_000), count}):
        middle[size] = _measure_one(size, rows)
    low, high = min(middle), max(middle)
    if high > low:
        growth = middle[high] / middle[low]
        name = f"{low:,} to {high:,} cells"
        rows.append(Row("P1", name, "growth of the median", growth, None, "<= 4", growth <= 4.0))
    return rows


def _measure_one(size: int, rows: list[Row]) -> float:
    name = f"{size:,} cells"
    asked = questions(size)
    if size <= REAL:
        _through_a_store(size, asked, rows)
    known, facts, took = filled(size)
    recaller = Recaller(
        read_policy(shipped_policy()),
        GrammarParser(parameters.load()),
        Opened(known, facts),  # type: ignore[arg-type]  # the same answers as Contents
    )

    def gate(text: str) -> Recall:
        told = recaller.recall(Question(text), known, asked_at=_NOW, size=1)
        recording.encoded(told)
        return told

    times = _times(gate, asked)
    peer = _times(_pandas(known), asked[:10])
    ours, p95 = statistics.median(times), _p95(times)
    limit = _LIMITS.get(size)
    target = "" if limit is None else f"<= {limit:g}"
    holds = None if limit is None else p95 <= limit
    theirs = statistics.median(peer)
    graph = took["columns"] + took["graph"]
    alone, ratio = f"{name}, columns filled", theirs / ours
    rows += [
        Row("P1", alone, "gate, ms p95", p95, theirs, target, holds, len(times)),
        Row("P1", alone, "gate, ms median", ours, theirs, "", None, len(times)),
        Row("P2", name, "times faster than pandas", ratio, 1.0, ">= 10", ratio >= 10),
        Row("P2", name, "times faster than Mem0 (not installed)", None, None, ">= 3", None, 0),
        Row("P4", name, "graph in full, s", graph, None, "<= 60", graph <= 60.0),
        Row("P4", name, "facts read, s", took["facts"], None, "", None),
        Row("P4", name, "words indexed, s", took["words"], None, "", None),
    ]
    one = _one_new(known)
    rows.append(Row("P4", name, "one new cell, ms p95", one, None, "<= 50", one <= 50.0, ROUNDS))
    return ours


def _through_a_store(size: int, asked: Sequence[str], rows: list[Row]) -> None:
    """The same with everything behind it: import, signatures, the open store, the append."""
    world = World()
    world.learn(Cell(one.source_id, one.claim, one.written_at) for one in made(size))

    def ask(text: str) -> None:
        recall = world.ask(Question(text, asked_at=_NOW))
        world.desk.record_recall(recall)

    times = _times(ask, asked)
    name = f"{size:,} cells, through the store"
    rows.append(Row("P1", name, "ask and record, ms p95", _p95(times), None, "", None, len(times)))


def _one_new(known: Known) -> float:
    """Milliseconds to tell what one new cell would do, 95th percentile."""
    parser = GrammarParser(parameters.load())
    chance = random.Random(3)
    start = instants.of(_NOW)
    times = []
    for n in range(ROUNDS):
        person = f"Person{chance.randrange(max(len(known.cells) // 9, 1))}"
        began = time.perf_counter()
        facts = parser.claim(f"{person} moved to Kazan.", Setting()).facts
        new = Newcomer(f"new-{n}", facts, start, True, start, frozenset(), "own_jsonl")
        bearing(new, known)
        times.append((time.perf_counter() - began) * 1000)
    return _p95(times)


def _pandas(known: Known) -> Callable[[str], Any]:
    """The peer: words by ``str.contains``, F over the columns of a frame, the fifty best."""
    frame = pd.DataFrame(
        {
            "claim": known.cells.frame["claim"],
            "begins": known.life.begins,
            "ends": known.life.ends,
            "worth": known.life.validity(instants.of(_NOW), known.cells.durable),
        }
    )
    now = instants.of(_NOW)

    def ask(text: str) -> pd.DataFrame:
        words = [word.strip("?").lower() for word in text.split() if len(word) > 3]
        claims = frame["claim"].str.lower()
        hits = sum(claims.str.contains(word, regex=False).astype(float) for word in words)
        zeta = hits / max(len(words), 1)
        psi = ((frame["begins"] <= now) & (now < frame["ends"])).astype(float)
        told = frame.assign(zeta=zeta, score=(zeta + frame["worth"] + psi + 1.0) / 4.0)
        return told[told["zeta"] >= 0.15].nlargest(50, "score")

    return ask


def _times(work: Callable[[str], Any], asked: Sequence[str]) -> list[float]:
    """Milliseconds for each question, after one round to warm up."""
    for text in asked[:3]:
        work(text)
    times = []
    for text in asked:
        began = time.perf_counter()
        work(text)
        times.append((time.perf_counter() - began) * 1000)
    return times


def _p95(times: Sequence[float]) -> float:
    return sorted(times)[int(len(times) * 0.95)]

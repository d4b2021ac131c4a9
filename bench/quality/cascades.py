"""Q3: which stored conclusions are stale after sixty edits, and which are called stale wrongly.

Data: MQuAKE-CF-3k; every case is one stored conclusion over a chain of two to four facts (1,479
in the public folder).

Protocol. All conclusions are durable, written at one moment, in one store. Edits are those that
the data requests on a stored (subject, relation) to another value than the stored one; edits that
touch no stored hop are left out. Each is a single fact as text, a year later, staged. For each of
20 trials 60 of them, drawn by the seed, are approved, and withdrawn when the trial is over. (Where
there are no more than sixty, one trial makes them all.) In between, the product is asked which of
its cells hold a year after the edits. A conclusion is stale, for scoring, if one of its hops was
edited to another value. A conclusion that is called STALE or SUPERSEDED is found.

* given: a conclusion states its answer, its question and its support facts by the labels of
  subject and relation; an edit states its fact;
* found: both are text only.

F1 is over all trials together; the false-stale share is the share of intact conclusions that are
called stale. Baseline: entity closure, which calls every conclusion stale that has the subject
of an edit in one of its hops, as subject or as value.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from bench.quality import cloze
from bench.quality.cloze import Case, Hop
from bench.quality.datasets import EDITS, Wanted, stamp
from bench.quality.figures import Limit, Result, Tally, f1, row
from bench.quality.public_path import Cell, World
from bench.rows import Row

TRIALS: Final = 20
EDITS_EACH: Final = 60
STORED_AT: Final = datetime(2020, 1, 1, tzinfo=UTC)
EDITED_AT: Final = datetime(2021, 1, 1, tzinfo=UTC)
LOOKED_AT: Final = datetime(2022, 1, 1, tzinfo=UTC)
FALLEN: Final = frozenset({"STALE", "SUPERSEDED"})


@dataclass
class Score:
    """Conclusions of all trials together."""

    found: int = 0
    wrong: int = 0
    missed: int = 0
    intact: int = 0
    trials: list[float] = field(default_factory=list)
    kinds: Tally = field(default_factory=Tally)

    def take(self, stale: set[str], called: set[str], memory: Iterable[Case]) -> None:
        """Count one trial."""
        names = {case.id for case in memory}
        self.found += len(stale & called)
        self.wrong += len(called - stale)
        self.missed += len(stale - called)
        self.intact += len(names - stale)

    @property
    def f1(self) -> float | None:
        """Of the stale conclusions."""
        return f1(found=self.found, wrong=self.wrong, missed=self.missed)

    @property
    def false_stale(self) -> float | None:
        """Share of intact conclusions that are called stale."""
        return self.wrong / self.intact if self.intact else None


def conclusion_cell(case: Case, *, given: bool, at: datetime = STORED_AT) -> Cell:
    """A stored conclusion."""
    more = {"conclusion": case.conclusion(labelled=True)} if given else {}
    return Cell(case.id, case.claim(), stamp(at), kind="decision", more=more)


def edit_cell(name: str, edit: Hop, *, given: bool, at: datetime = EDITED_AT) -> Cell:
    """An edit as a memory of its own."""
    more = {"facts": cloze.facts([edit], labelled=True)} if given else {}
    return Cell(name, edit.sentence, stamp(at), more=more)


def usable(memory: list[Case], edits: list[Hop]) -> list[Hop]:
    """The edits that change a stored hop, one for each key and value."""
    stored = {hop.key: hop.value for case in memory for hop in case.hops}
    return [edit for edit in edits if stored.get(edit.key, edit.value) != edit.value]


def stale_by(memory: list[Case], edits: list[Hop]) -> set[str]:
    """Gold: the conclusions with an edited hop."""
    keys = {edit.key for edit in edits}
    return {case.id for case in memory if any(hop.key in keys for hop in case.hops)}


def sharing(memory: list[Case], edits: list[Hop]) -> set[str]:
    """The baseline: the conclusions that name the subject of an edit."""
    touched = {edit.key[0] for edit in edits}
    return {
        case.id
        for case in memory
        if any(hop.key[0] in touched or hop.value in touched for hop in case.hops)
    }


def measure(wanted: Wanted) -> Result:
    """Rows of Q3."""
    items = wanted.load(EDITS)
    memory = wanted.sample(cloze.cases(items))
    pool = usable(memory, cloze.edits(items))
    rng = random.Random(wanted.seed)
    times = TRIALS if len(pool) > EDITS_EACH else min(1, len(pool))
    trials = [rng.sample(pool, min(EDITS_EACH, len(pool))) for _ in range(times)]
    closure = Score()
    for edits in trials:
        closure.take(stale_by(memory, edits), sharing(memory, edits), memory)
    result = Result()
    for variant in ("given", "found"):
        score = _run(memory, pool, trials, given=variant == "given")
        result.rows += _rows(variant, score, closure, len(memory) * len(trials))
        result.misses[f"Q3 {variant}"] = score.kinds
    return result


def _run(memory: list[Case], pool: list[Hop], trials: list[list[Hop]], *, given: bool) -> Score:
    score = Score()
    by_id = {case.id: case for case in memory}
    told_after = _looked(memory, pool, trials, given=given)
    for edits, told in zip(trials, told_after, strict=True):
        called = {name for name in by_id if told.get(name) in FALLEN}
        stale = stale_by(memory, edits)
        score.take(stale, called, memory)
        _kinds(score.kinds, by_id, edits, stale, called)
    return score


def _looked(
    memory: list[Case], pool: list[Hop], trials: list[list[Hop]], *, given: bool
) -> Iterator[dict[str, str]]:
    """The statuses of all cells after each trial's edits."""
    world = World()
    world.learn([conclusion_cell(case, given=given) for case in memory], name="memory.jsonl")
    named = {(edit.key, edit.value): f"edit:{n}" for n, edit in enumerate(pool)}
    cells = [edit_cell(named[edit.key, edit.value], edit, given=given) for edit in pool]
    world.stage(cells, name="edits.jsonl")
    for edits in trials:
        names = [named[edit.key, edit.value] for edit in edits]
        world.approve(names)
        yield world.statuses(LOOKED_AT)
        world.withdraw(names)


def _kinds(
    kinds: Tally, by_id: dict[str, Case], edits: list[Hop], stale: set[str], called: set[str]
) -> None:
    """Misses by the relation of the edited hop; false alarms by the relations of the chain."""
    edited = {edit.key: edit for edit in edits}
    for name, case in by_id.items():
        hit = (name in stale) == (name in called)
        touched = [edited[hop.key] for hop in case.hops if hop.key in edited]
        if name in stale:
            miss = f"missed: {touched[0].relation_label}"
        else:
            miss = f"false: {' / '.join(hop.relation_label for hop in case.hops)}"
        kinds.add(hit, miss, f"{case.claim()} <- {cloze.chain(touched)}")


def _rows(variant: str, score: Score, closure: Score, n: int) -> list[Row]:
    given = variant == "given"
    return [
        row(
            ("Q3", variant, "stale conclusions, F1"),
            score.f1,
            n=n,
            baseline=closure.f1,
            limit=Limit(0.99 if given else 0.85),
        ),
        row(
            ("Q3", variant, "intact conclusions called stale"),
            score.false_stale,
            n=score.intact,
            baseline=closure.false_stale,
            limit=Limit(0.005, at_least=False) if given else None,
        ),
    ]

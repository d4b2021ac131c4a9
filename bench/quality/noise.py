"""Q10: whether staged records that nobody approved change the score of a durable one by a bit.

Protocol. From each of Q1, Q2, Q3, Q6 and Q7 a small world is made with their own cells, all
approved, and their questions are asked with 50 candidates. Then ten times as many records are
staged and not approved: the words of durable cells shuffled among each other, in the same
scopes, with links that claim to supersede or to contradict them, facts of their own, and one in
ten as a new revision of a durable record. The same questions are asked again. Every number of
every durable candidate is compared as the bits of a double: ζ, V, ψ, R, F, θ, and whether h
holds and whether it was admitted. A candidate that is there once and not the other time has
changed, too.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bench.quality import cloze, recall_at_ten, situated, timelines, updates
from bench.quality.cascades import LOOKED_AT, conclusion_cell
from bench.quality.datasets import (
    CONVERSATIONS,
    EDITS,
    SITUATED,
    TIMELINES,
    UPDATES,
    Wanted,
    stamp,
)
from bench.quality.figures import Limit, Result, Tally, row
from bench.quality.public_path import Cell, World
from review.recall import Question

TIMES: Final = 10
SMALL: Final = 40
"""Cases taken from each measure, and questions asked."""


@dataclass(frozen=True, slots=True)
class Bench:
    """Cells of one measure and questions on them."""

    cells: list[Cell]
    questions: list[Question]


def measure(wanted: Wanted) -> Result:
    """Rows of Q10."""
    result = Result()
    total = Tally()
    makers: dict[str, Callable[[Wanted], Bench]] = {
        "Q1": _situated,
        "Q2": _updates,
        "Q3": _cascades,
        "Q6": _conversations,
        "Q7": _timelines,
    }
    for name, make in makers.items():
        bench = make(wanted)
        tally, staged = _compared(bench, wanted.seed)
        total.n += tally.n
        total.hits += tally.hits
        total.misses.update({f"{name}: {miss}": n for miss, n in tally.misses.items()})
        variant = f"{name}, {len(bench.cells)} cells, {staged} staged"
        changed = float(tally.n - tally.hits) if tally.n else None
        result.rows.append(row(("Q10", variant, "durable scores changed"), changed, n=tally.n))
    changed = float(total.n - total.hits) if total.n else None
    limit = Limit(0, at_least=False)
    name_of_all = ("Q10", "all", "durable scores changed")
    result.rows.insert(0, row(name_of_all, changed, n=total.n, limit=limit))
    result.misses["Q10"] = total
    return result


def noise(cells: Sequence[Cell], seed: int) -> Iterator[Cell]:
    """Ten records for each of ``cells``, out of their words, scopes and ids."""
    rng = random.Random(seed)
    words = [word for cell in cells for word in cell.claim.split()]
    for n in range(TIMES * len(cells)):
        like = cells[n % len(cells)]
        told = like.claim.split()
        for place in rng.sample(range(len(told)), max(1, len(told) // 3)):
            told[place] = rng.choice(words)
        claim = " ".join(told)
        more: dict[str, Any] = {}
        if n % 4 == 1:
            kind = "supersedes" if n % 8 == 1 else "contradicts"
            more["edges"] = [{"kind": kind, "target": like.source_id}]
        if n % 4 == 2:
            at = claim.rfind(told[-1])
            fact = {"subject": told[0], "parameter": "residence", "value": told[-1]}
            more["facts"] = [fact | {"start": at, "end": at + len(told[-1])}]
        name = like.source_id if n % TIMES == 0 else f"noise:{n}"
        yield Cell(name, claim, like.written_at, like.scope, like.source_type, more=more)


def _compared(bench: Bench, seed: int) -> tuple[Tally, int]:
    world = World()
    world.learn(bench.cells, name="durable.jsonl")
    before = [_bits(world, question) for question in bench.questions]
    staged = world.stage(noise(bench.cells, seed), name="noise.jsonl") if bench.cells else 0
    tally = Tally()
    for question, one in zip(bench.questions, before, strict=True):
        two = _bits(world, question)
        for name in one.keys() | two.keys():
            same = one.get(name) == two.get(name)
            miss = "other numbers" if name in one and name in two else "another candidate"
            tally.add(same, miss, question.text)
    return tally, staged


def _bits(world: World, question: Question) -> dict[tuple[int, str, int], bytes]:
    """The numbers of every durable candidate, by sub-question, item and revision."""
    return {
        (place, one.item, one.rev): struct.pack(
            "<6d??", one.zeta, one.validity, one.psi, one.risk, one.score, one.theta,
            one.h, one.admitted,
        )
        for place, part in enumerate(world.ask(question).parts)
        for one in part.scored
    }  # fmt: skip


def _situated(wanted: Wanted) -> Bench:
    pairs = wanted.sample(situated.pairs(wanted.load(SITUATED)), SMALL)
    now = situated.told_at(pairs)
    cells = [cell for pair in pairs for cell in pair.cells(stamp(now))]
    modes = situated.MODES
    asked = [Question(p.asked(modes[n % 3]), asked_at=now) for n, p in enumerate(pairs)]
    return Bench(cells, asked)


def _updates(wanted: Wanted) -> Bench:
    items = wanted.load(UPDATES)
    chosen = wanted.sample(updates.updates(items), 8)
    cells = updates.cells_of(chosen, items, wanted.seed)
    asked = [Question(u.question, asked_at=u.asked_at, scope=u.scope) for u in chosen]
    return Bench(cells, asked)


def _cascades(wanted: Wanted) -> Bench:
    cases = wanted.sample(cloze.cases(wanted.load(EDITS)), SMALL)
    cells = [conclusion_cell(case, given=True) for case in cases]
    return Bench(cells, [Question(case.question, asked_at=LOOKED_AT) for case in cases])


def _conversations(wanted: Wanted) -> Bench:
    items = wanted.load(CONVERSATIONS)[:1]
    talks = [recall_at_ten.conversation(f"talk:{n}", item) for n, item in enumerate(items)]
    cells = [cell for talk in talks for cell in talk.cells]
    chosen = wanted.sample([asked for talk in talks for asked in talk.questions], SMALL)
    asked = [Question(one.text, asked_at=one.at, scope={"run": one.scope}) for one in chosen]
    return Bench(cells, asked)


def _timelines(wanted: Wanted) -> Bench:
    items = wanted.sample(wanted.load(TIMELINES), SMALL)
    told = [timelines.timeline(f"timeline:{n}", item) for n, item in enumerate(items)]
    cells = [cell for one in told for cell in one.cells(given=True)]
    asked = [
        Question(query.text, asked_at=query.at, scope={"run": one.id, "user": "user"})
        for one in told
        for query in one.queries
    ]
    return Bench(cells, asked)

"""Q11: how often a wrong old answer is carried over, by how much the question repeats of it.

Data: MQuAKE and CLADDER, as in Q4 and Q5. From MQuAKE a seeded 300 cases, four questions on
each: of the chain after the edits a part is stated, drawn by the seed, from nothing to all of
it, and the same question asked; and the stored facts with the question of another case. From
CLADDER 300 problems and their questions. A stored answer is wrong for a question when the data's
own answer to it is another one; where the stated part of a chain holds no edit, the stored
answer is still right.

Overlap is the share of remembered facts that the question repeats, by the gold keys. Before the
trim, a conclusion is carried over when the gate admits its memory; after the trim, when it is
kept as a past answer. Per bin: the wrong conclusions carried over, before and after, among the
wrong ones. Over all bins: the conclusions to be kept that were dropped or withheld, among those
to be kept.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

from bench.quality import causal, cloze
from bench.quality.cloze import Case
from bench.quality.datasets import CAUSAL, EDITS, Wanted
from bench.quality.figures import Limit, Result, Tally, row
from bench.quality.pairs import (
    CONFLICTING,
    DEMOTED,
    KEPT,
    WITHHELD,
    Pair,
    Verdict,
    ask,
    gold_fate,
    gold_groups,
)
from bench.quality.partitions import MOST, stored_case
from bench.quality.public_path import World
from review.trimming.serving import TRIMS

BINS: Final = ((0.0, 0.1), (0.1, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 1.01))
COMPARED: Final = 200
"""Questions that the simple ways to trim are asked."""

SHARES: Final = (0.0, 0.4, 0.7, 1.0)
"""How much of the chain after the edits a question states."""


def measure(wanted: Wanted) -> Result:
    """Rows of Q11."""
    items = wanted.load(EDITS)
    memory = cloze.cases(items)
    chosen = wanted.sample(memory, MOST)
    stored = {case.id: stored_case(case, labelled=False) for case in chosen}
    asked = [pair for case in chosen for pair in partial_pairs(case, memory, wanted.seed)]
    everything = causal.problems(wanted.load(CAUSAL))
    problems = wanted.sample(everything, MOST)
    stored |= {one.id: one.stored() for one in problems}
    asked += causal.pairs(problems, everything, wanted.seed)
    world = World()
    world.learn([one.cell() for one in stored.values()], name="conclusions.jsonl")
    told = [(pair, ask(world, stored[pair.memory], pair)) for pair in asked]
    result = Result()
    _curve(told, result)
    _dropped(told, result)
    some = wanted.sample(asked, COMPARED)
    for name in TRIMS:
        _compared(
            name, [(pair, ask(world, stored[pair.memory], pair, name)) for pair in some], result
        )
    return result


def as_curve(result: Result, *, seed: int, day: str) -> dict[str, Any]:
    """The curve as the console draws it: shares in [0, 1] in each bin, with how many and when.

    Args:
        result: Of ``measure``.
        seed: Of its samples.
        day: When it was measured, ``2026-03-10``.
    """
    told = {one.variant: one for one in result.rows}
    bins = []
    for low, high in BINS:
        one = told[_bin(low, high)]
        span: dict[str, Any] = {"low": low, "high": min(high, 1.0)}
        bins.append(span | {"n": one.n, "before": one.baseline, "after": one.value})
    return {
        "measure": "Q11",
        "data": ["MQuAKE", "CLADDER"],
        "seed": seed,
        "date": day,
        "n": sum(one["n"] or 0 for one in bins),
        "bins": bins,
    }


def _bin(low: float, high: float) -> str:
    return f"overlap {low:.1f} to {min(high, 1.0):.1f}"


def _compared(name: str, told: Sequence[tuple[Pair, Verdict]], result: Result) -> None:
    """The same two shares when the memory is trimmed by a simple rule, or without one part."""
    carried, lost = Tally(), Tally()
    for pair, said in told:
        if pair.wrong:
            carried.add(said.fate == KEPT)
        if pair.fate == KEPT:
            lost.add(said.fate not in (KEPT, DEMOTED))
    variant = f"baseline {name}"
    result.rows += [
        row(
            ("Q11", variant, "wrong conclusions carried over after trim"),
            carried.share,
            n=carried.n,
        ),
        row(("Q11", variant, "same-task conclusions dropped or withheld"), lost.share, n=lost.n),
    ]


def partial_pairs(case: Case, memory: Sequence[Case], seed: int) -> list[Pair]:
    """The case's question over growing parts of the edited chain, and another question."""
    rng = random.Random(f"{seed}/{case.id}")
    found: dict[str, Pair] = {}
    for share in SHARES if case.new_hops else ():
        size = round(share * len(case.new_hops))
        places = sorted(rng.sample(range(len(case.new_hops)), size))
        stated = [case.new_hops[place] for place in places]
        keys = {hop.key: hop.value for hop in stated}
        groups = gold_groups(((hop.key, hop.value) for hop in case.hops), keys)
        pair = Pair(
            memory=case.id,
            text=f"{cloze.chain(stated)} {case.question}".strip(),
            groups=groups,
            fate=gold_fate(groups, same_task=True),
            wrong=CONFLICTING in groups and case.new_answer != case.answer,
            sort="edited in part",
        )
        found.setdefault(pair.text, pair)
    other = rng.choice(memory).question if memory else case.question
    if other != case.question:
        groups = gold_groups(
            ((hop.key, hop.value) for hop in case.hops),
            {hop.key: hop.value for hop in case.hops},
        )
        told = Pair(
            memory=case.id,
            text=f"{cloze.chain(case.hops)} {other}",
            groups=groups,
            fate=DEMOTED,
            wrong=True,
            sort="other question",
        )
        found.setdefault(told.text, told)
    return list(found.values())


def _curve(told: Sequence[tuple[Pair, Verdict]], result: Result) -> None:
    bins: dict[tuple[float, float], tuple[Tally, Tally]] = defaultdict(lambda: (Tally(), Tally()))
    kinds = Tally()
    for pair, said in told:
        if not pair.wrong:
            continue
        place = next(one for one in BINS if one[0] <= pair.overlap < one[1])
        before, after = bins[place]
        before.add(said.fate != WITHHELD)
        after.add(said.fate == KEPT)
        kinds.add(said.fate != KEPT, f"{pair.sort}: wrong answer kept", pair.text)
    for low, high in BINS:
        before, after = bins[low, high]
        result.rows.append(
            row(
                ("Q11", _bin(low, high), "wrong conclusions carried over after trim"),
                after.share,
                n=after.n,
                baseline=before.share,
                limit=Limit(0.02, at_least=False),
            )
        )
    result.misses["Q11 carried over"] = kinds


def _dropped(told: Sequence[tuple[Pair, Verdict]], result: Result) -> None:
    carried, whole = Tally(), Tally()
    for pair, said in told:
        if pair.fate == KEPT:
            miss = f"{pair.sort}: {said.fate} {said.why}".strip()
            carried.add(said.fate in (KEPT, DEMOTED), miss, pair.text)
            whole.add(said.fate == KEPT, miss, pair.text)
    lost = None if carried.share is None else 1 - carried.share
    limit = Limit(0.02, at_least=False)
    result.rows += [
        row(
            ("Q11", "all bins", "same-task conclusions dropped or withheld"),
            lost,
            n=carried.n,
            baseline=1.0 if carried.n else None,
            limit=limit,
        ),
        row(("Q11", "all bins", "same-task conclusions kept as answers"), whole.share, n=whole.n),
    ]
    result.misses["Q11 wrongly dropped"] = carried

"""Q4 and Q5: which remembered facts a question repeats, which it contradicts, and what follows.

Q4, data: MQuAKE, a seeded 300 of its cases, four questions on each: the facts after the edits
and the same question; the stored facts and the same question; the stored facts and the same
question in the data's other words; the stored facts and the question of another case, drawn by
the seed. Facts are stated as cloze text, before the question. Gold is by (subject, relation),
then by value. Two variants: ``given``, where the conclusion's support facts carry the labels of
subject and relation, and ``found``, where they carry the words of the sentence, as a reviewer
marks them; the question is text in both. Fates are also told by sort of question, and without
the questions in other words, which the data counts as the same; these have no target.

Q5, data: CLADDER, a seeded 300 of its problems, up to four questions on each: itself, the same
sort of question over other figures, another question over the same figures, any of its story.
See ``bench.quality.causal`` for keys.

Partition accuracy is the share of remembered facts put in the right group, fate accuracy the
share of conclusions with the right fate: dropped if a support fact conflicts, else kept for the
same question, else demoted. A memory that the gate withheld is wrong in both, unless the question
repeats and contradicts nothing of it and is another question: then there is nothing to sort, and
the pair is counted in a row of its own. Baseline of both: one pattern that splits each sentence
into words and value, and equality of the words.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import Final

from bench.quality import causal, cloze
from bench.quality.cloze import Case, Hop
from bench.quality.datasets import CAUSAL, EDITS, Wanted
from bench.quality.figures import Limit, Result, Tally, row
from bench.quality.pairs import (
    UNREAD,
    WITHHELD,
    Pair,
    Sentence,
    Stored,
    Verdict,
    ask,
    gold_fate,
    gold_groups,
)
from bench.quality.public_path import World

MOST: Final = 300
REWORDED: Final = "same facts, same in other words"
"""Its gold is kept: the data gives the wordings as one question."""

_CLOZE: Final = re.compile(
    r"(\S.*? (?:is|of|by|in|position|plays)) (?!the |by |in |a )(.+?)\.(?=\s)"
)
"""The baseline's one line: words up to a link word, and what follows it."""

Reading = Callable[[str], list[Sentence]]


def measure_edited(wanted: Wanted) -> Result:
    """Rows of Q4."""
    memory = cloze.cases(wanted.load(EDITS))
    chosen = wanted.sample(memory, MOST)
    result = Result()
    for variant in ("given", "found"):
        stored = {case.id: stored_case(case, labelled=variant == "given") for case in chosen}
        asked = [pair for case in chosen for pair in edited_pairs(case, memory, wanted.seed)]
        _score("Q4", variant, stored, asked, cloze_pattern, (0.985, 0.92), result)
    return result


def measure_causal(wanted: Wanted) -> Result:
    """Rows of Q5."""
    everything = causal.problems(wanted.load(CAUSAL))
    chosen = wanted.sample(everything, MOST)
    stored = {one.id: one.stored() for one in chosen}
    asked = causal.pairs(chosen, everything, wanted.seed)
    result = Result()
    _score("Q5", "found", stored, asked, causal.pattern, (0.999, 0.999), result)
    return result


def stored_case(case: Case, *, labelled: bool) -> Stored:
    """A case as it would have been remembered."""
    conclusion = case.conclusion(labelled=labelled)
    places = tuple((one["start"], one["end"]) for one in conclusion["support"])
    return Stored(case.id, case.claim(), places, {"conclusion": conclusion})


def edited_pairs(case: Case, memory: Sequence[Case], seed: int) -> list[Pair]:
    """The questions on one case."""
    rng = random.Random(f"{seed}/{case.id}")
    other = rng.choice(memory).question if len(memory) > 1 else case.question
    found = [_pair(case, case.hops, case.question, "same facts, same question", same=True)]
    if case.new_hops:
        found.append(_pair(case, case.new_hops, case.question, "edited facts", same=True))
    if case.rewordings:
        words = rng.choice(case.rewordings)
        found.append(_pair(case, case.hops, words, REWORDED, same=True))
    if other != case.question:
        found.append(_pair(case, case.hops, other, "same facts, other question", same=False))
    return found


def cloze_pattern(text: str) -> list[Sentence]:
    """The baseline's reading of cloze text."""
    return [
        Sentence(found[1], found[2], found.start(), found.end())
        for found in _CLOZE.finditer(f"{text} ")
    ]


def _pair(case: Case, stated: Sequence[Hop], question: str, sort: str, *, same: bool) -> Pair:
    told = {hop.key: hop.value for hop in stated}
    groups = gold_groups(((hop.key, hop.value) for hop in case.hops), told)
    return Pair(
        memory=case.id,
        text=f"{cloze.chain(stated)} {question}",
        groups=groups,
        fate=gold_fate(groups, same_task=same),
        wrong=not same or (stated is not case.hops and case.new_answer != case.answer),
        sort=sort,
    )


def _score(
    name: str,
    variant: str,
    stored: dict[str, Stored],
    asked: Sequence[Pair],
    pattern: Reading,
    targets: tuple[float, float],
    result: Result,
) -> None:
    world = World()
    world.learn([one.cell() for one in stored.values()], name="conclusions.jsonl")
    own, base = (Tally(), Tally()), (Tally(), Tally())
    sorts: dict[str, tuple[Tally, Tally]] = {}
    apart, literal = Tally(), (Tally(), Tally())
    for pair in asked:
        memory = stored[pair.memory]
        said, told = ask(world, memory, pair), by_pattern(memory, pair, pattern)
        if pair.unrelated:
            apart.add(said.fate == WITHHELD)
            if said.fate == WITHHELD:
                continue
        _count(own, pair, said)
        _count(base, pair, told)
        both = [sorts.setdefault(pair.sort, (Tally(), Tally()))]
        both += [literal] if pair.sort != REWORDED else []
        for mine, theirs in both:
            mine.add(said.fate == pair.fate)
            theirs.add(told.fate == pair.fate)
    for place, measure in enumerate(("partition accuracy", "fate accuracy")):
        result.rows.append(
            row(
                (name, variant, measure),
                own[place].share,
                n=own[place].n,
                baseline=base[place].share,
                limit=Limit(targets[place]),
            )
        )
        result.misses[f"{name} {variant} {measure}"] = own[place]
    told_as = (name, variant, "unrelated memories that the gate withheld")
    result.rows.append(row(told_as, apart.share, n=apart.n))
    if name == "Q4":
        sorts = {"other words left out": literal, **sorts}
    for sort, (mine, theirs) in sorts.items() if name == "Q4" else ():
        told_as = (name, variant, f"fate accuracy, {sort}")
        result.rows.append(row(told_as, mine.share, n=mine.n, baseline=theirs.share))


def _count(tallies: tuple[Tally, Tally], pair: Pair, said: Verdict) -> None:
    groups, fates = tallies
    for wanted, found in zip(pair.groups, said.groups, strict=True):
        why = f" ({said.why})" if said.why else ""
        groups.add(wanted == found, f"{wanted} read as {found}{why}", f"{pair.sort}: {pair.text}")
    miss = f"{pair.sort}: {pair.fate} told as {said.fate} {said.why}".strip()
    fates.add(said.fate == pair.fate, miss, pair.text)


def by_pattern(memory: Stored, pair: Pair, pattern: Reading) -> Verdict:
    """The baseline's verdict; it knows the stored question and compares it word for word."""
    stated = {one.words: one.value for one in pattern(pair.text)}
    read = pattern(memory.claim)
    groups: list[str] = []
    for start, end in memory.places:
        here = [one for one in read if one.start <= start and end <= one.end]
        told = gold_groups([(one.words, one.value) for one in here[:1]], stated)
        groups += told or (UNREAD,)
    task = str(memory.more["conclusion"]["task"])
    return Verdict(tuple(groups), gold_fate(groups, same_task=pair.text.endswith(task)))

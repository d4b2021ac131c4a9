"""MemTrim's two model-only baselines: is a wrong old answer carried over into the model's answer?

Data: MQuAKE, a seeded 100 cases whose answer the edits change. Memory holds the chain as it was
with its answer, untrimmed; the question states the chain after the edits. Carried over: the reply
holds the old answer and not the new one. Right: it holds the new one. Only with
``--parser model``; through the stub the replies are empty, and so is the figure.
"""

from __future__ import annotations

from typing import Final

from bench.quality import cloze
from bench.quality.cloze import Case
from bench.quality.datasets import EDITS, Wanted
from bench.quality.figures import Tally, row
from bench.quality.model_reading import Told
from bench.rows import Row
from review.named_cells import stands_in
from review.proposals import baselines
from review.proposals.asking import outcome_of
from review.proposals.baselines import Way
from review.proposals.protocol import ModelError, Request
from review.proposals.shapes import AnswerTold
from review.trimming.trim import Admitted
from store.cells import Kind

MOST: Final = 100


def rows(wanted: Wanted, told: Told) -> list[Row]:
    """Shares of wrong answers carried over and of right ones, for each way to ask."""
    cases = [one for one in cloze.cases(wanted.load(EDITS)) if one.new_answer != one.answer]
    chosen = wanted.sample([one for one in cases if one.new_answer], MOST)
    found: list[Row] = []
    for way in Way:
        carried, right = Tally(), Tally()
        for case in chosen:
            answer = _answer(way, case, told)
            old, new = (stands_in(one, answer, least=1) for one in (case.answer, case.new_answer))
            carried.add(old and not new)
            right.add(new)
        name = f"model {way}"
        found += [
            row(("Q11", name, "wrong carried over"), carried.share, n=carried.n),
            row(("Q11", name, "right"), right.share, n=right.n),
        ]
    return found


def _answer(way: Way, case: Case, told: Told) -> str:
    def ask(request: Request) -> AnswerTold | None:
        reply = told.recordings.of(request, told.model)
        _, shaped = outcome_of(request, reply)
        return shaped if isinstance(shaped, AnswerTold) else None

    memory = [Admitted("m1", Kind.FACT, case.claim())]
    question = f"{cloze.chain(case.new_hops)} {case.question}"
    try:
        answer = baselines.answer(way, told.model.name, question, memory, ask)
    except ModelError as error:
        told.parser.fallen_back[error.failure] += 1
        return ""
    return "" if answer is None else answer.answer

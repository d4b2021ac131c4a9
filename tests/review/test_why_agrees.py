"""Many recorded answers: each is explained from its record, and asked again agrees."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bench.quality.public_path import Cell, World
from review.auditing import answers, why
from review.auditing.answers import AnswersWanted
from review.auditing.replay import compared
from review.recall import Question
from store import read_queries

DISTINCT = 150
MANY = (2 * DISTINCT, pytest.param(1_000, marks=pytest.mark.soak))
"""How many answers are recorded, of so many questions."""

TOWNS = [
    f"{a}{b}" for a in ("Kol", "Elek", "Tver", "Kazan", "Omsk") for b in ("ino", "stal", "sk")
]
THINGS = ["jackets", "boots", "tents", "lamps", "kettles", "chairs", "scarves", "skates"]
SHAPES = (
    "where do we store the {thing}?",
    "which carrier do we use for {town}?",
    "what is the storage limit for the {thing}?",
    "where did we store the {thing} last autumn?",
    "how did the warehouse for the {thing} change over the last year?",
    "where do we store the {thing}, and by which carrier does it go to {town}?",
)


def cells(rng):
    for n, thing in enumerate(THINGS):
        for m in range(9):
            day = f"{datetime(2025, 1, 10, tzinfo=UTC) + timedelta(days=40 * m + n):%Y-%m-%d}"
            claim = f"The main warehouse for the {thing} is {rng.choice(TOWNS)}"
            at = f"{day}T10:00:00Z"
            yield Cell(f"w:{thing}:{m}", claim, at, more={"valid_from": day})
        claim = f"The storage limit for the {thing} is {n + 2}00 000 RUB"
        yield Cell(f"l:{n}", claim, "2025-03-01T10:00:00Z")
    for n, town in enumerate(TOWNS):
        claim = f"The carrier for shipping to {town} is Line {n}"
        yield Cell(f"c:{n}", claim, "2025-05-01T10:00:00Z")
    for n in range(200):
        claim = f"A note about {rng.choice(TOWNS)}, number {n}, of no use"
        yield Cell(f"n:{n}", claim, "2025-06-01T10:00:00Z")


@pytest.fixture(scope="module", params=MANY)
def world(request):
    rng = random.Random(5)
    made = World()
    assert made.learn(list(cells(rng))) > 290
    with made.store.held():
        told = []
        for _ in range(DISTINCT):
            text = rng.choice(SHAPES).format(thing=rng.choice(THINGS), town=rng.choice(TOWNS))
            at = datetime(2025, 6, 1, tzinfo=UTC) + timedelta(hours=rng.randrange(9_000))
            told.append(made.ask(Question(text, asked_at=at)))
        for n in range(request.param):  # an agent asks the same again, as agents do
            made.desk.record_recall(told[n % DISTINCT])
    made.answers = request.param
    return made


def everything(world):
    rows = world.store.rows(read_queries.answers([]), limit=2 * world.answers, offset=0)
    return answers.opened(world.store, rows)


def test_each_recorded_answer_is_explained_and_agrees_to_the_last_bit(world):
    replay, policy = world.desk.audit.replay, world.desk.policy.policy
    with world.store.held():
        told = everything(world)
        disagreeing = [one.id for one in told if not replay.agreement(one, policy).agrees]
    assert len(told) == world.answers
    assert disagreeing == []
    assert sum(len(part.scored) for one in told for part in one.scores.parts) > 10 * world.answers


def test_every_recorded_number_is_read_as_it_was_recorded(world):
    for answer in everything(world)[:40]:
        for part in why.rows_of(answer.scores, why.cells_of(world.store, answer.scores)):
            for row in part.rows:
                one = row.score
                assert row.cell.claim
                assert round(sum(one.parts.values()) / 4, 9) == one.score
                assert one.admitted == (one.h and one.score >= one.theta)
                assert (row.verdict in ("below", "blocked")) != one.admitted


def test_one_last_bit_is_a_disagreement_and_is_named(world):
    (answer, *_) = world.desk.audit.page(AnswersWanted()).answers
    body = answer.scores
    part = body.parts[0]
    first = part.scored[0]
    off = math.nextafter(first.zeta, 0.0)
    scored = (replace(first, zeta=off), *part.scored[1:])
    other = replace(body, parts=(replace(part, scored=scored), *body.parts[1:]))
    told = compared(body, other)
    assert not told.agrees
    assert [(one.item, one.fields) for one in told.differing] == [(first.item, ("zeta",))]

"""Search and score in one: exact, the same for a pair as for a row, and never moved by others."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review.text.relevance import Passage, likeness
from review.text.text_index import TextIndex
from review.text.word_weights import wording

CLAIMS = [
    "the main warehouse for the jackets is Koledino, up to 400 000 RUB a month",
    "the carrier for shipping to Koledino is Delovye Linii, on Tuesdays",
    "Основной склад курток — Коледино, лимит хранения до 400 тысяч рублей в месяц",
    "Перевозчик на Коледино — Деловые Линии, по вторникам",
    "Alice prefers the dark theme and has two dogs",
    "of the and",
    "",
]
QUESTIONS = [
    "which warehouse are the jackets in?",
    "на каком складе лежат куртки и кто их перевозит?",
    "what theme does Alice prefer, dark or light?",
    "Koledino 400,000",
]
WORDS = st.sampled_from(
    [
        *("jackets", "jacket", "warehouse", "carrier", "dark", "dogs", "the", "Koledino"),
        *("склад", "складе", "куртки", "курток", "и", "Коледино"),
        *("400", "1,5", "2026", "Lager", "倉庫", "e\u0301t\u00e9"),
    ]
)
TEXTS = st.lists(WORDS, max_size=8).map(" ".join)
PASSAGES = TEXTS | st.builds(Passage, TEXTS, TEXTS, st.lists(TEXTS, max_size=3).map(tuple))


@pytest.fixture(scope="module", autouse=True)
def _word_tables_are_read():
    wording("tables of both languages are read once, таблицы читаются по разу")


def scores(index: TextIndex, question: str) -> dict[int, float]:
    rows, found = index.similarity(question)
    return dict(zip(rows.tolist(), found.tolist(), strict=True))


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_row_scores_what_its_claim_scores_alone(question):
    found = scores(TextIndex.over(CLAIMS), question)
    assert found
    alone = {row: likeness(question, claim) for row, claim in enumerate(CLAIMS)}
    assert found == {row: score for row, score in alone.items() if score}


@given(question=TEXTS, passages=st.lists(PASSAGES, max_size=6))
def test_every_row_and_no_other_is_found_with_the_score_of_the_pair(question, passages):
    found = scores(TextIndex.over(passages), question)
    alone = {row: likeness(question, passage) for row, passage in enumerate(passages)}
    assert found == {row: score for row, score in alone.items() if score}
    assert all(0.0 < score <= 1.0 for score in found.values())


@settings(max_examples=60)
@given(
    question=TEXTS,
    first=st.lists(PASSAGES, max_size=5),
    later=st.lists(st.lists(PASSAGES, max_size=4), max_size=5),
)
def test_adding_rows_leaves_every_score_as_it_was(question, first, later):
    index = TextIndex.over(first)
    before = scores(index, question)
    longer = index
    for more in later:
        longer = longer.extended(more)
    after = scores(longer, question)
    assert {row: score for row, score in after.items() if row < len(first)} == before
    assert scores(index, question) == before
    everything = [*first, *(passage for more in later for passage in more)]
    assert after == scores(TextIndex.over(everything), question)


def test_rows_added_one_by_one_are_found_like_rows_added_at_once():
    claims = [f"shelf {n} holds jackets of size {n % 7}" for n in range(300)]
    index = TextIndex()
    for claim in claims:
        index = index.extended([claim])
    assert len(index) == 300
    assert len(index.segments) < 12
    assert scores(index, "jackets of size 5") == scores(
        TextIndex.over(claims), "jackets of size 5"
    )


def test_rows_come_in_ascending_order_and_as_arrays_of_numbers():
    rows, found = TextIndex.over(CLAIMS).extended(CLAIMS).similarity("Koledino jackets")
    assert rows.dtype == np.int64
    assert found.dtype == np.float64
    assert rows.tolist() == [0, 1, 7, 8]


@pytest.mark.parametrize("question", ["", "   ", "?!", "who is it and what was that?", "кто это?"])
def test_a_question_without_a_telling_word_finds_nothing(question):
    rows, found = TextIndex.over(CLAIMS).similarity(question)
    assert len(rows) == len(found) == 0


def test_an_index_without_rows_finds_nothing():
    rows, found = TextIndex.over([]).similarity("jackets")
    assert len(rows) == len(found) == len(TextIndex()) == 0


def test_a_question_of_twenty_kilobytes_is_answered_at_once():
    index = TextIndex.over([f"shelf {n} holds jackets of size {n % 7}" for n in range(1000)])
    long = " ".join(f"{claim} {n}" for n, claim in enumerate(CLAIMS * 60))[:20_000]
    index.similarity(long)
    spent = []
    for _ in range(5):
        start = time.process_time()
        index.similarity(long)
        spent.append(time.process_time() - start)
    assert min(spent) < 0.05


def test_a_question_of_one_endless_word_is_answered_at_once():
    start = time.process_time()
    rows, _ = TextIndex.over(CLAIMS).similarity("a" * 1_000_000)
    assert len(rows) == 0
    assert time.process_time() - start < 2


def test_the_heaviest_text_does_not_overflow():
    heavy = " ".join(str(10**6 + n) for n in range(30_000))
    found = scores(TextIndex.over([heavy, "1000007"]), heavy)
    assert found[0] == 1.0
    assert 0.0 < found[1] < 0.001


def test_scores_are_the_same_in_another_process():
    program = (
        "import json, sys\n"
        "from review.text.text_index import TextIndex\n"
        "claims, questions = json.loads(sys.argv[1])\n"
        "index = TextIndex.over(claims)\n"
        "print([[s.hex() for s in index.similarity(q)[1].tolist()] for q in questions])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, json.dumps([CLAIMS, QUESTIONS])],
        env={**os.environ, "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    index = TextIndex.over(CLAIMS)
    here = [[score.hex() for score in index.similarity(q)[1].tolist()] for q in QUESTIONS]
    assert done.stdout == f"{here}\n"

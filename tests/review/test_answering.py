"""Which free-text memories are overtaken for a question, and which must stay."""

from __future__ import annotations

import itertools
import json
from datetime import UTC, datetime

import pytest

from review.answer import overtaken
from tests.review import answer_pairs, answer_pairs_russian

OVERTAKEN = answer_pairs.OVERTAKEN + answer_pairs_russian.OVERTAKEN
BOTH_STAY = answer_pairs.BOTH_STAY + answer_pairs_russian.BOTH_STAY
COINS = "How many coins do I have in my collection?"
OLD, MIDDLE, NEW = (
    "I have 37 coins in my collection.",
    "By the way, there are 38 coins in my collection now!",
    "I now have 40 coins in my collection.",
)


def rows(found: list[overtaken.Outdone]) -> list[tuple[int, int]]:
    return [(one.row, one.by) for one in found]


@pytest.mark.parametrize(("question", "older", "newer"), OVERTAKEN)
def test_a_later_answer_overtakes_the_earlier_one(question, older, newer):
    assert rows(overtaken.outdone(question, [older, newer], [1, 2])) == [(0, 1)]


@pytest.mark.parametrize(("question", "older", "newer"), OVERTAKEN)
def test_order_decides_not_the_place_in_the_list(question, older, newer):
    assert rows(overtaken.outdone(question, [newer, older], [2, 1])) == [(1, 0)]


@pytest.mark.parametrize(("question", "one", "other"), BOTH_STAY)
def test_what_does_not_answer_the_same_overtakes_nothing(question, one, other):
    assert overtaken.outdone(question, [one, other], [1, 2]) == []


@pytest.mark.parametrize(("question", "older", "newer"), OVERTAKEN)
def test_an_unrelated_memory_neither_overtakes_nor_is_overtaken(question, older, newer):
    claims = [older, "The printer on the second floor jams on Mondays.", newer]
    assert rows(overtaken.outdone(question, claims, [1, 9, 2])) == [(0, 2)]


def test_equal_order_leaves_both_to_be_told_as_a_conflict():
    assert overtaken.outdone(COINS, [OLD, NEW], [1, 1]) == []


def test_an_unknown_order_overtakes_nothing_and_is_not_overtaken():
    assert overtaken.outdone(COINS, [OLD, NEW], [1, None]) == []
    assert overtaken.outdone(COINS, [OLD, NEW], [None, 2]) == []


def test_order_may_be_any_comparable_thing():
    at = [datetime(2026, 1, day, tzinfo=UTC) for day in (1, 2)]
    assert rows(overtaken.outdone(COINS, [OLD, NEW], at)) == [(0, 1)]
    assert rows(overtaken.outdone(COINS, [OLD, NEW], [("2026", 3), ("2026", 4)])) == [(0, 1)]


def test_of_several_versions_the_latest_is_named():
    assert rows(overtaken.outdone(COINS, [OLD, MIDDLE, NEW], [1, 2, 3])) == [(0, 2), (1, 2)]


def test_a_version_that_came_back_stays_with_its_older_statement():
    back = "So I have 37 coins in my collection again."
    assert rows(overtaken.outdone(COINS, [OLD, NEW, back], [1, 2, 3])) == [(1, 2)]


def test_the_reason_shows_both_values_where_they_stand():
    (found,) = overtaken.outdone(COINS, [OLD, NEW], [1, 2])
    assert (found.older.value_key, found.newer.value_key) == ("37", "40")
    for given, claim in ((found.older, OLD), (found.newer, NEW)):
        assert claim[given.span.start : given.span.end] == given.value
        assert 0.45 <= given.support <= 1.0


@pytest.mark.parametrize(("question", "older", "newer"), OVERTAKEN)
def test_every_value_is_quoted_from_its_claim(question, older, newer):
    claims = [older, newer]
    for found in overtaken.outdone(question, claims, [1, 2]):
        for given in (found.older, found.newer):
            assert claims[given.row][given.span.start : given.span.end] == given.value


def test_the_result_does_not_depend_on_the_order_of_the_list():
    claims = {OLD: 1, MIDDLE: 2, NEW: 3, "I sold my bike.": 4}
    expected = {(OLD, NEW), (MIDDLE, NEW)}
    for listed in itertools.permutations(claims):
        found = overtaken.outdone(COINS, listed, [claims[one] for one in listed])
        assert {(listed[one.row], listed[one.by]) for one in found} == expected


def test_two_speakers_are_two_subjects():
    claims = ["I have 12 plants on my balcony.", "I have 20 plants on my balcony."]
    question = "How many plants does Anna have on the balcony?"
    assert rows(overtaken.outdone(question, claims, [1, 2], speakers=["Anna", "Anna"])) == [(0, 1)]
    assert overtaken.outdone(question, claims, [1, 2], speakers=["Anna", "Boris"]) == []


def test_a_label_before_a_claim_says_who_speaks():
    claims = ["Anna: I have 12 plants on my balcony.", "Boris: I have 20 plants on my balcony."]
    assert overtaken.outdone("How many plants do I have on my balcony?", claims, [1, 2]) == []


def test_a_bare_correction_corrects_only_a_value_of_its_sort():
    claims = ["The project budget is $25,000.", "Make that Tuesday."]
    assert overtaken.outdone("What is the project budget?", claims, [1, 2]) == []


def test_a_bare_correction_is_overtaken_in_its_turn():
    claims = [
        "The project budget is $25,000.",
        "Make that $75,000.",
        "The project budget is $9,000.",
    ]
    assert rows(overtaken.outdone("What is the project budget?", claims, [1, 2, 3])) == [
        (0, 2),
        (1, 2),
    ]


def test_a_claim_that_tells_both_values_is_not_overtaken_by_one_of_them():
    both = "I had 37 coins in my collection and have 40 coins in my collection now."
    assert overtaken.outdone(COINS, [both, NEW], [1, 2]) == []


def test_given_is_what_each_claim_answers():
    kind = overtaken.asked_kind(COINS)
    assert kind is not None
    found = overtaken.given(COINS, kind, [OLD, "I sold my bike.", NEW])
    assert [one and one.value_key for one in found] == ["37", None, "40"]


def test_what_is_not_the_value_is_not_given():
    question = "How many points do I need for the free coffee?"
    kind = overtaken.asked_kind(question)
    assert kind is not None
    (found,) = overtaken.given(question, kind, ["I need 120 points for the free coffee, not 300."])
    assert found is not None
    assert found.value_key == "120"


def test_nothing_is_overtaken_among_no_or_empty_claims():
    assert overtaken.outdone(COINS, [], []) == []
    assert overtaken.outdone(COINS, ["", " ", "?!"], [1, 2, 3]) == []
    assert overtaken.outdone("", [OLD, NEW], [1, 2]) == []


def test_lengths_that_differ_are_refused():
    with pytest.raises(ValueError, match="as many orders"):
        overtaken.outdone(COINS, [OLD, NEW], [1])


def test_a_long_claim_of_numbers_is_read_in_part_and_changes_nothing():
    endless = "1 coin, 2 coins in the collection, " * 2_000
    assert rows(overtaken.outdone(COINS, [OLD, NEW, endless], [1, 2, None])) == [(0, 1)]


def test_knowledge_updates_of_a_public_set_are_found_in_their_words(shared):
    """Evidence turns only, without distractors; figures with them are the benchmark's."""
    items = json.loads((shared / "data" / "longmemeval_evidence.json").read_text("utf-8"))
    clean = lost = seen = 0
    for item in items:
        told = sorted(
            (one["date"], turn["content"])
            for one in item["evidence_sessions"]
            for turn in one["turns"]
        )
        if item.get("intent") != "CURRENT" or len(told) < 2:
            continue
        seen += 1
        found = overtaken.outdone(item["question"], [t for _, t in told], range(len(told)))
        gone = {one.row for one in found}
        lost += len(told) - 1 in gone
        clean += gone == set(range(len(told) - 1))
    assert lost == 0
    assert clean >= 0.9 * seen

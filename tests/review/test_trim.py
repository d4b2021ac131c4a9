"""Trim: facts of admitted memory against a question, and admitted cells against each other."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.facts.protocol import QuestionFacts
from review.trimming.fate import Fate
from review.trimming.partition import Group
from review.trimming.trim import Held, Parts, Zone, trim, zone_of
from review.trimming.trim_baselines import BASELINES, compress, similarity_filter, top_1, without
from store.cells import Cardinality, FactRole, Interval
from tests.review.coffee_shop import (
    MANY,
    SAME,
    UNKNOWN,
    asked,
    cell,
    fact,
    remembered,
    stated,
)

BOTH = pytest.mark.parametrize("language", ["en", "ru"])


def names(facts):
    return [one.parameter for one in facts]


def held(told, at=0):
    return {one.fact.parameter: one.held for one in told.cells[at].facts}


@BOTH
def test_the_coffee_shop_shares_three_facts_and_conflicts_in_two(language):
    told = trim([remembered(language)], asked(language))
    assert names(told.of(Group.SHARED)) == ["city", "budget", "audience"]
    assert names(told.of(Group.CONFLICTING)) == ["season", "format"]
    assert told.of(Group.MEMORY_ONLY) == ()
    assert told.overlap == pytest.approx(0.60)
    assert told.zone is Zone.MIDDLE
    assert told.cells[0].fate is Fate.DROPPED
    assert names(told.cells[0].judged.because) == ["season", "format"]
    assert told.cells[0].given == ()


@BOTH
def test_the_coffee_shop_of_the_same_season_and_format_keeps_its_conclusion(language):
    told = trim([remembered(language)], asked(language, **SAME))
    assert told.overlap == 1.0
    assert told.zone is Zone.HIGH
    assert told.cells[0].fate is Fate.KEPT


@BOTH
def test_the_coffee_shop_with_another_task_demotes_its_conclusion(language):
    told = trim([remembered(language)], asked(language, **SAME, task="buy chairs"))
    assert told.cells[0].fate is Fate.DEMOTED


@BOTH
def test_a_cell_without_a_conclusion_has_no_fate(language):
    told = trim([cell("tea", fact("tea", "drink", "tea"))], asked(language))
    assert told.cells[0].fate is None
    assert told.cells[0].source_id == "notes:m1"


def test_a_fact_that_the_question_does_not_mention_stays():
    old = cell("Kazan, rent 90k", fact("Kazan", "city", "Kazan"), fact("rent 90k", "rent", "90k"))
    told = trim([old], stated(("city", "kazan")))
    assert held(told) == {"city": Held.SHARED, "rent": None}
    assert names(told.cells[0].given) == ["rent"]


def group(remembered_fact, question):
    return trim([cell("x", remembered_fact)], question).cells[0].facts[0].group


@pytest.mark.parametrize(
    ("cardinality", "expected"),
    [
        (Cardinality.ONE, Group.CONFLICTING),
        (UNKNOWN, Group.CONFLICTING),
        (MANY, Group.MEMORY_ONLY),
    ],
)
def test_another_value_conflicts_unless_the_parameter_can_have_many(cardinality, expected):
    old = fact("sells tea", "goods", "tea", cardinality=cardinality)
    assert group(old, stated(("goods", "coffee"), cardinality=UNKNOWN)) is expected


def of(subject, parameter, value, **more):
    told = stated((parameter, value)).facts[0]
    return replace(told, subject=subject, subject_key=subject, **more)


def subjects(mine, theirs):
    old = fact("lives in Kazan", "city", "Kazan", subject_key=mine)
    return group(old, QuestionFacts((of(theirs, "city", "moscow"),)))


def test_facts_of_different_subjects_are_not_compared():
    assert subjects("anna", "boris") is Group.MEMORY_ONLY
    assert subjects("anna", "anna") is Group.CONFLICTING
    assert subjects("", "anna") is Group.CONFLICTING
    assert subjects("anna", "") is Group.CONFLICTING


def test_a_fact_of_the_same_subject_decides_before_one_without_a_subject():
    old = fact("Anna lives in Kazan", "city", "Kazan", subject_key="anna")
    question = QuestionFacts((of("", "city", "moscow"), of("anna", "city", "kazan")))
    assert group(old, question) is Group.SHARED


def test_a_fact_without_keys_cannot_be_compared():
    old = fact("in Kazan", "city", "Kazan")
    for blank in (replace(old, parameter_key=""), replace(old, value_key="")):
        assert group(blank, stated(("city", "moscow"))) is Group.MEMORY_ONLY


def test_the_end_of_a_value_is_memory_alone():
    old = fact("we left Kazan", "city", "Kazan", role=FactRole.ENDS)
    assert group(old, stated(("city", "kazan"))) is Group.MEMORY_ONLY


def test_a_question_that_ends_a_value_contradicts_a_memory_of_it():
    old = fact("ships to Koledino", "warehouse", "Koledino")
    gone = of("", "warehouse", "koledino", role=FactRole.ENDS)
    assert group(old, QuestionFacts((gone,))) is Group.CONFLICTING


@pytest.mark.parametrize(
    ("claim", "place", "carrier"),
    [
        ("for shipping to Koledino we use Delovye Linii", "Koledino", "Delovye Linii"),
        ("для отправки в Коледино берём Деловые Линии", "Коледино", "Деловые Линии"),
    ],
)
def test_what_rests_on_a_failed_condition_is_held_back_with_it(claim, place, carrier):
    old = cell(
        claim,
        fact(claim, "warehouse", place, role=FactRole.RESTS_ON),
        fact(claim, "carrier", carrier),
    )
    elsewhere = trim([old], stated(("warehouse", "elektrostal")))
    assert held(elsewhere) == {"warehouse": Held.CONFLICTING, "carrier": Held.CONDITION}
    there = trim([old], stated(("warehouse", place.casefold())))
    assert held(there) == {"warehouse": Held.SHARED, "carrier": None}


def test_equal_facts_are_handed_over_once_by_the_more_relevant_cell():
    one = cell("rent 90k", fact("rent 90k", "rent", "90k"), item="a")
    two = cell("the rent is 90k", fact("the rent is 90k", "rent", "90k"), item="b")
    told = trim([one, two], stated())
    assert (held(told, 0), held(told, 1)) == ({"rent": None}, {"rent": Held.REPEATED})
    assert told.disagreements == ()


def rents(first=None, second=None, cardinality=Cardinality.ONE):
    one = fact("rent 90k", "rent", "90k", cardinality=cardinality)
    two = fact("rent 80k", "rent", "80k", cardinality=cardinality)
    cells = [
        cell("rent 90k", one, item="a", valid=first),
        cell("rent 80k", two, item="b", valid=second),
    ]
    return trim(cells, stated())


def test_cells_that_disagree_are_both_withheld_and_the_disagreement_is_listed():
    told = rents()
    assert [held(told, at)["rent"] for at in (0, 1)] == [Held.DISAGREED] * 2
    (apart,) = told.disagreements
    assert (apart.parameter, apart.items) == ("rent", ("a", "b"))
    assert apart.values == (("a", "90k"), ("b", "80k"))


def test_values_that_follow_one_another_in_time_do_not_disagree():
    told = rents(Interval("2025-01-01", "2026-03-01"), Interval("2026-03-01T00:00:00Z", None))
    assert told.disagreements == ()
    assert [held(told, at)["rent"] for at in (0, 1)] == [None, None]


def test_values_that_hold_at_one_time_disagree():
    assert rents(Interval("2025-01-01"), Interval("2026-03-01")).disagreements


@pytest.mark.parametrize("cardinality", [MANY, UNKNOWN])
def test_only_a_parameter_with_a_single_value_can_be_in_disagreement(cardinality):
    assert rents(cardinality=cardinality).disagreements == ()


def test_the_question_wins_over_memories_that_disagree():
    told = trim(
        [
            cell("rent 90k", fact("rent 90k", "rent", "90k"), item="a"),
            cell("rent 80k", fact("rent 80k", "rent", "80k"), item="b"),
        ],
        stated(("rent", "80k")),
    )
    assert held(told, 0)["rent"] is Held.CONFLICTING
    assert held(told, 1)["rent"] is Held.SHARED
    assert told.disagreements == ()


def test_copies_of_a_fact_do_not_move_the_overlap():
    old = remembered("en")
    copies = [
        old,
        *(cell("Kazan", fact("Kazan", "city", "Kazan"), item=f"c{n}") for n in range(9)),
    ]
    assert trim(copies, asked("en")).overlap == trim([old], asked("en")).overlap


def test_memory_without_facts_has_no_overlap():
    told = trim([cell("nothing was read here")], asked("en"))
    assert (told.overlap, told.zone) == (None, None)


@pytest.mark.parametrize(
    ("share", "zone"),
    [(0.0, "low"), (0.29, "low"), (0.3, "middle"), (0.7, "middle"), (0.71, "high"), (1.0, "high")],
)
def test_both_bounds_belong_to_the_middle(share, zone):
    assert zone_of(share) == zone


def test_the_middle_zone_is_an_argument():
    assert trim([remembered("en")], asked("en"), middle=(0.8, 0.9)).zone is Zone.LOW


def test_strict_mode_reaches_the_conclusion():
    question = stated(("city", "kazan"), task=asked("en").task)
    assert trim([remembered("en")], question).cells[0].fate is Fate.KEPT
    assert trim([remembered("en")], question, strict=True).cells[0].fate is Fate.DROPPED


def test_a_part_that_is_switched_off_does_nothing_and_the_groups_stay():
    old, question = remembered("en"), asked("en")
    whole = trim([old], question)
    for part, passed in (
        ("shared", {"city", "budget", "audience"}),
        ("conflicting", {"season", "format"}),
    ):
        told = trim([old], question, parts=Parts(**{part: False}))
        assert {one.parameter for one in told.cells[0].given} == passed
        assert told.overlap == whole.overlap
    assert trim([old], question, parts=Parts(fate=False)).cells[0].fate is Fate.KEPT
    twice = [old, remembered("en", item="m2")]
    told = trim(twice, stated(), parts=Parts(across=False))
    assert all(one.held is None for one in told.cells[1].facts)


def test_top_1_takes_the_most_relevant_cell_alone():
    told = top_1(
        [cell("a", item="a", relevance=0.2), cell("b", item="b", relevance=0.9)], asked("en")
    )
    assert [one.item for one in told.cells] == ["b"]
    assert top_1([], asked("en")).cells == ()


def test_the_similarity_filter_takes_what_reaches_its_threshold():
    cells = [cell("a", item="a", relevance=0.5), cell("b", item="b", relevance=0.49)]
    assert [one.item for one in similarity_filter(cells, asked("en")).cells] == ["a"]
    assert len(similarity_filter(cells, asked("en"), threshold=0.4).cells) == 2


def test_dropping_all_conclusions_drops_one_that_still_fits():
    told = BASELINES["drop_conclusions"]([remembered("en")], asked("en", **SAME))
    assert told.cells[0].fate is Fate.DROPPED


def test_compressing_keeps_one_line_and_the_conclusion():
    told = compress([remembered("ru"), cell("short\nand plain", item="b")], asked("ru"))
    assert len(told.cells[0].shortened) <= 120
    assert told.cells[0].shortened.endswith("…")
    assert told.cells[0].fate is Fate.KEPT
    assert told.cells[1].shortened == "short and plain"


def test_every_part_can_be_removed_by_name():
    for part in ("shared", "conflicting", "fate", "across"):
        assert f"without_{part}" in BASELINES
    with pytest.raises(ValueError, match="no part 'nothing'"):
        without("nothing", [], asked("en"))


_KEYS = st.sampled_from(["a", "b", "c", ""])
_FACTS = st.builds(
    lambda parameter, value, cardinality, role, subject: fact(
        "xyz",
        parameter,
        "x",
        value or None,
        cardinality=cardinality,
        role=role,
        subject_key=subject,
    ),
    _KEYS,
    _KEYS,
    st.sampled_from(list(Cardinality)),
    st.sampled_from(list(FactRole)),
    st.sampled_from(["", "s", "t"]),
)


@given(st.lists(st.lists(_FACTS, max_size=4), max_size=4), st.lists(_FACTS, max_size=4))
def test_every_fact_gets_one_group_and_what_the_question_says_is_never_handed_over(cells, said):
    admitted = [cell("xyz", *facts, item=f"m{n}") for n, facts in enumerate(cells)]
    question = QuestionFacts(tuple(said))
    for name, baseline in BASELINES.items():
        told = baseline(admitted, question)
        assert all(len(one.facts) == len(one.cell.facts) for one in told.cells), name
    told = trim(admitted, question)
    assert told.overlap is None or 0.0 <= told.overlap <= 1.0
    for one in told.cells:
        for sorted_fact in one.facts:
            if sorted_fact.group is not Group.MEMORY_ONLY:
                assert sorted_fact.held is not None

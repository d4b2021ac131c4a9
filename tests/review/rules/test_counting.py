"""Thresholds from independent events: what counts, what does not, and dates that are none."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.independence import Count
from review.policy import RuleThresholds
from review.recall import Question
from review.rules import candidates
from review.rules.cases import Cases, Found, looked_up
from review.rules.export_told import ThresholdName, Why
from review.rules.learned import Learned
from review.rules.listed import Show
from review.rules.seen import Events, Judged, Seen, act_of, gathered
from review.rules.thresholds import evaluated
from store.cells import Case, Kind, Stance
from store.stages import DecisionKind
from store.trajectories import Verdict
from tests.conftest import NOON
from tests.review.desks import desk_over, proposal
from tests.review.desks import reading as cells
from tests.review.rules import lessons
from tests.review.rules.lessons import judged, learn, supporting
from tests.review.run_worlds import reading

WANTED = RuleThresholds()


def thresholds(desk, item):
    return {one.name: one for one in desk.rules.open(item).thresholds}


@pytest.fixture
def desk(store, irina):
    return desk_over(store, irina)


@pytest.mark.parametrize("store", ["memory", "file"], indirect=True)
def test_five_people_in_five_runs_long_ago_reach_every_threshold(desk, irina):
    item = learn(desk, irina, supporting())
    told = thresholds(desk, item)
    assert [(one.wanted, one.found, one.n) for one in told.values()] == [
        ("0.90", "1.00", 5),
        ("5", "5", 5),
        ("2", "5", 5),
        ("14", "24", 5),
    ]
    assert all(one.passed for one in told.values())


def test_five_events_of_one_reviewer_are_one_source(desk, irina):
    """P103: one malicious comment must not become a rule, however often it is made."""
    item = learn(desk, irina, supporting(people=("mallory",) * 5))
    told = thresholds(desk, item)
    assert told[ThresholdName.VOTES].found == "1"
    assert told[ThresholdName.PEOPLE].found == "1"
    assert not told[ThresholdName.VOTES].passed
    page = desk.rules.page()
    assert (page.total, page.aside) == (0, 1)


def test_four_of_five_are_not_nine_in_ten(desk, irina):
    against = judged("no", verdict="accept", reason=None, by="zoe")
    item = learn(desk, irina, [*supporting(), against])
    told = thresholds(desk, item)[ThresholdName.CONFIDENCE]
    assert (told.found, told.n, told.passed, told.why) == ("0.83", 6, False, Why.BELOW)


@pytest.mark.parametrize("at", ["", "soon", "2026-02-30", "32.01.2026", "2026-13-01T00:00:00Z"])
def test_a_date_that_is_none_fails_the_age_and_does_not_pass_it(at):
    told = evaluated(counted(dates=[at, *["2020-01-01"] * 5]), WANTED, NOON)
    days = told[-1]
    assert (days.passed, days.why, days.found) == (False, Why.NO_DATE, None)


def test_no_date_at_all_fails_the_age():
    assert evaluated(counted(dates=[None] * 5), WANTED, NOON)[-1].why is Why.NO_DATE


def test_a_date_in_the_future_fails_the_age():
    dates = ["2020-01-01", "2030-01-01", "2020-01-01", "2020-01-01", "2020-01-01"]
    assert evaluated(counted(dates=dates), WANTED, NOON)[-1].why is Why.DATE_AHEAD


def test_an_undated_case_fails_it_through_the_whole_path(desk, irina):
    """The moment of the import is no date of the case."""
    runs = [replace(one, found=without_times(one.found)) for one in supporting()]
    item = learn(desk, irina, runs)
    assert thresholds(desk, item)[ThresholdName.DAYS].why is Why.NO_DATE


def without_times(run):
    decisions = tuple(replace(one, at=None) for one in run.decisions)
    return replace(run, decisions=decisions, started_at=None, ended_at=None)


def test_one_day_too_young_is_below(desk, irina):
    recent = lessons.stamp(NOON - timedelta(days=13, hours=23))
    item = learn(desk, irina, supporting(at=recent))
    told = thresholds(desk, item)[ThresholdName.DAYS]
    assert (told.found, told.passed) == ("13", False)


def test_reading_an_item_never_lowers_it(desk, irina):
    item = learn(desk, irina, supporting())
    before = thresholds(desk, item)
    for _ in range(3):
        answered = desk.ask(Question("Where do we ship jackets?"))
        desk.record_recall(answered.recall)
        desk.card_of(item)
        desk.rules.page()
    assert thresholds(desk, item) == before


def test_a_confidence_of_a_file_is_never_the_count(desk, irina):
    told = proposal(
        "Never phone before ten.",
        kind=Kind.INSIGHT,
        confidence="0.99",
        cases=tuple(
            Case(f"elsewhere:{n}", Stance.SUPPORTS, by=f"p{n}", session=f"s{n}") for n in range(9)
        ),
    )
    (item,) = desk.stage(cells([told])).items
    lessons.approve(desk, irina, item)
    opened = desk.rules.open(item)
    assert opened.learned.claimed == "0.99"
    assert (opened.cases.count.supporting, opened.cases.missing) == (0, 9)
    assert not any(one.passed for one in opened.thresholds)


def test_cases_of_a_file_count_when_the_runs_it_names_are_here(desk, irina):
    desk.stage(reading(supporting()))
    named = tuple(
        Case(f"test:s-for-{who}-{n}/for-{who}-{n}", Stance.SUPPORTS, by=who)
        for n, who in enumerate(lessons.PEOPLE)
    )
    wrong = Case("test:s-for-oleg-0/for-oleg-0", Stance.SUPPORTS, by="somebody else")
    told = proposal("Ship elsewhere.", kind=Kind.INSIGHT, cases=(*named, wrong))
    (item,) = desk.stage(cells([told])).items
    lessons.approve(desk, irina, item)
    cases = desk.rules.open(item).cases
    assert (cases.count.supporting, cases.missing) == (5, 1)


def test_an_undecided_run_and_a_thumb_support_nothing(desk, irina):
    thumb = judged("thumb", by="zoe", weak=True)
    item = learn(desk, irina, [*supporting(), thumb])
    assert desk.rules.open(item).cases.count.supporting == 5


def test_withdrawn_is_no_candidate_any_more(desk, irina):
    item = learn(desk, irina, supporting())
    assert desk.rules.page().total == 1
    lessons.decide(desk, irina, DecisionKind.WITHDRAW, item)
    assert desk.rules.page().total == 0


def test_the_list_is_paged_and_searched():
    runs = [one_run(n, by=f"p{n}") for n in range(5)]
    cases = tuple(Case(run.source_id, Stance.SUPPORTS, by=f"p{n}") for n, run in enumerate(runs))
    every = candidates.of([learned(n, cases) for n in range(53)], gathered(runs), WANTED, NOON)
    first, second = candidates.page(every), candidates.page(every, number=2)
    assert (len(first.rows), len(second.rows), first.total) == (50, 3, 53)
    assert candidates.page(every, words="parcel 52 by").total == 1
    assert candidates.page(every, words="%").total == 0
    assert candidates.page(every, Show.BELOW).total == first.below == 0


def learned(n, cases):
    claim = f"Never send parcel {n} by pigeon."
    empty = dict.fromkeys(
        ("source_type", "claimed", "recorded_at", "signed_at", "by", "writer"), ""
    )
    return Learned(f"i{n}", 1, "0" * 64, claim, "avoid", {}, cases, written_at=None, **empty)


# --- properties -------------------------------------------------------------------------------


def one_run(n, verdict=Verdict.REJECT, by="", at="2026-01-01", session=""):
    judged_ = Judged(verdict, act_of("t", "a"), "a", "Why.", "", by, at, "", 1, None)
    return Seen(f"i{n}", f"r{n}", session or f"s{n}", {}, "", frozenset(), (judged_,), "")


def counted(supporting=5, against=0, dates=()):
    found = []
    dates = dates or ["2026-01-01"] * supporting
    for n, at in enumerate(dates):
        run = one_run(n, by=f"p{n}", at=at)
        found.append(Found(Case(run.item, Stance.SUPPORTS, by=f"p{n}"), run, run.judged[0]))
    return Cases(tuple(found), Count(len(dates), against, len(dates), 0, len(dates)))


@given(st.integers(0, 30), st.integers(0, 30))
def test_confidence_passes_exactly_from_nine_in_ten_on(supporting, against):
    told = evaluated(counted(supporting, against) if supporting else none(against), WANTED, NOON)
    whole = supporting + against
    assert told[0].passed == (whole > 0 and 10 * supporting >= 9 * whole)
    if not told[0].passed and told[0].found is not None:
        assert float(told[0].found) < 0.9, "a number below never looks like the threshold"


def none(against):
    return Cases((), Count(0, against, against, 0, 0))


@given(st.lists(st.sampled_from(["ana", "oleg", "vera", ""]), max_size=8))
def test_another_event_of_the_same_person_never_adds_a_vote(names):
    runs = [one_run(n, by=by) for n, by in enumerate(names)]
    cases = [
        Case(run.source_id, Stance.SUPPORTS, by=by) for run, by in zip(runs, names, strict=True)
    ]
    once = looked_up("Why.", cases, gathered(runs)).count
    again = [one_run(100 + n, by=by) for n, by in enumerate(names) if by]
    more = [Case(run.source_id, Stance.SUPPORTS, by=run.judged[0].by) for run in again]
    twice = looked_up("Why.", [*cases, *more], gathered([*runs, *again])).count
    assert (twice.supporting, twice.people) == (once.supporting, once.people)


def test_a_run_that_is_not_kept_is_no_event():
    found = looked_up("Why.", [Case("gone", Stance.SUPPORTS)], Events((), {}))
    assert (found.count.supporting, found.missing) == (0, 1)

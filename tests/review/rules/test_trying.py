"""The transfer check: a candidate tried on kept runs outside its support; unknown stays so."""

from __future__ import annotations

import pytest

from review.rules.cases import looked_up
from review.rules.export_told import Apart, Outcome
from review.rules.seen import Judged, Seen, act_of, gathered
from review.rules.transfer import support, tried
from store.cells import Case, Stance
from store.trajectories import Verdict

REASON = "Never deploy on Fridays."
ACT, OTHER = "deploy to production", "deploy to the test site"
SCOPE = {"tool": "deploy"}


def judged(verdict=Verdict.REJECT, act=ACT, reason="", edit="", by="zoe", tool="deploy"):
    return Judged(verdict, act_of(tool, act), act, reason, edit, by, "2026-03-01", "", 1, None)


def run(name, *decisions, acts=(ACT,), asked="Deploy it.", tool="deploy", session="", **ids):
    return Seen(
        item=f"i-{name}",
        source_id=f"r-{name}",
        session=session or f"s-{name}",
        ids={"session": session or f"s-{name}", **ids},
        asked=asked,
        acts=frozenset(act_of(tool, one) for one in acts),
        judged=tuple(decisions),
        recalled="",
    )


BACKING = [
    run(f"for-{who}", judged(reason=REASON, by=who), project="shop") for who in ("oleg", "anna")
]


def outcome(*others, scope=SCOPE, polarity="avoid"):
    events = gathered([*BACKING, *others])
    cases = looked_up(
        REASON,
        [
            Case("r-for-oleg", Stance.SUPPORTS, by="oleg"),
            Case("r-for-anna", Stance.SUPPORTS, by="anna"),
        ],
        events,
    )
    return tried(support(REASON, scope, polarity, cases), events)


def first(*others, **more):
    return outcome(*others, **more).tried[0]


def test_the_supporting_runs_themselves_prove_nothing_more():
    told = outcome()
    assert (told.outside, told.holds, told.tried) == (0, 0, ())
    assert not told.passed(0.9)


def test_another_run_of_a_supporting_session_is_not_another_run():
    assert outcome(run("x", judged(), session="s-for-oleg")).outside == 0


def test_the_same_act_rejected_elsewhere_holds():
    told = first(run("x", judged(reason="Wrong day.")))
    assert (told.outcome, told.words, told.who) == (Outcome.HOLDS, "Wrong day.", "zoe")
    assert told.differs_in == (Apart.RUN, Apart.PERSON)


def test_the_same_act_accepted_elsewhere_fails():
    told = outcome(run("x", judged(Verdict.ACCEPT)))
    assert told.tried[0].outcome is Outcome.FAILS
    assert not told.passed(0.9)


def test_the_same_words_of_another_tool_hold():
    other = run(
        "x", judged(act="ship", tool="ship", reason="never deploy on fridays"), tool="ship"
    )
    assert first(other).outcome is Outcome.HOLDS


def test_the_same_act_that_nobody_judged_is_unknown():
    told = outcome(run("x"))
    assert told.tried[0].outcome is Outcome.UNKNOWN
    assert (told.holds, told.fails) == (0, 0)


def test_another_act_of_the_tool_is_unknown_and_another_tool_does_not_apply():
    assert first(run("x", acts=(OTHER,))).outcome is Outcome.UNKNOWN
    assert first(run("x", acts=("ls",), tool="shell")).outcome is Outcome.DOES_NOT_APPLY


def test_another_accepted_act_is_no_proof_of_the_rule():
    other = run("x", judged(Verdict.ACCEPT, act=OTHER), acts=(OTHER,))
    assert first(other).outcome is Outcome.UNKNOWN


def test_a_run_of_another_scope_says_so():
    assert Apart.SCOPE in first(run("x", judged(), project="farm")).differs_in
    assert Apart.SCOPE not in first(run("x", judged(), project="shop")).differs_in


def test_a_scope_that_the_run_contradicts_does_not_apply():
    told = first(run("x", acts=(OTHER,), user="bob"), scope={**SCOPE, "user": "ana"})
    assert told.outcome is Outcome.DOES_NOT_APPLY


def test_five_confirmations_of_one_person_are_one():
    told = outcome(*(run(f"x{n}", judged()) for n in range(5)))
    assert (told.outside, told.holds) == (5, 1)


def test_failures_come_first_in_the_list():
    told = outcome(run("a"), run("b", judged()), run("c", judged(Verdict.ACCEPT, by="yan")))
    assert [one.outcome for one in told.tried] == [
        Outcome.FAILS, Outcome.HOLDS, Outcome.UNKNOWN
    ]  # fmt: skip
    assert not told.passed(0.9)
    assert told.passed(0.5)


@pytest.mark.parametrize(
    ("verdict", "expected"), [(Verdict.ACCEPT, Outcome.HOLDS), (Verdict.REJECT, Outcome.FAILS)]
)
def test_what_people_put_in_its_place_is_judged_the_other_way_round(verdict, expected):
    put = "deploy on Monday"
    backing = [
        run(f"for-{who}", judged(Verdict.EDIT, edit=put, by=who)) for who in ("oleg", "anna")
    ]
    other = run("x", judged(verdict, act=put), acts=(put,))
    events = gathered([*backing, other])
    named = [Case(one.source_id, Stance.SUPPORTS, by=one.judged[0].by) for one in backing]
    cases = looked_up(put, named, events)
    told = tried(support(put, SCOPE, "do", cases), events)
    assert told.tried[0].outcome is expected

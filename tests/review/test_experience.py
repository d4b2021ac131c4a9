"""The third layer: insights from runs, counted by independent sources, in people's own words."""

import time

import pytest

from review import insights, runs
from review.independence import count
from review.queue import Wanted
from review.text.edit_parts import split
from store.cells import Case, Kind, Stance
from store.records import Outcome
from store.stages import Stage
from tests.review.desks import desk_over
from tests.review.run_worlds import reading, run

CALL = [
    ("input", "Deploy it."),
    ("action", "deploy to production", {"name": "deploy", "call": "c1"}),
]
REASON = "Never deploy on Fridays."


def rejected(name, reason=REASON, by="", session=None, **more):
    decision = {"verdict": "reject", "step": 1, "reason": reason, "by": by, **more}
    return run(name, CALL, [decision], session=session or f"s-{name}")


@pytest.fixture
def desk(store, irina):
    return desk_over(store, irina)


def waiting(desk):
    return [row.claim for row in desk.waiting(Wanted()).rows if row.kind == Kind.INSIGHT]


def card_of(desk):
    (row,) = [row for row in desk.waiting(Wanted()).rows if row.kind == Kind.INSIGHT]
    return desk.card_of(row.item)


@pytest.mark.parametrize("store", ["memory", "file"], indirect=True)
def test_a_rejection_with_a_reason_becomes_an_insight_in_the_persons_words(desk):
    desk.stage(reading([rejected("one", by="oleg")]))
    rebuilt = desk.experience.build()
    assert rebuilt.receipt.counts[Outcome.WRITTEN] == 1
    card = card_of(desk)
    assert card.claim == REASON
    assert card.provenance["polarity"] == "avoid"
    assert card.stage is Stage.STAGED
    assert card.provenance["validation_state"] == "unverified"
    assert [one.kept.run.source_id for one in card.beside] == ["test:s-one/one"]


def test_a_rejection_without_a_reason_is_reason_unknown(desk):
    desk.stage(reading([rejected("one", reason=None)]))
    rebuilt = desk.experience.build()
    assert rebuilt.receipt is None
    assert rebuilt.built.unexplained == 1


def test_an_accept_alone_teaches_nothing(desk):
    desk.stage(reading([run("one", CALL, [{"verdict": "accept", "step": 1}])]))
    assert desk.experience.build().receipt is None


def test_an_undecided_run_teaches_nothing(desk):
    desk.stage(reading([run("one", CALL)]))
    assert desk.experience.build().built.decided == 0


def test_a_style_edit_supports_nothing(desk):
    edit = {"verdict": "edit", "step": 0, "edit": "Please, deploy it!"}
    desk.stage(reading([run("one", [("said", "Deploy it.")], [edit])]))
    rebuilt = desk.experience.build()
    assert (rebuilt.built.style_only, rebuilt.receipt) == (1, None)


def test_a_technical_edit_becomes_an_insight(desk):
    edit = {"verdict": "edit", "step": 0, "edit": "Ship to Elektrostal."}
    desk.stage(reading([run("one", [("said", "Ship to Koledino.")], [edit])]))
    desk.experience.build()
    card = card_of(desk)
    assert (card.claim, card.provenance["polarity"]) == ("Ship to Elektrostal.", "do")


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([("r1", "s1", "a"), ("r2", "s2", "b"), ("r3", "s3", "c")], 3),
        ([("r1", "s1", "a"), ("r1", "s1", "b")], 1),  # repeats inside one run
        ([("r1", "s1", "a"), ("r2", "s1", "b")], 1),  # one session
        ([("r1", "s1", "a"), ("r2", "s2", "a"), ("r3", "s3", "a")], 1),  # one person
        ([("r1", "s1", ""), ("r2", "s2", "")], 2),
        ([("r1", "s1", "a"), ("r2", "s2", "b"), ("r3", "s2", "a")], 1),  # joined by both
    ],
)
def test_repeats_of_one_run_session_or_person_count_once(events, expected):
    cases = [Case(r, Stance.SUPPORTS, session=s, by=b) for r, s, b in events]
    assert count(cases).supporting == expected
    assert count(cases).events == len(events)


def test_five_events_of_one_reviewer_are_one_source(desk):
    desk.stage(reading([rejected(f"r{n}", by="oleg") for n in range(5)]))
    desk.experience.build()
    told = card_of(desk).support
    assert (told.supporting, told.events, told.people) == (1, 5, 1)


def test_one_review_seen_twice_counts_once():
    cases = [Case(f"r{n}", Stance.SUPPORTS, review_id="rv-1") for n in range(3)]
    assert count(cases).supporting == 1


def test_words_that_the_run_recalled_are_an_echo(desk):
    echo = run(
        "one",
        [("recalled", REASON), *CALL],
        [{"verdict": "reject", "step": 2, "reason": REASON, "by": "oleg"}],
    )
    desk.stage(reading([echo]))
    desk.experience.build()
    card = card_of(desk)
    assert (card.support.supporting, card.support.echoes) == (0, 1)
    assert "recalled_again" in [flag.code for flag in card.flags]


def test_an_acceptance_of_the_same_act_stands_against(desk):
    accepted = run("two", CALL, [{"verdict": "accept", "step": 1, "by": "ana"}], session="s-9")
    desk.stage(reading([rejected("one", by="oleg"), accepted]))
    desk.experience.build()
    told = card_of(desk).support
    assert (told.supporting, told.contradicting, told.confidence) == (1, 1, 0.5)


def test_building_again_changes_nothing_unless_the_cases_change(desk):
    desk.stage(reading([rejected("one", by="oleg")]))
    desk.experience.build()
    again = desk.experience.build()
    assert again.receipt.counts[Outcome.ALREADY_KNOWN] == 1
    before = runs.everything(desk.store)
    desk.stage(reading([rejected("two", by="ana")]))
    desk.experience.build()
    card = card_of(desk)
    assert card.rev == 2  # the waiting one is shown anew, with both cases
    assert card.support.supporting == 2
    assert runs.everything(desk.store)[: len(before)] == before


def test_the_age_of_an_insight_is_that_of_its_oldest_case(desk):
    first = rejected("one", by="oleg", at="2024-02-01T09:00:00Z")
    later = rejected("two", by="ana", at="2026-02-01T09:00:00Z")
    desk.stage(reading([later, first]))
    desk.experience.build()
    assert card_of(desk).provenance["written_at"] == "2024-02-01T09:00:00Z"


def test_equal_reasons_in_other_words_order_and_case_are_one_insight():
    kept = [rejected("one"), rejected("two", reason="never deploy on fridays")]
    built = insights.built([_kept(read) for read in kept])
    assert len(built.proposals) == 1
    assert len(built.proposals[0].cases) == 2


def test_opposite_reasons_are_two_insights():
    kept = [rejected("one"), rejected("two", reason="Deploy on Fridays.")]
    assert len(insights.built([_kept(read) for read in kept]).proposals) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Deploy staging before production.", "Deploy production before staging."),
        ("Ship from Koledino to Elektrostal.", "Ship to Koledino from Elektrostal."),
        ("Acme pays Borealis.", "Borealis pays Acme."),
        ("Сначала склад, потом офис.", "Сначала офис, потом склад."),
    ],
)
def test_the_same_words_in_another_order_support_nothing(one, other):
    """Whoever comes first would have everybody stand behind the reverse of what they said."""
    forged = rejected("first", reason=one, by="mallory")
    honest = [rejected(f"r{n}", reason=other, by=name) for n, name in enumerate(("ana", "oleg"))]
    found = insights.built([_kept(read) for read in (forged, *honest)]).proposals
    assert [(told.claim, count(told.cases).supporting) for told in found] == [(one, 1), (other, 2)]


def test_one_run_cannot_crowd_out_what_others_decided():
    steps = [("action", "deploy to production", {"name": "deploy"})] * 1_500
    flood = [{"verdict": "reject", "step": n, "reason": REASON} for n in range(1_500)]
    accepted = [
        run(f"a{n}", CALL, [{"verdict": "accept", "step": 1, "by": f"p{n}"}], session=f"a{n}")
        for n in range(3)
    ]
    reads = [run("flood", steps, flood, session="f"), rejected("two", by="ana"), *accepted]
    kept = [runs.Kept(f"i{n}", one.found, *KEPT) for n, one in enumerate(reads)]
    (found,) = insights.built(kept).proposals
    told = count(found.cases)
    assert (told.supporting, told.contradicting, told.people) == (2, 3, 1)
    assert len(found.cases) < 50
    assert {edge.target for edge in found.edges} == {one.found.source_id for one in reads}


def test_very_many_runs_for_it_leave_room_for_those_against_it():
    flood = [rejected(f"f{n}") for n in range(1_200)]
    accepted = run("a", CALL, [{"verdict": "accept", "step": 1, "by": "ana"}], session="a")
    reads = [*flood, accepted]
    kept = [runs.Kept(f"i{n}", one.found, *KEPT) for n, one in enumerate(reads)]
    (found,) = insights.built(kept).proposals
    assert count(found.cases).contradicting == 1
    assert accepted.found.source_id in {edge.target for edge in found.edges}


def test_a_run_with_the_id_of_another_takes_no_case_from_it():
    accept = [{"verdict": "accept", "step": 2, "by": "ana"}]
    forged = run("two", [("recalled", REASON), *CALL], accept, session="s-9")
    honest = run("two", [("input", "Go."), *CALL], accept, session="s-9")
    reads = [rejected("one", by="oleg"), forged, honest]
    kept = [runs.Kept(f"i{n}", one.found, *KEPT) for n, one in enumerate(reads)]
    (found,) = insights.built(kept).proposals
    assert count(found.cases).contradicting == 1


def test_reading_again_records_a_new_reading_and_leaves_the_run(desk, monkeypatch):
    desk.stage(reading([rejected("one")]))
    (before,) = runs.everything(desk.store)
    assert desk.experience.read_again() == 0
    monkeypatch.setattr("review.analysis.ANALYSER", "rules/2")
    changed = desk.experience.read_again()
    (after,) = runs.everything(desk.store)
    assert after.run == before.run
    assert (changed, after.analysis.analyser) == (1, "rules/2")


@pytest.mark.parametrize(
    ("before", "after", "style"),
    [
        ("Ship to Koledino.", "Please, ship to Koledino!", True),
        ("We ship on Tuesday.", "On Tuesday we ship.", True),
        ("Склад — Коледино", "склад: Коледино", True),
        ("use tabs", "use the tabs", True),
        ("Retry 3 times.", "Retry 5 times.", False),
        ("deploy staging", "do not deploy staging", False),
        ("Можно удалять.", "Нельзя удалять.", False),
        ("Срок 15 октября", "Срок 16 октября", False),
        ("Acme pays Borealis", "Borealis pays Acme", False),
        ("It may fail.", "It fails.", False),
        ("user_id", "userId", False),
        ("склад Коледино", "склад Электросталь", False),
    ],
)
def test_an_edit_is_split_into_what_is_technical_and_what_is_style(before, after, style):
    assert split(before, after).style_only is style


def test_both_parts_of_a_mixed_edit_are_told_apart():
    found = split("ok, retry 3 times now", "OK - retry 5 times now, please")
    assert [(one.technical) for one in found.changes].count(True) == 1
    assert found.style


KEPT = (None, b"", "", "", "", 0, 0, 0, "", "2026-03-10", "k")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([f"x p{n}" for n in range(2_000)], [f"x q{n}" for n in range(2_000)]),
        (["a b"] * 2_000, ["b a"] * 2_000),
        ([f"w{n % 40}" for n in range(4_000)], [f"w{n % 41}" for n in range(4_000)]),
    ],
)
def test_an_edit_of_any_words_is_compared_in_a_moment(before, after):
    """The time grew with the third power: 14 KB in one edit took minutes, on the page as well."""
    began = time.process_time()
    found = split(" ".join(before), " ".join(after))
    assert time.process_time() - began < 8
    assert found.changes


def test_the_order_of_words_counts_in_a_long_edit_too():
    many = " ".join(f"x p{n}" for n in range(1_000))
    assert not split(f"{many} Acme pays Borealis", f"{many} Borealis pays Acme").style_only


def _kept(read):
    return runs.Kept(f"i-{read.found.source_id}", read.found, *KEPT)


def test_very_many_decisions_in_one_run_are_not_multiplied():
    steps = [("action", "deploy", {"name": "deploy", "call": f"c{n}"}) for n in range(600)]
    decisions = [{"verdict": "reject", "step": n, "reason": f"reason {n}"} for n in range(300)]
    decisions += [{"verdict": "accept", "step": n} for n in range(300, 600)]
    built = insights.built([_kept(run("one", steps, decisions))])
    assert len(built.proposals) == 300
    assert all(len(one.cases) == 2 for one in built.proposals)  # for, and once against


def test_spellings_of_one_person_are_one_person():
    names = ("Oleg", "oleg", " OLEG ", "Ｏleg", "oleg.", "Оlеg", "Ol\u200beg", "Olég")
    cases = [Case(f"r{n}", Stance.SUPPORTS, by=name) for n, name in enumerate(names)]
    assert (count(cases).supporting, count(cases).people) == (1, 1)


def test_one_run_under_ids_of_marks_alone_is_one_run():
    cases = [Case("★", Stance.SUPPORTS, by=f"p{n}") for n in range(3)]
    assert count(cases).supporting == 1


def test_people_without_a_name_are_nobody():
    cases = [Case(f"r{n}", Stance.SUPPORTS, by=" ") for n in range(5)]
    assert count(cases).people == 0

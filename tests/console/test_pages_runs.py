"""Runs, one run, and what happened beside a record: what a reviewer sees and can do."""

from __future__ import annotations

import pytest

from tests.console.desks import desk_over, open_page, press, sign, stage, store_for
from tests.review.run_worlds import reading, run

CLAIM = "The main warehouse is Elektrostal."
STEPS = [
    ("input", "Where do we ship?"),
    ("action", "lookup(warehouse)", {"name": "lookup", "call": "c1"}),
    ("result", "Koledino", {"name": "lookup", "call": "c1"}),
    ("said", "Ship to Koledino."),
]
REASON = "Koledino is closed since March."


@pytest.fixture
def desk(irina):
    return desk_over(store_for(irina), irina)


def rejected(name="one", session="s-1", reason=REASON):
    decision = {"verdict": "reject", "step": 3, "reason": reason, "by": "oleg"}
    return run(name, STEPS, [decision], session=session)


def html_of(app):
    return " ".join(one.value for one in app.get("html") if hasattr(one, "value")) + " ".join(
        str(one.proto) for one in app.get("html")
    )


def words(app):
    shown = (*app.info, *app.text, *app.caption, *app.subheader, *app.error)
    return " ".join(one.value for one in shown)


def test_without_runs_the_page_says_where_they_come_from(desk, irina):
    app = open_page("runs", desk, reviewer=irina)
    assert "Transcripts and traces give runs" in words(app)
    assert app.code[0].value == "memory-console import session.jsonl"


def test_the_list_says_how_runs_ended_and_who_decided(desk, irina):
    desk.stage(reading([rejected(), run("two", STEPS, session="s-2")]))
    app = open_page("runs", desk, reviewer=irina)
    table = app.dataframe[0].value
    assert sorted(table["decided"]) == ["undecided", "✕ 1"]
    assert sorted(table["ending"]) == ["finished, undecided", "rejected"]
    assert set(table["asked"]) == {"Where do we ship?"}


def test_filters_come_from_the_address(desk, irina):
    desk.stage(reading([rejected(), run("two", STEPS, session="s-2")]))
    assert len(open_page("runs", desk, reviewer=irina, judged="1").dataframe[0].value) == 1
    app = open_page("runs", desk, reviewer=irina, q="nowhere")
    assert "None of the 2 runs matches" in words(app)
    app = open_page("runs", desk, reviewer=irina, ending="nonsense")
    assert len(app.dataframe[0].value) == 2


def test_one_press_proposes_insights_and_says_what_was_looked_at(desk, irina):
    desk.stage(reading([rejected(), rejected("two", "s-2", reason=None)]))
    app = press(open_page("runs", desk, reviewer=irina), "build-insights")
    told = words(app)
    assert "1 new, 0 known. Decisions looked at: 2; rejections without a reason: 1" in told
    app = press(app, "build-insights")
    assert "0 new, 1 known." in words(app)


def test_a_run_shows_every_step_the_decision_its_reason_and_the_first_wrong_step(desk, irina):
    desk.stage(reading([rejected()]))
    (kept,) = desk.experience.page(_all()).runs
    app = open_page("run", desk, reviewer=irina, id=kept.item)
    told = html_of(app)
    for part in ("Where do we ship?", "Koledino", "a person rejected", REASON, "oleg"):
        assert part in told
    assert "first wrong step" in told


def test_a_rejection_without_a_reason_says_so(desk, irina):
    desk.stage(reading([rejected(reason=None)]))
    (kept,) = desk.experience.page(_all()).runs
    app = open_page("run", desk, reviewer=irina, id=kept.item)
    assert "Reason unknown." in html_of(app)


def test_an_undecided_run_says_that_nobody_decided(desk, irina):
    desk.stage(reading([run("one", STEPS)]))
    (kept,) = desk.experience.page(_all()).runs
    app = open_page("run", desk, reviewer=irina, id=kept.item)
    assert "Nobody decided. That is not an accept." in words(app)


def test_a_long_run_is_shown_in_pages(desk, irina):
    steps = [("said", f"step number {n}") for n in range(95)]
    desk.stage(reading([run("one", steps)]))
    (kept,) = desk.experience.page(_all()).runs
    app = open_page("run", desk, reviewer=irina, id=kept.item, p="2")
    told = html_of(app)
    assert "41 · agent said" in told
    assert "40 · agent said" not in told
    assert "41 to 80 of 95" in words(app)


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_run_of_nowhere_is_no_access(desk, irina, lang):
    app = open_page("run", desk, reviewer=irina, lang=lang, id="01ABC")
    assert app.error or app.warning or app.info


def test_the_card_shows_source_run_and_record_on_one_screen(desk, irina):
    edit = {"verdict": "edit", "step": 3, "edit": CLAIM, "by": "oleg"}
    desk.stage(reading([run("one", STEPS, [edit], session="s-1")]))
    stage(desk, CLAIM, scope={"session": "s-1"})
    app = open_page("inbox", desk, reviewer=irina, lane="routine", view="focus")
    heads = [one.value for one in app.subheader]
    assert heads[:2] == ["Original source", "What happened"]
    assert "Will be stored" in heads
    told = html_of(app)
    assert "a person edited" in told
    assert "edit: technical" in told


def test_a_record_without_a_run_says_so(desk, irina):
    stage(desk, CLAIM)
    app = open_page("inbox", desk, reviewer=irina, lane="routine", view="focus")
    assert "No run is kept for this record." in words(app)


def test_words_of_the_agent_ascribed_to_a_user_hold_the_card_back_until_ticked(desk, irina):
    desk.stage(reading([run("one", [("input", "Where?"), ("said", CLAIM)])]))
    stage(desk, CLAIM, scope={"session": "s-1"}, source_type="user_statement_confirmed")
    app = open_page("inbox", desk, reviewer=irina, lane="routine", view="focus")
    assert app.button(key="act-approve").disabled
    box = next(one for one in app.checkbox if "speaker_mismatch" in (one.key or ""))
    box.check().run()
    assert not app.button(key="act-approve").disabled


def test_exact_wording_is_prompted_for_and_kept_by_one_press(desk, irina):
    term = "Clause 4.2: the penalty is 0.5 % per day."
    stage(desk, term)
    app = open_page("inbox", desk, reviewer=irina, lane="routine", view="focus")
    assert "It looks like a contract term" in words(app)
    press(app, "choice-exact")
    press(app, "choice-do")
    (row,) = [row for row in _waiting(desk) if desk.card_of(row.item).verbatim]
    assert desk.card_of(row.item).claim == term


def test_a_bulky_record_can_become_a_pointer(desk, irina):
    stage(desk, "a line of a long log; " * 200)
    app = open_page("inbox", desk, reviewer=irina, view="focus", lane="routine")
    press(app, "choice-pointer")
    app.text_input[-1].input("Log of the March migration")
    next(one for one in app.button if one.label == "Stage the pointer").click().run()
    assert not app.exception
    (row,) = [row for row in _waiting(desk) if row.claim == "Log of the March migration"]
    assert desk.card_of(row.item).pointer.size == 4_400


def test_task_and_support_are_marked_on_the_card(desk, irina):
    stage(desk, "In winter use search campaigns, because the format is lead forms.")
    app = open_page("inbox", desk, reviewer=irina, view="focus", lane="routine")
    press(app, "choice-marking")
    task = next(one for one in app.text_input if (one.key or "").startswith("task-"))
    task.input("choose channels")
    told = [("season", "winter"), ("format", "lead forms"), ("", ""), ("", "")]
    for n, (name, value) in enumerate(told):
        _box(app, "parameter-", n).input(name)
        _box(app, "value-", n).input(value)
    next(one for one in app.button if one.label == "Stage with its support").click().run()
    assert not app.exception
    found = [card for row in _waiting(desk) if (card := desk.card_of(row.item)).conclusion]
    assert [card.conclusion.task for card in found] == ["choose channels"]


def test_a_value_that_is_not_in_the_text_is_refused_in_a_sentence(desk, irina):
    stage(desk, "In winter use search campaigns, because the format is lead forms.")
    app = open_page("inbox", desk, reviewer=irina, view="focus", lane="routine")
    press(app, "choice-marking")
    next(one for one in app.text_input if (one.key or "").startswith("task-")).input("t")
    for n, (name, value) in enumerate([("season", "summer"), ("format", "lead forms")]):
        _box(app, "parameter-", n).input(name)
        _box(app, "value-", n).input(value)
    next(one for one in app.button if one.label == "Stage with its support").click().run()
    assert any("does not stand in the text" in one.value for one in app.error)
    assert desk.drafts() == []


def test_a_verbatim_record_shows_that_its_bytes_are_equal(desk, irina):
    stage(desk, "Clause 4.2: the penalty is 0.5 % per day.", verbatim=True)
    app = open_page("inbox", desk, reviewer=irina, lane="routine", view="focus")
    assert "byte for byte" in words(app)


def test_a_signed_insight_shows_its_cases_on_the_passport(desk, irina):
    desk.stage(reading([rejected(), rejected("two", "s-2")]))
    desk.experience.build()
    app = open_page("inbox", desk, reviewer=irina, lane="needs-eyes", view="focus")
    assert "supports 1 · against 0 · events 2" in words(app)
    press(app, "act-approve")
    sign(app)
    (row,) = desk.facts(_wanted()).rows
    app = open_page("fact", desk, reviewer=irina, id=row.item)
    assert "supports 1 · against 0 · events 2" in words(app)
    app = open_page("fact", desk, reviewer=irina, id=row.item, tab="life")
    assert len(desk.card_of(row.item).links) == 2, "to its runs, which are no cells"
    assert "2 edges" in [one.value for one in app.text]
    asked = [one.value for one in app.text if one.value == STEPS[0][1]]
    assert len(asked) == 2, "they are listed below it"


def _box(app, begin, n):
    return next(
        one
        for one in app.text_input
        if (one.key or "").startswith(begin) and (one.key or "").endswith(f"-{n}")
    )


def _waiting(desk):
    return desk.waiting(_wanted()).rows


def _wanted():
    from review.queue import Wanted

    return Wanted()


def _all():
    from review.runs import RunsWanted

    return RunsWanted()

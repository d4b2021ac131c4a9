"""Runs are kept as evidence: whole, masked, never changed, and verifiable."""

import pytest
from sqlalchemy import text

from review import runs
from review.analysis import Cause, Ending, analysed
from review.runs import NoSuchRunError, RunsWanted
from store.records import Barred, BarRule, Outcome, Place, Read
from store.trajectories import StepKind
from store.verify import Verdict as CheckVerdict
from store.verify import verify
from tests.review.desks import desk_over, proposal
from tests.review.desks import reading as proposals
from tests.review.run_worlds import reading, run

SHIPPING = [
    ("input", "Where do we ship down jackets?"),
    ("action", "lookup(warehouse)", {"name": "lookup", "call": "c1"}),
    ("result", "Koledino", {"name": "lookup", "call": "c1"}),
    ("said", "Ship to Koledino."),
]


@pytest.fixture
def desk(store, irina):
    return desk_over(store, irina)


def faults(desk, irina):
    """What a verification of the whole store finds; it needs a store in a file."""
    report = verify(desk.store.path, root=irina.root)
    return {line.name for line in report.lines if line.verdict == CheckVerdict.FAIL}


def test_a_run_comes_back_as_it_was_read(desk):
    read = run("one", SHIPPING, [{"verdict": "edit", "step": 3, "edit": "Ship to Elektrostal."}])
    receipt = desk.stage(reading([read]))
    assert receipt.counts[Outcome.WRITTEN] == 1
    assert receipt.items == []  # a run is no item that waits for a decision
    (kept,) = runs.everything(desk.store)
    assert kept.run == read.found
    assert kept.raw == read.raw
    assert kept.raw[kept.run.steps[2].span.start : kept.run.steps[2].span.end] == b"Koledino"
    assert runs.run_of(desk.store, kept.item) == kept


@pytest.mark.parametrize("store", ["file"], indirect=True)
def test_the_log_with_runs_in_it_verifies(desk, irina):
    desk.stage(reading([run("one", SHIPPING), run("two", SHIPPING, session="s-2")]))
    assert faults(desk, irina) == set()


def test_the_same_run_is_known_and_a_longer_one_is_a_new_record(desk):
    desk.stage(reading([run("one", SHIPPING[:2])]))
    again = desk.stage(reading([run("one", SHIPPING[:2])]))
    assert again.counts[Outcome.ALREADY_KNOWN] == 1
    longer = desk.stage(reading([run("one", SHIPPING)]))
    assert longer.counts[Outcome.WRITTEN] == 1
    page = runs.page(desk.store, RunsWanted())
    assert page.total == 1  # the latest of the same run
    assert len(page.runs[0].run.steps) == 4


def test_secrets_in_a_run_are_masked_in_its_texts_and_bytes(desk):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    desk.stage(reading([run("one", [("input", f"my token is {token}"), ("said", "noted")])]))
    (kept,) = runs.everything(desk.store)
    assert token not in kept.run.steps[0].text
    assert "⟦secret" in kept.run.steps[0].text
    assert token.encode() not in kept.raw
    assert len(kept.raw) == len(f"my token is {token}\nnoted\n")
    bodies = desk.store.rows("select body from vault_payload")
    assert not any(token.encode() in bytes(row["body"]) for row in bodies)


def test_another_format_s_run_of_the_same_id_hides_none(desk):
    desk.stage(reading([run("one", SHIPPING)], importer="claude_code"))
    desk.stage(reading([run("one", [("input", "hi"), ("said", "hello")])], importer="otlp"))
    assert {kept.importer for kept in runs.everything(desk.store)} == {"claude_code", "otlp"}


def test_where_a_run_came_from_is_read_from_the_log(desk):
    desk.stage(reading([run("one", SHIPPING)], importer="claude_code"))
    with desk.store._opener.work() as connection:
        connection.execute(text("update proj_run set importer = 'x', recorded_at = 'y'"))
        connection.execute(text("update proj_import set importer = 'x', source_c = 'z'"))
    (kept,) = runs.everything(desk.store)
    assert (kept.importer, kept.source_name) == ("claude_code", "session.jsonl")
    assert kept.recorded_at.startswith("2026-")


def test_runs_are_found_by_their_words_their_ending_and_whether_somebody_decided(desk):
    rejected = [{"verdict": "reject", "step": 3, "reason": "Koledino is closed"}]
    desk.stage(
        reading([run("one", SHIPPING, rejected), run("two", [("input", "hi"), ("said", "hello")])])
    )
    assert runs.page(desk.store, RunsWanted(q="koledino")).total == 1
    assert runs.page(desk.store, RunsWanted(judged="1")).total == 1
    assert runs.page(desk.store, RunsWanted(judged="0")).total == 1
    assert runs.page(desk.store, RunsWanted(ending="rejected")).total == 1
    assert runs.endings(desk.store) == {"rejected": 1, "finished": 1}


def test_a_run_of_nowhere_is_not_there(desk):
    with pytest.raises(NoSuchRunError):
        runs.run_of(desk.store, "nope")


def test_a_barred_record_is_refused_with_its_rule(desk):
    read = Read(Place(0, 0, 0, "activation_memory.pickle"), b"", Barred(BarRule.PICKLE))
    receipt = desk.stage(reading([read]))
    assert receipt.counts[Outcome.REFUSED] == 1
    (row,) = desk.journal.outcomes_of(receipt.import_id)
    assert row.reason == "pickle"


@pytest.mark.parametrize("store", ["file"], indirect=True)
def test_runs_and_proposals_of_one_file_keep_their_order_and_their_counts(desk, irina):
    records = [run("one", SHIPPING), *proposals([proposal("Ana ships on Tuesdays.")]).records]
    receipt = desk.stage(reading(records))
    assert receipt.counts[Outcome.WRITTEN] == 2
    assert len(receipt.items) == 1
    assert faults(desk, irina) == set()


def test_undecided_is_not_accepted():
    told = analysed(run("one", SHIPPING).found)
    assert told.ending is Ending.FINISHED
    assert told.first_wrong is None


def test_a_weak_sign_decides_nothing():
    thumb = [{"verdict": "reject", "step": 3, "weak": True}]
    assert analysed(run("one", SHIPPING, thumb).found).ending is Ending.FINISHED


def test_the_first_wrong_step_is_the_call_whose_result_failed():
    steps = [
        ("input", "Deploy."),
        ("action", "deploy(a)", {"name": "deploy", "call": "c1"}),
        ("result", "no such host", {"name": "deploy", "call": "c1", "failed": True}),
        ("said", "It failed."),
    ]
    told = analysed(run("one", steps).found)
    assert (told.first_wrong, told.cause, told.evidence) == (1, Cause.ERROR, (1, 2))


def test_an_error_before_a_rejection_is_the_first_wrong_step():
    steps = [
        ("input", "Deploy."),
        ("action", "deploy(a)", {"call": "c1"}),
        ("result", "no such host", {"call": "c1", "failed": True}),
        ("action", "delete(a)", {"call": "c2"}),
    ]
    told = analysed(run("one", steps, [{"verdict": "reject", "step": 3}]).found)
    assert told.ending is Ending.REJECTED
    assert (told.first_wrong, told.cause) == (1, Cause.ERROR)


def test_a_run_that_stops_at_a_call_is_broken_off():
    assert analysed(run("one", SHIPPING[:2]).found).ending is Ending.BROKEN_OFF


def test_a_step_of_every_kind_survives_the_round_trip(desk):
    steps = [
        (str(kind), f"text {kind}", {"who": "w", "at": "2026-03-01T10:00:00Z"})
        for kind in StepKind
    ]
    read = run("one", steps)
    desk.stage(reading([read]))
    assert runs.everything(desk.store)[0].run.steps == read.found.steps

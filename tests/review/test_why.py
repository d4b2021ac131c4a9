"""Why a fact reached an answer: then, now, what if, and where it comes from."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from console.signing import throwaway
from review import recording
from review.auditing import reported, source_shares
from review.auditing.answers import AnswersWanted, Source
from review.auditing.matching import Then
from review.auditing.origin import Gap, Step, gaps
from review.auditing.replay import WhatIf
from review.auditing.reported import Reported
from review.auditing.verdict_labels import NoNumbersError
from review.auditing.why import Verdict
from review.door_intake import DoorIntake
from review.facts import parameters
from review.gate import fitted_gate
from review.gate.numbers import Bar
from review.person import ReadOnlyError
from review.question.intents import IntentKind
from review.recall import Question
from review.staged.placing import Writer
from review.trimming.fate import Fate
from review.trimming.partition import Group
from review.trimming.trim import Held, Zone, zone_of
from store import canonical, queries
from store.log import DamagedStoreError
from store.stages import DecisionKind
from tests.conftest import Clock, Reviewer
from tests.review import run_worlds
from tests.review.desks import desk_over
from tests.review.test_worked_examples import ENGLISH
from tests.review.worlds import World, cell

QUESTION = "Where do we ship the jackets next week?"
SAID = "Ship the jackets to Koledino."


def person():
    until = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)
    return Reviewer("r-irina", throwaway(now=until))


def ask_and_record(world, text, at, said=""):
    told = world.answered(text, at)
    event = world.desk.record_recall(told.recall)
    if said:
        writer = Writer("p-agent", Clock(), random.Random(3).randbytes)
        report = Reported(text, said, None, (), "tr-1", "door", event.body["recall"])
        reported.record(world.store, report, writer=writer)
    return world.desk.audit.one(f"ans-{event.seq}")


@pytest.fixture(scope="module")
def world():
    """M1 and M2 durable, the question answered, and only then M3 and M4 approved."""
    made = World(person())
    rows = [dict(row) for row in ENGLISH]
    made.remember(rows[:2])
    made.stage(rows[2:], name="orders.jsonl")
    made.answer = ask_and_record(made, QUESTION, "2026-02-25", SAID)
    made.decide(DecisionKind.APPROVE, "M3", "M4")
    made.why = made.desk.audit.why(made.answer)
    return made


def by_source(world, parts):
    return {row.cell.source_id: row for part in parts for row in part.rows}


# --- what was recorded -------------------------------------------------------------------------


def test_the_fact_whose_value_stands_in_the_answer_is_looked_at_first(world):
    assert world.why.focus == world.items["M1"]
    assert world.why.explanation.quoted == (world.items["M1"],)


def test_the_verdict_and_the_numbers_are_those_of_then(world):
    row = world.why.explanation.row_of(world.items["M1"])
    assert row.verdict is Verdict.IN
    assert row.score.validity == pytest.approx(0.70)
    assert row.margin > 0.3
    assert row.weakest == ("validity", row.score.validity)
    assert row.cell.headline == "warehouse = Koledino"


def test_the_funnel_counts_what_was_left_after_each_step(world):
    (part,) = world.why.then
    admitted = [row for row in part.rows if row.score.admitted]
    assert part.funnel.retrieved == len(part.rows)
    assert part.funnel.admitted == part.funnel.kept == len(admitted)


def test_a_cell_that_waited_then_was_no_candidate_and_is_not_called_irrelevant(world):
    audit = world.desk.audit
    assert audit.verdict_of(world.why, world.items["M3"]) is Verdict.NOT_DURABLE
    assert audit.verdict_of(world.why, "01KKBSWKEGQQH030JG8QJDMQMP") is Verdict.NOT_THERE


def test_a_durable_cell_that_search_did_not_find_is_told_as_such(irina):
    world = World(irina).remember(
        [cell("The office cat is called Murka", "t:1", "2026-01-01"), dict(ENGLISH[0])]
    )
    answer = ask_and_record(world, QUESTION, "2026-02-25")
    told = world.desk.audit.why(answer)
    assert world.desk.audit.verdict_of(told, world.items["t:1"]) is Verdict.NOT_RETRIEVED


# --- then and now ------------------------------------------------------------------------------


def test_today_the_same_question_blocks_it_because_of_what_was_decided_since(world):
    moved = world.why.movement_of(world.items["M1"])
    assert (moved.then.verdict, moved.now.verdict) == (Verdict.IN, Verdict.BLOCKED)
    assert moved.moved
    assert moved.turned
    (bar,) = moved.now.barred_by
    assert (bar.code, bar.told["by"]) == (Bar.SUPERSEDED, world.items["M3"])
    since = world.desk.audit.since(world.why, world.items["M1"])
    assert [(one.item, one.decision) for one in since] == [(world.items["M3"], "approve")]


def test_as_of_then_asking_again_gives_the_record(world):
    assert world.why.agreement.agrees
    assert world.why.size == world.answer.size < world.why.head


def test_a_record_that_is_not_what_the_rules_give_is_told_row_by_row(world):
    told = canonical.decode(world.answer.numbers)
    for one in told["parts"][0]["scored"]:
        one["theta"] = "0.6"
    other = replace(world.answer, numbers=canonical.spell(told))
    found = world.desk.audit.replay.agreement(other, world.desk.policy.policy)
    assert not found.agrees
    assert {one.fields for one in found.differing} == {("theta",)}


def test_numbers_that_are_not_what_was_written_are_refused(world):
    with pytest.raises(DamagedStoreError, match="not what was written"):
        _ = replace(world.answer, numbers=b'{"parts": 1}').scores


# --- what if -----------------------------------------------------------------------------------


def what_if(world, **changes):
    before = world.store.head()
    told = by_source(world, world.desk.audit.what_if(world.answer, WhatIf(**changes)))
    assert world.store.head() == before
    return told


def test_asked_about_the_past_the_superseded_cell_is_in_again_and_nothing_is_written(world):
    assert what_if(world, now=True)["M1"].verdict is Verdict.BLOCKED
    told = what_if(world, now=True, about=IntentKind.HISTORY)
    assert told["M1"].verdict is Verdict.IN
    assert told["M1"].score.score > 0.7


def test_another_threshold_and_another_moment_change_the_verdict(world):
    assert what_if(world, theta=0.99)["M1"].verdict is Verdict.BELOW
    later = datetime(2026, 4, 10, tzinfo=UTC)
    assert what_if(world, now=True, asked_at=later)["M3"].verdict is Verdict.IN


def test_without_the_order_the_old_warehouse_holds_again(world):
    told = what_if(world, now=True, without=world.items["M3"])
    assert told["M1"].verdict is Verdict.IN
    assert "M3" not in told


def test_after_a_what_if_the_truth_is_what_it_was(world):
    before = world.desk.audit.why(world.answer)
    what_if(world, now=True, without=world.items["M3"])
    assert world.desk.audit.why(world.answer) == before


# --- leave one out -----------------------------------------------------------------------------


def test_leaving_one_out_names_what_came_in_its_place_and_what_was_lost(irina):
    world = World(irina).remember([dict(row) for row in ENGLISH])
    answer = ask_and_record(world, QUESTION, "2026-03-10")
    told = world.desk.audit.leave_one_out(answer)
    found = {one.item: one for one in told.each}
    order = found[world.items["M3"]]
    assert world.items["M1"] in order.gained
    assert order.matters
    fee = found[world.items["M4"]]
    assert not fee.matters
    assert told.not_tried == 0


# --- trim and old conclusions ------------------------------------------------------------------


def stated(claim, words, parameter, value):
    start = claim.index(words)
    place = {"start": start, "end": start + len(words)}
    return {"subject": "coffee shop", "parameter": parameter, "value": value} | place


@pytest.fixture(scope="module")
def coffee():
    claim = "The coffee shop: season summer, format dine-in, city Kazan."
    facts = [
        stated(claim, "season summer", "season", "summer"),
        stated(claim, "format dine-in", "format", "dine-in"),
        stated(claim, "city Kazan", "city", "Kazan"),
    ]
    conclusion = {
        "text": "search campaigns only",
        "task": "choose the channels",
        "support": facts[:2],
    }
    made = World(person())
    made.remember([cell(claim, "K1", "2025-06-01", facts=facts, conclusion=conclusion)])
    made.answer = ask_and_record(
        made,
        "The coffee shop: season winter, format delivery, city Kazan. Choose the channels.",
        "2026-03-10",
    )
    return made


def test_the_recorded_trim_says_what_was_shared_what_conflicts_and_what_fell(coffee):
    row = coffee.desk.audit.why(coffee.answer).explanation.row_of(coffee.items["K1"])
    told = {one.group: one for one in row.trimmed.facts}
    assert told[Group.CONFLICTING].held is Held.CONFLICTING
    assert told[Group.CONFLICTING].against in {"winter", "delivery"}
    assert row.trimmed.fate is Fate.DROPPED
    assert {parameter for parameter, _ in row.trimmed.because} == {"season", "service_format"}
    (part,) = coffee.answer.scores.parts
    assert zone_of(part.overlap) in set(Zone)
    assert not coffee.answer.conclusion


# --- where it comes from -----------------------------------------------------------------------


def test_the_chain_leads_from_the_answer_to_the_bytes_and_shows_the_gap(world):
    links = world.desk.audit.chain(world.why, world.items["M1"])
    assert [one.step for one in links] == list(Step)
    told = {one.step: one for one in links}
    assert told[Step.CONTEXT].id == world.answer.recall
    assert told[Step.DECISION].id == "r-irina"
    assert told[Step.DECISION].seq < world.answer.size
    assert told[Step.RECORD].name == "export.jsonl"
    assert [(one.step, one.gap) for one in gaps(links)] == [(Step.RUN, Gap.NO_RUN)]


def test_a_cell_that_nobody_had_approved_shows_its_gaps(world):
    told = {one.step: one for one in world.desk.audit.chain(world.why, world.items["M3"])}
    assert told[Step.CONTEXT].gap is Gap.NOT_A_CANDIDATE
    assert told[Step.DECISION].gap is Gap.NOT_APPROVED
    unknown = world.desk.audit.chain(world.why, "nothing")
    assert {one.gap for one in unknown[2:]} == {Gap.NOT_THERE}


# --- what was only reported --------------------------------------------------------------------


@pytest.fixture(scope="module")
def traced():
    made = World(person())
    made.remember([dict(row) for row in ENGLISH[:2]])
    steps = [
        ("input", QUESTION),
        ("recalled", ENGLISH[0]["claim"]),
        ("recalled", "Something that nobody has ever imported here"),
        ("said", SAID),
    ]
    made.desk.stage(run_worlds.reading([run_worlds.run("a", steps)], importer="langfuse"))
    (made.answer,) = made.desk.audit.page(AnswersWanted()).answers
    return made


def test_a_reported_answer_is_recomputed_as_ours_and_what_it_read_stays_reported(traced):
    told = traced.desk.audit.why(traced.answer)
    assert told.ours
    assert told.agreement is None
    assert not told.explanation.recorded
    assert told.focus == traced.items["M1"]
    assert traced.desk.audit.verdict_of(told, traced.items["M1"]) is Verdict.READ
    assert traced.desk.audit.verdict_of(told, traced.items["M2"]) is Verdict.NOT_THERE
    assert [len(one.matched) for one in told.explanation.matching.read] == [1, 0]
    (known,) = told.explanation.matching.read[0].matched
    assert known.then is Then.NOT_THERE  # the run is older than the store


def test_the_chain_of_a_reported_answer_says_that_nobody_here_saw_it(traced):
    told = traced.desk.audit.why(traced.answer)
    links = {one.step: one for one in traced.desk.audit.chain(told, traced.items["M2"])}
    assert links[Step.CONTEXT].gap is Gap.NOT_RECORDED


# --- labels ------------------------------------------------------------------------------------


def test_labels_are_kept_with_the_recorded_numbers_and_feed_the_fitted_gate(irina):
    world = World(irina).remember([dict(row) for row in ENGLISH])
    audit = world.desk.audit
    for day in range(1, 13):
        answer = ask_and_record(world, QUESTION, f"2026-03-{day:02}")
        for row in audit.why(answer).then[0].rows:
            audit.label(answer, 0, row.item, admit=row.cell.source_id in ("M3", "M4"))
    audit.label(answer, 0, world.items["M1"], admit=True)
    told = audit.labels(answer.id)
    assert {one.item: one.admit for one in told}[world.items["M1"]] is True
    assert {one.by for one in told} == {"r-irina"}
    lines = fitted_gate.read_labels(audit.label_lines())
    assert len(lines) == len(audit.labels())
    assert world.desk.fit_gate(audit.label_lines()).trained_on > 20
    with pytest.raises(NoNumbersError):
        audit.label(answer, 0, "nothing", admit=True)
    with pytest.raises(NoNumbersError):
        audit.label(answer, 7, world.items["M1"], admit=True)


def test_nobody_labels_without_an_identity(world):
    with pytest.raises(ReadOnlyError):
        desk_over(world.store).audit.label(world.answer, 0, world.items["M1"], admit=True)


# --- shares ------------------------------------------------------------------------------------


def test_a_source_with_far_more_of_the_answers_than_of_the_store_is_flagged(irina):
    world = World(irina)
    few = [cell("The main warehouse for the jackets is Koledino", "a:1", "2026-01-01")]
    many = [cell(f"The meeting room {n} is blue", f"b:{n}", "2026-01-01") for n in range(12)]
    world.remember(few)
    world.remember(many)
    for n in range(source_shares.LEAST_USES):
        assert not any(one.flagged for one in world.desk.audit.shares().imports), n
        ask_and_record(world, QUESTION, "2026-02-25")
    told = world.desk.audit.shares()
    assert (told.uses, told.cells) == (20, 13)
    flagged = [one for one in told.imports if one.flagged]
    assert [(one.uses, one.cells) for one in flagged] == [(20, 1)]
    assert flagged[0].ratio == pytest.approx(13.0)
    assert not any(one.flagged for one in told.source_types)


@pytest.mark.parametrize(("hits", "n", "bound"), [(0, 0, 0.0), (0, 10, 0.0), (8, 10, 0.4902)])
def test_the_lower_bound_is_wilsons(hits, n, bound):
    assert source_shares.lower_bound(hits, n) == pytest.approx(bound, abs=1e-4)


def test_only_what_no_longer_holds_counts_as_fallen(world):
    assert world.desk.audit.fallen() == {world.items["M1"], world.items["M2"]}


def test_a_record_of_an_earlier_form_is_read_without_what_it_lacks(world):
    told = recording.as_value(world.answered(QUESTION, "2026-02-25").recall)
    del told["asked"]
    for part in told["parts"]:
        del part["trim"], part["overlap"], part["left_out"]
    earlier = replace(world.answer, numbers=canonical.spell(told))
    assert earlier.scores.question is None
    assert earlier.scores.text == QUESTION
    assert world.desk.audit.replay.question_of(earlier) is None
    assert world.desk.audit.why(earlier).agreement is None


def test_a_question_of_two_parts_is_explained_part_by_part(world):
    text = "1) Where do we ship the jackets next week?\n2) Which warehouse was ours last autumn?"
    answer = ask_and_record(world, text, "2026-03-10")
    told = world.desk.audit.why(answer)
    assert len(told.then) == 2
    assert answer.question == text
    assert told.agreement.agrees
    assert world.desk.ask(Question(text)).parts


# --- what our own door served ------------------------------------------------------------------


def intake(world):
    writer = Writer("d-agent", Clock(), random.Random(9).randbytes)
    return DoorIntake(world.store, world.desk.policy, parameters.load(), writer)


def test_what_our_door_served_is_observed_with_the_words_that_the_agent_says(irina):
    world = World(irina).remember([dict(row) for row in ENGLISH])
    told = world.answered(QUESTION, "2026-03-10", kinds=frozenset({"decision"})).recall
    head = {"policy": world.desk.policy.sha256, "size": told.size}
    door = intake(world)
    door.observed("01KKBSWKEGQQH030JG8QJDMQMP", head, recording.encoded(told))
    said = {"answer": "To Elektrostal.", "recall": "01KKBSWKEGQQH030JG8QJDMQMP"}
    door.answered(said | {"at": "2026-03-10T12:00:00Z"})
    (answer,) = world.desk.audit.page(AnswersWanted()).answers
    assert (answer.source, answer.said) == (Source.SERVED, "To Elektrostal.")
    account = world.desk.audit.account(answer)
    assert (account.item, account.verdict) == (world.items["M3"], Verdict.IN)
    assert account.why.agreement.agrees
    assert account.why.then[0].recorded.excluded == {"not_readable": 3}


def test_what_was_fetched_by_its_id_was_never_weighed(irina):
    world = World(irina).remember([dict(row) for row in ENGLISH])
    body = canonical.encode(
        {
            "asked_at": "2026-03-10T12:00:00+00:00",
            "as_of": None,
            "size": world.store.head().size,
            "asked": None,
            "parts": [],
            "fetched": [[world.items["M1"], 0, 20]],
        }
    )
    head = {"policy": world.desk.policy.sha256, "size": world.store.head().size}
    intake(world).observed("01KKBSWKEGQQH030JG8QJDMQMP", head, body)
    (answer,) = world.desk.audit.page(AnswersWanted()).answers
    account = world.desk.audit.account(answer)
    assert (account.item, account.verdict) == (world.items["M1"], Verdict.FETCHED)
    assert [one.step for one in gaps(account.chain)] == [Step.RUN]
    assert account.why.agreement is None


# --- what was erased ---------------------------------------------------------------------------


def erase(world, *commitments):
    """What the rewrite of the file leaves of content: nothing."""
    with world.store._opener.work() as connection:
        for one in filter(None, commitments):
            connection.exec_driver_sql(f"delete from vault_payload where commitment = '{one}'")


def test_an_erased_cell_keeps_its_numbers_and_its_place_and_loses_its_words(irina):
    world = World(irina).remember([dict(row) for row in ENGLISH[:2]])
    answer = ask_and_record(world, QUESTION, "2026-02-25", SAID)
    before = world.desk.audit.account(answer)
    (row,) = world.store.rows(queries.ITEM, item=world.items["M1"])
    erase(world, *(value for name, value in row.items() if name.endswith("_c")))
    desk = desk_over(world.store, irina)
    (row,) = [r for r in _rows(desk, answer) if r.item == world.items["M1"]]
    assert row.erased
    assert row.score == before.why.explanation.row_of(world.items["M1"]).score
    account = desk.audit.account(desk.audit.one(answer.id), world.items["M1"])
    assert {one.step: one.gap for one in account.chain}[Step.CELL] is Gap.ERASED
    assert not account.why.agreement.agrees


def _rows(desk, answer):
    return [row for part in desk.audit.why(desk.audit.one(answer.id)).then for row in part.rows]


def test_an_erased_answer_keeps_a_row_and_says_that_its_text_is_gone(irina):
    world = World(irina).remember([dict(row) for row in ENGLISH[:2]])
    answer = ask_and_record(world, QUESTION, "2026-02-25")
    erase(world, answer.recall)
    (kept,) = world.desk.audit.page(AnswersWanted()).answers
    assert kept.erased
    assert (kept.question, kept.items) == (None, answer.items)
    account = world.desk.audit.account(kept)
    assert (account.item, account.why.then) == ("", ())

"""One list of answers from four sources; pasted words lead to them, or to cells and the truth."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from console.signing import throwaway
from review.auditing import answers, reported
from review.auditing.answer_finding import How, find
from review.auditing.answers import AnswersWanted, NoSuchAnswerError, Source
from review.auditing.matching import Match, Then, match
from review.auditing.replay import Replay
from review.auditing.reported import Document, Reported
from review.staged.placing import Writer
from store.stages import DecisionKind
from tests.conftest import Clock, Reviewer
from tests.review import run_worlds
from tests.review.worlds import World, cell

SAID = "Ship to Koledino with Delovye Linii on Tuesday."
CARRIER = "The carrier for shipping to Koledino is Delovye Linii"
HOURS = "The office in Tver is open until 18:00"


def writer():
    return Writer("p-agent", Clock(datetime(2026, 3, 11, tzinfo=UTC)), random.Random(3).randbytes)


@pytest.fixture(scope="module")
def world():
    until = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)
    made = World(Reviewer("r-irina", throwaway(now=until)))
    made.remember(
        [
            cell("The main warehouse for the jackets is Koledino", "t:1", "2025-11-10"),
            cell(CARRIER, "langfuse:t-2", "2025-11-12"),
        ]
    )
    made.stage([cell(HOURS, "t:3", "2026-01-01")], name="more.jsonl")
    served = made.answered("where do we ship the jackets?", "2026-02-25")
    made.recalled = made.desk.record_recall(served.recall)
    told = Reported(
        "where do we ship the jackets?",
        SAID,
        None,
        (),
        "tr-1",
        "door",
        made.recalled.body["recall"],
    )
    reported.record(made.store, told, writer=writer())
    documents = (
        Document("something else entirely", "t-2", "0.9"),
        Document("the carrier, for shipping to Koledino: is Delovye Linii!", "", ""),
        Document(f"From our notes. {HOURS}. Ask Ivan.", "", "0.4"),
        Document("The moon is made of cheese and nobody knows why", "moon", "0.1"),
        Document(CARRIER, "", ""),
    )
    told = Reported(
        "Who carries for us?", "Delovye Linii carries.", "2026-03-11T08:00:00Z", documents,
        "tr-2", "langfuse", "",
    )  # fmt: skip
    made.report = reported.record(made.store, told, writer=writer())
    made.desk.stage(
        run_worlds.reading(
            [
                run_worlds.run(
                    "a",
                    [
                        ("input", "When does the Tver office close?"),
                        ("recalled", HOURS),
                        ("said", "It closes at six in the evening."),
                    ],
                ),
                run_worlds.run("b", [("input", "hello"), ("said", "hi there")], session="s-2"),
            ]
        )
    )
    return made


def listed(world, **wanted):
    return answers.page(world.store, AnswersWanted(**wanted)).answers


def test_answers_of_every_source_stand_in_one_list_newest_first_and_say_which_they_are(world):
    told = listed(world)
    assert [one.source for one in told] == [Source.RUN, Source.REPORTED, Source.RECALLED]
    assert [one.observed for one in told] == [False, False, True]
    assert [one.said for one in told] == [
        "It closes at six in the evening.", "Delovye Linii carries.", SAID,
    ]  # fmt: skip
    assert told[2].items == tuple(world.recalled.body["items"])
    assert told[0].documents == (Document(HOURS, "", ""),)


def test_a_run_that_had_read_nothing_is_no_answer(world):
    assert all(one.said != "hi there" for one in listed(world))


def test_answers_are_filtered_by_source_by_who_saw_them_and_by_words(world):
    assert len(listed(world, observed="1")) == 1
    assert len(listed(world, observed="0")) == 2
    assert [one.source for one in listed(world, source="run")] == [Source.RUN]
    assert [one.said for one in listed(world, q="six in the EVENING")] == [
        "It closes at six in the evening."
    ]
    assert len(listed(world, q="where do we ship")) == 1
    assert len(listed(world, q=world.items["t:1"])) == 1
    assert listed(world, q="100%") == ()
    assert listed(world, q="scored") == ()
    assert len(listed(world, fallen=frozenset({world.items["t:1"]}))) == 1
    assert listed(world, fallen=frozenset()) == ()


def test_pages_do_not_overlap(world):
    assert answers.page(world.store, AnswersWanted(), 2).answers == ()


def test_an_answer_has_an_address_and_any_other_is_refused_alike(world):
    for one in listed(world):
        assert answers.one(world.store, one.id) == one
    for other in ("ans-999999", "ans-0", "ans-x", "", "ans-" + "9" * 40, "01KKBSWKEGQQH030JG8QJD"):
        with pytest.raises(NoSuchAnswerError, match="No such answer, or no access"):
            answers.one(world.store, other)


@pytest.mark.parametrize(
    ("pasted", "how", "source"),
    [
        (SAID, How.EXACT, Source.RECALLED),
        ("ship to koledino — with delovye linii, on tuesday", How.LOOK, Source.RECALLED),
        (f"The bot wrote: {SAID} Why?", How.PART, Source.RECALLED),
        ("Ship it on Tuesday to Koledino using Delovye Linii", How.WORDS, Source.RECALLED),
        ("tr-2", How.ID, Source.REPORTED),
        ("Who carries for us?", How.EXACT, Source.REPORTED),
        ("It closes at six in the evening.", How.EXACT, Source.RUN),
    ],
)
def test_pasted_words_lead_to_the_answer(world, pasted, how, source):
    told = find(world.store, pasted, known(world))
    assert (told.found[0].how, told.found[0].answer.source) == (how, source)
    assert told.cells == ()


def test_what_is_not_recorded_leads_to_the_cells_whose_values_stand_in_it(world):
    told = find(world.store, "You must bring everything into Koledino yourself", known(world))
    assert told.found == ()
    assert [one.cell.claim for one in told.cells] == [
        "The main warehouse for the jackets is Koledino"
    ]
    assert told.cells[0].values == ("Koledino",)
    assert told.known == 3
    assert told.since


def test_nothing_is_found_for_nothing(world):
    for text in ("", "   ", "?!", "зюзя"):
        told = find(world.store, text, known(world))
        assert (told.found, told.cells) == ((), ())


def test_where_a_cell_was_used_is_told_newest_first(world):
    used = answers.using(world.store, world.items["langfuse:t-2"])
    assert [one.source for one in used] == [Source.REPORTED, Source.RECALLED]
    assert [one.source for one in answers.using(world.store, world.items["t:3"])] == [
        Source.RUN, Source.REPORTED,
    ]  # fmt: skip
    assert answers.using(world.store, "unknown") == ()


def known(world):
    return world.desk._inquiry.known(world.desk.policy.policy)


def matching(world):
    answer = answers.one(world.store, f"ans-{world.report.seq}")
    replay = Replay(world.store, world.desk._inquiry)
    size = replay.size_at(answer)
    everything = world.desk._inquiry._memory.at(world.store.standing(), with_staged=True)
    return match(
        world.store,
        answer.documents,
        system=answer.system,
        known=everything,
        standing=replay.standing_at(size),
        size=size,
    )


def test_documents_are_matched_by_id_look_part_and_text_and_each_says_how(world):
    told = matching(world)
    found = [[(one.cell.source_id, one.match, one.then) for one in r.matched] for r in told.read]
    assert found == [
        [("langfuse:t-2", Match.ID, Then.DURABLE)],
        [("langfuse:t-2", Match.LOOK, Then.DURABLE)],
        [("t:3", Match.WITHIN, Then.NOT_DURABLE)],
        [],
        [("langfuse:t-2", Match.TEXT, Then.DURABLE)],
    ]


def test_a_document_that_is_not_known_is_said(world):
    assert [one.document.id for one in matching(world).unknown] == ["moon"]


def test_a_cell_that_came_later_was_not_there_then(irina):
    world = World(irina)
    told = Reported("Where?", "In Tver.", None, (Document(HOURS, "", ""),), "", "", "")
    report = reported.record(world.store, told, writer=writer())
    world.remember([cell(HOURS, "t:1", "2026-01-01")])
    world.report = report
    ((one,),) = [read.matched for read in matching(world).read]
    assert one.then is Then.NOT_THERE


def test_a_withdrawn_cell_was_durable_then(irina):
    world = World(irina).remember([cell(HOURS, "t:1", "2026-01-01")])
    told = Reported("Where?", "In Tver.", None, (Document(HOURS, "", ""),), "", "", "")
    world.report = reported.record(world.store, told, writer=writer())
    world.decide(DecisionKind.WITHDRAW, "t:1")
    ((one,),) = [read.matched for read in matching(world).read]
    assert one.then is Then.DURABLE


def test_reports_that_name_a_recall_stay_reports(world):
    (observed,) = listed(world, observed="1")
    assert observed.said == SAID
    assert observed.scores is not None
    assert replace(observed, numbers=None).scores is None


def test_nothing_of_another_tenant_is_found(world, irina):
    other = World(irina)
    for one in listed(world):
        with pytest.raises(NoSuchAnswerError):
            answers.one(other.store, one.id)
    for text in (SAID, "tr-2", CARRIER, world.recalled.body["recall"]):
        told = find(other.store, text, known(other))
        assert (told.found, told.cells, told.known) == ((), (), 0)
    assert answers.using(other.store, world.items["t:1"]) == ()
    assert answers.page(other.store, AnswersWanted()).total == 0

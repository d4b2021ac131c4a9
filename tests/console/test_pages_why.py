"""Why: each verdict in words, the funnel as a filter, the numbers opened, keys, and its states."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from console.signing import throwaway
from review.auditing.answers import AnswersWanted
from review.auditing.replay import Replay
from review.auditing.reported import Reported
from review.recall import Question
from store import queries
from store.log import DamagedStoreError
from store.stages import DecisionKind
from tests.conftest import Reviewer
from tests.console.desks import open_page, press
from tests.console.test_pages_audit import drawn, markup
from tests.review.test_why import erase
from tests.review.test_worked_examples import ENGLISH
from tests.review.worlds import World, cell

SHIPPING = "Where do we ship the jackets next week?"


def recorded(world: World, question: str, at: str, **more) -> str:
    event = world.desk.record_recall(world.answered(question, at, **more).recall)
    return f"ans-{event.seq}"


def stated(claim: str, words: str, parameter: str, value: str) -> dict:
    end = claim.index(words) + len(words)
    place = {"start": end - len(value), "end": end}
    return {"subject": "coffee shop", "parameter": parameter, "value": value} | place


@pytest.fixture(scope="module")
def world():
    until = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)
    made = World(Reviewer("r-irina", throwaway(now=until)))
    made.remember([dict(row) for row in ENGLISH[:2]])
    made.remember([cell("The office cat is Murka.", "CAT", "2026-01-01")])
    first = "The coffee shop: season summer, format dine-in."
    facts = [
        stated(first, "season summer", "season", "summer"),
        stated(first, "format dine-in", "format", "dine-in"),
    ]
    conclusion = {"text": "search campaigns only", "task": "choose the channels", "support": facts}
    second = "The coffee shop is in city Kazan."
    made.remember(
        [
            cell(first, "K1", "2025-06-01", facts=facts, conclusion=conclusion),
            cell(
                second, "K2", "2025-06-02", facts=[stated(second, "city Kazan", "city", "Kazan")]
            ),
        ]
    )
    made.answers = {
        "then": recorded(made, SHIPPING, "2026-02-25"),
        "high": recorded(made, "What is the name of the office cat?", "2026-02-25", theta=0.99),
        "winter": recorded(
            made,
            "The coffee shop: season winter, format delivery, city Kazan. Choose the channels.",
            "2026-03-10",
        ),
        "paint": recorded(
            made,
            "The coffee shop: season summer, format dine-in, city Kazan. Choose the paint.",
            "2026-03-10",
        ),
    }
    made.stage([dict(row) for row in ENGLISH[2:]], name="orders.jsonl")
    made.decide(DecisionKind.APPROVE, "M3")
    made.answers["later"] = recorded(made, SHIPPING, "2026-03-10")
    told = made.desk.audit.report(Reported("Who?", "Nobody.", None, (), "", "x", ""))
    made.answers["reported"] = f"ans-{told.seq}"
    return made


def why(world, answer, fact="", **params):
    more = {"fact": world.items[fact]} if fact else {}
    name = world.answers.get(answer, answer)
    return open_page("why", world.desk, reviewer=world.irina, answer=name, **more, **params)


@pytest.mark.parametrize(
    ("answer", "fact", "says", "because"),
    [
        ("then", "M1", "was in the prompt.", "It scored F"),
        ("high", "CAT", "was left out.", "below the threshold 0.99. Weakest:"),
        ("later", "M1", "was blocked before scoring.", "Superseded by"),
        ("then", "CAT", "was never found by search.", "The gate had nothing to decide."),
        ("winter", "K2", "was removed because the question already says it.", "only make the old"),
        ("winter", "K1", "was removed because the question says otherwise.", "summer → winter"),
        ("winter", "K1", "says otherwise.", "Its old conclusion was dropped"),
        ("paint", "K1", "was in the prompt.", "kept only as a reference to another question"),
        ("reported", "M1", "We cannot say what became of", "No scores were recorded"),
        ("then", "M3", "was not in the store then.", "after this answer"),
    ],
)
def test_each_case_of_a_verdict_is_reached_and_says_why(world, answer, fact, says, because):
    app = why(world, answer, fact)
    assert says in app.header[0].value
    html = " ".join(str(one.proto.body) for one in app.get("html"))
    assert because in f"{drawn(app)} {html}"


@pytest.mark.parametrize("mark", ["conflict", "conclusion"])
def test_answers_are_filtered_by_the_marks_that_they_show(world, mark):
    page = world.desk.audit.page(AnswersWanted())
    wanted = {one.id for one in page.answers if getattr(one, mark)}
    found = world.desk.audit.page(AnswersWanted(mark=mark)).answers
    assert {one.id for one in found} == wanted
    table = open_page("answers", world.desk, has=mark)
    if wanted:
        assert set(table.dataframe[0].value["id"]) == wanted
    else:
        assert "No answer has these marks." in markup(table)


def test_a_search_without_a_match_says_since_when_and_how_many_this_week(world):
    told = markup(open_page("answers", world.desk, q="zebra"))
    assert "No answer contains this text." in told
    assert "this week. Try fewer words, or the ticket number." in told


def test_each_number_of_the_funnel_filters_the_rows(world):
    whole = why(world, "later")
    control = whole.segmented_control(key="funnel-then-0")
    assert [one.content for one in control.proto.options] == [
        "Retrieved 3", "› passed the hard filter 1", "› admitted 1", "› in the prompt 1"
    ]  # fmt: skip
    assert len(whole.dataframe[0].value) == 3
    for step in ("passed", "admitted", "kept"):
        app = why(world, "later", rows=step)
        assert len(app.dataframe[0].value) == 1
        assert "2 rows were not left after this step" in markup(app)
    control.set_value("admitted").run()
    assert whole.query_params["rows"] == "admitted"
    assert "No cell was left after this step" in markup(why(world, "high", rows="kept"))


def test_a_number_opens_what_it_means_and_what_it_is_made_from(world):
    told = drawn(why(world, "later", "M1"))
    assert "How valid it was then" in told
    assert "made from: Status at that time: superseded." in told
    assert "/ 4 = 0.56" in told
    assert "It would be let in at no θ" in told
    assert "made from: Policy " in told


def test_a_lone_fact_has_its_numbers_as_metrics(world):
    app = why(world, "high")
    if len(app.dataframe[0].value) == 1:
        assert len(app.metric) == 4
    assert len(why(world, "later").metric) == 0


def test_keys_go_from_fact_to_fact_and_through_the_views(world):
    app = why(world, "later")
    first = app.header[0].value
    press(app, "act-key-J")
    assert app.header[0].value != first
    press(app, "act-key-K")
    assert app.header[0].value == first
    for view in ("now", "diff"):
        assert press(app, "act-key-T").query_params["as"] == view
    press(app, "act-key-T")
    for kind in ("current", "past", "change"):
        assert press(app, "act-key-Q").query_params["intent"] == kind
        assert "What-if, not what happened" in markup(app)
    press(app, "act-key-Q")
    charts = len(app.get("vega_lite_chart"))
    assert press(app, "act-key-B").query_params["view"] == "table"
    assert len(app.get("vega_lite_chart")) == charts - 1
    press(app, "act-key-S")
    assert app.session_state["why-source"] is True
    press(app, "act-key-H")
    assert "next fact" in drawn(app)


def test_a_what_if_that_fails_leaves_the_stored_view_and_says_so(world, monkeypatch):
    def broken(*_args):
        raise DamagedStoreError(SHIPPING)

    monkeypatch.setattr(Replay, "what_if", broken)
    app = why(world, "then", intent="past")
    assert "This what-if could not be worked out" in markup(app)
    assert list(app.dataframe[0].value["verdict"]) == ["+ in", "+ in"]


def test_two_hundred_cells_show_the_best_and_all_are_one_press_away(irina):
    made = World(irina)
    made.remember(
        [
            cell(f"Jackets note {n}: the box {n} is heavy.", f"N{n}", "2026-01-01")
            for n in range(60)
        ]
    )
    asked = Question("What of the jackets?", asked_at=datetime(2026, 2, 1, tzinfo=UTC),
                     candidates=60)  # fmt: skip
    event = made.desk.record_recall(made.desk.ask(asked).recall)
    made.answers = {"many": f"ans-{event.seq}"}
    app = why(made, "many")
    assert "Shown are" in markup(app)
    press(app, "act-all-then-0")
    assert app.query_params["view"] == "table"
    assert len(app.dataframe[0].value) == event.body["candidates"] == 60


def test_an_erased_cell_keeps_its_row_and_its_numbers(irina):
    made = World(irina).remember([dict(row) for row in ENGLISH[:2]])
    made.answers = {"one": recorded(made, SHIPPING, "2026-02-25")}
    (row,) = made.store.rows(queries.ITEM, item=made.items["M1"])
    erase(made, *(value for name, value in row.items() if name.endswith("_c")))
    table = why(made, "one").dataframe[0].value
    assert "The text was erased." in list(table["cell"])
    assert all(float(one) > 0.5 for one in table["F"])

"""Answers and Why: paste, find, verdict first, what if, labels; hostile words are inert."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from console.cards import why_document
from console.signing import throwaway
from console.words import Say
from review.auditing.audit import Account
from review.auditing.reported import Document, Reported
from store.stages import DecisionKind
from tests.conftest import Reviewer
from tests.console.desks import desk_over, open_page, press, store_for
from tests.review.test_worked_examples import ENGLISH
from tests.review.worlds import World

QUESTION = "Where do we ship the jackets next week?"
SAID = "Ship the jackets to Koledino."
EVIL = "Koledino.\u202e ![x](http://evil.test/p.png) :red[a] $b$ <script>alert(1)</script>"


@pytest.fixture(scope="module")
def world():
    until = datetime.max.replace(tzinfo=UTC) - timedelta(days=1)
    made = World(Reviewer("r-irina", throwaway(now=until)))
    rows = [dict(row) for row in ENGLISH]
    made.remember(rows[:2])
    made.stage(rows[2:], name="orders.jsonl")
    at = datetime(2026, 2, 25, tzinfo=UTC).isoformat()
    event = made.desk.record_recall(made.answered(QUESTION, at).recall)
    made.observed = f"ans-{event.seq}"
    audit = made.desk.audit
    audit.report(Reported(QUESTION, SAID, None, (), "", "door", event.body["recall"]))
    documents = (Document(ENGLISH[1]["claim"], EVIL, EVIL), Document(EVIL, "", ""))
    reported = audit.report(Reported(EVIL, EVIL, EVIL, documents, EVIL, EVIL, ""))
    made.reported = f"ans-{reported.seq}"
    made.decide(DecisionKind.APPROVE, "M3", "M4")
    return made


def drawn(app) -> str:
    """Every text of the page that Markdown does not read."""
    html = [one.body for one in app.get("html")] if hasattr(app, "get") else []
    return "\n".join([*(one.value for one in app.text), *map(str, html)])


def markup(app) -> str:
    """Every text of the page that Markdown reads."""
    parts = [app.markdown, app.caption, app.title, app.header, app.subheader, app.info]
    parts += [app.warning, app.error, app.success]
    told = [one.value for group in parts for one in group]
    told += [one.label for one in (*app.button, *app.selectbox, *app.text_input, *app.expander)]
    return "\n".join(told)


def why(world, answer="", **params):
    return open_page("why", world.desk, reviewer=world.irina, answer=answer, **params)


# --- Answers -----------------------------------------------------------------------------------


def test_observed_and_reported_answers_look_different_by_word_and_shape(world):
    app = open_page("answers", world.desk)
    seen = list(app.dataframe[0].value["seen"])
    assert seen == ["○ reported", "● observed"]
    assert app.dataframe[0].value["facts"][1] == "2 of 2 in"
    assert "▲ holds no more" in app.dataframe[0].value["marks"][1]


@pytest.mark.parametrize(
    ("filters", "count"),
    [({"seen": "1"}, 1), ({"seen": "0"}, 1), ({"source": "read.reported"}, 1),
     ({"has": "fallen"}, 1), ({"q": "next week"}, 1)],
)  # fmt: skip
def test_filters_stand_in_the_url(world, filters, count):
    app = open_page("answers", world.desk, **filters)
    assert len(app.dataframe[0].value) == count


def test_a_pasted_answer_is_found_and_says_how(world):
    app = open_page("answers", world.desk)
    app.text_input(key="pasted").input("ship the jackets to KOLEDINO").run()
    assert not app.exception
    assert "1 answer found" in markup(app)
    assert "The same words." in markup(app)
    assert world.observed in drawn(app)


def test_what_is_not_recorded_is_said_with_the_cells_that_stand_in_it(world):
    app = open_page("answers", world.desk)
    app.text_input(key="pasted").input("Nobody ever sees why Elektrostal is so far away").run()
    assert "No answer recorded here contains this text" in markup(app)
    assert "Not recorded here" in markup(app)
    assert "Elektrostal" in drawn(app)


def test_without_any_answer_the_page_says_how_they_come(irina):
    app = open_page("answers", desk_over(store_for(irina), irina))
    assert "No answer is known yet" in markup(app)
    assert [one.value for one in app.code] == ["memory-console ask QUESTION --record"]


def test_shares_stand_beside_the_part_of_the_store(world):
    table = open_page("answers", world.desk).dataframe[1].value
    assert next(iter(table["share"])) == "100.0%"


# --- Why ---------------------------------------------------------------------------------------


def test_the_verdict_is_the_first_thing_said_and_then_why_and_today(world):
    app = why(world, world.observed)
    assert app.header[0].value.endswith("was in the prompt.")
    told = drawn(app)
    assert "warehouse = Koledino" in told
    assert told.index("It scored F") < told.index("Today, for the same question, it is blocked")
    assert "Superseded by" in told
    assert "Since then:" in told
    assert "every number agrees with the record to the last bit" in told
    assert "We cannot show the model relied on it" in told


def test_the_table_has_every_number_of_the_chart(world):
    app = why(world, world.observed)
    table = app.dataframe[0].value
    assert list(table["verdict"]) == ["+ in", "+ in"]
    assert [f"{float(v):.3f}" for v in table["F"]] == list(table["F"])
    assert len(app.get("arrow_vega_lite_chart") or app.get("vega_lite_chart") or [1]) >= 1


def test_then_now_and_difference_are_views_with_an_address(world):
    now = why(world, world.observed, **{"as": "now"})
    assert "This is not what happened" in markup(now)
    assert "× blocked" in list(now.dataframe[0].value["verdict"])
    moved = why(world, world.observed, **{"as": "diff"}).dataframe[0].value
    assert list(moved["moved"]).count("▲") == 4
    assert "no candidate" in list(moved["then"])


def test_a_what_if_says_that_it_did_not_happen_and_writes_nothing(world):
    before = world.desk.head()
    app = why(world, world.observed)
    assert "Change something" in markup(app)
    app.text_input(key="if_at").input("2026-03-10").run()
    assert "What-if, not what happened" in markup(app)
    app.select_slider(key="if_theta").set_value("0.65").run()
    app.toggle(key="if_now").set_value(True).run()
    app.selectbox(key="if_without").select(world.items["M3"]).run()
    assert not app.exception
    assert "+ in" in list(app.dataframe[0].value["verdict"])
    press(app, "act-reset")
    assert "Change something" in markup(app)
    app.text_input(key="if_at").input("soon").run()
    assert "Write the moment as" in markup(app)
    assert world.desk.head() == before


def test_leaving_each_cell_out_is_worked_out_when_asked_for(world):
    app = why(world, world.observed)
    count = len(app.dataframe)
    press(app, "act-leave")
    assert len(app.dataframe) == count + 1


def test_a_label_is_kept_and_shown_and_needs_a_person(world):
    app = press(why(world, world.observed), "act-label-0")
    assert "Labelled: should have been out" in markup(app)
    assert world.desk.audit.labels(world.observed)[0].admit is False
    reader = open_page("why", desk_over(world.store), answer=world.observed)
    assert reader.button(key="act-label-1").disabled


def test_a_reported_answer_is_recomputed_as_ours_and_its_documents_are_matched(world):
    app = why(world, world.reported)
    assert app.header[0].value.endswith("is reported to have been read.")
    assert "Recomputed by us, as of then" in markup(app)
    assert "We cannot show that it was in the prompt" in drawn(app)
    read = next(one.value for one in app.dataframe if "known" in one.value.columns)
    assert list(read["known"]) == ["●", "○"]
    assert read["cells"][1] == "not known here"


def test_an_answer_of_nobody_is_refused_in_the_same_words(world):
    for answer in ("ans-99999", "", "01KKBSWKEGQQH030JG8QJDMQMP"):
        app = why(world, answer)
        assert [one.value for one in app.error] == ["No such answer, or no access."]


def test_a_fact_of_the_url_is_explained_even_where_it_was_no_candidate(world):
    app = why(world, world.observed, fact=world.items["M3"])
    assert app.header[0].value.endswith("was not durable then.")
    assert "Gap: nobody had approved it by then" in drawn(app)


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_hostile_words_reach_no_place_that_reads_markup(world, lang):
    for app in (
        why(world, world.reported, lang=lang),
        open_page("answers", world.desk, lang=lang),
    ):
        for word in ("evil.test", "<script>", ":red["):
            assert word not in markup(app)
        assert "\u202e" not in markup(app) + drawn(app)


# --- downloads ---------------------------------------------------------------------------------


def test_downloads_hold_the_recorded_numbers_and_neutralised_words(world):
    audit = world.desk.audit
    told = audit.account(audit.one(world.observed))
    value = why_document.as_value(told)
    assert value["agreement"]["agrees"]
    recorded = audit.one(world.observed).scores.parts[0].scored
    assert [one["F"] for one in value["then"][0]["candidates"]] == [one.score for one in recorded]
    assert value["then"][0]["quoted"] is None
    reported = audit.account(audit.one(world.reported))
    text = why_document.as_json(why_document.as_value(reported))
    assert text.isascii()
    assert "\\u202e" in text
    assert "⟦U+202E RLO⟧" in why_document.as_markdown(reported, Say("en"))


def test_a_fence_is_longer_than_any_in_the_text():
    lines = why_document.fenced("``` ` ````` x")
    assert lines[0] == "``````text"
    assert lines[-1] == "``````"


def test_an_answer_that_memory_had_no_part_in_is_told_as_such(irina):
    made = World(irina)
    event = made.desk.record_recall(made.answered("What is the moon?", "2026-02-25").recall)
    account = made.desk.audit.account(made.desk.audit.one(f"ans-{event.seq}"))
    assert isinstance(account, Account)
    assert account.item == ""
    told = why_document.as_markdown(account, Say("en"))
    assert "memory took no part in this answer" in told
    app = open_page("why", made.desk, answer=f"ans-{event.seq}")
    assert "memory took no part in this answer" in markup(app)

"""Asking a model about what waits: a process of its own, within the budget, stopped or killed."""

from __future__ import annotations

import json
import os
import signal
import time
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner

from console import identity, model_wiring
from console.asking.kept import BusyError, State
from console.cli import app
from console.wiring import new_workspace, open_workspace
from review.proposals import backlog
from tests.console.desks import stage
from tests.console.messages_stub import Answer, claim, fact, fault, message, replying
from tests.console.model_worlds import adapter, help_over, stub

TEXTS = (
    "The main warehouse is Elektrostal.",
    "The carrier is Delovye Linii.",
    "We ship on Tuesdays.",
)
KEY = "key-of-a-test"


@pytest.fixture
def place(tmp_path, monkeypatch):
    made = new_workspace(tmp_path / "w")
    monkeypatch.setenv("MEMORY_CONSOLE_HOME", str(made.home))
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    stage(made.desk(made.settings.tenant()), *TEXTS)
    return made


def switched_on(place, address, **changes):
    told = identity.read_settings(place.home)
    usual = {"on": True, "name": "stub-model", "attempts": 1, "at_once": 1, "read_seconds": 20.0}
    model = replace(told.model, address=address, **(usual | changes))
    identity.write_settings(replace(told, model=model.checked()))
    return open_workspace(place.home)


def asking(place):
    return model_wiring.asking(place, place.settings.tenant())


def ended(one, seconds=60):
    until = time.monotonic() + seconds
    while (kept := one.read()) is None or kept.state is State.RUNNING:
        assert time.monotonic() < until, kept
        time.sleep(0.05)
    return kept


def desk_of(place):
    return place.desk(place.settings.tenant())


def run(*words):
    return CliRunner().invoke(app, ["model", *words])


def test_a_press_asks_about_what_waits_in_a_process_of_its_own_and_once(place):
    def answering(_heard):
        # The store is free meanwhile: an import goes on while the model is asked.
        stage(desk_of(place), f"Record {len(server.heard)} is new.", name="n.jsonl", start=9)
        return message(json.dumps(claim()))

    with stub(answering) as server:
        here = switched_on(place, server.address)
        one = asking(here)
        assert one.read() is None
        before = [desk_of(here).card_of(item).artifact for item in backlog.unasked(desk_of(here))]
        one.start(2)
        kept = ended(one)
        assert (kept.wanted, kept.replies, kept.failed) == (2, {"proposed": 2}, {})
        assert (kept.state, kept.ended) == (State.FINISHED, "")
        assert len(server.heard) == 2
        server.answering = replying(claim())
        assert told_by_command()["wanted"] == one.read().wanted == len(server.heard) - 2 == 2
        assert told_by_command()["wanted"] == one.read().wanted == 0
        assert len(server.heard) == 4
    desk = desk_of(here)
    assert backlog.count(desk) == 0
    assert {card.artifact for card in map(desk.card_of, _items(desk))} >= set(before)
    assert desk.standing().items == {}
    kept_files = b"".join(path.read_bytes() for path in (here.home / "model").iterdir())
    assert b"warehouse" not in kept_files
    assert KEY.encode() not in kept_files


def _items(desk):
    return [row["item"] for row in desk.store.rows("select item from proj_item where latest")]


def told_by_command():
    return json.loads(run("ask", "--json").stdout)


def test_the_budget_ends_it_and_what_is_left_can_be_asked_about_tomorrow(place):
    with stub(replying(claim(), tokens=(3_000, 100))) as server:
        here = switched_on(place, server.address, tokens_per_day=15_000)
        kept = told_by_command()
        assert (kept["ended"], kept["state"]) == ("budget", "finished")
        assert 1 <= kept["replies"]["proposed"] < 3
        assert len(server.heard) == kept["replies"]["proposed"]
    assert backlog.count(desk_of(here)) == 3 - kept["replies"]["proposed"]


def test_a_service_that_never_answers_is_left_alone_and_one_bad_text_is_passed_over(place):
    with stub(lambda _: fault(529, "overloaded_error")) as server:
        here = switched_on(place, server.address)
        stage(desk_of(here), *(f"Text {n}." for n in range(7)), name="m.jsonl", start=20)
        kept = told_by_command()
        assert (kept["ended"], kept["failed"]) == ("overloaded", {"overloaded": 3})
        assert len(server.heard) == 3

        def one_is_bad(heard):
            bad = "Text 5." in heard.data["claim"]["text"]
            return fault(400, "invalid_request_error") if bad else message(json.dumps(claim()))

        server.answering = one_is_bad
        kept = told_by_command()
    assert (kept["ended"], kept["failed"]) == ("", {"rejected": 1})
    assert kept["replies"] == {"proposed": 9}


def test_of_records_with_equal_words_one_is_asked_about_and_both_show_it(place):
    with stub(replying(claim())) as server:
        here = switched_on(place, server.address)
        stage(desk_of(here), TEXTS[0], name="again.jsonl", start=40, source_id="other:1")
        kept = told_by_command()
        assert len(server.heard) == 3
        assert sum(kept["replies"].values()) == 4
    desk = desk_of(here)
    assert backlog.count(desk) == 0
    help_ = model_wiring.proposing(here, desk)
    assert all(help_.seen(desk.card_of(item)).claim is not None for item in _items(desk))


def test_a_record_whose_text_changed_is_asked_about_again_and_shows_no_old_proposal(place):
    told = claim(fact("is Koledino", "Koledino", "warehouse"))
    with stub(replying(told)) as server:
        place = switched_on(place, server.address)
        assert run("ask").exit_code == 0
        desk, before = desk_of(place), len(server.heard)
        first = desk.store.rows("select item from proj_item order by n")[0]["item"]
        stage(desk, "The main warehouse is Koledino.", name="again.jsonl")
        (now,) = desk.store.rows("select item, rev from proj_item where latest and rev > 1")
        assert now["item"] == first
        assert backlog.unasked(desk) == [first]
        proposing = model_wiring.proposing(place, desk)
        assert proposing.seen(desk.card_of(first)).claim is None
        assert run("ask").exit_code == 0
        assert len(server.heard) == before + 1
    assert backlog.count(desk) == 0
    (read,) = proposing.seen(desk.card_of(first)).read.facts.facts
    assert read.value == "Koledino"


def test_it_is_stopped_between_two_records_and_only_one_asks_at_a_time(place):
    with stub(lambda _: replace(message(json.dumps(claim())), delay=0.6)) as server:
        here = switched_on(place, server.address)
        one = asking(here)
        one.start(200)
        with pytest.raises(BusyError):
            one.start(200)
        _until_heard(server)
        assert run("ask").exit_code == 6
        one.stop()
        kept = ended(one)
        assert kept.state is State.STOPPED
        assert 1 <= kept.replies["proposed"] == len(server.heard) < 3
        server.answering = replying(claim())
        assert told_by_command()["state"] == one.read().state == State.FINISHED
        assert len(server.heard) == 3


def _until_heard(server):
    until = time.monotonic() + 60
    while not server.heard:
        assert time.monotonic() < until
        time.sleep(0.05)


def test_killed_it_is_told_and_the_same_call_counts_in_full_and_can_be_made_again(place):
    with stub(lambda _: Answer(200, b"{}", delay=30.0)) as server:
        here = switched_on(place, server.address)
        one = asking(here)
        one.start(200)
        _until_heard(server)
        kept = one.read()
        os.kill(kept.pid, signal.SIGKILL)
        kept = ended(one)
        assert (kept.state, kept.replies) == (State.INTERRUPTED, {})
        assert model_wiring.model_help(here).spending().tokens > 2_000
        server.answering = replying(claim())
        assert told_by_command()["replies"] == {"proposed": 3}


def test_the_command_does_the_same_in_front_of_a_person(place):
    with stub(replying(claim())) as server:
        switched_on(place, server.address)
        told = run("ask", "--most", "2")
        assert told.exit_code == 0, told.output
        assert "2  proposed" in told.stdout
        assert json.loads(run("ask", "--json").stdout)["replies"] == {"proposed": 1}
        assert "Every record that waits has a proposal." in run("ask").stdout
        assert len(server.heard) == 3


def test_without_a_key_nobody_is_called_and_it_is_said(place, monkeypatch):
    with stub(replying(claim())) as server:
        switched_on(place, server.address)
        monkeypatch.delenv("ANTHROPIC_API_KEY")
        told = run("ask")
        assert told.exit_code == 4
        assert "There is no key" in told.stdout
        assert not server.heard


# --- on the page -------------------------------------------------------------------------------


def _page(desk, help_, asking_):  # AppTest runs this body alone
    from console.cards.visit import Visit
    from console.pages import model
    from console.words import Say

    model.render(desk, Visit(Say("en"), model=help_, asking=asking_))


def page(place, help_, asking_):
    kwargs = {"desk": desk_of(place), "help_": help_, "asking_": asking_}
    app_ = AppTest.from_function(_page, kwargs=kwargs, default_timeout=60).run()
    assert not app_.exception, app_.exception
    return app_


def offered(app_):
    return [one for one in app_.button if one.key == "act-backlog"]


def words(app_):
    return " ".join(one.value for one in (*app_.text, *app_.caption))


def test_the_page_offers_it_watches_it_and_tells_what_came_of_it(place, tmp_path):
    with stub(replying(claim(fact("ship on Tuesdays", "Tuesdays", "day")))) as server:
        here = switched_on(place, server.address)
        help_, one = help_over(desk_of(here), adapter(tmp_path, server.address)), asking(here)
        app_ = page(here, help_, one)
        button = app_.button(key="act-backlog")
        assert (button.label, button.disabled) == (
            "Ask the model about 3 records that wait",
            False,
        )
        button.click().run()
        assert not app_.exception
        ended(one)
        app_ = page(here, help_, one)
    assert "3 proposals" in words(app_)
    assert "Every record that waits has a proposal." in words(app_)
    assert offered(app_) == []


@pytest.mark.parametrize(("changes", "why"), [
    ({"key": None}, "There is no key"), ({"tokens_per_day": 5}, "budget of the day"),
])  # fmt: skip
def test_the_button_is_off_and_says_why(place, tmp_path, changes, why):
    help_ = help_over(desk_of(place), adapter(tmp_path, "http://127.0.0.1:9", **changes))
    app_ = page(place, help_, asking(place))
    assert app_.button(key="act-backlog").disabled
    assert why in words(app_)


def test_with_model_help_off_there_is_no_such_button(place, tmp_path):
    help_ = help_over(desk_of(place), adapter(tmp_path, "http://127.0.0.1:9", on=False))
    assert [
        one for one in page(place, help_, asking(place)).button if one.key == "act-backlog"
    ] == []

"""When a signing ends, agents get what was decided; a publication that fails undoes nothing."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from streamlit.testing.v1 import AppTest

from store.shelf import Shelf
from tests.console.agents import PASSPHRASE, Firm, cell
from tests.console.desks import press


@pytest.fixture(scope="module")
def template(tmp_path_factory) -> Firm:
    (made,) = Firm.founded(tmp_path_factory.mktemp("template") / "home", "acme")
    made.items = made.stage(cell("The gate opens at nine.", 1))
    return made


@pytest.fixture
def firm(template, tmp_path) -> Firm:
    return template.copied(tmp_path / "home")


def _inbox(desk, unlock, publishing, lang):  # AppTest runs this body alone
    from console.cards.visit import Visit
    from console.pages import inbox
    from console.words import Say

    inbox.render(desk, Visit(Say(lang), unlock=unlock, publishing=publishing))


def signed(firm: Firm, lang: str = "en") -> str:
    """Approve the one record and sign, as a person does; the line that is said then."""
    from console.app import _unlocking

    kwargs = {
        "desk": firm.desk,
        "unlock": _unlocking(firm.place),
        "publishing": firm.publishing,
        "lang": lang,
    }
    app = AppTest.from_function(_inbox, kwargs=kwargs, default_timeout=60)
    app.query_params["lane"] = "routine"
    app.run()
    time.sleep(0.5)  # a press that comes at once is not taken for a decision
    press(app, "act-approve")
    press(app, "act-sign")
    app.text_input(key="passphrase").input(PASSPHRASE)
    buttons = [one for one in app.button if one.key != "act-sign"]
    next(one for one in buttons if one.label.startswith(("Sign ", "Подписать"))).click().run()
    assert not app.exception, app.exception
    return " ".join(one.value for one in app.caption).replace("\\", "")


@pytest.mark.parametrize(
    ("lang", "words"),
    [("en", "Agents read 1 durable cell"), ("ru", "Агенты теперь читают 1 постоянную запись")],
)
def test_signing_publishes_for_agents_and_says_so(firm, lang, words):
    door = firm.door("bot")
    assert words in signed(firm, lang)
    told = firm.acts(door).recall("When does the gate open?")
    assert told["parts"][0]["memory"][0]["text"] == ["The gate opens at nine."]


def test_a_tenant_without_a_door_publishes_nothing(firm):
    assert "Agents" not in signed(firm)
    assert not firm.published.exists()
    assert firm.desk.durable_count() == 1


def test_a_publication_that_fails_is_said_and_the_decision_stands(firm, monkeypatch):
    firm.door("bot")

    def full(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Shelf, "write", full)
    told = signed(firm)
    assert "1 decision is signed and recorded." in told
    assert "It stands" in told
    assert "No space left on device" in told
    assert firm.desk.durable_count() == 1


def test_drawing_a_page_takes_in_what_agents_left_and_names_what_is_none(firm, monkeypatch):
    door = firm.door("bot")
    job = firm.acts(door).stage([{"claim": "The door opens at ten."}])["job"]
    (door.folder / "spool" / "notes.txt").write_text("foreign")
    monkeypatch.setenv("MEMORY_CONSOLE_HOME", str(firm.place.home))
    app = AppTest.from_file("../../console/entry/main.py", default_timeout=60).run()
    assert not app.exception, app.exception
    assert firm.acts(door).status(job)["records"][0]["outcome"] == "written"
    assert "set aside" in " ".join(one.value for one in app.warning)
    assert "doors/bot/spool/notes.txt" in " ".join(one.value for one in app.text)
    assert not list((door.folder / "spool").glob("*.*"))


def _start(desk, unlock, publishing, why):  # AppTest runs this body alone
    from console.cards.visit import Visit
    from console.pages import start
    from console.words import Say

    visit = Visit(Say("en"), unlock=unlock, publishing=publishing, why_read_only=why)
    start.render(desk, visit)


def started(firm: Firm, *, reader: bool = False) -> AppTest:
    from console.app import _unlocking

    kwargs = {
        "desk": firm.desk,
        "unlock": None if reader else _unlocking(firm.place),
        "publishing": firm.publishing,
        "why": "nobody" if reader else "",
    }
    app = AppTest.from_function(_start, kwargs=kwargs, default_timeout=60).run()
    assert not app.exception, app.exception
    return app


def told(app: AppTest) -> str:
    return " ".join(str(one.value) for one in (*app.text, *app.caption, *app.error))


def publish_now(app: AppTest, passphrase: str = PASSPHRASE) -> AppTest:
    press(app, "act-publish")
    app.text_input(key="passphrase").input(passphrase)
    next(one for one in app.button if one.label == "Publish").click().run()
    assert not app.exception, app.exception
    return app


def test_start_says_that_agents_are_behind_and_publishes_what_they_lack(firm):
    door = firm.door("bot")
    firm.decide(*firm.items)
    app = started(firm)
    assert "Nothing is published for the agents of this tenant yet" in told(app)
    assert "Agents read 1 durable cell" in told(publish_now(app)).replace("\\", "")
    answer = firm.acts(door).recall("When does the gate open?")
    assert answer["parts"][0]["memory"][0]["text"] == ["The gate opens at nine."]
    assert not [one for one in started(firm).button if one.key == "act-publish"]
    firm.withdraw(*firm.items)
    app = started(firm)
    assert "Agents are behind: 1 signature since" in told(app)
    publish_now(app)
    assert not firm.acts(door).recall("When does the gate open?")["parts"][0]["memory"]
    assert firm.publishing.behind() is None


def test_a_wrong_passphrase_publishes_nothing_from_start(firm):
    firm.door("bot")
    firm.decide(*firm.items)
    app = publish_now(started(firm), "wrong horse")
    assert "Wrong passphrase" in told(app)
    assert firm.publishing.behind() is not None


def test_without_an_identity_or_a_door_there_is_nothing_to_publish(firm):
    firm.decide(*firm.items)
    assert not [one for one in started(firm).button if one.key == "act-publish"]
    firm.door("bot")
    app = started(firm, reader=True)
    assert app.button(key="act-publish").disabled


def test_what_was_published_for_a_time_is_behind_when_the_time_is_over(firm):
    firm.door("bot")
    firm.decide(*firm.items)
    firm.publish(valid_for=timedelta(microseconds=1))
    assert "is over: agents refuse it" in told(started(firm))

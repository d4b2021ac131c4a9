"""Settings of model help on the page: switched on by a person, and the key is nowhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from console import identity, model_wiring
from console.model.settings import ModelSettingsError
from console.wiring import new_workspace, open_workspace
from tests.console.desks import stage
from tests.console.messages_stub import claim, fault, replying
from tests.console.model_worlds import stub

KEY = "sk-of-a-test-3f9a77c2"


@pytest.fixture
def place(tmp_path, monkeypatch):
    made = new_workspace(tmp_path / "w")
    monkeypatch.setenv("MEMORY_CONSOLE_HOME", str(made.home))
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    stage(made.desk(made.settings.tenant()), "The main warehouse is Elektrostal.")
    return made


def _page(name, home):  # AppTest runs this body alone
    import importlib

    from console import model_wiring
    from console.cards.visit import Visit
    from console.wiring import open_workspace
    from console.words import Say

    workspace = open_workspace(home)
    tenant = workspace.settings.tenant()
    desk = workspace.desk(tenant)
    visit = Visit(
        Say("en"),
        model=model_wiring.proposing(workspace, desk),
        asking=model_wiring.asking(workspace, tenant),
        switch=model_wiring.Switch(workspace.home),
    )
    importlib.import_module(f"console.pages.{name}").render(desk, visit)


def page(place, name="settings", **params):
    app = AppTest.from_function(
        _page, kwargs={"name": name, "home": place.home}, default_timeout=60
    )
    for one, value in params.items():
        app.query_params[one] = value
    app.run()
    assert not app.exception, app.exception
    return app


def keep(app, **values):
    for name, value in values.items():
        app.text_input(key=f"model-{name}").input(value)
    app.toggle(key="model-on").set_value(True)
    app.button(key="model-keep").click().run()
    assert not app.exception, app.exception
    return app


def everything(app) -> str:
    """All that reaches the browser, and all that the session keeps."""
    drawn = [str(block.proto) for block in _blocks(app)]
    return "\n".join([*drawn, repr(app.session_state), str(app.query_params)])


def _blocks(app):
    waiting = [app.main, app.sidebar]
    while waiting:
        one = waiting.pop()
        waiting.extend(getattr(one, "children", {}).values())
        if getattr(one, "proto", None) is not None:
            yield one


def test_it_is_switched_on_here_and_kept(place):
    app = page(place)
    assert app.toggle(key="model-on").value is False
    keep(app, name="stub-model", tokens_per_day="5000", read_seconds="7.5")
    assert [one.value for one in app.success] == ["The settings are kept."]
    told = identity.read_settings(place.home).model
    assert (told.on, told.name, told.tokens_per_day, told.read_seconds) == (
        True,
        "stub-model",
        5_000,
        7.5,
    )
    assert "Only what you ask the model about leaves this machine." in everything(page(place))


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"name": ""}, "name is empty"),
        ({"name": "../x"}, "name is no name of a model"),
        ({"name": "m", "tokens_per_day": "many"}, "tokens_per_day is no whole number"),
        ({"name": "m", "money_per_day": "1"}, "needs price_in and price_out"),
        ({"name": "m", "at_once": "99"}, "at_once is not between 1 and 16"),
    ],
)
def test_what_cannot_be_used_changes_nothing_and_says_why(place, values, why):
    before = (place.home / "config.toml").read_bytes()
    app = keep(page(place), **values)
    assert "Nothing was changed:" in app.error[0].value
    assert any(why in one.value for one in app.text)
    assert (place.home / "config.toml").read_bytes() == before


def test_where_requests_go_is_not_set_on_a_page(place):
    with pytest.raises(ModelSettingsError):
        model_wiring.Switch(place.home).change({"address": "https://evil.example"})
    assert not any("address" in (one.key or "") for one in page(place).text_input)


def test_the_key_is_in_no_page_no_session_and_no_file(place):
    with stub(lambda _: fault(401, "authentication_error")) as server:
        _on(place, server.address)
        (row,) = place.desk(place.settings.tenant()).store.rows("select item from proj_item")
        pages = [page(place, name) for name in ("settings", "model")]
        app = page(place, "inbox", item=row["item"])
        app.button(key="act-model-dry").click().run()
        app.button(key="act-model").click().run()
        assert f"Bearer {KEY}" in server.heard[0].headers.values()
    for one in (*pages, app):
        assert "in the environment" in everything(one) or one is app
        assert KEY not in everything(one)
    assert [path for path in place.home.rglob("*") if path.is_file() and _holds(path)] == []


def _holds(path):
    return KEY.encode() in path.read_bytes() or KEY in path.name


def _on(place, address):
    from dataclasses import replace

    told = identity.read_settings(place.home)
    model = replace(told.model, on=True, name="stub-model", address=address, attempts=1)
    identity.write_settings(replace(told, model=model.checked()))
    return open_workspace(place.home)


_LOUD = """
import logging, sys
logging.basicConfig(level=logging.DEBUG, stream=sys.stderr)
from console.cli import main
main()
"""


@pytest.mark.parametrize("answer", [
    replying(claim()), lambda _: fault(401, "authentication_error")
])  # fmt: skip
def test_the_key_is_in_no_log_however_loud(place, answer):
    with stub(answer) as server:
        _on(place, server.address)
        done = subprocess.run(
            [sys.executable, "-c", _LOUD, "model", "ask"],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            cwd=Path(__file__).resolve().parents[2],
            env={**os.environ, "ANTHROPIC_LOG": "debug"},
        )
        assert len(server.heard) == 1
    assert "INFO:pymorphy3" in done.stderr, "it was loud"
    assert not any(name in done.stderr for name in ("anthropic", "httpx2", "httpcore2"))
    assert KEY not in done.stdout + done.stderr
    assert json.dumps(KEY) not in done.stderr

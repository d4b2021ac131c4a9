"""Start, Facts, the passport, the Ledger, Settings, and the application that frames them."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from console import identity, wiring
from console.server import HEADERS, OPTIONS, refuse_unsafe_options, server_flags
from store.stages import Stage
from tests.console.desks import (
    FAILED,
    NOTHING,
    desk_over,
    open_page,
    press,
    sign,
    stage,
    store_for,
)


@pytest.fixture
def desk(irina):
    return desk_over(store_for(irina), irina)


def words(app):
    shown = (*app.info, *app.text, *app.caption, *app.error, *app.success, *app.subheader)
    return " ".join(one.value for one in shown)


def durable(desk, irina, *claims):
    receipt = stage(desk, *claims)
    app = open_page("inbox", desk, reviewer=irina, lane="routine")
    for _ in claims:
        press(app, "act-approve")
    sign(app)
    return receipt.items


def test_start_of_an_empty_store_offers_an_import_and_nothing_else(desk, irina):
    app = open_page("start", desk, reviewer=irina)
    assert app.info[0].value.startswith("No memory yet.")
    assert app.code[0].value == "memory-console import export.json"
    assert not app.metric


def test_start_counts_what_waits_and_what_failed(desk, irina):
    stage(desk, "One.", "Two.", more=(NOTHING, FAILED))
    app = open_page("start", desk, reviewer=irina)
    assert [one.value for one in app.metric] == ["2", "0"]
    assert "No signed decisions in the last 7 days." in words(app)


def test_start_counts_signed_decisions_of_the_week(desk, irina):
    durable(desk, irina, "One.", "Two.")
    app = open_page("start", desk, reviewer=irina)
    assert "make durable 2" in words(app)
    assert [one.value for one in app.metric] == ["0", "2"]


def test_facts_are_empty_until_something_is_signed(desk, irina):
    stage(desk, "One.")
    assert "Nothing is durable yet." in words(open_page("facts", desk, reviewer=irina))


def test_a_durable_record_is_listed_and_found(desk, irina):
    durable(desk, irina, "The warehouse is Elektrostal.", "The fee is 45.")
    app = open_page("facts", desk, reviewer=irina)
    assert list(app.dataframe[0].value["trust"]) == ["unverified", "unverified"]
    app = open_page("facts", desk, reviewer=irina, q="elektro")
    assert list(app.dataframe[0].value["claim"]) == ["The warehouse is Elektrostal."]
    app = open_page("facts", desk, reviewer=irina, q="unicorn")
    assert "Without filters there are 2." in words(app)


def test_the_passport_tells_the_life_and_withdraw_needs_a_signature(desk, irina):
    (item,) = durable(desk, irina, "The fee is 45.")
    app = open_page("fact", desk, reviewer=irina, id=item)
    assert "● durable   ·   unverified, always" in words(app)
    assert "make durable" in words(open_page("fact", desk, reviewer=irina, id=item, tab="life"))
    press(app, "act-withdraw")
    assert desk.drafts() == []
    assert app.button(key="act-sign").disabled
    app.text_input(key=f"withdraw-text-{item}").input("The fee changed.")
    press(app, "withdraw-save")
    assert desk.standing().stage_of(item, 1) == Stage.DURABLE
    assert [(one.decision, one.note) for one in desk.drafts()] == [
        ("withdraw", "The fee changed.")
    ]
    sign(app)
    assert desk.store.events()[-1].type == "batch.decided"
    assert desk.standing().stage_of(item, 1) == Stage.STAGED
    told = words(open_page("fact", desk, reviewer=irina, id=item, tab="life"))
    assert "withdraw" in told
    assert "The fee changed." in told


def test_a_withdrawal_can_be_left_and_its_dialog_does_not_follow_to_other_pages(desk, irina):
    (item,) = durable(desk, irina, "The fee is 45.")
    app = open_page("fact", desk, reviewer=irina, id=item)
    press(app, "act-withdraw")
    press(app, "withdraw-cancel")
    assert desk.drafts() == []
    stage(desk, "Another.", start=5)
    inbox = open_page("inbox", desk, reviewer=irina, lane="routine")
    inbox.session_state["dialog"] = "withdraw"
    inbox.run()
    assert not inbox.button(key="act-approve").disabled


@pytest.mark.parametrize(("decided", "label"), [(False, "Start reviewing"), (True, "Continue")])
def test_start_says_whether_it_begins_or_goes_on(desk, irina, decided, label):
    stage(desk, "One.", "Two.", start=3)
    if decided:
        press(open_page("inbox", desk, reviewer=irina, lane="routine"), "act-skip")
    assert open_page("start", desk, reviewer=irina).button(key="continue").label == label


def test_the_ledger_names_the_command_for_this_very_workspace(irina):
    from console.cards.visit import Visit
    from console.pages import ledger
    from console.words import Say

    told = []
    visit = Visit(Say("en"), facts={"home": "/srv/my memory"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ledger.untrusted, "show", lambda text, say, key: told.append(text))
        ledger._command(visit)
    assert told == ["MEMORY_CONSOLE_HOME='/srv/my memory' memory-console verify"]
    assert str(identity._DEFAULT_HOME) == ledger.USUAL_HOME


def test_the_passport_has_no_edit_and_no_trust_switch(desk, irina):
    (item,) = durable(desk, irina, "The fee is 45.")
    app = open_page("fact", desk, reviewer=irina, id=item)
    ways = {"act-withdraw", "act-replace", "act-undo", "act-sign"}  # a new version is a new record
    assert {one.key for one in app.button} == ways
    assert not app.toggle
    assert not app.checkbox


def test_an_unknown_passport_says_no_more_than_that(desk, irina):
    app = open_page("fact", desk, reviewer=irina, id="01OTHERTENANT")
    assert app.error[0].value == "No such record, or no access."


def test_the_ledger_lists_every_event_and_every_import_adds_up(desk, irina):
    stage(desk, "One.", more=(NOTHING, FAILED))
    app = open_page("ledger", desk, reviewer=irina)
    events, imports = (one.value for one in app.dataframe)
    assert list(events["type"]) == ["import staged", "policy changed", "store created"]
    row = imports.iloc[0]
    outcomes = ("written", "nothing_extracted", "already_known", "refused", "parse_failed")
    assert int(row["read"]) == sum(int(row[name]) for name in outcomes) == 3


def test_the_ledger_shows_one_entry_by_its_number_and_by_its_type(desk, irina):
    stage(desk, "One.")
    app = open_page("ledger", desk, reviewer=irina, seq="2")
    assert len(app.dataframe[0].value) == 1
    assert '"counts"' in app.json[0].value
    app = open_page("ledger", desk, reviewer=irina, type="policy.changed")
    assert list(app.dataframe[0].value["type"]) == ["policy changed"]


def test_the_ledger_of_one_record(desk, irina):
    (item,) = durable(desk, irina, "One.")
    app = open_page("ledger", desk, reviewer=irina, object=item)
    assert list(app.dataframe[0].value["type"]) == ["decisions signed", "import staged"]


def test_settings_show_the_policy_and_the_keys_and_change_neither(desk, irina):
    app = open_page("settings", desk, reviewer=irina)
    assert any("allowed_kinds" in one.value for one in app.code)
    html = "".join(one.proto.body for one in app.get("html"))
    assert irina.key.public.fingerprint in html
    assert "Telemetry: none." in words(app)
    assert not app.button
    assert not app.text_input


def test_keys_are_chosen_for_the_session(desk, irina):
    app = open_page("settings", desk, reviewer=irina)
    app.segmented_control(key="keys_choice").set_value("off").run()
    assert app.session_state["keys_mode"] == "off"


@pytest.mark.parametrize("page", ["start", "inbox", "facts", "ledger", "settings"])
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_every_page_opens_with_and_without_an_identity(irina, page, lang):
    store = store_for(irina)
    stage(desk_over(store, irina), "One.", more=(NOTHING,))
    open_page(page, desk_over(store, irina), reviewer=irina, lang=lang)
    open_page(page, desk_over(store), lang=lang)


ENTRY = "console/entry/main.py"


def open_app(monkeypatch, home):
    monkeypatch.setenv("MEMORY_CONSOLE_HOME", str(home))
    app = AppTest.from_file(f"../../{ENTRY}", default_timeout=60).run()
    assert not app.exception, app.exception
    return app


def test_the_app_without_a_workspace_says_how_to_make_one(monkeypatch, tmp_path):
    app = open_app(monkeypatch, tmp_path / "none")
    assert app.info[0].value.startswith("There is no workspace in this folder.")
    assert app.code[0].value == "memory-console reviewer new"


def test_the_app_opens_a_workspace_on_the_start_page(monkeypatch, tmp_path):
    wiring.new_workspace(tmp_path / "w", tenants=("acme", "coffee"))
    app = open_app(monkeypatch, tmp_path / "w")
    assert app.title[0].value == "What should become durable?"
    assert "No reviewer identity is set." in app.warning[0].value
    assert app.selectbox(key="tenant").value == "acme"


def test_the_app_with_a_broken_configuration_opens_nothing(monkeypatch, tmp_path):
    (tmp_path / "config.toml").write_text("[[tenant]\n")
    app = open_app(monkeypatch, tmp_path)
    assert "cannot be opened" in app.error[0].value


def test_switching_the_tenant_drops_what_names_a_record(monkeypatch, tmp_path):
    wiring.new_workspace(tmp_path / "w", tenants=("acme", "coffee"))
    app = open_app(monkeypatch, tmp_path / "w")
    app.session_state["picked"] = frozenset({"01X"})
    app.query_params["item"] = "01X"
    app.selectbox(key="tenant").set_value("coffee").run()
    assert not app.exception
    assert "picked" not in app.session_state
    assert "item" not in app.query_params
    assert app.query_params["tenant"] in ("coffee", ["coffee"])


def test_every_option_is_named_as_streamlit_names_it():
    from streamlit import config

    assert [name for name in OPTIONS if name not in config._config_options_template] == []


def test_streamlit_offers_nothing_of_its_own_on_our_page(tmp_path):
    from streamlit import config
    from streamlit.web import skills

    name = "logger.hideWelcomeMessage"
    before = config.get_option(name)
    try:
        config.set_option(name, OPTIONS[name] == "true")
        assert skills.nudge_suppression_reason(str(tmp_path)) in ("welcome_hidden", "headless")
    finally:
        config.set_option(name, before)


def test_the_flags_bind_this_machine_alone():
    flags = server_flags(8599)
    assert "--server.address=127.0.0.1" in flags
    assert "--server.enableAgentApi=false" in flags
    assert flags.count("--server.allowedHosts=127.0.0.1") == 1
    assert "frame-ancestors 'none'" in HEADERS["content-security-policy"]


@pytest.mark.parametrize(
    ("option", "value"), [("server.enableAgentApi", True), ("server.address", "0.0.0.0")]
)
def test_it_refuses_to_run_with_an_unsafe_option(option, value):
    from streamlit import config

    before = {
        name: config.get_option(name) for name in ("server.enableAgentApi", "server.address")
    }
    config.set_option("server.address", "127.0.0.1")
    try:
        refuse_unsafe_options()
        config.set_option(option, value)
        with pytest.raises(SystemExit, match="Nothing was opened"):
            refuse_unsafe_options()
    finally:
        for name, told in before.items():
            config.set_option(name, told)

"""Model help in a real browser, over a real process and a made-up model on loopback."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from console import identity
from tests.browser.console_server import PATIENCE_MS, browsing, serving
from tests.console.agents import Firm, cell
from tests.console.messages_stub import claim, fact, message
from tests.console.model_worlds import stub

pytestmark = pytest.mark.browser

KEY = "sk-of-a-test-3f9a77c2"
TEXT = "The main warehouse is Elektrostal. We ship on Tuesdays."
OTHER = "The carrier is Delovye Linii."


def answering(heard):
    text = heard.data["claim"]["text"]
    told = [fact("ship on Tuesdays", "Tuesdays", "shipping day")] if "Tuesdays" in text else []
    told.append(fact("never said", "never said", "gap"))
    return message(json.dumps(claim(*told)), tokens=(1_000, 200))


@pytest.fixture
def world(tmp_path, monkeypatch):
    """A workspace with two records that wait, a made-up model, and a key in the environment."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    (firm,) = Firm.founded(tmp_path / "workspace", "acme")
    firm.items = firm.stage(cell(TEXT, 1), cell(OTHER, 2))
    assert len(firm.items) == 2
    with stub(answering) as server:
        told = identity.read_settings(firm.place.home)
        model = replace(told.model, address=server.address, attempts=1).checked()
        identity.write_settings(replace(told, model=model))
        yield firm, server


def test_switched_on_shown_asked_marked_counted_and_never_asked_again(world):
    firm, server = world
    frames: list[str] = []
    with serving(firm.place.home) as address, browsing(address) as seen:
        page = seen.page
        page.on(
            "websocket", lambda one: one.on("framereceived", lambda got: frames.append(str(got)))
        )

        seen.open(f"/inbox?item={firm.items[0]}&view=focus")
        expect(page.locator(".st-key-act-model")).to_have_count(0)

        seen.open("/settings")
        page.get_by_label("Model, as the provider names it").fill("stub-model")
        page.locator(".st-key-model-on label").first.click()
        page.get_by_role("button", name="Keep these settings").click()
        page.get_by_text("The settings are kept.").wait_for(timeout=PATIENCE_MS)
        seen.settle()
        seen.shot("model-settings")

        seen.open(f"/inbox?item={firm.items[0]}&view=focus")
        page.get_by_role("button", name="What would be sent").click()
        shown = page.locator(".st-key-model-dry code")
        shown.wait_for(timeout=PATIENCE_MS)
        seen.settle()
        seen.shot("model-dry-run")
        page.locator(f".st-key-more-dry-{firm.items[0]} button").first.click()
        expect(shown).to_contain_text("You help a reviewer", timeout=PATIENCE_MS)
        seen.settle()
        body = shown.inner_text()
        assert not server.heard
        page.get_by_role("button", name="Ask the model").click()
        card = page.locator(f".st-key-model-{firm.items[0]}")
        expect(card).to_contain_text("stub-model, claim/1. A proposal only", timeout=PATIENCE_MS)
        (heard,) = server.heard
        assert heard.body.decode() == body
        expect(card).to_contain_text("only the model")
        expect(card).to_contain_text("shipping day = Tuesdays")
        expect(card).to_contain_text("does not stand in the text")
        seen.settle()
        seen.shot("model-proposal")

        seen.open("/model")
        counted = page.locator(".stMainBlockContainer")
        expect(counted).to_contain_text("1,200 of 200,000")
        seen.shot("model-page")
        seen.open(f"/inbox?item={firm.items[0]}&view=focus")
        expect(card).to_contain_text("shipping day = Tuesdays", timeout=PATIENCE_MS)
        assert len(server.heard) == 1

        seen.open("/jobs")
        page.get_by_role("button", name="Ask the model about 1 record that waits").click()
        expect(page.locator(".st-key-model-backlog")).to_contain_text(
            "Every record that waits has a proposal.", timeout=PATIENCE_MS
        )
        seen.settle()
        seen.shot("model-backlog")
        expect(page.locator(".st-key-act-backlog")).to_have_count(0)
        assert len(server.heard) == 2
        assert KEY not in page.content()
        assert (seen.outside, seen.complaints) == ([], [])
    assert len(frames) > 10
    assert not any(KEY in one for one in frames)
    assert not any(KEY.encode() in one.read_bytes() for one in _files(firm.place.home))
    desk = firm.desk
    assert desk.standing().items == {}
    facts = {one.reader for item in firm.items for one in desk.card_of(item).facts}
    assert not any(reader.startswith("model/") for reader in facts)


def _files(home):
    return (path for path in home.rglob("*") if path.is_file())

"""The signing dialog in a real browser: what it lists, and that a name never becomes a link."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from console import wiring
from review.deciding import Wish
from store.stages import DecisionKind
from tests.browser.console_server import CHROMIUM, PATIENCE_MS, browsing, serving
from tests.browser.test_journey import PASSPHRASE, staged

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason="no Chromium on this machine"),
]
NAME = "Irina https://evil.test www.evil.test irina@evil.test"


def test_a_draft_of_another_program_is_shown_and_needs_a_tick_and_a_name_makes_no_link(tmp_path):
    made = wiring.new_workspace(tmp_path / "w", tenants=("acme",))
    made, _ = wiring.enrol(made, name=NAME, passphrase=PASSPHRASE)
    items = staged(made, 4)
    desk = made.desk(made.settings.tenants[0])
    with serving(made.home) as address, browsing(address) as seen:
        page = seen.page
        seen.open("/inbox?lane=routine")
        page.locator(".st-key-act-approve").wait_for(timeout=60_000)
        seen.settle()
        assert page.locator('a[href*="evil.test"]').count() == 0
        assert "evil.test" in page.locator(".st-key-frame").inner_text()
        page.locator("h1").first.click()
        seen.key("s", "skipped")
        seen.key("a", "drafted to become durable")
        assert len(desk.drafts()) == 2
        drafted = {one.item for one in desk.drafts()}
        slipped = next(one for one in reversed(items) if one not in drafted)
        desk.draft(desk.card_of(slipped), Wish(DecisionKind.APPROVE, nonce="slipped"))
        seen.settle()
        page.get_by_role("button", name="Sign 2").click()
        passphrase = page.get_by_label("Passphrase of your key")
        passphrase.wait_for(timeout=60_000)
        seen.settle()
        seen.shot("8-signing")
        button = page.get_by_role("button", name="Sign 3 decisions")
        assert button.is_disabled()
        passphrase.fill(PASSPHRASE)
        page.keyboard.press("Enter")
        seen.settle(1000)
        assert len(desk.drafts()) == 3
        page.get_by_text("I have looked at them").click()
        expect(button).to_be_enabled(timeout=PATIENCE_MS)
        seen.settle()
        passphrase.fill(PASSPHRASE)
        page.keyboard.press("Enter")
        page.get_by_text("Signed and recorded: 3").wait_for(timeout=60_000)
        assert seen.outside == []
    assert desk.drafts() == []

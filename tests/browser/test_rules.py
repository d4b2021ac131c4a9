"""Rules in a real browser: from the passport of an insight to a signed folder that checks out."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from console.bundles.writing import root_of
from review.bundle.folder import ALL
from tests.browser.console_server import PATIENCE_MS, browsing, serving
from tests.bundles.checkout_worlds import checkout, everything
from tests.bundles.checkout_worlds import git as run_git
from tests.conftest import Reviewer
from tests.console.agents import PASSPHRASE, Firm
from tests.console.test_cli import quick
from tests.review.rules import lessons
from tests.review.run_worlds import reading

pytestmark = pytest.mark.browser

STRICTER = lessons.REASON.replace("usually ", "always ")
WHY = "Agreed with logistics on 2 March."


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A workspace with one insight that only lacks a text, the insight, and a checkout."""
    folder = tmp_path_factory.mktemp("rules")
    (firm,) = Firm.founded(folder / "workspace", "acme")
    firm.key._until = datetime.max.replace(tzinfo=UTC)
    reviewer, desk = Reviewer(firm.place.settings.reviewer, firm.key), firm.desk
    item = lessons.learn(desk, reviewer, lessons.supporting())
    desk.stage(reading([lessons.later()], name="later.jsonl"))
    return firm, item, checkout(folder / "shop", {"AGENTS.md": b"Be kind.\n"})


def test_an_insight_leaves_as_a_bundle_after_its_stricter_word_has_a_reason(world):
    firm, item, shop = world
    before = everything(shop)
    with serving(firm.place.home) as address, browsing(address) as seen:
        page = seen.page
        seen.open(f"/fact?id={item}")
        page.get_by_role("link", name="Make a rule candidate").click()
        page.wait_for_selector(".st-key-stronger", timeout=60_000)
        seen.settle()
        assert f"candidate={item}" in page.url
        export = page.locator(".st-key-act-export button").first
        text = page.get_by_label("The rule, in words that you can change")
        text.fill(STRICTER)
        text.press("Control+Enter")
        expect(page.locator(".st-key-stronger")).to_contain_text(
            "STRONGER in 1 place. 1 still to settle.", timeout=PATIENCE_MS
        )
        seen.settle()
        expect(export).to_be_disabled()
        page.reload()  # the draft is there again
        page.wait_for_selector(".st-key-stronger", timeout=60_000)
        seen.settle()
        expect(text).to_have_value(STRICTER)
        expect(page.locator(".st-key-rule-draft")).to_contain_text("earlier session")
        seen.shot("rules-stricter")
        page.locator(".st-key-act-accept button").first.click()
        why = page.get_by_role("dialog").locator("textarea")
        why.fill(WHY)
        page.get_by_role("button", name="Accept this place").click()
        expect(page.locator(".st-key-stronger")).to_contain_text(
            "0 still to settle", timeout=PATIENCE_MS
        )
        seen.settle()
        page.get_by_label("Goes to").click()
        page.get_by_role("option", name="AGENTS.md, a section").click()
        seen.settle()
        export.click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("textbox", name="Checkout").fill(str(shop))
        dialog.locator("input[type=password]").fill(PASSPHRASE)
        seen.shot("rules-sign")
        dialog.get_by_role("button", name="Sign and export").click()
        page.wait_for_url("**export=*", timeout=60_000)
        seen.hears("Signed and written")
        seen.settle()
        seen.shot("rules-exported")
        (folder,) = root_of(firm.place.home, firm.tenant.id).iterdir()
        assert str(folder) in page.locator(".stMainBlockContainer").inner_text()
        assert (seen.outside, seen.complaints) == ([], [])
    assert {one.name for one in folder.iterdir()} == set(ALL)
    assert WHY in (folder / "PULL_REQUEST.md").read_text()
    assert everything(shop) == before
    run_git(shop, "apply", "--check", str(folder / "rule.patch"))
    pin = firm.place.root.key.fingerprint
    done = quick(
        firm.place.home, "bundle-check", str(folder), "--pin", pin, "--tenant", "acme", "--json"
    )
    assert done.exit_code == 0, (done.stdout, done.stderr)
    assert json.loads(done.stdout)["holds"]
    assert firm.desk.card_of(item).stage == "durable"

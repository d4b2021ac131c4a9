"""Conflicts in a real browser: a cell is clicked, a conflict is settled, signed, and gone."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from console import identity, signing, wiring
from importers.catalogue import open_reading
from importers.source import from_bytes
from review.deciding import Wish
from store.stages import DecisionKind
from tests.browser.console_server import (
    CHROMIUM,
    PATIENCE_MS,
    chromium,
    serving,
    watching,
)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason="no Chromium on this machine"),
]
PASSPHRASE = "correct horse battery"
THE_SIGNATURE = re.compile("^Sign 1 [a-z]+$")
"""The button of the dialog, which says what is signed; the bar's says only how many."""
CLAIMS = {
    "A": ("Alex lives in Seattle.", "2025-05-01"),
    "B": ("Alex lives in Boston.", "2025-05-01"),
    "M1": ("The main warehouse for the jackets is Koledino.", "2025-11-10"),
    "M2": ("For shipping to Koledino we use the carrier Delovye Linii.", "2025-11-12"),
    "M3": ("From 1 March 2026 we close shipping to Koledino and move all jackets to Elektrostal.",
           "2026-02-15"),
}  # fmt: skip


def memories() -> bytes:
    """A file of our own format, made up."""
    rows = [
        {
            "claim": claim,
            "kind": "fact",
            "source_type": "document",
            "source_id": name,
            "written_at": f"{day}T10:00:00Z",
        }
        for name, (claim, day) in CLAIMS.items()
    ]
    lines = [{"format": "memory-console/1"}, *rows]
    return "\n".join(json.dumps(line) for line in lines).encode("utf-8")


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """One console over a store with five durable records, and a browser."""
    home = tmp_path_factory.mktemp("conflicts") / "w"
    made = wiring.new_workspace(home, tenants=("acme",))
    made, _ = wiring.enrol(made, name="Irina K.", passphrase=PASSPHRASE)
    desk = made.desk(made.settings.tenants[0])
    items = desk.stage(open_reading(from_bytes("notes.jsonl", memories()))).items
    for item in items:
        card = desk.card_of(item)
        seen = tuple(str(flag.code) for flag in card.flags)
        desk.draft(card, Wish(DecisionKind.APPROVE, acknowledged=seen, nonce=desk.new_nonce()))
    path = made.key_path(str(made.settings.reviewer))
    key = signing.unlock(path, PASSPHRASE, now=identity.now())
    desk.sign(lambda statements: key.sign(statements, now=identity.now()))
    with serving(made.home) as address, chromium() as browser:
        yield made, address, browser, dict(zip(CLAIMS, items, strict=True))


def panel(page):
    return page.locator(".st-key-claim-panel")


def test_a_click_on_a_cell_shows_it_and_a_conflict_is_settled_by_a_signature(served):
    _, address, browser, _ = served
    with watching(browser, address) as seen:
        page = seen.page
        seen.open("/conflicts")
        expect(page.get_by_text("1 open conflict", exact=True)).to_be_visible(timeout=PATIENCE_MS)
        first = panel(page).inner_text()
        chart = page.locator('[data-testid="stVegaLiteChart"]').first
        chart.wait_for(timeout=PATIENCE_MS)
        seen.shot("conflicts-1")
        (other,) = {CLAIMS["A"][0], CLAIMS["B"][0]} - {first.strip()}
        chart.locator(f"path[aria-label*='tip: {other}']").click()
        expect(panel(page)).to_contain_text(other, timeout=PATIENCE_MS)
        page.get_by_role("button", name="This one supersedes").click()
        page.get_by_label("Why? The reason is signed along.").fill("Alex moved and told us")
        seen.shot("conflicts-2")
        page.get_by_role("button", name="Draft", exact=True).click()
        seen.settle()
        page.get_by_role("button", name="Sign 1").click()
        page.get_by_label("Passphrase of your key").fill(PASSPHRASE)
        seen.shot("conflicts-3")
        page.get_by_role("button", name=THE_SIGNATURE).click()
        expect(page.get_by_text("No open conflicts.")).to_be_visible(timeout=PATIENCE_MS)
        assert seen.outside == []
        assert seen.complaints == []


def test_the_stale_lane_is_counted_on_start_and_left_by_a_signature(served):
    workspace, address, browser, _ = served
    with watching(browser, address) as seen:
        page = seen.page
        seen.open("/")
        page.get_by_text("1 stale record to check again").click()
        expect(page.get_by_text(CLAIMS["M2"][0])).to_be_visible(timeout=PATIENCE_MS)
        page.get_by_role("button", name="It still holds…").click()
        page.get_by_label("Why? The reason is signed along.").fill("The carrier serves both")
        seen.shot("stale-1")
        page.get_by_role("button", name="Draft", exact=True).click()
        seen.settle()
        page.get_by_role("button", name="Sign 1").click()
        page.get_by_label("Passphrase of your key").fill(PASSPHRASE)
        page.get_by_role("button", name=THE_SIGNATURE).click()
        expect(page.get_by_text("No durable record has lost what it rests on.")).to_be_visible(
            timeout=PATIENCE_MS
        )
    desk = workspace.desk(workspace.settings.tenants[0])
    assert desk.graph.stale().total == 0


def test_the_passport_shows_the_past_by_its_url_and_goes_back_to_now(served):
    _, address, browser, items = served
    with watching(browser, address) as seen:
        page = seen.page
        seen.open(f"/fact?id={items['M1']}&tab=life")
        expect(page.get_by_text("takes effect 2026-03-01").first).to_be_visible(
            timeout=PATIENCE_MS
        )
        seen.shot("passport-1")
        seen.open("/facts?asof=2026-01-01T00:00:00Z")
        expect(page.get_by_text("Nothing was durable at that moment.")).to_be_visible(
            timeout=PATIENCE_MS
        )
        page.get_by_role("button", name="Back to now").click()
        seen.settle()
        assert "asof" not in page.url
        assert seen.outside == []
        assert seen.complaints == []

"""Forget in a real browser: from the passport through preview and run to the report."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from console.backup import making
from tests.browser.console_server import browsing, serving
from tests.console.agents import PASSPHRASE, Firm, cell

pytestmark = pytest.mark.browser

SUBJECT = {"scope": {"subject": "client 4411"}, "entities": ["client 4411"]}
CANARY = "The canary of this client sings at gate 7919."
DERIVED = "Songs at that gate are heard before noon."
RUN_MS = 240_000
"""The time in which it can be cancelled, and the run itself on a slow machine."""

WAIT_S = 8
"""The minute in which it can be cancelled passes in tests/console, where a clock is moved on."""


@pytest.fixture(scope="module")
def firm(tmp_path_factory) -> Firm:
    (made,) = Firm.founded(tmp_path_factory.mktemp("home") / "workspace", "acme")
    derived = cell(
        DERIVED,
        "d",
        kind="insight",
        source_type="agent_summary",
        edges=[{"kind": "derived_from", "target": "notes:c"}],
    )
    others = (cell(f"Warehouse {n} is in Tula.", n) for n in range(5))
    made.items = made.stage(cell(CANARY, "c", **SUBJECT), derived, *others)
    made.decide(*made.items)
    making.write(made.place, made.tenant, days=20)
    return made


def test_a_request_from_the_passport_to_the_report(firm):
    path = firm.place.store_path(firm.tenant)
    with serving(firm.place.home, wait_s=WAIT_S) as address, browsing(address) as seen:
        page = seen.page
        seen.open(f"/fact?id={firm.items[0]}")
        page.get_by_role("link", name="Forget request").click()
        page.wait_for_selector(".st-key-forget-ids")
        seen.settle()
        expect(page.locator(".st-key-forget-ids textarea")).to_have_value(firm.items[0])
        page.get_by_role("button", name="Preview", exact=True).click()
        go = page.get_by_role("button", name="Go on with 2 rows")
        go.wait_for(timeout=60_000)
        seen.settle()
        seen.shot("forget-preview")
        assert CANARY not in page.url
        go.click()
        page.wait_for_selector(".st-key-forget-typed")
        seen.settle()
        page.locator(".st-key-forget-typed input").fill("2")
        page.locator(".st-key-forget-passphrase input").fill(PASSPHRASE)
        page.locator(".st-key-forget-begin button").click()
        page.wait_for_selector(".st-key-forget-countdown", timeout=60_000)
        assert CANARY.encode() in path.read_bytes()
        seen.shot("forget-countdown")

        page.wait_for_selector(".st-key-forget-report-bar", timeout=RUN_MS)
        seen.settle()
        seen.shot("forget-report")
        told = page.locator(".stMainBlockContainer").inner_text()
        assert "done within scope · 1 thing left" in told
        assert "outside of our control" in told
        with page.expect_download() as download:
            page.get_by_role("button", name="Letter, English").click()
        letter = download.value.path().read_text("utf-8")
        assert CANARY not in letter
        data = path.read_bytes()
        assert CANARY.encode() not in data
        assert DERIVED.encode() not in data
        assert b"Warehouse 3 is in Tula." in data

        # a press on an earlier report, which a link of this very page opened, stays on it
        seen.open("/forget")
        page.get_by_role("link", name="Report of").click()
        page.wait_for_selector(".st-key-forget-report-bar")
        seen.settle()
        page.locator(".st-key-forget-check button").click()
        seen.settle()
        assert page.locator(".st-key-forget-report-bar").count() == 1
        assert "request=" in page.url
        assert (seen.outside, seen.complaints) == ([], [])

"""One person's way through the console, in a real browser: import, decide, sign, find."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from console import wiring
from importers.catalogue import open_reading
from importers.source import from_bytes
from review.queue import Wanted
from tests.browser.console_server import (
    CHROMIUM,
    LOOKED_MS,
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


def memories(count: int) -> bytes:
    """A Mem0 ``get_all`` answer, made up."""
    results = [
        {
            "id": f"4f1c0e6a-0000-4000-8000-{n:012d}",
            "memory": f"Client {n} ships from warehouse {n}",
            "hash": f"{n:032x}",
            "metadata": None,
            "created_at": "2026-02-11T09:30:00.000000-08:00",
            "updated_at": None,
            "user_id": "alex",
        }
        for n in range(count)
    ]
    return json.dumps({"results": results}).encode("utf-8")


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """One console with a tenant for each test, and a browser."""
    home = tmp_path_factory.mktemp("journey") / "w"
    made = wiring.new_workspace(home, tenants=("acme", "birch", "cedar"))
    made, _ = wiring.enrol(made, name="Irina K.", passphrase=PASSPHRASE)
    with serving(made.home) as address, chromium() as browser:
        yield made, address, browser


def staged(workspace, count, tenant="acme"):
    desk = workspace.desk(workspace.settings.tenant(tenant))
    return desk.stage(open_reading(from_bytes("mem0.json", memories(count)))).items


def test_from_a_file_to_a_durable_record(served, tmp_path):
    workspace, address, browser = served
    export = tmp_path / "mem0 export.json"
    export.write_bytes(memories(3))
    with watching(browser, address) as seen:
        page = seen.page
        seen.open("/")
        page.locator('input[type="file"]').set_input_files(str(export))
        page.get_by_role("button", name="Stage 1 file").wait_for(timeout=60_000)
        seen.settle()
        seen.shot("1-import")
        page.get_by_role("button", name="Stage 1 file").click()
        page.get_by_text("3 records read").wait_for(timeout=60_000)
        seen.settle()
        seen.shot("2-staged")
        page.get_by_text("3 routine: open").click()
        page.locator(".st-key-act-approve").wait_for(timeout=60_000)
        seen.settle()
        seen.shot("3-card")
        page.locator("h1").first.click()
        seen.key("a", "drafted to become durable")
        seen.key("x")
        page.locator(".st-key-reasons").wait_for(timeout=PATIENCE_MS)
        seen.key("4", "drafted as rejected")
        seen.key("u", "taken back")
        seen.settle()
        page.get_by_role("button", name="Sign 1").click()
        page.get_by_label("Passphrase of your key").wait_for(timeout=60_000)
        seen.settle()
        page.get_by_label("Passphrase of your key").fill(PASSPHRASE)
        page.keyboard.press("Enter")
        page.get_by_text("Signed and recorded: 1").wait_for(timeout=60_000)
        seen.shot("4-signed")
        page.get_by_test_id("stTopNav").get_by_text("Explain").click()
        page.get_by_role("link", name="Facts").click()
        page.get_by_text("Open the chosen one").wait_for(timeout=60_000)
        seen.settle()
        seen.shot("5-facts")
        page.get_by_text("Open the chosen one").click()
        page.get_by_text("durable", exact=False).first.wait_for(timeout=60_000)
        seen.settle()
        assert "ships from warehouse" in page.locator(".stMainBlockContainer").inner_text()
        seen.shot("6-passport")
        assert seen.outside == []
        assert seen.complaints == []
    desk = workspace.desk(workspace.settings.tenant("acme"))
    assert desk.store.events()[-1].type == "batch.decided"
    assert desk.durable_count() == 1


def test_keys_pressed_by_accident_decide_once_and_skip_nothing(served):
    workspace, address, browser = served
    items = staged(workspace, 12, "birch")
    desk = workspace.desk(workspace.settings.tenant("birch"))

    def drafted() -> list[str]:
        return [one.item for one in desk.drafts()]

    with watching(browser, address) as seen:
        page = seen.page

        def shown() -> str:
            return page.url.split("item=")[1].split("&")[0]

        seen.open("/inbox?lane=routine&tenant=birch")
        page.locator(".st-key-act-approve").wait_for(timeout=60_000)
        page.locator("h1").first.click()
        seen.settle(LOOKED_MS)

        page.keyboard.down("a")
        for _ in range(25):
            page.wait_for_timeout(40)
            page.keyboard.down("a")
        page.keyboard.up("a")
        seen.hears("drafted to become durable")
        seen.settle(1000)
        after_holding = drafted()
        assert len(after_holding) == 1

        for _ in range(10):
            page.keyboard.press("a", delay=1)
            page.wait_for_timeout(20)
        seen.until(lambda: len(drafted()) > 1, "the burst decides")
        seen.settle(1000)
        after_burst = drafted()
        assert len(set(after_burst)) == len(after_burst) == 2
        undecided = {one for one in items if one not in after_burst}
        assert {row.item for row in desk.waiting(Wanted()).rows} == undecided
        if shown() not in undecided:  # a late press of the burst leaves the decided card open
            page.get_by_text("You drafted this").wait_for(timeout=PATIENCE_MS)
            seen.key("j")
            seen.until(lambda: shown() in undecided, "J goes on to the next")

        page.get_by_role("button", name="Keys").click()
        page.get_by_text("this help").wait_for(timeout=60_000)
        seen.settle()
        approve = page.locator(".st-key-act-approve button").first  # another is drawn for phones
        expect(approve).to_be_disabled(timeout=PATIENCE_MS)
        seen.key("a")
        seen.settle(1000)
        assert drafted() == after_burst
        page.keyboard.press("Escape")
        page.get_by_text("this help").wait_for(state="detached", timeout=PATIENCE_MS)
        seen.settle()
        expect(approve).to_be_enabled(timeout=PATIENCE_MS)
        seen.settle(1000)
        assert drafted() == after_burst

        seen.key("n")
        note = page.get_by_label("Note (optional; kept beside the decision)")
        note.wait_for(timeout=60_000)
        note.click()
        page.keyboard.type("axa sauna")
        assert note.input_value() == "axa sauna"
        seen.settle(1000)
        assert drafted() == after_burst
        assert seen.outside == []


def test_letters_work_in_a_cyrillic_layout(served):
    workspace, address, browser = served
    staged(workspace, 2, "cedar")
    desk = workspace.desk(workspace.settings.tenant("cedar"))
    with watching(browser, address) as seen:
        page = seen.page
        seen.open("/inbox?lane=routine&lang=ru&tenant=cedar")
        page.locator(".st-key-act-approve").wait_for(timeout=60_000)
        seen.settle(LOOKED_MS)
        seen.shot("7-card-ru")
        page.evaluate(
            "document.body.dispatchEvent(new KeyboardEvent('keydown',"
            "{key:'ф',code:'KeyA',keyCode:65,bubbles:true,cancelable:true}))"
        )
        seen.until(lambda: desk.drafts() != [], "the letter decides")
        seen.settle()
        assert len(desk.drafts()) == 1

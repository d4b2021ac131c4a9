"""One person's way through the console, in a real browser: import, decide, sign, find."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from console import wiring
from importers.catalogue import open_reading
from importers.source import from_bytes
from review.queue import Wanted
from tests.browser.console_server import CHROMIUM, browsing, serving

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


@pytest.fixture
def workspace(tmp_path):
    made = wiring.new_workspace(tmp_path / "w", tenants=("acme",))
    made, _ = wiring.enrol(made, name="Irina K.", passphrase=PASSPHRASE)
    return made


def staged(workspace, count):
    desk = workspace.desk(workspace.settings.tenants[0])
    return desk.stage(open_reading(from_bytes("mem0.json", memories(count)))).items


def test_from_a_file_to_a_durable_record(workspace, tmp_path):
    export = tmp_path / "mem0 export.json"
    export.write_bytes(memories(3))
    with serving(workspace.home) as address, browsing(address) as seen:
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
        seen.key("a")
        assert "drafted to become durable" in seen.said()
        seen.key("x")
        seen.key("4")
        assert "drafted as rejected" in seen.said()
        seen.key("u")
        assert "taken back" in seen.said()
        page.get_by_role("button", name="Sign 1").click()
        page.get_by_label("Passphrase of your key").wait_for(timeout=60_000)
        seen.settle()
        page.get_by_label("Passphrase of your key").fill(PASSPHRASE)
        page.keyboard.press("Enter")
        page.get_by_text("Signed and recorded: 1").wait_for(timeout=60_000)
        seen.shot("4-signed")
        page.get_by_test_id("stTopNav").get_by_text("Explain").click()
        page.get_by_role("link", name="Facts").click()
        page.get_by_text("Open the newest").wait_for(timeout=60_000)
        seen.settle()
        seen.shot("5-facts")
        page.get_by_text("Open the newest").click()
        page.get_by_text("durable", exact=False).first.wait_for(timeout=60_000)
        seen.settle()
        assert "ships from warehouse" in page.locator(".stMainBlockContainer").inner_text()
        seen.shot("6-passport")
        assert seen.outside == []
        assert seen.complaints == []
    desk = workspace.desk(workspace.settings.tenants[0])
    assert desk.store.events()[-1].type == "batch.decided"
    assert desk.durable_count() == 1


def test_keys_pressed_by_accident_decide_once_and_skip_nothing(workspace):
    items = staged(workspace, 12)
    with serving(workspace.home) as address, browsing(address) as seen:
        desk, page = workspace.desk(workspace.settings.tenants[0]), seen.page
        seen.open("/inbox?lane=routine")
        page.locator(".st-key-act-approve").wait_for(timeout=60_000)
        seen.settle(800)
        page.locator("h1").first.click()

        page.keyboard.down("a")
        for _ in range(25):
            page.wait_for_timeout(40)
            page.keyboard.down("a")
        page.keyboard.up("a")
        seen.settle(1500)
        for _ in range(40):
            after_holding = [one.item for one in desk.drafts()]
            if after_holding:
                break
            seen.settle(500)
        seen.settle(1500)
        assert [one.item for one in desk.drafts()] == after_holding
        assert len(after_holding) == 1

        for _ in range(10):
            page.keyboard.press("a", delay=1)
            page.wait_for_timeout(20)
        seen.settle(1500)
        after_burst = [one.item for one in desk.drafts()]
        assert len(set(after_burst)) == len(after_burst)
        assert len(after_burst) <= 2
        undecided = {one for one in items if one not in after_burst}
        waiting = {row.item for row in desk.waiting(Wanted()).rows}
        assert waiting == undecided
        for turn in range(40):  # the address follows the decision when the script has run again
            shown = page.url.split("item=")[1].split("&")[0]
            if shown in undecided:
                break
            seen.settle(500)
            if turn % 10 == 9:  # a busy machine may leave the decided card open; J goes on
                seen.key("j")
        assert shown in undecided

        page.get_by_role("button", name="Keys").click()
        page.get_by_text("this help").wait_for(timeout=60_000)
        seen.settle()
        seen.key("a")
        page.keyboard.press("Escape")
        seen.settle(600)
        assert [one.item for one in desk.drafts()] == after_burst

        seen.key("n")
        note = page.get_by_label("Note (optional; kept beside the decision)")
        note.wait_for(timeout=60_000)
        note.click()
        page.keyboard.type("axa sauna")
        seen.settle()
        assert [one.item for one in desk.drafts()] == after_burst
        assert seen.outside == []


def test_letters_work_in_a_cyrillic_layout(workspace):
    staged(workspace, 2)
    with serving(workspace.home) as address, browsing(address) as seen:
        desk, page = workspace.desk(workspace.settings.tenants[0]), seen.page
        seen.open("/inbox?lane=routine&lang=ru")
        page.locator(".st-key-act-approve").wait_for(timeout=60_000)
        seen.settle(800)
        seen.shot("7-card-ru")
        page.evaluate(
            "document.body.dispatchEvent(new KeyboardEvent('keydown',"
            "{key:'ф',code:'KeyA',keyCode:65,bubbles:true,cancelable:true}))"
        )
        seen.settle(800)
        assert len(desk.drafts()) == 1

"""From a pasted answer to the bytes it came from in three clicks, and how fast Why is painted."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bench.quality.public_path import Cell
from console import signing, wiring
from console.demo_story import PASSPHRASE
from importers.catalogue import named, open_reading
from importers.source import from_bytes
from review.auditing.reported import Reported
from review.identities import stamp
from review.recall import Question
from tests.browser.console_server import CHROMIUM, chromium, serving, watching
from tests.conftest import Reviewer
from tests.contract.staged import decide, verdict

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason="no Chromium on this machine"),
]
SAID = "Ship the jackets to Koledino."
CELLS = 200
PAINTED = 1.2
"""Seconds in which 200 cells are to be painted, by the UX specification."""

SLACK = 3.0
"""How many times slower a machine may be that does other things at the same time."""


def approve_all(workspace, desk):
    """Sign for all that waits at once; two hundred cards drawn for it would take six seconds."""
    now, store = stamp(workspace.clock()), desk.store
    key_path = workspace.key_path(workspace.settings.reviewer)
    irina = Reviewer(
        workspace.settings.reviewer, signing.unlock(key_path, PASSPHRASE, now=workspace.clock())
    )
    items = [row["item"] for row in store.rows("select item from proj_item")]
    verdicts = [verdict(store, item) for item in items]
    signed = decide(store, irina, *verdicts, signed_at=now)
    store.append(replace(signed, happening=replace(signed.happening, recorded_at=now)))


def learn(desk, cells):
    data = "\n".join(cell.line() for cell in cells).encode()
    desk.stage(open_reading(from_bytes("notes.jsonl", data), named("own_jsonl")))


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """Two tenants: one with a small story, one whose answer weighed two hundred cells."""
    home = tmp_path_factory.mktemp("audit") / "w"
    place = wiring.new_workspace(home, tenants=("acme", "birch"))
    place, _ = wiring.enrol(place, name="Irina K.", passphrase=PASSPHRASE)
    acme, birch = (place.desk(tenant) for tenant in place.settings.tenants)
    day = "2025-11-10T10:00:00Z"
    with acme.held():
        claim = "The main warehouse for the jackets is Koledino"
        learn(acme, [Cell("m:1", claim, day), Cell("m:2", "The office cat is Murka", day)])
        approve_all(place, acme)
        asked = Question("Where do we ship the jackets?", asked_at=datetime.now(UTC))
        event = acme.record_recall(acme.ask(asked).recall)
        acme.audit.report(Reported(asked.text, SAID, None, (), "", "door", event.body["recall"]))
    with birch.held():
        told = [
            Cell(f"n:{n}", f"Jackets note {n}: the box {n} is heavy", day) for n in range(CELLS)
        ]
        learn(birch, told)
        approve_all(place, birch)
        asked = Question("What of the jackets?", asked_at=datetime.now(UTC), candidates=CELLS)
        many = birch.record_recall(birch.ask(asked).recall)
        assert many.body["candidates"] == CELLS
    with serving(place.home) as address, chromium() as browser:
        yield address, browser, f"ans-{many.seq}"


def test_from_a_pasted_answer_to_the_original_bytes_in_three_clicks(served):
    address, browser, _ = served
    with watching(browser, address) as seen:
        page, clicks = seen.page, 0
        page.set_viewport_size({"width": 1280, "height": 800})
        seen.open("/")
        box = page.get_by_label("Why did the bot say that?")
        box.click()
        clicks += 1
        box.fill(SAID)
        box.press("Enter")
        page.get_by_text("1 answer found").wait_for()
        assert SAID.split()[-1] not in page.url, "what was pasted is in no URL"
        seen.settle()
        page.get_by_text("Why this answer").click()
        clicks += 1
        verdict = page.get_by_role("heading", name="was in the prompt.")
        verdict.wait_for()
        seen.settle()
        box = verdict.bounding_box()
        assert box["y"] + box["height"] < 800, "the verdict has to be seen without scrolling"
        seen.shot("audit-why")
        page.get_by_text("Source: the original bytes").click()
        clicks += 1
        page.locator(".mc-source mark", has_text="Koledino").first.wait_for()
        assert '"claim"' in page.locator(".mc-source").first.inner_text()
        seen.settle()
        seen.shot("audit-source")
        assert clicks <= 3
        assert seen.outside == []
        assert seen.complaints == []


def test_an_id_pasted_on_start_leads_to_its_explanation_at_once(served):
    address, browser, _ = served
    with watching(browser, address) as seen:
        seen.open("/answers")
        seen.page.get_by_text("Why the chosen answer").click()
        seen.page.get_by_role("heading", name="was in the prompt.").wait_for()
        answer = seen.page.url.partition("answer=")[2].partition("&")[0]
        seen.open("/")
        box = seen.page.get_by_label("Why did the bot say that?")
        box.fill(answer)
        box.press("Enter")
        seen.page.get_by_role("heading", name="was in the prompt.").wait_for()
        assert f"answer={answer}" in seen.page.url


def test_the_keys_of_why_go_from_fact_to_fact_and_through_its_views(served):
    address, browser, answer = served
    with watching(browser, address) as seen:
        page = seen.page
        seen.open(f"/why?answer={answer}&tenant=birch")

        def pressed(key: str, part: str) -> None:
            seen.key(key)
            seen.until(lambda: part in page.url, f"{part} after {key}")

        pressed("j", "fact=")
        pressed("t", "as=now")
        pressed("t", "as=diff")
        pressed("q", "intent=current")
        pressed("b", "view=table")
        seen.key("s")
        page.locator(".mc-source").first.wait_for(state="visible")
        assert seen.complaints == []


def test_why_with_two_hundred_cells_is_painted_in_time(served):
    address, browser, answer = served
    with watching(browser, address) as seen:
        page = seen.page
        page.set_viewport_size({"width": 1280, "height": 800})
        seen.open("/answers?tenant=birch")
        took = []
        for _ in range(3):
            seen.settle()
            started = time.perf_counter()
            page.get_by_text("Why the chosen answer").click()
            page.get_by_role("heading", name="was in the prompt.").wait_for()
            page.locator(
                '[data-testid="stVegaLiteChart"] canvas, [data-testid="stVegaLiteChart"] svg'
            ).first.wait_for()
            page.locator('[data-testid="stDataFrame"] canvas').first.wait_for()
            took.append(time.perf_counter() - started)
            assert answer in page.url
            seen.settle()
            page.get_by_text("All answers").click()
            page.get_by_text("Why the chosen answer").wait_for()
        print(f"Why with {CELLS} cells painted in {min(took):.2f} s ({took})")
        assert min(took) <= PAINTED * SLACK
        assert seen.complaints == []

"""Rows that lead to one record: chosen by a click anywhere in them, opened by button or Enter."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from console.wiring import open_workspace
from review.auditing.answers import AnswersWanted
from review.queue import Wanted
from tests.browser.console_server import CHROMIUM, chromium, serving, watching
from tests.console.test_demo import demo_home

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason="no Chromium on this machine"),
]
HEAD, ROW = 36, 34
"""Pixels of the head of a table and of a row."""


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    home = shutil.copytree(demo_home(), tmp_path_factory.mktemp("rows") / "home")
    place = open_workspace(home)
    with serving(home) as address, chromium() as browser:
        yield place.desk(place.settings.tenant("acme")), address, browser


def click(seen, place: int, x: int = 420) -> None:
    """Click into a row of the first table, ``x`` pixels from its left edge."""
    table = seen.page.locator('[data-testid="stDataFrame"] canvas').first
    table.wait_for()
    box = table.bounding_box()
    seen.page.mouse.click(box["x"] + x, box["y"] + HEAD + ROW * place + ROW / 2)
    seen.settle()


def test_a_row_of_facts_is_chosen_by_a_click_and_opened_by_enter(demo):
    desk, address, browser = demo
    rows = desk.facts(Wanted()).rows
    with watching(browser, address) as seen:
        page = seen.page
        seen.open("/facts")
        bar = page.locator(".st-key-facts-bar")
        assert rows[0].claim[:40] in bar.inner_text()
        click(seen, 2)
        assert rows[2].claim[:40] in bar.inner_text()
        assert "/facts" in page.url, "a click chooses and does not leave"
        seen.key("j")
        seen.until(lambda: rows[3].claim[:40] in bar.inner_text(), "the next one after J")
        seen.shot("facts-chosen")
        seen.key("Enter")
        page.wait_for_url(f"**/fact?id={rows[3].item}*")
        seen.settle()
        assert rows[3].claim[:40] in page.locator(".mc-headline").inner_text()
        assert (seen.outside, seen.complaints) == ([], [])


def test_the_button_in_a_row_opens_it_at_once(demo):
    desk, address, browser = demo
    rows = desk.facts(Wanted()).rows
    with watching(browser, address) as seen:
        seen.open("/facts")
        click(seen, 1, x=80)
        seen.page.wait_for_url(f"**/fact?id={rows[1].item}*")


def test_enter_in_the_search_box_searches_and_opens_nothing(demo):
    _, address, browser = demo
    with watching(browser, address) as seen:
        seen.open("/facts")
        box = seen.page.get_by_placeholder("Search in durable records")
        box.fill("Koledino")
        box.press("Enter")
        seen.until(lambda: "q=Koledino" in seen.page.url, "the search")
        seen.settle()
        assert "/facts" in seen.page.url


def test_answers_are_chosen_and_opened_in_the_same_way(demo):
    desk, address, browser = demo
    answers = desk.audit.page(AnswersWanted()).answers
    with watching(browser, address) as seen:
        seen.open("/answers")
        click(seen, 1)
        bar = seen.page.locator(".st-key-answers-bar")
        assert answers[1].question[:40] in bar.inner_text()
        seen.key("Enter")
        seen.page.wait_for_url(f"**/why?answer={answers[1].id}*")


def test_enter_on_conflicts_opens_the_passport_and_the_table_is_a_tab(demo):
    desk, address, browser = demo
    (conflict,) = desk.graph.at().conflicts.page(1, 50)
    with watching(browser, address) as seen:
        page = seen.page
        seen.open("/conflicts")
        seen.key("b")
        seen.until(lambda: "view=table" in page.url, "the table after B")
        seen.key("Enter")
        page.wait_for_url("**/fact?id=*")
        assert page.url.rpartition("id=")[2].partition("&")[0] in conflict.items
        seen.open("/conflicts")
        page.get_by_role("radio", name="Table").click()
        seen.until(lambda: "view=table" in page.url, "the table")
        seen.settle()
        assert page.locator('[data-testid="stDataFrame"]').count() == 3


def test_enter_on_duplicates_opens_the_passport_of_the_record_that_is_kept(demo):
    _, address, browser = demo
    with watching(browser, address) as seen:
        seen.open("/duplicates")
        click(seen, 1, x=120)
        seen.key("Enter")
        seen.page.wait_for_url("**/fact?id=*")
